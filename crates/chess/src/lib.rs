//! The rules of chess.
//!
//! [`Setup`] is anything a FEN can say; [`Position`] is always legal. Moves are sixteen bits
//! ([`Move`]), generated legal without trying them out. [`Game`] keeps the moves and knows when a game
//! ends, [`pgn`] reads and writes whole games. Nothing here reads files or clocks, prints, or keeps global
//! state.
//!
//! The legal moves of a position:
//!
//! ```
//! use chess::Position;
//!
//! let position = Position::from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")?;
//! let moves: Vec<String> =
//!     position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
//! assert_eq!(moves.len(), 9);
//! assert!(moves.contains(&"a8=Q".to_owned()));
//!
//! let error = Position::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
//! assert_eq!(error.to_string(), "Black has 0 kings");
//! # Ok::<(), chess::FenError>(())
//! ```
//!
//! A game from move to move:
//!
//! ```
//! use chess::{Game, GameResult};
//!
//! let mut game = Game::new();
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     let mv = game.position().parse_san(san)?;
//!     game.play(mv)?;
//! }
//! assert_eq!(game.result(), GameResult::BlackWins);
//! assert_eq!(game.outcome().map(|outcome| outcome.to_string()).as_deref(), Some("White is checkmated"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use chess960::CHESS960_POSITIONS;
pub use coordinates::{CastlingStyle, UciMove, UciMoveError};
pub use epd::{Epd, EpdOperation, EpdScore, EpdWarning};
pub use fen::{FenError, FenField, FenReading, FenStyle, FenWarning, START_FEN, Strictness};
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
