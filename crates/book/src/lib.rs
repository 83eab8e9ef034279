//! Opening books, and the names of openings.
//!
//! A [`Book`] is what a Polyglot file holds: moves with weights, filed under the key of a position. It is
//! read from a file, built from games by a [`Builder`], merged from others, or made of the table of named
//! openings that comes with the program ([`openings`]). [`Books`] asks several in turn; [`choose`] and [`best`]
//! choose among the moves.
//!
//! ```
//! use book::{Variety, openings};
//! use chess::Game;
//!
//! let book = openings::book(Variety::Main);
//! let game = Game::new();
//! let moves = book.probe(game.polyglot_key(), game.position());
//! let best = book::best(&moves).expect("the start position is in the book");
//! assert_eq!(game.position().san(best.mv).to_string(), "e4");
//! ```

#![forbid(unsafe_code)]

mod book;
mod books;
mod builder;
mod choice;
mod code;
mod error;
pub mod openings;
mod reader;
mod variety;

pub use book::{Book, BookMove};
pub use books::{BUILT_IN, Books};
pub use builder::{BuildSettings, Builder};
pub use choice::{best, choose, share};
pub use code::MoveCode;
pub use error::{BookError, BookFault};
pub(crate) use variety::Soundness;
pub use variety::{Variety, VarietyError};
