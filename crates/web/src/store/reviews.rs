//! Reviews, solved exercises, log-ins, settings and owners in the database.

use super::Database;
use super::fault::{Fault, Result};
use backend::codes::Coded;
use backend::game_review::{BetterLine, Effort, GameReview, Judged, ReviewedMove, SideReview};
use backend::notation;
use backend::record::now;
use chess::pgn::EvalScore;
use chess::{Position, Variant};
use review::Judgement;
use review::notation::coordinate_line;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use std::collections::HashSet;

impl Database {
    /// Keeps the review of a game, in place of an older one.
    pub(super) async fn save_game_review(&self, review: GameReview) -> backend::Result<()> {
        self.write(move |connection| save_review(connection, &review)).await
    }

    /// The review of a game.
    pub(super) async fn load_game_review(&self, game: &str) -> backend::Result<Option<GameReview>> {
        let game = game.to_owned();
        self.read(move |connection| load_review(connection, &game)).await
    }

    /// The games of a visitor that have reviews, newest first.
    pub(super) async fn list_reviewed_games(
        &self,
        visitor: &str,
        is_owner: bool,
        limit: usize,
    ) -> backend::Result<Vec<String>> {
        let visitor = visitor.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT g.id FROM game g JOIN review r ON r.game = g.id
                 WHERE g.deleted IS NULL
                   AND (?2 OR EXISTS (SELECT 1 FROM member m
                        WHERE m.game = g.id AND m.visitor = ?1 AND m.role <> 'left'))
                 ORDER BY g.updated DESC LIMIT ?3",
            )?;
            let ids = statement.query_map(params![visitor, is_owner, limit as i64], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Notes that a visitor has solved an exercise.
    pub(super) async fn set_exercise_solved(
        &self,
        visitor: &str,
        game: &str,
        ply: usize,
    ) -> backend::Result<()> {
        let (visitor, game) = (visitor.to_owned(), game.to_owned());
        self.write(move |connection| {
            connection
                .prepare_cached("INSERT OR IGNORE INTO solved VALUES (?1, ?2, ?3)")?
                .execute(params![visitor, game, ply as i64])?;
            Ok(())
        })
        .await
    }

    /// The exercises a visitor has solved, by game and ply.
    pub(super) async fn solved_exercises(&self, visitor: &str) -> backend::Result<HashSet<(String, usize)>> {
        let visitor = visitor.to_owned();
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT game, ply FROM solved WHERE visitor = ?1")?;
            let rows =
                statement.query_map([&visitor], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as usize)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Keeps the proof that a visitor knew the password.
    pub(crate) async fn save_login(&self, visitor: &str, proof: Vec<u8>) -> backend::Result<()> {
        let visitor = visitor.to_owned();
        self.write(move |connection| {
            connection.execute(
                "INSERT OR REPLACE INTO login VALUES (?1, ?2, ?3)",
                params![visitor, proof, now()],
            )?;
            Ok(())
        })
        .await
    }

    /// Forgets it.
    pub(crate) async fn delete_login(&self, visitor: &str) -> backend::Result<()> {
        let visitor = visitor.to_owned();
        self.write(move |connection| {
            connection.execute("DELETE FROM login WHERE visitor = ?1", [visitor])?;
            Ok(())
        })
        .await
    }

    /// All proofs.
    pub(crate) async fn logins(&self) -> backend::Result<Vec<(String, Vec<u8>)>> {
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT visitor, proof FROM login")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}

/// Settings and owners.
impl Database {
    /// A setting of the server.
    pub(crate) async fn setting(&self, name: &'static str) -> backend::Result<Option<Vec<u8>>> {
        self.read(move |connection| {
            let sql = "SELECT value FROM setting WHERE name = ?1";
            Ok(connection.query_row(sql, [name], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Keeps a setting.
    pub(crate) async fn set_setting(&self, name: &'static str, value: Vec<u8>) -> backend::Result<()> {
        self.write(move |connection| set_setting(connection, name, &value)).await
    }

    /// Keeps the hash of a new token, and forgets the owners that had shown the old one.
    pub(crate) async fn renew_owner(&self, name: &'static str, hash: Vec<u8>) -> backend::Result<()> {
        self.write(move |connection| {
            connection.execute("DELETE FROM owner", [])?;
            set_setting(connection, name, &hash)
        })
        .await
    }

    /// Visitors who have shown the owner's token.
    pub(crate) async fn owners(&self) -> backend::Result<Vec<String>> {
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT visitor FROM owner")?;
            let visitors = statement.query_map([], |row| row.get(0))?;
            Ok(visitors.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Keeps that a visitor is the owner.
    pub(crate) async fn save_owner(&self, visitor: &str) -> backend::Result<()> {
        let visitor = visitor.to_owned();
        self.write(move |connection| {
            connection.execute("INSERT OR REPLACE INTO owner VALUES (?1, ?2)", params![visitor, now()])?;
            Ok(())
        })
        .await
    }

    /// Forgets it.
    pub(crate) async fn delete_owner(&self, visitor: &str) -> backend::Result<()> {
        let visitor = visitor.to_owned();
        self.write(move |connection| {
            connection.execute("DELETE FROM owner WHERE visitor = ?1", [visitor])?;
            Ok(())
        })
        .await
    }
}

fn set_setting(connection: &Connection, name: &str, value: &[u8]) -> Result<()> {
    connection.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2)", params![name, value])?;
    Ok(())
}

/// A score as its two columns: centipawns or moves to mate.
const fn score_columns(score: EvalScore) -> (Option<i32>, Option<i32>) {
    match score {
        EvalScore::Centipawns(cp) => (Some(cp), None),
        EvalScore::Mate(moves) => (None, Some(moves)),
    }
}

fn save_review(connection: &Connection, review: &GameReview) -> Result<()> {
    let (start_cp, start_mate) = score_columns(review.start.score);
    let [white, black] = review.sides;
    connection.prepare_cached("DELETE FROM review WHERE game = ?1")?.execute([&review.game])?;
    connection
        .prepare_cached(
            "INSERT INTO review (game, effort, plies, created, version, nodes, start_cp, start_mate,
                start_win, turning_point, white_accuracy, white_loss, black_accuracy, black_loss)
             VALUES (:game, :effort, :plies, :created, :version, :nodes, :start_cp, :start_mate,
                :start_win, :turning_point, :white_accuracy, :white_loss, :black_accuracy, :black_loss)",
        )?
        .execute(named_params! {
            ":game": review.game,
            ":effort": review.effort.code(),
            ":plies": review.moves.len() as i64,
            ":created": now(),
            ":version": review.version,
            ":nodes": i64::try_from(review.nodes).unwrap_or(i64::MAX),
            ":start_cp": start_cp,
            ":start_mate": start_mate,
            ":start_win": review.start.win_percent,
            ":turning_point": review.turning_point.map(|ply| ply as i64),
            ":white_accuracy": white.accuracy,
            ":white_loss": white.average_loss,
            ":black_accuracy": black.accuracy,
            ":black_loss": black.average_loss,
        })?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO review_move (game, ply, uci, cp, mate, win, loss, accuracy, judgement,
            better_line, better_cp, better_mate, better_win)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    for (index, reviewed) in review.moves.iter().enumerate() {
        let (cp, mate) = score_columns(reviewed.after.score);
        let better = reviewed.better.as_ref();
        let (better_cp, better_mate) =
            better.map_or((None, None), |better| score_columns(better.judged.score));
        insert.execute(params![
            review.game,
            index as i64 + 1,
            notation::uci(&reviewed.before, reviewed.mv, review.variant),
            cp,
            mate,
            reviewed.after.win_percent,
            reviewed.loss,
            reviewed.accuracy,
            reviewed.judgement.map(Coded::code),
            better.map(|better| coordinate_line(&reviewed.before, &better.line, review.variant).join(" ")),
            better_cp,
            better_mate,
            better.map(|better| better.judged.win_percent),
        ])?;
    }
    Ok(())
}

fn load_review(connection: &Connection, game: &str) -> Result<Option<GameReview>> {
    let found = connection
        .prepare_cached(
            "SELECT r.*, g.start, g.variant FROM review r JOIN game g ON g.id = r.game WHERE r.game = ?1",
        )?
        .query_row([game], |row| Ok(read_review(row)))
        .optional()?
        .transpose()?;
    let Some((mut review, start)) = found else { return Ok(None) };
    let mut statement =
        connection.prepare_cached("SELECT * FROM review_move WHERE game = ?1 ORDER BY ply")?;
    let mut rows = statement.query([game])?;
    let mut position = start;
    while let Some(row) = rows.next()? {
        let reviewed = read_move(row, &position)?;
        position.play(reviewed.mv);
        review.moves.push(reviewed);
    }
    Ok(Some(review))
}

/// The review without its moves, and the position that the game starts from.
fn read_review(row: &Row<'_>) -> Result<(GameReview, Position)> {
    let (effort, variant): (String, String) = (row.get("effort")?, row.get("variant")?);
    let start: String = row.get("start")?;
    let start = Position::from_fen(&start).map_err(|error| Fault::internal(&error))?;
    let review = GameReview {
        game: row.get("game")?,
        variant: Variant::from_code(&variant)?,
        effort: Effort::from_code(&effort)?,
        version: row.get("version")?,
        nodes: row.get::<_, i64>("nodes")?.try_into().unwrap_or(0),
        start: Judged {
            score: read_score(row, "start_cp", "start_mate")?,
            win_percent: row.get("start_win")?,
        },
        turning_point: row.get::<_, Option<i64>>("turning_point")?.and_then(|ply| ply.try_into().ok()),
        moves: Vec::new(),
        sides: [
            SideReview { accuracy: row.get("white_accuracy")?, average_loss: row.get("white_loss")? },
            SideReview { accuracy: row.get("black_accuracy")?, average_loss: row.get("black_loss")? },
        ],
    };
    Ok((review, start))
}

fn read_score(row: &Row<'_>, cp: &str, mate: &str) -> Result<EvalScore> {
    match (row.get(cp)?, row.get(mate)?) {
        (Some(cp), None) => Ok(EvalScore::Centipawns(cp)),
        (None, Some(moves)) => Ok(EvalScore::Mate(moves)),
        (_, _) => Err(Fault::internal(&"a review has a move without a score")),
    }
}

fn read_move(row: &Row<'_>, before: &Position) -> Result<ReviewedMove> {
    let uci: String = row.get("uci")?;
    let judgement: Option<String> = row.get("judgement")?;
    let better_line: Option<String> = row.get("better_line")?;
    let better = match better_line {
        None => None,
        Some(line) => Some(BetterLine {
            judged: Judged {
                score: read_score(row, "better_cp", "better_mate")?,
                win_percent: row.get("better_win")?,
            },
            line: notation::read_line(before, line.split_ascii_whitespace()),
        }),
    };
    Ok(ReviewedMove {
        before: *before,
        mv: before.parse_uci(&uci).map_err(|error| Fault::internal(&error))?,
        after: Judged { score: read_score(row, "cp", "mate")?, win_percent: row.get("win")? },
        loss: row.get("loss")?,
        accuracy: row.get("accuracy")?,
        judgement: judgement.as_deref().map(Judgement::from_code).transpose()?,
        better,
    })
}
