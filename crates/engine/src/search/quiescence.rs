//! Quiescence search: at the leaves of the tree captures are played out until the position is quiet enough to
//! evaluate.

use super::node::Node;
use super::static_evaluation::estimate;
use super::{NodeType, Worker, victim};
use crate::event::Bound;
use crate::picker::{MoveKind, MovePicker, OrderingContext};
use crate::score::Score;
use crate::transposition::TtUpdate;
use chess::see;

impl Worker {
    /// The score of a position for the side to move when only captures are searched, and every evasion of a check. The
    /// node's depth does not matter.
    pub(super) fn quiescence<N: NodeType>(&mut self, node: Node<'_>) -> Score {
        let Node { task, position, ply, mut alpha, beta, .. } = node;
        self.enter_node::<N>(task, ply);
        if self.stopped {
            return Score::DRAW;
        }
        if let Some(score) = self.final_score(position, ply) {
            return score;
        }
        let in_check = position.is_check();

        // Transposition table cutoff.
        let tt_entry = task.tt.probe(position.key(), ply, position.halfmove_clock());
        if let Some(entry) = tt_entry
            && !N::PV
            && self.params.use_tt_cutoffs
            && entry.decides(beta)
        {
            return entry.score;
        }
        let was_pv = N::PV || tt_entry.is_some_and(|entry| entry.was_pv);
        let store = |mv, score, evaluation, bound| {
            let update = TtUpdate { mv, score, evaluation, depth: 0, bound, was_pv };
            task.tt.store(position.key(), ply, &update);
        };

        // Stand pat: whoever is not in check need not capture, so the evaluation is a lower bound.
        let mut best = -Score::INFINITE;
        let mut raw = None;
        if !in_check {
            let known = tt_entry.and_then(|entry| entry.evaluation);
            let units = known.unwrap_or_else(|| self.raw_evaluation(position));
            raw = Some(units);
            best = estimate(self.corrected(position, ply, units), tt_entry);
            if best >= beta {
                best = self.fail_firm(best, beta, self.params.stand_pat_weight);
                if tt_entry.is_none() {
                    store(None, best, raw, Bound::Lower);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let futility = best + self.params.qs_futility;

        let tt_move = tt_entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || position.is_noisy(mv)) && position.is_legal(mv));
        // Only quiet moves are ordered by it.
        let context =
            if in_check { self.ordering_context(position, ply) } else { OrderingContext::default() };
        let mut picker = match (in_check, self.params.use_qs_see_pruning) {
            (true, _) => MovePicker::new(tt_move),
            (false, true) => MovePicker::winning_captures(tt_move, 0),
            (false, false) => MovePicker::noisy(tt_move),
        };
        let mut best_move = None;
        while let Some((mv, kind)) = picker.next(position, &self.histories, &self.params, &context) {
            if !in_check && self.overlooks(position, ply, mv) {
                continue;
            }
            if !best.is_loss() {
                // Once an answer to the check is known, quiet ones and losing ones are pruned.
                if in_check && kind != MoveKind::TtMove {
                    picker.skip_quiets();
                    if matches!(kind, MoveKind::Quiet | MoveKind::BadNoisy) {
                        continue;
                    }
                }
                // Futility pruning: a capture that cannot bring the evaluation up to alpha must at least win something.
                if !in_check && self.params.use_qs_futility && !mv.is_promotion() {
                    let hope = futility + see::VALUES[victim(position, mv).index()];
                    if hope <= alpha && !position.see_ge(mv, 1) {
                        best = best.max(hope);
                        continue;
                    }
                }
            }
            let next = self.make(task, position, ply, mv);
            let score = -self.quiescence::<N>(node.child(&next, (alpha, beta), 0, false));
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        best = self.fail_firm(best, beta, self.params.qs_fail_firm_weight);
        store(best_move, best, raw, bound);
        best
    }
}
