//! Gradient descent by the method of `AdamW`: a step of its own for each weight, and a little decay of all.

use super::model::{Gradient, Model, Row, TILE};
use nnue::MAX_WEIGHT;

const STEADINESS: f32 = 0.9;
const SIZE_MEMORY: f32 = 0.999;
const NOISE: f32 = 1e-8;

/// The state of a descent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AdamW {
    pub(super) means: Vec<Row>,
    pub(super) squares: Vec<Row>,
    decay: f32,
}

impl AdamW {
    pub(super) fn new(model: &Model, decay: f32) -> Self {
        let zeros = || vec![Row::ZERO; model.rows.len()];
        Self { means: zeros(), squares: zeros(), decay }
    }

    /// Moves the weights against the sum of the gradients of all shards. This is step number `step`, from 1.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        shards: &[Gradient],
        step: u64,
        rate: f32,
        threads: usize,
    ) {
        let count = step.min(1 << 20) as i32;
        let pace = Pace {
            mean_share: 1.0 - STEADINESS.powi(count),
            square_share: 1.0 - SIZE_MEMORY.powi(count),
            rate,
            keep: 1.0 - rate * self.decay,
        };
        let size = model.rows.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            let state = self.means.chunks_mut(size).zip(self.squares.chunks_mut(size));
            for (part, (rows, (means, squares))) in model.rows.chunks_mut(size).zip(state).enumerate() {
                let mut work = move || pace.move_rows(rows, means, squares, shards, part * size);
                if threads > 1 {
                    scope.spawn(work);
                } else {
                    work();
                }
            }
        });
    }
}

/// What is the same for all weights in a step.
#[derive(Copy, Clone)]
struct Pace {
    mean_share: f32,
    square_share: f32,
    rate: f32,
    /// What decay leaves of a weight.
    keep: f32,
}

impl Pace {
    fn move_rows(
        self,
        rows: &mut [Row],
        means: &mut [Row],
        squares: &mut [Row],
        shards: &[Gradient],
        first: usize,
    ) {
        let state = means.iter_mut().zip(squares);
        for (index, (row, (mean, square))) in rows.iter_mut().zip(state).enumerate() {
            let mut slope = Row::ZERO;
            for shard in shards {
                let part = &shard.rows[first + index];
                for neuron in 0..TILE {
                    slope.0[neuron] += part.0[neuron];
                }
            }
            for neuron in 0..TILE {
                let (weight, slope) = (&mut row.0[neuron], slope.0[neuron]);
                let (mean, square) = (&mut mean.0[neuron], &mut square.0[neuron]);
                *mean += (1.0 - STEADINESS) * (slope - *mean);
                *square += (1.0 - SIZE_MEMORY) * (slope * slope - *square);
                let size = (*square / self.square_share).sqrt() + NOISE;
                let moved = *weight * self.keep - self.rate * *mean / self.mean_share / size;
                *weight = moved.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}
