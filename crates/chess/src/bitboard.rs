//! Sets of squares as 64-bit integers.

use crate::{Color, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: bit 0 is a1, bit 63 is h8.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All squares.
    pub const FULL: Self = Self(!0);
    /// The squares of the colour of h1.
    pub const LIGHT_SQUARES: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The squares of the colour of a1.
    pub const DARK_SQUARES: Self = Self(!0x55aa_55aa_55aa_55aa);
    /// The first and the eighth rank.
    pub(crate) const BACK_RANKS: Self = Self(0xff00_0000_0000_00ff);

    const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    /// Whether the set holds this square.
    #[must_use]
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether there is no square in the set.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is any square in the set.
    #[must_use]
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two squares or more in the set.
    #[must_use]
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the sets share a square.
    #[must_use]
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// How many squares there are.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square nearest to a1.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The square nearest to h8.
    #[must_use]
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(63 - self.0.leading_zeros() as usize)) }
    }

    /// The only square, if there is exactly one.
    #[must_use]
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.more_than_one() { None } else { self.first() }
    }

    /// The set with this square added.
    #[must_use]
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The set with this square taken out.
    #[must_use]
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bitboard().0)
    }

    /// Every square moved one rank up; the eighth falls off.
    #[must_use]
    #[inline]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// Every square moved one rank down; the first falls off.
    #[must_use]
    #[inline]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// Every square moved one file towards h; the h-file falls off.
    #[must_use]
    #[inline]
    pub const fn east(self) -> Self {
        Self(self.0 << 1 & Self::NOT_A_FILE)
    }

    /// Every square moved one file towards a; the a-file falls off.
    #[must_use]
    #[inline]
    pub const fn west(self) -> Self {
        Self(self.0 >> 1 & Self::NOT_H_FILE)
    }

    /// Every square moved one rank forward as `color` sees it.
    #[must_use]
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// The set seen from the other side of the board.
    #[must_use]
    #[inline]
    pub const fn flipped(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Takes the squares out of a set, from a1 to h8.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
