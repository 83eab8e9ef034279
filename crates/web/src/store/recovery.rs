//! What can be read of a damaged database becomes a new one; the damaged file is kept.
//!
//! Damage sits in pages. A table is read from its beginning up to the damage and from its end back to it; what lies
//! between is looked for game by game, with the names of games from every table and index that has them. Games that
//! are still missing, or have lost moves, come from the newest copy that has them.

use super::backup::{self, BackupError};
use super::check;
use super::links::LinkKey;
use super::{FILE, KEY_FILE, OpenError, games, lock, schema};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What became of a damaged database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recovery {
    /// Where the damaged file is now.
    pub damaged: PathBuf,
    /// What was wrong with it.
    pub what: String,
    /// Games there are again.
    pub games: u64,
    /// How many of these lack their last moves.
    pub shortened: u64,
    /// How many of them come from a copy.
    pub from_copies: u64,
    /// Games of which only the name is left.
    pub lost: u64,
}

/// Makes a new database of what can be read of a damaged one and of its copies. Returns nothing if there is no damage.
///
/// # Errors
/// When a server uses it, or the new one cannot be written; the damaged one is then still in its place.
pub fn recover(directory: &Path) -> Result<Option<Recovery>, BackupError> {
    let path = directory.join(FILE);
    if !path.exists() {
        return Err(BackupError::NoGames(directory.to_owned()));
    }
    let _lock = lock(directory)?;
    let failed = |source| BackupError::Database { path: path.clone(), source };
    let damaged = check::open(&path).map_err(failed)?;
    let Some(what) = check::quick(&damaged).map_err(failed)? else {
        // The pages are sound, but an index may not be.
        let report = check::full(&damaged).map_err(failed)?;
        let Some(what) = report.faults.into_iter().next() else { return Ok(None) };
        return rebuild(directory, &damaged, what).map(Some);
    };
    rebuild(directory, &damaged, what).map(Some)
}

fn rebuild(directory: &Path, damaged: &Connection, what: String) -> Result<Recovery, BackupError> {
    let path = directory.join(FILE);
    let failed = |source| BackupError::Database { path: path.clone(), source };
    let key_path = directory.join(KEY_FILE);
    let key =
        LinkKey::open(&key_path).map_err(|source| BackupError::Io { path: key_path.clone(), source })?;
    let aside = backup::set_aside(directory, "damaged")?;
    let mut recovery = Recovery { damaged: aside, what, games: 0, shortened: 0, from_copies: 0, lost: 0 };
    // A file of SQLite's own, which goes when it is closed.
    let mut new = Connection::open("").map_err(failed)?;
    let version = schema::version(damaged).unwrap_or(0);
    if version > schema::NEWEST {
        return Err(OpenError::Newer { path }.into());
    }
    let copies: Vec<Connection> = backup::list(directory)
        .iter()
        .filter_map(|copy| check::open(copy).ok())
        .filter(|copy| matches!(check::quick(copy), Ok(None)))
        .collect();
    // Without even a version, all there is are the copies.
    let version = match (version, copies.first()) {
        (0, Some(copy)) => schema::version(copy).map_err(failed)?,
        (0, None) => schema::NEWEST,
        (version, _) => version,
    };
    schema::create(&new, version).map_err(failed)?;
    new.pragma_update(None, "foreign_keys", false).map_err(failed)?;
    let tables = Table::all(&new).map_err(failed)?;
    let names = fill(&new, damaged, &tables).map_err(failed)?;
    drop_orphans(&new, &tables).map_err(failed)?;
    let mut shortened = incomplete(&new).map_err(failed)?;
    for copy in copies.iter().filter(|copy| schema::version(copy).ok() == Some(version)) {
        recovery.from_copies += complete_from(&new, copy, &tables, &mut shortened).map_err(failed)?;
    }
    schema::prepare(&mut new, &key).map_err(failed)?;
    recovery.shortened = shorten(&new, &shortened, &key).map_err(failed)?;
    remove_unreadable(&new).map_err(failed)?;
    new.execute_batch("REINDEX").map_err(failed)?;
    recovery.games = count(&new, "SELECT count(*) FROM game WHERE deleted IS NULL").map_err(failed)?;
    let has = |id: &String| new.query_row("SELECT 1 FROM game WHERE id = ?1", [id], |_| Ok(())).is_ok();
    recovery.lost = names.iter().filter(|id| !has(id)).count() as u64;
    backup::put(&new, directory)?;
    Ok(recovery)
}

