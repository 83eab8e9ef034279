//! Games, reviews and log-ins in one SQLite file.
//!
//! Several threads own a connection each: one writes, the others read. Whatever waits to be written goes to disk
//! together, in one transaction; only after that is it acknowledged. A fault in one task is the fault of that
//! task alone: neither what is written together with it nor what comes later is concerned.

mod backup;
mod check;
mod fault;
mod files;
mod games;
mod links;
mod recovery;
mod reviews;
mod schema;

use backend::game_review::GameReview;
use backend::record::Record;
use backend::store::{Access, GameFilter, GameSummary, LinkKind, Listing, Pending};
use backend::{Code, Error, Store};
use fault::{Fault, Result};
use links::LinkKey;
use rusqlite::Connection;
use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{File, TryLockError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

pub(crate) use backup::keep_copies;
pub use backup::{BackupError, backup, check as check_games, restore};
pub use check::CheckReport;
pub use recovery::{Recovery, recover};

/// The database, the key of links and the lock, in the data directory.
const FILE: &str = "gardez.sqlite";
const KEY_FILE: &str = "gardez.key";
const LOCK_FILE: &str = "gardez.lock";

/// Requests that may wait for a connection.
const WAITING: usize = 4096;
/// Connections that read, so that a long search keeps no move waiting.
const READERS: usize = 4;
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
    #[error("cannot open {}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error(
        "{} is damaged ({what}); `gardez serve --recover` keeps what can be read and sets the damaged file aside",
        path.display()
    )]
    Damaged { path: PathBuf, what: String },
    #[error("the games have to be copied before they are updated, but {0}")]
    Backup(Box<BackupError>),
    #[error("{} was written by a newer version of Gardez", path.display())]
    Newer { path: PathBuf },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Something to do with the database, by the thread that has the connection.
///
/// It is done in two steps, because what is written counts only when the transaction is committed: `run` and
/// then `acknowledge`, with the fault if there was one.
trait DatabaseTask: Send {
    /// Reads or writes, and keeps the result.
    fn run(&mut self, connection: &Connection);

    /// Answers the request that waits: with the result, or with a fault that undid it.
    fn acknowledge(self: Box<Self>, fault: Option<&dyn Display>);
}

/// Changes that could not be written, because the database or the disk failed.
#[derive(Default)]
pub(crate) struct FailedWrites(Mutex<Option<Unsaved>>);

/// What could not be written while a server ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsaved {
    /// How many changes.
    pub changes: u64,
    /// Why the last of them.
    pub cause: String,
}

impl FailedWrites {
    fn note(&self, cause: &str) {
        let mut unsaved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = unsaved.as_ref().map_or(0, |unsaved| unsaved.changes) + 1;
        *unsaved = Some(Unsaved { changes, cause: cause.to_owned() });
    }

    fn get(&self) -> Option<Unsaved> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A task, its result, and where the result is waited for.
struct QueuedTask<W, T> {
    work: Option<W>,
    result: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
    /// Where it is noted when it fails, even if nothing waits for the result any more.
    failed: Option<Arc<FailedWrites>>,
}

impl<T: Send, W: FnOnce(&Connection) -> Result<T> + Send> DatabaseTask for QueuedTask<W, T> {
    fn run(&mut self, connection: &Connection) {
        let Some(work) = self.work.take() else { return };
        // A panic is the fault of this task; the connection is as good as before.
        let done = catch_unwind(AssertUnwindSafe(|| work(connection)));
        self.result = Some(done.unwrap_or_else(|_| Err(Fault::internal(&"a task panicked"))));
    }

