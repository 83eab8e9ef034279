//! What the engine says of a position.

use super::position::{MoveName, PositionRequest};
use serde::{Deserialize, Serialize};

/// White's view. `mate: 3`: White mates in three; `mate: -2`: Black mates in two. On the board already:
/// `mate: 0`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Score {
    Cp(i32),
    Mate(i32),
}

/// White's chances to win, draw and lose, in thousandths.
pub type Wdl = [u32; 3];

/// A line of play.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// 1 for the best.
    pub rank: usize,
    pub depth: i32,
    pub score: Score,
    /// White's chances to win, draw and lose, in thousandths.
    pub wdl: Wdl,
    /// "at least" or "at most" while an iteration is under way. From White's view.
    pub bound: Bound,
    /// At least one, unless the game is over.
    pub moves: Vec<MoveName>,
}

/// Whether a score is exact.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Analysis {
    pub fen: String,
    pub lines: Vec<Line>,
    pub depth: i32,
    pub nodes: u64,
    pub nps: u64,
    pub time: u64,
    /// What the opponent would do if it were their turn; null when not asked for, or in check.
    pub threat: Option<Line>,
    pub done: bool,
}

/// `POST /analyse`, and in the message `analyse`. Without an end the analysis over the WebSocket runs until it
/// is stopped (at most ten minutes), and over HTTP for a second.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct AnalyseRequest {
    #[serde(flatten)]
    pub position: PositionRequest,
    /// 1 to 5, default 1.
    pub lines: Option<usize>,
    /// Also show the threat.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub threat: bool,
    /// An end: this depth.
    pub depth: Option<i32>,
    /// An end: this many nodes.
    pub nodes: Option<u64>,
    /// An end: milliseconds, at most 30000 over HTTP.
    pub time: Option<u64>,
}
