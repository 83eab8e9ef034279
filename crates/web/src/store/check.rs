//! Whether a database is sound: its pages, its references, its games.

use super::games;
use super::schema;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;

/// Faults that are listed; more of them say no more.
const LISTED: usize = 20;

/// What was found in a database.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckReport {
    /// Games, without those that are deleted.
    pub games: u64,
    /// Moves of all games.
    pub moves: u64,
    /// Reviews.
    pub reviews: u64,
    /// What is wrong; at most 20 faults are listed.
    pub faults: Vec<String>,
}

/// Opens a database that is not to be changed.
pub(super) fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(schema::BUSY)?;
    Ok(connection)
}

/// Whether an error means that the file is damaged or no database at all.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Looks at the pages of a database, not at the contents of its indexes. Returns the first fault.
pub(super) fn quick(connection: &Connection) -> rusqlite::Result<Option<String>> {
    match pages(connection, "PRAGMA quick_check(1)") {
        Ok(faults) => Ok(faults.into_iter().next()),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(error) => Err(error),
    }
}

fn pages(connection: &Connection, pragma: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(pragma)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    rows.filter(|row| !matches!(row, Ok(text) if text == "ok")).collect()
}

/// Looks at everything: pages, indexes, references, and every game move by move.
pub(super) fn full(connection: &Connection) -> rusqlite::Result<CheckReport> {
    let mut report = CheckReport::default();
    match look(connection, &mut report) {
        Err(error) if is_damage(&error) => report.faults.push(error.to_string()),
        looked => looked?,
    }
    report.faults.truncate(LISTED);
    Ok(report)
}

fn look(connection: &Connection, report: &mut CheckReport) -> rusqlite::Result<()> {
    report.faults = pages(connection, &format!("PRAGMA integrity_check({LISTED})"))?;
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut orphans = statement.query([])?;
    while let Some(row) = orphans.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        report.faults.push(format!("a row of {table} belongs to no {parent}"));
        if report.faults.len() >= LISTED {
            break;
        }
    }
    let count = |sql: &str| -> rusqlite::Result<u64> {
        Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?.try_into().unwrap_or(0))
    };
    report.games = count("SELECT count(*) FROM game WHERE deleted IS NULL")?;
    report.moves = count("SELECT count(*) FROM move")?;
    report.reviews = count("SELECT count(*) FROM review")?;
    // Games of older versions are read after the update.
    if schema::version(connection)? == schema::NEWEST {
        let mut ids = connection.prepare("SELECT id FROM game WHERE deleted IS NULL")?;
        for id in ids.query_map([], |row| row.get::<_, String>(0))? {
            let id = id?;
            if let Err(fault) = games::load(connection, &id) {
                report
                    .faults
                    .push(format!("game {id}: {}", fault.cause().unwrap_or("its moves cannot be played")));
            }
        }
    }
    Ok(())
}
