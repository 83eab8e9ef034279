//! Appends games to files.

use crate::error::FileError;
use crate::frame::{FRAME_START, seal};
use crate::origin::{HEADER_LENGTH, Origin, VERSION};
use crate::reader::{Followed, GameReader, MAX_TEAR, Step};
use crate::record::GameRecord;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The system is asked to put records on the disk after this many; until then a power cut may lose them.
const RECORDS_BETWEEN_SYNCS: u64 = 64;

/// Appends games to a file, which it keeps locked against other writers.
#[derive(Debug)]
pub struct GameWriter {
    file: File,
    /// Where the last game ends.
    end: u64,
    games: u64,
    records: u64,
    cut: u64,
    frame: Vec<u8>,
}

impl GameWriter {
    /// Opens a file to append games to, or begins it. An unreadable end without whole games is cut off.
    ///
    /// # Errors
    /// When the file cannot be written, is no file of games of this origin, or is damaged. It is unchanged then.
    pub fn open(path: impl AsRef<Path>, origin: Origin) -> Result<Self, FileError> {
        let path = path.as_ref();
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FileError::Locked),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let header = origin.encode();
        let length = file.metadata()?.len();
        if length <= HEADER_LENGTH as u64 && Self::is_torn(&mut file, &header)? {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.sync_all()?;
            journal::sync_directory(path)?;
            let end = HEADER_LENGTH as u64;
            return Ok(Self { file, end, games: 0, records: 0, cut: 0, frame: Vec::new() });
        }
        let mut reader = GameReader::new(&file)?;
        if reader.version() != VERSION {
            return Err(FileError::OldVersion(reader.version()));
        }
        if reader.origin() != origin {
            return Err(FileError::OtherOrigin { found: reader.origin(), wanted: origin });
        }
        let (mut end, mut games, mut records) = (reader.offset(), 0, 0);
        loop {
            match reader.advance()? {
                // Positions from inside searches come before their game, and are nothing without it.
                Step::Game if reader.is_sample() => {}
                Step::Game => (end, games, records) = (reader.offset(), games + 1, reader.records()),
                Step::Damage(damage, followed) => {
                    if followed == Followed::ByGames || damage.length > MAX_TEAR {
                        return Err(FileError::Damaged { offset: damage.offset, length: damage.length });
                    }
                }
                Step::End => break,
            }
        }
        let cut = length.saturating_sub(end);
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, end, games, records, cut, frame: Vec::new() })
    }

    /// Whether a file without games is new, or its writer was interrupted within the header: by the end of the
    /// process, which leaves a beginning of it, or of the power, which may leave zeros in place of any part of it.
    fn is_torn(file: &mut File, header: &[u8; HEADER_LENGTH]) -> Result<bool, FileError> {
        let mut there = Vec::new();
        file.read_to_end(&mut there)?;
        let is_torn = there.iter().zip(header).all(|(&found, &wanted)| found == wanted || found == 0);
        file.seek(SeekFrom::Start(0))?;
        if !is_torn && there.len() < HEADER_LENGTH {
            return Err(FileError::NotGames);
        }
        Ok(is_torn)
    }

    /// How many games the file holds.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many records the file holds: games and positions from inside searches.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// How many bytes of an unreadable end were cut off when the file was opened.
    #[must_use]
    pub const fn cut(&self) -> u64 {
        self.cut
    }

    /// How long the file is.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.end
    }

    /// Appends a game, or a position from inside a search, which comes before its game.
    ///
    /// # Errors
    /// When it cannot be written; the file then ends as before, if the system lets it.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), FileError> {
        self.frame.clear();
        self.frame.resize(FRAME_START, 0);
        game.encode(&mut self.frame);
        seal(&mut self.frame)?;
        if let Err(error) = self.file.write_all(&self.frame) {
            let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(error.into());
        }
        self.end += self.frame.len() as u64;
        self.games += u64::from(!game.is_sample());
        self.records += 1;
        if self.records.is_multiple_of(RECORDS_BETWEEN_SYNCS) {
            self.file.sync_data()?;
        }
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// When the system cannot put it there.
    pub fn finish(self) -> Result<(), FileError> {
        Ok(self.file.sync_all()?)
    }
}
