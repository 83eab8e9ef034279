//! How sound a move is, and how much of what is less so is played.

use std::str::FromStr;

/// How sound a move of the opening table is, the soundest first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Soundness {
    /// Played by the strongest.
    Main,
    /// Offbeat, but playable: `!?` in the table.
    Offbeat,
    /// A gambit or surprise that should not work: `?!`.
    Dubious,
    /// A mistake that has a name: `?`. Never played.
    Mistake,
}

/// How much variety there is in what is played from a book.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Variety {
    /// Always the move with the most weight.
    Best,
    /// Main moves as often as their weights say.
    #[default]
    Main,
    /// Offbeat moves of the opening table too.
    Wide,
    /// Dubious moves of the opening table too, for weaker players and for fun.
    All,
}

impl Variety {
    /// All of them by the names that options and commands use.
    pub const NAMES: [(&'static str, Self); 4] =
        [("best", Self::Best), ("main", Self::Main), ("wide", Self::Wide), ("all", Self::All)];

    /// What suits a player of this strength: the weaker, the more adventurous.
    #[must_use]
    pub const fn for_elo(elo: u32) -> Self {
        match elo {
            0..1400 => Self::All,
            1400..2000 => Self::Wide,
            _ => Self::Main,
        }
    }

    /// Whether moves of the table that are so sound are played.
    #[must_use]
    pub(crate) const fn admits(self, soundness: Soundness) -> bool {
        match soundness {
            Soundness::Main => true,
            Soundness::Offbeat => matches!(self, Self::Wide | Self::All),
            Soundness::Dubious => matches!(self, Self::All),
            Soundness::Mistake => false,
        }
    }
}

/// A word that names no variety.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("variety is one of best, main, wide and all, not {0:?}")]
pub struct VarietyError(String);

impl FromStr for Variety {
    type Err = VarietyError;

    fn from_str(text: &str) -> Result<Self, VarietyError> {
        let named = Self::NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        named.map(|&(_, variety)| variety).ok_or_else(|| VarietyError(text.chars().take(20).collect()))
    }
}
