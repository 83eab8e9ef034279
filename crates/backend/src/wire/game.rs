//! Games: how they begin, how they stand, and the list of them.

use super::position::{Color, GameResult, Move, Opening, Outcome, Position, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `POST /games`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    pub white: Seat,
    pub black: Seat,
    #[cfg_attr(test, ts(optional = nullable))]
    pub clock: Option<TimeControl>,
    /// Default: standard.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Variant>", optional))]
    pub variant: Variant,
    /// Start position of Chess960, 0 to 959; without it one is drawn. Only with `variant: "chess960"`.
    pub chess960: Option<u16>,
    /// Any legal position. Not together with `chess960`.
    pub fen: Option<String>,
    /// Moves already played from there, for "play from here".
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub moves: Vec<String>,
    /// Whether engine opponents take about as long as a person would. Default: false.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub human_pace: bool,
    /// Makes levels repeatable: the same seed and moves give the same answers.
    pub seed: Option<u64>,
}

/// Who plays. `you` twice: two people at one board. `level`/`classic` twice: engine against engine. `friend`:
/// whoever opens the invitation.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Seat {
    You { name: Option<String> },
    Friend { name: Option<String> },
    Level { level: String },
    Classic { classic: String },
}

/// The time for all moves and what each move adds, in milliseconds.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TimeControl {
    pub initial: u64,
    pub increment: u64,
}

/// What kind of game it is, by who plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    Engine,
    Friend,
    Local,
    Engines,
    Imported,
}

/// Which sides the visitor plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum You {
    White,
    Black,
    Both,
}

/// A player of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Player {
    pub kind: PlayerKind,
    pub name: String,
    /// The id of the level or classic.
    pub id: Option<String>,
    pub elo: Option<i32>,
    /// Engines are always present; a person while a page of theirs shows the game.
    pub present: bool,
    /// False while an invitation waits to be taken.
    pub seated: bool,
}

/// What kind of player it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PlayerKind {
    Person,
    Level,
    Classic,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedMove {
    #[serde(flatten)]
    pub mv: Move,
    /// What its player had left after it; null without a clock.
    pub clock: Option<u64>,
}

/// The clocks of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Clock {
    pub initial: u64,
    pub increment: u64,
    /// Left at `at`. The running one counts down from there.
    pub white: u64,
    pub black: u64,
    pub running: Option<Color>,
    /// The server's time of this state. Count from when the message came, not from this.
    pub at: i64,
}

/// How a game stands, as one visitor sees it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    pub id: String,
    /// Grows with every change: an older state that comes late can be dropped.
    pub revision: i64,
    pub kind: GameKind,
    pub variant: Variant,
    pub created: i64,
    pub updated: i64,
    pub start: String,
    pub white: Player,
    pub black: Player,
    /// Which side this visitor plays; null when only watching.
    pub you: Option<You>,
    pub moves: Vec<PlayedMove>,
    pub position: Position,
    pub clock: Option<Clock>,
    pub outcome: Option<Outcome>,
    /// Which engine is at work.
    pub thinking: Option<Color>,
    /// What the last search of a classic did, as a table to print in letters of one width.
    pub search: Option<String>,
    /// Engine against engine, stopped by `pause`.
    pub paused: bool,
    pub offers: Offers,
    /// Whether `takeback` can be asked for by this visitor.
    pub can_takeback: bool,
    /// The game that followed by rematch.
    pub next: Option<String>,
    /// For the players.
    pub links: Option<Links>,
    pub spectators: usize,
    pub reviewed: bool,
    /// PGN tags of an imported game.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub tags: BTreeMap<String, String>,
}

/// Who waits for an answer; the other side sends `answer`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Offers {
    pub draw: Option<Color>,
    pub takeback: Option<Color>,
    pub rematch: Option<Color>,
}

/// What can be offered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Offer {
    Draw,
    Takeback,
    Rematch,
}

/// Paths of links: `invite` while a seat is free. Put `location.origin` in front.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Links {
    pub invite: Option<String>,
    pub watch: String,
}

/// `POST /links/{token}`: who comes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Guest {
    /// For the free seat; without it the name that the host gave stays.
    pub name: Option<String>,
}

/// The answer: the free seat is taken, or the game watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkAnswer {
    pub game: GameState,
}

/// A game of the list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary {
    pub id: String,
    pub kind: GameKind,
    pub variant: Variant,
    pub created: i64,
    pub updated: i64,
    pub white: String,
    pub black: String,
    pub you: Option<You>,
    pub plies: usize,
    pub result: GameResult,
    /// Null while the game is being played.
    pub outcome: Option<Outcome>,
    pub opening: Option<Opening>,
    /// The position it stands at, for a small board.
    pub fen: String,
    pub reviewed: bool,
}

/// `GET /games` and `GET /games.pgn`, as query.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct GamesQuery {
    pub status: Option<Status>,
    pub kind: Option<GameKind>,
    /// From the visitor's side.
    pub result: Option<ResultFilter>,
    /// In names and openings.
    pub text: Option<String>,
    /// `next` of the page before: games older than this.
    pub before: Option<String>,
    /// Default 50, at most 200.
    pub limit: Option<usize>,
}

/// Whether a game is over.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Running,
    Finished,
}

/// The result for the visitor.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ResultFilter {
    Won,
    Lost,
    Drawn,
}

/// A page of the list of games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GamesAnswer {
    pub games: Vec<GameSummary>,
    /// `before` of the next page; null on the last.
    pub next: Option<String>,
    /// On all pages.
    pub total: usize,
}
