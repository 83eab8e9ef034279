//! Elo differences, with errors.

use super::{Pairs, Tally};

/// The Elo difference at which a score, as a part of all points, is expected.
#[must_use]
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score expected at an Elo difference.
#[must_use]
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// 95 % of a normal distribution lie within this many standard deviations.
pub const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// What is known about the strength of one player against another.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The mean score of a game.
    pub score: f64,
    /// The standard deviation of that mean.
    pub deviation: f64,
    /// The standard deviation of the score of one game, or as much of a pair's as falls on one.
    pub spread: f64,
}

impl Estimate {
    /// From pairs of games.
    #[must_use]
    pub fn of_pairs(pairs: &Pairs) -> Option<Self> {
        let mean = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 =
                pairs.0.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(&n, x)| n as f64 * f(x)).sum();
            sum / pairs.count() as f64
        };
        (pairs.count() > 0).then(|| {
            let score = mean(&|x| x);
            let variance = mean(&|x| (x - score).powi(2));
            Self {
                score,
                deviation: (variance / pairs.count() as f64).sqrt(),
                spread: (2.0 * variance).sqrt(),
            }
        })
    }

    /// From single games, which are taken as independent.
    #[must_use]
    pub fn of_games(tally: &Tally) -> Option<Self> {
        let games = tally.games() as f64;
        (tally.games() > 0).then(|| {
            let score = tally.points() / games;
            let square = |x: f64| (x - score).powi(2);
            let sum = tally.wins as f64 * square(1.0)
                + tally.draws as f64 * square(0.5)
                + tally.losses as f64 * square(0.0);
            let variance = sum / games;
            Self { score, deviation: (variance / games).sqrt(), spread: variance.sqrt() }
        })
    }

    /// The Elo difference; infinite when every game was won or lost.
    #[must_use]
    pub fn elo(&self) -> f64 {
        // Adding zero turns a negative zero into a plain one.
        elo_of(self.score) + 0.0
    }

    /// Half the width of the interval that holds the true Elo difference with 95 %. None when nothing can
    /// be said: all games were won, or lost, or drawn.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let margin = CONFIDENCE * self.deviation;
        let (low, high) = (self.score - margin, self.score + margin);
        if self.deviation == 0.0 {
            None
        } else if low > 0.0 && high < 1.0 {
            Some((elo_of(high) - elo_of(low)) / 2.0)
        } else {
            // The interval leaves the curve, so it is measured along the tangent.
            let slope = 400.0 / std::f64::consts::LN_10 / (self.score * (1.0 - self.score));
            Some(margin * slope)
        }
    }

    /// Elo in units of the spread of results: comparable between openings and time controls with more and
    /// fewer draws.
    #[must_use]
    pub fn normalised_elo(&self) -> Option<f64> {
        (self.spread > 0.0).then(|| (self.score - 0.5) / self.spread * 800.0 / std::f64::consts::LN_10)
    }

    /// The likelihood that the player is stronger than the other.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        if self.deviation > 0.0 {
            normal_below((self.score - 0.5) / self.deviation)
        } else if self.score == 0.5 {
            0.5
        } else {
            self.score.round()
        }
    }
}

/// The part of a normal distribution below `x` standard deviations.
///
/// By the continued fraction of the tail far out and the power series near the middle: both to machine
/// precision.
#[must_use]
pub fn normal_below(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x.abs() < 3.0 {
        let (mut term, mut sum, mut n) = (x, x, 1.0);
        while f64::abs(term) > 1e-17 * f64::abs(sum) {
            n += 2.0;
            term *= x * x / n;
            sum += term;
        }
        0.5 + density * sum
    } else {
        let size = x.abs();
        let fraction = (1..=60).rev().fold(size, |tail, n| size + f64::from(n) / tail);
        let tail = density / fraction;
        if x > 0.0 { 1.0 - tail } else { tail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (1.96, 0.975_002_104_851_780),
            (2.999, 0.998_645_663_466),
            (3.001, 0.998_654_527_175),
            (-4.0, 3.167_124_183_311_99e-5),
            (6.0, 0.999_999_999_013_412),
        ] {
            close(normal_below(x), expected, 1e-9);
        }
        close(normal_below(CONFIDENCE), 0.975, 1e-12);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(elo_of(0.75), 190.848_501_887_865, 1e-9);
        close(elo_of(0.64), 99.950_989_286_640, 1e-9);
        for elo in [-300.0, -10.0, 0.0, 5.0, 200.0] {
            close(elo_of(score_of(elo)), elo, 1e-9);
        }
    }

    #[test]
    fn an_empty_match_says_nothing() {
        assert_eq!(Estimate::of_pairs(&Pairs::default()), None);
        assert_eq!(Estimate::of_games(&Tally::default()), None);
    }

    /// The values are those of an independent computation with 95 % taken as 1.95996 deviations.
    #[test]
    fn matches_by_games_and_by_pairs() {
        let games = Estimate::of_games(&Tally { wins: 300, draws: 500, losses: 200 }).expect("games");
        close(games.elo(), 34.860_070, 1e-5);
        close(games.error().expect("a spread"), 15.236_031, 1e-5);
        close(games.superiority(), 0.999_996_872, 1e-9);
        let pairs = Estimate::of_pairs(&Pairs([20, 80, 220, 140, 40])).expect("pairs");
        close(pairs.elo(), 34.860_070, 1e-5);
        close(pairs.error().expect("a spread"), 14.436_798, 1e-5);
        close(pairs.normalised_elo().expect("a spread"), 52.377_885, 1e-5);
        // Too few games for the interval to stay on the curve.
        let few = Estimate::of_pairs(&Pairs([0, 0, 1, 0, 2])).expect("pairs");
        close(few.error().expect("a spread"), 333.601_512, 1e-5);
    }

    #[test]
    fn whitewashes_and_all_draws() {
        let won = Estimate::of_games(&Tally { wins: 5, draws: 0, losses: 0 }).expect("games");
        assert_eq!(won.elo(), f64::INFINITY);
        assert_eq!(won.error(), None);
        close(won.superiority(), 1.0, 0.0);
        let drawn = Estimate::of_games(&Tally { wins: 0, draws: 5, losses: 0 }).expect("games");
        close(drawn.elo(), 0.0, 0.0);
        close(drawn.superiority(), 0.5, 0.0);
    }
}
