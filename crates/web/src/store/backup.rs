//! Copies of the database: made while the server works, and put back.

use super::check::{self, CheckReport};
use super::{FILE, OpenError, files, lock, schema};
use journal::Replacement;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where copies are, in the data directory.
pub(crate) const DIRECTORY: &str = "backups";
/// What the names of automatic copies begin with; a date follows. Only these are removed.
const AUTOMATIC: &str = "gardez-";
/// How long to wait for a database that is busy.
const PAUSE: Duration = Duration::from_millis(50);
/// How often.
const TRIES: usize = 200;

/// Why a copy was not made or put back.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BackupError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Database { path: PathBuf, source: rusqlite::Error },
    #[error("there are no games in {}", .0.display())]
    NoGames(PathBuf),
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(transparent)]
    Open(#[from] OpenError),
}

fn at(path: &Path) -> impl Fn(io::Error) -> BackupError {
    let path = path.to_owned();
    move |source| BackupError::Io { path: path.clone(), source }
}

fn in_database(path: &Path) -> impl Fn(rusqlite::Error) -> BackupError {
    let path = path.to_owned();
    move |source| BackupError::Database { path: path.clone(), source }
}

/// Copies a database as it is at this moment, whoever writes to it meanwhile. The copy is checked, and gets its name
/// when it is complete and on the disk.
pub(super) fn copy(source: &Connection, to: &Path) -> Result<(), BackupError> {
    let replacement = Replacement::create_private(to).map_err(at(to))?;
    let part = replacement.part().to_owned();
    let fill = || {
        let mut target = Connection::open(&part)?;
        // The file is synced as a whole in the end.
        target.pragma_update(None, "synchronous", "off")?;
        let backup = Backup::new(source, &mut target)?;
        let mut tries = 0;
        loop {
            // All pages in one step: a reader sees one state, and no writer waits for it.
            match backup.step(-1)? {
                StepResult::Done => break,
                StepResult::Busy | StepResult::Locked if tries >= TRIES => {
                    return Err(rusqlite::Error::SqliteFailure(
                        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
                        None,
                    ));
                }
                _ => {
                    tries += 1;
                    std::thread::sleep(PAUSE);
                }
            }
        }
        drop(backup);
        // A copy is one file.
        target.pragma_update(None, "journal_mode", "delete")?;
        check::quick(&target)
    };
    if let Some(what) = fill().map_err(in_database(to))? {
        return Err(BackupError::Damaged { path: to.to_owned(), what });
    }
    replacement.commit().map_err(at(to))?;
    Ok(())
}

/// The time as names of files have it.
fn stamp(connection: &Connection) -> rusqlite::Result<String> {
    connection.query_row("SELECT strftime('%Y-%m-%dT%H%M%SZ', 'now')", [], |row| row.get(0))
}

fn open_games(directory: &Path) -> Result<(PathBuf, Connection), BackupError> {
    let path = directory.join(FILE);
    if !path.exists() {
        return Err(BackupError::NoGames(directory.to_owned()));
    }
    let connection = check::open(&path).map_err(in_database(&path))?;
    Ok((path, connection))
}

/// Copies the games of a directory, while a server may use them: to a new file, or to one with the date in the
/// directory of copies. Returns where the copy is.
///
/// # Errors
/// When there are none, they cannot be read, or the copy cannot be written.
pub fn backup(directory: &Path, to: Option<&Path>) -> Result<PathBuf, BackupError> {
    let (path, source) = open_games(directory)?;
    let to = match to {
        Some(to) if to.exists() => return Err(BackupError::Exists(to.to_owned())),
        Some(to) => to.to_owned(),
        None => {
            let copies = directory.join(DIRECTORY);
            files::create_directory(&copies).map_err(at(&copies))?;
            copies.join(format!("{AUTOMATIC}{}.sqlite", stamp(&source).map_err(in_database(&path))?))
        }
    };
    copy(&source, &to)?;
    Ok(to)
}

/// Looks at everything in the games of a directory, or in a copy of them.
///
/// # Errors
/// When it is no database or cannot be read. Damage is no error, but in the report.
pub fn check(path: &Path) -> Result<CheckReport, BackupError> {
    let (path, connection) = if path.is_dir() {
        open_games(path)?
    } else {
        (path.to_owned(), check::open(path).map_err(in_database(path))?)
    };
    check::full(&connection).map_err(in_database(&path))
}

