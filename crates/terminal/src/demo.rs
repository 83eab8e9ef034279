//! Recorded games played on the board by themselves.

use crate::record::{self, LoadError};
use chess::pgn::{PgnGame, Reader};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file of games on its way over the board.
pub(crate) struct Demo {
    path: PathBuf,
    games: Reader<BufReader<File>>,
    pace: Duration,
    /// When the next move is made; none while it is paused.
    due: Option<Instant>,
}

impl Demo {
    /// Opens a file of games, of which one move is shown in each `pace`.
    pub(crate) fn open(path: &Path, pace: Duration) -> Result<Self, LoadError> {
        Ok(Self { path: path.to_owned(), games: record::open(path)?, pace, due: None })
    }

    /// The next game of the file.
    pub(crate) fn next_game(&mut self) -> Option<Result<PgnGame, LoadError>> {
        let game = self.games.next()?;
        Some(game.map_err(|source| LoadError::Pgn { path: self.path.clone(), source }))
    }

    /// Waits for the next move.
    pub(crate) fn wind(&mut self, now: Instant) {
        self.due = now.checked_add(self.pace);
    }

    /// Holds the game where it is.
    pub(crate) const fn hold(&mut self) {
        self.due = None;
    }

    /// When the next move is due.
    pub(crate) const fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Sets how long each position stands.
    pub(crate) const fn set_pace(&mut self, pace: Duration) {
        self.pace = pace;
    }
}
