//! What a search reports while it runs and when it ends.

use crate::score::Score;
use chess::Move;
use std::sync::Arc;
use std::time::Duration;

/// Whether a score is exact or only a limit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The search found this score.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of play and what the search thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// 1 for the best line, 2 for the second best first move, and so on.
    pub rank: usize,
    /// Full plies searched.
    pub depth: i32,
    /// The longest line looked at.
    pub selective_depth: usize,
    /// For the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Legal moves from the root; at least one unless the game is over.
    pub moves: Vec<Move>,
}

/// What the search has used so far.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Usage {
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hash_full: u32,
    /// Positions answered by tablebases.
    pub tablebase_hits: u64,
}

impl Usage {
    /// Nodes a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
    }
}

/// The end of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// The move to play; none if the game is over.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// The last complete line, best first; several with `MultiPV`.
    pub lines: Vec<Line>,
    /// What it used.
    pub usage: Usage,
}

/// What the engine reports.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Something to know, in words.
    Note(String),
    /// The best lines after an iteration, or a first bound within one. With `MultiPV` all lines together.
    Lines(Vec<Line>, Usage),
    /// The first move being searched now, and its number from 1; only in long searches.
    CurrentMove {
        /// The depth of the iteration.
        depth: i32,
        /// The move.
        mv: Move,
        /// Its number in the order of search.
        number: usize,
    },
    /// The search has ended.
    Finished(Outcome),
    /// The search has failed: there is no result. The engine can search again.
    Failed(SearchError),
}

impl Event {
    pub(crate) fn of_result(result: Result<Outcome, SearchError>) -> Self {
        match result {
            Ok(outcome) => Self::Finished(outcome),
            Err(error) => Self::Failed(error),
        }
    }

    /// Whether it is the last event of a search.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed(_))
    }
}

/// Why a search has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// Something in the search is broken.
    #[error("the search failed: {0}")]
    Panic(String),
    /// The system refused a thread.
    #[error("cannot start a thread to search with: {0}")]
    NoThread(String),
    /// A thread has ended that should not.
    #[error("a thread of the search has ended")]
    ThreadGone,
}

/// Receives events on the thread that searches. It should return soon.
pub type Sink = Arc<dyn Fn(Event) + Send + Sync>;
