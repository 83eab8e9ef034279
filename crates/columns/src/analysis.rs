//! A file of games as a directory of Parquet files: in parts, resumed when interrupted, shared among machines.

use crate::parquet::Writer;
use crate::part::{Part, Parts};
use crate::reviewers::Reviewers;
use crate::row::GameRows;
use ::parquet::errors::ParquetError;
use chess::pgn::{PgnFault, PgnGame};
use engine::{OptionError, SearchError, StopToken};
pub use journal::JournalError;
use journal::{Existing, Journal, Output, Plan};
use review::{ReviewError, Settings};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The largest part that is read, for files that have no place to cut.
const MOST_BYTES: u64 = 1 << 28;

/// What to analyse, how, and where to write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The games.
    pub input: PathBuf,
    /// Where to write a Parquet file for each part, and which of them are written. Made if it is not there.
    pub directory: PathBuf,
    /// How thoroughly to look.
    pub settings: Settings,
    /// The size of the parts.
    pub part_bytes: u64,
    /// Which parts to do.
    pub shard: Shard,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Begin again even if there are files.
    pub overwrite: bool,
}

/// One of several equal shares of the parts. What is written does not depend on their number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which, from 1.
    number: u64,
    /// Of how many.
    count: u64,
}

/// A text is no share.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a share is written I/N, such as 1/4 for the first of four")]
pub struct ShardError;

impl Shard {
    /// Everything.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    const fn has(self, part: u64) -> bool {
        part % self.count == self.number - 1
    }

    /// What names of files say of it.
    fn suffix(self) -> String {
        if self == Self::WHOLE { String::new() } else { format!("-{}-of-{}", self.number, self.count) }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, count) = text.split_once('/').ok_or(ShardError)?;
        let read = |text: &str| text.parse().map_err(|_| ShardError);
        let (number, count) = (read(number)?, read(count)?);
        if number == 0 || number > count { Err(ShardError) } else { Ok(Self { number, count }) }
    }
}

/// What is reported during the work.
#[derive(Debug)]
pub enum AnalysisEvent<'a> {
    /// The work is resumed; this much of the file is done.
    Resumed {
        /// Games done.
        games: u64,
        /// Bytes done.
        bytes: u64,
    },
    /// Something is wrong with a game, which is analysed as far as it can be read.
    Fault(&'a PgnFault),
    /// Another game is done.
    Game,
    /// Bytes of the input that are done, and bytes in all.
    Bytes(u64, u64),
}

/// How the work ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Games read, those without moves included.
    pub games: u64,
    /// Games that have no rows, because nothing of their moves can be read.
    pub faulty: u64,
    /// Moves written.
    pub rows: u64,
    /// Files written.
    pub parts: u64,
}

/// Why the work cannot be done.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AnalysisError {
    #[error("{}: {error}", path.display())]
    Input { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Output(#[from] JournalError),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the rows cannot be written as Parquet: {0}")]
    Parquet(#[from] ParquetError),
    #[error("the work was stopped")]
    Cancelled,
    #[error(
        "{}: {bytes} bytes without a place to cut, which is before a tag Event after an empty line; \
         gardez pgn clean writes the games so",
        path.display()
    )]
    TooLong { path: PathBuf, bytes: u64 },
}

impl From<ReviewError> for AnalysisError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Cancelled => Self::Cancelled,
            ReviewError::Search(error) => Self::Search(error),
        }
    }
}

/// A part as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysedPart {
    /// The Parquet file.
    pub file: Vec<u8>,
    /// What is in it.
    pub summary: Summary,
    /// What is wrong with its games.
    pub faults: Vec<PgnFault>,
}

/// Analyses a part of a file. The same part with the same settings gives the same bytes.
///
/// # Errors
/// When the file cannot be read, the work is stopped, or the engine fails.
pub fn analyse_part(
    path: &Path,
    parts: &mut Parts,
    part: &Part,
    reviewers: &mut Reviewers,
    on_game: impl FnMut(usize),
) -> Result<AnalysedPart, AnalysisError> {
    let bytes = part.range.end.saturating_sub(part.range.start);
    if bytes > MOST_BYTES.max(parts.part_bytes().saturating_mul(2)) {
        return Err(AnalysisError::TooLong { path: path.to_owned(), bytes });
    }
    let input_error = |error| AnalysisError::Input { path: path.to_owned(), error };
    let mut games = parts.games(part).map_err(input_error)?;
    let mut summary = Summary { games: games.len() as u64, parts: 1, ..Summary::default() };
    let faults: Vec<PgnFault> = games.iter_mut().flat_map(|game| std::mem::take(&mut game.faults)).collect();
    let numbered = games.into_iter().zip(part.games_before + 1..).filter(|(game, _)| has_moves(game));
    let (games, numbers): (Vec<PgnGame>, Vec<u64>) = numbered.unzip();
    summary.faulty = summary.games - games.len() as u64;
    let reviews = reviewers.review(&games, on_game)?;
    let mut writer = Writer::new(Vec::new())?;
    for ((game, review), number) in games.iter().zip(&reviews).zip(numbers) {
        writer.push(&GameRows::reviewed(number, game, review))?;
    }
    let (file, rows) = writer.finish()?;
    summary.rows = rows;
    Ok(AnalysedPart { file, summary, faults })
}

fn has_moves(game: &PgnGame) -> bool {
    game.moves().next().is_some()
}

/// How much is done.
#[derive(Copy, Clone, Debug, Default, Serialize, Deserialize)]
struct Done {
    /// The part to be done next.
    next: u64,
    games_before: u64,
    lines_before: u64,
    #[serde(flatten)]
    summary: Summary,
}

