//! Portable Game Notation: games as text.
//!
//! [`Reader`] goes through a file of any size in constant memory. It reports to a [`Visitor`] what it finds,
//! every move checked against the rules; or, as an iterator, it builds a [`PgnGame`] of each game, with
//! its variations and comments. What cannot be read gives a [`PgnFault`] that names the place, and costs the rest of
//! its variation or game at most: the moves before it are kept, and the reader continues behind it. A [`PgnGame`]
//! prints itself in export format.
//!
//! ```
//! use chess::{GameResult, pgn};
//!
//! let text = "[White \"Réti\"]\n\n1. e4 {[%clk 0:03:00] best by test} c6 (1... e5) 2. d4 1-0";
//! let game = pgn::Reader::new(text.as_bytes()).next().unwrap()?;
//! assert_eq!(game.tags.get("White"), Some("Réti"));
//! assert_eq!(game.line.moves[1].variations[0].moves.len(), 1);
//! assert_eq!(game.result(), GameResult::WhiteWins);
//! # Ok::<(), pgn::PgnError>(())
//! ```

mod comment;
mod date;
mod encoding;
mod game;
mod lexer;
mod reader;
mod tags;
mod tree;
mod writer;

#[cfg(test)]
mod tests;

pub use comment::{Comment, Eval, EvalScore};
pub use date::Date;
pub use game::{Heading, MainLineError, UnplayableMove};
pub use reader::{ReadLimits, Reader, Visitor};
pub use tags::Tags;
pub use tree::{Line, Node, PgnGame};

use crate::{FenError, FenWarning, SanError};
use std::fmt;

/// The most variations within variations.
pub const MAX_DEPTH: usize = 256;
/// The most tags of one game.
pub const MAX_TAGS: usize = 1000;
/// The longest tag or comment, in bytes; of a longer one this much is kept.
pub const MAX_TOKEN_BYTES: usize = 1 << 16;
/// The longest move, number or other word, in bytes.
pub const MAX_WORD_BYTES: usize = 255;
/// The longest game, in bytes.
pub const MAX_GAME_BYTES: u64 = 1 << 24;
/// The most faults of one game that are reported.
pub const MAX_FAULTS: usize = 100;

/// A numeric annotation glyph: 1 for `!`, 2 for `?`, 14 for a slight advantage of White, and so on.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

impl Nag {
    /// The number of a sign that people write instead of it.
    #[must_use]
    pub fn from_sign(sign: &[u8]) -> Option<Self> {
        Some(Self(match sign {
            b"!" => 1,
            b"?" => 2,
            b"!!" => 3,
            b"??" => 4,
            b"!?" => 5,
            b"?!" => 6,
            b"=" => 10,
            b"\xe2\x88\x9e" => 13,
            b"+=" | b"+/=" => 14,
            b"=+" | b"=/+" => 15,
            b"+/-" => 16,
            b"-/+" => 17,
            b"+-" => 18,
            b"-+" => 19,
            b"N" => 146,
            _ => return None,
        }))
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// A file that cannot be read any further.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, line {line}, column {column}: the file cannot be read: {source}")]
pub struct PgnError {
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line in the file, from 1.
    pub line: u64,
    /// The column in the line, counted in bytes from 1.
    pub column: u64,
    /// Why not.
    pub source: std::io::Error,
}

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}, column {column}: {kind}")]
pub struct PgnFault {
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line in the file, from 1.
    pub line: u64,
    /// The column in the line, counted in bytes from 1.
    pub column: u64,
    /// What is wrong.
    #[source]
    pub kind: PgnFaultKind,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PgnFaultKind {
    #[error("{0}")]
    Move(#[from] SanError),
    #[error("{text:?} is not a move, and left out")]
    Word { text: String },
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
    #[error("the FEN tag: {0}")]
    FenRepaired(#[from] FenWarning),
    #[error("the variant {name:?} is not standard chess or Chess960")]
    Variant { name: String },
    #[error("a tag is written like [White \"Capablanca\"]")]
    Tag,
    #[error("more than {MAX_TAGS} tags")]
    TooManyTags,
    #[error("the comment is not closed by }}")]
    UnclosedComment,
    #[error("longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("the game is longer than {MAX_GAME_BYTES} bytes")]
    GameTooLong,
    #[error("annotations go from $0 to $255")]
    Nag,
    #[error("a variation before any move that it could replace")]
    VariationWithoutMove,
    #[error("more than {limit} variations within each other")]
    TooDeep { limit: usize },
    #[error("more than {limit} tags, moves, comments and variations; the rest was not read")]
    TooManyItems { limit: usize },
    #[error("a variation is not closed by )")]
    UnclosedVariation,
    #[error("a ) that closes no variation")]
    UnopenedVariation,
    #[error("{character:?} has no meaning here")]
    Character { character: char },
}

impl PgnFault {
    /// Whether moves are lost by it, in the game itself or in a variation.
    #[must_use]
    pub fn costs_moves(&self) -> bool {
        match self.kind {
            PgnFaultKind::Move(_)
            | PgnFaultKind::Fen(_)
            | PgnFaultKind::Variant { .. }
            | PgnFaultKind::GameTooLong
            | PgnFaultKind::VariationWithoutMove
            | PgnFaultKind::TooDeep { .. }
            | PgnFaultKind::TooManyItems { .. } => true,
            PgnFaultKind::Word { .. }
            | PgnFaultKind::FenRepaired(_)
            | PgnFaultKind::Tag
            | PgnFaultKind::TooManyTags
            | PgnFaultKind::UnclosedComment
            | PgnFaultKind::TooLong { .. }
            | PgnFaultKind::Nag
            | PgnFaultKind::UnclosedVariation
            | PgnFaultKind::UnopenedVariation
            | PgnFaultKind::Character { .. } => false,
        }
    }
}
