//! Positions to experiment with: well-known ones, and positions of shallow games played by seed.

use crate::workbench::{Interrupted, Workbench};
use chess::random::Random;
use chess::{Move, Position};
use classics::boards::{ClassicBoard, Ox88};
use classics::groundup;
use classics::searches::{Method, search};

/// A position known for having moves of every kind.
pub(crate) const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const RANDOM_PLIES: usize = 8;
const MOST_PLIES: usize = 300;
/// One move in this many is random, so that games of the same opening part and pieces get lost.
const WHIM: usize = 8;

/// The positions of a game after its random opening, played by a search of two plies with whims.
///
/// Games depend on seed and number only.
pub(crate) fn game(seed: u64, number: u64) -> impl Iterator<Item = Position> {
    let mut random = Random::stream(seed, number);
    let mut position = Position::startpos();
    let mut ply = 0;
    std::iter::from_fn(move || {
        while ply < MOST_PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_insufficient_material() {
                return None;
            }
            let by_lot = ply < RANDOM_PLIES || random.below(WHIM) == 0;
            let mv = if by_lot { moves[random.below(moves.len())] } else { shallow_move(&position)? };
            position.play(mv);
            ply += 1;
            if ply >= RANDOM_PLIES {
                return Some(position);
            }
        }
        None
    })
}

fn shallow_move(position: &Position) -> Option<Move> {
    let board = Ox88::set_up(position).ok()?;
    let found = search(&board, groundup::evaluate, &Method::QUIESCENCE, 2, &classics::Budget::default());
    found.best.map(|mv| board.translate(mv))
}

fn is_level(position: &Position, margin: i32) -> bool {
    Ox88::set_up(position).is_ok_and(|board| groundup::evaluate(&board).abs() <= margin)
}

fn men(position: &Position) -> u32 {
    position.occupied().count()
}

/// The first position that is wanted out of each of as many games as it takes.
pub(crate) fn wanted(
    bench: &Workbench<'_>,
    count: usize,
    is_wanted: impl Fn(&Position) -> bool,
) -> Result<Vec<Position>, Interrupted> {
    let mut found = Vec::new();
    let most_games = 200 * count as u64;
    for number in 0..most_games {
        if found.len() == count {
            break;
        }
        bench.go_on()?;
        found.extend(game(bench.seed, number).find(&is_wanted));
    }
    Ok(found)
}

/// Quiet enough middle games: most men on the board, neither side far ahead.
pub(crate) fn middle_games(bench: &Workbench<'_>, count: usize) -> Result<Vec<Position>, Interrupted> {
    wanted(bench, count, |position| {
        position.fullmove_number() >= 12
            && men(position) >= 22
            && !position.is_check()
            && position.legal_moves().len() >= 20
            && is_level(position, 200)
    })
}

/// End games with pawns in which neither side is far ahead.
pub(crate) fn end_games(bench: &Workbench<'_>, count: usize) -> Result<Vec<Position>, Interrupted> {
    wanted(bench, count, |position| {
        men(position) <= 9
            && position.role(chess::Role::Pawn).count() >= 2
            && !position.is_check()
            && position.legal_moves().len() >= 5
            && is_level(position, 400)
    })
}

/// The start position and as many middle games as to make up the number.
pub(crate) fn openings_and_middle_games(
    bench: &Workbench<'_>,
    count: usize,
) -> Result<Vec<Position>, Interrupted> {
    let mut positions = vec![Position::startpos()];
    positions.extend(middle_games(bench, count.saturating_sub(1))?);
    Ok(positions)
}

/// The boards of one program with these positions set up. All of them are of standard chess.
pub(crate) fn boards<B: ClassicBoard>(positions: &[Position]) -> Vec<B> {
    positions.iter().filter_map(|position| B::set_up(position).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;

    #[test]
    fn the_seed_decides() {
        let of_seed = |seed| middle_games(&Workbench::quiet(Scale::Tiny, seed), 3).unwrap();
        assert_eq!(of_seed(1), of_seed(1));
        assert_ne!(of_seed(1), of_seed(2));
        assert_eq!(of_seed(1).len(), 3);
    }

    #[test]
    fn end_games_are_found() {
        let found = end_games(&Workbench::quiet(Scale::Tiny, 1), 2).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|position| position.occupied().count() <= 9));
    }
}
