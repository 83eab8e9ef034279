//! Null move pruning: the search that lets the opponent move twice.

use super::node::Node;
use super::{NonPv, Worker, margins};
use crate::score::Score;

impl Worker {
    /// The score after passing, if it reaches beta. At great depth it is verified by a search without null moves, for
    /// fear of zugzwang.
    pub(super) fn null_move_search(&mut self, node: &Node<'_>, estimate: Score) -> Option<Score> {
        let &Node { task, position, ply, beta, depth, cut_node, .. } = node;
        let reduced = depth - margins::null_move_reduction(&self.params, depth, estimate - beta);
        self.stack[ply].piece_to = None;
        self.stack[ply].quiet = None;
        self.keys.push(position.key());
        let mut next = *position;
        next.play_null();
        self.evaluation.play_null();
        task.tt.prefetch(next.key());
        let score = -self.search_node::<NonPv>(node.child(&next, (beta - 1, beta), reduced, !cut_node));
        self.unmake();
        if self.stopped || score < beta {
            return None;
        }
        // A mate after passing is not proved.
        let score = if score.is_win() { beta } else { score };
        if self.null_move_ban > 0 || depth < self.params.null_verification_depth {
            return Some(score);
        }
        let span = (reduced * self.params.null_verification_span / 16).max(1);
        self.null_move_ban = ply + span as usize;
        let verified = self.search_node::<NonPv>(node.with_null_window(beta, reduced, false));
        self.null_move_ban = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }
}
