//! Searches without pruning: every move, to the full depth.

use super::{INFINITY, SearchBoard, Searcher};
use chess::Color;

impl<B: SearchBoard> Searcher<'_, B> {
    /// The score for White: the best for White where White moves, the worst where Black does.
    pub(super) fn minimax(&mut self, depth: u32, ply: u32) -> Option<i32> {
        self.visit_regular(ply)?;
        let is_white = self.board.turn() == Color::White;
        let for_white = |score: i32| if is_white { score } else { -score };
        if depth == 0 {
            return Some(for_white(self.judge()));
        }
        let mut best = None;
        for mv in self.generate() {
            if !self.board.make(mv) {
                continue;
            }
            let score = self.minimax(depth - 1, ply + 1);
            self.board.unmake();
            let score = score?;
            let is_better = best.is_none_or(|best| if is_white { score > best } else { score < best });
            if is_better {
                best = Some(score);
                if ply == 0 {
                    self.root_best = Some((mv, for_white(score)));
                }
            }
        }
        Some(best.unwrap_or_else(|| for_white(self.end_of_game(ply))))
    }

    /// The score for the side to move.
    pub(super) fn negamax(&mut self, depth: u32, ply: u32) -> Option<i32> {
        self.visit_regular(ply)?;
        if depth == 0 {
            return Some(self.judge());
        }
        let mut best = -INFINITY;
        for mv in self.generate() {
            if !self.board.make(mv) {
                continue;
            }
            let score = self.negamax(depth - 1, ply + 1);
            self.board.unmake();
            let score = -score?;
            if score > best {
                best = score;
                if ply == 0 {
                    self.root_best = Some((mv, score));
                }
            }
        }
        Some(if best == -INFINITY { self.end_of_game(ply) } else { best })
    }
}
