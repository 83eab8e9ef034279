//! Syzygy endgame tables: the results of positions with few men, and the moves that keep them.
//!
//! Reading the files is the work of `shakmaty-syzygy`; here its types end. Tables are opened when they
//! are first needed, so a broken file shows itself late: then the probe says so once, and positions with
//! that material count as unknown from there on.

#![forbid(unsafe_code)]

mod convert;
mod error;
mod files;
mod open;
mod probe;
mod root;
mod wdl;

pub use error::{ProbeError, TableFault};
pub use open::OpenNote;
pub use probe::Tablebases;
pub use root::{RankSource, RootMove, RootRanking};
pub use wdl::Wdl;
