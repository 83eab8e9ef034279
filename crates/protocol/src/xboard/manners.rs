//! When to offer a draw, when to accept one and when to give up.

use engine::{ReportedScore, Score, wdl};

/// Centipawns within which the game is as good as drawn.
const DRAWISH: i32 = 10;
/// So many moves in a row have to look drawn before the engine offers a draw.
const DRAWISH_MOVES: u32 = 10;
/// And not before this move of the game: there is much to play for in an even opening.
const EARLIEST_OFFER: u16 = 50;
/// After an offer that was not taken, so many moves pass before the next.
const MOVES_BETWEEN_OFFERS: u16 = 25;

/// An offer is taken at once when the engine stands this much worse, in centipawns.
const CLEARLY_WORSE: i32 = -60;
/// From this move on it is also taken when the engine does not stand better.
const LONG_GAME: u16 = 40;

/// The game is hopeless at this score in centipawns, which a whole rook more does not mend,
const HOPELESS: i32 = -650;
/// if it has been so for this many moves.
const HOPELESS_MOVES: u32 = 4;

/// A mate counts as this many centipawns.
const MATE: i32 = 100_000;

/// What the engine has thought of the game so far, and what it makes of that.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Manners {
    last: Option<i32>,
    drawish_moves: u32,
    hopeless_moves: u32,
    last_offer: Option<u16>,
}

impl Manners {
    /// Takes note of the score with which the engine chose its move.
    pub(super) fn note(&mut self, score: Score) {
        let centipawns = match score.to_reported() {
            ReportedScore::Units(units) => wdl::centipawns(units),
            ReportedScore::Mate(moves) => {
                if moves > 0 {
                    MATE
                } else {
                    -MATE
                }
            }
        };
        let count = |streak: u32, goes_on: bool| if goes_on { streak + 1 } else { 0 };
        self.drawish_moves = count(self.drawish_moves, centipawns.abs() <= DRAWISH);
        self.hopeless_moves = count(self.hopeless_moves, centipawns <= HOPELESS);
        self.last = Some(centipawns);
    }

    /// Whether to give up instead of moving.
    #[must_use]
    pub(super) fn gives_up(&self) -> bool {
        self.hopeless_moves >= HOPELESS_MOVES
    }

    /// Whether to take the draw that the opponent offers at this move of the game.
    #[must_use]
    pub(super) fn accepts_draw(&self, move_number: u16) -> bool {
        self.last.is_some_and(|score| score <= CLEARLY_WORSE || score <= 0 && move_number >= LONG_GAME)
    }

    /// Whether to offer a draw with this move of the game; remembers the offer.
    #[must_use]
    pub(super) fn offers_draw(&mut self, move_number: u16) -> bool {
        let too_soon =
            self.last_offer.is_some_and(|last| move_number < last.saturating_add(MOVES_BETWEEN_OFFERS));
        let offers = self.drawish_moves >= DRAWISH_MOVES && move_number >= EARLIEST_OFFER && !too_soon;
        if offers {
            self.last_offer = Some(move_number);
        }
        offers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(centipawns: i32) -> Score {
        Score::evaluation(wdl::units(centipawns))
    }

    #[test]
    fn gives_up_only_what_stays_hopeless() {
        let mut manners = Manners::default();
        for centipawns in [-950, -950, -950, -500, -950, -1200] {
            manners.note(score(centipawns));
            assert!(!manners.gives_up());
        }
        manners.note(Score::mated_in(8));
        assert!(!manners.gives_up());
        manners.note(Score::mated_in(6));
        assert!(manners.gives_up());
    }

    #[test]
    fn takes_draws_when_worse_or_tired() {
        let mut manners = Manners::default();
        assert!(!manners.accepts_draw(80), "nothing is known yet");
        manners.note(score(0));
        assert!(!manners.accepts_draw(20));
        assert!(manners.accepts_draw(40));
        manners.note(score(15));
        assert!(!manners.accepts_draw(100));
        manners.note(score(-80));
        assert!(manners.accepts_draw(5));
        manners.note(Score::mate_in(3));
        assert!(!manners.accepts_draw(100));
    }

    #[test]
    fn offers_draws_seldom() {
        let mut manners = Manners::default();
        let mut offers = Vec::new();
        for move_number in 30..110 {
            manners.note(score(3));
            if manners.offers_draw(move_number) {
                offers.push(move_number);
            }
        }
        assert_eq!(offers, [50, 75, 100]);
        manners.note(score(40));
        assert!(!manners.offers_draw(200));
    }
}
