//! Finds the multipliers of `src/attacks/magics.rs` and prints that file.
//!
//! Tries random numbers with few bits set until one maps every set of blockers to a slot of its own, or
//! to a slot that already holds the same attacks. Takes about a second.

use chess::random::Random;
use chess::{Bitboard, Square};

const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

fn walk(from: Square, steps: [(i8, i8); 4], blockers: Bitboard, without_edge: bool) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for (files, ranks) in steps {
        let mut square = from;
        while let Some(next) = square.offset(files, ranks) {
            if without_edge && next.offset(files, ranks).is_none() {
                break;
            }
            squares = squares.with(next);
            if blockers.has(next) {
                break;
            }
            square = next;
        }
    }
    squares
}

fn find(square: Square, steps: [(i8, i8); 4], random: &mut Random) -> u64 {
    let mask = walk(square, steps, Bitboard::EMPTY, true).0;
    let shift = 64 - mask.count_ones();
    let mut pairs = Vec::new();
    let mut subset = 0u64;
    loop {
        pairs.push((subset, walk(square, steps, Bitboard(subset), false)));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    let mut slots = vec![None; pairs.len()];
    loop {
        let magic = random.bits() & random.bits() & random.bits();
        slots.fill(None);
        let fits = pairs.iter().all(|&(subset, attacks)| {
            let slot = &mut slots[(subset.wrapping_mul(magic) >> shift) as usize];
            *slot.get_or_insert(attacks) == attacks
        });
        if fits {
            return magic;
        }
    }
}

fn main() {
    println!("//! Multipliers for the sliding attacks, found by the example `find_magics`.");
    let mut random = Random::new(1);
    for (name, steps) in [("ROOK", ROOK), ("BISHOP", BISHOP)] {
        println!("\n#[rustfmt::skip]\npub(super) const {name}: [u64; 64] = [");
        for square in Square::all() {
            println!("    {:#018x},", find(square, steps, &mut random));
        }
        println!("];");
    }
}
