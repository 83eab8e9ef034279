//! When a move is the only one.

use engine::Score;
use engine::wdl::Wdl;

/// What the solver is to reach.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A won position.
    Win,
    /// A position that is not lost.
    Save,
}

/// Where winning and losing begin, in chances of a thousand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Who wins wins at least this often.
    pub winning: u32,
    /// Who does not win wins at most this often.
    pub not_winning: u32,
    /// Who is saved loses at most this often.
    pub saved: u32,
    /// Who is lost loses at least this often.
    pub lost: u32,
}

impl Bounds {
    /// What makes a puzzle: the move wins more often than not, and every other one does not; or it is rarely lost, where
    /// every other one mostly is.
    pub const DEFINITION: Self = Self { winning: 700, not_winning: 500, saved: 400, lost: 700 };
    /// What a new puzzle has to fulfil: far enough within the definition that a deeper search agrees.
    pub const CLEAR: Self = Self { winning: 800, not_winning: 300, saved: 200, lost: 850 };

    /// Whether a position with this score is what was aimed at.
    #[must_use]
    pub fn reaches(&self, aim: Aim, score: Score) -> bool {
        let Wdl { win, loss, .. } = score.chances();
        match aim {
            Aim::Win => win >= self.winning,
            Aim::Save => loss <= self.saved,
        }
    }

    /// Whether a position with this score is clearly not what was aimed at.
    #[must_use]
    pub fn misses(&self, aim: Aim, score: Score) -> bool {
        let Wdl { win, loss, .. } = score.chances();
        match aim {
            Aim::Win => win <= self.not_winning,
            Aim::Save => loss >= self.lost,
        }
    }

    /// Whether the best move reaches the aim and the second best, if there is one, does not.
    #[must_use]
    pub fn is_only_move(&self, aim: Aim, best: Score, second: Option<Score>) -> bool {
        self.reaches(aim, best) && second.is_none_or(|second| self.misses(aim, second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::wdl;

    fn score(centipawns: i32) -> Score {
        Score::evaluation(wdl::units(centipawns))
    }

    #[test]
    fn clear_cases_lie_within_the_definition() {
        for aim in [Aim::Win, Aim::Save] {
            for best in (-600..=600).step_by(20) {
                for second in (-600..=best).step_by(20) {
                    let second = Some(score(second));
                    let is_clear = Bounds::CLEAR.is_only_move(aim, score(best), second);
                    assert!(!is_clear || Bounds::DEFINITION.is_only_move(aim, score(best), second));
                }
            }
        }
    }

    #[test]
    fn winning_and_saving_differ() {
        let clear = Bounds::CLEAR;
        assert!(clear.is_only_move(Aim::Win, score(300), Some(score(20))));
        assert!(!clear.is_only_move(Aim::Win, score(300), Some(score(100))));
        assert!(clear.is_only_move(Aim::Save, score(0), Some(score(-300))));
        assert!(!clear.is_only_move(Aim::Save, score(-100), Some(score(-300))));
        assert!(clear.is_only_move(Aim::Win, Score::mate_in(3), None));
    }
}
