//! The engine against itself, to make games to learn from.
//!
//! Game *i* of a seed depends on nothing but the seed, *i* and the settings: openings are drawn from a stream
//! of random numbers of its own, and the engine forgets everything between games. So the games are the same
//! whatever the number of threads, and can be made in several runs.
//!
//! # Examples
//! ```
//! use selfplay::{SelfPlayError, Settings, generate};
//! use std::sync::atomic::AtomicBool;
//!
//! let settings = Settings { nodes: 20, hash: 1, ..Settings::default() };
//! generate(&settings, 0..2, 1, &AtomicBool::new(false), |number, played| {
//!     println!("game {number}: {} moves", played.game.moves().len());
//!     Ok::<_, SelfPlayError>(())
//! })?;
//! # Ok::<(), SelfPlayError>(())
//! ```

#![forbid(unsafe_code)]

mod generate;
mod opening;
mod player;

pub use generate::{generate, rescore};
pub use opening::random_moves;
pub use player::{Played, Player, SelfPlayError, Settings};
