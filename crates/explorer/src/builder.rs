//! From files of games to an index.

use crate::entry::{GameEntry, Speed};
use crate::runs::{self, Merge, Posting};
use crate::store::{About, KEY_SIZE, POSTING_SIZE, VERSION, names};
use crate::{ExplorerError, at};
use chess::pgn::{PgnFault, Reader, Visitor};
use chess::{GameResult, Move, Position};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// Postings sorted at once: 64 MiB, three times at most.
const POSTINGS_IN_MEMORY: usize = 4 << 20;
/// Games between two reports.
const GAMES_BETWEEN_REPORTS: u32 = 1024;
/// Half-moves of a game that are kept; a longer one is cut there.
const MOST_PLIES: usize = u16::MAX as usize;

/// How far the work has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BuildProgress {
    /// Games read, bytes of the files read.
    Reading(u32, u64),
    /// All games are read; the positions are put in order.
    Merging,
}

/// What was built.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildSummary {
    /// Games.
    pub games: u32,
    /// Games that are kept only up to a fault.
    pub cut_short: u32,
    /// Different positions.
    pub positions: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Indexes the games of some files, the positions of each up to a number of half-moves.
///
/// The index replaces one that is there only if `overwrite` says so. Until it is complete it grows in a directory next to its
/// own, which an interruption removes.
///
/// # Errors
/// When a file cannot be read or written, something else is in the way, or `report` breaks it off.
pub fn build(
    inputs: &[PathBuf],
    directory: &Path,
    plies: u16,
    overwrite: bool,
    mut report: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, ExplorerError> {
    if directory.exists() {
        if !directory.join(names::ABOUT).is_file() {
            return Err(ExplorerError::NotOurs(directory.to_owned()));
        }
        if !overwrite {
            return Err(ExplorerError::Exists(directory.to_owned()));
        }
    }
    let part = sibling(directory, ".part");
    if part.exists() {
        fs::remove_dir_all(&part).map_err(at(&part))?;
    }
    fs::create_dir_all(&part).map_err(at(&part))?;
    let built = build_in(inputs, &part, plies, &mut report);
    if built.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&part);
        return built;
    }
    if directory.exists() {
        let old = sibling(directory, ".old");
        journal::rename(directory, &old).map_err(at(directory))?;
        journal::rename(&part, directory).map_err(at(directory))?;
        fs::remove_dir_all(&old).map_err(at(&old))?;
    } else {
        journal::rename(&part, directory).map_err(at(directory))?;
    }
    built
}

