//! The leaves of the tree: captures are played out until the position is quiet enough to evaluate.

use super::{Kind, Task, Worker};
use crate::MAX_PLY;
use crate::event::Bound;
use crate::picker::{Class, Context, Picker};
use crate::score::Score;
use crate::table::Finding;
use chess::{Piece, Position, Role, see};

impl Worker {
    pub(super) fn quiescence<K: Kind>(
        &mut self,
        task: &Task,
        position: &Position,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        self.enter_node(task);
        if self.stopped {
            return Score::DRAW;
        }
        if K::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.is_draw(position, ply) {
            return self.draw_score();
        }
        let in_check = position.is_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::DRAW } else { Score::evaluation(self.raw_evaluation(position)) };
        }

        let entry = task.table.probe(position.key());
        let clock = position.halfmove_clock();
        if let Some(entry) = entry
            && !K::PV
            && self.params.use_table_cutoffs != 0
            && entry.decides(entry.score(ply, clock), beta)
        {
            return entry.score(ply, clock);
        }
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);

        // Stand pat: whoever is not in check need not capture, so the evaluation is a lower bound.
        let mut best = -Score::INFINITE;
        let mut raw = None;
        if !in_check {
            let units =
                entry.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.raw_evaluation(position));
            raw = Some(units);
            best = Score::evaluation(self.corrected(position, ply, units));
            if let Some(entry) = entry {
                let score = entry.score(ply, clock);
                if !score.is_decisive() && entry.decides(score, best) {
                    best = score;
                }
            }
            if best >= beta {
                best = self.softened(best, beta, 1);
                if entry.is_none() {
                    self.remember(task, position, ply, None, best, raw, Bound::Lower, was_pv);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let futility = best + self.params.quiescence_futility;

        let table_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || position.is_noisy(mv)) && position.is_legal(mv));
        // Only quiet moves are ordered by it.
        let context = if in_check { self.context(position, ply) } else { Context::default() };
        let mut picker = if in_check {
            Picker::new(table_move)
        } else if self.params.use_quiescence_see != 0 {
            Picker::winning_captures(table_move, 0)
        } else {
            Picker::noisy(table_move)
        };
        let mut best_move = None;
        let mut tried = 0;
        while let Some((mv, class)) = picker.next(position, &self.histories, &context) {
            if !in_check && self.overlooks(position, ply, mv) {
                continue;
            }
            if !best.is_loss() {
                // Once an answer to the check is known, quiet ones and losing ones are left out.
                if in_check && class != Class::Table {
                    picker.skip_quiets();
                    if class == Class::Quiet || class == Class::BadNoisy {
                        continue;
                    }
                }
                // A capture that cannot bring the evaluation up to alpha must at least win something.
                if !in_check && self.params.use_quiescence_futility != 0 && !mv.is_promotion() {
                    let victim = position.captured(mv).map_or(Role::Pawn, Piece::role);
                    if futility + see::VALUES[victim.index()] <= alpha && !position.see_ge(mv, 1) {
                        best = best.max(futility + see::VALUES[victim.index()]);
                        continue;
                    }
                }
            }
            tried += 1;
            let next = self.make(task, position, ply, mv);
            let score = -self.quiescence::<K>(task, &next, ply + 1, -beta, -alpha);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && tried == 0 && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        best = self.softened(best, beta, 3);
        self.remember(task, position, ply, best_move, best, raw, bound, was_pv);
        best
    }

    /// A score beyond beta counts less the less there is behind it: so many parts of it, and one of beta.
    pub(super) fn softened(&self, best: Score, beta: Score, parts: i32) -> Score {
        if self.params.use_soft_cutoffs == 0 || best <= beta || best.is_decisive() || beta.is_decisive() {
            return best;
        }
        Score::evaluation((best.units() * parts + beta.units()) / (parts + 1))
    }

    /// Notes a result of quiescence, at depth 0.
    #[allow(clippy::too_many_arguments)]
    fn remember(
        &self,
        task: &Task,
        position: &Position,
        ply: usize,
        mv: Option<chess::Move>,
        score: Score,
        evaluation: Option<i32>,
        bound: Bound,
        was_pv: bool,
    ) {
        task.table.store(position.key(), ply, &Finding { mv, score, evaluation, depth: 0, bound, was_pv });
    }
}
