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
    write_and_rename(path, contents).map(drop)
}

fn write_and_rename(path: &Path, contents: &[u8]) -> io::Result<File> {
    let mut replacement = Replacement::create(path)?;
    replacement.write_all(contents)?;
    replacement.commit()
}

/// A file that is written under another name, and takes the place of an older one when it is complete. One that is
/// dropped before leaves nothing behind.
///
/// ```
/// use journal::Replacement;
/// use std::io::Write;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("games.pgn");
/// let mut replacement = Replacement::create(&path)?;
/// writeln!(replacement, "1. e4 *")?;
/// assert!(!path.exists());
/// replacement.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"1. e4 *\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    part: PathBuf,
    file: File,
    is_committed: bool,
}

impl Replacement {
    /// Begins to write a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::begin(path, OpenOptions::new().write(true).create(true).truncate(true))
    }

    /// Begins to write a file that only the user can read.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create_private(path: &Path) -> io::Result<Self> {
        // One that was left behind may have other rights.
        match fs::remove_file(part_of(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Self::begin(path, &options)
    }

    fn begin(path: &Path, options: &OpenOptions) -> io::Result<Self> {
        let part = part_of(path);
        let file = options.open(&part)?;
        // It is locked before it takes the place of a file that may be locked. No other writer uses it; where there
        // are no locks, this fails and does not matter.
        let _ = file.try_lock();
        Ok(Self { path: path.to_owned(), part, file, is_committed: false })
    }

    /// Where it is until then, for programs that write it by its name.
    #[must_use]
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// Puts the file in its place, to last.
    ///
    /// # Errors
    /// When that fails; the older file is then still there.
    pub fn commit(mut self) -> io::Result<File> {
        self.file.sync_all()?;
        let file = self.file.try_clone()?;
        fs::rename(&self.part, &self.path)?;
        self.is_committed = true;
        sync_directory(&self.path)?;
        Ok(file)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_committed {
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// What a file is called while it is written.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

/// Gives a file another name, to last, in place of a file that has it.
///
/// # Errors
/// When that fails.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_directory(to)?;
    if from.parent() == to.parent() { Ok(()) } else { sync_directory(from) }
}

/// Makes a change of names in the directory of a file last: a file that was created, renamed or removed.
///
/// # Errors
/// When the system cannot do that.
#[cfg(unix)]
pub fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// Elsewhere a directory cannot be opened, and renaming lasts without that.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn sync_directory(_path: &Path) -> io::Result<()> {
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
