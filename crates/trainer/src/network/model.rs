//! The network in real numbers, and its gradient.
//!
//! While it learns, the weight of a piece on a square is the sum of two: one of its own, and one that the piece has
//! everywhere. So the value of a rook need not be learnt on every square again; this matters most while there
//! are few positions. The two are added up for play, and before positions go through: what a weight that is shared
//! by all squares of a piece is to learn is the sum of what its squares are to learn.
//!
//! All numbers lie in rows of [`TILE`] neurons, tile by tile. Each tile is the work of one thread at a time, and its weights and
//! its part of the gradient stay in the cache of a processor while a batch goes through it.

use super::example::{Example, Inputs, shared_kind};
use super::target::Target;
use chess::random::Random;
use nnue::{BUCKETS, INPUTS, MAX_WEIGHT, NetworkFile, QA, features};
use rayon::prelude::*;

/// Neurons worked on at a time.
pub const TILE: usize = 32;

/// Positions whose inputs and outputs are worked out in one go.
const CHUNK: usize = 256;

/// Kinds of pieces with a weight that does not depend on the square: all but the kings, which are always there.
pub(super) const SHARED: usize = 10;

/// Inputs of a kind of piece.
const SQUARES: usize = 64;

/// Where the rows of a tile are: weights of the first layer by input, then those of the kinds of pieces, its biases, and
/// weights of the last layer by bucket and half.
const SHARED_AT: usize = INPUTS;
const BIAS_AT: usize = SHARED_AT + SHARED;
const OUTPUTS_AT: usize = BIAS_AT + 1;
/// Rows of a tile. After the last one comes a row of which the first numbers are the biases of the last layer.
pub(super) const TILE_ROWS: usize = OUTPUTS_AT + 2 * BUCKETS;

/// The span of the first weights. They are small, because those that are hardly ever used stay as they are and
/// should not disturb.
const FIRST_WEIGHT: f32 = 0.01;
/// Sums begin above 0, where there is something to learn.
const FIRST_BIAS: f32 = 0.2;
const FIRST_BIAS_SPAN: f32 = 0.1;

/// One number for each neuron of a tile.
#[derive(Copy, Clone, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [f32; TILE]);

impl Row {
    pub(super) const ZERO: Self = Self([0.0; TILE]);

    #[inline]
    fn add(&mut self, other: &Self) {
        for (sum, value) in self.0.iter_mut().zip(&other.0) {
            *sum += value;
        }
    }

    /// The sum of all numbers, always in the same order.
    #[inline]
    fn sum(&self) -> f32 {
        let mut lanes = self.0;
        let mut width = TILE / 2;
        while width > 0 {
            for lane in 0..width {
                lanes[lane] += lanes[lane + width];
            }
            width /= 2;
        }
        lanes[0]
    }
}

/// The row of a tile with its weights of the last layer.
const fn output_at(bucket: usize, half: usize) -> usize {
    OUTPUTS_AT + 2 * bucket + half
}

/// A network in real numbers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Model {
    tiles: usize,
    pub(super) rows: Vec<Row>,
}

/// The gradient of the loss over some positions, and scratch buffers.
pub(crate) struct Gradient {
    pub(super) rows: Vec<Row>,
    loss: f64,
    slopes: Vec<f32>,
    scratch: Scratch,
}

/// Scratch buffers for the way through a model.
#[derive(Default)]
pub(crate) struct Scratch {
    inputs: Vec<Inputs>,
    tiles: Vec<TileScratch>,
    outputs: Vec<f32>,
}

/// Scratch buffers for the way through a tile.
#[derive(Default)]
struct TileScratch {
    /// Weights by input, with those added that a piece has everywhere.
    weights: Vec<Row>,
    /// Sums of the first layer of each position, from both halves.
    sums: Vec<[Row; 2]>,
    /// What goes from this tile into the output of each position.
    parts: Vec<f32>,
}

