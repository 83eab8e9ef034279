//! Positions and moves.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A side.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Color {
    White,
    Black,
}

impl From<chess::Color> for Color {
    fn from(color: chess::Color) -> Self {
        match color {
            chess::Color::White => Self::White,
            chess::Color::Black => Self::Black,
        }
    }
}

impl From<Color> for chess::Color {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

/// Which rules of castling and which start positions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    #[default]
    Standard,
    Chess960,
}

impl From<chess::Variant> for Variant {
    fn from(variant: chess::Variant) -> Self {
        match variant {
            chess::Variant::Standard => Self::Standard,
            chess::Variant::Chess960 => Self::Chess960,
        }
    }
}

impl From<Variant> for chess::Variant {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Standard => Self::Standard,
            Variant::Chess960 => Self::Chess960,
        }
    }
}

/// A position and what can be done in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Position {
    pub fen: String,
    pub turn: Color,
    /// Legal moves, from square to target squares; none when the game is over. Castling has both the king's
    /// target and the rook.
    #[cfg_attr(test, ts(type = "Record<string, string[]>"))]
    pub dests: BTreeMap<String, Vec<String>>,
    /// Square of a king in check.
    pub check: Option<String>,
    /// The last move as the two squares to mark.
    pub last_move: Option<[String; 2]>,
    /// The end that the position itself brings, or the players.
    pub outcome: Option<Outcome>,
    /// A draw that the side to move may claim now.
    pub claimable: Option<Claim>,
    pub opening: Option<Opening>,
}

/// The rule by which a draw may be claimed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    Threefold,
    Fifty,
}

/// An opening that has a name.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opening {
    pub eco: String,
    pub name: String,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Outcome {
    /// Null for a draw, and for a game that was abandoned.
    pub winner: Option<Color>,
    pub result: GameResult,
    pub reason: Reason,
    /// A clause: "Black is checkmated".
    pub text: String,
}

/// A result as PGN writes it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
    #[serde(rename = "*")]
    Unfinished,
}

impl From<chess::GameResult> for GameResult {
    fn from(result: chess::GameResult) -> Self {
        match result {
            chess::GameResult::WhiteWins => Self::WhiteWins,
            chess::GameResult::BlackWins => Self::BlackWins,
            chess::GameResult::Draw => Self::Draw,
            chess::GameResult::Unfinished => Self::Unfinished,
        }
    }
}

/// Why a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Reason {
    #[serde(rename = "checkmate")]
    Checkmate,
    #[serde(rename = "stalemate")]
    Stalemate,
    #[serde(rename = "insufficient material")]
    InsufficientMaterial,
    #[serde(rename = "the fifty-move rule")]
    FiftyMoves,
    #[serde(rename = "the seventy-five-move rule")]
    SeventyFiveMoves,
    #[serde(rename = "threefold repetition")]
    ThreefoldRepetition,
    #[serde(rename = "fivefold repetition")]
    FivefoldRepetition,
    #[serde(rename = "agreement")]
    Agreement,
    #[serde(rename = "resignation")]
    Resignation,
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    #[serde(rename = "illegal move")]
    IllegalMove,
    #[serde(rename = "abandonment")]
    Abandoned,
    #[serde(rename = "adjudication")]
    Adjudication,
}

impl From<chess::Reason> for Reason {
    fn from(reason: chess::Reason) -> Self {
        match reason {
            chess::Reason::Checkmate => Self::Checkmate,
            chess::Reason::Stalemate => Self::Stalemate,
            chess::Reason::InsufficientMaterial => Self::InsufficientMaterial,
            chess::Reason::FiftyMoves => Self::FiftyMoves,
            chess::Reason::SeventyFiveMoves => Self::SeventyFiveMoves,
            chess::Reason::ThreefoldRepetition => Self::ThreefoldRepetition,
            chess::Reason::FivefoldRepetition => Self::FivefoldRepetition,
            chess::Reason::Agreement => Self::Agreement,
            chess::Reason::Resignation => Self::Resignation,
            chess::Reason::TimeForfeit => Self::TimeForfeit,
            chess::Reason::IllegalMove => Self::IllegalMove,
            chess::Reason::Abandoned => Self::Abandoned,
            chess::Reason::Adjudication => Self::Adjudication,
        }
    }
}

/// A move with what it leads to.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Move {
    pub uci: String,
    pub san: String,
    /// The position after it.
    pub fen: String,
    pub check: bool,
}

/// A move without the position it leads to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoveName {
    pub uci: String,
    pub san: String,
}

/// `POST /position` and `POST /explain`: a start and moves from there.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct PositionRequest {
    /// Default: the start position.
    pub fen: Option<String>,
    /// UCI or SAN.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub moves: Vec<String>,
    pub variant: Option<Variant>,
}

/// What is to be said of a position and the moves that led to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PositionAnswer {
    pub start: String,
    /// What had to be repaired of the start.
    pub warnings: Vec<String>,
    pub variant: Variant,
    pub moves: Vec<Move>,
    /// After the last move.
    pub position: Position,
}
