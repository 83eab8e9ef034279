//! What a score means: centipawns that compare between engines, and chances of winning and losing.
//!
//! Internal units are whatever the evaluation says. A model of our own games gives the chance of a win
//! for a score; a centipawn is then defined so that +100 is an even chance to win.
//!
//! The chances follow a logistic curve, `win = 1 / (1 + exp((a - score) / b))`, where `a` is the score
//! of an even chance and `b` how fast the curve rises; both are fitted to self-play with the network that is
//! built in (`gardez tune chances`; docs/experiments/network.md lists the games).
//! Idea: the normalisation that Stockfish introduced.

/// Chances in thousandths; they add up to 1000.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// The side to move wins.
    pub win: u32,
    /// A draw.
    pub draw: u32,
    /// The side to move loses.
    pub loss: u32,
}

/// The score of an even chance to win, in internal units.
const EVEN_CHANCE: f64 = 181.0;
/// How much the score must rise for the chance to grow from 50 to 73 %.
const SPREAD: f64 = 85.0;

/// Centipawns of a score in internal units.
#[must_use]
pub fn centipawns(units: i32) -> i32 {
    (f64::from(units) * 100.0 / EVEN_CHANCE).round() as i32
}

/// Internal units of a number of centipawns.
#[must_use]
pub fn units(centipawns: i32) -> i32 {
    (f64::from(centipawns) * EVEN_CHANCE / 100.0).round() as i32
}

/// The chances that belong to a score in internal units.
#[must_use]
pub fn chances(units: i32) -> Wdl {
    let win_chance = |score: f64| 1000.0 / (1.0 + ((EVEN_CHANCE - score) / SPREAD).exp());
    let win = win_chance(f64::from(units)).round() as u32;
    let loss = win_chance(-f64::from(units)).round() as u32;
    Wdl { win, draw: 1000u32.saturating_sub(win + loss), loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_are_an_even_chance() {
        let even = chances(units(100));
        assert_eq!(even.win, 500);
        assert_eq!(centipawns(units(100)), 100);
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for score in (-3000..=3000).step_by(50) {
            let (ours, theirs) = (chances(score), chances(-score));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000, "{score}");
            assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
        }
    }
}
