//! How values are spelled where they are kept.
//!
//! These spellings never change, whatever becomes of the names in the code, of the messages and of the words
//! on the page. A new value gets a new code.

use crate::error::{Error, Result};
use crate::game_review::Effort;
use crate::record::GameKind;
use crate::store::Access;
use chess::{Color, Reason, Variant};
use review::Judgement;

/// A value that the database holds by its code.
pub trait Coded: Sized {
    /// How it is spelled.
    fn code(self) -> &'static str;

    /// The value of a code.
    ///
    /// # Errors
    /// When the database holds something else.
    fn from_code(code: &str) -> Result<Self>;
}

macro_rules! codes {
    ($($type:ident { $($value:ident = $code:literal),* $(,)? })*) => {
        $(impl Coded for $type {
            fn code(self) -> &'static str {
                match self { $(Self::$value => $code),* }
            }

            fn from_code(code: &str) -> Result<Self> {
                match code {
                    $($code => Ok(Self::$value),)*
                    _ => Err(Error::internal(&format!("database: {code:?} is no {}", stringify!($type)))),
                }
            }
        })*

        #[cfg(test)]
        const ALL: &[(&str, &[&str])] = &[$((stringify!($type), &[$($code),*])),*];
    };
}

codes! {
    GameKind {
        Engine = "engine",
        Friend = "friend",
        Local = "local",
        Engines = "engines",
        Imported = "imported",
    }
    Variant {
        Standard = "standard",
        Chess960 = "chess960",
    }
    Color {
        White = "white",
        Black = "black",
    }
    Reason {
        Checkmate = "checkmate",
        Stalemate = "stalemate",
        InsufficientMaterial = "insufficient-material",
        FiftyMoves = "fifty-moves",
        SeventyFiveMoves = "seventy-five-moves",
        ThreefoldRepetition = "threefold-repetition",
        FivefoldRepetition = "fivefold-repetition",
        Agreement = "agreement",
        Resignation = "resignation",
        TimeForfeit = "time-forfeit",
        IllegalMove = "illegal-move",
        Abandoned = "abandoned",
        Adjudication = "adjudication",
    }
    PlayerCode {
        Person = "person",
        Level = "level",
        Classic = "classic",
    }
    Access {
        None = "none",
        Watch = "watch",
        Guest = "guest",
        Play = "play",
        Left = "left",
    }
    Effort {
        Quick = "quick",
        Normal = "normal",
        Deep = "deep",
    }
    Judgement {
        Inaccuracy = "inaccuracy",
        Mistake = "mistake",
        Blunder = "blunder",
    }
}

/// What kind of player has a seat.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PlayerCode {
    /// Has a name, and may be a visitor.
    Person,
    /// Has the identifier of a level.
    Level,
    /// Has the name of a classic.
    Classic,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_go_both_ways() {
        assert_eq!(Reason::from_code(Reason::TimeForfeit.code()), Ok(Reason::TimeForfeit));
        assert_eq!(Color::from_code(Color::Black.code()), Ok(Color::Black));
        assert!(Reason::from_code("the fifty-move rule").is_err(), "words are no codes");
    }

    #[test]
    fn codes_are_short_words_and_unlike_each_other() {
        for (name, codes) in ALL {
            let distinct: HashSet<_> = codes.iter().collect();
            assert_eq!(distinct.len(), codes.len(), "{name}");
            let is_plain = |code: &str| code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            assert!(codes.iter().all(|code| is_plain(code)), "{name}");
        }
    }
}
