//! Files that survive interruptions, so that long work can be resumed.
//!
//! - [`Journal`]: outputs that only grow, and a state file next to them that says how far they have come.
//! - [`Snapshot`]: one file that is replaced as a whole, or not at all; [`Replacement`] and [`replace`] do that once.
//!
//! All renaming of files is done here, with what makes it last. Both lock their file: two processes never write the same results. Nothing here knows what the work is.

#![forbid(unsafe_code)]

mod atomic;
mod checksum;
mod journal;

pub use atomic::{Replacement, Snapshot, rename, replace, sync_directory};
pub use checksum::checksum;
pub use journal::{Existing, Journal, Output, Plan, Start};

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Why results cannot be kept or found again.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum JournalError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error(
        "{} exists already; {}--overwrite starts again",
        path.display(),
        if *resumable { "--resume continues it, " } else { "" }
    )]
    Exists { path: PathBuf, resumable: bool },
    #[error(
        "{} belongs to other work: {}; repeat the earlier options to resume it, or use --overwrite to start again",
        path.display(),
        differences.join(", ")
    )]
    OtherWork { path: PathBuf, differences: Vec<String> },
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    #[error(
        "{} is missing, but {} belongs to it; put it back, or use --overwrite to start again",
        path.display(),
        state.display()
    )]
    Missing { path: PathBuf, state: PathBuf },
    #[error(
        "line {line} of {} cannot be read: it is damaged, or of another version of this program; \
         --overwrite starts again",
        path.display()
    )]
    Damaged { path: PathBuf, line: u64 },
}

fn at(path: &Path) -> impl Fn(io::Error) -> JournalError {
    let path = path.to_owned();
    move |error| JournalError::Io { path: path.clone(), error }
}

/// Locks a file until it is closed.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
        // Some file systems have no locks; then there are none.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
