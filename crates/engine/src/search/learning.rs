//! What the search learns while it runs: bonus and malus for the histories that order moves, and errors of the
//! static evaluation.

use super::node::Node;
use super::{Worker, margins};
use crate::event::Bound;
use crate::history::PieceTo;
use crate::picker::OrderingContext;
use crate::transposition::TtUpdate;
use arrayvec::ArrayVec;
use chess::{Move, Position};

/// Moves tried at a node before the one that was best. They get a malus.
#[derive(Default)]
pub(super) struct TriedMoves {
    quiet: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 64>,
}

impl TriedMoves {
    /// Adds a move, as long as there is room.
    #[inline]
    pub(super) fn push(&mut self, mv: Move, quiet: bool) {
        let moves = if quiet { &mut self.quiet } else { &mut self.noisy };
        let _ = moves.try_push(mv);
    }
}

impl Worker {
    /// What the histories say of a move.
    #[inline]
    pub(super) fn history_of(
        &self,
        position: &Position,
        context: &OrderingContext,
        mv: Move,
        quiet: bool,
    ) -> i32 {
        if quiet {
            let histories = self.histories.of_quiets(position, context.previous, context.threats);
            position.piece_on(mv.from()).map_or(0, |piece| histories.get(&self.params, piece, mv))
        } else {
            self.histories.capture.get(position, mv)
        }
    }

    /// The move that cut off gets a bonus, those tried before it a malus.
    pub(super) fn learn_from_cutoff(
        &mut self,
        node: &Node<'_>,
        context: &OrderingContext,
        best: Move,
        tried: &TriedMoves,
    ) {
        let position = node.position;
        let bonus = margins::history_bonus(&self.params, node.depth);
        let malus = margins::history_malus(&self.params, node.depth);
        if position.is_noisy(best) {
            self.histories.capture.update(position, best, bonus);
        } else {
            self.update_quiet_histories(position, context, best, bonus);
            for &mv in &tried.quiet {
                self.update_quiet_histories(position, context, mv, -malus);
            }
        }
        for &mv in &tried.noisy {
            self.histories.capture.update(position, mv, -malus);
        }
    }

    /// A quiet move by which the transposition table cut off gets a bonus.
    pub(super) fn learn_from_tt_cutoff(&mut self, node: &Node<'_>, mv: Move) {
        let context = self.ordering_context(node.position, node.ply);
        let bonus = margins::history_bonus(&self.params, node.depth);
        self.update_quiet_histories(node.position, &context, mv, bonus);
    }

    /// Eval-difference history: a quiet move after which the evaluation is better than before was a good one.
    pub(super) fn learn_from_eval_difference(&mut self, position: &Position, ply: usize) {
        if !self.params.use_eval_diff_history || ply == 0 {
            return;
        }
        let before = self.stack[ply - 1];
        if let (Some(mv), Some(sum)) = (before.quiet, self.evaluations_of_both(ply)) {
            let bonus = margins::eval_difference_bonus(&self.params, sum);
            self.histories.butterfly.update(!position.turn(), before.threats, mv, bonus);
        }
    }

    /// The second search of a reduced quiet move confirmed it, or did not.
    #[inline]
    pub(super) fn learn_from_second_search(
        &mut self,
        context: &OrderingContext,
        ply: usize,
        depth: i32,
        confirmed: bool,
    ) {
        if !self.params.use_post_lmr_history {
            return;
        }
        let bonus = if confirmed {
            margins::history_bonus(&self.params, depth)
        } else {
            -margins::history_malus(&self.params, depth)
        };
        if let Some(piece_to) = self.stack[ply].piece_to {
            self.update_continuation_history(context, piece_to, bonus);
        }
    }

    /// Prior move bonus: a node without a good move speaks for the quiet move that led to it.
    pub(super) fn learn_from_fail_low(&mut self, node: &Node<'_>) {
        let &Node { position, ply, depth, .. } = node;
        if !self.params.use_prior_move_bonus || ply == 0 {
            return;
        }
        let before = self.stack[ply - 1];
        if let (Some(mv), Some(piece_to)) = (before.quiet, before.piece_to) {
            let bonus = margins::history_bonus(&self.params, depth) * self.params.prior_move_bonus / 100;
            self.histories.butterfly.update(!position.turn(), before.threats, mv, bonus);
            // One, two and four plies before that move.
            for earlier in [2, 3, 5].map(|back| self.move_before(ply, back)).into_iter().flatten() {
                self.histories.continuation.update(earlier, piece_to, bonus);
            }
        }
    }

    /// Correction history learns by how much the evaluation was wrong, where the result can say so: not after a
    /// capture, and only on the side of the evaluation to which the score is a bound.
    #[inline]
    pub(super) fn learn_from_result(&mut self, node: &Node<'_>, evaluation: Option<i32>, result: &TtUpdate) {
        let Some(evaluation) = evaluation else { return };
        let error = result.score.units() - evaluation;
        if result.score.is_decisive()
            || result.mv.is_some_and(|mv| node.position.is_noisy(mv))
            || (result.bound == Bound::Lower && error <= 0)
            || (result.bound == Bound::Upper && error >= 0)
        {
            return;
        }
        let bonus = margins::correction_bonus(&self.params, result.depth, error);
        let moves = self.last_moves(node.ply);
        self.histories.correction.update(node.position, moves, bonus);
    }

    fn update_quiet_histories(
        &mut self,
        position: &Position,
        context: &OrderingContext,
        mv: Move,
        bonus: i32,
    ) {
        let Some(piece_to) = PieceTo::of(position, mv) else { return };
        self.histories.butterfly.update(position.turn(), context.threats, mv, bonus);
        self.histories.pawn.update(position.pawn_key(), piece_to, bonus);
        self.update_continuation_history(context, piece_to, bonus);
    }

    fn update_continuation_history(&mut self, context: &OrderingContext, mv: PieceTo, bonus: i32) {
        for earlier in context.previous.into_iter().flatten() {
            self.histories.continuation.update(earlier, mv, bonus);
        }
    }
}
