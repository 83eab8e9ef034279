//! Networks on the disk.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `GZNNUE\r\n` |
//! | 4 | version of the format, 3 |
//! | 4 | inputs, 768 |
//! | 4 | neurons of the first layer for either side |
//! | 4 | sets of weights of the last layer, 8 |
//! | 4 | activation: 1 for clipped and squared |
//! | 4 + 4 | what weights of the first and of the last layer are multiplied with: 511, and 256 or more |
//! | 4 | 1 if its value is to be added to that of the handcrafted evaluation, 0 if it stands alone |
//! | 4 | units of the engine for an output of 1 |
//! | 8 | seed of the training |
//! | 8 | positions it was trained on, every repetition counted |
//! | 2 each | weights of the first layer, input by input |
//! | 2 each | its biases |
//! | 2 each | weights of the last layer, set by set: first those of the side to move, then the other's |
//! | 4 each | its biases, multiplied with both |
//! | 8 | checksum of everything before: FNV-1a, 64 bits |

use crate::{
    BUCKETS, DEFAULT_SCALE, HIDDEN, INPUTS, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT, QA, QB, SQUARE_SHIFT,
    features, kernels,
};
use chess::Position;
use chess::random::Random;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const MAGIC: [u8; 8] = *b"GZNNUE\r\n";
const VERSION: u32 = 3;
const CLIPPED_AND_SQUARED: u32 = 1;
const HEADER_LENGTH: usize = 60;
const CHECKSUM_LENGTH: usize = 8;

/// More neurons than any network has; a header that claims more is refused before it costs memory.
const MAX_HIDDEN: u32 = 1 << 14;

/// Finer units would be lost in the rounding of the first layer.
const MAX_OUTPUT_UNIT: i32 = 4096;

/// Larger scales would leave the range of evaluations.
const MAX_SCALE: i32 = 10_000;

/// Why a network cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NetworkError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no network of Gardez")]
    NotANetwork,
    #[error("its format has version {0}, and this program knows version {VERSION}")]
    Version(u32),
    #[error("it has {found} {what}, and this program plays with {wanted}")]
    Architecture { what: &'static str, found: u32, wanted: u32 },
    #[error("it is too short or too long: {found} bytes instead of {wanted}")]
    Length { found: usize, wanted: usize },
    #[error("it is longer than any network: more than {longest} bytes")]
    TooLong { longest: u64 },
    #[error("it is damaged: its checksum is wrong")]
    Checksum,
    #[error("{0}")]
    Misfit(&'static str),
    #[error("{what} {value} is out of range")]
    Range { what: &'static str, value: i32 },
}

/// A network of any width as it lies on the disk: whole numbers in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFile {
    /// Neurons of the first layer for either side.
    pub hidden: usize,
    /// What weights of the last layer are multiplied with: `QB`, or more where the weights are so small that
    /// they still fit; rounding costs less then.
    pub output_unit: i32,
    /// Whether its value is to be added to that of the handcrafted evaluation, which it was trained to correct.
    pub is_correction: bool,
    /// Units of the engine for an output of 1.
    pub scale: i32,
    /// The seed of its training.
    pub seed: u64,
    /// How many positions it was trained on, every repetition counted.
    pub positions: u64,
    /// Weights of the first layer, input by input.
    pub feature_weights: Vec<i16>,
    /// Biases of the first layer.
    pub feature_biases: Vec<i16>,
    /// Weights of the last layer, set by set, the side to move first.
    pub output_weights: Vec<i16>,
    /// Biases of the last layer, one for each set.
    pub output_biases: Vec<i32>,
}

/// How long the file of a network of this width is.
pub(crate) const fn length(hidden: usize) -> usize {
    HEADER_LENGTH + 2 * hidden * (INPUTS + 1 + 2 * BUCKETS) + 4 * BUCKETS + CHECKSUM_LENGTH
}

/// FNV-1a: cheap, and different for any two rows of bytes that differ in one of them.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Takes numbers off the front of bytes whose length has been checked.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(NetworkError::NotANetwork)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, NetworkError> {
        self.take().map(u64::from_le_bytes)
    }

    fn expect(&mut self, what: &'static str, wanted: u32) -> Result<(), NetworkError> {
        let found = self.u32()?;
        if found == wanted { Ok(()) } else { Err(NetworkError::Architecture { what, found, wanted }) }
    }

    fn i16s(&mut self, count: usize, what: &'static str, max: i16) -> Result<Vec<i16>, NetworkError> {
        (0..count)
            .map(|_| {
                let value = self.take().map(i16::from_le_bytes)?;
                if (-max..=max).contains(&value) {
                    Ok(value)
                } else {
                    Err(NetworkError::Range { what, value: value.into() })
                }
            })
            .collect()
    }

    fn i32s(&mut self, count: usize, what: &'static str, max: i32) -> Result<Vec<i32>, NetworkError> {
        (0..count)
            .map(|_| {
                let value = self.take().map(i32::from_le_bytes)?;
                if (-max..=max).contains(&value) {
                    Ok(value)
                } else {
                    Err(NetworkError::Range { what, value })
                }
            })
            .collect()
    }
}

