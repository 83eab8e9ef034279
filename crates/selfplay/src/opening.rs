//! Where games begin: random openings, in which both sides play any legal moves for a while, or positions a random
//! move or two away from other games.

use chess::random::Random;
use chess::{CHESS960_POSITIONS, Game, Position, Setup, Variant};
use data::{GameRecord, perturb};

/// The fewest and the most half-moves. Both occur, so that either side is to move first.
const PLIES: std::ops::RangeInclusive<usize> = 7..=9;

/// What a random opening begins with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// The usual start position.
    Standard,
    /// A start position of Chess960 for each side.
    DoubleChess960,
}

impl Start {
    /// Double Chess960 in this percentage of cases.
    pub(crate) fn draw(random: &mut Random, chess960_percent: u8) -> Self {
        if random.below(100) < usize::from(chess960_percent) { Self::DoubleChess960 } else { Self::Standard }
    }
}

/// A random opening, or none if the game ended within it.
pub(crate) fn draw(random: &mut Random, start: Start) -> Option<Game> {
    let mut game = match start {
        Start::Standard => Game::new(),
        Start::DoubleChess960 => {
            let mut number = || random.below(usize::from(CHESS960_POSITIONS)) as u16;
            let setup = Setup::double_chess960(number(), number())?;
            Game::with_variant(Position::from_setup(&setup).ok()?, Variant::Chess960)
        }
    };
    let plies = PLIES.start() + random.below(PLIES.end() - PLIES.start() + 1);
    random_moves(&mut game, plies, random).then_some(game)
}

/// Plays this number of random moves. Returns whether the game can still be played after them.
#[must_use]
pub fn random_moves(game: &mut Game, plies: usize, random: &mut Random) -> bool {
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.get(random.below(moves.len())) else { return false };
        if game.play(mv).is_err() {
            return false;
        }
    }
    game.outcome().or(game.claimable()).is_none()
}

/// A position a random move or two away from one of these games, or none if that one has no moves.
pub(crate) fn perturbed(random: &mut Random, games: &[GameRecord]) -> Option<Position> {
    let game = games.get(random.below(games.len().max(1)))?;
    let (position, _) = game.positions().nth(random.below(game.moves().len().max(1)))?;
    perturb(position, random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_of_all_lengths_and_repeat_with_the_stream() {
        let draw = |index| draw(&mut Random::stream(1, index), Start::Standard);
        let games: Vec<_> = (0..200).filter_map(draw).collect();
        assert!(games.len() > 190);
        for plies in PLIES {
            assert!(games.iter().any(|game| game.ply() == plies), "{plies}");
        }
        assert!(games.iter().all(|game| PLIES.contains(&game.ply()) && !game.is_over()));
        assert!(draw(5) == draw(5) && draw(5) != draw(6));
    }

    #[test]
    fn double_chess960_begins_anywhere() {
        let opening = |index| draw(&mut Random::stream(1, index), Start::DoubleChess960);
        let numbers: Vec<_> = (0..200)
            .filter_map(opening)
            .map(|game| game.start().to_setup().double_chess960_numbers().unwrap())
            .collect();
        let mut different = numbers.clone();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 190);
        assert!(numbers.iter().filter(|(white, black)| white != black).count() > 190);
    }

    #[test]
    fn the_share_of_chess960_is_kept() {
        let share = |percent| {
            let start = |index| Start::draw(&mut Random::stream(1, index), percent);
            (0..10_000).filter(|&index| start(index) == Start::DoubleChess960).count()
        };
        assert_eq!((share(0), share(100)), (0, 10_000));
        assert!((900..1_100).contains(&share(10)), "{}", share(10));
    }
}
