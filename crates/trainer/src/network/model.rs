//! The network in real numbers, and its gradient.
//!
//! While it learns, the weight of a piece on a square is the sum of two: one of its own, and one that the piece has
//! everywhere. So what a rook is worth need not be learnt on every square again; this matters most while there
//! are few positions. The two are added up for play, and before positions go through: what a weight that is shared
//! by all squares of a piece is to learn is the sum of what its squares are to learn.
//!
//! All numbers lie in rows of [`TILE`] neurons, tile by tile, so that a tile's weights and its part of the
//! gradient stay in the processor's cache while a few hundred positions go through it.

use super::example::{Example, Inputs, shared_kind};
use chess::random::Random;
use nnue::{BUCKETS, INPUTS, MAX_WEIGHT, NetworkFile, QA, features};

/// Neurons worked on at a time.
pub const TILE: usize = 32;

/// Positions that go through a tile at a time.
const CHUNK: usize = 256;

/// Kinds of pieces with a weight that does not depend on the square: all but the kings, which are always there.
pub(super) const SHARED: usize = 10;

/// Inputs of a kind of piece.
const SQUARES: usize = 64;

/// Rows of a tile of the first layer.
const TILE_ROWS: usize = INPUTS + SHARED;

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

/// Where the rows of a network of some width are: weights of the first layer by tile and input, then those of
/// the kinds of pieces, its biases by tile, weights of the last layer by bucket, half and tile, and a row of which the first numbers are the biases
/// of the last layer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Layout {
    tiles: usize,
}

impl Layout {
    const fn features(self) -> usize {
        self.tiles * TILE_ROWS
    }

    const fn output(self, bucket: usize, half: usize, tile: usize) -> usize {
        // From the end of the biases on.
        (2 * bucket + half) * self.tiles + tile
    }

    const fn outputs(self) -> usize {
        2 * BUCKETS * self.tiles
    }

    const fn rows(self) -> usize {
        self.features() + self.tiles + self.outputs() + 1
    }
}

/// A network in real numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    layout: Layout,
    pub(super) rows: Vec<Row>,
}

/// The rows of a model or a gradient by what they are.
struct Parts<'a> {
    features: &'a [Row],
    biases: &'a [Row],
    outputs: &'a [Row],
    output_biases: &'a Row,
}

/// The gradient of the loss over some positions, and room to work it out.
pub struct Gradient {
    pub(super) rows: Vec<Row>,
    loss: f64,
    room: Room,
}

/// What is worked out on the way through a model.
pub struct Room {
    inputs: Vec<Inputs>,
    /// Weights of the first layer by tile and input, with those added that a piece has everywhere.
    weights: Vec<Row>,
    /// Sums of the first layer: by tile, position of the chunk, and half.
    sums: Vec<[Row; 2]>,
    /// What goes into the output of each position, not yet added up.
    parts: Vec<Row>,
    outputs: Vec<f32>,
}

impl Room {
    /// Room for this model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self {
            inputs: vec![Inputs::EMPTY; CHUNK],
            weights: vec![Row::ZERO; INPUTS * model.layout.tiles],
            sums: vec![[Row::ZERO; 2]; CHUNK * model.layout.tiles],
            parts: vec![Row::ZERO; CHUNK],
            outputs: vec![0.0; CHUNK],
        }
    }
}

impl Gradient {
    /// Room for a gradient of this model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self { rows: vec![Row::ZERO; model.rows.len()], loss: 0.0, room: Room::new(model) }
    }

    /// The sum of the squared errors of the positions it was worked out for.
    #[must_use]
    pub const fn loss(&self) -> f64 {
        self.loss
    }

    /// The derivatives in the order of [`Model::numbers`].
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().flat_map(|row| row.0)
    }
}

/// The points to be expected from an output.
#[inline]
fn probability(output: f32) -> f32 {
    crate::probability(output, 1.0)
}

