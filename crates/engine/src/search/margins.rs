//! How far, how many, how much: the formulas behind pruning, extensions and histories, as pure functions of the
//! [parameters](super::params).

use super::params::Values;

/// By how much the score must be above beta for reverse futility pruning.
#[inline]
pub(super) fn reverse_futility(values: &Values, depth: i32, improving: bool) -> i32 {
    values.rfp_margin * depth - if improving { values.rfp_improving } else { 0 }
}

/// By how much the static evaluation may fall short of beta for null move pruning; negative at low depth, where it
/// must be above.
#[inline]
pub(super) fn null_move(values: &Values, depth: i32) -> i32 {
    values.null_margin_slope * depth + values.null_margin_base
}

/// By how many plies the search after a null move is reduced, when the score is this much above beta.
#[inline]
pub(super) fn null_move_reduction(values: &Values, depth: i32, above_beta: i32) -> i32 {
    values.null_base
        + depth / values.null_depth_divisor
        + (above_beta / values.null_eval_divisor).min(values.null_eval_limit)
}

/// After how many moves late move pruning skips the quiet ones that are left.
#[inline]
pub(super) fn late_move_count(values: &Values, depth: i32, improving: bool) -> i32 {
    (values.lmp_base + depth * depth) / if improving { 1 } else { 2 }
}

/// What a quiet move can hope to gain at this reduced depth.
#[inline]
pub(super) fn futility(values: &Values, reduced_depth: i32, history: i32) -> i32 {
    values.futility_base + values.futility_slope * reduced_depth + values.futility_history * history / 1024
}

/// What a capture can hope to gain at this reduced depth, on top of what it takes.
#[inline]
pub(super) fn capture_futility(values: &Values, reduced_depth: i32) -> i32 {
    values.capture_futility_base + values.capture_futility_slope * reduced_depth
}

/// Quiet moves with less history than this are pruned.
#[inline]
pub(super) fn history_pruning(values: &Values, depth: i32) -> i32 {
    -values.history_pruning_slope * depth
}

/// What a quiet move may lose in an exchange at this reduced depth.
#[inline]
pub(super) fn see_quiet(values: &Values, reduced_depth: i32) -> i32 {
    values.see_quiet_slope * reduced_depth * reduced_depth
}

/// What a capture may lose in an exchange at this depth.
#[inline]
pub(super) fn see_capture(values: &Values, depth: i32, history: i32) -> i32 {
    values.see_capture_slope * depth + history / values.see_capture_history
}

/// By how much all other moves must fall short of the transposition table's score for its move to be singular.
#[inline]
pub(super) fn singular(values: &Values, depth: i32) -> i32 {
    values.singular_margin * depth / 16
}

/// By how many plies a singular move is extended, when the others fall short by this much more than they must.
#[inline]
pub(super) fn singular_extension(values: &Values, shortfall: i32, quiet: bool) -> i32 {
    let double = shortfall > values.double_margin;
    let triple = double && quiet && shortfall > values.triple_margin;
    1 + i32::from(double) + i32::from(triple)
}

/// By how many plies the second search of a reduced move is deeper or shallower than its full depth, when the first
/// one was this much above the best score.
#[inline]
pub(super) fn second_search(values: &Values, above_best: i32, depth: i32) -> i32 {
    let deeper = above_best > values.deeper_margin + values.deeper_slope * depth;
    let shallower = above_best < values.shallower_margin;
    i32::from(deeper) - i32::from(shallower)
}

/// The history bonus for a move that was good at this depth.
#[inline]
pub(super) fn history_bonus(values: &Values, depth: i32) -> i32 {
    (values.bonus_slope * depth - values.bonus_offset).clamp(0, values.bonus_limit)
}

/// What moves that were not good lose in history.
#[inline]
pub(super) fn history_malus(values: &Values, depth: i32) -> i32 {
    (values.malus_slope * depth - values.malus_offset).clamp(0, values.malus_limit)
}

/// The history bonus for a quiet move after which the evaluations of both sides add up to this: what the move lost.
#[inline]
pub(super) fn eval_difference_bonus(values: &Values, sum: i32) -> i32 {
    let gain = (-sum).clamp(-values.eval_diff_limit, values.eval_diff_limit);
    (gain + values.eval_diff_offset) * values.eval_diff_slope
}

/// What correction history learns when a search found this error of the static evaluation.
#[inline]
pub(super) fn correction_bonus(values: &Values, depth: i32, error: i32) -> i32 {
    (error * depth / values.correction_bonus_divisor)
        .clamp(-values.correction_bonus_limit, values.correction_bonus_limit)
}

/// The evaluation, fading as the fifty-move rule comes near.
#[inline]
pub(super) fn faded(values: &Values, evaluation: i32, halfmove_clock: u16) -> i32 {
    evaluation * (values.fifty_move_fading - i32::from(halfmove_clock.min(100))) / values.fifty_move_fading
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: &Values = &Values::DEFAULT;

    #[test]
    fn an_improving_evaluation_needs_less_margin_and_tries_more_moves() {
        for depth in 1..10 {
            assert!(reverse_futility(VALUES, depth, true) < reverse_futility(VALUES, depth, false));
            assert!(late_move_count(VALUES, depth, true) > late_move_count(VALUES, depth, false));
        }
    }

    #[test]
    fn margins_grow_with_depth() {
        for depth in 1..20 {
            assert!(reverse_futility(VALUES, depth + 1, true) > reverse_futility(VALUES, depth, true));
            assert!(futility(VALUES, depth + 1, 0) > futility(VALUES, depth, 0));
            assert!(see_quiet(VALUES, depth + 1) > see_quiet(VALUES, depth));
            assert!(history_bonus(VALUES, depth + 1) >= history_bonus(VALUES, depth));
            assert!(null_move_reduction(VALUES, depth, 10_000) >= null_move_reduction(VALUES, depth, 0));
        }
    }

    #[test]
    fn extensions_follow_the_shortfall() {
        assert_eq!(singular_extension(VALUES, 0, true), 1);
        assert_eq!(singular_extension(VALUES, VALUES.double_margin + 1, true), 2);
        assert_eq!(singular_extension(VALUES, VALUES.triple_margin + 1, true), 3);
        assert_eq!(singular_extension(VALUES, VALUES.triple_margin + 1, false), 2);
    }

    #[test]
    fn a_second_search_is_deeper_only_after_a_surprise() {
        assert_eq!(second_search(VALUES, VALUES.shallower_margin - 1, 5), -1);
        assert_eq!(second_search(VALUES, VALUES.shallower_margin, 5), 0);
        assert_eq!(second_search(VALUES, 1000, 5), 1);
    }

    #[test]
    fn evaluations_fade_towards_the_fifty_move_rule() {
        assert_eq!(faded(VALUES, 220, 0), 220);
        assert_eq!(faded(VALUES, 220, 100), 120);
        assert_eq!(faded(VALUES, -220, 3000), -120);
    }
}
