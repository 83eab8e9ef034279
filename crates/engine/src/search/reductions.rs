//! The search of a move: late moves are first searched less deep, and all but the first with a null window.

use super::node::{Candidate, Facts, Node};
use super::params::{Params, Values};
use super::{NodeType, NonPv, Worker, margins};
use crate::picker::OrderingContext;
use crate::score::Score;

/// Reductions are counted in these parts of a ply.
pub(super) const PLY: i32 = 1024;

/// Reductions by depth and move number, for captures and quiet moves.
#[derive(Clone, Debug)]
pub(super) struct Reductions([[[i16; 64]; 64]; 2]);

impl Params {
    /// The basic reduction of a late move, in 1024ths of a ply.
    #[must_use]
    #[inline]
    pub(super) fn reduction(&self, quiet: bool, depth: i32, move_number: usize) -> i32 {
        #[cfg(feature = "tuning")]
        return self.reductions().get(quiet, depth, move_number);
        #[cfg(not(feature = "tuning"))]
        {
            static REDUCTIONS: Reductions = Reductions::new(&Values::DEFAULT);
            REDUCTIONS.get(quiet, depth, move_number)
        }
    }
}

impl Worker {
    /// The score of a move, for the side that makes it. `best` is the best score of the moves before.
    #[inline(always)]
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        facts: &Facts,
        context: &OrderingContext,
        candidate: &Candidate,
        extension: i32,
        best: Score,
    ) -> Score {
        let &Node { task, position, ply, alpha, beta, depth, cut_node } = node;
        let &Candidate { mv, quiet, number, history, reduction, .. } = candidate;
        let null_window = (alpha, alpha + 1);

        // 20. Make the move.
        let next = self.make(task, position, ply, mv);
        let new_depth = depth - 1 + extension;
        let mut score = -Score::INFINITE;

        // 21. Late move reductions: moves far down the list are searched less deep first, by how late they come and
        // how likely the node is to need them.
        if self.params.use_lmr && depth >= self.params.lmr_depth && number > 1 + usize::from(N::ROOT) {
            let late_move = LateMove {
                quiet,
                history,
                on_pv: N::PV,
                was_pv: facts.was_pv,
                cut_node,
                improving: facts.improving,
                gives_check: next.is_check(),
                tt_move_is_noisy: facts.tt_move.is_some_and(|mv| position.is_noisy(mv)),
                cutoffs: self.stack[ply + 1].cutoffs,
                correction: facts.correction(),
            };
            let plies = late_move.adjust(&self.params, reduction) / PLY;
            let reduced = (new_depth - plies).clamp(1.min(new_depth), new_depth + i32::from(N::PV));
            self.stack[ply].reduction = new_depth - reduced;
            score = -self.search_node::<NonPv>(node.child(&next, null_window, reduced, true));
            self.stack[ply].reduction = 0;
            if score > alpha && reduced < new_depth && !self.stopped {
                // How much better than expected decides how deep the second search is.
                let second = new_depth + margins::second_search(&self.params, score - best, new_depth);
                if second > reduced {
                    score = -self.search_node::<NonPv>(node.child(&next, null_window, second, !cut_node));
                }
                if quiet && !self.stopped {
                    self.learn_from_second_search(context, ply, new_depth, score > alpha);
                }
            }
        } else if !N::PV || number > 1 {
            // 22. Principal variation search: all moves but the first only have to be refuted.
            score = -self.search_node::<NonPv>(node.child(&next, null_window, new_depth, !cut_node));
        }
        // The first move, and any that was not refuted, gets the open window.
        if N::PV && (number == 1 || score > alpha) && !self.stopped {
            score = -self.search_node::<N::Child>(node.child(&next, (alpha, beta), new_depth, false));
        }
        self.unmake();
        score
    }
}

impl Facts {
    /// By how many units the evaluation had to be corrected.
    #[inline]
    fn correction(&self) -> i32 {
        self.evaluation.zip(self.raw).map_or(0, |(corrected, raw)| (corrected - raw).abs())
    }
}

