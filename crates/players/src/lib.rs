//! Whatever can play a side of a game.
//!
//! A [`Player`] is asked for a move in each [`Turn`]. A [`Spec`] says in one line which player is meant: Gardez in
//! this process, a UCI or XBoard engine in another one, a classic, or one of the simplest movers. [`Limit`] and
//! [`Clock`] say what a player may use, and the [`Adjudicator`] ends games whose result is clear.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod adjudication;
mod against_people;
mod child;
mod classic;
mod clock;
mod inprocess;
mod limits;
mod mover;
mod player;
mod spec;
mod uci;
mod xboard;

pub use adjudication::{Adjudicator, DrawRule, ResignRule, Rules};
pub use against_people::{DEFAULT_OPPONENT, set_against_people};
pub use child::Program;
pub use classic::{ClassicPlayer, time_for_classic};
pub use clock::{Clock, ClockFace, FREE_PLIES, FlagFallen};
pub use inprocess::{InProcessPlayer, thought_of};
pub use limits::{ClockError, Limit, LimitError, TimeControl};
pub use mover::{Mover, Style};
pub use player::{Answer, Decision, Failure, Player, Thought, Turn};
pub use spec::{Kind, Spec, SpecError};
pub use uci::UciPlayer;
pub use xboard::XboardPlayer;
