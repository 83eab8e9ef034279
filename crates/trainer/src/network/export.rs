//! From real numbers to the whole ones that are played with.

use super::example::{Example, Inputs};
use super::model::Scratch;
use super::target::Target;
use super::train::Training;
use nnue::{BUCKETS, INPUTS, NetworkFile, QA, finest_output_unit};

/// A network to play with, and what rounding did to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Exported {
    /// The network.
    pub file: NetworkFile,
    /// The mean difference between the rounded network and the real one, in units of the engine.
    pub mean_error: f64,
    /// The largest difference.
    pub largest_error: f64,
    /// The loss of the rounded network.
    pub loss: f64,
}

/// Rounds the weights of a trained network, and measures on some positions what that costs.
#[must_use]
pub fn export(
    training: &Training,
    seed: u64,
    result_share: f32,
    is_correction: bool,
    examples: &[Example],
) -> Exported {
    let file = round(training, seed, is_correction);
    let target = Target { result_share, scale: training.scale };
    let outputs = training.result().outputs(examples, &mut Scratch::default());
    let (mut error_sum, mut largest_error, mut loss) = (0.0, 0.0_f64, 0.0);
    let mut inputs = Inputs::EMPTY;
    for (example, output) in examples.iter().zip(outputs) {
        example.expand(&mut inputs);
        let units = file.evaluate_inputs([inputs.of(0), inputs.of(1)]);
        let error = (f64::from(units) - f64::from(output * file.scale as f32)).abs();
        error_sum += error;
        largest_error = largest_error.max(error);
        loss += target.loss(example, units as f32 / file.scale as f32);
    }
    let count = examples.len().max(1) as f64;
    Exported { file, mean_error: error_sum / count, largest_error, loss: loss / count }
}

fn round(training: &Training, seed: u64, is_correction: bool) -> NetworkFile {
    let model = training.result();
    let hidden = model.hidden();
    let feature = |weight: f32| (weight * QA as f32).round() as i16;
    let neurons = 0..hidden;
    let sets = 0..2 * BUCKETS;
    let outputs: Vec<f32> = sets
        .flat_map(|set| neurons.clone().map(move |neuron| model.output_weight(set / 2, set % 2, neuron)))
        .collect();
    let unit = finest_output_unit(&outputs);
    NetworkFile {
        is_correction,
        hidden,
        output_unit: unit,
        scale: (training.scale.round() as i32).max(1),
        seed,
        positions: training.positions,
        feature_weights: (0..INPUTS)
            .flat_map(|input| neurons.clone().map(move |neuron| feature(model.feature_weight(input, neuron))))
            .collect(),
        feature_biases: neurons.clone().map(|neuron| feature(model.feature_bias(neuron))).collect(),
        output_weights: outputs.iter().map(|weight| (weight * unit as f32).round() as i16).collect(),
        output_biases: (0..BUCKETS)
            .map(|bucket| (model.output_bias(bucket) * (QA * unit) as f32).round() as i32)
            .collect(),
    }
}
