//! The move lists made in advance that ChessBin and JavaChess share: for each square where a piece can go
//! from there on an empty board, ray by ray. Both programs count the squares from a8.

use chess::{Color, Square};

/// Squares as both count them: a8 is 0, h8 7, a1 56, h1 63.
pub(crate) const fn number(square: Square) -> u8 {
    square.index() as u8 ^ 56
}

/// The square of a number; only the low six bits count.
pub(crate) const fn square(number: u8) -> Square {
    Square::from_index((number ^ 56) as usize)
}

pub(crate) const fn bit(number: u8) -> u64 {
    1 << (number & 63)
}

/// Squares to go to, in order: along a ray, or in any order for a leap.
#[derive(Copy, Clone)]
pub(crate) struct Targets {
    squares: [u8; 8],
    len: usize,
}

impl Targets {
    const NONE: Self = Self { squares: [0; 8], len: 0 };

    pub(crate) fn iter(&self) -> impl Iterator<Item = u8> {
        self.squares[..self.len].iter().copied()
    }
}

const ROOK_DIRECTIONS: [(i8, i8); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// The squares from each square in one direction, up to seven steps.
const fn rays(direction: (i8, i8)) -> [Targets; 64] {
    let mut all = [Targets::NONE; 64];
    let mut from = 0;
    while from < 64 {
        let (mut file, mut row) = (from % 8 + direction.0, from / 8 + direction.1);
        while file >= 0 && file < 8 && row >= 0 && row < 8 {
            let targets = &mut all[from as usize];
            targets.squares[targets.len] = (row * 8 + file) as u8;
            targets.len += 1;
            file += direction.0;
            row += direction.1;
        }
        from += 1;
    }
    all
}

/// The squares one leap away from each square.
const fn leaps(steps: [(i8, i8); 8]) -> [Targets; 64] {
    let mut all = [Targets::NONE; 64];
    let mut from = 0i8;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (file, row) = (from % 8 + steps[i].0, from / 8 + steps[i].1);
            if file >= 0 && file < 8 && row >= 0 && row < 8 {
                let targets = &mut all[from as usize];
                targets.squares[targets.len] = (row * 8 + file) as u8;
                targets.len += 1;
            }
            i += 1;
        }
        from += 1;
    }
    all
}

const fn four_rays(directions: [(i8, i8); 4]) -> [[Targets; 64]; 4] {
    [rays(directions[0]), rays(directions[1]), rays(directions[2]), rays(directions[3])]
}

pub(crate) static ROOK_RAYS: [[Targets; 64]; 4] = four_rays(ROOK_DIRECTIONS);
pub(crate) static BISHOP_RAYS: [[Targets; 64]; 4] = four_rays(BISHOP_DIRECTIONS);
pub(crate) static KING_LEAPS: [Targets; 64] =
    leaps([(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);
pub(crate) static KNIGHT_LEAPS: [Targets; 64] =
    leaps([(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)]);

/// One step of a pawn, for squares where one can stand.
pub(crate) const fn pawn_step(color: Color, from: u8) -> u8 {
    match color {
        Color::White => from.wrapping_sub(8) & 63,
        Color::Black => from.wrapping_add(8) & 63,
    }
}

/// The squares a pawn attacks.
pub(crate) fn pawn_captures(color: Color, from: u8) -> impl Iterator<Item = u8> {
    let (file, row) = (from % 8, from / 8);
    let ahead = match color {
        Color::White => row.checked_sub(1),
        Color::Black => Some(row + 1).filter(|&row| row < 8),
    };
    let files = [file.checked_sub(1), Some(file + 1).filter(|&file| file < 8)];
    files.into_iter().flatten().filter_map(move |file| Some(ahead? * 8 + file))
}

/// The squares of a set, in order.
pub(crate) fn numbers(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let number = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_from_a8() {
        let numbers = [(Square::A8, 0), (Square::H8, 7), (Square::E1, 60), (Square::H1, 63)];
        for (named, counted) in numbers {
            assert_eq!(number(named), counted);
            assert_eq!(square(counted), named);
        }
    }

    #[test]
    fn a_king_in_the_middle_has_eight_ways_and_a_bishop_in_the_corner_one_ray() {
        let middle = number(Square::E4) as usize;
        assert_eq!(KING_LEAPS[middle].len, 8);
        let corner = number(Square::A1) as usize;
        let lengths: Vec<usize> = BISHOP_RAYS.iter().map(|rays| rays[corner].len).collect();
        assert_eq!(lengths.iter().filter(|&&len| len > 0).count(), 1);
        assert_eq!(lengths.iter().sum::<usize>(), 7);
    }
}
