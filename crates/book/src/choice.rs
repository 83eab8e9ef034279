//! Choosing among the moves of a book.

use crate::BookMove;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Chance with a seed, the same on every machine (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way for the same seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice that nobody can foresee.
    #[must_use]
    pub fn unforeseen() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// One of the moves, each as likely as its weight says; none if all weights are 0.
pub fn choose(moves: &[BookMove], dice: &mut Dice) -> Option<BookMove> {
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    let mut point = ((u128::from(dice.roll()) * u128::from(total)) >> 64) as u64;
    moves.iter().copied().find(|known| {
        let weight = u64::from(known.weight);
        let found = point < weight;
        point = point.saturating_sub(weight);
        found
    })
}

/// The heaviest of the moves, the first of them if there are several; none if all weights are 0.
#[must_use]
pub fn best(moves: &[BookMove]) -> Option<BookMove> {
    let heaviest = moves.iter().map(|known| known.weight).max()?;
    moves.iter().copied().find(|known| known.weight == heaviest && heaviest > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn moves(weights: &[u32]) -> Vec<BookMove> {
        let legal = Position::startpos().legal_moves();
        legal.into_iter().zip(weights).map(|(mv, &weight)| BookMove { mv, weight }).collect()
    }

    #[test]
    fn choices_follow_the_weights() {
        let moves = moves(&[0, 100, 300, 0, 600, 0]);
        let mut counts = [0; 6];
        let mut dice = Dice::new(5);
        for _ in 0..10_000 {
            let chosen = choose(&moves, &mut dice).expect("some weight");
            counts[moves.iter().position(|known| *known == chosen).expect("one of them")] += 1;
        }
        assert_eq!((counts[0], counts[3], counts[5]), (0, 0, 0));
        for (index, share) in [(1, 1000), (2, 3000), (4, 6000)] {
            assert!((share - 200..share + 200).contains(&counts[index]), "{counts:?}");
        }
    }

    #[test]
    fn the_same_seed_chooses_the_same() {
        let moves = moves(&[1; 20]);
        let chosen = |seed| {
            let mut dice = Dice::new(seed);
            (0..20).map(|_| choose(&moves, &mut dice)).collect::<Vec<_>>()
        };
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
    }

    #[test]
    fn the_best_and_nothing() {
        let some = moves(&[3, 7, 7, 1]);
        assert_eq!(best(&some), Some(some[1]));
        for none in [moves(&[]), moves(&[0, 0])] {
            assert_eq!(best(&none), None);
            assert_eq!(choose(&none, &mut Dice::new(0)), None);
        }
        let huge = moves(&[u32::MAX; 20]);
        assert!(choose(&huge, &mut Dice::new(1)).is_some());
    }
}
