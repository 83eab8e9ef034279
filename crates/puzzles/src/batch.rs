//! Whole files of games: several at once, puzzles written in the order of the games, resumed when interrupted.

use crate::csv;
use crate::finder::{FindError, Finder};
use chess::Variant;
use chess::pgn::{self, PgnFault, PgnGame, Visitor};
use engine::{OptionError, SearchError, StopToken};
pub use journal::JournalError;
use journal::{Existing, Journal, Output, Plan};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};

/// Games in memory for each thread: enough that a long game holds up no other thread.
const GAMES_AHEAD: u64 = 4;

/// What to do with which files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The games.
    pub input: PathBuf,
    /// Where to write the puzzles. The state of the work is kept next to it.
    pub output: PathBuf,
    /// Nodes to prove each move of a solution.
    pub nodes: u64,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Begin again even if there are files.
    pub overwrite: bool,
}

/// What is reported during the work.
#[derive(Debug)]
pub enum BatchEvent<'a> {
    /// The work is resumed, so far into the input.
    Resumed(Done, u64),
    /// Something is wrong with a game, which is searched all the same as far as it can be read.
    Fault(&'a PgnFault),
    /// How much of the work is done, and how many bytes of the input out of all.
    Progress(Done, u64, u64),
}

/// How much is done.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Done {
    /// Games read, those left out included.
    pub games: u64,
    /// Games left out because they are Chess960, which the file has no way to say.
    pub left_out: u64,
    /// Puzzles written.
    pub puzzles: u64,
}

/// How the work ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// What is done.
    pub done: Done,
    /// Whether the end of the input was reached.
    pub is_complete: bool,
}

/// Why the work cannot be done.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BatchError {
    #[error("{}: {error}", path.display())]
    Input { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Output(#[from] JournalError),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("{} cannot be written, since the games are read from it", .0.display())]
    SameFile(PathBuf),
    #[error("a thread that searches for puzzles has ended unexpectedly")]
    ThreadEnded,
}

/// What came of a game: the lines of its puzzles, or nothing if it is left out.
struct Searched {
    lines: Option<Vec<String>>,
    faults: Vec<PgnFault>,
}

/// A thread with a queue of games and one of what came of them.
struct Worker {
    games: Sender<PgnGame>,
    searched: Receiver<Result<Searched, FindError>>,
}

/// Accepts every game without looking at it twice.
struct Skip;

impl Visitor for Skip {}

/// Finds the puzzles of all games of a file that were not searched yet.
///
/// What is written does not depend on the number of games at a time, nor on interruptions by `stop`.
///
/// # Errors
/// When a file cannot be read or written, belongs to other work, or the engine fails.
pub fn run(
    batch: &Batch,
    stop: &StopToken,
    mut observe: impl FnMut(BatchEvent<'_>),
) -> Result<Summary, BatchError> {
    let input_error = |error| BatchError::Input { path: batch.input.clone(), error };
    let input = batch.input.canonicalize().map_err(input_error)?;
    if batch.output.canonicalize().is_ok_and(|output| output == input) {
        return Err(BatchError::SameFile(batch.output.clone()));
    }
    let (input_bytes, checksum) = journal::checksum(&batch.input).map_err(input_error)?;
    let work = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("bytes of the input", input_bytes.to_string()),
        ("checksum of the input", format!("{checksum:016x}")),
        ("nodes", batch.nodes.to_string()),
    ];
    let mut state = batch.output.as_os_str().to_owned();
    state.push(".state");
    let existing = if batch.overwrite { Existing::Overwrite } else { Existing::Resume };
    let outputs = [Output { path: &batch.output, beginning: csv::HEADING }];
    let plan = Plan { outputs: &outputs, state: state.as_ref(), work: &work, existing };
    let mut done = Done::default();
    let (journal, _) = Journal::open(&plan, |entry| done = entry)?;
    let mut coordinator = Coordinator {
        batch,
        reader: pgn::Reader::new(File::open(&batch.input).map_err(input_error)?),
        journal,
        read: 0,
        done,
        known: HashSet::new(),
        at_end: false,
        input_bytes,
    };
    coordinator.skip_done(&mut observe)?;
    let unwanted = stop.child();
    let finders = (0..batch.concurrency.get())
        .map(|_| Finder::new(batch.nodes, &unwanted))
        .collect::<Result<Vec<_>, OptionError>>()?;
    std::thread::scope(|scope| {
        let workers: Vec<Worker> = finders
            .into_iter()
            .map(|finder| {
                let (games, todo) = mpsc::channel();
                let (answers, searched) = mpsc::channel();
                scope.spawn(move || work_on(finder, &todo, &answers));
                Worker { games, searched }
            })
            .collect();
        let outcome = coordinator.run(&workers, stop, &mut observe);
        // What is under way is not wanted any more.
        unwanted.stop();
        outcome
    })?;
    coordinator.finish()
}

/// What a thread does: one game after the other, until there are none left or they are not wanted.
fn work_on(mut finder: Finder, todo: &Receiver<PgnGame>, answers: &Sender<Result<Searched, FindError>>) {
    for game in todo {
        if answers.send(search(&mut finder, game)).is_err() {
            return;
        }
    }
}

fn search(finder: &mut Finder, pgn: PgnGame) -> Result<Searched, FindError> {
    let game = pgn.playable();
    if game.variant() != Variant::Standard {
        return Ok(Searched { lines: None, faults: pgn.faults });
    }
    let url = ["Link", "Site"]
        .into_iter()
        .find_map(|tag| pgn.tags.get(tag).filter(|text| text.starts_with("http")));
    let lines = finder.find(&game)?.iter().map(|puzzle| csv::line(puzzle, url)).collect();
    Ok(Searched { lines: Some(lines), faults: pgn.faults })
}

/// Reads the input, hands its games out in turn, and writes what comes back in the same order.
struct Coordinator<'a> {
    batch: &'a Batch,
    reader: pgn::Reader<File>,
    journal: Journal,
    /// Games read.
    read: u64,
    done: Done,
    /// Identifiers of the puzzles that are written: the same mistake may be made in many games.
    known: HashSet<String>,
    at_end: bool,
    input_bytes: u64,
}

