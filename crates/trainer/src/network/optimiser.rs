//! Gradient descent by the method of `AdamW`: a step of its own for each weight, and a little decay of all.

use super::model::{Gradient, Model, Row, TILE, TILE_ROWS};
use nnue::MAX_WEIGHT;
use rayon::prelude::*;

const STEADINESS: f32 = 0.9;
const SIZE_MEMORY: f32 = 0.999;
const NOISE: f32 = 1e-8;

/// The state of a descent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AdamW {
    pub(super) means: Vec<Row>,
    pub(super) squares: Vec<Row>,
}

impl AdamW {
    pub(super) fn new(model: &Model) -> Self {
        let zeros = || vec![Row::ZERO; model.rows.len()];
        Self { means: zeros(), squares: zeros() }
    }

    /// Moves the weights against the gradient by steps of this rate and decay. This is step number `step`, from 1.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        gradient: &Gradient,
        step: u64,
        [rate, decay]: [f32; 2],
    ) {
        let count = step.min(1 << 20) as i32;
        let pace = Pace {
            mean_share: 1.0 - STEADINESS.powi(count),
            square_share: 1.0 - SIZE_MEMORY.powi(count),
            rate,
            keep: 1.0 - rate * decay,
        };
        model
            .rows
            .par_chunks_mut(TILE_ROWS)
            .zip(self.means.par_chunks_mut(TILE_ROWS))
            .zip(self.squares.par_chunks_mut(TILE_ROWS))
            .zip(gradient.rows.par_chunks(TILE_ROWS))
            .for_each(|(((rows, means), squares), slopes)| pace.move_rows(rows, means, squares, slopes));
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
    fn move_rows(self, rows: &mut [Row], means: &mut [Row], squares: &mut [Row], slopes: &[Row]) {
        let state = means.iter_mut().zip(squares).zip(slopes);
        for (row, ((mean, square), slope)) in rows.iter_mut().zip(state) {
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
