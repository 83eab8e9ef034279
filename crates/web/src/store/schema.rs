//! The tables, and how older files become newer ones.

use rusqlite::Connection;
use std::time::Duration;

/// Each entry makes the next version of the file out of the one before.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE game (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        variant TEXT NOT NULL,
        start TEXT NOT NULL,
        players TEXT NOT NULL,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        side TEXT,
        clock_initial INTEGER,
        clock_increment INTEGER,
        left_white INTEGER NOT NULL,
        left_black INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        watch_token TEXT NOT NULL UNIQUE,
        invite_token TEXT UNIQUE,
        next TEXT,
        human_pace INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        tags TEXT NOT NULL,
        pgn TEXT,
        plies INTEGER NOT NULL,
        fen TEXT NOT NULL,
        result TEXT NOT NULL,
        winner TEXT,
        reason TEXT,
        eco TEXT,
        opening TEXT,
        deleted INTEGER
    ) STRICT;
    CREATE INDEX game_by_time ON game (updated DESC, id DESC) WHERE deleted IS NULL;
    CREATE TABLE move (
        game TEXT NOT NULL REFERENCES game ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        uci TEXT NOT NULL,
        clock INTEGER,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE member (
        visitor TEXT NOT NULL,
        game TEXT NOT NULL REFERENCES game ON DELETE CASCADE,
        role TEXT NOT NULL,
        PRIMARY KEY (visitor, game)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX member_of_game ON member (game);
    CREATE TABLE review (
        game TEXT PRIMARY KEY REFERENCES game ON DELETE CASCADE,
        effort INTEGER NOT NULL,
        plies INTEGER NOT NULL,
        created INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE solved (
        visitor TEXT NOT NULL,
        game TEXT NOT NULL REFERENCES game ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        PRIMARY KEY (visitor, game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE login (
        visitor TEXT PRIMARY KEY,
        proof BLOB NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
"];

/// What every connection needs.
pub fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // A move that was acknowledged survives even the loss of power.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Brings a file up to date. Returns whether that is possible: not with a file of a later version.
pub fn prepare(connection: &mut Connection) -> rusqlite::Result<bool> {
    configure(connection)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let version = usize::try_from(version).unwrap_or(usize::MAX);
    if version > MIGRATIONS.len() {
        return Ok(false);
    }
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(version) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(true)
}
