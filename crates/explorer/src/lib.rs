//! Which moves were played in a position: how often, with what results, by whom and when.
//!
//! [`build`] reads files of games into a directory, [`Explorer`] answers from it. The directory has five files:
//!
//! | file | what it holds |
//! |---|---|
//! | `about.json` | version, number of games, half-moves that are indexed |
//! | `games.bin` | 28 bytes a game: players, ratings, date, result, time control, where its moves are |
//! | `moves.bin` | start and moves of every game |
//! | `players.txt` | a name in each line |
//! | `keys.bin` | the keys of all positions, sorted, and where their games begin in `postings.bin` |
//! | `postings.bin` | for each position its games in order, and the move played |
//!
//! Files like these are written in one pass, sorted piece by piece, and take less room than rows of a database would;
//! they never change once they are written.

#![forbid(unsafe_code)]

mod builder;
mod entry;
mod query;
mod runs;
mod store;

pub use builder::{BuildProgress, BuildSummary, build};
pub use entry::{Day, Speed};
pub use query::{Answer, Filter, GameHead, MoveStatistics, Results};
pub use store::Explorer;

use std::io;
use std::path::{Path, PathBuf};

/// Why games cannot be indexed, or questions not answered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ExplorerError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{} exists already; --overwrite replaces it", .0.display())]
    Exists(PathBuf),
    #[error("{} is no index of games, so it is not replaced", .0.display())]
    NotOurs(PathBuf),
    #[error("{}: the index is damaged, or of another version of this program; build it again", .0.display())]
    Damaged(PathBuf),
    #[error("more than {} games or positions do not fit into one index", u32::MAX)]
    TooMany,
    #[error("building was interrupted")]
    Interrupted,
    #[error("the thread that sorts positions has ended unexpectedly")]
    ThreadEnded,
}

fn at(path: &Path) -> impl Fn(io::Error) -> ExplorerError {
    let path = path.to_owned();
    move |error| ExplorerError::Io { path: path.clone(), error }
}
