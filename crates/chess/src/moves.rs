//! Moves in sixteen bits, and lists of them on the stack.

use crate::{Role, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::num::NonZeroU16;

/// What is special about a move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Any move that only takes the piece from one square to another, capture or not.
    Normal,
    /// A pawn becomes another piece.
    Promotion(Role),
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// The king castles; the move goes from the king's square to its rook's.
    Castling,
}

/// A move: six bits each for origin and destination, four for the kind. Never all zero, so that
/// `Option<Move>` takes no more room.
///
/// Castling is written as the king taking its own rook, which is unambiguous in Chess960 too.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const KIND_SHIFT: u16 = 12;
const PROMOTION: u16 = 4;
const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;

impl Move {
    #[inline]
    const fn pack(from: Square, to: Square, kind: u16) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | kind << KIND_SHIFT;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Only a1a1 packs to zero, and no rule lets a piece stay where it is.
            None => Self(NonZeroU16::MAX),
        }
    }

    /// A move that is neither promotion, en passant nor castling.
    #[must_use]
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0)
    }

    /// A pawn's move to the last rank. A role that a pawn cannot become is taken as a queen.
    #[must_use]
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Self {
        let code = match role {
            Role::Knight => 0,
            Role::Bishop => 1,
            Role::Rook => 2,
            Role::Queen | Role::Pawn | Role::King => 3,
        };
        Self::pack(from, to, PROMOTION | code)
    }

    /// A pawn takes a pawn en passant; `to` is the empty square behind the captured pawn.
    #[must_use]
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, EN_PASSANT)
    }

    /// The king castles with the rook on `rook`.
    #[must_use]
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, CASTLING)
    }

    /// Where the piece stands.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// Where the piece goes; for castling, where the rook stands.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6) as usize)
    }

    /// What is special about it.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> KIND_SHIFT {
            EN_PASSANT => MoveKind::EnPassant,
            CASTLING => MoveKind::Castling,
            4 => MoveKind::Promotion(Role::Knight),
            5 => MoveKind::Promotion(Role::Bishop),
            6 => MoveKind::Promotion(Role::Rook),
            7 => MoveKind::Promotion(Role::Queen),
            _ => MoveKind::Normal,
        }
    }

    /// What the pawn becomes, if the move is a promotion.
    #[must_use]
    #[inline]
    pub const fn promotes_to(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Whether it is castling.
    #[must_use]
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> KIND_SHIFT == CASTLING
    }

    /// Whether it is an en passant capture.
    #[must_use]
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> KIND_SHIFT == EN_PASSANT
    }

    /// Whether it is a promotion.
    #[must_use]
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> KIND_SHIFT & PROMOTION != 0
    }

    /// The sixteen bits, for tables and files.
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// A move from its sixteen bits, unless they are zero or name no kind of move. It may still be
    /// illegal anywhere; see [`Position::is_legal`](crate::Position::is_legal).
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match bits >> KIND_SHIFT {
            0..=2 | 4..=7 => match NonZeroU16::new(bits) {
                Some(bits) => Some(Self(bits)),
                None => None,
            },
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal => Ok(()),
            MoveKind::Promotion(role) => write!(f, "{}", role.to_char().to_ascii_lowercase()),
            MoveKind::EnPassant => f.write_str(" e.p."),
            MoveKind::Castling => f.write_str(" castling"),
        }
    }
}

/// The most moves any position allows. Those that a game leads to have 218 at most; fifteen queens and a king on an
/// empty board, counted apart, have no more than this.
pub const MAX_MOVES: usize = 15 * 27 + 8;

/// A list of moves that needs no heap.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
