//! Draws within the search.

use super::Worker;
use crate::MAX_PLY;
use crate::score::Score;
use chess::Position;

impl Worker {
    /// The score of a node that is not searched: a draw by the rules, or as deep as the search can go.
    #[inline]
    pub(super) fn final_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.is_draw(position, ply) {
            return Some(self.draw_score());
        }
        if ply < MAX_PLY - 1 {
            return None;
        }
        Some(if position.is_check() { Score::DRAW } else { Score::evaluation(self.raw_evaluation(position)) })
    }

    /// Whether the position is a draw by the rules that look back or at the material: a repetition within
    /// the search counts at once, because what was best the first time is best the second.
    fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmove_clock() >= 100 && (!position.is_check() || position.has_legal_move()) {
            return true;
        }
        position.is_insufficient_material() || self.is_repetition(position, ply)
    }

    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reach = self.keys.len().min(usize::from(position.halfmove_clock()));
        let key = position.key();
        let mut seen_before_root = false;
        for plies in (4..=reach).step_by(2) {
            if self.keys[self.keys.len() - plies] == key {
                // After the root once is enough; before it, the position must have been there twice.
                if plies < ply || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// A score near zero that differs from node to node, so that the search does not take all draws for
    /// the same and keeps looking for the better ones.
    pub(super) fn draw_score(&self) -> Score {
        Score::evaluation((self.nodes & 2) as i32 - 1)
    }
}