impl NetworkFile {
    /// A network of this width that says 0 to everything.
    #[must_use]
    pub fn zero(hidden: usize) -> Self {
        Self {
            hidden,
            output_unit: QB,
            is_correction: false,
            scale: DEFAULT_SCALE,
            seed: 0,
            positions: 0,
            feature_weights: vec![0; INPUTS * hidden],
            feature_biases: vec![0; hidden],
            output_weights: vec![0; BUCKETS * 2 * hidden],
            output_biases: vec![0; BUCKETS],
        }
    }

    /// A network with random weights, for measuring speed and for tests.
    #[must_use]
    pub fn random(hidden: usize, seed: u64) -> Self {
        let mut generator = Random::new(seed);
        let mut random = |bound: i16| generator.below(2 * bound as usize + 1) as i16 - bound;
        let mut file = Self::zero(hidden);
        file.seed = seed;
        file.feature_weights.fill_with(|| random(60));
        file.feature_biases.fill_with(|| random(60));
        file.output_weights.fill_with(|| random(20));
        file.output_biases.fill_with(|| i32::from(random(1000)));
        file
    }

    /// Reads a network from a file, unless that is longer than any network.
    ///
    /// # Errors
    /// When it cannot be read, or as [`decode`](Self::decode).
    pub fn open(path: &Path) -> Result<Self, NetworkError> {
        const LONGEST: u64 = length(MAX_HIDDEN as usize) as u64;
        let mut bytes = Vec::new();
        // A device has no length, and a file may grow.
        File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LONGEST {
            return Err(NetworkError::TooLong { longest: LONGEST });
        }
        Self::decode(&bytes)
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// When they are no network, a damaged one, or one of another kind. Any width will do.
    pub fn decode(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut numbers = Numbers(bytes);
        if numbers.take()? != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        let version = numbers.u32()?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        numbers.expect("inputs", INPUTS as u32)?;
        let neurons = numbers.u32()?;
        if neurons == 0 || neurons > MAX_HIDDEN {
            return Err(NetworkError::Architecture {
                what: "neurons",
                found: neurons,
                wanted: HIDDEN as u32,
            });
        }
        let hidden = neurons as usize;
        numbers.expect("output buckets", BUCKETS as u32)?;
        numbers.expect("as activation", CLIPPED_AND_SQUARED)?;
        numbers.expect("as unit of the first layer", QA as u32)?;
        let output_unit = numbers.u32()? as i32;
        let (found, wanted) = (bytes.len(), length(hidden));
        if found != wanted {
            return Err(NetworkError::Length { found, wanted });
        }
        let (content, sum) = bytes.split_at(wanted - CHECKSUM_LENGTH);
        if sum != checksum(content).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        if !(QB..=MAX_OUTPUT_UNIT).contains(&output_unit) {
            return Err(NetworkError::Range { what: "unit of the last layer", value: output_unit });
        }
        let kind = numbers.u32()? as i32;
        if !(0..=1).contains(&kind) {
            return Err(NetworkError::Range { what: "kind", value: kind });
        }
        let scale = numbers.u32()? as i32;
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Range { what: "scale", value: scale });
        }
        Ok(Self {
            hidden,
            output_unit,
            is_correction: kind == 1,
            scale,
            seed: numbers.u64()?,
            positions: numbers.u64()?,
            feature_weights: numbers.i16s(INPUTS * hidden, "a feature weight", MAX_FEATURE_WEIGHT)?,
            feature_biases: numbers.i16s(hidden, "a feature bias", MAX_FEATURE_WEIGHT)?,
            output_weights: numbers.i16s(BUCKETS * 2 * hidden, "an output weight", MAX_OUTPUT_WEIGHT)?,
            output_biases: numbers.i32s(BUCKETS, "an output bias", QA * output_unit * 100)?,
        })
    }

    /// The bytes of its file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length(self.hidden));
        bytes.extend(MAGIC);
        let header = [
            VERSION,
            INPUTS as u32,
            self.hidden as u32,
            BUCKETS as u32,
            CLIPPED_AND_SQUARED,
            QA as u32,
            self.output_unit as u32,
            self.is_correction.into(),
            self.scale as u32,
        ];
        bytes.extend(header.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.positions.to_le_bytes());
        for weights in [&self.feature_weights, &self.feature_biases, &self.output_weights] {
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The value of a position for the side to move, in units of the engine. Computed plainly and slowly, for
    /// networks of any width.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        let inputs = [position.turn(), !position.turn()]
            .map(|view| features::active(position, view).map(|input| input as u16).collect::<Vec<_>>());
        self.evaluate_inputs([&inputs[0], &inputs[1]])
    }

    /// The value of the position with these inputs of the side to move and of the other.
    ///
    /// # Panics
    /// When there is no such input.
    #[must_use]
    pub fn evaluate_inputs(&self, inputs: [&[u16]; 2]) -> i32 {
        let bucket = features::bucket(inputs[0].len() as u32);
        let mut sum = 0_i64;
        for (half, inputs) in inputs.into_iter().enumerate() {
            let mut sums: Vec<i32> = self.feature_biases.iter().map(|&bias| bias.into()).collect();
            for &input in inputs {
                let row = &self.feature_weights[usize::from(input) * self.hidden..][..self.hidden];
                for (sum, &weight) in sums.iter_mut().zip(row) {
                    *sum += i32::from(weight);
                }
            }
            let weights = &self.output_weights[(2 * bucket + half) * self.hidden..][..self.hidden];
            for (sum_of_neuron, &weight) in sums.into_iter().zip(weights) {
                sum += i64::from(kernels::activate(sum_of_neuron) * i32::from(weight));
            }
        }
        to_units(sum, self.output_biases[bucket], self.output_unit, self.scale)
    }
}

