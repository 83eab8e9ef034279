//! Training of the network: gradient descent on the processor, from positions of the engine's own games.
//!
//! [`Lessons`] reads and shuffles positions, [`Model`] is the network in real numbers with its gradient,
//! [`train()`] goes through the lessons, and [`export()`] makes of a model the file that the engine plays with.
//! The result depends on data, settings and seed, not on the number of threads: each tile of neurons is the work of
//! one thread at a time, which takes the positions in order.

mod checkpoint;
mod example;
mod export;
mod foresight;
mod goal;
mod lessons;
mod model;
mod optimiser;
mod train;
mod variations;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use example::{Example, Inputs};
pub use export::{Exported, export};
pub use goal::Goal;
pub use lessons::{LessonSettings, Lessons};
pub use model::{Gradient, Model, Room, TILE};
pub use train::{Report, TrainSettings, Training, train};
