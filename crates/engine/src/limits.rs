//! What ends a search.

use crate::sampler::PositionSampler;
use crate::stop::StopToken;
use chess::{Color, Move};
use std::time::Duration;

/// One side's clock.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left, in milliseconds. May be negative: some interfaces say so when the flag has fallen.
    pub left_ms: i64,
    /// Added after every move.
    pub increment_ms: i64,
}

/// What a search may use and when it has to end. Whatever is absent does not limit it; with nothing at all
/// it lasts until it is stopped or has searched every depth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The clocks of White and Black.
    pub clocks: [Option<Clock>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// To this depth.
    pub depth: Option<i32>,
    /// This many nodes, all threads together.
    pub nodes: Option<u64>,
    /// This many nodes, but the iteration under way is finished if it can be (for self-play).
    pub soft_nodes: Option<u64>,
    /// Prove a mate in this many moves; negative: that the side to move is mated in as many.
    pub mate: Option<i32>,
    /// Until stopped, even if the search has nothing left to do.
    pub infinite: bool,
    /// Think on the opponent's time: like `infinite` until [`Engine::ponder_hit`](crate::Engine::ponder_hit).
    pub ponder: bool,
    /// Only these first moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Until this token is stopped.
    pub stop: Option<StopToken>,
    /// Not a limit: what collects positions that the search evaluates.
    pub sampler: Option<PositionSampler>,
}

impl Limits {
    /// Just a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Just a depth.
    #[must_use]
    pub fn depth(depth: i32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Just a time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// The same, and no longer than until the token is stopped.
    ///
    /// ```
    /// # use engine::{Limits, StopToken};
    /// let stop = StopToken::new();
    /// let limits = Limits::depth(20).until(&stop);
    /// assert_eq!(limits.stop, Some(stop));
    /// ```
    #[must_use]
    pub fn until(self, stop: &StopToken) -> Self {
        Self { stop: Some(stop.clone()), ..self }
    }

    /// The clock of one side.
    #[must_use]
    pub const fn clock(&self, color: Color) -> Option<Clock> {
        self.clocks[color.index()]
    }
}
