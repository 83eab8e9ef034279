//! Training of the network: gradient descent on the processor, from positions of the engine's own games.
//!
//! [`DataLoader`] reads and shuffles positions, `Model` is the network in real numbers with its gradient,
//! [`train()`] goes through the positions, and [`export()`] makes of a model the file that the engine plays with.
//! The result depends on data, settings and seed, not on the number of threads: each tile of neurons is the work of
//! one thread at a time, which takes the positions in order.

mod augmentation;
mod checkpoint;
mod example;
mod export;
mod loader;
mod model;
mod optimiser;
mod target;
mod td_lambda;
mod train;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use example::Example;
pub use export::{Exported, export};
pub use loader::{DataLoader, LoaderSettings};
pub use model::TILE;
pub use train::{Report, Schedule, TrainSettings, Training, train};
