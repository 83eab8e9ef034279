//! Databases of older versions: everything in them is there after the update.
//!
//! `fixtures/database-version-1.sql` is a database as the program wrote it when its schema had version 1: games of
//! all kinds, ended in all ways that can be played, clocks, invitations, imported games, reviews, a solved
//! exercise, log-ins, a deleted game. `fixtures/answers-version-1.json` is what that program answered about it.

#![allow(missing_docs)]

mod support;

use rusqlite::Connection;
use serde_json::{Value, json};
use std::path::Path;
use support::{Settings, TestServer, Visitor};
use web::{Config, OpenError, Server, StartError};

const VERSION_1: &str = include_str!("fixtures/database-version-1.sql");
const ANSWERS: &str = include_str!("fixtures/answers-version-1.json");

fn open(directory: &Path) -> Connection {
    Connection::open(directory.join("gardez.sqlite")).expect("the file")
}

/// A directory with the database of version 1.
fn version_1() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    open(directory.path()).execute_batch(VERSION_1).expect("the database");
    directory
}

fn start(directory: &Path) -> TestServer {
    let settings = Settings { password: Some("Philidor".to_owned()), ..Settings::default() };
    TestServer::start_in(directory, settings)
}

/// The visitor whose games they are, and who has given the password to the old program.
fn owner(server: &TestServer) -> Visitor {
    let answers: Value = serde_json::from_str(ANSWERS).expect("JSON");
    let mut visitor = server.visitor();
    answers["cookie"].as_str().expect("a cookie").clone_into(&mut visitor.cookie);
    visitor
}

/// The parts of a value that the expected one has.
fn same_parts(found: &Value, expected: &Value) -> Value {
    match expected {
        Value::Object(parts) => {
            parts.iter().map(|(name, part)| (name.clone(), same_parts(&found[name], part))).collect()
        }
        _ => found.clone(),
    }
}

#[test]
fn everything_is_there_after_the_update() {
    let directory = version_1();
    let server = start(directory.path());
    let visitor = owner(&server);
    let expected: Value = serde_json::from_str(ANSWERS).expect("JSON");
    let games = expected["games"].as_object().expect("games");

    let (status, list) = visitor.get("/games?limit=200");
    assert_eq!((status, &list["total"]), (200, &json!(games.len())), "the log-in is still good");
    let list = list["games"].as_array().expect("games");
    for (id, expected) in games {
        let summary = list.iter().find(|game| game["id"] == id.as_str()).expect("it is in the list");
        let (status, mut state) = visitor.get(&format!("/games/{id}"));
        assert_eq!(status, 200, "{id}: {state}");
        for part in ["plies", "result", "fen"] {
            state[part] = summary[part].clone();
        }
        // The outcome of an imported game is that of its last position; the list has that of the database.
        state["outcome"] = summary["outcome"].clone();
        let moves = state["moves"].as_array().expect("moves").clone();
        // Other links are shown now, and those given out before are still good.
        let watch = expected["links"]["watch"].as_str().expect("a link");
        let (_, followed) = visitor.post(&watch.replace("/watch/", "/links/"), &json!({}));
        assert_eq!(followed["game"]["id"], id.as_str(), "{followed}");
        assert_eq!(state["links"]["invite"].is_null(), expected["links"]["invite"].is_null(), "{id}");
        state["links"] = expected["links"].clone();
        state["moves"] = moves.iter().map(|mv| json!([mv["uci"], mv["clock"]])).collect();
        assert_eq!(&same_parts(&state, expected), expected, "{id}");
    }

    for (id, expected) in expected["reviews"].as_object().expect("reviews") {
        let (status, mut review) = visitor.get(&format!("/games/{id}/review"));
        assert_eq!(status, 200, "{id}");
        for mv in review["moves"].as_array_mut().expect("moves") {
            let remarks = mv.as_object_mut().expect("a move").remove("remarks").unwrap_or_default();
            let is_explained = remarks.as_array().is_some_and(|remarks| !remarks.is_empty());
            assert!(mv["judgement"].is_null() || is_explained, "an error is explained");
        }
        // What was added to reviews since.
        assert!(review.as_object_mut().expect("a review").remove("effort").is_some());
        for side in ["white", "black"] {
            assert!(review[side].as_object_mut().expect("a side").remove("lesson").is_some());
        }
        assert_eq!(&review, expected, "{id}");
    }
    let (_, answer) = visitor.get("/exercises");
    let found = answer["exercises"].as_array().expect("exercises");
    let expected = expected["exercises"].as_array().expect("exercises");
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(&same_parts(found, expected), expected);
    }
}

