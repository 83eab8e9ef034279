//! Whole files of games: several at once, written in their order, resumed when interrupted.

use crate::annotate::{self, Style};
use crate::record::GameRecord;
use crate::reviewer::{ReviewError, Reviewer, Settings};
use crate::{Review, graph, html};
use chess::pgn::{self, PgnError, PgnFault, PgnGame, Visitor};
use engine::{OptionError, SearchError, StopToken};
pub use journal::JournalError;
use journal::{Existing, Journal, Output, Plan};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};

/// Games in memory for each thread: enough that a long game holds up no other thread.
const GAMES_AHEAD: usize = 4;

/// What to do with which files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The games.
    pub input: PathBuf,
    /// Where to write them with their annotations. The state of the work is kept next to it.
    pub pgn: PathBuf,
    /// Where to write a [`GameRecord`] of each game, one in a line.
    pub json: Option<PathBuf>,
    /// Where to write a report: a page for all games if the name ends in `.html`, or else a directory with a
    /// page and a picture for each game.
    pub report: Option<PathBuf>,
    /// How thoroughly to look.
    pub settings: Settings,
    /// How to annotate.
    pub style: Style,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Begin again even if there are files.
    pub overwrite: bool,
}

/// What is reported during the work.
#[derive(Debug)]
pub enum BatchEvent<'a> {
    /// The work is resumed.
    Resumed {
        /// Games done.
        games: u64,
        /// Bytes done.
        bytes: u64,
    },
    /// A game is done.
    Reviewed(&'a GameRecord),
    /// Of a game nothing can be read, and it is left out.
    Faulty(&'a PgnFault),
    /// Something is wrong with a game that is reviewed all the same, as far as it can be read.
    Fault(&'a PgnFault),
    /// Bytes of the input that are done, and bytes in all.
    Bytes(u64, u64),
}

/// How the work ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Games read, faulty ones included.
    pub games: u64,
    /// Faulty games.
    pub faulty: u64,
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
    #[error("{} cannot be written, since it is needed for something else", .0.display())]
    SameFile(PathBuf),
    #[error("a thread that reviews games has ended unexpectedly")]
    ThreadEnded,
}

/// How much of the input is done.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Done {
    /// Games read, faulty ones included.
    games: u64,
    /// Faulty games.
    faulty: u64,
}

impl Batch {
    fn state(&self) -> PathBuf {
        let mut name = self.pgn.as_os_str().to_owned();
        name.push(".state");
        name.into()
    }

    fn report_directory(&self) -> Option<&Path> {
        let is_page =
            |path: &Path| path.extension().is_some_and(|extension| extension == "html" || extension == "htm");
        self.report.as_deref().filter(|path| !is_page(path))
    }

    /// The file of the report that grows with each game.
    fn report_file(&self) -> Option<PathBuf> {
        match self.report_directory() {
            Some(directory) => Some(directory.join("index.html")),
            None => self.report.clone(),
        }
    }

    /// Of what belongs to the games, the records and the report that which is wanted, in the order in which
    /// the files are opened.
    fn wanted<T>(&self, pgn: T, json: T, report: T) -> Vec<T> {
        let json = self.json.as_ref().map(|_| json);
        let report = self.report.as_ref().map(|_| report);
        [Some(pgn), json, report].into_iter().flatten().collect()
    }

    fn input_error(&self) -> impl Fn(io::Error) -> BatchError {
        |error| BatchError::Input { path: self.input.clone(), error }
    }

    fn check_paths(&self, outputs: &[&PathBuf]) -> Result<(), BatchError> {
        let state = self.state();
        let input = self.input.canonicalize().map_err(self.input_error())?;
        let mut taken = vec![input.clone(), state];
        for path in outputs {
            // What does not exist yet cannot be the input.
            let is_input = path.canonicalize().is_ok_and(|path| path == input);
            if is_input || taken.contains(path) {
                return Err(BatchError::SameFile((*path).clone()));
            }
            taken.push((*path).clone());
        }
        Ok(())
    }

    /// Names and values of everything that decides what is written.
    fn work(&self, outputs: &[&PathBuf], input_bytes: u64, checksum: u64) -> Vec<(&'static str, String)> {
        let Settings { nodes, depth, options } = &self.settings;
        let options: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let outputs: Vec<String> = outputs.iter().map(|path| path.display().to_string()).collect();
        let yes_or_no = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
        vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("bytes of the input", input_bytes.to_string()),
            ("checksum of the input", format!("{checksum:016x}")),
            ("nodes", nodes.to_string()),
            ("depth", depth.map_or_else(|| "unlimited".to_owned(), |depth| depth.to_string())),
            ("options of the engine", options.join(" ")),
            ("all lines", yes_or_no(self.style.all_lines)),
            ("clean", yes_or_no(self.style.clean)),
            ("annotator", self.style.annotator.clone()),
            ("outputs", outputs.join(" ")),
        ]
    }
}

/// A game on its way to a reviewer.
struct Task {
    number: u64,
    game: PgnGame,
}

