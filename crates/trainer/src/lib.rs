//! Learning from games.
//!
//! [`Samples`] holds positions as counts of weights, [`tune()`] finds the weights under which the evaluation
//! tells best how games end. [`network`] trains the network. Nothing here searches. With the same seed the result is the same whatever the
//! number of threads: work is cut into pieces of fixed size, and what they give is added up in order.

#![forbid(unsafe_code)]

mod adam;
mod centre;
mod chances;
mod loss;
pub mod network;
mod parallel;
mod samples;
mod scale;
mod tune;

pub use chances::{Chances, Outcomes};
pub use loss::{Problem, probability};
pub use samples::{Samples, TrainerError};
pub use scale::fit_scale;
pub use tune::{Epoch, TuneSettings, Tuned, start_weights, tune};

/// A weight in real numbers: middle game and end game.
pub type Weight = [f32; 2];
