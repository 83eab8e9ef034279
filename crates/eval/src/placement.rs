//! What the evaluation looks at: where the pieces stand and whose move it is.

use chess::{Bitboard, Color, Position, Role, Square};

/// Pieces on squares, legal or not: an explanation takes pieces off to find their value, and what
/// is left may not be a position that a game could contain.
#[derive(Copy, Clone)]
pub(crate) struct Placement {
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
    turn: Color,
}

impl Placement {
    #[inline]
    pub(crate) fn new(position: &Position) -> Self {
        Self {
            by_role: Role::ALL.map(|role| position.role(role)),
            by_color: Color::ALL.map(|color| position.side(color)),
            turn: position.turn(),
        }
    }

    /// The same without the piece on a square.
    pub(crate) fn without(&self, square: Square) -> Self {
        Self {
            by_role: self.by_role.map(|pieces| pieces.without(square)),
            by_color: self.by_color.map(|pieces| pieces.without(square)),
            turn: self.turn,
        }
    }

    #[inline]
    pub(crate) const fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub(crate) const fn side(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    #[inline]
    pub(crate) const fn role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.role(role)
    }

    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        Square::from_index(self.pieces(color, Role::King).0.trailing_zeros() as usize)
    }

    /// Everything of a side but king and pawns.
    #[inline]
    pub(crate) fn officers(&self, color: Color) -> Bitboard {
        self.side(color) & !(self.role(Role::Pawn) | self.role(Role::King))
    }

    /// Whether a king stands on one of the files a to d.
    #[inline]
    pub(crate) fn is_king_left(&self, color: Color) -> bool {
        self.king(color).index() & 4 == 0
    }
}
