//! Squares, files and ranks.

use crate::{Bitboard, Color};
use std::fmt;
use std::str::FromStr;

macro_rules! line_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $index:literal),* }, $first:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $($variant = $index),* }

        impl $name {
            /// All eight, in order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// The line with this index; only the low three bits count.
            #[must_use]
            #[inline]
            pub const fn from_index(index: usize) -> Self {
                Self::ALL[index & 7]
            }

            /// 0 to 7.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The letter or digit of the line.
            #[must_use]
            pub const fn to_char(self) -> char {
                ($first + self as u8) as char
            }

            /// The line named by a letter or digit.
            #[must_use]
            pub const fn from_char(c: char) -> Option<Self> {
                let index = (c as u32).wrapping_sub($first as u32);
                if index < 8 { Some(Self::ALL[index as usize]) } else { None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.to_char())
            }
        }
    };
}

line_enum!(
    /// A column of the board.
    File { A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7 }, b'a'
);
line_enum!(
    /// A row of the board.
    Rank { First = 0, Second = 1, Third = 2, Fourth = 3, Fifth = 4, Sixth = 5, Seventh = 6, Eighth = 7 }, b'1'
);

impl File {
    /// The squares of this file.
    #[must_use]
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }

    /// The file on the other wing: a becomes h.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::from_index(7 - self.index())
    }

    /// The files to the left and right.
    #[must_use]
    #[inline]
    pub const fn adjacent(self) -> Bitboard {
        let file = self.bitboard();
        Bitboard(file.east().0 | file.west().0)
    }
}

impl Rank {
    /// The squares of this rank.
    #[must_use]
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u8))
    }

    /// The rank as `color` counts it: White's second is Black's seventh.
    #[must_use]
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::from_index(7 - self.index()),
        }
    }
}

/// One of the 64 squares, counted a1, b1, ... h8.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! named_squares {
    ($($name:ident)*) => {
        #[allow(missing_docs)]
        impl Square {
            named_squares!(@ 0u8; $($name)*);
        }
    };
    (@ $index:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        named_squares!(@ $index + 1; $($rest)*);
    };
    (@ $index:expr;) => {};
}

named_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// The square where a file and a rank meet.
    #[must_use]
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(rank as u8 * 8 + file as u8)
    }

    /// The square with this index; only the low six bits count.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// 0 to 63. The mask spares the bounds check of every table of 64.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..64).map(Self)
    }

    /// The column of the square.
    #[must_use]
    #[inline]
    pub const fn file(self) -> File {
        File::from_index(self.index() & 7)
    }

    /// The row of the square.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.index() >> 3)
    }

    /// The set of this square alone.
    #[must_use]
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// The square some files and ranks away, if it is on the board.
    #[must_use]
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self.0 & 7) as i8 + files;
        let rank = (self.0 >> 3) as i8 + ranks;
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            Some(Self((rank * 8 + file) as u8))
        } else {
            None
        }
    }

    /// One step towards the far end of the board as `color` sees it. Off the board it wraps around, so
    /// only for squares where a pawn of that colour can stand.
    #[must_use]
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self((self.0 + 8) & 63),
            Color::Black => Self(self.0.wrapping_sub(8) & 63),
        }
    }

    /// The same square seen from the other side of the board: e2 becomes e7.
    #[must_use]
    #[inline]
    pub const fn flipped(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// The same square on the other wing: e2 becomes d2.
    #[must_use]
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self(self.0 ^ 7)
    }

    /// The square as `color` sees it: unchanged for White, flipped for Black.
    #[must_use]
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }

    /// Steps a king needs on an empty board.
    #[must_use]
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        if files > ranks { files } else { ranks }
    }

    /// Whether it is a light square, as h1 is.
    #[must_use]
    pub const fn is_light(self) -> bool {
        Bitboard::LIGHT_SQUARES.has(self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square from a1 to h8.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square: squares are written a1 to h8")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut chars = text.chars();
        match (chars.next().and_then(File::from_char), chars.next().and_then(Rank::from_char), chars.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(SquareError),
        }
    }
}
