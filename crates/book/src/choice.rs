//! Choosing among the moves of a book.

use crate::BookMove;
use chess::random::Random;

/// One of the moves, each as likely as its weight says; none if all weights are 0.
pub fn choose(moves: &[BookMove], random: &mut Random) -> Option<BookMove> {
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    let mut point = ((u128::from(random.bits()) * u128::from(total)) >> 64) as u64;
    moves.iter().copied().find(|known| {
        let weight = u64::from(known.weight);
        let found = point < weight;
        point = point.saturating_sub(weight);
        found
    })
}

/// How often a move is chosen among others, in percent.
#[must_use]
pub fn share(known: BookMove, moves: &[BookMove]) -> f64 {
    let total: f64 = moves.iter().map(|known| f64::from(known.weight)).sum();
    100.0 * f64::from(known.weight) / total.max(1.0)
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
        let mut random = Random::new(5);
        for _ in 0..10_000 {
            let chosen = choose(&moves, &mut random).expect("some weight");
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
            let mut random = Random::new(seed);
            (0..20).map(|_| choose(&moves, &mut random)).collect::<Vec<_>>()
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
            assert_eq!(choose(&none, &mut Random::new(0)), None);
        }
        let huge = moves(&[u32::MAX; 20]);
        assert!(choose(&huge, &mut Random::new(1)).is_some());
    }
}