/// What the list of files says of one.
#[derive(Serialize)]
struct Listed<'a> {
    file: &'a str,
    #[serde(flatten)]
    summary: Summary,
}

impl Analysis {
    /// The name of the file of a part.
    #[must_use]
    pub fn part_name(input: &Path, part: u64) -> String {
        format!("{}-{part:06}.parquet", stem(input))
    }

    /// The list of files that are complete. Programs that read the directory leave out names that begin with `_`.
    fn list(&self) -> PathBuf {
        self.directory.join(format!("_{}{}.jsonl", stem(&self.input), self.shard.suffix()))
    }

    fn state(&self) -> PathBuf {
        self.list().with_extension("state")
    }

    fn input_error(&self) -> impl Fn(io::Error) -> AnalysisError {
        |error| AnalysisError::Input { path: self.input.clone(), error }
    }

    fn output_error(&self) -> impl Fn(io::Error) -> JournalError {
        |error| JournalError::Io { path: self.directory.clone(), error }
    }

    /// Names and values of everything that decides what is written.
    fn work(&self) -> Result<Vec<(&'static str, String)>, AnalysisError> {
        let (bytes, checksum) = journal::checksum(&self.input).map_err(self.input_error())?;
        let Settings { nodes, depth, options } = &self.settings;
        let options: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("bytes of the input", bytes.to_string()),
            ("checksum of the input", format!("{checksum:016x}")),
            ("nodes", nodes.to_string()),
            ("depth", depth.map_or_else(|| "unlimited".to_owned(), |depth| depth.to_string())),
            ("options of the engine", options.join(" ")),
            ("bytes of a part", self.part_bytes.to_string()),
            ("share", format!("{}/{}", self.shard.number, self.shard.count)),
        ])
    }

    /// Removes the files of an earlier run, whose parts may have been others.
    fn remove_parts(&self) -> io::Result<()> {
        let prefix = format!("{}-", stem(&self.input));
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let part = name.strip_prefix(&prefix).and_then(|name| name.strip_suffix(".parquet"));
            if part.and_then(|part| part.parse().ok()).is_some_and(|part| self.shard.has(part)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn open_journal(&self) -> Result<(Journal, Done), AnalysisError> {
        fs::create_dir_all(&self.directory).map_err(self.output_error())?;
        let work = self.work()?;
        let existing = if self.overwrite { Existing::Overwrite } else { Existing::Resume };
        let (list, state) = (self.list(), self.state());
        let outputs = [Output { path: &list, beginning: "" }];
        let plan = Plan { outputs: &outputs, state: &state, work: &work, existing };
        let mut done = Done::default();
        let (journal, _) = Journal::open(&plan, |entry| done = entry)?;
        if self.overwrite {
            self.remove_parts().map_err(self.output_error())?;
        }
        Ok((journal, done))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "games".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Analyses all games of a file, or of a share of it, that are not analysed yet. Returns what is done by now, and whether
/// that is everything.
///
/// Neither the number of games at a time, nor the number of shares, nor interruptions by `stop` make a difference to
/// what is written.
///
/// # Errors
/// When a file cannot be read or written, belongs to other work, or an option does not fit.
pub fn run(
    analysis: &Analysis,
    stop: &StopToken,
    mut observe: impl FnMut(AnalysisEvent<'_>),
) -> Result<(Summary, bool), AnalysisError> {
    let mut parts = Parts::open(&analysis.input, analysis.part_bytes).map_err(analysis.input_error())?;
    let mut reviewers = Reviewers::new(&analysis.settings, analysis.concurrency, stop)?;
    let (mut journal, mut done) = analysis.open_journal()?;
    let total = parts.bytes();
    if done.next > 0 {
        let bytes = parts.range(done.next).map_err(analysis.input_error())?.start;
        observe(AnalysisEvent::Resumed { games: done.summary.games, bytes });
    }
    for index in done.next..parts.count() {
        let range = parts.range(index).map_err(analysis.input_error())?;
        if range.is_empty() {
            continue;
        }
        let Done { games_before, lines_before, .. } = done;
        let part = Part { range, games_before, lines_before };
        let size = parts.size(&part.range).map_err(analysis.input_error())?;
        done = Done {
            next: index + 1,
            games_before: games_before + size.games,
            lines_before: lines_before + size.lines,
            ..done
        };
        if !analysis.shard.has(index) {
            continue;
        }
        let on_game = |_| observe(AnalysisEvent::Game);
        let analysed = match analyse_part(&analysis.input, &mut parts, &part, &mut reviewers, on_game) {
            Err(AnalysisError::Cancelled) => return Ok((done.summary, false)),
            analysed => analysed?,
        };
        analysed.faults.iter().for_each(|fault| observe(AnalysisEvent::Fault(fault)));
        done.summary += analysed.summary;
        analysis.write(index, &analysed, &mut journal, &done)?;
        observe(AnalysisEvent::Bytes(part.range.end, total));
    }
    journal.finish(&[""])?;
    Ok((done.summary, true))
}

impl Analysis {
    fn write(
        &self,
        index: u64,
        analysed: &AnalysedPart,
        journal: &mut Journal,
        done: &Done,
    ) -> Result<(), JournalError> {
        let name = Self::part_name(&self.input, index);
        let path = self.directory.join(&name);
        journal::replace(&path, &analysed.file).map_err(|error| JournalError::Io { path, error })?;
        let listed = serde_json::to_string(&Listed { file: &name, summary: analysed.summary });
        let listed = listed.map_err(|error| self.output_error()(error.into()))?;
        journal.append(&[&format!("{listed}\n")], done)
    }
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.faulty += other.faulty;
        self.rows += other.rows;
        self.parts += other.parts;
    }
}
