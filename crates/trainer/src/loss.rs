//! How wrong the evaluation is, and which way the weights have to go.

use crate::Weight;
use crate::samples::Samples;
use rayon::prelude::*;

/// Positions worked on in one go. Fixed, because sums of real numbers depend on where they are cut.
const CHUNK: usize = 512;

/// The points to be expected from a value: a half for zero, 73 % for a value of one scale.
#[must_use]
pub fn probability(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).exp())
}

/// Positions with the points that the evaluation learns to predict.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    samples: &'a Samples,
    targets: Vec<f32>,
    scale: f32,
}

impl<'a> Problem<'a> {
    /// The target of a position is a blend of the result of its game, to this share, and of what its score
    /// predicts. `scale` is that of the evaluation, `score_scale` that of the scores.
    #[must_use]
    pub fn new(samples: &'a Samples, result_share: f32, scale: f32, score_scale: f32) -> Self {
        let target = |index| {
            result_share * samples.white_points(index)
                + (1.0 - result_share) * probability(samples.white_score(index), score_scale)
        };
        Self { samples, targets: (0..samples.len()).map(target).collect(), scale }
    }

    /// The mean squared error of the expected points over these positions.
    ///
    /// # Panics
    /// When there are fewer weights than the evaluation has.
    #[must_use]
    pub fn loss(&self, positions: &[u32], weights: &[Weight]) -> f64 {
        let sums = positions.par_chunks(CHUNK).map(|positions| {
            let mut trace = Samples::empty_trace();
            let mut sum = 0.0;
            for &position in positions {
                let index = position as usize;
                self.samples.load(index, &mut trace);
                let error = probability(trace.value(weights), self.scale) - self.targets[index];
                sum += f64::from(error * error);
            }
            sum
        });
        // Added up in order: sums of real numbers depend on it.
        sums.collect::<Vec<_>>().iter().sum::<f64>() / positions.len().max(1) as f64
    }

    /// The loss and its derivatives by all weights.
    ///
    /// # Panics
    /// When there are fewer weights than the evaluation has.
    #[must_use]
    pub fn gradient(&self, positions: &[u32], weights: &[Weight]) -> (f64, Vec<Weight>) {
        let parts = positions.par_chunks(CHUNK).map(|positions| {
            let mut trace = Samples::empty_trace();
            let mut sum = 0.0;
            let mut gradient = vec![[0.0; 2]; weights.len()];
            for &position in positions {
                let index = position as usize;
                self.samples.load(index, &mut trace);
                let expected = probability(trace.value(weights), self.scale);
                let error = expected - self.targets[index];
                sum += f64::from(error * error);
                let slope = 2.0 * error * expected * (1.0 - expected) / self.scale;
                trace.gradient(weights, |weight, [mg, eg]| {
                    gradient[weight][0] += slope * mg;
                    gradient[weight][1] += slope * eg;
                });
            }
            (sum, gradient)
        });
        let parts: Vec<_> = parts.collect();
        let count = positions.len().max(1) as f32;
        let mut total = vec![[0.0; 2]; weights.len()];
        for (_, gradient) in &parts {
            for (total, part) in total.iter_mut().zip(gradient) {
                total[0] += part[0] / count;
                total[1] += part[1] / count;
            }
        }
        (parts.iter().map(|(sum, _)| sum).sum::<f64>() / f64::from(count), total)
    }
}