fn sibling(directory: &Path, ending: &str) -> PathBuf {
    let mut name = directory.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn build_in(
    inputs: &[PathBuf],
    directory: &Path,
    plies: u16,
    report: &mut impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<BuildSummary, ExplorerError> {
    let mut collector = Collector::new(directory, plies)?;
    let runs = std::thread::scope(|scope| {
        // One thread reads games while another sorts what the first has found.
        let (full, to_sort) = mpsc::sync_channel::<Vec<Posting>>(1);
        let sorter = scope.spawn(move || -> Result<Vec<PathBuf>, ExplorerError> {
            let mut paths = Vec::new();
            for postings in to_sort {
                let path = directory.join(format!("run-{}", paths.len()));
                runs::write(&path, postings)?;
                paths.push(path);
            }
            Ok(paths)
        });
        let read = collector.read_all(inputs, &full, report);
        drop(full);
        let sorted = sorter.join().map_err(|_| ExplorerError::ThreadEnded)?;
        // If the sorter has failed, the reader only knows that it is gone.
        let paths = sorted?;
        read.map(|()| paths)
    })?;
    let mut summary = collector.finish()?;
    if report(BuildProgress::Merging).is_break() {
        return Err(ExplorerError::Interrupted);
    }
    summary.positions = merge(runs, directory, report)?;
    let about = About { explorer: VERSION, games: summary.games, plies, start: Position::startpos().key().0 };
    let text = serde_json::to_string(&about).map_err(|error| at(directory)(error.into()))?;
    let path = directory.join(names::ABOUT);
    fs::write(&path, text).map_err(at(&path))?;
    for entry in fs::read_dir(directory).map_err(at(directory))? {
        let metadata = entry.and_then(|entry| entry.metadata()).map_err(at(directory))?;
        summary.bytes += metadata.len();
    }
    Ok(summary)
}

/// Writes keys and postings in order; the number of different positions.
fn merge(
    runs: Vec<PathBuf>,
    directory: &Path,
    report: &mut impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<u64, ExplorerError> {
    let mut keys = Output::create(directory, names::KEYS)?;
    let mut postings = Output::create(directory, names::POSTINGS)?;
    let mut merge = Merge::new(runs)?;
    let (mut last, mut written, mut positions) = (None, 0_u32, 0);
    while let Some(Posting { key, game, mv }) = merge.next()? {
        if last != Some(key) {
            let mut entry = [0; KEY_SIZE];
            entry[..8].copy_from_slice(&key.to_le_bytes());
            entry[8..].copy_from_slice(&written.to_le_bytes());
            keys.write(&entry)?;
            last = Some(key);
            positions += 1;
        }
        let mut entry = [0; POSTING_SIZE];
        entry[..4].copy_from_slice(&game.to_le_bytes());
        entry[4..].copy_from_slice(&mv.to_le_bytes());
        postings.write(&entry)?;
        written = written.checked_add(1).ok_or(ExplorerError::TooMany)?;
        if written.is_multiple_of(1 << 20) && report(BuildProgress::Merging).is_break() {
            return Err(ExplorerError::Interrupted);
        }
    }
    keys.flush()?;
    postings.flush()?;
    Ok(positions)
}

struct Output {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl Output {
    fn create(directory: &Path, name: &str) -> Result<Self, ExplorerError> {
        let path = directory.join(name);
        let file = BufWriter::with_capacity(1 << 18, File::create(&path).map_err(at(&path))?);
        Ok(Self { path, file, length: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ExplorerError> {
        self.length += bytes.len() as u64;
        self.file.write_all(bytes).map_err(at(&self.path))
    }

    fn flush(&mut self) -> Result<(), ExplorerError> {
        self.file.flush().map_err(at(&self.path))
    }
}

/// Writes games as they are read, and collects where positions were reached.
struct Collector {
    games: Output,
    moves: Output,
    players: Output,
    numbers: HashMap<String, u32>,
    postings: Vec<Posting>,
    plies: usize,
    summary: BuildSummary,
    game: CurrentGame,
}

/// What is known of the game that is being read.
#[derive(Default)]
struct CurrentGame {
    names: [String; 2],
    ratings: [u16; 2],
    date: String,
    time_control: String,
    result_tag: GameResult,
    end: Option<GameResult>,
    start: Option<Position>,
    after: Option<Position>,
    moves: Vec<Move>,
    keys: Vec<u64>,
    most_keys: usize,
    depth: usize,
    is_over: bool,
    is_cut_short: bool,
}

impl Visitor for CurrentGame {
    fn begin_game(&mut self) {
        let (mut moves, mut keys) = (std::mem::take(&mut self.moves), std::mem::take(&mut self.keys));
        moves.clear();
        keys.clear();
        *self = Self { moves, keys, most_keys: self.most_keys, ..Self::default() };
    }

    fn tag(&mut self, name: &str, value: &str) {
        match name {
            "White" => value.clone_into(&mut self.names[0]),
            "Black" => value.clone_into(&mut self.names[1]),
            "WhiteElo" => self.ratings[0] = value.trim().parse().unwrap_or_default(),
            "BlackElo" => self.ratings[1] = value.trim().parse().unwrap_or_default(),
            "Date" => value.clone_into(&mut self.date),
            "UTCDate" if self.date.is_empty() => value.clone_into(&mut self.date),
            "TimeControl" => value.clone_into(&mut self.time_control),
            "Result" => self.result_tag = value.parse().unwrap_or_default(),
            _ => {}
        }
    }

    fn begin_moves(&mut self, start: &Position) -> ControlFlow<()> {
        self.start = Some(*start);
        self.after = Some(*start);
        ControlFlow::Continue(())
    }

    fn play(&mut self, before: &Position, mv: Move) {
        if self.depth > 0 || self.is_over {
            return;
        }
        if self.moves.len() == MOST_PLIES {
            self.is_over = true;
            return;
        }
        if self.moves.len() < self.most_keys {
            self.keys.push(before.key().0);
        }
        self.moves.push(mv);
        if self.moves.len() <= self.most_keys {
            self.after = Some(before.after(mv));
        }
    }

    fn pass(&mut self, _: &Position) {
        // A passed move is no move of chess: the game ends there.
        self.is_over |= self.depth == 0;
    }

    fn begin_variation(&mut self) {
        self.depth += 1;
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn fault(&mut self, fault: PgnFault) {
        self.is_cut_short |= self.depth == 0 && fault.costs_moves();
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.end = result.filter(|&result| result != GameResult::Unfinished);
    }
}

impl Collector {
    fn new(directory: &Path, plies: u16) -> Result<Self, ExplorerError> {
        Ok(Self {
            games: Output::create(directory, names::GAMES)?,
            moves: Output::create(directory, names::MOVES)?,
            players: Output::create(directory, names::PLAYERS)?,
            numbers: HashMap::new(),
            postings: Vec::new(),
            plies: plies.into(),
            summary: BuildSummary::default(),
            game: CurrentGame { most_keys: plies.into(), ..CurrentGame::default() },
        })
    }

    fn read_all(
        &mut self,
        inputs: &[PathBuf],
        full: &mpsc::SyncSender<Vec<Posting>>,
        report: &mut impl FnMut(BuildProgress) -> ControlFlow<()>,
    ) -> Result<(), ExplorerError> {
        let mut bytes_before = 0;
        for path in inputs {
            let mut reader = Reader::new(File::open(path).map_err(at(path))?);
            while reader.visit_game(&mut self.game).map_err(|error| at(path)(error.source))? {
                self.add()?;
                if self.postings.len() >= POSTINGS_IN_MEMORY {
                    self.send(full)?;
                }
                if self.summary.games.is_multiple_of(GAMES_BETWEEN_REPORTS) {
                    let bytes = bytes_before + reader.bytes_read();
                    if report(BuildProgress::Reading(self.summary.games, bytes)).is_break() {
                        return Err(ExplorerError::Interrupted);
                    }
                }
            }
            bytes_before += reader.bytes_read();
        }
        self.send(full)
    }

    fn send(&mut self, full: &mpsc::SyncSender<Vec<Posting>>) -> Result<(), ExplorerError> {
        full.send(std::mem::take(&mut self.postings)).map_err(|_| ExplorerError::ThreadEnded)
    }

    /// Adds the game that was just read. One without a position to start from is left out.
    fn add(&mut self) -> Result<(), ExplorerError> {
        let (Some(start), Some(after)) = (self.game.start, self.game.after) else {
            self.summary.cut_short += 1;
            return Ok(());
        };
        let number = self.summary.games;
        self.summary.games = number.checked_add(1).ok_or(ExplorerError::TooMany)?;
        self.summary.cut_short += u32::from(self.game.is_cut_short);
        let [white, black] = std::mem::take(&mut self.game.names);
        let entry = GameEntry {
            players: [self.player(&white)?, self.player(&black)?],
            ratings: self.game.ratings,
            day: self.game.date.parse().ok(),
            result: self.game.end.unwrap_or(self.game.result_tag),
            speed: Speed::of_time_control(&self.game.time_control),
            plies: self.game.moves.len() as u16,
            offset: self.moves.length,
        };
        self.games.write(&entry.to_bytes())?;
        self.write_moves(&start)?;
        let game = &mut self.game;
        if game.moves.len() <= self.plies {
            // The last position was reached too, though nothing was played in it.
            game.keys.push(after.key().0);
        }
        for (ply, &key) in game.keys.iter().enumerate() {
            // A game counts once for a position, however often it comes back to it.
            if !game.keys[..ply].contains(&key) {
                let mv = game.moves.get(ply).map_or(0, |mv| mv.to_bits());
                self.postings.push(Posting { key, game: number, mv });
            }
        }
        Ok(())
    }

    /// The start if it is not the usual one, behind its length, and the moves.
    fn write_moves(&mut self, start: &Position) -> Result<(), ExplorerError> {
        let fen = if *start == Position::startpos() { String::new() } else { start.to_fen() };
        self.moves.write(&[fen.len() as u8])?;
        self.moves.write(fen.as_bytes())?;
        let bytes: Vec<u8> = self.game.moves.iter().flat_map(|mv| mv.to_bits().to_le_bytes()).collect();
        self.moves.write(&bytes)
    }

    /// The number of a player, who gets one with the first game.
    fn player(&mut self, name: &str) -> Result<u32, ExplorerError> {
        let name: String = name.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        let number = u32::try_from(self.numbers.len()).map_err(|_| ExplorerError::TooMany)?;
        self.players.write(name.as_bytes())?;
        self.players.write(b"\n")?;
        self.numbers.insert(name, number);
        Ok(number)
    }

    fn finish(mut self) -> Result<BuildSummary, ExplorerError> {
        for output in [&mut self.games, &mut self.moves, &mut self.players] {
            output.flush()?;
        }
        Ok(self.summary)
    }
}
