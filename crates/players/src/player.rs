//! What takes part in a game.

use crate::clock::ClockFace;
use crate::limits::Limit;
use chess::pgn::EvalScore;
use chess::{Game, Move, Variant};
use engine::Limits;
use std::time::Duration;

/// A player: an engine in this process, another program, or anything else that chooses moves.
pub trait Player: Send {
    /// What it is called.
    fn name(&self) -> &str;

    /// Gets ready for a game of this variant, forgetting those before.
    ///
    /// # Errors
    /// When the player is gone, or cannot play the variant.
    fn new_game(&mut self, variant: Variant) -> Result<(), Failure>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When no legal move comes back in time.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure>;

    /// Learns how the game has ended.
    fn game_over(&mut self, _game: &Game) {}

    /// What has been said between the player and the arena, as far as it is kept.
    fn dialogue(&self) -> String {
        String::new()
    }
}

/// A player's turn.
#[derive(Copy, Clone, Debug)]
pub struct Turn<'a> {
    /// The game so far; its position is the one to think about.
    pub game: &'a Game,
    /// What the player may use.
    pub limit: Limit,
    /// The clocks of White and Black, of those who have one.
    pub clocks: [Option<ClockFace>; 2],
    /// A player that takes longer counts as hanging.
    pub patience: Duration,
}

impl Turn<'_> {
    /// The clock of the side to move, if it has one.
    #[must_use]
    pub fn own_clock(&self) -> Option<ClockFace> {
        self.clocks[self.game.position().turn().index()]
    }

    /// The limits of the search when Gardez plays.
    #[must_use]
    pub fn search_limits(&self) -> Limits {
        let to_ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let clock = |face: ClockFace| engine::Clock {
            left_ms: to_ms(face.left),
            increment_ms: to_ms(face.increment),
        };
        Limits {
            clocks: self.clocks.map(|face| face.map(clock)),
            moves_to_go: self.own_clock().and_then(|face| face.moves_to_go),
            move_time: self.limit.move_time,
            depth: self.limit.depth.map(|depth| i32::try_from(depth).unwrap_or(i32::MAX)),
            nodes: self.limit.nodes,
            ..Limits::default()
        }
    }
}

/// What a player answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The decision.
    pub decision: Decision,
    /// What it thought.
    pub thought: Thought,
    /// How long it took, as the arena measured it.
    pub elapsed: Duration,
    /// What a classic chose, with the statistics of its search.
    pub classic: Option<classics::Choice>,
}

/// A player's decision.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A legal move.
    Move(Move),
    /// It gives up.
    Resign,
}

/// What a player reports about its last search.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Thought {
    /// How it judges the position, from its own view.
    pub score: Option<EvalScore>,
    /// Full plies searched.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// The time it says it used.
    pub time: Option<Duration>,
}

/// Why a player gave no legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Failure {
    #[error("cannot be started: {0}")]
    Start(String),
    #[error("has not answered for {} ms", .0.as_millis())]
    Hang(Duration),
    #[error("has ended: {0}")]
    Crash(String),
    #[error("played an illegal move: {0}")]
    IllegalMove(String),
    #[error("made a false claim: {0}")]
    FalseClaim(String),
    #[error("cannot play this: {0}")]
    Unable(String),
    #[error("was interrupted")]
    Interrupted,
}
