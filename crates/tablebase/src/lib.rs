//! Syzygy endgame tables: the results of positions with few men, and the moves that keep them.
//!
//! Reading the files is the work of `shakmaty-syzygy`; here its types end. Tables are opened when they
//! are first needed, so a broken file shows itself late: then the probe says so once, and positions with
//! that material count as unknown from there on.
//!
//! ```no_run
//! use chess::Position;
//! use tablebase::{Tablebases, Wdl};
//!
//! let (tables, notes) = Tablebases::open("/usr/share/syzygy");
//! for note in &notes {
//!     eprintln!("{note}");
//! }
//! let position = Position::from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")?;
//! assert_eq!(tables.probe_wdl(&position)?, Some(Wdl::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without tables everything is unknown:
//!
//! ```
//! use chess::Position;
//! use tablebase::Tablebases;
//!
//! let (none, _) = Tablebases::open("");
//! assert_eq!(none.max_pieces(), 0);
//! assert_eq!(none.probe_wdl(&Position::startpos())?, None);
//! # Ok::<(), tablebase::ProbeError>(())
//! ```

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
