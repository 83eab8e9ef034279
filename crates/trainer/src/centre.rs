//! Puts what every piece of a kind has anyway into its material.
//!
//! Each piece has one square, and each knight, bishop, rook and queen one number of safe squares. A constant
//! can wander between these tables and the material without changing any evaluation, and a tuner lets it
//! wander. Explanations read better when it stays in the material.

use crate::Weight;
use chess::Role;
use eval::Term;
use std::ops::Range;

/// The tables of which each piece of a role uses exactly one weight.
fn tables(role: Role) -> Vec<Range<usize>> {
    let squares = |set: usize| {
        let start = Term::Placement.offset() + (set * 6 + role.index()) * 64;
        start..start + 64
    };
    let mobility = match role {
        Role::Knight => Some(Term::KnightMobility),
        Role::Bishop => Some(Term::BishopMobility),
        Role::Rook => Some(Term::RookMobility),
        Role::Queen => Some(Term::QueenMobility),
        Role::Pawn | Role::King => None,
    };
    // The two sets of squares belong together: a position uses one of them for all pieces of a side.
    let mut tables = vec![squares(0), squares(1)];
    tables.extend(mobility.map(|term| term.offset()..term.offset() + term.weights()));
    tables
}

/// Shifts the mean of each table, weighted by how often its entries are used, into the material.
pub(crate) fn centre(weights: &mut [Weight], usage: &[u64]) {
    for role in Role::ALL {
        let tables = tables(role);
        let (squares, mobility) = tables.split_at(2);
        let squares: Vec<usize> = squares.iter().flat_map(Clone::clone).collect();
        let groups = std::iter::once(squares).chain(mobility.iter().map(|table| table.clone().collect()));
        for group in groups {
            let total: u64 = group.iter().map(|&index| usage[index]).sum();
            if total == 0 {
                continue;
            }
            for half in 0..2 {
                let sum: f64 =
                    group.iter().map(|&index| f64::from(weights[index][half]) * usage[index] as f64).sum();
                let mean = (sum / total as f64) as f32;
                for &index in &group {
                    weights[index][half] -= mean;
                }
                // Both sides have one king, so what it always has is worth nothing.
                if role != Role::King {
                    weights[Term::Material.offset() + role.index()][half] += mean;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::start_weights;
    use chess::Position;

    #[test]
    fn no_evaluation_changes() {
        let weights = start_weights();
        let mut centred = weights.clone();
        let usage: Vec<u64> = (0..weights.len() as u64).map(|index| index * 7 % 13).collect();
        centre(&mut centred, &usage);
        assert_ne!(weights, centred);
        for fen in [
            chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "2r3k1/1p3ppp/p2b4/3P4/1P2B3/P5P1/5P1P/3R2K1 b - - 0 30",
            "6k1/8/3q4/8/8/2NB4/1P6/K7 w - - 0 1",
        ] {
            let trace = eval::trace(&Position::from_fen(fen).unwrap());
            let difference = trace.value(&weights) - trace.value(&centred);
            assert!(difference.abs() < 0.05, "{difference} in {fen}");
        }
    }
}
