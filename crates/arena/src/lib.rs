//! Games between engines.
//!
//! A [`players::Player`] chooses moves; `game_runner` plays one game between two of them, watched by the
//! rules of the crate `chess`; `tournament` plays all games of a `schedule`, several at a time; `stats`
//! tells what the results mean.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod ablation;
pub mod calibration;
pub mod game_runner;
pub mod openings;
pub mod plan;
pub mod record;
pub mod report;
pub mod schedule;
pub mod session;
pub mod spsa;
pub mod standings;
pub mod stats;
pub mod suite;
pub mod tournament;
