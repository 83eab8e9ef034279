//! The network that judges positions.
//!
//! Each side sees the board from its own end, as 768 inputs: which piece of which side stands where. If its
//! king is on files e to h, it sees everything mirrored, so the network learns each pattern once. A first
//! layer of [`HIDDEN`] neurons sums the weights of the pieces for either side; its outputs, clipped to 0..1 and
//! squared, go with one set of weights for each number of pieces into the value for the side to move.
//!
//! [`Accumulators`] keep those sums along the line a search looks at. [`NetworkFile`] is what lies on the disk,
//! and the plain way to compute a value; [`Network`] is what plays.
//!
//! # Examples
//! ```
//! use chess::Position;
//! use nnue::{Accumulators, HIDDEN, Network, NetworkFile};
//! use std::sync::Arc;
//!
//! let network = Arc::new(Network::try_from(&NetworkFile::random(HIDDEN, 1))?);
//! let mut position = Position::startpos();
//! let mut line = Accumulators::new(Arc::clone(&network), 10);
//! line.reset(&position);
//! let mv = position.legal_moves()[0];
//! line.play(&mut position, mv);
//! assert_eq!(line.evaluate(&position), network.evaluate(&position));
//! # Ok::<(), nnue::NetworkError>(())
//! ```

#![deny(unsafe_code)]

mod accumulator;
mod embedded;
mod ensemble;
pub mod features;
mod file;
mod kernels;
mod network;

pub use accumulator::Accumulators;
pub use embedded::{IS_EMBEDDED, embedded};
pub use file::{NetworkError, NetworkFile, checksum, finest_output_unit};
pub use kernels::Kernels;
pub use network::Network;

/// Neurons of the first layer for either side: those of the network that is built in. A network file must have as many to
/// be played with; a multiple of 32, at most 1024.
pub const HIDDEN: usize = number(env!("GARDEZ_HIDDEN"));

/// Inputs of the first layer: twelve pieces on 64 squares.
pub const INPUTS: usize = 768;

/// Sets of weights of the last layer, chosen by the number of pieces.
pub const BUCKETS: usize = 8;

/// Weights of the first layer are kept in units of `1 / QA`.
pub const QA: i32 = 511;

/// Weights of the last layer are kept in units of `1 / QB`, or in finer ones if the file says so.
pub(crate) const QB: i32 = 256;

/// Units of the engine for an output of 1, unless the file says otherwise.
pub(crate) const DEFAULT_SCALE: i32 = 400;

/// No weight of a trained network goes beyond this, before it is rounded.
pub const MAX_WEIGHT: f32 = 1.94;

/// The largest rounded weight of the first layer: thirty-two pieces and the bias never leave 16 bits.
const MAX_FEATURE_WEIGHT: i16 = 992;

/// The largest rounded weight of the last layer: the sum over 1024 neurons never leaves 32 bits in any lane.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 512;

/// Bits that squares of clipped sums lose, to fit into 16.
const SQUARE_SHIFT: i32 = 3;

const _: () = assert!(HIDDEN.is_multiple_of(32) && HIDDEN <= 1024);

/// A number that the build script wrote.
const fn number(text: &str) -> usize {
    match usize::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("the build script gives a number"),
    }
}