    fn acknowledge(self: Box<Self>, fault: Option<&dyn Display>) {
        let result = match (fault, self.result) {
            (Some(fault), _) => Err(Fault::internal(fault)),
            (None, Some(result)) => result,
            (None, None) => Err(Fault::internal(&"a task was not run")),
        };
        if let (Err(fault), Some(failed)) = (&result, &self.failed)
            && let Some(cause) = fault.cause()
        {
            failed.note(cause);
        }
        // A request that has ended meanwhile needs no answer.
        let _ = self.reply.send(result);
    }
}

/// What waits for a connection.
type TaskQueue = Mutex<Receiver<Box<dyn DatabaseTask>>>;

/// The database.
pub(crate) struct Database {
    /// Closed before the writer, which then brings everything into one file.
    readers: Worker,
    writer: Worker,
    link_key: Arc<LinkKey>,
    /// Held as long as the database is open.
    _lock: File,
}

struct Worker {
    failed: Option<Arc<FailedWrites>>,
    tasks: Option<SyncSender<Box<dyn DatabaseTask>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Database {
    /// Opens the database in a directory, creating both if need be.
    ///
    /// # Errors
    /// When that is not possible, or another server uses it.
    pub(crate) fn open(directory: &Path) -> std::result::Result<Self, OpenError> {
        files::create_directory(directory)
            .map_err(|source| OpenError::Directory { path: directory.to_owned(), source })?;
        let lock = lock(directory)?;
        let path = directory.join(FILE);
        let inaccessible = |path: &Path| {
            let path = path.to_owned();
            move |source| OpenError::File { path, source }
        };
        // SQLite gives its other files the rights of this one.
        drop(files::open_private(&path).map_err(inaccessible(&path))?);
        let key_path = directory.join(KEY_FILE);
        let link_key = LinkKey::open(&key_path).map_err(inaccessible(&key_path))?;
        let failed = |source| match check::is_damage(&source) {
            true => OpenError::Damaged { path: path.clone(), what: source.to_string() },
            false => OpenError::Database { path: path.clone(), source },
        };
        let mut writer = Connection::open(&path).map_err(failed)?;
        if let Some(what) = check::quick(&writer).map_err(failed)? {
            return Err(OpenError::Damaged { path, what });
        }
        let version = schema::version(&writer).map_err(failed)?;
        if (1..schema::NEWEST).contains(&version) {
            let copied = backup::before_update(&writer, directory, version);
            copied.map_err(|error| OpenError::Backup(Box::new(error)))?;
        }
        if !schema::prepare(&mut writer, &link_key).map_err(failed)? {
            return Err(OpenError::Newer { path });
        }
        let mut readers = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            let reader = Connection::open(&path).map_err(failed)?;
            schema::configure(&reader).map_err(failed)?;
            reader.pragma_update(None, "query_only", true).map_err(failed)?;
            readers.push(reader);
        }
        Ok(Self {
            writer: Worker::new("database writer", vec![writer], write_together, Some(Arc::default()))?,
            readers: Worker::new("database reader", readers, read_each, None)?,
            link_key: Arc::new(link_key),
            _lock: lock,
        })
    }

    /// What could not be written so far.
    pub(crate) fn unsaved(&self) -> Option<Unsaved> {
        self.writer.failed.as_ref()?.get()
    }

    /// Changes something; it is on disk when this returns.
    async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> backend::Result<T> {
        self.writer.run(move |connection| in_savepoint(connection, change)).await.map_err(Error::from)
    }

