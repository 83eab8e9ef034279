//! Positions that can be played.

use crate::key::{self, PieceKeys};
use crate::{Board, Color, Key, Piece, PositionError, Setup, Square};
use std::ops::Deref;

/// A position that can be played: exactly one king each, at most sixteen pieces a side, no pawn on a last rank, the
/// side that has just moved not in check, every castling right and en passant square a real one. Whether a game can
/// have led there is another question, which [`Position::check_reachable`] answers.
///
/// Built only by [`Position::from_setup`] and by playing moves. Small enough to be copied for each move,
/// which is how a search goes back.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) mailbox: [Option<Piece>; 64],
    pub(crate) piece_keys: PieceKeys,
    pub(crate) state_key: Key,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
}

impl Deref for Position {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl Position {
    /// The start position of standard chess.
    #[must_use]
    pub fn startpos() -> Self {
        Self::from_setup(&Setup::startpos()).expect("the start position is legal")
    }

    /// Checks a setup and makes a position of it.
    ///
    /// An en passant square behind a pawn that cannot be taken is dropped: two positions that allow the
    /// same moves are the same position.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let mut position = Self {
            board: Board::empty(setup.turn, setup.castling_rooks),
            mailbox: setup.board,
            piece_keys: PieceKeys::default(),
            state_key: Key::default(),
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.board.put(piece.color(), piece.role(), square);
                position.piece_keys.toggle(piece, square);
            }
        }
        position.board.update_checks();
        position.check_board()?;
        if let Some(square) = setup.en_passant {
            position.check_en_passant(square)?;
            position.board.en_passant = Some(square).filter(|&square| position.has_legal_en_passant(square));
        }
        position.state_key = key::state(setup.turn, setup.castling_rooks, position.en_passant());
        Ok(position)
    }

    /// What a FEN would say about the position.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.mailbox,
            turn: self.turn(),
            castling_rooks: self.castling_rooks(),
            en_passant: self.en_passant(),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The part of the position that the rules of movement look at. Its methods are the position's too.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// Half-moves since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, counted from 1.
    #[must_use]
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The key of the whole position. Equal for positions that repeat each other; move counters do not
    /// count.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> Key {
        let mut key = self.piece_keys.all();
        key.toggle(self.state_key);
        key
    }

    /// The key of the pawns of both sides.
    #[must_use]
    #[inline]
    pub const fn pawn_key(&self) -> Key {
        self.piece_keys.pawns_and_sides[0]
    }

    /// The key of one side's pieces, pawns excepted.
    #[must_use]
    #[inline]
    pub const fn non_pawn_key(&self, color: Color) -> Key {
        self.piece_keys.pawns_and_sides[1 + color.index()]
    }

    /// The key of the knights and bishops of both sides.
    #[must_use]
    #[inline]
    pub const fn minor_key(&self) -> Key {
        self.piece_keys.weights[0]
    }

    /// The key of the rooks and queens of both sides.
    #[must_use]
    #[inline]
    pub const fn major_key(&self) -> Key {
        self.piece_keys.weights[1]
    }

    /// The same position with colours and sides of the board exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self::from_setup(&self.to_setup().mirrored()).expect("the mirror image of a legal position is legal")
    }
}
