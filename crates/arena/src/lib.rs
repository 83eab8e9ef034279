//! Games between engines.
//!
//! A [`players::Player`] chooses moves; `game_runner` plays one game between two of them, watched by the
//! rules of the crate `chess`; `tournament` plays all games of a `schedule`, several at a time; `stats`
//! says what the results mean. `plan` describes a tournament, `session` runs one with its files, and `report`
//! shows the results.
//!
//! A short match:
//!
//! ```
//! use arena::plan::{Plan, PlannedPlayer};
//! use arena::standings::Standings;
//! use arena::tournament::End;
//! use engine::StopToken;
//! use std::convert::Infallible;
//!
//! let plan = Plan {
//!     players: ["random:seed=1", "greedy:seed=2"].map(PlannedPlayer::from_spec).into(),
//!     games: Some(2),
//!     max_moves: Some(20),
//!     ..Plan::default()
//! };
//! let stop = StopToken::new();
//! let tournament = plan.prepare(&stop)?;
//! let mut standings = Standings::default();
//! let end = tournament.run(&mut standings, &stop, |_finished| Ok::<(), Infallible>(()));
//! assert_eq!(end, Ok(End::Complete));
//! assert_eq!(standings.encounter(0, 1).tally.games(), 2);
//! # Ok::<(), arena::plan::PlanError>(())
//! ```

#![forbid(unsafe_code)]

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
