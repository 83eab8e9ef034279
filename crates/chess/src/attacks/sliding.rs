//! Rook and bishop attacks by table lookup.
//!
//! Only the occupied squares inside a piece's own lines, without their last squares, can change what it
//! attacks: at most 12 for a rook and 9 for a bishop. Each set of them is hashed to an index without
//! wrong collisions: with PEXT by packing the bits together (`by_extraction`), elsewhere by a "magic" multiplication
//! (`by_multiplication`). The build script chooses; asking the processor at every lookup costs more than PEXT gains.
//! Idea: Lasse Hansen and Pradyumna Kannan (magics), Gerd Isenberg (PEXT).

#[cfg(fast_pext)]
mod by_extraction;
#[cfg(any(test, not(fast_pext)))]
mod by_multiplication;

use super::{BISHOP_STEPS, ROOK_STEPS, Step, ray};
use crate::{Bitboard, Square};
#[cfg(fast_pext)]
use by_extraction as tables;
#[cfg(not(fast_pext))]
use by_multiplication as tables;

/// How this build finds the attacks of a sliding piece in their table.
pub const METHOD: &str = if cfg!(fast_pext) { "PEXT" } else { "multiplication" };

/// Ways to occupy the relevant squares, over all squares and both sliders.
const TABLE_SIZE: usize = 0x1a480;

/// The squares whose occupation matters to a slider: its lines without their last squares.
#[must_use]
pub(crate) const fn relevant_squares(square: Square, steps: [Step; 4]) -> u64 {
    let mut mask = 0;
    let mut i = 0;
    while i < 4 {
        let line = ray(square, steps[i], Bitboard::EMPTY).0;
        let mut last = square;
        while let Some(next) = last.offset(steps[i].0, steps[i].1) {
            last = next;
        }
        mask |= line & !last.bitboard().0;
        i += 1;
    }
    mask
}

/// The lines of the piece, each in both directions.
const fn lines(square: Square, steps: [Step; 4]) -> [u64; 2] {
    // The steps of a slider come as two pairs of opposite directions.
    let first = ray(square, steps[0], Bitboard::EMPTY).0 | ray(square, steps[2], Bitboard::EMPTY).0;
    let second = ray(square, steps[1], Bitboard::EMPTY).0 | ray(square, steps[3], Bitboard::EMPTY).0;
    [first, second]
}

/// Attacks along one line in both directions. Subtracting the slider from the blockers borrows its way
/// to the first of them; the other direction is the same on the reversed board. It costs the compiler a
/// tenth of walking square by square.
const fn line_attacks(slider: u64, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// Squares a rook attacks over these occupied squares, the first one in each direction included.
#[must_use]
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    tables::rook(square, occupied)
}

/// Squares a bishop attacks over these occupied squares, the first one in each direction included.
#[must_use]
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    tables::bishop(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::super::walk;
    use super::*;

    type Attacks = fn(Square, Bitboard) -> Bitboard;

    fn check(rook: Attacks, bishop: Attacks) {
        for square in Square::all() {
            for (steps, fast) in [(ROOK_STEPS, rook), (BISHOP_STEPS, bishop)] {
                let mask = relevant_squares(square, steps);
                let outside = !mask & !square.bitboard().0;
                let mut subset = 0u64;
                loop {
                    // What stands outside the mask must not matter, nor the slider's own square.
                    for occupied in [subset, subset | outside, subset | square.bitboard().0] {
                        let slow = walk(square, steps, Bitboard(subset));
                        assert_eq!(fast(square, Bitboard(occupied)), slow, "{square} over {subset:#x}");
                    }
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn every_lookup_equals_the_walk() {
        check(rook, bishop);
    }

    #[test]
    fn every_lookup_by_multiplication_equals_the_walk() {
        check(by_multiplication::rook, by_multiplication::bishop);
    }
}