impl Model {
    /// A model with random weights. Its width is a multiple of [`TILE`]: what is too much is left out.
    #[must_use]
    pub fn new(hidden: usize, seed: u64) -> Self {
        let layout = Layout { tiles: (hidden / TILE).max(1) };
        let mut random = Random::stream(seed, 0);
        let mut within = |span: f32| span * ((random.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0);
        let mut rows = vec![Row::ZERO; layout.rows()];
        let (features, rest) = rows.split_at_mut(layout.features());
        let (biases, rest) = rest.split_at_mut(layout.tiles);
        let outputs = &mut rest[..layout.outputs()];
        for weight in features.iter_mut().flat_map(|row| &mut row.0) {
            *weight = within(FIRST_WEIGHT);
        }
        for bias in biases.iter_mut().flat_map(|row| &mut row.0) {
            *bias = FIRST_BIAS + within(FIRST_BIAS_SPAN);
        }
        let span = 1.0 / ((2 * TILE * layout.tiles) as f32).sqrt();
        for weight in outputs.iter_mut().flat_map(|row| &mut row.0) {
            *weight = within(span);
        }
        Self { layout, rows }
    }

    /// A model with the weights of a network. What pieces have on all squares is part of their weights there, and
    /// begins with nothing here.
    #[must_use]
    pub fn from_file(file: &NetworkFile) -> Self {
        let hidden = file.hidden;
        let layout = Layout { tiles: (hidden / TILE).max(1) };
        let mut rows = vec![Row::ZERO; layout.rows()];
        let (features, rest) = rows.split_at_mut(layout.features());
        let (biases, rest) = rest.split_at_mut(layout.tiles);
        let (outputs, rest) = rest.split_at_mut(layout.outputs());
        let unit = |weight: i16, unit: i32| f32::from(weight) / unit as f32;
        for (index, &weight) in file.feature_weights.iter().enumerate() {
            let (input, neuron) = (index / hidden, index % hidden);
            features[neuron / TILE * TILE_ROWS + input].0[neuron % TILE] = unit(weight, QA);
        }
        for (neuron, &bias) in file.feature_biases.iter().enumerate() {
            biases[neuron / TILE].0[neuron % TILE] = unit(bias, QA);
        }
        for (index, &weight) in file.output_weights.iter().enumerate() {
            let (set, neuron) = (index / hidden, index % hidden);
            let row = layout.output(set / 2, set % 2, neuron / TILE);
            outputs[row].0[neuron % TILE] = unit(weight, file.output_unit);
        }
        for (bias, &whole) in rest[0].0.iter_mut().zip(&file.output_biases) {
            *bias = whole as f32 / (QA * file.output_unit) as f32;
        }
        Self { layout, rows }
    }

    /// Neurons of the first layer for either side.
    #[must_use]
    pub const fn hidden(&self) -> usize {
        self.layout.tiles * TILE
    }

    /// All numbers of the model, and some zeros to fill up rows.
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().flat_map(|row| row.0)
    }

    /// One of the [numbers](Self::numbers), to be changed.
    pub fn number_mut(&mut self, index: usize) -> Option<&mut f32> {
        self.rows.get_mut(index / TILE).map(|row| &mut row.0[index % TILE])
    }

    /// The weight of the first layer from an input to a neuron.
    #[must_use]
    pub fn feature_weight(&self, input: usize, neuron: usize) -> f32 {
        let tile = &self.parts().features[neuron / TILE * TILE_ROWS..][..TILE_ROWS];
        let shared = shared_kind(input / 64).map_or(0.0, |kind| tile[INPUTS + kind].0[neuron % TILE]);
        (tile[input].0[neuron % TILE] + shared).clamp(-MAX_WEIGHT, MAX_WEIGHT)
    }

    /// The bias of a neuron of the first layer.
    #[must_use]
    pub fn feature_bias(&self, neuron: usize) -> f32 {
        self.parts().biases[neuron / TILE].0[neuron % TILE]
    }