/// What comes of a game, as it is written.
struct Written {
    record: GameRecord,
    faults: Vec<PgnFault>,
    pgn: String,
    /// What the growing file of the report gets.
    report: String,
    /// The page and the picture of the game, if it gets its own.
    own: Option<(String, String)>,
}

/// A game that is done but may have to wait for those before it.
enum Finished {
    Reviewed(Box<Written>),
    Faulty(PgnFault),
}

/// What a thread answers: the number of the game and what came of it.
type Answer = (u64, Result<Box<Written>, ReviewError>);

/// Reads the input, hands its games out, and writes what comes back.
struct Coordinator<'a> {
    batch: &'a Batch,
    reader: pgn::Reader<File>,
    journal: Journal,
    done: Done,
    /// Games read.
    read: u64,
    /// Where each game that is not written yet ends in the input.
    ends: BTreeMap<u64, u64>,
    /// Games that wait for those before them.
    finished: BTreeMap<u64, Finished>,
    at_end: bool,
    input_bytes: u64,
}

/// Accepts every game without looking at it twice.
struct Skip;

impl Visitor for Skip {}

/// Reviews all games of a file that are not reviewed yet.
///
/// What is written does not depend on the number of games at a time, nor on interruptions by `stop`.
///
/// # Errors
/// When a file cannot be read or written, belongs to other work, or an option does not fit.
pub fn run(
    batch: &Batch,
    stop: &StopToken,
    mut observe: impl FnMut(BatchEvent<'_>),
) -> Result<Summary, BatchError> {
    let report = batch.report_file().unwrap_or_default();
    let json = batch.json.clone().unwrap_or_default();
    let paths = batch.wanted(&batch.pgn, &json, &report);
    batch.check_paths(&paths)?;
    let (input_bytes, checksum) = journal::checksum(&batch.input).map_err(batch.input_error())?;
    let work = batch.work(&paths, input_bytes, checksum);
    let reviewers = (0..batch.concurrency.get())
        .map(|_| Reviewer::new(batch.settings.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(directory) = batch.report_directory() {
        fs::create_dir_all(directory)
            .map_err(|error| JournalError::Io { path: directory.to_owned(), error })?;
    }
    let title = format!("Review of {}", batch.input.file_name().unwrap_or_default().to_string_lossy());
    let beginnings = batch.wanted(String::new(), String::new(), html::head(&title));
    let outputs: Vec<Output<'_>> =
        paths.iter().zip(&beginnings).map(|(path, beginning)| Output { path, beginning }).collect();
    let existing = if batch.overwrite { Existing::Overwrite } else { Existing::Resume };
    let plan = Plan { outputs: &outputs, state: &batch.state(), work: &work, existing };
    let mut done = Done::default();
    let (journal, _) = Journal::open(&plan, |entry| done = entry)?;
    let mut coordinator = Coordinator {
        batch,
        reader: pgn::Reader::new(File::open(&batch.input).map_err(batch.input_error())?),
        journal,
        done,
        read: 0,
        ends: BTreeMap::new(),
        finished: BTreeMap::new(),
        at_end: false,
        input_bytes,
    };
    coordinator.skip_done(&mut observe)?;
    coordinator.run(reviewers, stop, &mut observe)
}

impl Coordinator<'_> {
    fn skip_done(&mut self, observe: &mut impl FnMut(BatchEvent<'_>)) -> Result<(), BatchError> {
        if self.done.games == 0 {
            return Ok(());
        }
        while self.read < self.done.games {
            if !self.reader.visit_game(&mut Skip).map_err(|error| self.unreadable(error))? {
                break;
            }
            self.read += 1;
        }
        observe(BatchEvent::Resumed { games: self.done.games, bytes: self.reader.bytes_read() });
        Ok(())
    }

    fn unreadable(&self, error: PgnError) -> BatchError {
        self.batch.input_error()(error.source)
    }

    fn run(
        mut self,
        reviewers: Vec<Reviewer>,
        stop: &StopToken,
        observe: &mut impl FnMut(BatchEvent<'_>),
    ) -> Result<Summary, BatchError> {
        let (tasks, todo) = mpsc::channel();
        let (answers, answered) = mpsc::channel();
        let todo = Mutex::new(todo);
        let unwanted = stop.child();
        std::thread::scope(|scope| {
            for reviewer in reviewers {
                let (todo, answers, batch) = (&todo, answers.clone(), self.batch);
                let reviewer = reviewer.until(&unwanted);
                scope.spawn(move || work(reviewer, batch, todo, &answers));
            }
            drop(answers);
            let outcome = self.coordinate(&tasks, &answered, stop, observe);
            // The results of games under way are not wanted any more.
            unwanted.stop();
            drop(tasks);
            outcome
        })?;
        let Done { games, faulty } = self.done;
        let is_complete = self.at_end && self.ends.is_empty();
        if is_complete {
            let foot = html::foot(games - faulty, faulty);
            self.journal.finish(&self.batch.wanted("", "", &foot))?;
        }
        Ok(Summary { games, faulty, is_complete })
    }

    fn coordinate(
        &mut self,
        tasks: &Sender<Task>,
        answers: &Receiver<Answer>,
        stop: &StopToken,
        observe: &mut impl FnMut(BatchEvent<'_>),
    ) -> Result<(), BatchError> {
        let ahead = self.batch.concurrency.get() * GAMES_AHEAD;
        loop {
            while !self.at_end && self.ends.len() < ahead && !stop.is_stopped() {
                self.read_game(tasks)?;
            }
            self.write_finished(observe)?;
            if stop.is_stopped() || self.at_end && self.ends.is_empty() {
                return Ok(());
            }
            if self.ends.is_empty() {
                // All games read were faulty.
                continue;
            }
            match answers.recv() {
                Ok((number, Ok(written))) => self.finished.insert(number, Finished::Reviewed(written)),
                Ok((_, Err(ReviewError::Cancelled))) => return Ok(()),
                Ok((_, Err(ReviewError::Search(error)))) => return Err(error.into()),
                Err(_) => return Err(BatchError::ThreadEnded),
            };
        }
    }

    fn read_game(&mut self, tasks: &Sender<Task>) -> Result<(), BatchError> {
        let Some(read) = self.reader.next() else {
            self.at_end = true;
            return Ok(());
        };
        self.read += 1;
        let number = self.read;
        let mut game = read.map_err(|error| self.unreadable(error))?;
        if game.is_cut_short() && game.line.moves.is_empty() {
            self.finished.insert(number, Finished::Faulty(game.faults.swap_remove(0)));
        } else {
            tasks.send(Task { number, game }).map_err(|_| BatchError::ThreadEnded)?;
        }
        self.ends.insert(number, self.reader.bytes_read());
        Ok(())
    }

    /// Writes the games whose turn it is.
    fn write_finished(&mut self, observe: &mut impl FnMut(BatchEvent<'_>)) -> Result<(), BatchError> {
        while let Some(finished) = self.finished.remove(&(self.done.games + 1)) {
            self.done.games += 1;
            match finished {
                Finished::Reviewed(written) => {
                    self.write(&written)?;
                    written.faults.iter().for_each(|fault| observe(BatchEvent::Fault(fault)));
                    observe(BatchEvent::Reviewed(&written.record));
                }
                Finished::Faulty(fault) => {
                    self.done.faulty += 1;
                    let json = format!("{}\n", json!({ "game": fault.game, "error": fault.to_string() }));
                    let report = html::fault(&fault.to_string());
                    self.append("", &json, &report)?;
                    observe(BatchEvent::Faulty(&fault));
                }
            }
            if let Some(end) = self.ends.remove(&self.done.games) {
                observe(BatchEvent::Bytes(end, self.input_bytes));
            }
        }
        Ok(())
    }

    fn write(&mut self, written: &Written) -> Result<(), BatchError> {
        if let (Some(directory), Some((page, picture))) = (self.batch.report_directory(), &written.own) {
            let name = own_name(self.done.games);
            for (extension, text) in [("html", page), ("svg", picture)] {
                let path = directory.join(format!("{name}.{extension}"));
                fs::write(&path, text).map_err(|error| JournalError::Io { path, error })?;
            }
        }
        let record = serde_json::to_string(&written.record);
        let record =
            record.map_err(|error| JournalError::Io { path: self.batch.pgn.clone(), error: error.into() })?;
        self.append(&written.pgn, &format!("{record}\n"), &written.report)
    }

    fn append(&mut self, pgn: &str, json: &str, report: &str) -> Result<(), BatchError> {
        let texts = self.batch.wanted(pgn, json, report);
        Ok(self.journal.append(&texts, &self.done)?)
    }
}

fn own_name(number: u64) -> String {
    format!("game-{number:06}")
}

/// What a thread does: one game after the other, until there are none left or they are not wanted.
fn work(mut reviewer: Reviewer, batch: &Batch, todo: &Mutex<Receiver<Task>>, answers: &Sender<Answer>) {
    loop {
        let task = todo.lock().ok().and_then(|todo| todo.recv().ok());
        let Some(task) = task else { return };
        let number = task.number;
        let review = reviewer.review_pgn(&task.game, &mut |_| ControlFlow::Continue(()));
        let answer = review.map(|review| Box::new(written(batch, task, &review)));
        if answers.send((number, answer)).is_err() {
            return;
        }
    }
}

fn written(batch: &Batch, Task { number, mut game }: Task, review: &Review) -> Written {
    let record = GameRecord::new(number, &game, review);
    let (report, own) = if batch.report_directory().is_some() {
        let heading = html::heading(&game);
        let name = own_name(number);
        let section = html::section(number, &game, review);
        let page = [html::head(&heading), section, html::foot(1, 0)].concat();
        let picture = graph::svg(review, &heading);
        (html::index_line(number, &game, review, &format!("{name}.html")), Some((page, picture)))
    } else if batch.report.is_some() {
        (html::section(number, &game, review), None)
    } else {
        (String::new(), None)
    };
    let notes: String = game.faults.iter().map(|fault| html::fault_note(&fault.to_string())).collect();
    let report = if report.is_empty() { report } else { notes + &report };
    annotate::annotate(&mut game, review, &batch.style);
    Written { record, pgn: game.to_string(), faults: game.faults, report, own }
}
