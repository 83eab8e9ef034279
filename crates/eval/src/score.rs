//! Pairs of values for the middle game and the end game, and how they become one number.

use chess::Color;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A weight: the value of something in the middle game and in the end game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct S(pub i16, pub i16);

/// A sum of weights, both halves in one integer so that one addition serves both.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub(crate) struct Score(i32);

impl Score {
    pub(crate) const ZERO: Self = Self(0);

    pub(crate) const fn new(weight: S) -> Self {
        Self(((weight.1 as i32) << 16) + weight.0 as i32)
    }

    #[inline]
    pub(crate) const fn middle_game(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The low half borrows from the high one when it is negative; the rounding gives that back.
    #[inline]
    pub(crate) const fn end_game(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    #[inline]
    pub(crate) const fn halves(self) -> [i32; 2] {
        [self.middle_game(), self.end_game()]
    }
}

impl Add for Score {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0 * count)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The phase of a game with all pieces on the board.
pub const FULL_PHASE: i32 = 24;

/// The scale of an end game that is as good as it looks.
pub const FULL_SCALE: i32 = 64;

/// The danger to a king counts by its square in the middle game, divided by this.
pub(crate) const DANGER_SQUARE: i32 = 4096;

/// The danger to a king counts as it is in the end game, divided by this.
pub(crate) const DANGER_PLAIN: i32 = 16;

/// The sums of an evaluation, each from White's view or for White and Black, as middle game and end game.
/// A tuner uses them with real numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sums<N = i32> {
    pub(crate) linear: [N; 2],
    /// The danger to White's king and to Black's.
    pub(crate) danger: [[N; 2]; 2],
    /// What the better side gains, or loses when negative, in the end game.
    pub(crate) initiative: N,
}

impl Sums {
    /// What the danger to a king costs its side.
    pub(crate) fn danger_cost(danger: [i32; 2]) -> [i32; 2] {
        let [mg, eg] = danger.map(|danger| danger.max(0));
        [mg * mg / DANGER_SQUARE, eg / DANGER_PLAIN]
    }

    /// Everything but the initiative, as middle game and end game.
    pub(crate) fn before_initiative(&self) -> [i32; 2] {
        let [white, black] = self.danger.map(Self::danger_cost);
        [self.linear[0] - white[0] + black[0], self.linear[1] - white[1] + black[1]]
    }

    /// The part of the initiative that counts: it never makes the worse side the better one, and at most
    /// doubles a lead, so that a small change of the rest makes no large one here.
    pub(crate) fn effective_initiative(&self, end_game: i32) -> i32 {
        end_game.signum() * self.initiative.clamp(-end_game.abs(), end_game.abs())
    }

    /// The evaluation from White's view. All rounding of the evaluation is here and in `danger_cost`.
    ///
    /// `scale` says how much of its end-game advantage a side keeps.
    #[inline]
    pub(crate) fn total(&self, phase: i32, scale: impl FnOnce(Color) -> i32) -> i32 {
        let [mg, eg] = self.before_initiative();
        let eg = eg + self.effective_initiative(eg);
        let strong = if eg >= 0 { Color::White } else { Color::Black };
        taper(mg, eg, phase, scale(strong)).clamp(-crate::MAX_EVALUATION, crate::MAX_EVALUATION)
    }
}

/// Middle game and end game in the proportion of the phase. Rounds towards zero, so that both sides lose
/// alike.
pub(crate) const fn taper(mg: i32, eg: i32, phase: i32, scale: i32) -> i32 {
    (mg * phase * FULL_SCALE + eg * scale * (FULL_PHASE - phase)) / (FULL_PHASE * FULL_SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_leak_into_each_other() {
        for (mg, eg) in [(0, 0), (-1, 0), (1, -1), (-300, 250), (3000, -3000), (-12000, -9000)] {
            let score = Score::new(S(mg, eg));
            assert_eq!(score.halves(), [i32::from(mg), i32::from(eg)]);
            assert_eq!((-score).halves(), [-i32::from(mg), -i32::from(eg)]);
            assert_eq!((score * 2 - score).halves(), score.halves());
        }
    }

    #[test]
    fn the_phase_mixes_the_halves() {
        assert_eq!(taper(100, 0, FULL_PHASE, FULL_SCALE), 100);
        assert_eq!(taper(100, 40, 0, FULL_SCALE), 40);
        assert_eq!(taper(100, 40, 0, FULL_SCALE / 2), 20);
        assert_eq!(taper(-100, -50, FULL_PHASE / 2, FULL_SCALE), -75);
    }

    #[test]
    fn the_initiative_is_no_more_than_the_lead() {
        let sums = Sums { linear: [0, 30], danger: [[0; 2]; 2], initiative: -50 };
        assert_eq!(sums.total(0, |_| FULL_SCALE), 0);
        let sums = Sums { linear: [0, -80], ..sums };
        assert_eq!(sums.total(0, |_| FULL_SCALE), -30);
        let sums = Sums { linear: [0, 20], initiative: 50, ..sums };
        assert_eq!(sums.total(0, |_| FULL_SCALE), 40);
    }
}
