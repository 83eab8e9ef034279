//! What a score means, and what an error is.

use engine::Score;
use serde::Serialize;
use std::fmt;

/// More centipawns than this make no difference to the average loss.
const MAX_CENTIPAWNS: i32 = 1000;

/// How many per cent of the point a person may expect at a score of the side to move.
///
/// Among engines a lead of 100 centipawns decides half the games; among people it decides far fewer, and to call
/// every loss of 50 a blunder would not help anyone. So this is the curve that Lichess fitted to games of people. It is
/// for centipawns whose hundred is an even chance to win among engines, which is what ours are too.
#[must_use]
pub fn win_percent(score: Score) -> f64 {
    const RISE: f64 = 0.003_682_08;
    if score.is_decisive() {
        return if score > Score::DRAW { 100.0 } else { 0.0 };
    }
    100.0 / (1.0 + (-RISE * f64::from(score.centipawns())).exp())
}

/// From here on a side is winning: three of four points, at about 300 centipawns.
pub const WINNING_PERCENT: f64 = 75.0;

/// Centipawns as they count for the average loss.
#[must_use]
pub fn capped_centipawns(score: Score) -> i32 {
    score.centipawns().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
}

/// How exact a move is by the points of the win percentage it loses, from 0 to 100.
///
/// The curve is the one Lichess has published, so that the numbers can be compared.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// How bad an error is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It gives away 5 points of the win percentage or more.
    Inaccuracy,
    /// 10 or more.
    Mistake,
    /// 15 or more.
    Blunder,
}

impl Judgement {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The judgement of a loss of win percentage, if it is an error.
    #[must_use]
    pub fn of_loss(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|judgement| loss >= judgement.least_loss())
    }

    const fn least_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 5.0,
            Self::Mistake => 10.0,
            Self::Blunder => 15.0,
        }
    }

    /// As people write it behind the move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// The word as it begins a sentence.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::wdl;

    #[test]
    fn percentages_follow_the_published_curve() {
        assert_eq!(win_percent(Score::DRAW), 50.0);
        for (centipawns, percent) in [(100, 59.1), (300, 75.1), (-200, 32.4)] {
            let ours = win_percent(Score::evaluation(wdl::units(centipawns)));
            assert!((ours - percent).abs() < 0.2, "{centipawns}: {ours}");
        }
        assert_eq!(win_percent(Score::mate_in(3)), 100.0);
        assert_eq!(win_percent(Score::mated_in(0)), 0.0);
        for units in (0..2000).step_by(10) {
            let (ours, theirs) = (Score::evaluation(units), Score::evaluation(-units));
            assert!((win_percent(ours) + win_percent(theirs) - 100.0).abs() < 1e-9);
            assert!(win_percent(ours) <= win_percent(ours + 10));
        }
    }

    #[test]
    fn errors_begin_at_five_points() {
        assert_eq!(Judgement::of_loss(4.9), None);
        assert_eq!(Judgement::of_loss(5.0), Some(Judgement::Inaccuracy));
        assert_eq!(Judgement::of_loss(10.0), Some(Judgement::Mistake));
        assert_eq!(Judgement::of_loss(14.9), Some(Judgement::Mistake));
        assert_eq!(Judgement::of_loss(80.0), Some(Judgement::Blunder));
    }

    #[test]
    fn accuracy_falls_from_a_hundred() {
        assert!((accuracy(0.0) - 100.0).abs() < 0.01);
        assert!((accuracy(10.0) - 63.6).abs() < 0.1);
        assert_eq!(accuracy(100.0), 0.0);
    }
}
