//! Games in the database.

use super::Database;
use super::fault::{Fault, Result};
use super::links::{self, LinkKey};
use crate::quotas::{GAME_BYTES, Usage};
use backend::codes::{Coded, PlayerCode};
use backend::record::{GameKind, Player, Record, now, restore_game, seats};
use backend::store::{
    Access, GameFilter, GameSummary, LinkKind, Listing, MAX_PAGE, PAGE, VisitorResult, read_cursor,
};
use backend::{Code, Error, notation, openings};
use chess::{Color, Outcome, Reason};
use players::{Clock, TimeControl};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params, params_from_iter};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Deleted games are kept this long.
const KEPT_AFTER_DELETION: i64 = 24 * 60 * 60 * 1000;

impl Database {
    /// Writes the game that follows another: it belongs to the same visitors, and to the one who wanted it.
    pub(super) async fn insert_next(
        &self,
        record: Record,
        before: &str,
        visitor: &str,
    ) -> backend::Result<()> {
        let (before, visitor, key) = (before.to_owned(), visitor.to_owned(), Arc::clone(&self.link_key));
        self.write(move |connection| {
            insert(connection, &record, &key)?;
            save(connection, &record, 0, &key)?;
            connection.execute(
                "INSERT INTO member SELECT visitor, ?2, iif(role = 'left', 'guest', role) FROM member
                 WHERE game = ?1 AND role <> 'watch'",
                [&before, &record.id],
            )?;
            join(connection, &record.id, &visitor, Access::Play)
        })
        .await
    }

