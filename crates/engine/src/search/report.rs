//! What the search reports while it runs and when it ends.

use super::{RootMove, Task, Worker};
use crate::event::{Bound, Event, Line};
use crate::score::Score;
use chess::{Move, Position};

impl Worker {
    /// Reports the best lines as they stand.
    pub(super) fn report_lines(&self, task: &Task<'_>) {
        let lines = self.lines(task);
        task.report(Event::Lines(lines, task.control.usage(&task.tt)));
    }

    /// The best lines as they stand: those of this iteration, or of the one before where it has not got
    /// that far.
    #[must_use]
    pub(crate) fn lines(&self, task: &Task<'_>) -> Vec<Line> {
        let wanted = task.lines.min(self.root_moves.len());
        self.lines_of(task, &self.root_moves[..wanted])
    }

    /// The lines of some first moves, best first.
    #[must_use]
    pub(crate) fn lines_of(&self, task: &Task<'_>, moves: &[RootMove]) -> Vec<Line> {
        let mut lines: Vec<Line> = moves
            .iter()
            .map(|root| {
                let searched = root.score != -Score::INFINITE;
                let (mut score, bound) =
                    if searched { (root.score, root.bound) } else { (root.previous, Bound::Exact) };
                if score == -Score::INFINITE {
                    // Not even the first iteration got here: the evaluation is all there is.
                    score = self.first_guess;
                }
                Line {
                    rank: 0,
                    depth: if searched { self.root_depth } else { self.completed_depth }.max(1),
                    selective_depth: root.selective_depth.max(1),
                    score,
                    bound,
                    moves: complete_line(task, score, &root.line),
                }
            })
            .collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        for (index, line) in lines.iter_mut().enumerate() {
            line.rank = index + 1;
        }
        lines
    }

    /// In a long search, reports which first move is being searched.
    pub(super) fn report_current_move(&self, task: &Task<'_>, mv: Move, number: usize) {
        if task.control.is_long_search() {
            task.report(Event::CurrentMove { depth: self.root_depth, mv, number: number + self.line_index });
        }
    }
}

/// A mate is reported with its whole line. Where the search cut it short, because the transposition table knew the
/// rest, the rest comes from there, or is proved again.
fn complete_line(task: &Task<'_>, score: Score, line: &[Move]) -> Vec<Move> {
    let mut moves = line.to_vec();
    let Some(plies) = score.mate_plies() else { return moves };
    let mut position: Position = task.root;
    for &mv in line {
        position.play(mv);
    }
    loop {
        let missing = (plies.unsigned_abs() as usize).saturating_sub(moves.len());
        if missing == 0 {
            return moves;
        }
        let known = task.tt.probe(position.key(), 0, position.halfmove_clock()).and_then(|entry| {
            let distance = entry.score.mate_plies()?;
            entry.mv.filter(|&mv| distance.unsigned_abs() as usize == missing && position.is_legal(mv))
        });
        let Some(mv) = known else {
            moves.extend(crate::mating::mating_line(&position, missing));
            return moves;
        };
        moves.push(mv);
        position.play(mv);
    }
}
