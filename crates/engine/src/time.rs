//! How long to think.
//!
//! Two limits: after the *hard* one the search is cut off wherever it is; past the *soft* one no new
//! iteration begins. The soft limit stretches while the search is unsure (the best move changes, its
//! score falls, its share of the nodes is small) and shrinks when all is clear.

use crate::limits::{Clock, Limits};
use crate::search::params::Values;
use chess::Color;
use std::time::Duration;

/// The two limits of a search by the clock, in milliseconds (or in units of `nodestime`).
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Budget {
    /// No new iteration begins after this, scaled by how sure the search is.
    pub soft_ms: f64,
    /// The search ends here at the latest.
    pub hard_ms: f64,
    /// Whether the soft limit stretches: not if exactly this much time was asked for.
    pub flexible: bool,
}

/// A number declared in hundredths, as a factor.
fn hundredths(number: i32) -> f64 {
    f64::from(number) / 100.0
}

/// A number declared in thousandths, as a factor.
fn thousandths(number: i32) -> f64 {
    f64::from(number) / 1000.0
}

impl Budget {
    /// What the clock allows the side to move; none if there is no clock.
    #[must_use]
    pub(crate) fn new(values: &Values, limits: &Limits, side: Color, overhead_ms: f64) -> Option<Self> {
        if let Some(time) = limits.move_time {
            let time_ms = (time.as_secs_f64() * 1000.0 - overhead_ms).max(1.0);
            return Some(Self { soft_ms: time_ms, hard_ms: time_ms, flexible: false });
        }
        limits.clock(side).map(|clock| Self::from_clock(values, clock, limits.moves_to_go, overhead_ms))
    }

    fn from_clock(values: &Values, clock: Clock, moves_to_go: Option<u32>, overhead_ms: f64) -> Self {
        // A clock that has run out, or is about to, leaves time for a first answer and no more. On any
        // other, the overhead of some moves is kept in reserve: a busy machine may take several at once.
        let left = (clock.left_ms as f64 - overhead_ms).max(1.0);
        let left = left - (f64::from(values.time_reserved_overheads) * overhead_ms).min(left / 2.0);
        let increment = (clock.increment_ms as f64).max(0.0);
        let moves = match moves_to_go {
            Some(moves) => f64::from(moves.clamp(1, values.time_moves_limit as u32)),
            None => f64::from(values.time_moves_left),
        };
        let (soft_share, hard_share) = match moves_to_go {
            Some(_) => (values.time_soft_share_to_go, values.time_hard_share_to_go),
            None => (values.time_soft_share, values.time_hard_share),
        };
        // The last move before the control may use nearly all there is.
        let most = if moves < 2.0 { values.time_last_move_share } else { values.time_largest_share };
        let share = left / moves;
        let soft = hundredths(soft_share) * share + hundredths(values.time_soft_increment) * increment;
        let hard = (hundredths(hard_share) * share + increment).min(hundredths(most) * left).max(1.0);
        Self { soft_ms: soft.min(hard), hard_ms: hard, flexible: true }
    }

    /// Whether an iteration that ended after `elapsed` should be the last.
    #[must_use]
    pub(crate) fn is_enough(&self, values: &Values, elapsed: Duration, certainty: &Certainty) -> bool {
        let scale = if self.flexible { certainty.time_scale(values) } else { 1.0 };
        elapsed.as_secs_f64() * 1000.0 >= self.soft_ms * scale
    }
}

/// How sure the search is of its best move.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub(crate) struct Certainty {
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// The part of all nodes that went into the best move.
    pub best_move_share: f64,
    /// By how many units the score has fallen since the last iterations.
    pub score_drop: i32,
}

impl Certainty {
    /// What to multiply the soft limit with.
    #[must_use]
    pub(crate) fn time_scale(&self, values: &Values) -> f64 {
        let stable = self.stable_iterations.min(values.time_stable_iterations as u32);
        let stability =
            thousandths(values.time_unstable) - thousandths(values.time_stability) * f64::from(stable);
        let share = self.best_move_share.clamp(0.0, 1.0);
        let effort = thousandths(values.time_effort_base) - thousandths(values.time_effort_slope) * share;
        let drop = self.score_drop.clamp(-values.time_trend_rise_limit, values.time_trend_fall_limit);
        let trend = 1.0 + thousandths(values.time_trend) * f64::from(drop);
        (stability * effort * trend)
            .clamp(thousandths(values.time_least_scale), thousandths(values.time_largest_scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: &Values = &Values::DEFAULT;

    fn budget(left_ms: i64, increment_ms: i64, moves_to_go: Option<u32>) -> Budget {
        let clock = Some(Clock { left_ms, increment_ms });
        let limits = Limits { clocks: [clock, None], moves_to_go, ..Limits::default() };
        Budget::new(VALUES, &limits, Color::White, 20.0).unwrap()
    }

    #[test]
    fn never_more_than_the_clock_holds() {
        for left in [1, 5, 21, 50, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let budget = budget(left, increment, moves_to_go);
                    let rest = (left as f64 - 20.0).max(1.0);
                    assert!(budget.hard_ms <= rest.max(1.0), "{left} {increment} {moves_to_go:?} {budget:?}");
                    assert!(budget.soft_ms <= budget.hard_ms && budget.soft_ms > 0.0);
                }
            }
        }
    }

    #[test]
    fn a_negative_clock_is_answered_at_once() {
        for left in [0, -1, -100_000, i64::MIN / 2] {
            let budget = budget(left, 0, None);
            assert!(budget.hard_ms <= 1.0, "{budget:?}");
        }
    }

    #[test]
    fn doubt_takes_time() {
        let sure = Certainty { stable_iterations: 8, best_move_share: 0.95, score_drop: -10 };
        let unsure = Certainty { stable_iterations: 0, best_move_share: 0.3, score_drop: 50 };
        assert!(sure.time_scale(VALUES) < 0.7, "{}", sure.time_scale(VALUES));
        assert!(unsure.time_scale(VALUES) > 2.0, "{}", unsure.time_scale(VALUES));
    }

    #[test]
    fn without_a_clock_there_is_no_budget() {
        assert_eq!(Budget::new(VALUES, &Limits::default(), Color::White, 20.0), None);
        let black = Limits { clocks: [None, Some(Clock::default())], ..Limits::default() };
        assert_eq!(Budget::new(VALUES, &black, Color::White, 20.0), None);
    }
}
