//! What can be wrong with a table.

use shakmaty_syzygy::{Metric, SyzygyError};
use std::io;

/// A table that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("Syzygy table {table}: {fault}")]
pub struct ProbeError {
    /// The name of its file, such as `KQvKR.rtbw`, or the men on the board when it is not known which
    /// table failed.
    pub table: String,
    /// What is wrong with it.
    pub fault: TableFault,
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum TableFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file does not begin as a table does.
    #[error("is not a table: it begins with the bytes {0:02x?}")]
    Magic([u8; 4]),
    /// What the file says makes no sense, or it ends too soon.
    #[error("is damaged")]
    Damaged,
}

impl ProbeError {
    /// The error, unless the tables just do not cover the position.
    pub(crate) fn from_syzygy(error: SyzygyError) -> Option<Self> {
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return None };
        let extension = match metric {
            Metric::Wdl => "rtbw",
            Metric::Dtz => "rtbz",
        };
        let fault = match *error {
            shakmaty_syzygy::ProbeError::Read { error } => TableFault::Unreadable(error),
            shakmaty_syzygy::ProbeError::Magic { magic } => TableFault::Magic(magic),
            shakmaty_syzygy::ProbeError::CorruptedTable { .. } => TableFault::Damaged,
        };
        Some(Self { table: format!("{material}.{extension}"), fault })
    }
}