/// What speaks for or against the reduction of a move.
pub(super) struct LateMove {
    pub(super) quiet: bool,
    pub(super) history: i32,
    pub(super) on_pv: bool,
    pub(super) was_pv: bool,
    pub(super) cut_node: bool,
    pub(super) improving: bool,
    pub(super) gives_check: bool,
    pub(super) tt_move_is_noisy: bool,
    /// How often the nodes after this one failed high lately.
    pub(super) cutoffs: u32,
    /// By how many units the evaluation had to be corrected: where it errs, more is searched.
    pub(super) correction: i32,
}

impl LateMove {
    /// The basic reduction, adjusted to the move, in 1024ths of a ply.
    #[inline]
    pub(super) fn adjust(&self, params: &Params, reduction: i32) -> i32 {
        let divisor = if self.quiet { params.lmr_history } else { params.lmr_noisy_history };
        let mut reduction = reduction - self.history * PLY / divisor;
        if self.was_pv {
            reduction -= params.lmr_pv + if self.on_pv { params.lmr_on_pv } else { 0 };
        }
        if self.cut_node {
            reduction += params.lmr_cut_node;
        }
        if !self.improving {
            reduction += params.lmr_not_improving;
        }
        if self.gives_check {
            reduction -= params.lmr_check;
        }
        if self.tt_move_is_noisy {
            reduction += params.lmr_tt_noisy;
        }
        if self.cutoffs as i32 > params.lmr_cutoff_count {
            reduction += params.lmr_cutoffs;
        }
        reduction - self.correction * params.lmr_correction
    }
}

#[cfg(feature = "tuning")]
impl Default for Reductions {
    fn default() -> Self {
        Self::new(&Values::DEFAULT)
    }
}

impl Reductions {
    pub(super) const fn new(values: &Values) -> Self {
        let mut reductions = [[[0; 64]; 64]; 2];
        let mut depth = 1;
        while depth < 64 {
            let mut number = 1;
            while number < 64 {
                let logarithms = (ln_1024(depth) as i64 * ln_1024(number) as i64 / 1024) as i32;
                let noisy = values.lmr_noisy_base + values.lmr_noisy_slope * logarithms / 1024;
                let quiet = values.lmr_quiet_base + values.lmr_quiet_slope * logarithms / 1024;
                reductions[0][depth as usize][number as usize] = noisy as i16;
                reductions[1][depth as usize][number as usize] = quiet as i16;
                number += 1;
            }
            depth += 1;
        }
        Self(reductions)
    }

    #[inline]
    fn get(&self, quiet: bool, depth: i32, move_number: usize) -> i32 {
        i32::from(self.0[usize::from(quiet)][depth.clamp(0, 63) as usize][move_number.min(63)])
    }
}

/// The natural logarithm in 1024ths. Integers only, because the logarithm of one machine's library may
/// differ from another's in the last bit, and the search must not.
const fn ln_1024(n: i32) -> i32 {
    // The logarithm to base two: the whole part by counting bits, then one bit of the fraction for
    // every squaring, on a 32-bit fixed-point mantissa between 1 and 2.
    let whole = 31 - (n as u32).leading_zeros();
    let mut mantissa = (n as u64) << (31 - whole);
    let mut log2 = (whole as u64) << 20;
    let mut bit = 1 << 19;
    while bit > 0 {
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            log2 += bit;
        }
        bit >>= 1;
    }
    // ln 2 in 2^20ths is 726817.
    ((log2 * 726_817) >> 30) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for n in 1..64 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - exact).abs() < 1.01, "{n}: {} {exact}", ln_1024(n));
        }
    }

    #[test]
    fn later_moves_are_reduced_more() {
        let params = Params::default();
        assert!(params.reduction(true, 10, 20) > params.reduction(true, 10, 5));
        assert!(params.reduction(true, 10, 5) > params.reduction(true, 4, 5));
        assert!(params.reduction(true, 10, 10) > params.reduction(false, 10, 10));
    }
}
