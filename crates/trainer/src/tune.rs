//! Tuning from beginning to end.

use crate::Weight;
use crate::adam::Adam;
use crate::centre::centre;
use crate::loss::Problem;
use crate::samples::{Samples, TrainerError};
use crate::scale::fit_scale;
use chess::random::Random;
use eval::{S, WEIGHTS};

/// How to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneSettings {
    /// Passes over all positions.
    pub epochs: usize,
    /// Positions for each step.
    pub batch: usize,
    /// The size of the first steps in units; they get smaller to a hundredth of it.
    pub rate: f32,
    /// The share of the result in what the evaluation learns to predict; the rest is the score's.
    pub result_share: f32,
    /// The weights at the start count as evidence for themselves like this many positions: what hardly ever counts
    /// stays near to where it was.
    pub pull: f32,
    /// The order of the positions.
    pub seed: u64,
}

impl Default for TuneSettings {
    fn default() -> Self {
        Self { epochs: 40, batch: 16_384, rate: 1.0, result_share: 0.5, pull: 500.0, seed: 1 }
    }
}

/// One pass over all positions.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1; 0 for the state before the first.
    pub number: usize,
    /// The mean loss of its steps; that of the weights at the start for number 0.
    pub training: f64,
    /// The loss over the positions held out.
    pub held_out: f64,
    /// The scale of the evaluation and that of the scores.
    pub scales: [f32; 2],
}

/// What tuning found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The weights of the best epoch, rounded.
    pub weights: Vec<S>,
    /// Their loss over the positions held out.
    pub held_out: f64,
    /// The number of that epoch.
    pub epoch: usize,
}

/// More positions say nothing new about a single number.
const SCALE_SAMPLE: usize = 500_000;

/// The fewest positions to tune on and to check with.
const FEWEST: [usize; 2] = [100, 10];

/// The weights that the engine plays with now.
#[must_use]
pub fn start_weights() -> Vec<Weight> {
    WEIGHTS.flatten().iter().map(|weight| [f32::from(weight.0), f32::from(weight.1)]).collect()
}

/// Tunes weights on positions. After each epoch it calls `each`, which returns whether to continue. What was best
/// over the held-out positions is returned in the end.
///
/// # Errors
/// When there are too few positions.
///
/// # Panics
/// When there are fewer weights than the evaluation has.
pub fn tune(
    start: &[Weight],
    [training, held_out]: [&Samples; 2],
    settings: &TuneSettings,
    mut each: impl FnMut(Epoch) -> bool,
) -> Result<Tuned, TrainerError> {
    if training.len() < FEWEST[0] || held_out.len() < FEWEST[1] {
        return Err(TrainerError::TooFew { training: training.len(), held_out: held_out.len() });
    }
    let scales = scales(start, training);
    let problem = |samples| Problem::new(samples, settings.result_share, scales[0], scales[1]);
    let (lesson, exam) = (problem(training), problem(held_out));
    let exam_positions: Vec<u32> = (0..held_out.len() as u32).collect();
    let mut order: Vec<u32> = (0..training.len() as u32).collect();

    let mut weights = start.to_vec();
    let mut best = (weights.clone(), exam.loss(&exam_positions, &weights), 0);
    let mut report = |number, training, held_out| each(Epoch { number, training, held_out, scales });
    let mut going = report(0, lesson.loss(&order, &weights), best.1);

    let mut adam = Adam::new(weights.len());
    let pull = settings.pull * evidence_of_one(scales[0]) / training.len() as f32;
    let steps = order.len().div_ceil(settings.batch.max(1)) * settings.epochs;
    let mut step = 0;
    for number in 1..=settings.epochs {
        if !going {
            break;
        }
        Random::stream(settings.seed, number as u64).shuffle(&mut order);
        let mut loss_sum = 0.0;
        for batch in order.chunks(settings.batch.max(1)) {
            let (loss, mut slopes) = lesson.gradient(batch, &weights);
            loss_sum += loss * batch.len() as f64;
            for ((slope, weight), start) in slopes.iter_mut().zip(&weights).zip(start) {
                for half in 0..2 {
                    slope[half] += pull * (weight[half] - start[half]);
                }
            }
            adam.step(&mut weights, &slopes, settings.rate * decay(step, steps));
            step += 1;
        }
        let loss = exam.loss(&exam_positions, &weights);
        if loss < best.1 {
            best = (weights.clone(), loss, number);
        }
        going = report(number, loss_sum / order.len() as f64, loss);
    }
    let (mut weights, _, epoch) = best;
    if epoch > 0 {
        centre(&mut weights, &training.usage());
    }
    let rounded: Vec<S> = weights.iter().map(round).collect();
    let held_out = exam.loss(&exam_positions, &rounded.iter().map(real).collect::<Vec<_>>());
    Ok(Tuned { weights: rounded, held_out, epoch })
}

/// The scale of the evaluation with these weights and that of the scores.
fn scales(weights: &[Weight], samples: &Samples) -> [f32; 2] {
    let mut trace = Samples::empty_trace();
    let stride = samples.len().div_ceil(SCALE_SAMPLE).max(1);
    let (mut values, mut scores) = (Vec::new(), Vec::new());
    for index in (0..samples.len()).step_by(stride) {
        samples.load(index, &mut trace);
        values.push((trace.value(weights), samples.white_points(index)));
        scores.push((samples.white_score(index), samples.white_points(index)));
    }
    [fit_scale(&values), fit_scale(&scores)]
}

/// The curvature of the loss that one position with an open outcome gives a weight that counts once.
fn evidence_of_one(scale: f32) -> f32 {
    let steepness = 0.25 / scale;
    2.0 * steepness * steepness
}

/// From 1 at the first step down to a hundredth at the last, slowly at both ends.
fn decay(step: usize, steps: usize) -> f32 {
    let way = step as f32 / steps.max(1) as f32;
    0.01 + 0.99 * 0.5 * (1.0 + (std::f32::consts::PI * way).cos())
}

fn round(weight: &Weight) -> S {
    S(weight[0].round() as i16, weight[1].round() as i16)
}

fn real(weight: &S) -> Weight {
    [f32::from(weight.0), f32::from(weight.1)]
}