impl Gradient {
    /// Scratch for a gradient of this model.
    #[must_use]
    pub(super) fn new(model: &Model) -> Self {
        Self {
            rows: vec![Row::ZERO; model.rows.len()],
            loss: 0.0,
            slopes: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// The sum of the squared errors of the positions it was worked out for.
    #[must_use]
    pub(super) const fn loss(&self) -> f64 {
        self.loss
    }

    /// The derivatives by all numbers of the model.
    #[cfg(test)]
    fn numbers(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().flat_map(|row| row.0)
    }
}

impl Model {
    fn zero(hidden: usize) -> Self {
        let tiles = (hidden / TILE).max(1);
        Self { tiles, rows: vec![Row::ZERO; tiles * TILE_ROWS + 1] }
    }

    /// A model with random weights. Its width is a multiple of [`TILE`]: what is too much is left out.
    #[must_use]
    pub(super) fn new(hidden: usize, seed: u64) -> Self {
        let mut model = Self::zero(hidden);
        let mut random = Random::stream(seed, 0);
        let mut within = |span: f32| span * ((random.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0);
        let output_span = 1.0 / ((2 * TILE * model.tiles) as f32).sqrt();
        for tile in model.rows.chunks_exact_mut(TILE_ROWS) {
            for (index, row) in tile.iter_mut().enumerate() {
                let [middle, span] = match index {
                    ..BIAS_AT => [0.0, FIRST_WEIGHT],
                    BIAS_AT => [FIRST_BIAS, FIRST_BIAS_SPAN],
                    _ => [0.0, output_span],
                };
                row.0.fill_with(|| middle + within(span));
            }
        }
        model
    }

    /// A model with the weights of a network. What pieces have on all squares is part of their weights there, and
    /// begins with nothing here.
    #[must_use]
    pub(super) fn from_file(file: &NetworkFile) -> Self {
        let hidden = file.hidden;
        let mut model = Self::zero(hidden);
        let mut set = |row: usize, neuron: usize, weight: i16, unit: i32| {
            model.rows[neuron / TILE * TILE_ROWS + row].0[neuron % TILE] = f32::from(weight) / unit as f32;
        };
        for (index, &weight) in file.feature_weights.iter().enumerate() {
            set(index / hidden, index % hidden, weight, QA);
        }
        for (neuron, &bias) in file.feature_biases.iter().enumerate() {
            set(BIAS_AT, neuron, bias, QA);
        }
        for (index, &weight) in file.output_weights.iter().enumerate() {
            set(OUTPUTS_AT + index / hidden, index % hidden, weight, file.output_unit);
        }
        let [.., last] = model.rows.as_mut_slice() else { return model };
        for (bias, &whole) in last.0.iter_mut().zip(&file.output_biases) {
            *bias = whole as f32 / (QA * file.output_unit) as f32;
        }
        model
    }

    /// Multiplies what the network says, by the weights and biases of the last layer.
    pub(crate) fn multiply_outputs(&mut self, factor: f32) {
        for tile in self.rows.chunks_mut(TILE_ROWS).take(self.tiles) {
            for weight in tile[OUTPUTS_AT..].iter_mut().flat_map(|row| &mut row.0) {
                *weight *= factor;
            }
        }
        let [.., last] = self.rows.as_mut_slice() else { return };
        for bias in &mut last.0 {
            *bias *= factor;
        }
    }

    /// Moves every number by this share of the way to those of another model.
    pub(super) fn move_towards(&mut self, other: &Self, share: f32) {
        let rows = self.rows.iter_mut().zip(&other.rows);
        for (number, other) in rows.flat_map(|(row, other)| row.0.iter_mut().zip(&other.0)) {
            *number += share * (other - *number);
        }
    }

    /// Neurons of the first layer for either side.
    #[must_use]
    pub(super) const fn hidden(&self) -> usize {
        self.tiles * TILE
    }

    /// One of all numbers of the model, to be changed.
    #[cfg(test)]
    fn number_mut(&mut self, index: usize) -> Option<&mut f32> {
        self.rows.get_mut(index / TILE).map(|row| &mut row.0[index % TILE])
    }

    fn number(&self, row: usize, neuron: usize) -> f32 {
        self.rows[neuron / TILE * TILE_ROWS + row].0[neuron % TILE]
    }

    /// The weight of the first layer from an input to a neuron.
    #[must_use]
    pub(crate) fn feature_weight(&self, input: usize, neuron: usize) -> f32 {
        let shared = shared_kind(input / SQUARES).map_or(0.0, |kind| self.number(SHARED_AT + kind, neuron));
        (self.number(input, neuron) + shared).clamp(-MAX_WEIGHT, MAX_WEIGHT)
    }

    /// The bias of a neuron of the first layer.
    #[must_use]
    pub(crate) fn feature_bias(&self, neuron: usize) -> f32 {
        self.number(BIAS_AT, neuron)
    }

    /// The weight of the last layer for a neuron of the side to move (0) or of the other (1).
    #[must_use]
    pub(crate) fn output_weight(&self, bucket: usize, half: usize, neuron: usize) -> f32 {
        self.number(output_at(bucket, half), neuron)
    }

    /// The bias of the last layer.
    #[must_use]
    pub(crate) fn output_bias(&self, bucket: usize) -> f32 {
        self.output_biases().0[bucket]
    }

    fn output_biases(&self) -> &Row {
        &self.rows[self.tiles * TILE_ROWS]
    }

    /// Works out the outputs of positions.
    fn forward(&self, examples: &[Example], scratch: &mut Scratch) {
        scratch.inputs.resize(examples.len(), Inputs::EMPTY);
        scratch.outputs.resize(examples.len(), 0.0);
        scratch.tiles.resize_with(self.tiles, TileScratch::default);
        let expand = |(inputs, examples): (&mut [Inputs], &[Example])| {
            inputs.iter_mut().zip(examples).for_each(|(inputs, example)| example.expand(inputs));
        };
        scratch.inputs.par_chunks_mut(CHUNK).zip(examples.par_chunks(CHUNK)).for_each(expand);
        let inputs = &scratch.inputs;
        let through_tiles = self.rows.par_chunks_exact(TILE_ROWS).zip(&mut scratch.tiles);
        through_tiles.for_each(|(rows, scratch)| scratch.forward(rows, inputs));
        let biases = self.output_biases();
        for (index, (output, inputs)) in scratch.outputs.iter_mut().zip(inputs).enumerate() {
            let parts = scratch.tiles.iter().map(|tile| tile.parts[index]);
            *output = biases.0[features::bucket(inputs.pieces())] + parts.sum::<f32>();
        }
    }

    /// Works out the gradient of the squared errors over these positions, each times `weight`, and their sum.
    pub(super) fn gradient(
        &self,
        examples: &[Example],
        target: Target,
        weight: f32,
        gradient: &mut Gradient,
    ) {
        let Gradient { rows, loss, slopes, scratch } = gradient;
        self.forward(examples, scratch);
        let slopes_of = |(examples, outputs): (&[Example], &[f32])| {
            let mut loss = 0.0;
            let slope = |(example, &output): (&Example, &f32)| {
                let expected = target.expected(example, output);
                let error = expected - target.of(example);
                loss += f64::from(error * error);
                weight * 2.0 * error * expected * (1.0 - expected)
            };
            let slopes: Vec<f32> = examples.iter().zip(outputs).map(slope).collect();
            (slopes, loss)
        };
        let parts = examples.par_chunks(CHUNK).zip(scratch.outputs.par_chunks(CHUNK)).map(slopes_of);
        *loss = 0.0;
        slopes.clear();
        for (part, part_loss) in parts.collect::<Vec<_>>() {
            slopes.extend(part);
            *loss += part_loss;
        }

        let (tile_rows, last) = rows.split_at_mut(self.tiles * TILE_ROWS);
        let Scratch { inputs, tiles, .. } = scratch;
        tile_rows
            .par_chunks_mut(TILE_ROWS)
            .zip(self.rows.par_chunks(TILE_ROWS))
            .zip(tiles)
            .for_each(|((rows, own), scratch)| scratch.backward(own, inputs, slopes, rows));
        last.fill(Row::ZERO);
        for (inputs, slope) in inputs.iter().zip(slopes) {
            last[0].0[features::bucket(inputs.pieces())] += *slope;
        }
    }

    /// The outputs for these positions.
    pub(super) fn outputs(&self, examples: &[Example], scratch: &mut Scratch) -> Vec<f32> {
        self.forward(examples, scratch);
        scratch.outputs.clone()
    }
}

impl TileScratch {
    /// Adds up the weights of pieces on squares and on all squares, for positions to go through.
    fn add_up_weights(&mut self, rows: &[Row]) {
        self.weights.clear();
        self.weights.extend_from_slice(&rows[..INPUTS]);
        for (kind, weights) in self.weights.chunks_mut(SQUARES).enumerate() {
            if let Some(kind) = shared_kind(kind) {
                weights.iter_mut().for_each(|row| row.add(&rows[SHARED_AT + kind]));
            }
        }
    }

    /// Works out what goes from this tile into the outputs.
    fn forward(&mut self, rows: &[Row], inputs: &[Inputs]) {
        self.add_up_weights(rows);
        self.sums.resize(inputs.len(), [Row::ZERO; 2]);
        self.parts.resize(inputs.len(), 0.0);
        for ((inputs, sums), part) in inputs.iter().zip(&mut self.sums).zip(&mut self.parts) {
            let bucket = features::bucket(inputs.pieces());
            let mut products = Row::ZERO;
            for (half, kept) in sums.iter_mut().enumerate() {
                let mut sum = rows[BIAS_AT];
                for &input in inputs.of(half) {
                    sum.add(&self.weights[usize::from(input)]);
                }
                *kept = sum;
                let outputs = &rows[output_at(bucket, half)];
                for neuron in 0..TILE {
                    let clipped = sum.0[neuron].clamp(0.0, 1.0);
                    products.0[neuron] += clipped * clipped * outputs.0[neuron];
                }
            }
            *part = products.sum();
        }
    }

    /// Works out the gradient of positions that went [`forward`](Self::forward) and whose derivatives by the output
    /// are these.
    fn backward(&self, rows: &[Row], inputs: &[Inputs], slopes: &[f32], gradient: &mut [Row]) {
        gradient.fill(Row::ZERO);
        for ((inputs, sums), &slope) in inputs.iter().zip(&self.sums).zip(slopes) {
            let bucket = features::bucket(inputs.pieces());
            for (half, sum) in sums.iter().enumerate() {
                let place = output_at(bucket, half);
                let (outputs, output_row) = (&rows[place], &mut gradient[place]);
                let mut slopes = Row::ZERO;
                for neuron in 0..TILE {
                    let clipped = sum.0[neuron].clamp(0.0, 1.0);
                    output_row.0[neuron] += slope * clipped * clipped;
                    // Outside of 0..1 nothing depends on the sum.
                    let inside = if clipped == sum.0[neuron] { 2.0 * clipped } else { 0.0 };
                    slopes.0[neuron] = slope * outputs.0[neuron] * inside;
                }
                gradient[BIAS_AT].add(&slopes);
                for &input in inputs.of(half) {
                    gradient[usize::from(input)].add(&slopes);
                }
            }
        }
        // What weights on all squares are to learn: the same as those of their squares together.
        let (own, rest) = gradient.split_at_mut(SHARED_AT);
        for (kind, rows) in own.chunks(SQUARES).enumerate() {
            if let Some(shared) = shared_kind(kind).map(|kind| &mut rest[kind]) {
                rows.iter().for_each(|row| shared.add(row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use data::{Sample, Verdict};

    fn examples() -> Vec<Example> {
        [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
                120,
                Verdict::WhiteWins,
            ),
            ("8/2k5/8/8/3P4/8/5K2/8 w - - 0 1", -40, Verdict::Draw),
            ("6k1/5ppp/8/8/8/2b5/1PP2PPP/R5K1 b - - 0 1", 300, Verdict::BlackWins),
        ]
        .map(|(fen, white_score, verdict)| {
            Example::new(&Sample {
                position: Position::from_fen(fen).unwrap(),
                white_score,
                verdict: Some(verdict),
            })
            .on_top_of(30)
        })
        .to_vec()
    }

    const GOAL: Target = Target { result_share: 0.5, scale: 200.0 };

    fn loss(model: &Model, examples: &[Example]) -> f64 {
        let mut scratch = Scratch::default();
        let outputs = model.outputs(examples, &mut scratch);
        outputs.into_iter().zip(examples).map(|(output, example)| GOAL.loss(example, output)).sum()
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let examples = examples();
        let mut model = Model::new(64, 3);
        let mut gradient = Gradient::new(&model);
        model.gradient(&examples, GOAL, 1.0, &mut gradient);
        assert!((gradient.loss() - loss(&model, &examples)).abs() < 1e-6);
        let derivatives: Vec<f32> = gradient.numbers().collect();
        let mut checked = 0;
        let steep = (0..derivatives.len()).filter(|&index| derivatives[index].abs() > 1e-3);
        for index in steep.step_by(41) {
            let step = 2e-3;
            let mut shifted_loss = |by: f32| {
                *model.number_mut(index).unwrap() += by;
                let loss = loss(&model, &examples);
                *model.number_mut(index).unwrap() -= by;
                loss
            };
            let difference = (shifted_loss(step) - shifted_loss(-step)) / f64::from(2.0 * step);
            let derivative = f64::from(derivatives[index]);
            let error = (difference - derivative).abs();
            assert!(error < 2e-4 + 0.02 * derivative.abs(), "{index}: {difference} or {derivative}");
            checked += 1;
        }
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn derivatives_of_what_does_not_count_are_zero() {
        let mut model = Model::new(32, 3);
        let examples = examples();
        let mut gradient = Gradient::new(&model);
        model.gradient(&examples, GOAL, 1.0, &mut gradient);
        let before = loss(&model, &examples);
        let derivatives: Vec<f32> = gradient.numbers().collect();
        let flat: Vec<usize> = (0..derivatives.len()).filter(|&index| derivatives[index] == 0.0).collect();
        for index in flat.into_iter().step_by(501) {
            *model.number_mut(index).unwrap() += 0.01;
        }
        assert_eq!(loss(&model, &examples), before);
    }
}
