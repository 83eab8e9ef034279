//! The sequential probability ratio test on pairs of games.
//!
//! Two hypotheses about the Elo difference are compared while the games come in; the test ends as soon as
//! the results are clear enough for one of them. It is the generalised test: under each hypothesis the
//! distribution of results is the likeliest one with the mean that the hypothesis asks for (the empirical
//! likelihood of Owen). Theory: Van den Bergh, "The generalised sequential probability ratio test".

use super::Pairs;
use super::elo::score_of;
use serde::{Deserialize, Serialize};

/// The hypotheses, and how often the test may err.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The probability to accept the alternative when the null hypothesis is true.
    pub alpha: f64,
    /// The probability to accept the null hypothesis when the alternative is true.
    pub beta: f64,
}

/// What the test says.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// The null hypothesis is accepted.
    Null,
    /// The alternative is accepted.
    Alternative,
}

/// Why a test makes no sense.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SprtError {
    #[error("elo0 must be below elo1, not {0} and {1}")]
    Order(f64, f64),
    #[error("alpha and beta must be between 0 and 0.5, not {0} and {1}")]
    Errors(f64, f64),
}

/// Stands for results that have not happened yet, which no hypothesis may call impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// A test.
    ///
    /// # Errors
    /// When the hypotheses or the errors make no sense.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let is_error = |x: f64| x > 0.0 && x < 0.5;
        if !is_error(alpha) || !is_error(beta) {
            return Err(SprtError::Errors(alpha, beta));
        }
        if elo0 < elo1 { Ok(Self { elo0, elo1, alpha, beta }) } else { Err(SprtError::Order(elo0, elo1)) }
    }

    /// The log-likelihood ratios at which the null hypothesis and the alternative are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the alternative to the null hypothesis.
    #[must_use]
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let null = likeliest(&shares, score_of(self.elo0));
        let alternative = likeliest(&shares, score_of(self.elo1));
        let each = (0..5).map(|i| shares[i] * (alternative[i] / null[i]).ln());
        total * each.sum::<f64>()
    }

    /// What the results so far say.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let (lower, upper) = self.bounds();
        let llr = self.llr(pairs);
        if llr >= upper {
            Verdict::Alternative
        } else if llr <= lower {
            Verdict::Null
        } else {
            Verdict::Open
        }
    }
}

/// The likeliest distribution with this mean, given the observed one.
///
/// It is `p / (1 + t (x - mean))` with the `t` for which the mean is right; the sum that has to vanish
/// falls with `t`, so that halving finds it.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let offset = |i: usize| i as f64 / 4.0 - mean;
    let excess = |t: f64| (0..5).map(|i| shares[i] * offset(i) / (1.0 + t * offset(i))).sum::<f64>();
    // All probabilities stay positive between these.
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = f64::midpoint(low, high);
    std::array::from_fn(|i| shares[i] / (1.0 + t * offset(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(pairs: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test").llr(&Pairs(pairs))
    }

    /// The first two are the examples of Fishtest, with the values its programs give.
    #[test]
    fn ratios_are_those_of_fishtest() {
        for (pairs, elo0, elo1, expected) in [
            ([10789, 19328, 33806, 19402, 10543], -3.0, 1.0, 2.131_067_811_785),
            ([39, 2226, 31451, 2412, 40], 0.2, 0.9, 2.162_542_580_048),
            ([0, 10, 20, 50, 20], 0.0, 5.0, 1.428_686_106_474),
            ([3, 20, 45, 25, 7], 0.0, 10.0, 0.695_972_606_498),
        ] {
            let actual = llr(pairs, elo0, elo1);
            assert!((actual - expected).abs() < 1e-8, "{pairs:?}: {actual}, not {expected}");
        }
    }

    #[test]
    fn equal_results_speak_for_neither_of_opposite_hypotheses() {
        assert!(llr([5, 20, 50, 20, 5], -5.0, 5.0).abs() < 1e-9);
        assert!(llr([0; 5], 0.0, 5.0).abs() < 1e-9);
        let (up, down) = (llr([1, 2, 3, 4, 5], -5.0, 5.0), llr([5, 4, 3, 2, 1], -5.0, 5.0));
        assert!((up + down).abs() < 1e-9 && up > 0.0);
    }

    #[test]
    fn the_test_ends_by_itself() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).expect("a test");
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.944_438_979).abs() < 1e-8 && (upper - 2.944_438_979).abs() < 1e-8);
        assert_eq!(sprt.verdict(&Pairs([10, 40, 100, 42, 10])), Verdict::Open);
        assert_eq!(sprt.verdict(&Pairs([10, 100, 400, 250, 40])), Verdict::Alternative);
        assert_eq!(sprt.verdict(&Pairs([40, 250, 400, 100, 10])), Verdict::Null);
    }

    #[test]
    fn senseless_tests_are_refused() {
        assert_eq!(Sprt::new(5.0, 0.0, 0.05, 0.05), Err(SprtError::Order(5.0, 0.0)));
        assert_eq!(Sprt::new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Errors(0.0, 0.05)));
        assert!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05).is_err());
    }
}
