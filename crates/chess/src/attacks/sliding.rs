//! Rook and bishop attacks by one table lookup.
//!
//! Only the occupied squares inside a piece's own lines, without their last squares, can change what it
//! attacks: at most 12 for a rook and 9 for a bishop. Each set of them is hashed to an index without
//! wrong collisions: with PEXT by packing the bits together, elsewhere by a "magic" multiplication.
//! Idea: Lasse Hansen and Pradyumna Kannan (magics), Gerd Isenberg (PEXT). The multipliers are found by
//! the example `find_magics`.

#[cfg(fast_pext)]
use super::pext::{deposit_bits, extract_bits};
use super::{BISHOP_STEPS, ROOK_STEPS, Step, ray};
use crate::{Bitboard, Square};

/// How this build finds the attacks of a sliding piece in their table.
pub const METHOD: &str = if cfg!(fast_pext) { "PEXT" } else { "multiplication" };

/// How one square finds its attacks in the table.
#[derive(Copy, Clone)]
struct Lookup {
    mask: u64,
    /// All squares of the slider's lines.
    #[cfg(fast_pext)]
    lines: u64,
    #[cfg(not(fast_pext))]
    magic: u64,
    #[cfg(not(fast_pext))]
    shift: u32,
    offset: u32,
}

const TABLE_SIZE: usize = 0x1a480;

/// What the table holds: with PEXT the attacked ones among the squares of the slider's lines, packed together, for a
/// table a quarter as large leaves the cache to others.
#[cfg(fast_pext)]
type Packed = u16;
#[cfg(not(fast_pext))]
type Packed = u64;

struct Tables {
    rook: [Lookup; 64],
    bishop: [Lookup; 64],
    attacks: [Packed; TABLE_SIZE],
}

/// [`extract_bits`] for the compiler, which has no instructions.
#[cfg(fast_pext)]
const fn packed(mut bits: u64, mask: u64) -> u16 {
    let mut packed = 0;
    while bits != 0 {
        let below = (bits & bits.wrapping_neg()) - 1;
        packed |= 1 << (mask & below).count_ones();
        bits &= bits - 1;
    }
    packed
}

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

/// Attacks along one line in both directions. Subtracting the slider from the blockers borrows its way
/// to the first of them; the other direction is the same on the reversed board. It costs the compiler a
/// tenth of walking square by square.
const fn line_attacks(slider: u64, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// What one of the two lines of a slider adds, for each way in which its squares can be occupied.
struct SliderLine {
    count: usize,
    attacks: [Packed; 64],
    #[cfg(not(fast_pext))]
    occupied: [u64; 64],
    #[cfg(fast_pext)]
    slots: [u16; 64],
}

impl SliderLine {
    /// A line of a slider that has these lines in all, of which the squares under the mask matter.
    const fn new(slider: u64, line: u64, lines: u64, mask: u64) -> Self {
        let mut result = Self {
            count: 0,
            attacks: [0; 64],
            #[cfg(not(fast_pext))]
            occupied: [0; 64],
            #[cfg(fast_pext)]
            slots: [0; 64],
        };
        let relevant = line & mask;
        let mut occupied = 0u64;
        loop {
            let attacks = line_attacks(slider, line, occupied);
            #[cfg(fast_pext)]
            {
                result.attacks[result.count] = packed(attacks, lines);
                result.slots[result.count] = packed(occupied, mask);
            }
            #[cfg(not(fast_pext))]
            {
                result.attacks[result.count] = attacks & lines;
                result.occupied[result.count] = occupied;
            }
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
    let nothing = Lookup {
        mask: 0,
        #[cfg(fast_pext)]
        lines: 0,
        #[cfg(not(fast_pext))]
        magic: 0,
        #[cfg(not(fast_pext))]
        shift: 0,
        offset: 0,
    };
    let mut tables = Tables { rook: [nothing; 64], bishop: [nothing; 64], attacks: [0; TABLE_SIZE] };
    let mut offset = 0;
    let mut index = 0;
    while index < 128 {
        let is_rook = index < 64;
        let square = Square::from_index(index);
        let steps = if is_rook { ROOK_STEPS } else { BISHOP_STEPS };
        let mask = relevant_squares(square, steps);
        let slider = square.bitboard().0;
        // The steps of a slider come as two pairs of opposite directions.
        let first_line = ray(square, steps[0], Bitboard::EMPTY).0 | ray(square, steps[2], Bitboard::EMPTY).0;
        let second_line = ray(square, steps[1], Bitboard::EMPTY).0 | ray(square, steps[3], Bitboard::EMPTY).0;
        let lines = first_line | second_line;
        let lookup = Lookup {
            mask,
            #[cfg(fast_pext)]
            lines,
            #[cfg(not(fast_pext))]
            magic: if is_rook { super::magics::ROOK[index] } else { super::magics::BISHOP[index & 63] },
            #[cfg(not(fast_pext))]
            shift: 64 - mask.count_ones(),
            offset,
        };
        let first = SliderLine::new(slider, first_line, lines, mask);
        let second = SliderLine::new(slider, second_line, lines, mask);
        let mut i = 0;
        while i < first.count {
            let mut j = 0;
            while j < second.count {
                #[cfg(fast_pext)]
                let slot = first.slots[i] | second.slots[j];
                #[cfg(not(fast_pext))]
                let slot =
                    (first.occupied[i] | second.occupied[j]).wrapping_mul(lookup.magic) >> lookup.shift;
                tables.attacks[offset as usize + slot as usize] = first.attacks[i] | second.attacks[j];
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
    assert!(offset as usize == TABLE_SIZE);
    tables
}

#[allow(long_running_const_eval)]
static TABLES: Tables = build();

impl Lookup {
    #[inline]
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        #[cfg(fast_pext)]
        let slot = extract_bits(occupied.0, self.mask) as usize;
        #[cfg(not(fast_pext))]
        let slot = ((occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift) as usize;
        let packed = TABLES.attacks[self.offset as usize + slot];
        #[cfg(fast_pext)]
        return Bitboard(deposit_bits(packed.into(), self.lines));
        #[cfg(not(fast_pext))]
        Bitboard(packed)
    }
}

/// Squares a rook attacks over these occupied squares, the first one in each direction included.
#[must_use]
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    TABLES.rook[square.index()].attacks(occupied)
}

/// Squares a bishop attacks over these occupied squares, the first one in each direction included.
#[must_use]
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    TABLES.bishop[square.index()].attacks(occupied)
}

#[cfg(test)]
mod tests {
    use super::super::walk;
    use super::*;

    #[test]
    fn every_lookup_equals_the_walk() {
        for square in Square::all() {
            for (steps, fast) in
                [(ROOK_STEPS, rook as fn(Square, Bitboard) -> Bitboard), (BISHOP_STEPS, bishop)]
            {
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
}
