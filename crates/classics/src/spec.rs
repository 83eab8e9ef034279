//! The classics by name.

use crate::Classic;
use crate::chessbin::{ChessBin, Level, Replies, RepliesError};
use crate::groundup::{self, GroundUp};
use crate::javachess::{Agent, Book, BookError, JavaChess};
use crate::piglet::Piglet;
use std::fmt;
use std::str::FromStr;

/// A classic and its setting, as the command line names it: `chessbin:hard`, `piglet`, `javachess:mtdf`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ClassicSpec {
    /// ChessBin at one of its levels.
    ChessBin(Level),
    /// Piglet.
    Piglet,
    /// JavaChess with one of its agents.
    JavaChess(Agent),
    /// Ground Up, searching this many plies: `groundup` at its author's seven, else `groundup:1` to
    /// `groundup:6`.
    GroundUp(u32),
}

impl ClassicSpec {
    /// All of them, Ground Up at its author's depth.
    pub const ALL: [Self; 6] = [
        Self::ChessBin(Level::Medium),
        Self::ChessBin(Level::Hard),
        Self::Piglet,
        Self::JavaChess(Agent::AlphaBeta),
        Self::JavaChess(Agent::Mtdf),
        Self::GroundUp(groundup::DEPTH),
    ];

    /// The full name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChessBin(Level::Medium) => "chessbin:medium",
            Self::ChessBin(Level::Hard) => "chessbin:hard",
            Self::Piglet => "piglet",
            Self::JavaChess(Agent::AlphaBeta) => "javachess:alphabeta",
            Self::JavaChess(Agent::Mtdf) => "javachess:mtdf",
            Self::GroundUp(depth) => groundup::name(depth),
        }
    }

    /// What it is, in a line for a list of opponents.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::ChessBin(Level::Medium) => "ChessBin, medium: alpha-beta 6 plies deep",
            Self::ChessBin(Level::Hard) => "ChessBin, hard: alpha-beta 7 plies deep",
            Self::Piglet => "Piglet: 0x88 and MVV/LVA, 6 plies deep",
            Self::JavaChess(Agent::AlphaBeta) => "JavaChess, its first agent: alpha-beta 6 plies deep",
            Self::JavaChess(Agent::Mtdf) => {
                "JavaChess, its second agent: MTD(f), 50,000 nodes, Ruy Lopez book"
            }
            Self::GroundUp(_) => {
                "Ground Up: alpha-beta without ordering, 7 plies deep or as many as it is given"
            }
        }
    }

    /// The program, ready to play.
    #[must_use]
    pub fn create(self) -> Box<dyn Classic + Send> {
        match self {
            Self::ChessBin(level) => Box::new(ChessBin::new(level)),
            Self::Piglet => Box::new(Piglet),
            Self::JavaChess(agent) => Box::new(JavaChess::new(agent)),
            Self::GroundUp(depth) => Box::new(GroundUp::new(depth)),
        }
    }

    /// Whether it plays from opening books.
    #[must_use]
    pub const fn has_book(self) -> bool {
        matches!(self, Self::ChessBin(_) | Self::JavaChess(Agent::Mtdf))
    }

    /// The program, ready to play from these books in its own format instead of the one it has. Where several know
    /// a position, the last one is asked.
    ///
    /// # Errors
    /// When it plays without a book, or one of them cannot be read.
    pub fn create_with_books<'a>(
        self,
        books: impl IntoIterator<Item = &'a BookText>,
    ) -> Result<Box<dyn Classic + Send>, BooksError> {
        let unreadable =
            |book: &BookText, cause: BookCause| BooksError::Unreadable { name: book.name.clone(), cause };
        match self {
            Self::ChessBin(level) => {
                let mut all = Replies::default();
                for book in books {
                    all.merge(Replies::parse(&book.text).map_err(|error| unreadable(book, error.into()))?);
                }
                Ok(Box::new(ChessBin::with_book(level, all)))
            }
            Self::JavaChess(agent @ Agent::Mtdf) => {
                let mut all = Book::default();
                for book in books {
                    all.merge(Book::parse(&book.text).map_err(|error| unreadable(book, error.into()))?);
                }
                Ok(Box::new(JavaChess::with_book(agent, all)))
            }
            Self::Piglet | Self::JavaChess(Agent::AlphaBeta) | Self::GroundUp(_) => {
                Err(BooksError::NoBook(self))
            }
        }
    }
}

/// The text of an opening book and what it is called, as a rule by its file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct BookText {
    pub name: String,
    pub text: String,
}

