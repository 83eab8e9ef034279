//! Ends games whose result is clear, so that time goes into positions that teach something.

use data::Verdict;

/// For how many half-moves both sides must agree on the winner.
const WIN_PLIES: u32 = 5;
/// A score from which the game counts as won.
const WIN_SCORE: i32 = 900;
/// For how many half-moves both sides must see equality.
const DRAW_PLIES: u32 = 12;
/// A score up to which the game counts as equal.
const DRAW_SCORE: i32 = 5;
/// The first move from which equality counts: before it, scores near zero are common and mean little.
const DRAW_FROM_MOVE: u16 = 40;

/// Watches the scores of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Adjudicator {
    white_ahead: u32,
    black_ahead: u32,
    equal: u32,
}

impl Adjudicator {
    /// Takes note of the score of a move, from White's view, and returns the verdict if that settles the
    /// game. Scores come from both sides in turn, so a few in a row are an agreement.
    pub fn judge(&mut self, white_score: i32, fullmove_number: u16) -> Option<Verdict> {
        let count = |holds: bool, plies: &mut u32| *plies = if holds { *plies + 1 } else { 0 };
        count(white_score >= WIN_SCORE, &mut self.white_ahead);
        count(white_score <= -WIN_SCORE, &mut self.black_ahead);
        count(white_score.abs() <= DRAW_SCORE && fullmove_number >= DRAW_FROM_MOVE, &mut self.equal);
        if self.white_ahead >= WIN_PLIES {
            Some(Verdict::WhiteWins)
        } else if self.black_ahead >= WIN_PLIES {
            Some(Verdict::BlackWins)
        } else if self.equal >= DRAW_PLIES {
            Some(Verdict::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(scores: impl IntoIterator<Item = (i32, u16)>) -> Option<(usize, Verdict)> {
        let mut adjudicator = Adjudicator::default();
        scores
            .into_iter()
            .enumerate()
            .find_map(|(i, (score, number))| Some((i + 1, adjudicator.judge(score, number)?)))
    }

    #[test]
    fn wins_need_agreement() {
        assert_eq!(judge([(900, 20); 9]), Some((5, Verdict::WhiteWins)));
        assert_eq!(judge([(-31_000, 20); 9]), Some((5, Verdict::BlackWins)));
        assert_eq!(judge([(899, 20); 9]), None);
        assert_eq!(
            judge([(3_000, 20), (3_000, 20), (3_000, 20), (3_000, 20), (-3_000, 20), (3_000, 20)]),
            None
        );
    }

    #[test]
    fn draws_need_patience() {
        assert_eq!(judge([(-5, 40); 20]), Some((12, Verdict::Draw)));
        assert_eq!(judge([(0, 39); 20]), None);
        assert_eq!(judge([(6, 90); 20]), None);
    }
}
