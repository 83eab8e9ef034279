//! When an engine offers, accepts or claims a draw in a game, and when it resigns.

use chess::pgn::EvalScore;

/// Centipawns within which the game is level.
const LEVEL: i32 = 10;
/// An engine offers a draw after this many level moves in a row,
const LEVEL_MOVES: u32 = 10;
/// and neither offers one nor accepts one in a level position before this move: there is much to play for in an
/// even opening.
const EARLIEST_DRAW: u16 = 40;
/// After an offer that was not accepted, this many moves pass before the next.
const MOVES_BETWEEN_OFFERS: u16 = 25;
/// An engine that stands this much worse, in centipawns, accepts a draw at any time.
const CLEARLY_WORSE: i32 = -60;

/// The game is lost at this score in centipawns, which a whole rook more does not mend,
const LOST: i32 = -650;
/// if it has been so for this many moves.
const LOST_MOVES: u32 = 4;

/// A mate counts as this many centipawns.
const MATE: i32 = 100_000;

/// What a program has thought of its game so far, and what it concludes about draws and resignation. All front
/// ends in which programs play against people follow it.
///
/// ```
/// use chess::pgn::EvalScore;
/// use engine::DrawPolicy;
///
/// let mut policy = DrawPolicy::default();
/// policy.note(EvalScore::Centipawns(-120));
/// assert!(policy.accepts(12) && policy.claims());
/// assert!(!policy.offers(12) && !policy.resigns());
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawPolicy {
    /// The last score in centipawns, from the program's own view.
    score: Option<i32>,
    /// Moves in a row at which the game was level.
    level_moves: u32,
    /// Moves in a row at which the game was lost.
    lost_moves: u32,
    last_offer: Option<u16>,
}

impl DrawPolicy {
    /// Notes the score with which the program chose its move, from its own view.
    pub fn note(&mut self, score: EvalScore) {
        let centipawns = match score {
            EvalScore::Centipawns(centipawns) => centipawns,
            EvalScore::Mate(moves) if moves > 0 => MATE,
            EvalScore::Mate(_) => -MATE,
        };
        let count = |streak: u32, continues: bool| if continues { streak.saturating_add(1) } else { 0 };
        self.level_moves = count(self.level_moves, centipawns.abs() <= LEVEL);
        self.lost_moves = count(self.lost_moves, centipawns <= LOST);
        self.score = Some(centipawns);
    }

    /// Whether to accept the draw that the opponent offers at this move of the game.
    #[must_use]
    pub fn accepts(&self, move_number: u16) -> bool {
        let is_late = move_number >= EARLIEST_DRAW;
        self.score.is_some_and(|score| score <= CLEARLY_WORSE || score <= LEVEL && is_late)
    }

    /// Whether to offer a draw with this move of the game; remembers the offer.
    #[must_use]
    pub fn offers(&mut self, move_number: u16) -> bool {
        let is_too_soon =
            self.last_offer.is_some_and(|last| move_number < last.saturating_add(MOVES_BETWEEN_OFFERS));
        let offers = self.level_moves >= LEVEL_MOVES && move_number >= EARLIEST_DRAW && !is_too_soon;
        if offers {
            self.last_offer = Some(move_number);
        }
        offers
    }

    /// Whether to claim a draw that the rules give.
    #[must_use]
    pub fn claims(&self) -> bool {
        self.score.is_some_and(|score| score <= LEVEL)
    }

    /// Whether to resign instead of moving.
    #[must_use]
    pub fn resigns(&self) -> bool {
        self.lost_moves >= LOST_MOVES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(scores: &[EvalScore]) -> DrawPolicy {
        let mut policy = DrawPolicy::default();
        for &score in scores {
            policy.note(score);
        }
        policy
    }

    fn at(centipawns: i32) -> DrawPolicy {
        after(&[EvalScore::Centipawns(centipawns)])
    }

    #[test]
    fn resigns_only_what_stays_lost() {
        let mut policy = DrawPolicy::default();
        for centipawns in [-950, -950, -950, -500, -950, -1200] {
            policy.note(EvalScore::Centipawns(centipawns));
            assert!(!policy.resigns());
        }
        policy.note(EvalScore::Mate(-4));
        assert!(!policy.resigns());
        policy.note(EvalScore::Mate(-3));
        assert!(policy.resigns());
        policy.note(EvalScore::Mate(1));
        assert!(!policy.resigns());
    }

    #[test]
    fn accepts_draws_when_worse_or_late_and_level() {
        assert!(!DrawPolicy::default().accepts(80), "nothing is known yet");
        assert!(!at(0).accepts(39) && at(0).accepts(40));
        assert!(!at(15).accepts(100) && !at(50).accepts(40));
        assert!(at(-80).accepts(5));
        assert!(!after(&[EvalScore::Mate(3)]).accepts(100));
        assert!(after(&[EvalScore::Mate(-3)]).accepts(3) && after(&[EvalScore::Mate(0)]).accepts(3));
    }

    #[test]
    fn claims_draws_unless_better() {
        assert!(at(-300).claims() && at(0).claims() && !at(40).claims());
        assert!(!DrawPolicy::default().claims() && !after(&[EvalScore::Mate(2)]).claims());
    }

    #[test]
    fn offers_draws_seldom() {
        let mut policy = DrawPolicy::default();
        let mut offers = Vec::new();
        for move_number in 32..110 {
            policy.note(EvalScore::Centipawns(3));
            if policy.offers(move_number) {
                offers.push(move_number);
            }
        }
        assert_eq!(offers, [41, 66, 91]);
        policy.note(EvalScore::Centipawns(40));
        assert!(!policy.offers(200));
    }
}
