//! How much may be kept: by visitor, by network, in all, and as long as the disk has room.

use crate::limits::{Limits, Rate};
use crate::networks::Network;
use backend::{Code, Error, Result, Visitor};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a game takes besides its text: rows, indexes, moves to come.
pub(crate) const GAME_BYTES: u64 = 4096;
/// Visitors whose use is remembered.
const MAX_VISITORS: usize = 10_000;
/// When to try again if the server has no room.
const FULL_SECONDS: u32 = 600;

/// What a visitor keeps, deleted games included until they are forgotten.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Usage {
    /// Games.
    pub(crate) games: u64,
    /// Their bytes, about.
    pub(crate) bytes: u64,
}

/// What may be kept, and what is.
pub(crate) struct Quotas {
    limits: Limits,
    directory: PathBuf,
    new_games: Rate,
    new_bytes: Rate,
    usage: Mutex<HashMap<Visitor, Usage>>,
}

impl Quotas {
    /// Nothing is known yet of the visitors of this directory.
    pub(crate) fn new(limits: &Limits, directory: &Path) -> Self {
        Self {
            limits: limits.clone(),
            directory: directory.to_owned(),
            new_games: Rate::new(limits.new_games, 3600),
            new_bytes: Rate::new(limits.new_bytes, 3600),
            usage: Mutex::default(),
        }
    }

    fn usage(&self) -> MutexGuard<'_, HashMap<Visitor, Usage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games were forgotten, so what visitors keep is counted anew.
    pub(crate) fn recount(&self) {
        self.usage().clear();
    }

    /// What a visitor keeps, if that was counted.
    pub(crate) fn known_usage(&self, visitor: &Visitor) -> Option<Usage> {
        self.usage().get(visitor).copied()
    }

    /// Counts more games with more bytes as kept by a visitor who has used this much.
    ///
    /// # Errors
    /// When that is too much, for the visitor or for the network; the error says why.
    pub(crate) fn take(
        &self,
        visitor: &Visitor,
        network: Network,
        used: Usage,
        games: u64,
        bytes: u64,
    ) -> Result<()> {
        let bytes = bytes.saturating_add(games.saturating_mul(GAME_BYTES));
        let wanted =
            Usage { games: used.games.saturating_add(games), bytes: used.bytes.saturating_add(bytes) };
        let Limits { visitor_games, visitor_bytes, .. } = self.limits;
        if wanted.games > visitor_games || wanted.bytes > visitor_bytes {
            let message = format!(
                "you keep {} games already; {visitor_games} and {} MiB are the most, so delete some first",
                used.games,
                visitor_bytes >> 20,
            );
            return Err(Error::new(Code::TooMany, message));
        }
        self.new_games.take(network, games, "too many new games from your network; wait a little")?;
        self.new_bytes.take(network, bytes, "too many bytes from your network; wait a little")?;
        let mut usage = self.usage();
        if usage.len() >= MAX_VISITORS {
            usage.clear();
        }
        usage.insert(Visitor::clone(visitor), wanted);
        Ok(())
    }

    /// Whether there is room for more than the moves of games that have begun.
    ///
    /// # Errors
    /// When there is not.
    pub(crate) fn check_disk(&self) -> Result<()> {
        let full = |what: &str| Err(Error::retry(Code::Busy, what, FULL_SECONDS));
        if free_space(&self.directory).is_some_and(|free| free < self.limits.free_disk) {
            return full(
                "the disk of the server is nearly full; games can be finished, but nothing new begun",
            );
        }
        if self.database_size() >= self.limits.total_bytes {
            return full("the database is full; games can be finished, but nothing new begun");
        }
        Ok(())
    }

    fn database_size(&self) -> u64 {
        let size = |name: &str| std::fs::metadata(self.directory.join(name)).map_or(0, |file| file.len());
        size("gardez.sqlite") + size("gardez.sqlite-wal")
    }

    /// Whether there is room for a copy of the database.
    ///
    /// # Errors
    /// When there is not.
    pub(crate) fn check_copy(&self) -> Result<()> {
        let needed = self.limits.free_disk.saturating_add(self.database_size());
        if free_space(&self.directory).is_some_and(|free| free < needed) {
            return Err(Error::new(Code::Busy, "the disk is nearly full"));
        }
        Ok(())
    }
}

/// How many bytes the disk of a directory has left, where the system says so.
#[cfg(unix)]
fn free_space(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_space(_directory: &Path) -> Option<u64> {
    None
}
