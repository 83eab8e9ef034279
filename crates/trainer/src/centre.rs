//! Puts what every piece of a kind has anyway into its material.
//!
//! Each piece has one square, and each knight, bishop, rook and queen one number of safe squares. A constant
//! can wander between these tables and the material without changing any evaluation, and a tuner lets it
//! wander. Explanations read better when it stays in the material.

use crate::Weight;
use chess::Role;
use eval::Term;

/// The groups of weights of which each piece of a role uses exactly one: its squares, in both sets of tables,
/// and its mobility.
fn groups(role: Role) -> Vec<Vec<usize>> {
    let table = |set: usize| {
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
    let mut groups = vec![table(0).chain(table(1)).collect()];
    groups.extend(mobility.map(|term| (term.offset()..term.offset() + term.weights()).collect()));
    groups
}

/// Shifts the mean of each group, weighted by how often its weights are used, into the material.
pub(crate) fn centre(weights: &mut [Weight], usage: &[u64]) {
    for role in Role::ALL {
        for group in groups(role) {
            let mean = mean(weights, usage, &group);
            for &index in &group {
                weights[index] = [weights[index][0] - mean[0], weights[index][1] - mean[1]];
            }
            // Both sides have one king, so what it always has counts for nothing.
            if role != Role::King {
                let material = &mut weights[Term::Material.offset() + role.index()];
                *material = [material[0] + mean[0], material[1] + mean[1]];
            }
        }
    }
}

fn mean(weights: &[Weight], usage: &[u64], group: &[usize]) -> Weight {
    let total: u64 = group.iter().map(|&index| usage[index]).sum();
    [0, 1].map(|half| {
        let sum: f64 = group.iter().map(|&index| f64::from(weights[index][half]) * usage[index] as f64).sum();
        (sum / total.max(1) as f64) as f32
    })
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
