//! Reads files of games as a stream.

use crate::error::FileError;
use crate::frame::{FRAME_START, Frame, Window};
use crate::origin::{HEADER_LENGTH, Origin};
use crate::record::{GameRecord, SAMPLE};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The longest end of a file that a killed writer or a power cut can explain. Where more is unreadable, the damage has
/// other reasons.
pub(crate) const MAX_TEAR: u64 = 1 << 17;

/// A stretch of a file that cannot be read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u64,
}

/// What comes next in a file.
pub(crate) enum Step {
    /// A whole frame; its record is in the buffer.
    Game,
    /// Unreadable bytes, behind which games follow or not.
    Damage(Damage, Followed),
    /// The end, perhaps a torn one.
    End,
}

/// Whether whole games come behind a damage.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Followed {
    ByGames,
    ByNothing,
}

/// Reads games one after the other.
///
/// An end that a killed writer leaves, or that is just being written, is [torn](Self::torn_at), which is no error.
/// Anything else that cannot be read is damage: an error, unless the reader was asked to [skip](Self::skip_damaged) it.
///
/// # Examples
/// ```
/// use data::{GameReader, GameRecord, GameWriter, Origin};
///
/// # fn main() -> Result<(), data::FileError> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("games.gdz");
/// let origin = Origin { chess960_percent: 0, seed: 1, nodes: 400, hash: 8 };
/// let mut writer = GameWriter::open(&path, origin)?;
/// writer.append(&GameRecord::new(chess::Position::startpos(), Vec::new(), None).expect("no moves, none illegal"))?;
/// writer.finish()?;
///
/// for game in GameReader::open(&path)? {
///     println!("{} moves", game?.moves().len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct GameReader<R> {
    window: Window<R>,
    origin: Origin,
    version: u32,
    record: Vec<u8>,
    /// Where the next frame begins.
    offset: u64,
    records: u64,
    ended: bool,
    torn_at: Option<u64>,
    skips_damaged: bool,
    skipped: Vec<Damage>,
}

impl GameReader<File> {
    /// Opens a file of games.
    ///
    /// # Errors
    /// When it cannot be read or does not begin like one.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::new(File::open(path)?)
    }
}

impl<R: Read> GameReader<R> {
    /// Reads games from anywhere.
    ///
    /// # Errors
    /// When reading fails or it does not begin like a file of games.
    pub fn new(source: R) -> Result<Self, FileError> {
        let mut window = Window::new(source);
        window.fill()?;
        let header = &window.bytes()[..window.bytes().len().min(HEADER_LENGTH)];
        let (origin, version) = Origin::decode(header)?;
        window.consume(HEADER_LENGTH);
        Ok(Self {
            window,
            origin,
            version,
            record: Vec::new(),
            offset: HEADER_LENGTH as u64,
            records: 0,
            ended: false,
            torn_at: None,
            skips_damaged: false,
            skipped: Vec::new(),
        })
    }

    /// Whether to go to the next whole game where the file is damaged, instead of ending with an error.
    #[must_use]
    pub fn skip_damaged(mut self, skips: bool) -> Self {
        self.skips_damaged = skips;
        self
    }

    /// How the games came about.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// The version of the file's format.
    pub(crate) const fn version(&self) -> u32 {
        self.version
    }

    /// Where the next frame begins.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many records have been read: games and positions from inside searches.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Whether the record in the buffer is a position from inside a search.
    pub(crate) fn is_sample(&self) -> bool {
        self.record.first() == Some(&SAMPLE)
    }

    /// Where the file is torn, once the reader has come there. That is no error: a game may just be being
    /// written.
    #[must_use]
    pub const fn torn_at(&self) -> Option<u64> {
        self.torn_at
    }

    /// The damage that was skipped.
    #[must_use]
    pub fn skipped(&self) -> &[Damage] {
        &self.skipped
    }

    /// Goes on to the next frame.
    pub(crate) fn advance(&mut self) -> io::Result<Step> {
        if self.ended {
            return Ok(Step::End);
        }
        self.window.fill()?;
        let bytes = self.window.bytes();
        let frame = Frame::at_front_of(bytes);
        if let Frame::Whole(count) = frame {
            self.record.clear();
            self.record.extend_from_slice(&bytes[FRAME_START..FRAME_START + count]);
            self.window.consume(FRAME_START + count);
            self.offset += (FRAME_START + count) as u64;
            self.records += 1;
            return Ok(Step::Game);
        }
        let ends = self.window.has_ended();
        // A power cut can leave zeros where frames should be.
        let can_be_torn = ends && (frame == Frame::Short || bytes.iter().all(|&byte| byte == 0));
        let offset = self.offset;
        let (length, games_follow) = self.window.skip_to_whole_frame()?;
        if games_follow {
            self.offset += length;
            return Ok(Step::Damage(Damage { offset, length }, Followed::ByGames));
        }
        self.ended = true;
        if length == 0 {
            return Ok(Step::End);
        }
        if can_be_torn {
            self.torn_at = Some(offset);
            return Ok(Step::End);
        }
        Ok(Step::Damage(Damage { offset, length }, Followed::ByNothing))
    }

    /// The next game, which may be damage to be skipped.
    fn next_game(&mut self) -> Result<Option<GameRecord>, (Damage, FileError)> {
        let offset = self.offset;
        match self.advance() {
            Err(error) => Err((Damage { offset, length: 0 }, error.into())),
            Ok(Step::End) => Ok(None),
            Ok(Step::Damage(damage, _)) => {
                Err((damage, FileError::Damaged { offset: damage.offset, length: damage.length }))
            }
            Ok(Step::Game) => GameRecord::decode(&self.record).map(Some).map_err(|source| {
                self.records -= 1;
                let damage = Damage { offset, length: self.offset - offset };
                (damage, FileError::Record { game: self.records, offset, source })
            }),
        }
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<GameRecord, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_game() {
                Ok(game) => return game.map(Ok),
                Err((damage, error)) if self.skips_damaged && !matches!(error, FileError::Io(_)) => {
                    self.skipped.push(damage);
                }
                Err((_, error)) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
