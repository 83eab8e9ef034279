//! Numbers on the command line, what is said about wrong ones, and numbers of things.

use std::fmt::Display;
use std::str::FromStr;

/// Reads a whole number that has a lower bound only.
pub(crate) fn at_least<N>(least: N) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Clone,
{
    move |text: &str| match text.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(format!("it must be a whole number of at least {least}")),
    }
}

/// Reads a whole number between two bounds, both of which are allowed.
pub(crate) fn from_to<N>(least: N, most: N) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Clone,
{
    move |text: &str| match text.parse() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("it must be a whole number from {least} to {most}")),
    }
}

/// Reads a number from 0 to 1.
pub(crate) fn share<N: FromStr + PartialOrd + From<f32>>(text: &str) -> Result<N, String> {
    match text.parse() {
        Ok(share) if (N::from(0.0)..=N::from(1.0)).contains(&share) => Ok(share),
        _ => Err("it must be a number from 0 to 1".to_owned()),
    }
}

/// Reads a finite number above 0.
pub(crate) fn above_zero<N: FromStr + PartialOrd + From<f32>>(text: &str) -> Result<N, String> {
    match text.parse() {
        Ok(number) if number > N::from(0.0) && number < N::from(f32::INFINITY) => Ok(number),
        _ => Err("it must be a number above 0".to_owned()),
    }
}

/// A number of things: `1 game`, `2 games`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;

    #[test]
    fn wrong_numbers_are_explained_in_words() {
        let at_least_one = at_least(1_u64);
        assert_eq!(at_least_one("7"), Ok(7));
        for text in ["0", "-1", "x", ""] {
            assert_eq!(at_least_one(text), Err("it must be a whole number of at least 1".to_owned()));
        }
        let threads = from_to(1_u16, 512);
        assert_eq!((threads("1"), threads("512")), (Ok(1), Ok(512)));
        for text in ["0", "513", "100000", "1.5"] {
            assert_eq!(threads(text), Err("it must be a whole number from 1 to 512".to_owned()));
        }
        assert!(at_least(NonZeroUsize::MIN)("0").is_err_and(|error| error.ends_with("at least 1")));
    }

    #[test]
    fn numbers_of_things_agree() {
        assert_eq!([0, 1, 2].map(|number| count(number, "game")), ["0 games", "1 game", "2 games"]);
    }

    #[test]
    fn shares_and_rates() {
        assert_eq!(share::<f64>("0.25"), Ok(0.25));
        assert!(["1.01", "-0.1", "NaN", "x"].iter().all(|text| share::<f64>(text).is_err()));
        assert_eq!(above_zero::<f32>("3"), Ok(3.0));
        assert!(["0", "inf", "NaN", "x"].iter().all(|text| above_zero::<f32>(text).is_err()));
    }
}
