//! Puzzles from played games.
//!
//! A [`Finder`] looks for positions where one move wins, or saves, and every other one does not: the search decides,
//! and only clear cases count. A solution lasts for as long as its moves are the only ones. The coach says what a
//! puzzle is about, [`rating`] how hard it is, and [`csv`] writes it in the columns of Lichess's puzzle database.
//! [`batch`] goes through whole files and resumes where it was interrupted; [`check`] searches solutions again, more
//! deeply. [`training`] chooses puzzles to solve, and when to see them again.
//!
//! Searches are limited by nodes and run in one thread: the same games give the same puzzles on every machine.

#![forbid(unsafe_code)]

pub mod batch;
pub mod check;
pub mod csv;
mod finder;
mod only_move;
mod puzzle;
pub mod rating;
pub mod training;

pub use finder::{FindError, Finder};
pub use only_move::{Aim, Bounds};
pub use puzzle::Puzzle;
