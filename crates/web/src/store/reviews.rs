//! Reviews, solved exercises and log-ins in the database.

use super::Store;
use crate::error::{Error, Result};
use crate::record::now;
use crate::wire::{Effort, Review};
use rusqlite::{OptionalExtension, params};
use std::collections::HashSet;

/// A review and how thorough it is.
#[derive(Clone, Debug)]
pub struct StoredReview {
    /// The review.
    pub review: Review,
    /// How thorough.
    pub effort: Effort,
    /// Of how many moves.
    pub plies: usize,
}

const EFFORTS: [Effort; 3] = [Effort::Quick, Effort::Normal, Effort::Deep];

impl Store {
    /// Keeps the review of a game, in place of an older one.
    pub(crate) async fn save_review(&self, stored: StoredReview) -> Result<()> {
        let body = serde_json::to_string(&stored.review).map_err(|error| Error::internal(&error))?;
        self.write(move |connection| {
            connection.prepare_cached("INSERT OR REPLACE INTO review VALUES (?1, ?2, ?3, ?4, ?5)")?.execute(
                params![stored.review.game, stored.effort as i64, stored.plies as i64, now(), body],
            )?;
            Ok(())
        })
        .await
    }

    /// The review of a game.
    pub(crate) async fn load_review(&self, game: &str) -> Result<Option<StoredReview>> {
        let game = game.to_owned();
        let found = self
            .read(move |connection| {
                let row = connection
                    .prepare_cached("SELECT body, effort, plies FROM review WHERE game = ?1")?
                    .query_row([&game], |row| {
                        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
                    })
                    .optional()?;
                Ok(row)
            })
            .await?;
        let Some((body, effort, plies)) = found else { return Ok(None) };
        let review = serde_json::from_str(&body).map_err(|error| Error::internal(&error))?;
        let effort = EFFORTS.into_iter().find(|&known| known as i64 == effort).unwrap_or_default();
        Ok(Some(StoredReview { review, effort, plies: plies as usize }))
    }

    /// The games of a visitor that have reviews, newest first.
    pub(crate) async fn reviewed_games(
        &self,
        visitor: &str,
        at_home: bool,
        limit: usize,
    ) -> Result<Vec<String>> {
        let visitor = visitor.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT g.id FROM game g JOIN review r ON r.game = g.id
                 WHERE g.deleted IS NULL
                   AND (?2 OR EXISTS (SELECT 1 FROM member m WHERE m.game = g.id AND m.visitor = ?1))
                 ORDER BY g.updated DESC LIMIT ?3",
            )?;
            let ids = statement.query_map(params![visitor, at_home, limit as i64], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Notes that a visitor has solved an exercise.
    pub(crate) async fn set_solved(&self, visitor: &str, game: &str, ply: usize) -> Result<()> {
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
    pub(crate) async fn solved(&self, visitor: &str) -> Result<HashSet<(String, usize)>> {
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
    pub(crate) async fn save_login(&self, visitor: &str, proof: Vec<u8>) -> Result<()> {
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
    pub(crate) async fn delete_login(&self, visitor: &str) -> Result<()> {
        let visitor = visitor.to_owned();
        self.write(move |connection| {
            connection.execute("DELETE FROM login WHERE visitor = ?1", [visitor])?;
            Ok(())
        })
        .await
    }

    /// All proofs.
    pub(crate) async fn logins(&self) -> Result<Vec<(String, Vec<u8>)>> {
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT visitor, proof FROM login")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}