/// The finest unit under which all these weights of the last layer fit: rounding costs less the finer it is.
#[must_use]
pub fn finest_output_unit(weights: &[f32]) -> i32 {
    let largest = weights.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
    let fits = |unit: i32| largest * unit as f32 <= f32::from(MAX_OUTPUT_WEIGHT - 1);
    [16, 8, 4, 2].map(|times| times * QB).into_iter().find(|&unit| fits(unit)).unwrap_or(QB)
}

/// Makes units of the engine from the sum of the last layer, which is multiplied with [`QA`] twice, less the bits
/// that squares lose, and with the unit of its weights.
#[inline]
pub(crate) fn to_units(sum: i64, bias: i32, output_unit: i32, scale: i32) -> i32 {
    let output = (sum << SQUARE_SHIFT) / i64::from(QA) + i64::from(bias);
    (output * i64::from(scale) / i64::from(QA * output_unit)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back() {
        for hidden in [32, HIDDEN] {
            let file = NetworkFile {
                scale: 217,
                is_correction: hidden == 32,
                output_unit: 512,
                positions: 1 << 40,
                ..NetworkFile::random(hidden, 3)
            };
            let bytes = file.encode();
            assert_eq!(bytes.len(), length(hidden));
            assert_eq!(NetworkFile::decode(&bytes).unwrap(), file);
        }
    }

    #[test]
    fn every_damage_is_found() {
        let bytes = NetworkFile::random(32, 5).encode();
        for at in (0..bytes.len()).step_by(97).chain(bytes.len() - 8..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(NetworkFile::decode(&damaged).is_err(), "byte {at}");
        }
        for length in (0..bytes.len()).step_by(101) {
            assert!(NetworkFile::decode(&bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn refusals_say_what_is_wrong() {
        let message = |bytes: &[u8]| NetworkFile::decode(bytes).unwrap_err().to_string();
        let file = NetworkFile::random(32, 5);
        let bytes = file.encode();
        let changed = |at: usize, byte: u8| {
            let mut changed = bytes.clone();
            changed[at] = byte;
            message(&changed)
        };
        assert_eq!(message(b"hello"), "it is no network of Gardez");
        assert_eq!(changed(0, b'X'), "it is no network of Gardez");
        assert_eq!(changed(8, 1), "its format has version 1, and this program knows version 3");
        assert_eq!(changed(20, 4), "it has 4 output buckets, and this program plays with 8");
        assert_eq!(changed(60, !bytes[60]), "it is damaged: its checksum is wrong");
        assert!(message(&bytes[..bytes.len() - 1]).starts_with("it is too short or too long"));
        let mut large = file.clone();
        large.output_weights[7] = 600;
        assert_eq!(message(&large.encode()), "an output weight 600 is out of range");
    }
}
