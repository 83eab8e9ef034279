//! Games between engines.
//!
//! A [`player::Player`] chooses moves; `game_runner` plays one game between two of them, watched by the
//! rules of the crate `chess`; `tournament` plays all games of a `schedule`, several at a time; `stats`
//! tells what the results mean.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod calibration;
pub mod child;
pub mod classic;
pub mod game_runner;
pub mod inprocess;
pub mod limits;
pub mod mover;
pub mod openings;
pub mod plan;
pub mod player;
pub mod record;
pub mod report;
pub mod schedule;
pub mod session;
pub mod spec;
pub mod spsa;
pub mod standings;
pub mod state;
pub mod stats;
pub mod suite;
pub mod tournament;
pub mod uci;
pub mod worth;
pub mod xboard;