    /// Looks something up.
    async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> backend::Result<T> {
        self.readers.run(look).await.map_err(Error::from)
    }
}

/// Two servers on one database would each hold games that the other changes.
fn lock(directory: &Path) -> std::result::Result<File, OpenError> {
    let path = directory.join(LOCK_FILE);
    let failed = |source| OpenError::File { path: path.clone(), source };
    let file = files::open_private(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: directory.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

impl Worker {
    fn new(
        name: &str,
        connections: Vec<Connection>,
        work: fn(&Connection, &TaskQueue),
        failed: Option<Arc<FailedWrites>>,
    ) -> std::result::Result<Self, OpenError> {
        let (tasks, queue) = sync_channel(WAITING);
        let queue = Arc::new(Mutex::new(queue));
        let threads = connections
            .into_iter()
            .map(|connection| {
                let queue = Arc::clone(&queue);
                let builder = std::thread::Builder::new().name(name.to_owned());
                builder.spawn(move || work(&connection, &queue))
            })
            .collect::<std::io::Result<_>>()
            .map_err(OpenError::Thread)?;
        Ok(Self { failed, tasks: Some(tasks), threads })
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, receiver) = oneshot::channel();
        let closed = || Fault::internal(&"it is closed");
        let tasks = self.tasks.as_ref().ok_or_else(closed)?;
        let task = QueuedTask { work: Some(work), result: None, reply, failed: self.failed.clone() };
        tasks.try_send(Box::new(task)).map_err(|error| match error {
            TrySendError::Full(_) => Error::new(Code::Busy, "the database has too much to do").into(),
            TrySendError::Disconnected(_) => closed(),
        })?;
        receiver.await.map_err(|_| closed())?
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// The next task, for whichever thread is free.
fn next_task(queue: &TaskQueue) -> Option<Box<dyn DatabaseTask>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

fn read_each(connection: &Connection, queue: &TaskQueue) {
    while let Some(mut task) = next_task(queue) {
        task.run(connection);
        task.acknowledge(None);
    }
}

/// Writes all that waits in one transaction, then acknowledges it. Without a transaction nothing is written.
fn write_together(connection: &Connection, queue: &TaskQueue) {
    while let Some(first) = next_task(queue) {
        let waiting = queue.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tasks: Vec<_> = std::iter::once(first).chain(waiting.try_iter().take(TOGETHER - 1)).collect();
        drop(waiting);
        let committed = in_transaction(connection, || {
            for task in &mut tasks {
                task.run(connection);
            }
        });
        for task in tasks {
            task.acknowledge(committed.as_ref().err().map(|error| error as &dyn Display));
        }
    }
}

/// Does the work between `BEGIN` and `COMMIT`; not at all, if the transaction cannot begin.
fn in_transaction(connection: &Connection, work: impl FnOnce()) -> rusqlite::Result<()> {
    if !connection.is_autocommit() {
        // What is left of a transaction that could not be rolled back.
        connection.execute_batch("ROLLBACK")?;
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    work();
    let committed = connection.execute_batch("COMMIT");
    if committed.is_err() {
        // The error of the commit is the one to report; the next transaction tries again.
        let _ = connection.execute_batch("ROLLBACK");
    }
    committed
}

/// A failure or a panic undoes what was asked for, and nothing of the others in the same transaction.
fn in_savepoint<T>(connection: &Connection, change: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    if connection.is_autocommit() {
        // The database has given the transaction up: a savepoint would begin another, for this change alone.
        return Err(Fault::internal(&"there is no transaction"));
    }
    connection.execute_batch("SAVEPOINT one")?;
    let result = catch_unwind(AssertUnwindSafe(|| change(connection)))
        .unwrap_or_else(|_| Err(Fault::internal(&"a change panicked")));
    let end = if result.is_ok() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" };
    connection.execute_batch(end)?;
    result
}

/// Everything the backend asks for.
impl Store for Database {
    fn insert(&self, records: Vec<Record>, members: Vec<String>) -> Pending<'_, ()> {
        Box::pin(self.insert_all(records, members))
    }

    fn insert_rematch<'a>(&'a self, record: Record, before: &'a str, visitor: &'a str) -> Pending<'a, ()> {
        Box::pin(self.insert_next(record, before, visitor))
    }

    fn save(&self, record: Record, from_ply: usize) -> Pending<'_, ()> {
        Box::pin(self.save_game(record, from_ply))
    }

    fn load<'a>(&'a self, id: &'a str) -> Pending<'a, Record> {
        Box::pin(self.load_game(id))
    }

    fn join<'a>(&'a self, game: &'a str, visitor: &'a str, access: Access) -> Pending<'a, ()> {
        Box::pin(self.join_game(game, visitor, access))
    }

    fn access<'a>(&'a self, game: &'a str, visitor: &'a str) -> Pending<'a, Access> {
        Box::pin(self.access_to_game(game, visitor))
    }

    fn find_link<'a>(&'a self, token: &'a str) -> Pending<'a, (String, LinkKind)> {
        Box::pin(self.game_of_link(token))
    }

    fn link_token(&self, kind: LinkKind, game: &str) -> String {
        self.token_of_link(kind, game)
    }

    fn set_left<'a>(&'a self, game: &'a str, visitor: &'a str, has_left: bool) -> Pending<'a, ()> {
        Box::pin(self.set_guest_left(game, visitor, has_left))
    }

    fn set_deleted<'a>(&'a self, id: &'a str, is_deleted: bool) -> Pending<'a, ()> {
        Box::pin(self.set_game_deleted(id, is_deleted))
    }

    fn list<'a>(&'a self, visitor: &'a str, is_owner: bool, filter: GameFilter) -> Pending<'a, Listing> {
        Box::pin(self.list_games(visitor, is_owner, filter))
    }

    fn list_ids<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        filter: GameFilter,
    ) -> Pending<'a, Vec<String>> {
        Box::pin(self.list_game_ids(visitor, is_owner, filter))
    }

    fn summary<'a>(&'a self, id: &'a str, visitor: &'a str, is_owner: bool) -> Pending<'a, GameSummary> {
        Box::pin(self.game_summary(id, visitor, is_owner))
    }

    fn save_review(&self, review: GameReview) -> Pending<'_, ()> {
        Box::pin(self.save_game_review(review))
    }

    fn load_review<'a>(&'a self, game: &'a str) -> Pending<'a, Option<GameReview>> {
        Box::pin(self.load_game_review(game))
    }

    fn reviewed_games<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        limit: usize,
    ) -> Pending<'a, Vec<String>> {
        Box::pin(self.list_reviewed_games(visitor, is_owner, limit))
    }

    fn set_solved<'a>(&'a self, visitor: &'a str, game: &'a str, ply: usize) -> Pending<'a, ()> {
        Box::pin(self.set_exercise_solved(visitor, game, ply))
    }

    fn solved<'a>(&'a self, visitor: &'a str) -> Pending<'a, HashSet<(String, usize)>> {
        Box::pin(self.solved_exercises(visitor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_failed_change_leaves_no_trace_and_harms_no_other() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Database::open(directory.path()).expect("a database");
        let insert = |visitor: &'static str, fails: bool| {
            store.write(move |connection| {
                connection.execute("INSERT INTO login VALUES (?1, x'00', 0)", [visitor])?;
                if fails { Err(Error::illegal("on purpose").into()) } else { Ok(()) }
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

    fn insert_login(connection: &Connection, visitor: &str) -> Result<()> {
        connection.execute("INSERT INTO login VALUES (?1, x'00', 0)", [visitor])?;
        Ok(())
    }

    fn count_logins(connection: &Connection) -> Result<i64> {
        Ok(connection.query_row("SELECT count(*) FROM login", [], |row| row.get(0))?)
    }

    #[tokio::test]
    async fn a_panic_in_a_task_ends_neither_writer_nor_reader() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Database::open(directory.path()).expect("a database");
        let (before, panicked, after) = tokio::join!(
            store.write(|connection| insert_login(connection, "before")),
            store.write(|connection| -> Result<()> {
                insert_login(connection, "undone")?;
                panic!("on purpose")
            }),
            store.write(|connection| insert_login(connection, "after")),
        );
        assert_eq!((before, after), (Ok(()), Ok(())));
        assert_eq!(panicked.map_err(|error| error.code), Err(Code::Internal));
        let unread = store.read(|_| -> Result<()> { panic!("on purpose") }).await;
        assert!(unread.is_err());
        assert_eq!(store.write(|connection| insert_login(connection, "later")).await, Ok(()));
        assert_eq!(store.read(count_logins).await, Ok(3), "what the panic interrupted is undone");
    }

    #[test]
    fn without_a_transaction_nothing_is_written_and_every_task_fails() {
        let directory = tempfile::tempdir().expect("a directory");
        drop(Database::open(directory.path()).expect("a database"));
        let path = directory.path().join("gardez.sqlite");
        let (writer, other) = (Connection::open(&path).expect("it"), Connection::open(&path).expect("it"));
        // Two changes wait, and the writer ends when they are done.
        let write = |visitors: [&'static str; 2]| {
            let (tasks, queue) = sync_channel::<Box<dyn DatabaseTask>>(2);
            let answers = visitors.map(|visitor| {
                let (reply, answer) = oneshot::channel();
                let change = move |connection: &Connection| {
                    in_savepoint(connection, |connection| insert_login(connection, visitor))
                };
                tasks
                    .send(Box::new(QueuedTask { work: Some(change), result: None, reply, failed: None }))
                    .expect("room");
                answer
            });
            drop(tasks);
            write_together(&writer, &Mutex::new(queue));
            answers.map(|answer| {
                answer.blocking_recv().expect("an answer").map_err(|error| Error::from(error).code)
            })
        };
        writer.busy_timeout(std::time::Duration::ZERO).expect("a setting");
        other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
        assert_eq!(write(["one", "two"]), [Err(Code::Internal), Err(Code::Internal)]);
        other.execute_batch("ROLLBACK").expect("free again");
        assert_eq!(count_logins(&other), Ok(0));
        assert_eq!(write(["three", "four"]), [Ok(()), Ok(())]);
        assert_eq!(count_logins(&other), Ok(2));
    }

    #[test]
    fn one_server_at_a_time() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Database::open(directory.path()).expect("a database");
        assert!(matches!(Database::open(directory.path()), Err(OpenError::InUse { .. })));
        drop(store);
        assert!(Database::open(directory.path()).is_ok());
    }

    #[test]
    fn databases_of_the_future_are_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        drop(Database::open(directory.path()).expect("a database"));
        let connection = Connection::open(directory.path().join("gardez.sqlite")).expect("the file");
        connection.pragma_update(None, "user_version", 999).expect("a pragma");
        drop(connection);
        assert!(matches!(Database::open(directory.path()), Err(OpenError::Newer { .. })));
    }
}
