//! Training from beginning to end.

use super::example::Example;
use super::loader::{Batch, DataLoader};
use super::model::{Gradient, Model, Scratch};
use super::optimiser::AdamW;
use super::target::Target;
use crate::TrainerError;
use nnue::NetworkFile;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Positions checked in one go.
const CHECKED_AT_A_TIME: usize = 4096;

/// Steps between two models that go into the average.
const STEPS_BETWEEN_AVERAGED: u64 = 16;

/// A number that moves evenly from the first step to the last.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Schedule {
    /// At the first step.
    pub first: f32,
    /// At the last step.
    pub last: f32,
}

impl Schedule {
    /// A number that stays as it is.
    #[must_use]
    pub const fn constant(value: f32) -> Self {
        Self { first: value, last: value }
    }

    fn at(self, step: u64, steps: u64) -> f32 {
        self.first + (self.last - self.first) * (step as f32 / steps.max(1) as f32).min(1.0)
    }
}

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainSettings {
    /// Neurons of the first layer for either side, a multiple of 32.
    pub hidden: usize,
    /// Passes over all positions.
    pub epochs: u64,
    /// The size of the largest steps, and of the last.
    pub rates: [f32; 2],
    /// Steps within which the rate rises to its largest.
    pub warmup: u64,
    /// How much of a weight each step takes away, in parts of the rate.
    pub decay: Schedule,
    /// The share of the result in what the network learns to predict; the rest is the score's. All positions of a game
    /// have the same result, so a large share, or a small one without decay, overfits.
    pub result_share: Schedule,
    /// The share of the steps, at the end, whose weights are averaged; with 0 those of the last step are taken.
    pub average: f32,
    /// Units of the engine for an output of 1; fitted to scores and results if none is given.
    pub scale: Option<f32>,
    /// Steps between two reports.
    pub superbatch: u64,
    /// What the first weights follow from.
    pub seed: u64,
}

impl Default for TrainSettings {
    fn default() -> Self {
        Self {
            hidden: nnue::HIDDEN,
            epochs: 8,
            rates: [4e-3, 2e-6],
            warmup: 200,
            decay: Schedule::constant(0.1),
            result_share: Schedule::constant(0.0),
            average: 0.0,
            scale: None,
            superbatch: 2_048,
            seed: 1,
        }
    }
}

/// How far a training has come.
#[derive(Clone, PartialEq, Debug)]
pub struct Training {
    /// The network as it is.
    pub(super) model: Model,
    pub(super) optimiser: AdamW,
    /// The mean of the last models, and how many went into it.
    pub(super) average: Option<(Model, u64)>,
    /// Steps done.
    pub step: u64,
    /// Units of the engine for an output of 1.
    pub scale: f32,
    /// Positions learnt from, every repetition counted.
    pub positions: u64,
}

/// What there is to report after some steps.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Report {
    /// Steps done, and steps altogether.
    pub steps: [u64; 2],
    /// Passes done, the one under way in part.
    pub epochs: f64,
    /// The mean loss of the steps since the last report.
    pub training: f64,
    /// The loss over positions held out.
    pub held_out: f64,
    /// The size of the last step.
    pub rate: f32,
    /// Positions learnt from in a second, the checking left out.
    pub positions_per_second: f64,
    /// What the rest will take.
    pub time_left: Duration,
}

/// The size of a step: rising at first, then falling along a cosine.
fn rate(settings: &TrainSettings, step: u64, steps: u64) -> f32 {
    let [largest, last] = settings.rates;
    let warmup = settings.warmup.min(steps / 10);
    if step < warmup {
        return largest * (step + 1) as f32 / warmup as f32;
    }
    let way = (step - warmup) as f32 / (steps - warmup).max(1) as f32;
    last + (largest - last) * 0.5 * (1.0 + (std::f32::consts::PI * way).cos())
}

impl Training {
    /// A training that has not begun.
    #[must_use]
    pub fn new(settings: &TrainSettings, loader: &DataLoader) -> Self {
        let model = Model::new(settings.hidden, settings.seed);
        let optimiser = AdamW::new(&model);
        let scale = settings.scale.unwrap_or_else(|| loader.score_scale());
        Self { model, optimiser, average: None, step: 0, scale, positions: 0 }
    }