impl Coordinator<'_> {
    fn skip_done(&mut self, observe: &mut impl FnMut(BatchEvent<'_>)) -> Result<(), BatchError> {
        if self.done.games == 0 {
            return Ok(());
        }
        while self.read < self.done.games
            && self.reader.visit_game(&mut Skip).map_err(|error| self.unreadable(error))?
        {
            self.read += 1;
        }
        let path = &self.batch.output;
        let written =
            fs::read_to_string(path).map_err(|error| JournalError::Io { path: path.clone(), error })?;
        self.known = written.lines().skip(1).map(|line| id(line).to_owned()).collect();
        observe(BatchEvent::Resumed(self.done, self.reader.bytes_read()));
        Ok(())
    }

    fn unreadable(&self, error: pgn::PgnError) -> BatchError {
        BatchError::Input { path: self.batch.input.clone(), error: error.source }
    }

    fn run(
        &mut self,
        workers: &[Worker],
        stop: &StopToken,
        observe: &mut impl FnMut(BatchEvent<'_>),
    ) -> Result<(), BatchError> {
        let worker_of = |game: u64| &workers[(game % workers.len() as u64) as usize];
        let ahead = workers.len() as u64 * GAMES_AHEAD;
        loop {
            while !self.at_end && self.read < self.done.games + ahead {
                match self.reader.next() {
                    Some(game) => {
                        let game = game.map_err(|error| self.unreadable(error))?;
                        worker_of(self.read).games.send(game).map_err(|_| BatchError::ThreadEnded)?;
                        self.read += 1;
                    }
                    None => self.at_end = true,
                }
            }
            if self.done.games == self.read || stop.is_stopped() {
                return Ok(());
            }
            match worker_of(self.done.games).searched.recv() {
                Ok(Ok(searched)) => self.write(&searched, observe)?,
                Ok(Err(FindError::Cancelled)) => return Ok(()),
                Ok(Err(FindError::Search(error))) => return Err(error.into()),
                Err(_) => return Err(BatchError::ThreadEnded),
            }
        }
    }

    fn write(
        &mut self,
        searched: &Searched,
        observe: &mut impl FnMut(BatchEvent<'_>),
    ) -> Result<(), BatchError> {
        self.done.games += 1;
        self.done.left_out += u64::from(searched.lines.is_none());
        let mut text = String::new();
        for line in searched.lines.iter().flatten() {
            if self.known.insert(id(line).to_owned()) {
                self.done.puzzles += 1;
                text.push_str(line);
            }
        }
        self.journal.append(&[&text], &self.done)?;
        searched.faults.iter().for_each(|fault| observe(BatchEvent::Fault(fault)));
        observe(BatchEvent::Progress(self.done, self.reader.bytes_read(), self.input_bytes));
        Ok(())
    }

    fn finish(self) -> Result<Summary, BatchError> {
        let is_complete = self.at_end && self.done.games == self.read;
        if is_complete {
            self.journal.finish(&[""])?;
        }
        Ok(Summary { done: self.done, is_complete })
    }
}

fn id(line: &str) -> &str {
    line.split(',').next().unwrap_or_default()
}