#[test]
fn a_game_goes_on_after_the_update() {
    let directory = version_1();
    let id: String = {
        let database = open(directory.path());
        let deleted = "SELECT id FROM game WHERE deleted IS NOT NULL";
        database.query_row(deleted, [], |row| row.get(0)).expect("a deleted game")
    };
    let server = start(directory.path());
    let visitor = owner(&server);
    let (status, restored) = visitor.post(&format!("/games/{id}/restore"), &json!({}));
    assert_eq!((status, &restored["you"]), (200, &json!("both")));
    let mut socket = visitor.socket();
    socket.watch(&restored["id"]);
    socket.play(&restored["id"], 0, "e4");
}

#[test]
fn the_database_holds_codes_and_no_messages() {
    let directory = version_1();
    drop(start(directory.path()));
    let database = open(directory.path());
    let version: i64 = database.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
    assert_eq!(version, 3);
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = database.prepare(sql).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<rusqlite::Result<_>>().expect("texts")
    };
    let reasons = texts("SELECT DISTINCT reason FROM game WHERE reason IS NOT NULL ORDER BY reason");
    assert_eq!(
        reasons,
        [
            "agreement",
            "checkmate",
            "fifty-moves",
            "fivefold-repetition",
            "insufficient-material",
            "resignation",
            "seventy-five-moves",
            "stalemate",
            "threefold-repetition",
            "time-forfeit",
        ]
    );
    assert_eq!(texts("SELECT effort FROM review ORDER BY effort"), ["normal", "quick"]);
    assert_eq!(
        texts("SELECT DISTINCT white_engine FROM game WHERE white_player = 'level' ORDER BY 1"),
        ["1500", "full"]
    );
    let broken = "SELECT \"table\" FROM pragma_foreign_key_check";
    assert_eq!(texts(broken), Vec::<String>::new());
}

#[test]
fn ends_that_the_old_program_knew_but_did_not_play_are_carried_over() {
    for reason in ["illegal move", "abandonment", "adjudication"] {
        let directory = version_1();
        let changed = open(directory.path())
            .execute("UPDATE game SET reason = ?1 WHERE reason = 'resignation'", [reason])
            .expect("an update");
        let server = start(directory.path());
        let (_, list) = owner(&server).get("/games?limit=200");
        let games = list["games"].as_array().expect("games");
        let found = games.iter().filter(|game| game["outcome"]["reason"] == reason).count();
        assert_eq!(found, changed, "{reason}");
    }
}

#[test]
fn an_update_that_fails_changes_nothing() {
    let directory = version_1();
    let database = open(directory.path());
    let contents = |database: &Connection| -> Vec<(String, i64)> {
        ["game", "move", "member", "review", "solved", "login"]
            .into_iter()
            .map(|table| {
                let count = format!("SELECT count(*) FROM {table}");
                (table.to_owned(), database.query_row(&count, [], |row| row.get(0)).expect("a count"))
            })
            .collect()
    };
    // The last step fails: a reviewed move that has no name.
    let damaged = "UPDATE review SET body = json_remove(body, '$.moves[0].uci')";
    database.execute(damaged, []).expect("an update");
    let before = contents(&database);
    let config = Config::new(([127, 0, 0, 1], 0).into(), directory.path().to_owned());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let refused = runtime.block_on(Server::start(config)).err();
    assert!(matches!(refused, Some(StartError::Store(OpenError::Database { .. }))), "{refused:?}");
    let version: i64 = database.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
    assert_eq!((version, contents(&database)), (1, before));
    let old: i64 = database
        .query_row("SELECT count(*) FROM game WHERE players LIKE '%\"kind\"%'", [], |row| row.get(0))
        .expect("the old columns");
    assert!(old > 0);

    // When the cause is gone, the same file is updated.
    let repaired = "UPDATE review SET body = json_set(body, '$.moves[0].uci', 'e2e4')";
    database.execute(repaired, []).expect("an update");
    drop(database);
    let server = start(directory.path());
    assert_eq!(owner(&server).get("/games").0, 200);
}
