//! The rules of chess.
//!
//! [`Setup`] is anything a FEN can say; [`Position`] is always legal. Moves are sixteen bits
//! ([`Move`]), generated legal without trying them out. Nothing here reads files, prints, or keeps
//! global state.

#![deny(unsafe_code)]

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod chess960;
mod coordinates;
mod epd;
mod fen;
mod game;
mod illegal;
mod key;
mod legality;
mod make;
mod movegen;
mod moves;
pub mod outcome;
pub mod perft;
pub mod pgn;
mod piece;
mod polyglot;
mod polyglot_random;
mod position;
pub mod random;
mod reversible;
mod san;
pub mod see;
mod setup;
mod square;
mod validity;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::CastlingSide;
pub use chess960::{CHESS960_POSITIONS, STANDARD_CHESS960_NUMBER};
pub use coordinates::{CastlingStyle, UciMove, UciMoveError};
pub use epd::{Epd, EpdOperation, EpdScore, EpdWarning};
pub use fen::{FenError, FenField, FenStyle, START_FEN};
pub use game::{ClaimError, Game, GameOver, PlayError, Ply, Variant};
pub use illegal::IllegalReason;
pub use key::Key;
pub use make::Observer;
pub use movegen::{All, Noisy, Quiet, Selection};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use outcome::{GameResult, Outcome, Reason};
pub use piece::{Color, Piece, Role};
pub use position::Position;
pub use san::{San, SanError};
pub use setup::Setup;
pub use square::{File, Rank, Square, SquareError};
pub use validity::PositionError;
