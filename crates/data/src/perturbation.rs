//! Positions a random move or two away from games.
//!
//! Games only go where both sides play well, but a search evaluates positions with a piece hanging or a rook more.

use chess::Position;
use chess::random::Random;

/// The most half-moves away from the game.
const MAX_MOVES: usize = 2;

/// The position after a random move or two, of which about half take something if anything can be taken; none if
/// the game ends that way.
#[must_use]
pub fn perturb(mut position: Position, random: &mut Random) -> Option<Position> {
    for _ in 0..=random.below(MAX_MOVES) {
        let moves = position.legal_moves();
        let noisy: Vec<_> = moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect();
        let takes = !noisy.is_empty() && random.below(2) == 0;
        let choice: &[_] = if takes { &noisy } else { &moves };
        position.play(*choice.get(random.below(choice.len().max(1)))?);
    }
    position.has_legal_move().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_moves_take_something() {
        let position: Position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let mut random = Random::stream(1, 0);
        let perturbed: Vec<_> = (0..1_000).filter_map(|_| perturb(position, &mut random)).collect();
        assert_eq!(perturbed.len(), 1_000);
        let fewer_men = perturbed.iter().filter(|position| position.occupied().count() < 4).count();
        assert!((450..800).contains(&fewer_men), "{fewer_men}");
        assert!(perturbed.iter().any(|perturbed| perturbed.turn() == position.turn()));
        assert!(perturbed.iter().any(|perturbed| perturbed.turn() != position.turn()));
    }

    #[test]
    fn a_game_that_is_over_leads_nowhere() {
        let mated: Position =
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse().unwrap();
        assert_eq!(perturb(mated, &mut Random::stream(1, 0)), None);
    }
}
