//! Evaluations per second, over positions as a search meets them: the positions along random games and
//! all their successors.
//!
//! `cargo run --release -p eval --example bench`

use chess::Position;
use chess::random::Random;
use eval::Evaluator;
use std::hint::black_box;
use std::time::Instant;

const GAMES: usize = 20;
const PLIES: usize = 60;
const ROUNDS: usize = 60;

fn positions() -> Vec<Position> {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let mut positions = Vec::new();
    for _ in 0..GAMES {
        let mut position = Position::startpos();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            positions.extend(moves.iter().map(|&mv| position.after(mv)));
            position.play(moves[random.below(moves.len())]);
        }
    }
    positions
}

fn measure(name: &str, positions: &[Position], mut evaluate: impl FnMut(&Position) -> i32) {
    // The best round is the one that other programs disturbed least.
    let round = || {
        let start = Instant::now();
        for position in positions {
            black_box(evaluate(black_box(position)));
        }
        start.elapsed().as_secs_f64()
    };
    let seconds = std::iter::repeat_with(round).take(ROUNDS).fold(f64::INFINITY, f64::min);
    let count = positions.len() as f64;
    println!("{name:20} {:10.0} evaluations/s {:6.0} ns each", count / seconds, 1e9 * seconds / count);
}

fn main() {
    let positions = positions();
    println!("{} positions", positions.len());
    let mut evaluator = Evaluator::new();
    measure("evaluation", &positions, |position| evaluator.evaluate(position));
    measure("material and tables", &positions, eval::baseline);
    measure("trace", &positions[..positions.len() / 20], |position| eval::trace(position).phase);
}
