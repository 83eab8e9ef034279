//! The network that plays.

use crate::file::to_units;
use crate::{BUCKETS, HIDDEN, INPUTS, Kernels, NetworkError, NetworkFile, features};
use chess::{Color, Position, Square};
use std::path::Path;

/// The sums of the first layer as one side sees the board, on boundaries that vector instructions like.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Sums(pub(crate) [i16; HIDDEN]);

impl Sums {
    pub(crate) const ZERO: Self = Self([0; HIDDEN]);
}

/// A network that can be played with: its width is [`HIDDEN`].
#[derive(Debug)]
pub struct Network {
    /// By input.
    pub(crate) features: Box<[Sums]>,
    pub(crate) biases: Sums,
    /// By number of pieces; the side to move first.
    outputs: [[Sums; 2]; BUCKETS],
    output_biases: [i32; BUCKETS],
    output_unit: i32,
    is_correction: bool,
    scale: i32,
    pub(crate) kernels: Kernels,
}

impl TryFrom<&NetworkFile> for Network {
    type Error = NetworkError;

    fn try_from(file: &NetworkFile) -> Result<Self, NetworkError> {
        if file.hidden != HIDDEN {
            let (found, wanted) = (file.hidden as u32, HIDDEN as u32);
            return Err(NetworkError::Architecture { what: "neurons", found, wanted });
        }
        let row = |weights: &[i16], index: usize| {
            let mut row = Sums::ZERO;
            row.0.copy_from_slice(&weights[index * HIDDEN..][..HIDDEN]);
            row
        };
        let outputs = |bucket| [0, 1].map(|half| row(&file.output_weights, 2 * bucket + half));
        Ok(Self {
            features: (0..INPUTS).map(|input| row(&file.feature_weights, input)).collect(),
            biases: row(&file.feature_biases, 0),
            outputs: std::array::from_fn(outputs),
            output_biases: std::array::from_fn(|bucket| file.output_biases[bucket]),
            output_unit: file.output_unit,
            is_correction: file.is_correction,
            scale: file.scale,
            kernels: Kernels::choose(),
        })
    }
}

impl Network {
    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// When they are no network, a damaged one, or one that this program cannot play with.
    pub fn decode(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::try_from(&NetworkFile::decode(bytes)?)
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// When it cannot be read, or is none that this program can play with.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        Self::try_from(&NetworkFile::open(path.as_ref())?)
    }

    /// The same network, computed another way.
    #[must_use]
    pub fn with_kernels(self, kernels: Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// Whether its value is to be added to that of the handcrafted evaluation.
    #[must_use]
    pub const fn is_correction(&self) -> bool {
        self.is_correction
    }

    /// The sums of a side worked out from nothing.
    pub(crate) fn sums(&self, position: &Position, view: Color) -> Sums {
        let mut sums = self.biases;
        for input in features::active(position, view) {
            self.kernels.add(&mut sums, &self.features[input]);
        }
        sums
    }

    /// The value of a position for the side to move, from the sums of that side and of the other.
    #[inline]
    pub(crate) fn output(&self, mover: &Sums, other: &Sums, pieces: u32) -> i32 {
        let bucket = features::bucket(pieces);
        let [mover_weights, other_weights] = &self.outputs[bucket];
        let sum = self.kernels.dot(mover, mover_weights) + self.kernels.dot(other, other_weights);
        to_units(sum, self.output_biases[bucket], self.output_unit, self.scale)
    }

    /// The value of a position for the side to move, in units of the engine.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        let turn = position.turn();
        let (mover, other) = (self.sums(position, turn), self.sums(position, !turn));
        self.output(&mover, &other, position.occupied().count())
    }

    /// Its value for the side to move if the piece on a square, which is no king, were not there. That
    /// need not be a legal position.
    #[must_use]
    pub fn evaluate_without(&self, position: &Position, square: Square) -> i32 {
        let Some(piece) = position.piece_on(square) else { return self.evaluate(position) };
        let sums = |view| {
            let mut sums = self.sums(position, view);
            let mirrored = features::is_mirrored(position.king(view));
            self.kernels.subtract(&mut sums, &self.features[features::index(view, mirrored, piece, square)]);
            sums
        };
        let turn = position.turn();
        self.output(&sums(turn), &sums(!turn), position.occupied().count() - 1)
    }
}
