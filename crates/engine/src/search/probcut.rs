//! `ProbCut`: a capture that beats beta by a margin in a shallow search will beat beta in a deep one.

use super::node::{Facts, Node};
use super::{NonPv, Worker};
use crate::event::Bound;
use crate::picker::{MovePicker, OrderingContext};
use crate::score::Score;
use crate::transposition::TtUpdate;

impl Worker {
    /// The score of the first capture that beats beta by the margin, first in quiescence search, then at reduced depth.
    pub(super) fn probcut_search(&mut self, node: &Node<'_>, facts: &Facts) -> Option<Score> {
        let &Node { task, position, ply, beta, depth, cut_node, .. } = node;
        let raised = beta + self.params.probcut_margin;
        let stored_depth = depth - self.params.probcut_tt_depth;
        let reduced = depth - self.params.probcut_reduction;
        if facts.tt_entry.is_some_and(|entry| entry.depth >= stored_depth && entry.score < raised) {
            return None;
        }
        let tt_move = facts.tt_move.filter(|&mv| position.is_noisy(mv));
        let shortfall = raised.units() - facts.evaluation.unwrap_or(0);
        let mut picker = MovePicker::winning_captures(tt_move, shortfall);
        let context = OrderingContext::default();
        while let Some((mv, _)) = picker.next(position, &self.histories, &self.params, &context) {
            let next = self.make(task, position, ply, mv);
            let child = node.child(&next, (raised - 1, raised), reduced, !cut_node);
            let mut score = -self.quiescence::<NonPv>(child);
            if score >= raised && reduced > 0 && !self.stopped {
                score = -self.search_node::<NonPv>(child);
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= raised {
                let update = TtUpdate {
                    mv: Some(mv),
                    score,
                    evaluation: facts.raw,
                    depth: stored_depth,
                    bound: Bound::Lower,
                    was_pv: facts.was_pv,
                };
                task.tt.store(position.key(), ply, &update);
                return Some(if score.is_decisive() { score } else { score - (raised - beta) });
            }
        }
        None
    }
}
