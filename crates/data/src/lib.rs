//! Records of the engine's own games: start position, moves, scores and result, about four bytes a
//! position.
//!
//! # Files
//!
//! The names of files of games end in `.gdz`, those of networks in `.gzn`. All numbers are little-endian. A file begins with a header of 40 bytes:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `GARDEZ\r\n` |
//! | 4 | version of the format, 2 |
//! | 4 | percentage of games from double Chess960 start positions; in version 1, whether all games are Chess960: 0 or 1 |
//! | 8 | seed |
//! | 8 | soft limit of nodes a move |
//! | 4 | hash size of the engine in MiB |
//! | 4 | CRC-32 of the 36 bytes before |
//!
//! Frames follow, one for each game, until the end of the file: the length of the game's record (4 bytes),
//! the CRC-32 of length and record (4 bytes), and the record:
//!
//! | bytes | content |
//! |---|---|
//! | 1 | who won: 0 Black, 1 neither, 2 White; 3 if the game was broken off, 4 if this is no game but a position from inside a search |
//! | 1 | side to move at the start: 0 White, 1 Black |
//! | 2 | half-moves without capture or pawn move before the start |
//! | 2 | number of the first move |
//! | 8 | squares with a piece, a1 the lowest bit |
//! | one for two pieces | their kinds in the order of the squares, low half first |
//! | 4 for each move | the move ([`Move::to_bits`](chess::Move::to_bits)), and its score from White's view |
//!
//! Kinds are 0 to 11 as in [`Piece::index`](chess::Piece::index), 12 and 13 for White's and Black's rooks that
//! may still castle (so every position of Chess960 can be stored), 14 for a pawn that can be taken en passant.
//!
//! A position from inside a search is a record with one move, which has the score of a search of its own. Such records
//! come before the game they belong to.
//!
//! Files of version 1 can be read, but not appended to: the games of that version began otherwise.
//!
//! # Torn ends and damage
//!
//! Frames are only ever appended, so a writer that is killed leaves at most the first part of a frame at the end, and
//! a power cut perhaps zeros. A file is *torn* there if the bytes end before the last frame does, or if nothing but
//! zeros is left, and no whole frame follows. Readers report that and stop; the next writer cuts it off. A file that
//! is just being written looks the same.
//!
//! Everything else is *damage*: a frame whose length or checksum is wrong, or whose moves are illegal. Readers stop
//! with an error that has the offset, or skip to the next whole frame if asked to. Writers refuse a file with damage
//! before whole games. There is one kind of damage that looks torn: in the last frame, a length that has become too
//! large.
//!
//! # Signs
//!
//! Everything here is from **White's view**: positive scores are good for White, whoever is to move, and so
//! are full points. [`Sample::mover_score`] and [`Sample::mover_points`] turn them round.

#![forbid(unsafe_code)]

mod checksum;
mod error;
mod filter;
mod frame;
mod origin;
mod packed;
mod perturbation;
mod reader;
mod record;
mod stats;
mod writer;

pub use error::FileError;
pub use filter::{Filter, Sample};
pub use origin::Origin;
pub use packed::PackError;
pub use perturbation::perturb;
pub use reader::{Damage, GameReader};
pub use record::{GameRecord, RecordError, ScoredMove, Verdict};
pub use stats::Stats;
pub use writer::GameWriter;
