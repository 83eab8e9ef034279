//! The rules of chess.
//!
//! [`Setup`] is anything a FEN can say; [`Position`] is always legal. Moves are sixteen bits
//! ([`Move`]), generated legal without trying them out. Nothing here reads files, prints, or keeps
//! global state.

#![deny(unsafe_code)]

pub mod attacks;
mod bitboard;
mod fen;
mod key;
mod make;
mod movegen;
mod moves;
pub mod perft;
mod piece;
mod position;
mod setup;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use key::Key;
pub use make::Observer;
pub use movegen::{All, Noisy, Quiet, Selection};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Color, Piece, Role};
pub use position::{CastlingSide, Position, PositionError};
pub use setup::Setup;
pub use square::{File, Rank, Square, SquareError};
