//! Table files, the first of them kept in memory.
//!
//! Probing reads a few bytes at a time from many places, and each read of a file is a call to the system.
//! Mapping files into memory would spare that, but a file that changes or vanishes while mapped ends the
//! program. So tables are read whole as long as a budget lasts; those for up to four men always fit.

#[cfg(not(any(unix, windows)))]
use no_files::OsFilesystem;
#[cfg(any(unix, windows))]
use shakmaty_syzygy::filesystem::OsFilesystem;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The file system, with a budget of bytes for files in memory.
pub(crate) struct ResidentFiles {
    system: OsFilesystem,
    budget: AtomicU64,
}

impl ResidentFiles {
    pub(crate) fn with_budget(bytes: u64) -> Self {
        Self { system: OsFilesystem::new(), budget: AtomicU64::new(bytes) }
    }

    /// Takes this many bytes from the budget, if it has them.
    fn reserve(&self, bytes: u64) -> bool {
        let take = |left: u64| left.checked_sub(bytes);
        self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

impl Filesystem for ResidentFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        if self.reserve(self.regular_file_size(path)?) {
            return Ok(Box::new(Resident(std::fs::read(path)?)));
        }
        self.system.open(path)
    }
}

struct Resident(Vec<u8>);

impl RandomAccessFile for Resident {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.0.get(start..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Browsers have no files: nothing is found there.
#[cfg(not(any(unix, windows)))]
mod no_files {
    use super::{Filesystem, Path, PathBuf, RandomAccessFile, io};

    pub(super) struct OsFilesystem;

    impl OsFilesystem {
        pub(super) const fn new() -> Self {
            Self
        }
    }

    impl Filesystem for OsFilesystem {
        fn regular_file_size(&self, _path: &Path) -> io::Result<u64> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn read_dir(&self, _path: &Path) -> io::Result<Vec<PathBuf>> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn open(&self, _path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}
