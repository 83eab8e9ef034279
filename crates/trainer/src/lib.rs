//! Learning from games.
//!
//! [`Samples`] holds positions as counts of weights, [`tune()`] finds the weights under which the evaluation
//! best predicts how games end. [`network`] trains the network. Nothing here searches. With the same seed the result
//! is the same whatever the number of threads: work is cut into pieces of fixed size, and what they give is added up in
//! order.

#![forbid(unsafe_code)]

mod adam;
mod centre;
mod chances;
mod loss;
pub mod network;
mod samples;
mod scale;
mod tune;

pub use chances::{Chances, Outcomes};
pub use loss::{Problem, probability};
pub use samples::{Samples, TrainerError};
pub use tune::{Epoch, TuneSettings, Tuned, start_weights, tune};

use chess::random::Random;

/// Does some learning on this many threads. Without it, all processors work.
///
/// # Errors
/// When the system has no more threads.
pub fn with_threads<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
    Ok(pool.install(work))
}

/// Games that are taken apart at a time.
const GAMES_AT_A_TIME: usize = 512;

/// One game in this many is held out, to check with.
const HELD_OUT_EVERY: usize = 20;

/// Whether the game of this number is held out: whole games, because positions of one game resemble each other. The
/// random stream is another than the one that chooses positions.
fn is_held_out(seed: u64, number: u64) -> bool {
    Random::stream(!seed, number).below(HELD_OUT_EVERY) == 0
}

/// A weight in real numbers: middle game and end game.
pub type Weight = [f32; 2];
