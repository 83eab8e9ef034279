//! What can be wrong with a book.

use std::io;
use std::path::PathBuf;

/// A file that cannot be used as a book.
#[derive(Debug, thiserror::Error)]
#[error("book {}: {fault}", path.display())]
pub struct BookError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: BookFault,
}

/// What is wrong with a book. Entries are counted from 1.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookFault {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("is not a file")]
    NotAFile,
    #[error("is empty")]
    Empty,
    #[error("ends within entry {entry}, after {bytes} of its 16 bytes")]
    Torn { entry: usize, bytes: usize },
    #[error("is not sorted: the key of entry {entry}, {key:016x}, comes after {previous:016x}")]
    Unsorted { entry: usize, key: u64, previous: u64 },
    #[error("entry {entry} holds no move: {code:#06x}")]
    NoMove { entry: usize, code: u16 },
    #[error("has more than {limit} entries")]
    TooLong { limit: usize },
}
