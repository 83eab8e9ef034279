//! How long to think.
//!
//! Two limits: after the *hard* one the search is cut off wherever it is; past the *soft* one no new
//! iteration begins. The soft limit stretches while the search is unsure (the best move changes, its
//! score falls, its share of the nodes is small) and shrinks when all is clear.

use crate::limits::{Clock, Limits};
use chess::Color;
use std::time::Duration;

/// The two limits of a search by the clock, in milliseconds (or in units of `nodestime`).
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Budget {
    /// No new iteration begins after this, scaled by how sure the search is.
    pub soft_ms: f64,
    /// The search ends here at the latest.
    pub hard_ms: f64,
    /// Whether the soft limit stretches: not if exactly so much time was asked for.
    pub flexible: bool,
}

/// Without a number of moves to the time control, the rest of the game is taken to need so many.
const MOVES_LEFT: f64 = 24.0;
/// How many times the delay of a move is kept in reserve.
const RESERVED_DELAYS: f64 = 4.0;
/// The share of the time left that one move may use at most.
const LARGEST_SHARE: f64 = 0.7;

impl Budget {
    /// What the clock allows the side to move; none if there is no clock.
    #[must_use]
    pub fn new(limits: &Limits, side: Color, overhead_ms: f64) -> Option<Self> {
        if let Some(time) = limits.move_time {
            let time_ms = (time.as_secs_f64() * 1000.0 - overhead_ms).max(1.0);
            return Some(Self { soft_ms: time_ms, hard_ms: time_ms, flexible: false });
        }
        limits.clock(side).map(|clock| Self::from_clock(clock, limits.moves_to_go, overhead_ms))
    }

    fn from_clock(clock: Clock, moves_to_go: Option<u32>, overhead_ms: f64) -> Self {
        // A clock that has run out, or is about to, leaves time for a first answer and no more. On any
        // other, some moves' delay is kept in reserve: a busy machine may take several at once.
        let left = (clock.left_ms as f64 - overhead_ms).max(1.0);
        let left = left - (RESERVED_DELAYS * overhead_ms).min(left / 2.0);
        let increment = (clock.increment_ms as f64).max(0.0);
        let (soft, hard) = match moves_to_go {
            Some(moves) => {
                let moves = f64::from(moves.clamp(1, 50));
                let share = left / moves;
                // The last move before the control may use nearly all there is.
                let most = if moves < 2.0 { 0.9 } else { LARGEST_SHARE };
                (share + 0.7 * increment, (4.0 * share + increment).min(most * left))
            }
            None => {
                let share = left / MOVES_LEFT;
                (0.83 * share + 0.7 * increment, (4.5 * share + increment).min(LARGEST_SHARE * left))
            }
        };
        let hard = hard.min(LARGEST_SHARE.max(0.9) * left).max(1.0);
        Self { soft_ms: soft.min(hard), hard_ms: hard, flexible: true }
    }

    /// Whether an iteration that ended after `elapsed` should be the last.
    #[must_use]
    pub fn is_enough(&self, elapsed: Duration, certainty: &Certainty) -> bool {
        let scale = if self.flexible { certainty.time_scale() } else { 1.0 };
        elapsed.as_secs_f64() * 1000.0 >= self.soft_ms * scale
    }
}

/// How sure the search is of its best move.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Certainty {
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
    pub fn time_scale(&self) -> f64 {
        let stability = 1.5 - 0.09 * f64::from(self.stable_iterations.min(8));
        let effort = 2.1 - 1.55 * self.best_move_share.clamp(0.0, 1.0);
        let trend = 1.0 + 0.006 * f64::from(self.score_drop.clamp(-20, 80));
        (stability * effort * trend).clamp(0.3, 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(left_ms: i64, increment_ms: i64, moves_to_go: Option<u32>) -> Budget {
        let clock = Some(Clock { left_ms, increment_ms });
        let limits = Limits { clocks: [clock, None], moves_to_go, ..Limits::default() };
        Budget::new(&limits, Color::White, 20.0).unwrap()
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
        assert!(sure.time_scale() < 0.7, "{}", sure.time_scale());
        assert!(unsure.time_scale() > 2.0, "{}", unsure.time_scale());
    }

    #[test]
    fn without_a_clock_there_is_no_budget() {
        assert_eq!(Budget::new(&Limits::default(), Color::White, 20.0), None);
        let black = Limits { clocks: [None, Some(Clock::default())], ..Limits::default() };
        assert_eq!(Budget::new(&black, Color::White, 20.0), None);
    }
}
