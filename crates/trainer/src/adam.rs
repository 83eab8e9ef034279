//! Gradient descent by the method of Adam: each weight has a step of its own, by how steady and how large
//! its slope has been.

use crate::Weight;

const STEADINESS: f32 = 0.9;
const SIZE_MEMORY: f32 = 0.999;

/// Slopes below this count as noise: a weight that hardly ever counts must not run away with the few
/// positions where it does.
const NOISE: f32 = 1e-8;

/// The state of a descent.
pub(crate) struct Adam {
    means: Vec<Weight>,
    squares: Vec<Weight>,
    steps: i32,
}

impl Adam {
    pub(crate) fn new(weights: usize) -> Self {
        Self { means: vec![[0.0; 2]; weights], squares: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Moves the weights against their slopes, each by about `rate`.
    pub(crate) fn step(&mut self, weights: &mut [Weight], slopes: &[Weight], rate: f32) {
        self.steps += 1;
        let mean_share = 1.0 - STEADINESS.powi(self.steps);
        let square_share = 1.0 - SIZE_MEMORY.powi(self.steps);
        let state = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(state) {
            for half in 0..2 {
                mean[half] += (1.0 - STEADINESS) * (slope[half] - mean[half]);
                square[half] += (1.0 - SIZE_MEMORY) * (slope[half] * slope[half] - square[half]);
                let size = (square[half] / square_share).sqrt() + NOISE;
                weight[half] -= rate * mean[half] / mean_share / size;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let mut weights = vec![[50.0, -50.0], [0.0, 7.0]];
        let bottom = [[3.0, 4.0], [-20.0, 7.0]];
        let mut adam = Adam::new(2);
        for step in 0..2000 {
            let slope = |i: usize, half: usize| {
                let steepness = [[1.0, 0.01], [30.0, 0.0]][i][half];
                steepness * (weights[i][half] - bottom[i][half])
            };
            let slopes = [[slope(0, 0), slope(0, 1)], [slope(1, 0), slope(1, 1)]];
            adam.step(&mut weights, &slopes, if step < 1500 { 0.5 } else { 0.01 });
        }
        for (weight, bottom) in weights.iter().zip(bottom) {
            assert!((0..2).all(|half| (weight[half] - bottom[half]).abs() < 0.1), "{weights:?}");
        }
    }
}
