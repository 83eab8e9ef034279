//! What goes over the wire. `web/src/api.ts` is the same for the page, `docs/api.md` tells what it means.

use crate::error::Error;
use chess::{Color, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the API, which is part of its paths.
pub const API_VERSION: u32 = 1;

/// A side.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// Which chess.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VariantName {
    #[default]
    Standard,
    Chess960,
}

impl From<Variant> for VariantName {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Standard => Self::Standard,
            Variant::Chess960 => Self::Chess960,
        }
    }
}

impl From<VariantName> for Variant {
    fn from(name: VariantName) -> Self {
        match name {
            VariantName::Standard => Self::Standard,
            VariantName::Chess960 => Self::Chess960,
        }
    }
}

/// Which sides a visitor plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum You {
    White,
    Black,
    Both,
}

impl You {
    /// Whether the visitor moves these pieces.
    #[must_use]
    pub fn plays(self, color: Color) -> bool {
        match self {
            Self::White => color == Color::White,
            Self::Black => color == Color::Black,
            Self::Both => true,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    pub name: &'static str,
    pub version: &'static str,
    pub api: u32,
    pub exposed: bool,
    pub password: bool,
    pub authorised: bool,
    pub levels: Vec<LevelInfo>,
    pub classics: Vec<ClassicInfo>,
    pub max_lines: usize,
    pub max_pgn_bytes: usize,
    pub openings: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct LevelInfo {
    pub id: String,
    pub name: String,
    pub elo: Option<i32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ClassicInfo {
    pub id: &'static str,
    pub name: String,
    pub description: String,
}

/// A position and what can be done in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PositionState {
    pub fen: String,
    pub turn: Side,
    pub dests: BTreeMap<String, Vec<String>>,
    pub check: Option<String>,
    pub last_move: Option<[String; 2]>,
    pub outcome: Option<OutcomeState>,
    pub claimable: Option<&'static str>,
    pub opening: Option<Opening>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opening {
    pub eco: String,
    pub name: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OutcomeState {
    pub winner: Option<Side>,
    pub result: &'static str,
    pub reason: String,
    pub text: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveState {
    pub uci: String,
    pub san: String,
    pub fen: String,
    pub check: bool,
}

/// A move without the position it leads to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveName {
    pub uci: String,
    pub san: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct PositionRequest {
    pub fen: Option<String>,
    #[serde(default)]
    pub moves: Vec<String>,
    pub variant: Option<VariantName>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PositionAnswer {
    pub start: String,
    pub variant: VariantName,
    pub moves: Vec<MoveState>,
    pub position: PositionState,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    pub white: Seat,
    pub black: Seat,
    pub clock: Option<ClockSetting>,
    #[serde(default)]
    pub variant: VariantName,
    pub chess960: Option<u16>,
    pub fen: Option<String>,
    #[serde(default)]
    pub moves: Vec<String>,
    #[serde(default)]
    pub human_pace: bool,
    pub seed: Option<u64>,
}

/// Milliseconds.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockSetting {
    pub initial: u64,
    pub increment: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Seat {
    You { name: Option<String> },
    Friend { name: Option<String> },
    Level { level: String },
    Classic { classic: String },
}

/// What kind of game it is, by who plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    Engine,
    Friend,
    Local,
    Engines,
    Imported,
}

impl GameKind {
    /// As it is written in messages and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Friend => "friend",
            Self::Local => "local",
            Self::Engines => "engines",
            Self::Imported => "imported",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerState {
    pub kind: &'static str,
    pub name: String,
    pub id: Option<String>,
    pub elo: Option<i32>,
    pub present: bool,
    pub seated: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayedMove {
    #[serde(flatten)]
    pub mv: MoveState,
    pub clock: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClockState {
    pub initial: u64,
    pub increment: u64,
    pub white: u64,
    pub black: u64,
    pub running: Option<Side>,
    pub at: i64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    pub id: String,
    pub revision: i64,
    pub kind: GameKind,
    pub variant: VariantName,
    pub created: i64,
    pub updated: i64,
    pub start: String,
    pub white: PlayerState,
    pub black: PlayerState,
    pub you: Option<You>,
    pub moves: Vec<PlayedMove>,
    pub position: PositionState,
    pub clock: Option<ClockState>,
    pub outcome: Option<OutcomeState>,
    pub thinking: Option<Side>,
    pub paused: bool,
    pub offers: Offers,
    pub can_takeback: bool,
    pub next: Option<String>,
    pub links: Option<Links>,
    pub spectators: usize,
    pub reviewed: bool,
    pub tags: BTreeMap<String, String>,
}

/// Who waits for an answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Offers {
    pub draw: Option<Side>,
    pub takeback: Option<Side>,
    pub rematch: Option<Side>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Links {
    pub invite: Option<String>,
    pub watch: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    pub id: String,
    pub kind: GameKind,
    pub variant: VariantName,
    pub created: i64,
    pub updated: i64,
    pub white: String,
    pub black: String,
    pub you: Option<You>,
    pub plies: i64,
    pub result: &'static str,
    pub outcome: Option<OutcomeState>,
    pub opening: Option<Opening>,
    pub fen: String,
    pub reviewed: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct GamesQuery {
    pub status: Option<Status>,
    pub kind: Option<GameKind>,
    pub result: Option<ResultFilter>,
    pub text: Option<String>,
    pub before: Option<String>,
    pub limit: Option<usize>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Running,
    Finished,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultFilter {
    Won,
    Lost,
    Drawn,
}

#[derive(Clone, Debug, Serialize)]
pub struct GamesAnswer {
    pub games: Vec<GameSummary>,
    pub next: Option<String>,
    pub total: i64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct PgnText {
    pub pgn: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct ImportAnswer {
    pub games: Vec<GameSummary>,
    pub errors: Vec<PgnFault>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PgnFault {
    pub game: u64,
    pub line: u64,
    pub column: u64,
    pub message: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Tree {
    pub tags: BTreeMap<String, String>,
    pub start: String,
    pub variant: VariantName,
    pub comment: Option<String>,
    pub line: Vec<TreeMove>,
}

#[derive(Clone, Debug, Serialize)]
pub struct TreeMove {
    #[serde(flatten)]
    pub mv: MoveState,
    pub comment: Option<String>,
    pub nags: Vec<u8>,
    pub score: Option<Score>,
    pub clock: Option<u64>,
    pub variations: Vec<Vec<TreeMove>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PgnReadAnswer {
    pub games: Vec<Tree>,
    pub errors: Vec<PgnFault>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct PgnWriteRequest {
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    pub start: Option<String>,
    pub variant: Option<VariantName>,
    pub comment: Option<String>,
    pub line: Vec<PgnWriteMove>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct PgnWriteMove {
    pub uci: String,
    pub comment: Option<String>,
    #[serde(default)]
    pub nags: Vec<u8>,
    #[serde(default)]
    pub variations: Vec<Vec<PgnWriteMove>>,
}

/// White's view.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    Cp(i32),
    Mate(i32),
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    pub rank: usize,
    pub depth: i32,
    pub score: Score,
    pub wdl: [u32; 3],
    pub bound: &'static str,
    pub moves: Vec<MoveName>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Analysis {
    pub fen: String,
    pub lines: Vec<Line>,
    pub depth: i32,
    pub nodes: u64,
    pub nps: u64,
    pub time: u64,
    pub threat: Option<Line>,
    pub done: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct AnalyseRequest {
    #[serde(flatten)]
    pub position: PositionRequest,
    pub lines: Option<usize>,
    #[serde(default)]
    pub threat: bool,
    pub depth: Option<i32>,
    pub nodes: Option<u64>,
    pub time: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    pub total: i32,
    pub phase: f64,
    pub groups: Vec<ExplainedGroup>,
    pub items: Vec<ExplainedItem>,
    pub pieces: Vec<ExplainedPiece>,
    pub sentences: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExplainedGroup {
    pub name: &'static str,
    pub white: i32,
    pub black: i32,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExplainedItem {
    pub color: Side,
    pub group: &'static str,
    pub text: String,
    pub value: i32,
    pub squares: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExplainedPiece {
    pub square: String,
    pub piece: String,
    pub value: i32,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReviewMove {
    pub ply: usize,
    pub uci: String,
    pub san: String,
    pub score: Score,
    pub win: f64,
    pub loss: f64,
    pub accuracy: f64,
    pub judgement: Option<Judgement>,
    pub better: Option<Better>,
    pub comment: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Better {
    pub score: Score,
    pub win: f64,
    pub moves: Vec<MoveName>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SideReport {
    pub accuracy: Option<f64>,
    pub average_loss: Option<f64>,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    pub game: String,
    pub by: String,
    pub start_score: Score,
    pub start_win: f64,
    pub turning_point: Option<usize>,
    pub moves: Vec<ReviewMove>,
    pub white: SideReport,
    pub black: SideReport,
}

/// How thorough a review is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    Quick,
    #[default]
    Normal,
    Deep,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExercisesAnswer {
    pub exercises: Vec<Exercise>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Exercise {
    pub game: String,
    pub ply: usize,
    pub white: String,
    pub black: String,
    pub judgement: Judgement,
    pub played: MoveName,
    pub position: PositionState,
    pub variant: VariantName,
    pub solved: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct ExerciseAttempt {
    pub game: String,
    pub ply: usize,
    pub r#move: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct ExerciseVerdict {
    pub verdict: &'static str,
    pub score: Score,
    pub solution: Option<Vec<MoveName>>,
}

/// A message of the page.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    pub id: u64,
    #[serde(flatten)]
    pub command: Command,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Command {
    Watch { game: String },
    Unwatch { game: String },
    Move { game: String, ply: usize, r#move: String },
    Takeback { game: String },
    Draw { game: String },
    Claim { game: String },
    Resign { game: String, color: Option<Side> },
    Rematch { game: String },
    Answer { game: String, to: Offer, accept: bool },
    Hint { game: String },
    Pause { game: String, paused: bool },
    Analyse(AnalyseRequest),
    Stop,
    Review { game: String, effort: Option<Effort> },
    Cancel { game: String },
    Ping,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Offer {
    Draw,
    Takeback,
    Rematch,
}

/// A message of the server.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    Hello { version: &'static str, api: u32 },
    Ok,
    Error { error: Error },
    Game { game: Box<GameState> },
    Hint { uci: String, san: String, score: Score, line: Vec<MoveName> },
    Analysis { analysis: Analysis },
    Reviewing { game: String, done: usize, total: usize },
    Review { review: Box<Review> },
    Pong,
    Declined { game: String, offer: Offer },
    Gone { game: String },
    Bye,
}

/// A message of the server and the request it answers.
#[derive(Clone, Debug, Serialize)]
pub struct Envelope {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub re: Option<u64>,
    #[serde(flatten)]
    pub message: Message,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_documented_shape() {
        let request: Request =
            serde_json::from_str(r#"{"id": 7, "type": "move", "game": "x", "ply": 0, "move": "e2e4"}"#)
                .expect("a request");
        assert_eq!(request.id, 7);
        assert!(matches!(request.command, Command::Move { ply: 0, r#move, .. } if r#move == "e2e4"));
        let text = r#"{"id": 1, "type": "analyse", "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "lines": 3}"#;
        let request: Request = serde_json::from_str(text).expect("a request");
        assert!(matches!(request.command, Command::Analyse(AnalyseRequest { lines: Some(3), .. })));
        let envelope = Envelope { re: Some(7), message: Message::Ok };
        assert_eq!(serde_json::to_string(&envelope).expect("JSON"), r#"{"re":7,"type":"ok"}"#);
        let bye = Envelope { re: None, message: Message::Bye };
        assert_eq!(serde_json::to_string(&bye).expect("JSON"), r#"{"type":"bye"}"#);
        assert_eq!(serde_json::to_string(&Score::Mate(-2)).expect("JSON"), r#"{"mate":-2}"#);
    }
}
