//! Pruning: nodes and moves that are not searched, because a cheaper look says enough.

use super::node::{Candidate, Facts, Node};
use super::reductions::PLY;
use super::static_evaluation::estimate;
use super::zugzwang::is_tied_down;
use super::{Worker, margins, victim};
use crate::event::Bound;
use crate::picker::MoveKind;
use crate::score::Score;
use chess::see;

impl Worker {
    /// The score of a node off the principal variation whose moves need not be tried; none in check.
    #[inline(always)]
    pub(super) fn prune_node(&mut self, node: &Node<'_>, facts: &Facts) -> Option<Score> {
        let &Node { position, ply, beta, depth, .. } = node;
        let evaluation = facts.evaluation?;
        let estimate = estimate(evaluation, facts.tt_entry);

        // 10. Reverse futility pruning: so far above beta that the rest of the depth will hardly undo it, unless having
        // to move does.
        if self.params.use_rfp
            && depth <= self.params.rfp_depth
            && !estimate.is_win()
            && !beta.is_loss()
            && estimate - margins::reverse_futility(&self.params, depth, facts.improving) >= beta
            && !is_tied_down(position)
        {
            return Some(Score::evaluation((estimate.units() + beta.units()) / 2));
        }

        // 11. Null move pruning: if even passing keeps the score above beta, a real move will too. Not with pawns
        // alone or a single piece that can move, where having to move may be what loses.
        if self.params.use_null_move
            && depth >= self.params.null_depth
            && estimate >= beta
            && evaluation + margins::null_move(&self.params, depth) >= beta.units()
            && !beta.is_loss()
            && ply >= self.null_move_ban
            && ply > 0
            && self.stack[ply - 1].piece_to.is_some()
            && position.has_pieces(position.turn())
            && !is_tied_down(position)
            && let Some(score) = self.null_move_search(node, estimate)
        {
            return Some(score);
        }

        // 12. Small ProbCut: a search not much shallower was far above beta, as the transposition table says.
        let raised = beta + self.params.small_probcut_margin;
        if self.params.use_small_probcut
            && let Some(entry) = facts.tt_entry
            && entry.bound != Bound::Upper
            && entry.depth >= depth - self.params.small_probcut_tt_depth
            && !beta.is_decisive()
            && !entry.score.is_decisive()
            && entry.score >= raised
        {
            return Some(raised);
        }

        // 13. ProbCut: a good capture beats beta by a margin at reduced depth, so a full search will too.
        if self.params.use_probcut && depth >= self.params.probcut_depth && !beta.is_decisive() {
            return self.probcut_search(node, facts);
        }
        None
    }

    /// Whether a move promises too little to be searched. Asked only when a better one is known.
    #[inline(always)]
    pub(super) fn prunes_move(&self, node: &Node<'_>, facts: &Facts, candidate: &Candidate) -> bool {
        let &Node { position, alpha, depth, .. } = node;
        let &Candidate { mv, kind, quiet, history, reduction, .. } = candidate;
        let reduced_depth = (depth - reduction / PLY + history / self.params.pruning_history_divisor).max(0);

        if kind == MoveKind::Quiet {
            // 15. Futility pruning: the evaluation is too far below alpha for a quiet move to make up for it, unless
            // it gives check.
            if self.params.use_futility
                && reduced_depth <= self.params.futility_depth
                && let Some(units) = facts.evaluation
                && Score::evaluation(units + margins::futility(&self.params, reduced_depth, history)) <= alpha
                && !alpha.is_win()
                && !position.gives_check(mv)
            {
                return true;
            }
            // 16. History pruning: the quiet move never worked.
            if self.params.use_history_pruning
                && reduced_depth <= self.params.history_pruning_depth
                && history < margins::history_pruning(&self.params, depth)
            {
                return true;
            }
        }

        // 17. Capture futility pruning: the same for captures, with the value of what they take.
        if !quiet
            && self.params.use_capture_futility
            && reduced_depth <= self.params.capture_futility_depth
            && kind != MoveKind::TtMove
            && !mv.is_promotion()
            && !alpha.is_win()
            && let Some(units) = facts.evaluation
        {
            let margin = margins::capture_futility(&self.params, reduced_depth);
            let hope = units + margin + see::VALUES[victim(position, mv).index()];
            if Score::evaluation(hope) <= alpha && !position.gives_check(mv) {
                return true;
            }
        }

        // 18. SEE pruning: the exchange loses too much for the depth left.
        let allowed_loss = if quiet {
            margins::see_quiet(&self.params, reduced_depth)
        } else {
            margins::see_capture(&self.params, depth, history)
        };
        self.params.use_see_pruning
            && kind != MoveKind::TtMove
            && kind != MoveKind::GoodNoisy
            && !position.see_ge(mv, -allowed_loss)
    }
}