fn count(connection: &Connection, sql: &str) -> rusqlite::Result<u64> {
    Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?.try_into().unwrap_or(0))
}

/// A table, and how its rows are read and written.
struct Table {
    name: String,
    columns: String,
    insert: String,
    /// Its key, in order.
    order: Vec<String>,
    /// The column with the name of the game, if it has one.
    game: Option<&'static str>,
}

impl Table {
    fn all(connection: &Connection) -> rusqlite::Result<Vec<Self>> {
        let mut statement = connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?;
        names.map(|name| Self::new(connection, name?)).collect()
    }

    fn new(connection: &Connection, name: String) -> rusqlite::Result<Self> {
        let mut statement = connection.prepare("SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid")?;
        let columns: Vec<(String, i64)> =
            statement.query_map([&name], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let mut keys: Vec<&(String, i64)> = columns.iter().filter(|(_, place)| *place > 0).collect();
        keys.sort_by_key(|(_, place)| *place);
        let order = keys.into_iter().map(|(column, _)| column.clone()).collect();
        let names: Vec<&str> = columns.iter().map(|(column, _)| column.as_str()).collect();
        let game = match name.as_str() {
            "game" => Some("id"),
            _ if names.contains(&"game") => Some("game"),
            _ => None,
        };
        let marks = vec!["?"; names.len()].join(", ");
        let columns = names.join(", ");
        let insert = format!("INSERT OR IGNORE INTO {name} ({columns}) VALUES ({marks})");
        Ok(Self { name, columns, insert, order, game })
    }

    /// Copies what a query finds until it ends or meets damage; returns whether it ended.
    fn copy(
        &self,
        from: &Connection,
        to: &Connection,
        rest: &str,
        values: &[&str],
    ) -> rusqlite::Result<bool> {
        let sql = format!("SELECT {} FROM {} {rest}", self.columns, self.name);
        let Ok(mut statement) = from.prepare_cached(&sql) else { return Ok(false) };
        let columns = statement.column_count();
        let mut insert = to.prepare_cached(&self.insert)?;
        let Ok(mut rows) = statement.query(params_from_iter(values)) else { return Ok(false) };
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    let values = (0..columns).map(|column| row.get::<_, Value>(column));
                    // A row whose values do not fit is damaged too.
                    if let Ok(values) = values.collect::<rusqlite::Result<Vec<_>>>() {
                        let _ = insert.execute(params_from_iter(values));
                    }
                }
                Ok(None) => return Ok(true),
                Err(_) => return Ok(false),
            }
        }
    }
}

/// Copies everything that can be read. Returns the names of all games that are mentioned anywhere.
fn fill(to: &Connection, from: &Connection, tables: &[Table]) -> rusqlite::Result<BTreeSet<String>> {
    let mut torn = Vec::new();
    for table in tables {
        let order = |way: &str| {
            let keys: Vec<String> = table.order.iter().map(|key| format!("{key} {way}")).collect();
            format!("NOT INDEXED ORDER BY {}", keys.join(", "))
        };
        // Tables with row numbers are in the order of these.
        let by_row = |way: &str| format!("NOT INDEXED ORDER BY rowid {way}");
        let is_whole =
            table.copy(from, to, &by_row("ASC"), &[])? || table.copy(from, to, &order("ASC"), &[])?;
        if !is_whole {
            table.copy(from, to, &by_row("DESC"), &[])?;
            table.copy(from, to, &order("DESC"), &[])?;
            torn.push(table);
        }
    }
    let mut names = BTreeSet::new();
    for table in tables {
        let Some(game) = table.game else { continue };
        collect(to, &format!("SELECT DISTINCT {game} FROM {}", table.name), &mut names);
        for way in ["ASC", "DESC"] {
            // Within an index, as far as there is one.
            collect(from, &format!("SELECT {game} FROM {} ORDER BY {game} {way}", table.name), &mut names);
        }
    }
    for way in ["ASC", "DESC"] {
        let listed = format!("SELECT id FROM game WHERE deleted IS NULL ORDER BY updated {way}, id {way}");
        collect(from, &listed, &mut names);
    }
    for table in torn {
        let Some(game) = table.game else { continue };
        for name in &names {
            table.copy(from, to, &format!("WHERE {game} = ?1"), &[name])?;
        }
    }
    Ok(names)
}

