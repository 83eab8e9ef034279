//! Games in the database.

use super::Store;
use crate::error::{Error, Result};
use crate::openings;
use crate::record::{Player, Record, now, restore_game, seats};
use crate::view;
use crate::wire::{
    ClockSetting, GameKind, GameSummary, GamesQuery, Opening, OutcomeState, ResultFilter, Status, VariantName,
};
use chess::{Color, GameResult, Outcome};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params, params_from_iter};
use serde::de::DeserializeOwned;

/// Deleted games are kept this long.
const KEPT_AFTER_DELETION: i64 = 24 * 60 * 60 * 1000;
/// Games on a page of the list.
const PAGE: usize = 50;
const MAX_PAGE: usize = 200;

/// What a visitor may do with a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Nothing: they do not know it.
    None,
    /// Look on.
    Watch,
    /// Play, delete.
    Play,
}

/// A page of the list of games.
#[derive(Debug)]
pub struct Listing {
    /// The games.
    pub games: Vec<GameSummary>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
}

impl Store {
    /// Writes a new game, which belongs to these visitors.
    pub(crate) async fn insert(&self, record: Record, members: Vec<String>) -> Result<()> {
        self.insert_all(vec![record], members).await
    }

    /// Writes several new games at once.
    pub(crate) async fn insert_all(&self, records: Vec<Record>, members: Vec<String>) -> Result<()> {
        self.write(move |connection| {
            for record in &records {
                insert(connection, record)?;
                save(connection, record, 0)?;
                for visitor in &members {
                    join(connection, &record.id, visitor, "play")?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Writes what has changed in a game, and its moves from a ply on.
    pub(crate) async fn save(&self, record: Record, from_ply: usize) -> Result<()> {
        self.write(move |connection| save(connection, &record, from_ply)).await
    }

    /// A game, unless it has been deleted.
    pub(crate) async fn load(&self, id: &str) -> Result<Record> {
        let id = id.to_owned();
        self.read(move |connection| load(connection, &id)).await
    }

    /// Lets a visitor into a game.
    pub(crate) async fn join(&self, game: &str, visitor: &str, access: Access) -> Result<()> {
        let role = if access == Access::Play { "play" } else { "watch" };
        let (game, visitor) = (game.to_owned(), visitor.to_owned());
        self.write(move |connection| join(connection, &game, &visitor, role)).await
    }

    /// What a visitor may do with a game, as far as the database knows.
    pub(crate) async fn access(&self, game: &str, visitor: &str) -> Result<Access> {
        let (game, visitor) = (game.to_owned(), visitor.to_owned());
        self.read(move |connection| {
            let role: Option<String> = connection
                .prepare_cached("SELECT role FROM member WHERE visitor = ?1 AND game = ?2")?
                .query_row([&visitor, &game], |row| row.get(0))
                .optional()?;
            Ok(match role.as_deref() {
                Some("play") => Access::Play,
                Some(_) => Access::Watch,
                None => Access::None,
            })
        })
        .await
    }

    /// The game that a secret is for.
    pub(crate) async fn find_link(&self, token: &str) -> Result<String> {
        let token = token.to_owned();
        self.read(move |connection| {
            connection
                .prepare_cached(
                    "SELECT id FROM game WHERE (invite_token = ?1 OR watch_token = ?1) AND deleted IS NULL",
                )?
                .query_row([&token], |row| row.get(0))
                .optional()?
                .ok_or_else(|| Error::new(crate::error::Code::NotFound, "the link is not valid any more"))
        })
        .await
    }

    /// Deletes a game, or takes the deletion back.
    pub(crate) async fn set_deleted(&self, id: &str, is_deleted: bool) -> Result<()> {
        let id = id.to_owned();
        self.write(move |connection| {
            let changed = connection.execute(
                "UPDATE game SET deleted = ?2 WHERE id = ?1 AND (deleted IS NULL) = ?3",
                params![id, is_deleted.then(now), is_deleted],
            )?;
            if changed == 0 { Err(Error::no_game()) } else { Ok(()) }
        })
        .await
    }

    /// Forgets games deleted long ago.
    pub(crate) async fn purge(&self) -> Result<()> {
        self.write(|connection| {
            connection.execute("DELETE FROM game WHERE deleted < ?1", [now() - KEPT_AFTER_DELETION])?;
            Ok(())
        })
        .await
    }

    /// A page of the games of a visitor; at home, of everybody.
    pub(crate) async fn list(&self, visitor: &str, at_home: bool, query: GamesQuery) -> Result<Listing> {
        let visitor = visitor.to_owned();
        self.read(move |connection| list(connection, &visitor, at_home, &query)).await
    }

    /// The names of all games that fit, for export.
    pub(crate) async fn list_ids(
        &self,
        visitor: &str,
        at_home: bool,
        query: GamesQuery,
    ) -> Result<Vec<String>> {
        let visitor = visitor.to_owned();
        self.read(move |connection| {
            let filter = Filter::new(&visitor, at_home, &query);
            let sql =
                format!("SELECT g.id FROM game g WHERE {} ORDER BY updated DESC, id DESC", filter.sql());
            let mut statement = connection.prepare(&sql)?;
            let ids = statement.query_map(params_from_iter(filter.values), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// The game of a list, for one that has just been made.
    pub(crate) async fn summary(&self, id: &str, visitor: &str, at_home: bool) -> Result<GameSummary> {
        let (id, visitor) = (id.to_owned(), visitor.to_owned());
        self.read(move |connection| {
            let sql = format!("SELECT {SUMMARY} FROM game g WHERE g.id = ?1");
            connection
                .prepare_cached(&sql)?
                .query_row([&id], |row| Ok(summary(row, &visitor, at_home)))
                .optional()?
                .ok_or_else(Error::no_game)?
        })
        .await
    }
}

/// The word that serde has for a value without fields.
fn word<T: serde::Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

fn read_word<T: DeserializeOwned>(text: String) -> Result<T> {
    serde_json::from_value(serde_json::Value::String(text)).map_err(|error| Error::internal(&error))
}

fn json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::internal(&error))
}

fn read_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::internal(&error))
}

/// Numbers of the database have a sign; seeds and times do not need the last bit.
fn signed(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

fn unsigned(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

/// What never changes in a game.
fn insert(connection: &Connection, record: &Record) -> Result<()> {
    let side = [Color::White, Color::Black]
        .into_iter()
        .find(|&color| record.kind == GameKind::Engine && !record.player(color).is_engine());
    connection
        .prepare_cached(
            "INSERT INTO game (id, kind, variant, start, side, clock_initial, clock_increment, created,
                watch_token, human_pace, seed, tags, pgn,
                players, white, black, left_white, left_black, revision, updated, plies, fen, result)
             VALUES (:id, :kind, :variant, :start, :side, :initial, :increment, :created,
                :watch, :pace, :seed, :tags, :pgn, '', '', '', 0, 0, 0, 0, 0, '', '*')",
        )?
        .execute(named_params! {
            ":id": record.id,
            ":kind": record.kind.as_str(),
            ":variant": word(VariantName::from(record.game.variant())),
            ":start": record.game.start().to_fen(),
            ":side": side.map(|color| word(crate::wire::Side::from(color))),
            ":initial": record.clock.map(|clock| signed(clock.initial)),
            ":increment": record.clock.map(|clock| signed(clock.increment)),
            ":created": record.created,
            ":watch": record.watch_token,
            ":pace": record.human_pace,
            ":seed": signed(record.seed),
            ":tags": json(&record.tags)?,
            ":pgn": record.pgn,
        })?;
    Ok(())
}

/// What changes, and the moves from a ply on.
fn save(connection: &Connection, record: &Record, from_ply: usize) -> Result<()> {
    let opening = openings::name(&record.game);
    let outcome = record.game.outcome();
    // An imported game has the result of its tags, whatever the last position says.
    let result = match (record.kind, record.tags.get("Result")) {
        (GameKind::Imported, Some(result)) => result.clone(),
        _ => GameResult::of(outcome).to_string(),
    };
    connection
        .prepare_cached(
            "UPDATE game SET players = :players, white = :white, black = :black, left_white = :left_white,
                left_black = :left_black, revision = :revision, updated = :updated,
                invite_token = :invite, next = :next, plies = :plies, fen = :fen, result = :result,
                winner = :winner, reason = :reason, eco = :eco, opening = :opening
             WHERE id = :id",
        )?
        .execute(named_params! {
            ":id": record.id,
            ":players": json(&record.players)?,
            ":white": record.player(Color::White).name(),
            ":black": record.player(Color::Black).name(),
            ":left_white": signed(record.left[0]),
            ":left_black": signed(record.left[1]),
            ":revision": record.revision,
            ":updated": record.updated,
            ":invite": record.invite_token,
            ":next": record.next,
            ":plies": signed(record.game.ply() as u64),
            ":fen": record.game.position().to_fen(),
            ":result": result,
            ":winner": outcome.and_then(|outcome| outcome.winner).map(|color| word(crate::wire::Side::from(color))),
            ":reason": outcome.map(|outcome| outcome.reason.to_string()),
            ":eco": opening.as_ref().map(|opening| &opening.eco),
            ":opening": opening.as_ref().map(|opening| &opening.name),
        })?;
    connection
        .prepare_cached("DELETE FROM move WHERE game = ?1 AND ply >= ?2")?
        .execute(params![record.id, signed(from_ply as u64)])?;
    let mut insert =
        connection.prepare_cached("INSERT INTO move (game, ply, uci, clock) VALUES (?1, ?2, ?3, ?4)")?;
    let coordinates = record.coordinates();
    for (ply, (played, uci)) in record.game.plies().iter().zip(coordinates).enumerate().skip(from_ply) {
        let clock = played.clock.map(|clock| clock.as_millis() as i64);
        insert.execute(params![record.id, signed(ply as u64), uci, clock])?;
    }
    Ok(())
}

fn join(connection: &Connection, game: &str, visitor: &str, role: &str) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO member (visitor, game, role) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET role = excluded.role WHERE role = 'watch'",
        )?
        .execute([visitor, game, role])?;
    Ok(())
}

fn load(connection: &Connection, id: &str) -> Result<Record> {
    let moves = connection
        .prepare_cached("SELECT uci, clock FROM move WHERE game = ?1 ORDER BY ply")?
        .query_map([id], |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?.map(unsigned))))?
        .collect::<rusqlite::Result<Vec<(String, Option<u64>)>>>()?;
    connection
        .prepare_cached(
            "SELECT *, EXISTS (SELECT 1 FROM review r WHERE r.game = g.id AND r.plies = g.plies) AS reviewed
             FROM game g WHERE id = ?1 AND deleted IS NULL",
        )?
        .query_row([id], |row| Ok(read_record(row, &moves)))
        .optional()?
        .ok_or_else(Error::no_game)?
}

fn read_record(row: &Row<'_>, moves: &[(String, Option<u64>)]) -> Result<Record> {
    let kind: GameKind = read_word(row.get("kind")?)?;
    let variant: VariantName = read_word(row.get("variant")?)?;
    let start: String = row.get("start")?;
    let end = read_outcome(row)?.filter(|_| kind != GameKind::Imported);
    let players: String = row.get("players")?;
    let players: [Player; 2] = read_json(&players)?;
    let tags: String = row.get("tags")?;
    let clock: Option<i64> = row.get("clock_initial")?;
    let increment: Option<i64> = row.get("clock_increment")?;
    Ok(Record {
        id: row.get("id")?,
        kind,
        players,
        game: restore_game(&start, variant, moves, end)?,
        clock: clock.zip(increment).map(|(initial, increment)| ClockSetting {
            initial: unsigned(initial),
            increment: unsigned(increment),
        }),
        left: [unsigned(row.get("left_white")?), unsigned(row.get("left_black")?)],
        revision: row.get("revision")?,
        created: row.get("created")?,
        updated: row.get("updated")?,
        watch_token: row.get("watch_token")?,
        invite_token: row.get("invite_token")?,
        next: row.get("next")?,
        human_pace: row.get("human_pace")?,
        seed: unsigned(row.get("seed")?),
        tags: read_json(&tags)?,
        pgn: row.get("pgn")?,
        reviewed: row.get("reviewed")?,
    })
}

fn read_outcome(row: &Row<'_>) -> Result<Option<Outcome>> {
    let Some(reason) = row.get::<_, Option<String>>("reason")? else { return Ok(None) };
    let winner: Option<String> = row.get("winner")?;
    let winner = winner.map(read_word::<crate::wire::Side>).transpose()?.map(Color::from);
    let reason = view::read_reason(&reason).ok_or_else(|| Error::internal(&format!("reason {reason}")))?;
    Ok(Some(Outcome { winner, reason }))
}

const SUMMARY: &str = "g.id, g.kind, g.variant, g.created, g.updated, g.white, g.black, g.players, g.plies,
    g.result, g.winner, g.reason, g.eco, g.opening, g.fen,
    EXISTS (SELECT 1 FROM review r WHERE r.game = g.id AND r.plies = g.plies) AS reviewed";

fn summary(row: &Row<'_>, visitor: &str, at_home: bool) -> Result<GameSummary> {
    let kind: GameKind = read_word(row.get("kind")?)?;
    let players: String = row.get("players")?;
    let result: String = row.get("result")?;
    let result = result.parse::<GameResult>().unwrap_or_default();
    let outcome: Option<OutcomeState> = read_outcome(row)?.map(view::outcome);
    let (eco, name): (Option<String>, Option<String>) = (row.get("eco")?, row.get("opening")?);
    Ok(GameSummary {
        id: row.get("id")?,
        kind,
        variant: read_word(row.get("variant")?)?,
        created: row.get("created")?,
        updated: row.get("updated")?,
        white: row.get("white")?,
        black: row.get("black")?,
        you: seats(kind, &read_json::<[Player; 2]>(&players)?, visitor, at_home),
        plies: row.get("plies")?,
        result: result.as_str(),
        outcome,
        opening: eco.zip(name).map(|(eco, name)| Opening { eco, name }),
        fen: row.get("fen")?,
        reviewed: row.get("reviewed")?,
    })
}

/// Conditions of a query and their values, in order.
struct Filter {
    conditions: Vec<String>,
    values: Vec<rusqlite::types::Value>,
}

impl Filter {
    fn new(visitor: &str, at_home: bool, query: &GamesQuery) -> Self {
        let mut filter = Self { conditions: vec!["g.deleted IS NULL".to_owned()], values: Vec::new() };
        if !at_home {
            filter.add(
                "EXISTS (SELECT 1 FROM member m WHERE m.game = g.id AND m.visitor = ?)",
                [visitor.to_owned()],
            );
        }
        match query.status {
            Some(Status::Running) => filter.add("g.reason IS NULL AND g.kind <> 'imported'", []),
            Some(Status::Finished) => filter.add("(g.reason IS NOT NULL OR g.kind = 'imported')", []),
            None => {}
        }
        if let Some(kind) = query.kind {
            filter.add("g.kind = ?", [kind.as_str().to_owned()]);
        }
        // The side of the visitor is that of the person in games against engines, else where they sit.
        let side = "CASE WHEN g.kind = 'engine' THEN g.side
             WHEN json_extract(g.players, '$[0].visitor') = ? THEN 'white'
             WHEN json_extract(g.players, '$[1].visitor') = ? THEN 'black' END";
        let both = || [visitor.to_owned(), visitor.to_owned()];
        match query.result {
            Some(ResultFilter::Won) => {
                filter.add(&format!("g.kind IN ('engine', 'friend') AND g.winner = {side}"), both());
            }
            Some(ResultFilter::Lost) => {
                let condition = format!("g.kind IN ('engine', 'friend') AND g.winner <> {side}");
                filter.add(&condition, both());
            }
            Some(ResultFilter::Drawn) => filter.add("g.result = '1/2-1/2'", []),
            None => {}
        }
        if let Some(text) = query.text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            let pattern = format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
            filter.add(
                "(g.white LIKE ? ESCAPE '\\' OR g.black LIKE ? ESCAPE '\\' OR g.eco LIKE ? ESCAPE '\\'
                  OR g.opening LIKE ? ESCAPE '\\')",
                [pattern.clone(), pattern.clone(), pattern.clone(), pattern],
            );
        }
        filter
    }