    /// The weight of the last layer for a neuron of the side to move (0) or of the other (1).
    #[must_use]
    pub fn output_weight(&self, bucket: usize, half: usize, neuron: usize) -> f32 {
        self.parts().outputs[self.layout.output(bucket, half, neuron / TILE)].0[neuron % TILE]
    }

    /// The bias of the last layer.
    #[must_use]
    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.parts().output_biases.0[bucket]
    }

    fn parts(&self) -> Parts<'_> {
        let (features, rest) = self.rows.split_at(self.layout.features());
        let (biases, rest) = rest.split_at(self.layout.tiles);
        let (outputs, rest) = rest.split_at(self.layout.outputs());
        Parts { features, biases, outputs, output_biases: &rest[0] }
    }

    /// Adds up the weights of pieces on squares and on all squares, for positions to go through.
    fn add_up_weights(&self, room: &mut Room) {
        for (tile, rows) in room.weights.chunks_mut(INPUTS).enumerate() {
            let (own, shared) = self.parts().features[tile * TILE_ROWS..][..TILE_ROWS].split_at(INPUTS);
            rows.copy_from_slice(own);
            for (kind, rows) in rows.chunks_mut(SQUARES).enumerate() {
                if let Some(shared) = shared_kind(kind).map(|kind| &shared[kind]) {
                    rows.iter_mut().for_each(|row| row.add(shared));
                }
            }
        }
    }

    /// What weights on all squares are to learn: the same as those of their squares together.
    fn share_gradient(&self, gradient: &mut Gradient) {
        for rows in gradient.rows[..self.layout.features()].chunks_mut(TILE_ROWS) {
            let (own, shared) = rows.split_at_mut(INPUTS);
            for (kind, rows) in own.chunks(SQUARES).enumerate() {
                if let Some(shared) = shared_kind(kind).map(|kind| &mut shared[kind]) {
                    rows.iter().for_each(|row| shared.add(row));
                }
            }
        }
    }

    /// Works out the outputs of at most [`CHUNK`] positions, after [`add_up_weights`](Self::add_up_weights).
    fn forward(&self, examples: &[Example], room: &mut Room) {
        let parts = self.parts();
        for (example, inputs) in examples.iter().zip(&mut room.inputs) {
            example.expand(inputs);
        }
        let inputs = &room.inputs[..examples.len()];
        for (inputs, part) in inputs.iter().zip(&mut room.parts) {
            *part = Row::ZERO;
            part.0[0] = parts.output_biases.0[features::bucket(inputs.pieces())];
        }
        for tile in 0..self.layout.tiles {
            let weights = &room.weights[tile * INPUTS..][..INPUTS];
            let sums = &mut room.sums[tile * CHUNK..][..examples.len()];
            for ((inputs, sums), part) in inputs.iter().zip(sums).zip(&mut room.parts) {
                let bucket = features::bucket(inputs.pieces());
                for (half, kept) in sums.iter_mut().enumerate() {
                    let mut sum = parts.biases[tile];
                    for &input in inputs.of(half) {
                        sum.add(&weights[usize::from(input)]);
                    }
                    *kept = sum;
                    let outputs = &parts.outputs[self.layout.output(bucket, half, tile)];
                    for neuron in 0..TILE {
                        let clipped = sum.0[neuron].clamp(0.0, 1.0);
                        part.0[neuron] += clipped * clipped * outputs.0[neuron];
                    }
                }
            }
        }
        for (part, output) in room.parts.iter().zip(&mut room.outputs).take(examples.len()) {
            *output = part.sum();
        }
    }

    /// Adds the gradient of positions that went [`forward`](Self::forward) and whose derivatives by the output
    /// are these.
    fn backward(&self, slopes: &[f32], Gradient { rows, room, .. }: &mut Gradient) {
        let Room { inputs, sums, .. } = room;
        let count = slopes.len();
        let own = self.parts();
        let (feature_rows, rest) = rows.split_at_mut(self.layout.features());
        let (bias_rows, rest) = rest.split_at_mut(self.layout.tiles);
        let (output_rows, rest) = rest.split_at_mut(self.layout.outputs());
        for (inputs, slope) in inputs.iter().zip(slopes).take(count) {
            rest[0].0[features::bucket(inputs.pieces())] += slope;
        }
        for tile in 0..self.layout.tiles {
            let weight_rows = &mut feature_rows[tile * TILE_ROWS..][..TILE_ROWS];
            let sums = &sums[tile * CHUNK..][..count];
            for ((inputs, sums), &slope) in inputs.iter().zip(sums).zip(slopes) {
                let bucket = features::bucket(inputs.pieces());
                for (half, sum) in sums.iter().enumerate() {
                    let place = self.layout.output(bucket, half, tile);
                    let (outputs, output_row) = (&own.outputs[place], &mut output_rows[place]);
                    let mut slopes = Row::ZERO;
                    for neuron in 0..TILE {
                        let clipped = sum.0[neuron].clamp(0.0, 1.0);
                        output_row.0[neuron] += slope * clipped * clipped;
                        // Outside of 0..1 nothing depends on the sum.
                        let inside = if clipped == sum.0[neuron] { 2.0 * clipped } else { 0.0 };
                        slopes.0[neuron] = slope * outputs.0[neuron] * inside;
                    }
                    bias_rows[tile].add(&slopes);
                    for &input in inputs.of(half) {
                        weight_rows[usize::from(input)].add(&slopes);
                    }
                }
            }
        }
    }

    /// Works out the gradient of the squared errors over these positions, each times `weight`, and their sum.
    pub fn gradient(
        &self,
        examples: &[Example],
        target: &(dyn Fn(&Example) -> f32 + Sync),
        weight: f32,
        gradient: &mut Gradient,
    ) {
        gradient.rows.fill(Row::ZERO);
        gradient.loss = 0.0;
        self.add_up_weights(&mut gradient.room);
        for chunk in examples.chunks(CHUNK) {
            self.forward(chunk, &mut gradient.room);
            let mut slopes = [0.0; CHUNK];
            for ((example, output), slope) in chunk.iter().zip(&gradient.room.outputs).zip(&mut slopes) {
                let expected = probability(*output);
                let error = expected - target(example);
                gradient.loss += f64::from(error * error);
                *slope = weight * 2.0 * error * expected * (1.0 - expected);
            }
            self.backward(&slopes[..chunk.len()], gradient);
        }
        self.share_gradient(gradient);
    }

    /// The outputs for these positions.
    pub fn outputs(&self, examples: &[Example], room: &mut Room) -> Vec<f32> {
        let mut outputs = Vec::with_capacity(examples.len());
        self.add_up_weights(room);
        for chunk in examples.chunks(CHUNK) {
            self.forward(chunk, room);
            outputs.extend_from_slice(&room.outputs[..chunk.len()]);
        }
        outputs
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
        })
        .to_vec()
    }

    fn target(example: &Example) -> f32 {
        0.5 * example.points().unwrap() + 0.5 * crate::probability(example.score(), 200.0)
    }

    fn loss(model: &Model, examples: &[Example]) -> f64 {
        let mut room = Room::new(model);
        let outputs = model.outputs(examples, &mut room);
        let error = |(output, example): (f32, &Example)| f64::from(probability(output) - target(example));
        outputs.into_iter().zip(examples).map(|pair| error(pair).powi(2)).sum()
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let examples = examples();
        let mut model = Model::new(64, 3);
        let mut gradient = Gradient::new(&model);
        model.gradient(&examples, &target, 1.0, &mut gradient);
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
        model.gradient(&examples, &target, 1.0, &mut gradient);
        let before = loss(&model, &examples);
        let derivatives: Vec<f32> = gradient.numbers().collect();
        let flat: Vec<usize> = (0..derivatives.len()).filter(|&index| derivatives[index] == 0.0).collect();
        for index in flat.into_iter().step_by(501) {
            *model.number_mut(index).unwrap() += 0.01;
        }
        assert_eq!(loss(&model, &examples), before);
    }
}
