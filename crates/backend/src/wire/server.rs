//! The server itself.

use serde::{Deserialize, Serialize};

/// `GET /info`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Info {
    #[cfg_attr(test, ts(type = "\"Gardez\""))]
    pub name: &'static str,
    pub version: &'static str,
    #[cfg_attr(test, ts(type = "1"))]
    pub api: u32,
    /// The server listens to the network, so visitors see their own games only.
    pub exposed: bool,
    /// Where others in the network reach the server, as `http://192.168.1.7:8080`; none when only this machine can, and
    /// before the log-in.
    pub addresses: Vec<String>,
    /// A password is set.
    pub password: bool,
    /// This visitor may use the server; else only `info` and `login` answer.
    pub authorised: bool,
    /// From the weakest to full strength.
    pub levels: Vec<Level>,
    pub classics: Vec<Classic>,
    /// The largest number of lines of an analysis.
    pub max_lines: usize,
    /// The largest PGN that can be imported, in bytes.
    pub max_pgn_bytes: usize,
    /// Names of openings are known.
    pub openings: bool,
    /// Others can come to a game by its link. Without a server they cannot.
    pub links: bool,
}

/// A level of the engine as an opponent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Level {
    /// What `NewGame` takes.
    pub id: String,
    pub name: String,
    /// The approximate rating; null for full strength.
    pub elo: Option<i32>,
}

/// A classic engine as an opponent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Classic {
    pub id: &'static str,
    pub name: String,
    pub description: String,
}

/// `POST /login`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Login {
    pub password: String,
}

/// `GET /games/{id}/pgn`, as query.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportQuery {
    /// With the review as comments and variations.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub review: bool,
}

/// `GET /options`: the options of the engine, as UCI has them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionsAnswer {
    pub options: Vec<EngineOption>,
}

/// An option of the engine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EngineOption {
    pub name: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    #[serde(flatten)]
    pub kind: OptionKind,
}

/// The values that an option takes, and the one that it starts with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum OptionKind {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: String, choices: &'static [&'static str] },
    Text { default: String },
    Button,
}
