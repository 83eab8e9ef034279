//! Files that are replaced as a whole, or not at all.

use crate::{JournalError, at, lock};
use same_file::Handle;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Replaces the contents of a file. Whatever happens, even a power failure, the file afterwards has either
/// the old contents or the new.
///
/// # Errors
/// When the file cannot be written; then it is as it was.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_and_rename(path, contents).map(|_| ())
}

/// The new file is locked before it takes the place of the old one.
fn write_and_rename(path: &Path, contents: &[u8]) -> io::Result<File> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let mut file = File::create(&part)?;
    // No other writer uses it; where there are no locks, this fails and does not matter.
    let _ = file.try_lock();
    file.write_all(contents)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    sync_directory(path)?;
    Ok(file)
}

/// Makes a change of names in the directory of a file last.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// Elsewhere a directory cannot be opened, and renaming lasts without that.
#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A file that belongs to this process until it is dropped, and is only ever replaced as a whole.
///
/// ```
/// use journal::Snapshot;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("state.json");
/// let (mut snapshot, contents) = Snapshot::open(&path)?;
/// assert!(contents.is_empty());
/// snapshot.replace(b"{}")?;
/// assert_eq!(std::fs::read(&path)?, b"{}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Snapshot {
    path: PathBuf,
    /// Holds the lock of the file that is there now.
    file: File,
}

impl Snapshot {
    /// Opens a file, or creates an empty one, and returns its contents.
    ///
    /// # Errors
    /// When it cannot be opened, or another process has it open.
    pub fn open(path: &Path) -> Result<(Self, Vec<u8>), JournalError> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(at(path))?;
        lock(&file, path)?;
        // The process that had it may have replaced it between the two.
        let locked = Handle::from_file(file.try_clone().map_err(at(path))?).map_err(at(path))?;
        if locked != Handle::from_path(path).map_err(at(path))? {
            return Err(JournalError::InUse(path.to_owned()));
        }
        let mut contents = Vec::new();
        file.read_to_end(&mut contents).map_err(at(path))?;
        Ok((Self { path: path.to_owned(), file }, contents))
    }

    /// Replaces the contents.
    ///
    /// # Errors
    /// When the file cannot be written; then it is as it was.
    pub fn replace(&mut self, contents: &[u8]) -> Result<(), JournalError> {
        self.file = write_and_rename(&self.path, contents).map_err(at(&self.path))?;
        Ok(())
    }
}
