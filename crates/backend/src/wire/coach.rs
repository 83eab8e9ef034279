//! What the coach says.

use super::position::{Color, MoveName};
use super::review::Judgement;
use serde::{Deserialize, Serialize};

/// A sentence of the coach, and what is behind it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Remark {
    pub text: String,
    /// Squares of the position that it is about.
    pub squares: Vec<String>,
    /// The line that shows it, to be played through.
    pub line: Option<RemarkLine>,
    /// The claim that the sentence was made from: its `occasion`, its `kind`, and what that kind has.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub claim: serde_json::Value,
}

/// A line that shows what a remark says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RemarkLine {
    /// Where it begins. A threat begins in a position in which the side to move has passed.
    pub fen: String,
    pub moves: Vec<MoveName>,
}

/// `POST /explain`: why a position is as it is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The move that led to the position; null if the request has none.
    pub last_move: Option<ExplainedMove>,
    /// The position itself, the most important first.
    pub position: Vec<Remark>,
    /// What the side that has moved threatens.
    pub threat: Option<Remark>,
    /// The static evaluation in parts, for those who want to know how the engine counts.
    pub terms: Terms,
}

/// Why a move was good or bad.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainedMove {
    pub uci: String,
    pub san: String,
    pub judgement: Option<Judgement>,
    /// In a sentence, for example "Nf6 is a blunder."
    pub verdict: String,
    /// Why, the most important first.
    pub remarks: Vec<Remark>,
}

/// The static evaluation in parts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Terms {
    /// Centipawns, White's view.
    pub total: i32,
    /// 0 (end game) to 1 (all pieces there).
    pub phase: f64,
    /// Sums of terms by subject.
    pub groups: Vec<TermGroup>,
    /// Single terms, the weightiest first.
    pub items: Vec<TermItem>,
    /// The value of each piece here, to its side.
    pub pieces: Vec<PieceValue>,
}

/// What a group of terms gives each side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermGroup {
    pub name: &'static str,
    pub white: i32,
    pub black: i32,
}

/// One term.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermItem {
    pub color: Color,
    pub group: &'static str,
    pub text: String,
    pub value: i32,
    pub squares: Vec<String>,
}

/// The value of a piece where it stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PieceValue {
    pub square: String,
    pub piece: String,
    pub value: i32,
}
