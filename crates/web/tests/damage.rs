//! Databases that are damaged, copied, restored, or cannot be written.

#![allow(missing_docs)]

mod support;

use rusqlite::Connection;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use support::{Settings, TestServer, you};
use web::{BackupError, Config, OpenError, Server, StartError};

const MOVES: [&str; 8] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];

fn database(directory: &Path) -> PathBuf {
    directory.join("gardez.sqlite")
}

/// A directory with these many games of a few moves each, closed in good order.
fn games(count: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let mut server = TestServer::start_in(directory.path(), Settings::default());
    let visitor = server.visitor();
    let pgn: String = (0..count)
        .map(|number| {
            format!("[White \"Player {number}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n")
        })
        .collect();
    let (status, answer) = visitor.post("/import", &json!({"pgn": pgn}));
    assert_eq!(status, 200, "{answer}");
    server.stop();
    assert!(!directory.path().join("gardez.sqlite-wal").exists(), "it is one file when it is closed");
    directory
}

fn count_of(directory: &Path) -> u64 {
    let server = TestServer::start_in(directory, Settings::default());
    let (status, list) = server.visitor().get("/games?limit=1");
    assert_eq!(status, 200, "{list}");
    list["total"].as_u64().expect("a number")
}

fn start_error(directory: &Path) -> Option<StartError> {
    let config = Config::new(([127, 0, 0, 1], 0).into(), directory.to_owned());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(Server::start(config)).err()
}

fn assert_damaged(directory: &Path) {
    let error = start_error(directory);
    assert!(matches!(error, Some(StartError::Store(OpenError::Damaged { .. }))), "{error:?}");
    assert!(error.expect("an error").to_string().contains("gardez serve --recover"));
}

/// Writes nonsense over a page, or over a part of it.
fn damage(path: &Path, page: usize, from: usize) {
    let mut bytes = fs::read(path).expect("the file");
    bytes[page * 4096 + from..][..4096 - from].fill(0xa5);
    fs::write(path, bytes).expect("written");
}

/// A page in the middle of the table of a name.
fn page_of(path: &Path, table: &str) -> usize {
    let connection = Connection::open(path).expect("the file");
    let pages: Vec<i64> = {
        let root: i64 = connection
            .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [table], |row| row.get(0))
            .expect("a table");
        // The pages of a table that was filled at once lie close behind its root.
        let count: i64 = connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("pages");
        (root..count).collect()
    };
    let bytes = fs::read(path).expect("the file");
    let root = usize::try_from(pages[0]).expect("a number") - 1;
    // An inner page has the numbers of its children: 5 for tables with row numbers, 2 for others.
    let page = &bytes[root * 4096..][..4096];
    assert!(page[0] == 5 || page[0] == 2, "{table} has one page only");
    let cells = usize::from(u16::from_be_bytes([page[3], page[4]]));
    let cell = 12 + 2 * (cells / 2);
    let at = usize::from(u16::from_be_bytes([page[cell], page[cell + 1]]));
    let child = u32::from_be_bytes(page[at..][..4].try_into().expect("four bytes"));
    usize::try_from(child).expect("a number") - 1
}

#[test]
fn a_damaged_table_is_reported_and_what_can_be_read_is_recovered() {
    for table in ["game", "move", "member"] {
        let directory = games(300);
        let path = database(directory.path());
        assert_eq!(web::recover(directory.path()).expect("no damage"), None, "a sound one stays as it is");
        damage(&path, page_of(&path, table), 0);
        let damaged = fs::read(&path).expect("the file");
        assert_damaged(directory.path());
        assert!(fs::read(&path).expect("the file") == damaged, "it is left alone");
        assert!(!web::check_games(directory.path()).expect("a report").faults.is_empty());

        let recovery = web::recover(directory.path()).expect("recovered").expect("damage");
        assert!(fs::read(&recovery.damaged).expect("it is kept") == damaged);
        assert!(recovery.games >= 250, "{table}: {recovery:?}");
        assert_eq!(recovery.games + recovery.lost, 300, "{table}: {recovery:?}");
        assert_eq!(recovery.shortened > 0, table == "move", "{table}: {recovery:?}");
        let report = web::check_games(directory.path()).expect("a report");
        assert_eq!((report.games, report.faults), (recovery.games, Vec::new()));
        assert!(count_of(directory.path()) >= recovery.games);
    }
}

#[test]
fn what_is_missing_comes_from_the_newest_copy() {
    for page in [0, usize::MAX] {
        let directory = games(300);
        let path = database(directory.path());
        web::backup(directory.path(), None).expect("a copy");
        let page = if page == 0 { 0 } else { page_of(&path, "game") };
        damage(&path, page, 0);
        assert_damaged(directory.path());
        let recovery = web::recover(directory.path()).expect("recovered").expect("damage");
        assert_eq!((recovery.games, recovery.shortened, recovery.lost), (300, 0, 0), "{recovery:?}");
        assert!(recovery.from_copies > 0, "{recovery:?}");
        assert_eq!(count_of(directory.path()), 300);
    }
}

