//! Where games begin: random openings, in which both sides play any legal moves for a while, or positions beside
//! other games.

use chess::random::Random;
use chess::{CHESS960_POSITIONS, Game, Position, STANDARD_CHESS960_NUMBER, Setup, Variant};
use data::{GameRecord, stray};

/// The fewest and the most half-moves. Both occur, so that either side is to move first.
const PLIES: std::ops::RangeInclusive<usize> = 8..=12;

/// A random opening, or none if the game ended within it.
pub(crate) fn draw(random: &mut Random, chess960: bool) -> Option<Game> {
    let (number, variant) = if chess960 {
        (random.below(usize::from(CHESS960_POSITIONS)) as u16, Variant::Chess960)
    } else {
        (STANDARD_CHESS960_NUMBER, Variant::Standard)
    };
    let start = Position::from_setup(&Setup::chess960(number)?).ok()?;
    let mut game = Game::with_variant(start, variant);
    let plies = PLIES.start() + random.below(PLIES.end() - PLIES.start() + 1);
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        game.play(*moves.get(random.below(moves.len()))?).ok()?;
    }
    (game.outcome().or(game.claimable()).is_none()).then_some(game)
}

/// A position a random move or two away from one of these games, or none if that one has no moves.
pub(crate) fn beside(random: &mut Random, games: &[GameRecord]) -> Option<Position> {
    let game = games.get(random.below(games.len().max(1)))?;
    let (position, _) = game.positions().nth(random.below(game.moves().len().max(1)))?;
    stray(position, random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_of_all_lengths_and_repeat_with_the_stream() {
        let draw = |index| draw(&mut Random::stream(1, index), false);
        let games: Vec<_> = (0..200).filter_map(draw).collect();
        assert!(games.len() > 190);
        for plies in PLIES {
            assert!(games.iter().any(|game| game.ply() == plies), "{plies}");
        }
        assert!(games.iter().all(|game| PLIES.contains(&game.ply()) && !game.is_over()));
        assert!(draw(5) == draw(5) && draw(5) != draw(6));
    }

    #[test]
    fn chess960_begins_anywhere() {
        let opening = |index| draw(&mut Random::stream(1, index), true);
        let mut starts: Vec<_> = (0..200).filter_map(opening).map(|game| game.start().to_fen()).collect();
        starts.sort_unstable();
        starts.dedup();
        assert!(starts.len() > 150);
    }
}