/// Adds names until the query ends or meets damage.
fn collect(connection: &Connection, sql: &str, names: &mut BTreeSet<String>) {
    let Ok(mut statement) = connection.prepare(sql) else { return };
    let Ok(rows) = statement.query_map([], |row| row.get(0)) else { return };
    names.extend(rows.map_while(Result::ok));
}

/// Removes what belongs to a game or a review that is not there.
fn drop_orphans(connection: &Connection, tables: &[Table]) -> rusqlite::Result<()> {
    for table in tables.iter().filter(|table| table.game == Some("game")) {
        connection
            .execute_batch(&format!("DELETE FROM {} WHERE game NOT IN (SELECT id FROM game)", table.name))?;
    }
    if tables.iter().any(|table| table.name == "review_move") {
        connection.execute_batch("DELETE FROM review_move WHERE game NOT IN (SELECT game FROM review)")?;
        // A review without all its moves is none.
        connection.execute_batch(
            "DELETE FROM review WHERE plies <> (SELECT count(*) FROM review_move m WHERE m.game = review.game);
             DELETE FROM review_move WHERE game NOT IN (SELECT game FROM review)",
        )?;
    }
    Ok(())
}

/// The games that have fewer moves than they should.
fn incomplete(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let mut statement = connection
        .prepare("SELECT id FROM game g WHERE plies <> (SELECT count(*) FROM move m WHERE m.game = g.id)")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Takes games from a copy that are not there, and those that are incomplete if the copy has more of them. Returns
/// how many.
fn complete_from(
    to: &Connection,
    copy: &Connection,
    tables: &[Table],
    incomplete: &mut BTreeSet<String>,
) -> rusqlite::Result<u64> {
    let mut in_copy = BTreeSet::new();
    collect(copy, "SELECT id FROM game", &mut in_copy);
    let mut present = BTreeSet::new();
    collect(to, "SELECT id FROM game", &mut present);
    let plies = |connection: &Connection, id: &str| -> i64 {
        connection.query_row("SELECT count(*) FROM move WHERE game = ?1", [id], |row| row.get(0)).unwrap_or(0)
    };
    let mut taken = 0;
    for id in &in_copy {
        let is_better = incomplete.contains(id) && plies(copy, id) > plies(to, id);
        if present.contains(id) && !is_better {
            continue;
        }
        for table in tables {
            let Some(game) = table.game else { continue };
            if table.name != "member" {
                to.execute(&format!("DELETE FROM {} WHERE {game} = ?1", table.name), [id])?;
            }
            table.copy(copy, to, &format!("WHERE {game} = ?1"), &[id])?;
        }
        incomplete.remove(id);
        taken += 1;
    }
    // What belongs to no game: log-ins, settings, owners.
    for table in tables.iter().filter(|table| table.game.is_none()) {
        table.copy(copy, to, "", &[])?;
    }
    Ok(taken)
}

/// Ends incomplete games where their moves break off: they can be played on. Returns how many there are.
fn shorten(connection: &Connection, incomplete: &BTreeSet<String>, key: &LinkKey) -> rusqlite::Result<u64> {
    let mut shortened = 0;
    for id in incomplete {
        connection.execute(
            "DELETE FROM move WHERE game = ?1 AND ply >= (
                SELECT count(*) FROM (SELECT ply, row_number() OVER (ORDER BY ply) - 1 AS place
                    FROM move WHERE game = ?1) WHERE ply = place)",
            [id],
        )?;
        connection.execute(
            "UPDATE game SET reason = NULL, winner = NULL WHERE id = ?1 AND kind <> 'imported'",
            [id],
        )?;
        if let Ok(record) = games::load(connection, id) {
            let plies = record.game.ply();
            if games::save(connection, &record, plies, key).is_ok() {
                shortened += 1;
            }
        }
    }
    Ok(shortened)
}

/// Games that cannot be opened would be in the way of those that can; they are still in the damaged file.
fn remove_unreadable(connection: &Connection) -> rusqlite::Result<()> {
    let mut ids = BTreeSet::new();
    collect(connection, "SELECT id FROM game WHERE deleted IS NULL", &mut ids);
    connection.pragma_update(None, "foreign_keys", true)?;
    for id in ids {
        if games::load(connection, &id).is_err() {
            connection.execute("DELETE FROM game WHERE id = ?1", [&id])?;
        }
    }
    Ok(())
}