#[test]
fn a_file_that_is_no_database_is_no_reason_to_begin_anew() {
    let directory = games(3);
    let path = database(directory.path());
    for contents in [&b"something else entirely"[..], &[0; 8192]] {
        fs::write(&path, contents).expect("written");
        assert_damaged(directory.path());
        assert_eq!(fs::read(&path).expect("the file"), contents);
    }
}

#[test]
fn a_copy_is_made_while_games_are_played_and_can_be_put_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut server = TestServer::start_in(directory.path(), Settings::default());
    let visitor = server.visitor();
    let game = visitor.new_game(&json!({"white": you(), "black": you()}));
    let (id, mut socket) = (game["id"].clone(), visitor.socket());
    socket.watch(&id);
    for (ply, mv) in MOVES.iter().enumerate().take(4) {
        socket.play(&id, ply, mv);
    }
    let copy = directory.path().join("copy.sqlite");
    assert_eq!(web::backup(directory.path(), Some(&copy)).expect("a copy"), copy);
    assert!(matches!(web::backup(directory.path(), Some(&copy)), Err(BackupError::Exists(_))));
    for (ply, mv) in MOVES.iter().enumerate().skip(4) {
        socket.play(&id, ply, mv);
    }
    let report = web::check_games(&copy).expect("a report");
    assert_eq!((report.games, report.moves, report.faults.len()), (1, 4, 0));
    let in_use = web::restore(directory.path(), &copy);
    assert!(matches!(in_use, Err(BackupError::Open(OpenError::InUse { .. }))), "{in_use:?}");
    drop(socket);
    server.stop();

    let (report, before) = web::restore(directory.path(), &copy).expect("restored");
    assert_eq!(report.moves, 4);
    assert_eq!(web::check_games(&before.expect("kept")).expect("a report").moves, 8);
    let server = TestServer::start_in(directory.path(), Settings::default());
    let (_, state) = server.visitor().get(&format!("/games/{}", id.as_str().expect("a name")));
    assert_eq!(support::plies(&state), 4);
    drop(server);

    let damaged = directory.path().join("damaged.sqlite");
    fs::write(&damaged, "no copy at all").expect("written");
    assert!(web::restore(directory.path(), &damaged).is_err());
    assert_eq!(count_of(directory.path()), 1, "a damaged copy replaces nothing");
}

#[cfg(unix)]
#[test]
fn a_server_copies_by_itself_and_copies_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let directory = games(1);
    let backups = directory.path().join("backups");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let server = TestServer::start_in(directory.path(), Settings::default());
    // It is made in the background; a complete one has its name.
    let copy = loop {
        let found = fs::read_dir(&backups).into_iter().flatten().filter_map(Result::ok);
        let mut whole =
            found.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "sqlite"));
        if let Some(copy) = whole.next() {
            break copy;
        }
        std::thread::yield_now();
    };
    drop(server);
    assert_eq!((mode(&backups), mode(&copy)), (0o700, 0o600));
    assert_eq!(web::check_games(&copy).expect("a report").games, 1);
}

#[test]
fn an_older_database_is_copied_before_it_is_updated() {
    let directory = tempfile::tempdir().expect("a directory");
    let old = include_str!("fixtures/database-version-1.sql");
    Connection::open(database(directory.path())).expect("a file").execute_batch(old).expect("version 1");
    drop(TestServer::start_in(directory.path(), Settings::default()));
    let copy = Connection::open(directory.path().join("backups/gardez-version-1.sqlite")).expect("a copy");
    let version: i64 = copy.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
    assert_eq!(version, 1);
}

#[test]
fn a_server_that_could_not_write_does_not_claim_that_all_is_saved() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut server = TestServer::start_in(directory.path(), Settings::default());
    let visitor = server.visitor();
    let game = visitor.new_game(&json!({"white": you(), "black": you()}));
    let (id, mut socket) = (game["id"].clone(), visitor.socket());
    socket.watch(&id);
    socket.play(&id, 0, "e4");
    let full = "CREATE TRIGGER full BEFORE INSERT ON move BEGIN SELECT RAISE(FAIL, 'disk full'); END";
    let other = Connection::open(database(directory.path())).expect("the file");
    other.execute_batch(full).expect("a trigger");
    assert_eq!(socket.ask_error(json!({"type": "move", "game": id, "ply": 1, "move": "e5"})), "internal");
    other.execute_batch("DROP TRIGGER full").expect("no trigger");
    drop(other);
    socket.play(&id, 1, "c5");
    drop(socket);
    let unsaved = server.stop_and_report().expect("something was not saved");
    assert_eq!(unsaved.changes, 1);
    assert!(unsaved.cause.contains("disk full"), "{unsaved:?}");
}