/// Why a classic cannot play from books.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BooksError {
    /// It plays without one.
    #[error("{0} plays without a book; chessbin and javachess:mtdf have one")]
    NoBook(ClassicSpec),
    /// A book is not as it should be.
    #[error("{name}: {cause}")]
    #[allow(missing_docs)]
    Unreadable { name: String, cause: BookCause },
}

/// What is wrong with a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(transparent)]
#[allow(missing_docs)]
pub enum BookCause {
    ChessBin(#[from] RepliesError),
    JavaChess(#[from] BookError),
}

impl fmt::Display for ClassicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no classic of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no classic is called {0:?}; there are {names}", names = names())]
pub struct UnknownClassic(String);

fn names() -> String {
    let [rest @ .., last] = ClassicSpec::ALL.map(ClassicSpec::name);
    format!("{} and {last} ({last}:1 to {last}:{})", rest.join(", "), groundup::DEPTH - 1)
}

impl FromStr for ClassicSpec {
    type Err = UnknownClassic;

    /// Capitals do not matter. Without a setting, ChessBin plays at medium and JavaChess with MTD(f), as
    /// its author had it.
    fn from_str(text: &str) -> Result<Self, UnknownClassic> {
        match text.to_ascii_lowercase().as_str() {
            "chessbin" => Ok(Self::ChessBin(Level::Medium)),
            "javachess" => Ok(Self::JavaChess(Agent::Mtdf)),
            name => Self::ALL
                .into_iter()
                .chain((1..groundup::DEPTH).map(Self::GroundUp))
                .find(|spec| spec.name() == name)
                .ok_or_else(|| UnknownClassic(crate::quote(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for spec in ClassicSpec::ALL {
            assert_eq!(spec.name().parse(), Ok(spec));
            assert_eq!(spec.create().name(), spec.name());
        }
        assert_eq!("groundup:5".parse(), Ok(ClassicSpec::GroundUp(5)));
        assert_eq!(ClassicSpec::GroundUp(5).create().name(), "groundup:5");
        assert_eq!("JavaChess".parse(), Ok(ClassicSpec::JavaChess(Agent::Mtdf)));
        assert_eq!("chessbin".parse(), Ok(ClassicSpec::ChessBin(Level::Medium)));
    }

    #[test]
    fn books_by_choice() {
        let book = |name: &str, text: &str| BookText { name: name.to_owned(), text: text.to_owned() };
        let first_move = |name: &str, books: &[BookText]| {
            let spec: ClassicSpec = name.parse().unwrap();
            let mut classic = spec.create_with_books(books).map_err(|error| error.to_string())?;
            let choice = classic.think(&chess::Game::new(), &crate::Budget::with_depth(1)).unwrap();
            assert_eq!(choice.source, crate::Source::Book);
            let start = chess::Position::startpos();
            Ok::<_, String>(start.to_uci(choice.mv().unwrap(), chess::CastlingStyle::Standard).to_string())
        };
        let [english, reti] = [book("e.book", "1 50 34 END"), book("r.book", "1 62 45 END")];
        assert_eq!(first_move("javachess", &[english.clone(), reti.clone()]), Ok("g1f3".to_owned()));
        assert_eq!(first_move("javachess", &[reti, english]), Ok("c2c4".to_owned()));
        let after = "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 1";
        let pairs = book("p.txt", &format!("{}; {after}", chess::START_FEN));
        assert_eq!(first_move("chessbin:hard", std::slice::from_ref(&pairs)), Ok("c2c4".to_owned()));

        let wrong = first_move("javachess", &[book("w.book", "1\n52 36 12 36 END")]).unwrap_err();
        assert_eq!(wrong, "w.book: line 2: move 2 of line of play 1: 12 36 is not legal there");
        let wrong = first_move("chessbin", &[book("w.txt", "# pairs\n8/8")]).unwrap_err();
        assert_eq!(wrong, "w.txt: line 2: two FENs with a semicolon between them are needed");
        for name in ["piglet", "javachess:alphabeta", "groundup:3"] {
            let error = first_move(name, std::slice::from_ref(&pairs)).unwrap_err();
            assert!(error.contains("plays without a book"), "{error}");
            assert!(!name.parse::<ClassicSpec>().unwrap().has_book());
        }
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let message = "deepblue".parse::<ClassicSpec>().unwrap_err().to_string();
        assert_eq!(
            message,
            "no classic is called \"deepblue\"; there are chessbin:medium, chessbin:hard, piglet, \
             javachess:alphabeta, javachess:mtdf and groundup (groundup:1 to groundup:6)"
        );
        assert!("groundup:0".parse::<ClassicSpec>().is_err());
        assert!("groundup:8".parse::<ClassicSpec>().is_err());
        assert!("chessbin:easy".parse::<ClassicSpec>().is_err());
    }
}
