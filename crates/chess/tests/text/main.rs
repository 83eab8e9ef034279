//! Positions as text: FEN and EPD, sound and malformed.

mod epd;
mod fen;
mod mutation;

use chess::{Move, Position, Setup};

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // Xorshift, with a multiplication to mix the high bits down.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }
}

/// Calls a function with each position and move of some random games, from standard, Chess960 and double
/// Chess960 starts.
fn for_each_move_of_random_games(seed: u64, games: usize, mut each: impl FnMut(&Position, Move)) {
    let mut random = Random(seed);
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
