//! MTD(f), another way for the root to narrow down the score.

use super::{NonPvRoot, Task, Worker};
use crate::MAX_PLY;
use crate::event::Bound;
use crate::score::Score;
use chess::Move;

impl Worker {
    /// MTD(f): null-window searches close in on the score from both sides. The transposition table makes
    /// searching again cheap; steps that grow make up for a bad first guess, and passes are counted, because an unstable
    /// search may never agree with itself.
    pub(super) fn mtdf(&mut self, task: &Task<'_>, depth: i32) {
        let grain = self.params.mtdf_grain;
        let guess = self.mtdf_guess();
        let (mut lower, mut upper) = (-Score::INFINITE, Score::INFINITE);
        let mut beta = (guess + 1).min(Score::INFINITE);
        let mut step = grain;
        let mut last_failed_high = None;
        for _ in 0..self.params.mtdf_passes {
            let score = self.search_root::<NonPvRoot>(task, beta - 1, beta, depth);
            if self.stopped {
                return;
            }
            let failed_high = score >= beta;
            if failed_high {
                lower = score;
            } else {
                upper = score;
            }
            if lower >= upper {
                break;
            }
            step = if last_failed_high == Some(failed_high) { step * 2 } else { grain };
            last_failed_high = Some(failed_high);
            beta = if failed_high {
                (score + 1 + (step - grain)).min(upper)
            } else {
                (score - (step - grain)).max(lower + 1)
            };
        }
        let line = self.line_from_tt(task, self.root_moves[self.line_index].mv);
        let best = &mut self.root_moves[self.line_index];
        best.score = if lower == -Score::INFINITE { upper } else { lower };
        best.bound = Bound::Exact;
        best.line = line;
    }

    /// Odd and even depths tend to differ, so the score of two iterations back is the better guess.
    fn mtdf_guess(&mut self) -> Score {
        let best = &self.root_moves[self.line_index];
        let guess =
            if self.line_index == 0 { self.scores_by_depth.iter().rev().nth(1).copied() } else { None };
        let guess = guess.unwrap_or(best.previous);
        if guess == -Score::INFINITE { Score::DRAW } else { guess }
    }

    /// The line that the transposition table's moves make, as long as they are legal and repeat nothing.
    fn line_from_tt(&self, task: &Task<'_>, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let mut keys = self.keys.clone();
        keys.push(task.root.key());
        let mut position = task.root.after(first);
        while line.len() < MAX_PLY - 1 && !keys.contains(&position.key()) && position.halfmove_clock() < 100 {
            let Some(mv) = task.tt.probe(position.key(), 0, 0).and_then(|entry| entry.mv) else { break };
            if !position.is_legal(mv) || position.is_insufficient_material() {
                break;
            }
            line.push(mv);
            keys.push(position.key());
            position.play(mv);
        }
        line
    }
}
