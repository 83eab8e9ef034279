//! An arrangement of pieces that need not make sense yet.

use crate::{Bitboard, Color, Piece, Square};

/// Everything a FEN says, unchecked. [`Position::from_setup`](crate::Position::from_setup) checks it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces by square.
    pub board: [Option<Piece>; 64],
    /// Whose move it is.
    pub turn: Color,
    /// The rooks that may still castle: this names the right in standard chess and Chess960 alike.
    pub castling_rooks: Bitboard,
    /// The square a pawn has just passed, if it moved two steps.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, counted from 1 and up after Black's.
    pub fullmove_number: u16,
}

impl Setup {
    /// A board without pieces, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; 64],
            turn: Color::White,
            castling_rooks: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The same with colours and sides of the board exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = Self {
            board: [None; 64],
            turn: !self.turn,
            castling_rooks: self.castling_rooks.flipped(),
            en_passant: self.en_passant.map(Square::flipped),
            ..*self
        };
        for square in Square::all() {
            mirrored.board[square.flipped().index()] =
                self.board[square.index()].map(|piece| Piece::new(!piece.color(), piece.role()));
        }
        mirrored
    }
}