    fn add<const N: usize>(&mut self, condition: &str, values: [String; N]) {
        self.conditions.push(condition.to_owned());
        self.values.extend(values.into_iter().map(Into::into));
    }

    fn sql(&self) -> String {
        self.conditions.join(" AND ")
    }
}

/// A place in the list: the time of the last change and the name of the game.
fn read_cursor(text: &str) -> Result<(i64, String)> {
    text.split_once('-')
        .and_then(|(time, id)| Some((time.parse().ok()?, id.to_owned())))
        .ok_or_else(|| Error::bad_request("before: take `next` of the page before"))
}

fn list(connection: &Connection, visitor: &str, at_home: bool, query: &GamesQuery) -> Result<Listing> {
    let mut filter = Filter::new(visitor, at_home, query);
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM game g WHERE {}", filter.sql()))?
        .query_row(params_from_iter(&filter.values), |row| row.get(0))?;
    if let Some(before) = &query.before {
        let (time, id) = read_cursor(before)?;
        filter.add("(g.updated, g.id) < (CAST(? AS INTEGER), ?)", [time.to_string(), id]);
    }
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let sql = format!(
        "SELECT {SUMMARY} FROM game g WHERE {} ORDER BY g.updated DESC, g.id DESC LIMIT {}",
        filter.sql(),
        limit + 1
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows =
        statement.query_map(params_from_iter(&filter.values), |row| Ok(summary(row, visitor, at_home)))?;
    let mut games = rows.map(|row| row.map_err(Error::from)?).collect::<Result<Vec<_>>>()?;
    let has_more = games.len() > limit;
    games.truncate(limit);
    let next = games.last().filter(|_| has_more).map(|last| format!("{}-{}", last.updated, last.id));
    Ok(Listing { games, next, total })
}
