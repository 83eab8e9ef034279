//! Counting the positions of the move tree, the classic test of move generation.

use crate::{Move, Position};

/// How many legal move sequences of this length there are. The last move is counted, not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => {
            let mut nodes = 0;
            for mv in position.legal_moves() {
                nodes += perft(&position.after(mv), depth - 1);
            }
            nodes
        }
    }
}

/// The same for each first move apart.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let count = |mv| if depth == 0 { 0 } else { perft(&position.after(mv), depth - 1) };
    position.legal_moves().into_iter().map(|mv| (mv, count(mv))).collect()
}
