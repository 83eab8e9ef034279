//! Analysed games as columns: a row a move.
//!
//! [`GameRows`] says what is known of each move of a game; [`table`] makes an Arrow table of many, [`parquet`] a
//! file. [`part`] cuts files of games into pieces that can be analysed apart, and [`analysis`] writes a Parquet file
//! for each: a whole file, or one share of it on each of several machines. Searches are limited by nodes and begin each
//! game with empty tables, so a piece gives the same bytes wherever and whenever it is analysed.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod parquet;
pub mod part;
pub mod reviewers;
mod row;
pub mod table;

pub use row::{GameRows, Judged, MoveRow, Scored};
