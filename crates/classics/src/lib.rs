//! The classics: four chess programs described in public documents, alive again as opponents, and their
//! boards as oracles of the rules library.
//!
//! Each has its own folder and its own knowledge; `docs/classics.md` says what is theirs, what is
//! corrected and what is ours. They play standard chess only.
//!
//! # Examples
//! ```
//! use chess::Game;
//! use classics::{Budget, ClassicSpec};
//!
//! let spec: ClassicSpec = "groundup:2".parse()?;
//! let choice = spec.create().think(&Game::new(), &Budget::with_depth(2))?;
//! println!("{:?}", choice.decision);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod boards;
pub mod chessbin;
mod classic;
pub mod groundup;
pub mod javachess;
pub mod piglet;
mod report;
pub mod searches;
mod spec;
mod zobrist;

pub use classic::{
    Budget, Choice, Classic, Counts, Decision, Iteration, NotStandard, Source, Statistics, ThinkError, Watch,
};
pub use spec::{BookCause, BookText, BooksError, ClassicSpec, UnknownClassic};

/// The beginning of a foreign text, for errors.
fn quote(text: &str) -> String {
    const CHARS: usize = 20;
    let mut quoted: String = text.chars().take(CHARS).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    quoted
}
