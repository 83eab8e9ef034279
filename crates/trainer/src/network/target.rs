//! What the network learns to predict.

use super::example::Example;
use crate::probability;

/// How the expected points of a position follow from its score and the result of its game.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Target {
    /// The share of the result; the rest is the score's.
    pub result_share: f32,
    /// Units of the engine for an output of 1.
    pub scale: f32,
}

impl Target {
    /// The points to predict: a blend of the result, if there is one, and of what the score promises.
    #[must_use]
    pub(super) fn of(&self, example: &Example) -> f32 {
        let promised = probability(example.score(), self.scale);
        example.points().map_or(promised, |points| promised + self.result_share * (points - promised))
    }

    /// The points that the network expects when this is its output.
    #[must_use]
    pub(super) fn expected(&self, example: &Example, output: f32) -> f32 {
        probability(example.base() + output * self.scale, self.scale)
    }

    /// The squared error of an output.
    #[must_use]
    pub(super) fn loss(&self, example: &Example, output: f32) -> f64 {
        f64::from(self.expected(example, output) - self.of(example)).powi(2)
    }
}
