//! Files of games: appended to safely, read as a stream.

use crate::checksum::crc32;
use crate::packed::Bytes;
use crate::record::{GameRecord, RecordError};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"GARDEZ\r\n";
const VERSION: u32 = 1;
const HEADER_LENGTH: usize = 40;
const FRAME_START: usize = 8;

/// Longer than the record of any game that the fifty-move rule ends.
const MAX_RECORD: usize = 1 << 16;

/// What may be cut off the end of a file to go on writing. A killed writer leaves less than one frame; where
/// more is unreadable, the damage has other reasons, and there may be whole games behind it.
const MAX_TEAR: u64 = 2 * MAX_RECORD as u64;

/// The system is asked to put games on the disk after so many; until then a power cut may lose them.
const GAMES_BETWEEN_SYNCS: u64 = 64;

/// How the games of a file came about. With the same engine they can be played again from it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Whether the games begin from the start positions of Chess960.
    pub chess960: bool,
    /// The seed of the random openings.
    pub seed: u64,
    /// The soft limit of nodes a move.
    pub nodes: u64,
    /// The size of the engine's transposition table in MiB.
    pub hash: u32,
}

/// What is wrong with a file of games.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FileError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no file of Gardez games")]
    NotGames,
    #[error("its format has version {0}, and this program knows version {VERSION}")]
    Version(u32),
    #[error("its header is damaged")]
    Header,
    #[error("it was made with {found:?}, not {wanted:?}")]
    OtherOrigin { found: Origin, wanted: Origin },
    #[error("another program is writing to it")]
    Locked,
    #[error("it is damaged from byte {offset} on, and the {length} bytes behind are too many to throw away")]
    Damaged { offset: u64, length: u64 },
    #[error("game {game} at byte {offset} makes no sense: {source}")]
    Record { game: u64, offset: u64, source: RecordError },
    #[error("a game of {0} bytes is too long")]
    TooLong(usize),
}

impl Origin {
    fn encode(&self) -> [u8; HEADER_LENGTH] {
        let fields: [&[u8]; 6] = [
            &MAGIC,
            &VERSION.to_le_bytes(),
            &u32::from(self.chess960).to_le_bytes(),
            &self.seed.to_le_bytes(),
            &self.nodes.to_le_bytes(),
            &self.hash.to_le_bytes(),
        ];
        let checksum = crc32(&fields).to_le_bytes();
        let mut header = [0; HEADER_LENGTH];
        for (to, from) in header.iter_mut().zip(fields.into_iter().flatten().chain(&checksum)) {
            *to = *from;
        }
        header
    }

    fn decode(header: &[u8]) -> Result<Self, FileError> {
        let mut bytes = Bytes(header);
        if bytes.take() != Some(MAGIC) {
            return Err(FileError::NotGames);
        }
        let version = bytes.u32().ok_or(FileError::Header)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let mut fields = || {
            let chess960 = match bytes.u32()? {
                0 => false,
                1 => true,
                _ => return None,
            };
            let origin = Self { chess960, seed: bytes.u64()?, nodes: bytes.u64()?, hash: bytes.u32()? };
            let checksum = bytes.u32()?;
            (checksum == crc32(&[&header[..HEADER_LENGTH - 4]])).then_some(origin)
        };
        fields().ok_or(FileError::Header)
    }
}

/// Reads until the buffer is full or nothing more comes.
fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

enum Frame {
    Whole,
    Torn,
    End,
}

/// Reads the next frame and leaves its record in the buffer.
fn read_frame(reader: &mut impl Read, record: &mut Vec<u8>) -> io::Result<Frame> {
    let mut start = [0; FRAME_START];
    match read_full(reader, &mut start)? {
        0 => return Ok(Frame::End),
        FRAME_START => {}
        _ => return Ok(Frame::Torn),
    }
    let [length @ .., _, _, _, _] = start;
    let [_, _, _, _, checksum @ ..] = start;
    let count = u32::from_le_bytes(length) as usize;
    if count == 0 || count > MAX_RECORD {
        return Ok(Frame::Torn);
    }
    record.resize(count, 0);
    let whole =
        read_full(reader, record)? == count && crc32(&[&length, record]) == u32::from_le_bytes(checksum);
    Ok(if whole { Frame::Whole } else { Frame::Torn })
}

/// Reads games one after the other, up to the end of the file or to a torn frame.
#[derive(Debug)]
pub struct GameReader<R> {
    reader: R,
    origin: Origin,
    buffer: Vec<u8>,
    /// Where the next frame begins.
    offset: u64,
    games: u64,
    ended: bool,
    torn_at: Option<u64>,
}

