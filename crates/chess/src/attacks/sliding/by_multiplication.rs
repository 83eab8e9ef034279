//! By multiplication with numbers that the example `find_magics` has found. Many ways to occupy a line lead to the same
//! attacks, of which there are at most 144 on a square. So the large table holds a byte that says which of them it is,
//! and the small one the attacks: together 158 kB instead of 861.

use super::super::magics;
use super::{BISHOP_STEPS, ROOK_STEPS, TABLE_SIZE, line_attacks, lines, relevant_squares};
use crate::{Bitboard, Square};

/// How one square finds its attacks in the tables.
#[derive(Copy, Clone)]
struct Lookup {
    mask: u64,
    magic: u64,
    shift: u32,
    /// Where its part of the large table begins.
    offset: u32,
    /// Where its attacks begin in the small one.
    first: u32,
}

/// Attacks that differ, over all squares and both sliders.
const ATTACKS: usize = 6328;

struct Tables {
    rook: [Lookup; 64],
    bishop: [Lookup; 64],
    numbers: [u8; TABLE_SIZE],
    attacks: [u64; ATTACKS],
}

/// What one of the two lines of a slider adds, for each way in which its squares can be occupied.
struct SliderLine {
    count: usize,
    occupied: [u64; 64],
    /// Which of the different attacks it is.
    numbers: [u8; 64],
    /// The different attacks: at most four ways to end on the one side, times three on the other.
    attacks: [u64; 12],
    different: usize,
}

impl SliderLine {
    /// A line of a slider, of which the squares under the mask matter.
    const fn new(slider: u64, line: u64, mask: u64) -> Self {
        let mut result =
            Self { count: 0, occupied: [0; 64], numbers: [0; 64], attacks: [0; 12], different: 0 };
        let relevant = line & mask;
        let mut occupied = 0u64;
        loop {
            let attacks = line_attacks(slider, line, occupied);
            let mut number = 0;
            while number < result.different && result.attacks[number] != attacks {
                number += 1;
            }
            if number == result.different {
                result.attacks[number] = attacks;
                result.different += 1;
            }
            result.occupied[result.count] = occupied;
            result.numbers[result.count] = number as u8;
            result.count += 1;
            // The next set of the relevant squares, until there are none left.
            occupied = occupied.wrapping_sub(relevant) & relevant;
            if occupied == 0 {
                return result;
            }
        }
    }
}

const fn build() -> Tables {
    let nothing = Lookup { mask: 0, magic: 0, shift: 0, offset: 0, first: 0 };
    let mut tables = Tables {
        rook: [nothing; 64],
        bishop: [nothing; 64],
        numbers: [0; TABLE_SIZE],
        attacks: [0; ATTACKS],
    };
    let (mut offset, mut next) = (0, 0);
    let mut index = 0;
    while index < 128 {
        let is_rook = index < 64;
        let square = Square::from_index(index);
        let steps = if is_rook { ROOK_STEPS } else { BISHOP_STEPS };
        let mask = relevant_squares(square, steps);
        let magic = if is_rook { magics::ROOK[index] } else { magics::BISHOP[index & 63] };
        let lookup = Lookup { mask, magic, shift: 64 - mask.count_ones(), offset, first: next as u32 };
        let slider = square.bitboard().0;
        let [first, second] = lines(square, steps);
        let first = SliderLine::new(slider, first, mask);
        let second = SliderLine::new(slider, second, mask);
        let mut i = 0;
        while i < first.different {
            let mut j = 0;
            while j < second.different {
                tables.attacks[next] = first.attacks[i] | second.attacks[j];
                next += 1;
                j += 1;
            }
            i += 1;
        }
        let mut i = 0;
        while i < first.count {
            let mut j = 0;
            while j < second.count {
                let slot = lookup.slot(first.occupied[i] | second.occupied[j]);
                tables.numbers[slot] = first.numbers[i] * second.different as u8 + second.numbers[j];
                j += 1;
            }
            i += 1;
        }
        if is_rook {
            tables.rook[index] = lookup;
        } else {
            tables.bishop[index & 63] = lookup;
        }
        offset += 1 << mask.count_ones();
        index += 1;
    }
    assert!(offset as usize == TABLE_SIZE && next == ATTACKS);
    tables
}

#[allow(long_running_const_eval)]
static TABLES: Tables = build();

impl Lookup {
    #[inline]
    const fn slot(&self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }

    #[inline]
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        let number = TABLES.numbers[self.slot(occupied.0)];
        Bitboard(TABLES.attacks[self.first as usize + usize::from(number)])
    }
}

#[inline]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    TABLES.rook[square.index()].attacks(occupied)
}

#[inline]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    TABLES.bishop[square.index()].attacks(occupied)
}