/// Copies an older database before it is changed into one of this version.
pub(super) fn before_update(
    source: &Connection,
    directory: &Path,
    version: usize,
) -> Result<(), BackupError> {
    let copies = directory.join(DIRECTORY);
    files::create_directory(&copies).map_err(at(&copies))?;
    copy(source, &copies.join(format!("gardez-version-{version}.sqlite")))
}

/// Automatic copies, newest first.
pub(super) fn list(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory.join(DIRECTORY))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let date = name.strip_prefix(AUTOMATIC).and_then(|rest| rest.strip_suffix(".sqlite"));
            date.is_some_and(|date| date.starts_with(|letter: char| letter.is_ascii_digit()))
        })
        .collect();
    found.sort_unstable_by(|one, other| other.cmp(one));
    found
}

fn has_games(directory: &Path) -> Result<bool, BackupError> {
    let (path, connection) = open_games(directory)?;
    let found = connection.query_row("SELECT EXISTS (SELECT 1 FROM game)", [], |row| row.get(0));
    found.map_err(in_database(&path))
}

/// Makes a copy unless the newest is younger than this, and removes all but the newest ones.
pub(crate) fn keep_copies(directory: &Path, keep: usize, every: Duration) -> Result<(), BackupError> {
    if keep == 0 {
        return Ok(());
    }
    let modified = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    // A copy from the future, of a clock that was wrong, does not count.
    let age = list(directory).first().and_then(modified).and_then(|time| time.elapsed().ok());
    if age.is_none_or(|age| age >= every) && has_games(directory)? {
        backup(directory, None)?;
    }
    for old in list(directory).iter().skip(keep) {
        fs::remove_file(old).map_err(at(old))?;
    }
    Ok(())
}

/// Puts a copy in place of the games of a directory, which no server may use meanwhile. Returns what is in the copy,
/// and where the games are that were there before.
///
/// # Errors
/// When the copy is damaged or of a later version, or the games are in use.
pub fn restore(directory: &Path, from: &Path) -> Result<(CheckReport, Option<PathBuf>), BackupError> {
    files::create_directory(directory).map_err(at(directory))?;
    let _lock = lock(directory)?;
    let source = check::open(from).map_err(in_database(from))?;
    let version = schema::version(&source).map_err(in_database(from))?;
    if version > schema::NEWEST {
        return Err(OpenError::Newer { path: from.to_owned() }.into());
    }
    let report = check::full(&source).map_err(in_database(from))?;
    if let Some(what) = report.faults.first() {
        return Err(BackupError::Damaged { path: from.to_owned(), what: what.clone() });
    }
    let path = directory.join(FILE);
    let before = if path.exists() { Some(set_aside(directory, "before-restore")?) } else { None };
    put(&source, directory)?;
    Ok((report, before))
}

/// Puts a database in the place of the present one, which has another name already.
pub(super) fn put(source: &Connection, directory: &Path) -> Result<(), BackupError> {
    let path = directory.join(FILE);
    let new = directory.join("gardez.new.sqlite");
    copy(source, &new)?;
    // What belongs to the old file must not be taken for a part of the new one.
    for side_file in side_files(&path) {
        match fs::remove_file(&side_file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&side_file)(error)),
            _ => {}
        }
    }
    journal::rename(&new, &path).map_err(at(&path))
}

/// Where SQLite keeps what is not in the file yet.
fn side_files(path: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|ending| with_ending(path, ending))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Gives the present files a second name, among the copies, so that they outlive what takes their place.
pub(super) fn set_aside(directory: &Path, why: &str) -> Result<PathBuf, BackupError> {
    let path = directory.join(FILE);
    let copies = directory.join(DIRECTORY);
    files::create_directory(&copies).map_err(at(&copies))?;
    let memory = Connection::open_in_memory().map_err(in_database(&path))?;
    let aside = copies.join(format!("gardez-{why}-{}.sqlite", stamp(&memory).map_err(in_database(&path))?));
    for ending in ["", "-wal"] {
        let (old, new) = (with_ending(&path, ending), with_ending(&aside, ending));
        if old.exists() {
            let linked = fs::hard_link(&old, &new).or_else(|_| fs::copy(&old, &new).map(drop));
            linked.and_then(|()| journal::sync_directory(&new)).map_err(at(&new))?;
        }
    }
    Ok(aside)
}
