//! The handcrafted evaluation.

#![forbid(unsafe_code)]

mod first;

use chess::Position;
pub use first::material_and_tables;

/// No evaluation goes beyond this, so that mate scores have room above.
pub const MAX_EVALUATION: i32 = 10_000;

/// Evaluates positions. Each thread has its own, since it remembers what it has worked out.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the position is worth to the side to move, in centipawns, within [`MAX_EVALUATION`].
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        material_and_tables(position)
    }
}
