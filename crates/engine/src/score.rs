//! Scores, with the arithmetic of mates and tablebase results in one place.

use crate::MAX_PLY;
use crate::wdl::{self, Wdl};
use chess::Color;
use chess::pgn::EvalScore;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// The value of a position for the side to move.
///
/// In the middle lie evaluations in internal units. Beyond them come tablebase wins, which count the plies
/// to reach the table, and beyond those mates, which count the plies to the mate: so a nearer win is always
/// the larger score.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
const TABLEBASE_WIN: i32 = MATE_BOUND - 1;
const TABLEBASE_BOUND: i32 = TABLEBASE_WIN - MAX_PLY as i32;

impl Score {
    /// Equal chances.
    pub const DRAW: Self = Self(0);
    /// Larger than any score.
    pub const INFINITE: Self = Self(MATE + 1);
    /// The largest score an evaluation may give.
    pub const MAX_EVALUATION: Self = Self(TABLEBASE_BOUND - 1);

    /// An evaluation in internal units, kept clear of the tablebase and mate scores.
    #[must_use]
    #[inline]
    pub const fn evaluation(units: i32) -> Self {
        let bound = Self::MAX_EVALUATION.0;
        Self(if units > bound {
            bound
        } else if units < -bound {
            -bound
        } else {
            units
        })
    }

    /// The side to move is mated after this many plies from the root.
    #[must_use]
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// The side to move mates after this many plies from the root.
    #[must_use]
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// A tablebase says the side to move wins, this many plies from the root.
    #[must_use]
    #[inline]
    pub const fn tablebase_win(ply: usize) -> Self {
        Self(TABLEBASE_WIN - ply as i32)
    }

    /// A tablebase says the side to move loses, this many plies from the root.
    #[must_use]
    #[inline]
    pub const fn tablebase_loss(ply: usize) -> Self {
        Self(ply as i32 - TABLEBASE_WIN)
    }

    /// The bare number, for arithmetic on margins.
    #[must_use]
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Whether it is a mate for either side.
    #[must_use]
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BOUND
    }

    /// Whether it is a certain win: a mate or a tablebase win for the side to move.
    #[must_use]
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= TABLEBASE_BOUND
    }

    /// Whether it is a certain loss for the side to move.
    #[must_use]
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -TABLEBASE_BOUND
    }

    /// Whether it is a certain win for either side.
    #[must_use]
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The distance to mate in plies from the root, and who mates.
    #[must_use]
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(MATE - self.0)
        } else {
            Some(-MATE - self.0)
        }
    }

    /// The distance to mate in moves; negative when the side to move is mated, and zero when it is mated already.
    #[must_use]
    pub const fn mate_moves(self) -> Option<i32> {
        match self.mate_plies() {
            Some(plies) if plies > 0 => Some((plies + 1) / 2),
            Some(plies) => Some(plies / 2),
            None => None,
        }
    }

    /// What people read and PGN files hold: centipawns or moves to mate, from the same view as the score.
    #[must_use]
    pub fn to_eval(self) -> EvalScore {
        self.mate_moves().map_or_else(|| EvalScore::Centipawns(self.centipawns()), EvalScore::Mate)
    }

    /// The same as White sees it, for a score of the side to move.
    #[must_use]
    pub fn for_white(self, turn: Color) -> EvalScore {
        self.to_eval().viewed_by(turn)
    }

    /// Centipawns, of certain scores too: a very large number then.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        wdl::centipawns(self.0)
    }

    /// The chances of the side to move.
    #[must_use]
    pub fn chances(self) -> Wdl {
        wdl::chances(self.0)
    }

    /// The score as the transposition table keeps it: distances count from the stored position, which may
    /// be reached at another ply.
    #[must_use]
    #[inline]
    pub const fn to_tt(self, ply: usize) -> i16 {
        let score = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        score as i16
    }

    /// A score out of the transposition table, its distances counted from the root again.
    ///
    /// A mate that needs more plies than the fifty-move counter leaves may never happen; such a score is
    /// weakened to the largest evaluation, so that it proves nothing.
    #[must_use]
    #[inline]
    pub const fn from_tt(stored: i16, ply: usize, halfmove_clock: u16) -> Self {
        let score = stored as i32;
        let plies_left = 100 - halfmove_clock as i32;
        if score >= TABLEBASE_BOUND {
            if score >= MATE_BOUND && MATE - score > plies_left {
                return Self::MAX_EVALUATION;
            }
            Self(score - ply as i32)
        } else if score <= -TABLEBASE_BOUND {
            if score <= -MATE_BOUND && MATE + score > plies_left {
                return Self(-Self::MAX_EVALUATION.0);
            }
            Self(score + ply as i32)
        } else {
            Self(score)
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, units: i32) -> Self {
        Self(self.0 + units)
    }
}

impl AddAssign<i32> for Score {
    #[inline]
    fn add_assign(&mut self, units: i32) {
        self.0 += units;
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, units: i32) -> Self {
        Self(self.0 - units)
    }
}

/// The difference in units.
impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::mated_in(4).mate_moves(), Some(-2));
        assert_eq!(Score::tablebase_win(3).mate_plies(), None);
        let score = Score::evaluation(wdl::units(-150));
        assert_eq!(score.to_eval(), EvalScore::Centipawns(-150));
        assert_eq!(score.for_white(Color::Black), EvalScore::Centipawns(150));
        assert_eq!(Score::mate_in(3).for_white(Color::Black), EvalScore::Mate(-2));
    }

    #[test]
    fn a_nearer_win_is_larger() {
        let order = [
            Score::mate_in(1),
            Score::mate_in(5),
            Score::mate_in(MAX_PLY),
            Score::tablebase_win(0),
            Score::tablebase_win(MAX_PLY),
            Score::MAX_EVALUATION,
            Score::DRAW,
            -Score::MAX_EVALUATION,
            Score::tablebase_loss(MAX_PLY),
            Score::tablebase_loss(0),
            Score::mated_in(MAX_PLY),
            Score::mated_in(0),
        ];
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    }

    #[test]
    fn the_transposition_table_keeps_distances_from_its_own_position() {
        let found = Score::mate_in(9);
        let stored = found.to_tt(4);
        assert_eq!(Score::from_tt(stored, 6, 0), Score::mate_in(11));
        assert_eq!(Score::from_tt((-found).to_tt(4), 6, 0), Score::mated_in(11));
        assert_eq!(Score::from_tt(Score::evaluation(-77).to_tt(9), 3, 0), Score::evaluation(-77));
    }

    #[test]
    fn a_mate_beyond_the_fifty_move_limit_is_no_mate() {
        let stored = Score::mate_in(9).to_tt(0);
        assert!(Score::from_tt(stored, 0, 91).is_mate());
        assert!(!Score::from_tt(stored, 0, 92).is_decisive());
    }
}
