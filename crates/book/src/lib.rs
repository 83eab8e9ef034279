//! Opening books, and the names of openings.
//!
//! A [`Book`] is what a Polyglot file holds: moves with weights, filed under the key of a position. It is
//! read from a file, built from games by a [`Builder`], merged from others, or made of the table of named
//! openings that comes with the program ([`openings`]). [`Books`] asks several in turn; [`choose`] and [`best`]
//! choose among the moves.

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
pub use variety::{Soundness, Variety, VarietyError};
