//! Counting the positions of the move tree, the classic test of move generation.

use crate::{Board, Color, Move, Position};

/// How many legal move sequences of this length there are. The last move is counted, not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match (depth, position.turn()) {
        (0, _) => 1,
        (_, Color::White) => count::<true>(position.board(), depth),
        (_, Color::Black) => count::<false>(position.board(), depth),
    }
}

/// The same for each first move apart.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let count = |mv| if depth == 0 { 0 } else { perft(&position.after(mv), depth - 1) };
    position.legal_moves().into_iter().map(|mv| (mv, count(mv))).collect()
}

fn count<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    if depth <= 1 {
        return u64::from(board.count_moves::<WHITE>());
    }
    let mut nodes = 0;
    board.for_each_piece_move::<WHITE>(|role, mv| {
        let mut next = *board;
        next.play::<WHITE>(role, mv);
        nodes += if WHITE { count::<false>(&next, depth - 1) } else { count::<true>(&next, depth - 1) };
    });
    nodes
}
