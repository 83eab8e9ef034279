//! An index on disk, and how it is read.

use crate::entry::GameEntry;
use crate::{ExplorerError, at};
use chess::{Game, Move, Position};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The version of the format.
pub(crate) const VERSION: u32 = 1;
/// Bytes of a key with the place of its first posting.
pub(crate) const KEY_SIZE: usize = 12;
/// Bytes of a posting: game and move.
pub(crate) const POSTING_SIZE: usize = 6;

/// From this many games of a position on, all entries are read at once and kept.
const MANY_GAMES: usize = 2_000;
/// Keys that are read at once when the place of one is nearly known.
const KEYS_AT_ONCE: u64 = 128;

/// The files.
pub(crate) mod names {
    pub(crate) const ABOUT: &str = "about.json";
    pub(crate) const GAMES: &str = "games.bin";
    pub(crate) const MOVES: &str = "moves.bin";
    pub(crate) const PLAYERS: &str = "players.txt";
    pub(crate) const KEYS: &str = "keys.bin";
    pub(crate) const POSTINGS: &str = "postings.bin";
}

/// What an index says about itself.
#[derive(Copy, Clone, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) explorer: u32,
    pub(crate) games: u32,
    pub(crate) plies: u16,
    /// The key of the usual start: keys of another program would not be found.
    pub(crate) start: u64,
}

/// A file that is read in places.
struct Input {
    path: PathBuf,
    file: Mutex<File>,
    length: u64,
}

impl Input {
    fn open(directory: &Path, name: &str) -> Result<Self, ExplorerError> {
        let path = directory.join(name);
        let file = File::open(&path).map_err(at(&path))?;
        let length = file.metadata().map_err(at(&path))?.len();
        Ok(Self { path, file: Mutex::new(file), length })
    }

    /// Some bytes from a place on; beyond the end of the file the index is damaged.
    fn read(&self, place: u64, count: usize) -> Result<Vec<u8>, ExplorerError> {
        if place.checked_add(count as u64).is_none_or(|end| end > self.length) {
            return Err(ExplorerError::Damaged(self.path.clone()));
        }
        let mut bytes = vec![0; count];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(at(&self.path))?;
        Ok(bytes)
    }
}

/// That a game reached a position, and what was played there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reached {
    pub(crate) game: u32,
    pub(crate) mv: Option<Move>,
}

/// Answers questions about the games of an index.
pub struct Explorer {
    about: About,
    games: Input,
    moves: Input,
    players: Vec<String>,
    keys: Input,
    postings: Input,
    /// All entries, once a question needed many of them.
    entries: OnceLock<Vec<GameEntry>>,
}

impl Explorer {
    /// Opens an index.
    ///
    /// # Errors
    /// When it is not there, or damaged.
    pub fn open(directory: &Path) -> Result<Self, ExplorerError> {
        let path = directory.join(names::ABOUT);
        let text = fs::read(&path).map_err(at(&path))?;
        let damaged = || ExplorerError::Damaged(directory.to_owned());
        let about: About = serde_json::from_slice(&text).map_err(|_| damaged())?;
        let path = directory.join(names::PLAYERS);
        let players = fs::read(&path).map_err(at(&path))?;
        let explorer = Self {
            about,
            games: Input::open(directory, names::GAMES)?,
            moves: Input::open(directory, names::MOVES)?,
            players: String::from_utf8_lossy(&players).lines().map(str::to_owned).collect(),
            keys: Input::open(directory, names::KEYS)?,
            postings: Input::open(directory, names::POSTINGS)?,
            entries: OnceLock::new(),
        };
        let is_whole = about.explorer == VERSION
            && about.start == Position::startpos().key().0
            && explorer.games.length == u64::from(about.games) * GameEntry::SIZE as u64;
        if is_whole { Ok(explorer) } else { Err(damaged()) }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.about.games
    }

    /// The half-moves of each game whose positions are indexed.
    #[must_use]
    pub fn plies(&self) -> u16 {
        self.about.plies
    }

    /// The name of a player, empty if it is not known.
    pub(crate) fn player(&self, number: u32) -> &str {
        self.players.get(number as usize).map_or("", String::as_str)
    }

    /// All names, in the order of their numbers.
    pub(crate) fn players(&self) -> &[String] {
        &self.players
    }

    fn key_count(&self) -> u64 {
        self.keys.length / KEY_SIZE as u64
    }

    /// Some keys from a place on, and where their postings begin.
    fn keys_from(&self, place: u64, count: u64) -> Result<Vec<(u64, u32)>, ExplorerError> {
        let bytes = self.keys.read(place * KEY_SIZE as u64, count as usize * KEY_SIZE)?;
        let entry = |bytes: &[u8]| {
            let key = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
            (key, u32::from_le_bytes(std::array::from_fn(|index| bytes[8 + index])))
        };
        Ok(bytes.chunks_exact(KEY_SIZE).map(entry).collect())
    }

