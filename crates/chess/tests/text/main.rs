//! Positions as text: FEN and EPD, sound and malformed.

mod epd;
mod fen;
mod mutation;

use chess::random::Random;
use chess::{Move, Position, Setup};

/// Calls a function with each position and move of some random games, from standard, Chess960 and double
/// Chess960 starts.
fn for_each_move_of_random_games(seed: u64, games: usize, mut each: impl FnMut(&Position, Move)) {
    let mut random = Random::new(seed);
    for game in 0..games {
        let white = if game % 3 == 0 { 518 } else { random.below(960) as u16 };
        let black = if game % 3 == 2 { random.below(960) as u16 } else { white };
        let mut position = Position::from_setup(&Setup::double_chess960(white, black).unwrap()).unwrap();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            each(&position, mv);
            position.play(mv);
        }
    }
}