    /// A training that starts from an existing network. Its width is that of the file, and its scale too
    /// unless another is given; its values are what they were under either.
    #[must_use]
    pub fn from_network(settings: &TrainSettings, file: &NetworkFile) -> Self {
        let scale = settings.scale.unwrap_or(file.scale as f32);
        let mut model = Model::from_file(file);
        model.multiply_outputs(file.scale as f32 / scale);
        let optimiser = AdamW::new(&model);
        Self { model, optimiser, average: None, step: 0, scale, positions: file.positions }
    }

    /// What is played with: the average of the last models, or the model as it is.
    pub(super) fn result(&self) -> &Model {
        self.average.as_ref().map_or(&self.model, |(model, _)| model)
    }

    /// The mean loss over these positions with this share of the result.
    #[must_use]
    pub fn loss(&self, examples: &[Example], result_share: f32) -> f64 {
        let target = Target { result_share, scale: self.scale };
        let mut scratch = Scratch::default();
        let outputs =
            examples.chunks(CHECKED_AT_A_TIME).flat_map(|part| self.result().outputs(part, &mut scratch));
        let errors = outputs.zip(examples).map(|(output, example)| target.loss(example, output));
        errors.sum::<f64>() / examples.len().max(1) as f64
    }

    /// Learns from a batch and returns the sum of its squared errors. There will be this many steps.
    fn learn(
        &mut self,
        batch: Batch<'_>,
        gradient: &mut Gradient,
        settings: &TrainSettings,
        steps: u64,
    ) -> f64 {
        let target = Target { result_share: settings.result_share.at(self.step, steps), scale: self.scale };
        let pace = [rate(settings, self.step, steps), settings.decay.at(self.step, steps)];
        let weight = 1.0 / batch.order.len() as f32;
        let examples: Vec<Example> =
            batch.order.iter().map(|&index| batch.examples[index as usize]).collect();
        self.model.gradient(&examples, target, weight, gradient);
        self.step += 1;
        self.positions += batch.order.len() as u64;
        self.optimiser.step(&mut self.model, gradient, self.step, pace);
        let averaged_steps = (settings.average * steps as f32) as u64;
        if self.step + averaged_steps > steps && self.step.is_multiple_of(STEPS_BETWEEN_AVERAGED) {
            self.add_to_average();
        }
        gradient.loss()
    }

    fn add_to_average(&mut self) {
        let (average, count) = self.average.get_or_insert_with(|| (self.model.clone(), 0));
        *count += 1;
        average.move_towards(&self.model, 1.0 / *count as f32);
    }
}

/// Continues a training until all passes are done or `stop` is set. Every superbatch it calls `each`, which may keep
/// the training as it is then to resume from.
///
/// # Errors
/// When positions cannot be read any more.
pub fn train(
    training: &mut Training,
    loader: &DataLoader,
    settings: &TrainSettings,
    stop: &AtomicBool,
    mut each: impl FnMut(&Training, Report),
) -> Result<(), TrainerError> {
    let per_pass = loader.steps();
    let steps = per_pass * settings.epochs;
    let mut gradient = Gradient::new(&training.model);
    let mut since = Since::default();
    let (first, mut busy) = (training.positions, Duration::ZERO);
    while training.step < steps {
        let (pass, skip) = (training.step / per_pass, training.step % per_pass);
        let mut started = Instant::now();
        let ended = loader.pass(pass, skip, |batch| {
            since.loss += training.learn(batch, &mut gradient, settings, steps);
            since.positions += batch.order.len();
            if training.step.is_multiple_of(settings.superbatch.max(1)) || training.step == steps {
                busy += started.elapsed();
                let positions_per_second = (training.positions - first) as f64 / busy.as_secs_f64().max(1e-9);
                let left = (steps - training.step) as f64 / per_pass as f64 * loader.len() as f64;
                let report = Report {
                    steps: [training.step, steps],
                    epochs: training.step as f64 / per_pass as f64,
                    training: since.loss / since.positions.max(1) as f64,
                    held_out: training
                        .loss(loader.held_out(), settings.result_share.at(training.step, steps)),
                    rate: rate(settings, training.step - 1, steps),
                    positions_per_second,
                    time_left: Duration::try_from_secs_f64(left / positions_per_second)
                        .unwrap_or(Duration::MAX),
                };
                each(training, report);
                since = Since::default();
                started = Instant::now();
            }
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        busy += started.elapsed();
        if ended.is_break() {
            break;
        }
    }
    Ok(())
}

/// What happened since the last report.
#[derive(Default)]
struct Since {
    loss: f64,
    positions: usize,
}
