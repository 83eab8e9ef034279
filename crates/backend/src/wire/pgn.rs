//! PGN: games as text, and as trees with variations.

use super::analysis::Score;
use super::game::GameSummary;
use super::position::{Move, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `POST /import` and `POST /pgn/read`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PgnText {
    pub pgn: String,
}

/// What came of an import.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportAnswer {
    pub games: Vec<GameSummary>,
    /// Games that could not be read; the others are saved.
    pub errors: Vec<ImportError>,
}

/// Why a game could not be read, and where. Games, lines and columns count from 1; 0 where there is no place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportError {
    pub game: u64,
    pub line: u64,
    pub column: u64,
    pub message: String,
}

/// A game with its variations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tree {
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub tags: BTreeMap<String, String>,
    pub start: String,
    pub variant: Variant,
    /// Comment before the first move.
    pub comment: Option<String>,
    pub line: Vec<TreeMove>,
}

/// A move of a tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeMove {
    #[serde(flatten)]
    pub mv: Move,
    pub comment: Option<String>,
    /// Numeric annotation glyphs: 1 !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?!
    pub nags: Vec<u8>,
    /// From the comment, if it has one.
    pub score: Option<Score>,
    /// From the comment, if it has one.
    pub clock: Option<u64>,
    /// Lines instead of this move.
    pub variations: Vec<Vec<TreeMove>>,
}

/// The games of a text as trees.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PgnReadAnswer {
    /// At most 50 of them.
    pub games: Vec<Tree>,
    pub errors: Vec<ImportError>,
}

/// `POST /pgn/write`; the answer is text.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct PgnWriteRequest {
    #[serde(default)]
    #[cfg_attr(test, ts(type = "Record<string, string>", optional))]
    pub tags: BTreeMap<String, String>,
    pub start: Option<String>,
    pub variant: Option<Variant>,
    #[cfg_attr(test, ts(optional = nullable))]
    pub comment: Option<String>,
    pub line: Vec<PgnWriteMove>,
}

/// A move to be written.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct PgnWriteMove {
    /// UCI or SAN.
    pub uci: String,
    #[cfg_attr(test, ts(optional = nullable))]
    pub comment: Option<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<u8>>", optional))]
    pub nags: Vec<u8>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<Vec<PgnWriteMove>>>", optional))]
    pub variations: Vec<Vec<PgnWriteMove>>,
}
