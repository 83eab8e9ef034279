//! Games, reviews and log-ins in one SQLite file.
//!
//! Two threads own a connection each: one writes, one reads. Whatever waits to be written goes to disk
//! together, in one transaction; only after that is anybody told that it is written.

mod games;
mod reviews;
mod schema;

pub use games::Access;
pub use reviews::StoredReview;

use crate::error::{Code, Error, Result};
use rusqlite::Connection;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Requests that may wait for a connection.
const WAITING: usize = 4096;
/// The most requests of one transaction.
const TOGETHER: usize = 256;

/// Why the database cannot be opened.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OpenError {
    #[error("cannot create the directory {}: {source}", path.display())]
    Directory { path: PathBuf, source: std::io::Error },
    #[error("{} is in use by another server", path.display())]
    InUse { path: PathBuf },
    #[error("cannot open {}: {source}", path.display())]
    Database { path: PathBuf, source: rusqlite::Error },
    #[error("{} was written by a newer version of Gardez", path.display())]
    Newer { path: PathBuf },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Told whether what it asked for has come to disk.
type Acknowledge = Box<dyn FnOnce(&rusqlite::Result<()>) + Send>;
type Job = Box<dyn FnOnce(&Connection) -> Acknowledge + Send>;

/// The database.
pub struct Store {
    writer: Worker,
    reader: Worker,
    /// Held as long as the database is open.
    _lock: File,
}

struct Worker {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Store {
    /// Opens the database in a directory, creating both if need be.
    ///
    /// # Errors
    /// When that is not possible, or another server uses it.
    pub fn open(directory: &Path) -> std::result::Result<Self, OpenError> {
        std::fs::create_dir_all(directory)
            .map_err(|source| OpenError::Directory { path: directory.to_owned(), source })?;
        let lock = lock(&directory.join("gardez.lock"))?;
        let path = directory.join("gardez.sqlite");
        let failed = |source| OpenError::Database { path: path.clone(), source };
        let mut writer = Connection::open(&path).map_err(failed)?;
        if !schema::prepare(&mut writer).map_err(failed)? {
            return Err(OpenError::Newer { path });
        }
        let reader = Connection::open(&path).map_err(failed)?;
        schema::configure(&reader).map_err(failed)?;
        reader.pragma_update(None, "query_only", true).map_err(failed)?;
        Ok(Self {
            writer: Worker::new("database writer", writer, write_together)?,
            reader: Worker::new("database reader", reader, read_each)?,
            _lock: lock,
        })
    }

    /// Changes something; it is on disk when this returns.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writer.run(move |connection| in_savepoint(connection, change)).await
    }

    /// Looks something up.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.reader.run(look).await
    }
}

/// Two servers on one database would each believe to know the games.
fn lock(path: &Path) -> std::result::Result<File, OpenError> {
    let file = File::create(path).map_err(|source| OpenError::Directory { path: path.to_owned(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(OpenError::InUse { path: path.parent().unwrap_or(path).to_owned() })
        }
        Err(TryLockError::Error(source)) => Err(OpenError::Directory { path: path.to_owned(), source }),
    }
}

impl Worker {
    fn new(
        name: &str,
        connection: Connection,
        work: fn(&Connection, &Receiver<Job>),
    ) -> std::result::Result<Self, OpenError> {
        let (jobs, queue) = sync_channel(WAITING);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&connection, &queue))
            .map_err(OpenError::Thread)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let result = work(connection);
            Box::new(move |committed| {
                let _ = sender.send(match committed {
                    Ok(()) => result,
                    Err(error) => Err(Error::internal(error)),
                });
            })
        });
        let Some(jobs) = &self.jobs else { return Err(Error::internal(&"the database is closed")) };
        jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => Error::new(Code::Busy, "the database has too much to do"),
            TrySendError::Disconnected(_) => Error::internal(&"the database is closed"),
        })?;
        receiver.await.map_err(|_| Error::internal(&"the database is closed"))?
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn read_each(connection: &Connection, queue: &Receiver<Job>) {
    for job in queue {
        job(connection)(&Ok(()));
    }
}

/// Writes all that waits in one transaction, then acknowledges it.
fn write_together(connection: &Connection, queue: &Receiver<Job>) {
    while let Ok(first) = queue.recv() {
        let begun = connection.execute_batch("BEGIN IMMEDIATE");
        let waiting = std::iter::once(first).chain(queue.try_iter().take(TOGETHER - 1));
        let acknowledgements: Vec<Acknowledge> = waiting.map(|job| job(connection)).collect();
        let committed = begun.and_then(|()| connection.execute_batch("COMMIT"));
        if committed.is_err() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        for acknowledge in acknowledgements {
            acknowledge(&committed);
        }
    }
}

/// A failure undoes what was asked for, and nothing of the others in the same transaction.
fn in_savepoint<T>(connection: &Connection, change: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.execute_batch("SAVEPOINT one")?;
    let result = change(connection);
    let end = if result.is_ok() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" };
    connection.execute_batch(end)?;
    result
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(&format!("database: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_failed_change_leaves_no_trace_and_harms_no_other() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::open(directory.path()).expect("a database");
        let insert = |visitor: &'static str, fails: bool| {
            store.write(move |connection| {
                connection.execute("INSERT INTO login VALUES (?1, x'00', 0)", [visitor])?;
                if fails { Err(Error::illegal("on purpose")) } else { Ok(()) }
            })
        };
        let (one, two, three) =
            tokio::join!(insert("one", false), insert("two", true), insert("three", false));
        assert_eq!((one, three), (Ok(()), Ok(())));
        assert!(two.is_err());
        let count = store
            .read(|connection| {
                Ok(connection.query_row("SELECT count(*) FROM login", [], |row| row.get::<_, i64>(0))?)
            })
            .await;
        assert_eq!(count, Ok(2));
    }

    #[test]
    fn one_server_at_a_time() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::open(directory.path()).expect("a database");
        assert!(matches!(Store::open(directory.path()), Err(OpenError::InUse { .. })));
        drop(store);
        assert!(Store::open(directory.path()).is_ok());
    }

    #[test]
    fn databases_of_the_future_are_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        drop(Store::open(directory.path()).expect("a database"));
        let connection = Connection::open(directory.path().join("gardez.sqlite")).expect("the file");
        connection.pragma_update(None, "user_version", 999).expect("a pragma");
        drop(connection);
        assert!(matches!(Store::open(directory.path()), Err(OpenError::Newer { .. })));
    }
}