    /// The postings of a position: the place of the first, and that after the last.
    fn range(&self, key: u64) -> Result<(u64, u64), ExplorerError> {
        let count = self.key_count();
        let (mut low, mut high) = (0, count);
        // Keys are spread evenly, so that a guess is seldom far off.
        let (mut low_key, mut high_key) = (0, u64::MAX);
        while high - low > KEYS_AT_ONCE {
            let share = (key.saturating_sub(low_key)) as f64 / (high_key - low_key).max(1) as f64;
            let guess = low + ((high - low) as f64 * share) as u64;
            // Never at the edge, or the guess would not narrow anything.
            let margin = (high - low) / 32;
            let guess = guess.clamp(low + margin.max(1), high - 1 - margin);
            let (found, _) = self.keys_from(guess, 1)?[0];
            if found <= key {
                (low, low_key) = (guess, found);
            } else {
                (high, high_key) = (guess, found);
            }
        }
        // One more, whose postings begin where those of the last end.
        let keys = self.keys_from(low, (high + 1).min(count) - low)?;
        let Some(place) = keys.iter().position(|&(found, _)| found == key) else { return Ok((0, 0)) };
        let all = self.postings.length / POSTING_SIZE as u64;
        let end = keys.get(place + 1).map_or(all, |&(_, begin)| begin.into());
        Ok((keys[place].1.into(), end))
    }

    /// How many games reached a position.
    pub(crate) fn count(&self, position: &Position) -> Result<u64, ExplorerError> {
        let (begin, end) = self.range(position.key().0)?;
        Ok(end.saturating_sub(begin))
    }

    /// The games that reached a position, in their order.
    pub(crate) fn reached(&self, position: &Position) -> Result<Vec<Reached>, ExplorerError> {
        let (begin, end) = self.range(position.key().0)?;
        let size = POSTING_SIZE as u64;
        let bytes = self.postings.read(begin * size, (end.saturating_sub(begin) * size) as usize)?;
        let reached = |bytes: &[u8]| Reached {
            game: u32::from_le_bytes(std::array::from_fn(|index| bytes[index])),
            mv: Move::from_bits(u16::from_le_bytes([bytes[4], bytes[5]])),
        };
        Ok(bytes.chunks_exact(POSTING_SIZE).map(reached).collect())
    }

    /// The entries of some games, in their order.
    pub(crate) fn entries(&self, games: &[Reached]) -> Result<Vec<GameEntry>, ExplorerError> {
        if games.len() < MANY_GAMES && self.entries.get().is_none() {
            return games.iter().map(|reached| self.entry(reached.game)).collect();
        }
        let all = self.all_entries()?;
        let damaged = || ExplorerError::Damaged(self.games.path.clone());
        games.iter().map(|reached| all.get(reached.game as usize).copied().ok_or_else(damaged)).collect()
    }

    fn all_entries(&self) -> Result<&[GameEntry], ExplorerError> {
        if let Some(all) = self.entries.get() {
            return Ok(all);
        }
        let bytes = self.games.read(0, self.games.length as usize)?;
        let (chunks, _) = bytes.as_chunks::<{ GameEntry::SIZE }>();
        let all = chunks.iter().map(GameEntry::from_bytes).collect();
        Ok(self.entries.get_or_init(|| all))
    }

    pub(crate) fn entry(&self, game: u32) -> Result<GameEntry, ExplorerError> {
        let bytes = self.games.read(u64::from(game) * GameEntry::SIZE as u64, GameEntry::SIZE)?;
        let damaged = || ExplorerError::Damaged(self.games.path.clone());
        bytes.first_chunk().map(GameEntry::from_bytes).ok_or_else(damaged)
    }

    /// The moves of a game, by its number.
    ///
    /// # Errors
    /// When there is no such game, or the index is damaged.
    pub fn game(&self, number: u32) -> Result<Game, ExplorerError> {
        let entry = self.entry(number)?;
        let damaged = || ExplorerError::Damaged(self.moves.path.clone());
        let length = u64::from(self.moves.read(entry.offset, 1)?[0]);
        let fen = self.moves.read(entry.offset + 1, length as usize)?;
        let start = match fen.is_empty() {
            true => Position::startpos(),
            false => str::from_utf8(&fen).ok().and_then(|fen| fen.parse().ok()).ok_or_else(damaged)?,
        };
        let bytes = self.moves.read(entry.offset + 1 + length, usize::from(entry.plies) * 2)?;
        let mut game = Game::from_position(start);
        for code in bytes.chunks_exact(2) {
            let mv = Move::from_bits(u16::from_le_bytes([code[0], code[1]])).ok_or_else(damaged)?;
            game.replay(mv).map_err(|_| damaged())?;
        }
        Ok(game)
    }
}
