//! The static evaluation of a node, and what follows from how it changes along the line.

use super::node::Node;
use super::{Worker, margins};
use crate::score::Score;
use crate::transposition::TtEntry;
use chess::Position;

impl Worker {
    /// The evaluation as it is, kept clear of certain scores.
    pub(super) fn raw_evaluation(&mut self, position: &Position) -> i32 {
        if let Some(sampler) = &self.sampler {
            sampler.offer(position);
        }
        let evaluate = || self.evaluation.evaluate(position);
        let mut units = self.evaluation_cache.get_or_insert(position.key(), evaluate);
        if let Some(handicap) = &self.handicap {
            units += handicap.misjudgement(position);
        }
        Score::evaluation(units / self.grain * self.grain).units()
    }

    /// The evaluation with what the search has learnt about its errors, and fading as fifty moves without
    /// progress come near.
    pub(super) fn corrected(&self, position: &Position, ply: usize, raw: i32) -> i32 {
        let faded = margins::faded(&self.params, raw, position.halfmove_clock());
        let correction = if self.params.use_correction_history {
            let weight = self.params.continuation_correction_weight;
            self.histories.correction.get(position, self.last_moves(ply), weight)
                / self.params.correction_divisor
        } else {
            0
        };
        Score::evaluation(faded + correction).units()
    }

    /// The evaluation of a node as it is and as corrected, which is kept in the search stack too. There is none in
    /// check. The search that excludes a move has the corrected one from before.
    #[inline]
    pub(super) fn static_evaluation(
        &mut self,
        node: &Node<'_>,
        in_check: bool,
        tt_entry: Option<TtEntry>,
    ) -> (Option<i32>, Option<i32>) {
        let &Node { position, ply, .. } = node;
        if in_check {
            self.stack[ply].evaluation = None;
            return (None, None);
        }
        if self.stack[ply].excluded.is_some() {
            return (None, self.stack[ply].evaluation);
        }
        let known = tt_entry.and_then(|entry| entry.evaluation);
        let raw = known.unwrap_or_else(|| self.raw_evaluation(position));
        let corrected = self.corrected(position, ply, raw);
        self.stack[ply].evaluation = Some(corrected);
        (Some(raw), Some(corrected))
    }

    /// Whether the evaluation is better than it was at our last move, or the one before that when we
    /// were in check.
    pub(super) fn is_improving(&self, ply: usize, evaluation: Option<i32>) -> bool {
        let before = |back: usize| ply.checked_sub(back).and_then(|earlier| self.stack[earlier].evaluation);
        match (evaluation, before(2).or_else(|| before(4))) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// The evaluation here and the one of the opponent before the last move, together: what that move lost.
    pub(super) fn evaluations_of_both(&self, ply: usize) -> Option<i32> {
        let before = self.stack[ply.checked_sub(1)?].evaluation?;
        Some(self.stack[ply].evaluation? + before)
    }

    /// The depth with a reduction of the move before reconsidered, now that the evaluation after it is known: a ply
    /// more if it was reduced much and lost nothing, a ply less if it lost a lot.
    pub(super) fn depth_in_hindsight(&self, ply: usize, depth: i32) -> i32 {
        if !self.params.use_hindsight || ply == 0 {
            return depth;
        }
        let reduction = self.stack[ply - 1].reduction;
        match self.evaluations_of_both(ply) {
            Some(sum) if reduction >= self.params.hindsight_reduction && sum <= 0 => depth + 1,
            Some(sum)
                if reduction >= 1
                    && depth >= self.params.hindsight_depth
                    && sum > self.params.hindsight_margin =>
            {
                depth - 1
            }
            _ => depth,
        }
    }

    /// Fail firm: a score beyond beta counts less the less there is behind it. It is blended in this many parts with
    /// one part of beta.
    pub(super) fn fail_firm(&self, best: Score, beta: Score, parts: i32) -> Score {
        if !self.params.use_fail_firm || best <= beta || best.is_decisive() || beta.is_decisive() {
            return best;
        }
        Score::evaluation((best.units() * parts + beta.units()) / (parts + 1))
    }
}

/// The best guess at the score: the evaluation, or the transposition table's score where its bound allows.
#[inline]
pub(super) fn estimate(evaluation: i32, tt_entry: Option<TtEntry>) -> Score {
    let evaluation = Score::evaluation(evaluation);
    match tt_entry {
        Some(entry) if !entry.score.is_decisive() && entry.decides(evaluation) => entry.score,
        _ => evaluation,
    }
}
