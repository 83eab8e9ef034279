//! How programs behave: when they take a draw, offer one or give up.

use chess::pgn::EvalScore;

/// What a program has thought of its game so far, from its own view.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Mood {
    score: Option<EvalScore>,
    /// Moves in a row at which it saw nothing but a draw.
    level_moves: u32,
    /// Moves in a row at which it saw no hope.
    lost_moves: u32,
}

/// So near to nothing that a draw is likely, in centipawns.
const LEVEL: i32 = 15;
/// Worse than this a draw is a gift.
const WORSE: i32 = -60;
/// Worse than this a game is lost.
const LOST: i32 = -650;
/// Nobody agrees to a draw in a level position before this move.
const EARLIEST_DRAW: u16 = 30;
/// So many moves must look the same before a program draws its conclusion.
const LEVEL_MOVES: u32 = 8;
const LOST_MOVES: u32 = 4;

impl Mood {
    /// Takes in what the program thought at a move.
    pub fn think(&mut self, score: Option<EvalScore>) {
        let centipawns =
            |wanted: fn(i32) -> bool| matches!(score, Some(EvalScore::Centipawns(points)) if wanted(points));
        let is_mated = matches!(score, Some(EvalScore::Mate(moves)) if moves <= 0);
        self.score = score;
        self.level_moves = if centipawns(|points| points.abs() <= LEVEL) { self.level_moves + 1 } else { 0 };
        self.lost_moves =
            if is_mated || centipawns(|points| points <= LOST) { self.lost_moves + 1 } else { 0 };
    }

    /// Whether it accepts a draw at this move of the game.
    pub const fn accepts_draw(&self, move_number: u16) -> bool {
        match self.score {
            Some(EvalScore::Mate(moves)) => moves <= 0,
            Some(EvalScore::Centipawns(points)) => {
                points <= WORSE || (points <= LEVEL && move_number >= EARLIEST_DRAW)
            }
            None => false,
        }
    }

    /// Whether it claims a draw that the rules give it.
    pub const fn is_content_with_draw(&self) -> bool {
        match self.score {
            Some(EvalScore::Mate(moves)) => moves <= 0,
            Some(EvalScore::Centipawns(points)) => points <= LEVEL,
            None => false,
        }
    }

    /// Whether it offers a draw now. Having offered it begins to count anew.
    pub const fn wants_draw(&mut self, move_number: u16) -> bool {
        let wants = self.level_moves >= LEVEL_MOVES && move_number >= EARLIEST_DRAW;
        if wants {
            self.level_moves = 0;
        }
        wants
    }

    /// Whether it would be polite to give up.
    pub const fn is_hopeless(&self) -> bool {
        self.lost_moves >= LOST_MOVES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mood(scores: &[EvalScore]) -> Mood {
        let mut mood = Mood::default();
        for &score in scores {
            mood.think(Some(score));
        }
        mood
    }

    #[test]
    fn draws_are_accepted_when_worse_or_late_and_level() {
        let points = |points| mood(&[EvalScore::Centipawns(points)]);
        assert!(points(-200).accepts_draw(3));
        assert!(!points(0).accepts_draw(3));
        assert!(points(0).accepts_draw(40));
        assert!(!points(50).accepts_draw(40));
        assert!(!mood(&[EvalScore::Mate(3)]).accepts_draw(40));
        assert!(mood(&[EvalScore::Mate(-3)]).accepts_draw(3));
        assert!(!Mood::default().accepts_draw(40));
    }

    #[test]
    fn conclusions_take_several_moves() {
        let level = [EvalScore::Centipawns(5); 8];
        assert!(mood(&level).wants_draw(31) && !mood(&level).wants_draw(9));
        assert!(!mood(&level[1..]).wants_draw(31));
        let mut offered = mood(&level);
        assert!(offered.wants_draw(31) && !offered.wants_draw(32), "an offer is not repeated at once");
        let lost =
            [EvalScore::Mate(-5), EvalScore::Centipawns(-950), EvalScore::Mate(-4), EvalScore::Mate(-3)];
        assert!(mood(&lost).is_hopeless());
        let hope = [lost[0], lost[1], EvalScore::Centipawns(-300), lost[2], lost[3]];
        assert!(!mood(&hope).is_hopeless());
    }
}
