//! MTD(f): the score closed in on by searches that only say whether it is above a guess.

use super::{INFINITY, SearchBoard, Searcher};

impl<B: SearchBoard> Searcher<'_, B> {
    /// Each search has a window of no width at all, so that nearly every line is cut off at once; the
    /// table keeps what the next one can use.
    pub(super) fn mtdf(&mut self, depth: u32, guess: i32) -> Option<i32> {
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        let mut score = guess;
        // A search that fails low knows of no best move, only that all are below the window.
        let mut best = self.root_best;
        while lower < upper {
            let beta = if score == lower { score + 1 } else { score };
            let Some(found) = self.alpha_beta(depth, 0, beta - 1, beta, false) else {
                self.root_best = best.or(self.root_best);
                return None;
            };
            score = found;
            if score < beta {
                upper = score;
            } else {
                lower = score;
                best = self.root_best;
            }
        }
        self.root_best = best.or(self.root_best);
        Some(score)
    }
}