impl GameReader<BufReader<File>> {
    /// Opens a file of games.
    ///
    /// # Errors
    /// When it cannot be read or does not begin like one.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::new(BufReader::with_capacity(1 << 18, File::open(path)?))
    }
}

impl<R: Read> GameReader<R> {
    /// Reads games from anywhere.
    ///
    /// # Errors
    /// When reading fails or it does not begin like a file of games.
    pub fn new(mut reader: R) -> Result<Self, FileError> {
        let mut header = [0; HEADER_LENGTH];
        let count = read_full(&mut reader, &mut header)?;
        let origin = Origin::decode(&header[..count])?;
        let offset = HEADER_LENGTH as u64;
        Ok(Self { reader, origin, buffer: Vec::new(), offset, games: 0, ended: false, torn_at: None })
    }

    /// How the games came about.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// How many games have been read.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Where the file is torn, once the reader has come there. That is no error: a game may just be being
    /// written.
    #[must_use]
    pub const fn torn_at(&self) -> Option<u64> {
        self.torn_at
    }

    /// Goes to the next whole frame and returns whether there is one; its record is in the buffer then.
    fn advance(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let frame = read_frame(&mut self.reader, &mut self.buffer)?;
        match frame {
            Frame::Whole => {
                self.offset += (FRAME_START + self.buffer.len()) as u64;
                self.games += 1;
                return Ok(true);
            }
            Frame::Torn => self.torn_at = Some(self.offset),
            Frame::End => {}
        }
        self.ended = true;
        Ok(false)
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<GameRecord, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (game, offset) = (self.games, self.offset);
        let read = match self.advance() {
            Ok(true) => {
                GameRecord::decode(&self.buffer).map_err(|source| FileError::Record { game, offset, source })
            }
            Ok(false) => return None,
            Err(error) => Err(error.into()),
        };
        self.ended |= read.is_err();
        Some(read)
    }
}

/// Appends games to a file, which it keeps locked against other writers.
#[derive(Debug)]
pub struct GameWriter {
    file: File,
    /// Where the last whole frame ends.
    end: u64,
    games: u64,
    cut: u64,
    frame: Vec<u8>,
}

impl GameWriter {
    /// Opens a file to append games to, or begins it. A torn end is cut off.
    ///
    /// # Errors
    /// When the file cannot be written or is no file of games of this origin. It is unchanged then.
    pub fn open(path: impl AsRef<Path>, origin: Origin) -> Result<Self, FileError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FileError::Locked),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let header = origin.encode();
        let length = file.metadata()?.len();
        if length < HEADER_LENGTH as u64 {
            Self::begin(&mut file, &header)?;
            return Ok(Self { file, end: HEADER_LENGTH as u64, games: 0, cut: 0, frame: Vec::new() });
        }
        let mut reader = GameReader::new(BufReader::with_capacity(1 << 18, &file))?;
        if reader.origin != origin {
            return Err(FileError::OtherOrigin { found: reader.origin, wanted: origin });
        }
        while reader.advance()? {}
        let (end, games) = (reader.offset, reader.games);
        let cut = length.saturating_sub(end);
        if cut > MAX_TEAR {
            return Err(FileError::Damaged { offset: end, length: cut });
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, end, games, cut, frame: Vec::new() })
    }

    /// Writes the header of a new file, or of one whose writer was killed within the header.
    fn begin(file: &mut File, header: &[u8; HEADER_LENGTH]) -> Result<(), FileError> {
        let mut there = Vec::new();
        file.read_to_end(&mut there)?;
        if !header.starts_with(&there) {
            return Err(FileError::NotGames);
        }
        file.seek(SeekFrom::Start(0))?;
        file.write_all(header)?;
        Ok(file.sync_all()?)
    }

    /// How many games the file holds.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many bytes of a torn end were cut off when the file was opened.
    #[must_use]
    pub const fn cut(&self) -> u64 {
        self.cut
    }

    /// How long the file is.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.end
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When it cannot be written; the file then ends as before, if the system lets it.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), FileError> {
        self.frame.clear();
        self.frame.resize(FRAME_START, 0);
        game.encode(&mut self.frame);
        let count = self.frame.len() - FRAME_START;
        if count > MAX_RECORD {
            return Err(FileError::TooLong(count));
        }
        let length = (count as u32).to_le_bytes();
        let checksum = crc32(&[&length, &self.frame[FRAME_START..]]).to_le_bytes();
        self.frame[..4].copy_from_slice(&length);
        self.frame[4..FRAME_START].copy_from_slice(&checksum);
        if let Err(error) = self.file.write_all(&self.frame) {
            let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(error.into());
        }
        self.end += self.frame.len() as u64;
        self.games += 1;
        if self.games.is_multiple_of(GAMES_BETWEEN_SYNCS) {
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
