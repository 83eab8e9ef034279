//! Results as the tables know them.

use std::ops::Neg;

/// The result of a position for the side to move, worst first, if its fifty moves have just begun anew.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but saved by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, except that the fifty-move rule makes it a draw.
    CursedWin,
    /// Won.
    Win,
}

impl Neg for Wdl {
    type Output = Self;

    /// The same result as the other side sees it.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Self {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Self::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Self::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Self::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Self::CursedWin,
            shakmaty_syzygy::Wdl::Win => Self::Win,
        }
    }
}
