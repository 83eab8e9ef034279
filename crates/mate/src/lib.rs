//! Proves the shortest mate of a position.
//!
//! Distance by distance, every move of the attacker is tried against every reply, so a mate found is the
//! shortest there is and a mate not found does not exist. Nothing is pruned but what the rules exclude;
//! the speed comes from trying the likely moves first and from remembering what is settled.
//!
//! Draws by the fifty-move rule count: a mate that would come after the other side may claim one is no
//! mate. Repetitions need no care, because the shortest way to mate never comes back to a position. The
//! game before the position is not looked at.
//!
//! ```
//! use chess::Position;
//! use mate::{Limits, MateResult};
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?;
//! let MateResult::Mate { moves, line, .. } = mate::solve(&position, 3, Limits::default()) else {
//!     panic!("there is a mate");
//! };
//! assert_eq!(moves, 1);
//! assert_eq!(position.san(line[0]).to_string(), "Ra8#");
//! # Ok::<(), chess::FenError>(())
//! ```

#![forbid(unsafe_code)]

mod limits;
mod line;
mod search;
mod table;

pub use limits::{Limits, Progress};

use chess::{Move, Position};
use search::Search;

/// The longest mate that can be asked for. Nothing near it is ever reached but in positions with next to
/// no moves; it bounds the recursion.
pub const MAX_MOVES: u32 = 100;

/// What a mate search has found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateResult {
    /// There is a mate, and no shorter one.
    Mate {
        /// The moves the mating side needs.
        moves: u32,
        /// The mate against a defence that lasts as long as can be. When the search was stopped after the
        /// proof, the line may end early.
        line: Vec<Move>,
        /// Positions looked at.
        nodes: u64,
    },
    /// There is no mate in `up_to` moves or fewer.
    NoMate {
        /// The number asked for, [`MAX_MOVES`] at most.
        up_to: u32,
        /// Positions looked at.
        nodes: u64,
    },
    /// The search was stopped or ran out of nodes.
    Stopped {
        /// Before that it had excluded every mate up to this number of moves.
        proved_none_up_to: u32,
        /// Positions looked at.
        nodes: u64,
    },
}

/// Looks for the shortest way in which the side to move mates in at most `max_moves` moves.
#[must_use]
pub fn solve(position: &Position, max_moves: u32, limits: Limits<'_>) -> MateResult {
    Search::new(position.turn(), limits).shortest_mate(position, max_moves.min(MAX_MOVES))
}

/// Looks for the number of moves in which the side to move is mated, whatever it plays, if they are at
/// most `max_moves` of the other side. A position that is mate already is one in 0 moves.
#[must_use]
pub fn solve_mated(position: &Position, max_moves: u32, limits: Limits<'_>) -> MateResult {
    Search::new(!position.turn(), limits).shortest_defeat(position, max_moves.min(MAX_MOVES))
}
