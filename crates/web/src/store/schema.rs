//! The tables, and how older files become newer ones.

use super::links::{self, LinkKey};
use rusqlite::Connection;
use std::time::Duration;

/// Each step makes the next version of the file out of the one before.
const MIGRATIONS: [fn(&Connection) -> rusqlite::Result<()>; 3] = [
    |connection| connection.execute_batch(VERSION_1),
    |connection| connection.execute_batch(VERSION_2),
    |connection| connection.execute_batch(VERSION_3).and_then(|()| links::keep_old(connection)),
];

/// The first version.
const VERSION_1: &str = "
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
";

/// Until then players and reviews were stored as the messages of the API, and the reasons of ends in English.
/// Now players have columns, reviews have rows, and values have the codes of `codes`.
///
/// `white` and `black` remain: the name of a person, and for engines the name that is shown, to be searched.
const VERSION_2: &str = "
    ALTER TABLE game ADD COLUMN white_player TEXT NOT NULL DEFAULT 'person';
    ALTER TABLE game ADD COLUMN white_engine TEXT;
    ALTER TABLE game ADD COLUMN white_visitor TEXT;
    ALTER TABLE game ADD COLUMN black_player TEXT NOT NULL DEFAULT 'person';
    ALTER TABLE game ADD COLUMN black_engine TEXT;
    ALTER TABLE game ADD COLUMN black_visitor TEXT;
    UPDATE game SET
        white_player = players ->> '$[0].kind',
        white_engine = players ->> '$[0].id',
        white_visitor = players ->> '$[0].visitor',
        white = coalesce(players ->> '$[0].name', white),
        black_player = players ->> '$[1].kind',
        black_engine = players ->> '$[1].id',
        black_visitor = players ->> '$[1].visitor',
        black = coalesce(players ->> '$[1].name', black),
        reason = CASE reason
            WHEN 'insufficient material' THEN 'insufficient-material'
            WHEN 'the fifty-move rule' THEN 'fifty-moves'
            WHEN 'the seventy-five-move rule' THEN 'seventy-five-moves'
            WHEN 'threefold repetition' THEN 'threefold-repetition'
            WHEN 'fivefold repetition' THEN 'fivefold-repetition'
            WHEN 'time forfeit' THEN 'time-forfeit'
            WHEN 'illegal move' THEN 'illegal-move'
            WHEN 'abandonment' THEN 'abandoned'
            ELSE reason
        END;
    ALTER TABLE game DROP COLUMN players;

    ALTER TABLE review RENAME TO old_review;
    CREATE TABLE review (
        game TEXT PRIMARY KEY REFERENCES game ON DELETE CASCADE,
        effort TEXT NOT NULL,
        plies INTEGER NOT NULL,
        created INTEGER NOT NULL,
        version TEXT NOT NULL,
        nodes INTEGER NOT NULL,
        start_cp INTEGER,
        start_mate INTEGER,
        start_win REAL NOT NULL,
        turning_point INTEGER,
        white_accuracy REAL,
        white_loss REAL,
        black_accuracy REAL,
        black_loss REAL,
        CHECK ((start_cp IS NULL) <> (start_mate IS NULL))
    ) STRICT;
    CREATE TABLE review_move (
        game TEXT NOT NULL REFERENCES review ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        uci TEXT NOT NULL,
        cp INTEGER,
        mate INTEGER,
        win REAL NOT NULL,
        loss REAL NOT NULL,
        accuracy REAL NOT NULL,
        judgement TEXT,
        better_line TEXT,
        better_cp INTEGER,
        better_mate INTEGER,
        better_win REAL,
        PRIMARY KEY (game, ply),
        CHECK ((cp IS NULL) <> (mate IS NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO review
        SELECT game,
            CASE effort WHEN 0 THEN 'quick' WHEN 1 THEN 'normal' ELSE 'deep' END,
            plies,
            created,
            substr(made_by, 8, instr(made_by, ',') - 8),
            CAST(substr(made_by, instr(made_by, ',') + 2) AS INTEGER),
            body ->> '$.startScore.cp',
            body ->> '$.startScore.mate',
            body ->> '$.startWin',
            body ->> '$.turningPoint',
            body ->> '$.white.accuracy',
            body ->> '$.white.averageLoss',
            body ->> '$.black.accuracy',
            body ->> '$.black.averageLoss'
        FROM (SELECT *, body ->> '$.by' AS made_by FROM old_review);
    INSERT INTO review_move
        SELECT r.game,
            m.value ->> '$.ply',
            m.value ->> '$.uci',
            m.value ->> '$.score.cp',
            m.value ->> '$.score.mate',
            m.value ->> '$.win',
            m.value ->> '$.loss',
            m.value ->> '$.accuracy',
            m.value ->> '$.judgement',
            (SELECT group_concat(b.value ->> '$.uci', ' ' ORDER BY b.key)
                FROM json_each(m.value, '$.better.moves') b),
            m.value ->> '$.better.score.cp',
            m.value ->> '$.better.score.mate',
            m.value ->> '$.better.win'
        FROM old_review r, json_each(r.body, '$.moves') m;
    DROP TABLE old_review;
";

/// Until then the secrets of links were stored as they are. Now `watch_token` and `invite_token` are hashes of
/// secrets that a key makes, and those given out before have their hashes in `old_link`.
///
/// The list of games is searched within an index that has all it looks at; games themselves may be long.
const VERSION_3: &str = "
    CREATE TABLE setting (
        name TEXT PRIMARY KEY,
        value BLOB NOT NULL
    ) STRICT;
    CREATE TABLE owner (
        visitor TEXT PRIMARY KEY,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE old_link (
        hash TEXT PRIMARY KEY,
        game TEXT NOT NULL REFERENCES game ON DELETE CASCADE,
        kind TEXT NOT NULL
    ) STRICT;
    CREATE INDEX old_link_of_game ON old_link (game);
    DROP INDEX game_by_time;
    CREATE INDEX game_list ON game (updated DESC, id DESC, kind, reason, winner, result, side, white, black, eco,
        opening, white_visitor, black_visitor) WHERE deleted IS NULL;
";

/// The version that this program writes.
pub(super) const NEWEST: usize = MIGRATIONS.len();
/// How long to wait for another connection.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// The version of a file; 0 if it is new.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// Makes the tables of a version in a new file.
pub(super) fn create(connection: &Connection, version: usize) -> rusqlite::Result<()> {
    for migration in &MIGRATIONS[..version.min(NEWEST)] {
        migration(connection)?;
    }
    connection.pragma_update(None, "user_version", version as i64)
}

/// What every connection needs.
pub(super) fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // A move that was acknowledged survives even the loss of power.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Brings a file up to date, each step in a transaction of its own: a step that is interrupted or fails has
/// changed nothing. Returns whether that is possible: not with a file of a later version.
pub(super) fn prepare(connection: &mut Connection, key: &LinkKey) -> rusqlite::Result<bool> {
    configure(connection)?;
    let version = version(connection)?;
    if version > NEWEST {
        return Ok(false);
    }
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(version) {
        let transaction = connection.transaction()?;
        migration(&transaction)?;
        transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        transaction.commit()?;
    }
    links::renew(connection, key)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database as the program of version 1 wrote it.
    const FIXTURE: &str = include_str!("../../tests/fixtures/database-version-1.sql");

    /// Everything in a database, as text.
    fn contents(connection: &Connection) -> Vec<String> {
        let texts = |sql: &str| -> Vec<String> {
            let mut statement = connection.prepare(sql).expect("a query");
            let columns = statement.column_count();
            let rows = statement.query_map([], |row| {
                let values = (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
                Ok(format!("{:?}", values.collect::<rusqlite::Result<Vec<_>>>()?))
            });
            rows.expect("rows").collect::<rusqlite::Result<_>>().expect("values")
        };
        let mut statement = connection
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            .expect("a query");
        let names = statement.query_map([], |row| row.get::<_, String>(0)).expect("names");
        let names: Vec<String> = names.collect::<rusqlite::Result<_>>().expect("names");
        let mut all = texts("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name");
        for name in names {
            all.extend(texts(&format!("SELECT '{name}', * FROM \"{name}\" ORDER BY 2, 3")));
        }
        all
    }

    #[test]
    fn databases_of_every_version_become_the_same() {
        let directory = tempfile::tempdir().expect("a directory");
        let key = LinkKey::open(&directory.path().join("key")).expect("a key");
        let from_version = |version: usize| {
            let mut connection = Connection::open_in_memory().expect("a database");
            connection.execute_batch(FIXTURE).expect("version 1");
            for migration in &MIGRATIONS[1..version] {
                migration(&connection).expect("a step");
            }
            connection.pragma_update(None, "user_version", version as i64).expect("a version");
            assert_eq!(prepare(&mut connection, &key), Ok(true));
            contents(&connection)
        };
        let expected = from_version(1);
        assert!(expected.len() > 100, "there is something in it");
        for version in 2..=MIGRATIONS.len() {
            assert_eq!(from_version(version), expected, "version {version}");
        }
    }
}