    /// Writes several new games at once.
    pub(super) async fn insert_all(&self, records: Vec<Record>, members: Vec<String>) -> backend::Result<()> {
        let key = Arc::clone(&self.link_key);
        self.write(move |connection| {
            for record in &records {
                insert(connection, record, &key)?;
                save(connection, record, 0, &key)?;
                for visitor in &members {
                    join(connection, &record.id, visitor, Access::Play)?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Writes what has changed in a game, and its moves from a ply on.
    pub(super) async fn save_game(&self, record: Record, from_ply: usize) -> backend::Result<()> {
        let key = Arc::clone(&self.link_key);
        self.write(move |connection| save(connection, &record, from_ply, &key)).await
    }

    /// A game, unless it has been deleted.
    pub(super) async fn load_game(&self, id: &str) -> backend::Result<Record> {
        let id = id.to_owned();
        self.read(move |connection| load(connection, &id)).await
    }

    /// Lets a visitor into a game.
    pub(super) async fn join_game(&self, game: &str, visitor: &str, access: Access) -> backend::Result<()> {
        let (game, visitor) = (game.to_owned(), visitor.to_owned());
        self.write(move |connection| join(connection, &game, &visitor, access)).await
    }

    /// What a visitor may do with a game, as far as the database knows.
    pub(super) async fn access_to_game(&self, game: &str, visitor: &str) -> backend::Result<Access> {
        let (game, visitor) = (game.to_owned(), visitor.to_owned());
        self.read(move |connection| {
            let role: Option<String> = connection
                .prepare_cached("SELECT role FROM member WHERE visitor = ?1 AND game = ?2")?
                .query_row([&visitor, &game], |row| row.get(0))
                .optional()?;
            Ok(role.as_deref().map_or(Ok(Access::None), Access::from_code)?)
        })
        .await
    }

    /// The game that a secret is for, and for what.
    pub(super) async fn game_of_link(&self, token: &str) -> backend::Result<(String, LinkKind)> {
        let token = token.to_owned();
        self.read(move |connection| {
            links::find(connection, &token)?
                .ok_or_else(|| Error::new(Code::NotFound, "the link is not valid any more").into())
        })
        .await
    }

    /// The secret of a link.
    pub(super) fn token_of_link(&self, kind: LinkKind, game: &str) -> String {
        self.link_key.token(kind, game)
    }

    /// Puts a game out of the sight of a guest, or takes that back.
    pub(super) async fn set_guest_left(
        &self,
        game: &str,
        visitor: &str,
        has_left: bool,
    ) -> backend::Result<()> {
        let (game, visitor) = (game.to_owned(), visitor.to_owned());
        let [before, after] =
            if has_left { [Access::Guest, Access::Left] } else { [Access::Left, Access::Guest] };
        self.write(move |connection| {
            connection.execute(
                "UPDATE member SET role = ?4 WHERE game = ?1 AND visitor = ?2 AND role = ?3",
                [&game, &visitor, before.code(), after.code()],
            )?;
            Ok(())
        })
        .await
    }

    /// What a visitor keeps.
    pub(crate) async fn usage(&self, visitor: &str) -> backend::Result<Usage> {
        let visitor = visitor.to_owned();
        self.read(move |connection| {
            let (games, bytes): (i64, i64) = connection
                .prepare_cached(
                    "SELECT count(*), coalesce(sum(?2 + coalesce(octet_length(g.pgn), 0)), 0)
                     FROM member m JOIN game g ON g.id = m.game WHERE m.visitor = ?1 AND m.role = 'play'",
                )?
                .query_row(params![visitor, signed(GAME_BYTES)], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(Usage { games: unsigned(games), bytes: unsigned(bytes) })
        })
        .await
    }

    /// Deletes a game, or takes the deletion back.
    pub(super) async fn set_game_deleted(&self, id: &str, is_deleted: bool) -> backend::Result<()> {
        let id = id.to_owned();
        self.write(move |connection| {
            let changed = connection.execute(
                "UPDATE game SET deleted = ?2 WHERE id = ?1 AND (deleted IS NULL) = ?3",
                params![id, is_deleted.then(now), is_deleted],
            )?;
            if changed == 0 { Err(Error::no_game().into()) } else { Ok(()) }
        })
        .await
    }

    /// Forgets games deleted long ago.
    pub(crate) async fn purge(&self) -> backend::Result<()> {
        self.write(|connection| {
            connection.execute("DELETE FROM game WHERE deleted < ?1", [now() - KEPT_AFTER_DELETION])?;
            Ok(())
        })
        .await
    }

    /// A page of the games of a visitor; for an owner, of all visitors.
    pub(super) async fn list_games(
        &self,
        visitor: &str,
        is_owner: bool,
        filter: GameFilter,
    ) -> backend::Result<Listing> {
        let visitor = visitor.to_owned();
        self.read(move |connection| list(connection, &visitor, is_owner, &filter)).await
    }

    /// The identifiers of all games that fit, for export.
    pub(super) async fn list_game_ids(
        &self,
        visitor: &str,
        is_owner: bool,
        filter: GameFilter,
    ) -> backend::Result<Vec<String>> {
        let visitor = visitor.to_owned();
        self.read(move |connection| {
            let conditions = Conditions::new(&visitor, is_owner, &filter);
            let sql =
                format!("SELECT g.id FROM game g WHERE {} ORDER BY updated DESC, id DESC", conditions.sql());
            let mut statement = connection.prepare(&sql)?;
            let ids = statement.query_map(params_from_iter(conditions.values), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// The game of a list, for one that has just been made.
    pub(super) async fn game_summary(
        &self,
        id: &str,
        visitor: &str,
        is_owner: bool,
    ) -> backend::Result<GameSummary> {
        let (id, visitor) = (id.to_owned(), visitor.to_owned());
        self.read(move |connection| {
            let sql = format!("SELECT {SUMMARY} FROM game g WHERE g.id = ?1");
            connection
                .prepare_cached(&sql)?
                .query_row([&id], |row| Ok(summary(row, &visitor, is_owner)))
                .optional()?
                .ok_or_else(Error::no_game)?
        })
        .await
    }
}

/// The PGN tags of an imported game: an object of names and values.
fn tags_to_json(record: &Record) -> Result<String> {
    serde_json::to_string(&record.tags).map_err(|error| Fault::internal(&error))
}

/// Numbers of the database have a sign; seeds keep all their bits.
fn signed(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

fn unsigned(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn duration(millis: i64) -> Duration {
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}

/// A player as the columns of its side: what it is, which engine, which visitor. The name has its own.
fn player_columns(player: &Player) -> (&'static str, Option<&str>, Option<&str>) {
    let (kind, engine) = match player {
        Player::Person { .. } => (PlayerCode::Person, None),
        Player::Level { id } => (PlayerCode::Level, Some(id.as_str())),
        Player::Classic { id } => (PlayerCode::Classic, Some(id.as_str())),
    };
    (kind.code(), engine, player.visitor())
}

fn read_player(row: &Row<'_>, color: Color) -> Result<Player> {
    let column = |suffix: &str| format!("{}{suffix}", color.code());
    let kind: String = row.get(&*column("_player"))?;
    let engine: Option<String> = row.get(&*column("_engine"))?;
    let id = engine.unwrap_or_default();
    Ok(match PlayerCode::from_code(&kind)? {
        PlayerCode::Person => {
            Player::Person { name: row.get(color.code())?, visitor: row.get(&*column("_visitor"))? }
        }
        PlayerCode::Level => Player::Level { id },
        PlayerCode::Classic => Player::Classic { id },
    })
}

fn read_players(row: &Row<'_>) -> Result<[Player; 2]> {
    Ok([read_player(row, Color::White)?, read_player(row, Color::Black)?])
}

/// What never changes in a game.
fn insert(connection: &Connection, record: &Record, key: &LinkKey) -> Result<()> {
    let side = [Color::White, Color::Black]
        .into_iter()
        .find(|&color| record.kind == GameKind::Engine && !record.player(color).is_engine());
    let control = record.time_control();
    connection
        .prepare_cached(
            "INSERT INTO game (id, kind, variant, start, side, clock_initial, clock_increment, created,
                watch_token, human_pace, seed, tags, pgn,
                white, black, left_white, left_black, revision, updated, plies, fen, result)
             VALUES (:id, :kind, :variant, :start, :side, :initial, :increment, :created,
                :watch, :pace, :seed, :tags, :pgn, '', '', 0, 0, 0, 0, 0, '', '*')",
        )?
        .execute(named_params! {
            ":id": record.id,
            ":kind": record.kind.code(),
            ":variant": record.game.variant().code(),
            ":start": record.game.start().to_fen(),
            ":side": side.map(Coded::code),
            ":initial": control.map(|control| millis(control.base)),
            ":increment": control.map(|control| millis(control.increment)),
            ":created": record.created,
            ":watch": key.hash(LinkKind::Watch, &record.id),
            ":pace": record.human_pace,
            ":seed": signed(record.seed),
            ":tags": tags_to_json(record)?,
            ":pgn": record.pgn,
        })?;
    Ok(())
}

/// What changes, and the moves from a ply on.
pub(super) fn save(connection: &Connection, record: &Record, from_ply: usize, key: &LinkKey) -> Result<()> {
    let opening = openings::name(&record.game);
    let outcome = record.game.outcome();
    let result = record.result().to_string();
    let [white, black] = record.players.each_ref().map(player_columns);
    let now = Instant::now();
    let left = Color::ALL.map(|color| record.clock.as_ref().and_then(|clock| clock.left(color, now)));
    let left = left.map(|left| millis(left.unwrap_or_default()));
    connection
        .prepare_cached(
            "UPDATE game SET white = :white, white_player = :white_player, white_engine = :white_engine,
                white_visitor = :white_visitor, black = :black, black_player = :black_player,
                black_engine = :black_engine, black_visitor = :black_visitor,
                left_white = :left_white, left_black = :left_black, revision = :revision, updated = :updated,
                invite_token = :invite, next = :next, plies = :plies, fen = :fen, result = :result,
                winner = :winner, reason = :reason, eco = :eco, opening = :opening
             WHERE id = :id",
        )?
        .execute(named_params! {
            ":id": record.id,
            ":white": record.player(Color::White).name(),
            ":white_player": white.0,
            ":white_engine": white.1,
            ":white_visitor": white.2,
            ":black": record.player(Color::Black).name(),
            ":black_player": black.0,
            ":black_engine": black.1,
            ":black_visitor": black.2,
            ":left_white": left[0],
            ":left_black": left[1],
            ":revision": record.revision,
            ":updated": record.updated,
            ":invite": record.is_invite_open.then(|| key.hash(LinkKind::Invite, &record.id)),
            ":next": record.next,
            ":plies": count(record.game.ply()),
            ":fen": record.game.position().to_fen(),
            ":result": result,
            ":winner": outcome.and_then(|outcome| outcome.winner).map(Coded::code),
            ":reason": outcome.map(|outcome| outcome.reason.code()),
            ":eco": opening.map(|opening| opening.eco),
            ":opening": opening.map(|opening| opening.name),
        })?;
    connection
        .prepare_cached("DELETE FROM move WHERE game = ?1 AND ply >= ?2")?
        .execute(params![record.id, count(from_ply)])?;
    let mut insert =
        connection.prepare_cached("INSERT INTO move (game, ply, uci, clock) VALUES (?1, ?2, ?3, ?4)")?;
    let coordinates = notation::coordinates(&record.game);
    for (ply, (played, uci)) in record.game.plies().iter().zip(coordinates).enumerate().skip(from_ply) {
        let clock = played.clock.map(millis);
        insert.execute(params![record.id, count(ply), uci, clock])?;
    }
    Ok(())
}

fn join(connection: &Connection, game: &str, visitor: &str, access: Access) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO member (visitor, game, role) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET role = iif(role = 'left', 'guest', excluded.role)
                WHERE role IN ('watch', 'left')",
        )?
        .execute([visitor, game, access.code()])?;
    Ok(())
}

pub(super) fn load(connection: &Connection, id: &str) -> Result<Record> {
    let moves = connection
        .prepare_cached("SELECT uci, clock FROM move WHERE game = ?1 ORDER BY ply")?
        .query_map([id], |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?.map(duration))))?
        .collect::<rusqlite::Result<Vec<(String, Option<Duration>)>>>()?;
    connection
        .prepare_cached(
            "SELECT *, EXISTS (SELECT 1 FROM review r WHERE r.game = g.id AND r.plies = g.plies) AS reviewed
             FROM game g WHERE id = ?1 AND deleted IS NULL",
        )?
        .query_row([id], |row| Ok(read_record(row, &moves)))
        .optional()?
        .ok_or_else(Error::no_game)?
}

fn read_coded<T: Coded>(row: &Row<'_>, column: &str) -> Result<T> {
    Ok(T::from_code(&row.get::<_, String>(column)?)?)
}

fn read_record(row: &Row<'_>, moves: &[(String, Option<Duration>)]) -> Result<Record> {
    let kind: GameKind = read_coded(row, "kind")?;
    let start: String = row.get("start")?;
    let end = read_outcome(row)?.filter(|_| kind != GameKind::Imported);
    let tags: String = row.get("tags")?;
    let initial: Option<i64> = row.get("clock_initial")?;
    let increment: Option<i64> = row.get("clock_increment")?;
    let control = initial.zip(increment).map(|(initial, increment)| TimeControl {
        moves: None,
        base: duration(initial),
        increment: duration(increment),
    });
    let mut clock = control.map(Clock::for_both);
    if let Some(clock) = &mut clock {
        clock.set_left(Color::White, duration(row.get("left_white")?));
        clock.set_left(Color::Black, duration(row.get("left_black")?));
    }
    Ok(Record {
        id: row.get("id")?,
        kind,
        players: read_players(row)?,
        game: restore_game(&start, read_coded(row, "variant")?, moves, end)?,
        clock,
        revision: row.get("revision")?,
        created: row.get("created")?,
        updated: row.get("updated")?,
        is_invite_open: row.get::<_, Option<String>>("invite_token")?.is_some(),
        next: row.get("next")?,
        human_pace: row.get("human_pace")?,
        seed: unsigned(row.get("seed")?),
        tags: serde_json::from_str(&tags).map_err(|error| Fault::internal(&error))?,
        pgn: row.get("pgn")?,
        reviewed: row.get("reviewed")?,
    })
}

fn read_outcome(row: &Row<'_>) -> Result<Option<Outcome>> {
    let Some(reason) = row.get::<_, Option<String>>("reason")? else { return Ok(None) };
    let winner: Option<String> = row.get("winner")?;
    let winner = winner.as_deref().map(Color::from_code).transpose()?;
    Ok(Some(Outcome { winner, reason: Reason::from_code(&reason)? }))
}

const SUMMARY: &str = "g.id, g.kind, g.variant, g.created, g.updated, g.white, g.white_player,
    g.white_engine, g.white_visitor, g.black, g.black_player, g.black_engine, g.black_visitor, g.plies, g.result,
    g.winner, g.reason, g.eco, g.opening, g.fen,
    EXISTS (SELECT 1 FROM review r WHERE r.game = g.id AND r.plies = g.plies) AS reviewed";

fn summary(row: &Row<'_>, visitor: &str, is_owner: bool) -> Result<GameSummary> {
    let kind: GameKind = read_coded(row, "kind")?;
    let players = read_players(row)?;
    let result: String = row.get("result")?;
    let (eco, name): (Option<String>, Option<String>) = (row.get("eco")?, row.get("opening")?);
    Ok(GameSummary {
        id: row.get("id")?,
        kind,
        variant: read_coded(row, "variant")?,
        created: row.get("created")?,
        updated: row.get("updated")?,
        sides: seats(kind, &players, visitor, is_owner),
        names: players.each_ref().map(Player::name),
        plies: row.get::<_, i64>("plies")?.try_into().unwrap_or(0),
        result: result.parse().unwrap_or_default(),
        outcome: read_outcome(row)?,
        opening: eco.zip(name),
        fen: row.get("fen")?,
        is_reviewed: row.get("reviewed")?,
    })
}

/// Conditions of a query and their values, in order.
struct Conditions {
    conditions: Vec<String>,
    values: Vec<rusqlite::types::Value>,
}

impl Conditions {
    fn new(visitor: &str, is_owner: bool, filter: &GameFilter) -> Self {
        let mut all = Self { conditions: vec!["g.deleted IS NULL".to_owned()], values: Vec::new() };
        if !is_owner {
            all.add(
                "EXISTS (SELECT 1 FROM member m WHERE m.game = g.id AND m.visitor = ? AND m.role <> 'left')",
                [visitor.to_owned()],
            );
        }
        match filter.is_finished {
            Some(false) => all.add("g.reason IS NULL AND g.kind <> 'imported'", []),
            Some(true) => all.add("(g.reason IS NOT NULL OR g.kind = 'imported')", []),
            None => {}
        }
        if let Some(kind) = filter.kind {
            all.add("g.kind = ?", [kind.code().to_owned()]);
        }
        // The side of the visitor is that of the person in games against engines, else where they sit.
        let side = "CASE WHEN g.kind = 'engine' THEN g.side
             WHEN g.white_visitor = ? THEN 'white'
             WHEN g.black_visitor = ? THEN 'black' END";
        let both = || [visitor.to_owned(), visitor.to_owned()];
        match filter.result {
            Some(VisitorResult::Won) => {
                all.add(&format!("g.kind IN ('engine', 'friend') AND g.winner = {side}"), both());
            }
            Some(VisitorResult::Lost) => {
                let condition = format!("g.kind IN ('engine', 'friend') AND g.winner <> {side}");
                all.add(&condition, both());
            }
            Some(VisitorResult::Drawn) => all.add("g.result = '1/2-1/2'", []),
            None => {}
        }
        if let Some(text) = filter.text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            let pattern = format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
            all.add(
                "(g.white LIKE ? ESCAPE '\\' OR g.black LIKE ? ESCAPE '\\' OR g.eco LIKE ? ESCAPE '\\'
                  OR g.opening LIKE ? ESCAPE '\\')",
                [pattern.clone(), pattern.clone(), pattern.clone(), pattern],
            );
        }
        all
    }

    fn add<const N: usize>(&mut self, condition: &str, values: [String; N]) {
        self.conditions.push(condition.to_owned());
        self.values.extend(values.into_iter().map(Into::into));
    }

    fn sql(&self) -> String {
        self.conditions.join(" AND ")
    }
}

fn list(connection: &Connection, visitor: &str, is_owner: bool, filter: &GameFilter) -> Result<Listing> {
    let mut conditions = Conditions::new(visitor, is_owner, filter);
    let total: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM game g WHERE {}", conditions.sql()))?
        .query_row(params_from_iter(&conditions.values), |row| row.get(0))?;
    if let Some(before) = &filter.before {
        let (time, id) = read_cursor(before)?;
        conditions.add("(g.updated, g.id) < (CAST(? AS INTEGER), ?)", [time.to_string(), id]);
    }
    let limit = filter.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let sql = format!(
        "SELECT {SUMMARY} FROM game g WHERE {} ORDER BY g.updated DESC, g.id DESC LIMIT {}",
        conditions.sql(),
        limit + 1
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement
        .query_map(params_from_iter(&conditions.values), |row| Ok(summary(row, visitor, is_owner)))?;
    let mut games = rows.map(|row| row.map_err(Fault::from)?).collect::<Result<Vec<_>>>()?;
    let has_more = games.len() > limit;
    games.truncate(limit);
    let next = games.last().filter(|_| has_more).map(|last| format!("{}-{}", last.updated, last.id));
    Ok(Listing { games, next, total: total.try_into().unwrap_or(0) })
}
