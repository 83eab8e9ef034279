//! Outputs that only grow, and the state file next to them.
//!
//! The first line of the state says what the work is; each further line holds an entry and the length of
//! every output after it. All files are only appended to, the state last. Whatever interrupts that, the
//! state is true up to the last line whose lengths the outputs have; what comes after it is cut off.

use crate::{JournalError, at, lock, sync_directory};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A killed process loses nothing; a power failure, at most what was written in this time.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// What to do with files that exist.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Leave them alone and return an error.
    #[default]
    Refuse,
    /// Resume where they end; start if there is no state yet. Outputs without a state are left alone.
    Resume,
    /// Start again.
    Overwrite,
}

/// A file that grows.
#[derive(Copy, Clone, Debug)]
pub struct Output<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What it begins with.
    pub beginning: &'a str,
}

/// Which files belong to which work.
#[derive(Copy, Clone, Debug)]
pub struct Plan<'a> {
    /// The files that grow.
    pub outputs: &'a [Output<'a>],
    /// The state file.
    pub state: &'a Path,
    /// Names and values of everything that decides what is written. Only the same work is resumed.
    pub work: &'a [(&'a str, String)],
    /// What to do with files that exist.
    pub existing: Existing,
}

/// How a journal was opened.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The work begins.
    New,
    /// The work is resumed.
    Resumed {
        /// Entries found.
        entries: u64,
        /// Entries dropped, because the outputs have lost what belongs to them.
        lost: u64,
    },
}

/// The files of one piece of work. They belong to this process until the journal is dropped.
///
/// ```
/// use journal::{Existing, Journal, Output, Plan, Start};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("squares.txt");
/// let plan = Plan {
///     outputs: &[Output { path: &path, beginning: "Squares:\n" }],
///     state: &directory.path().join("squares.txt.state"),
///     work: &[("exponent", "2".to_owned())],
///     existing: Existing::Resume,
/// };
/// let mut last = 0_u64;
/// let (mut journal, _) = Journal::open(&plan, |number| last = number)?;
/// journal.append(&["1\n"], &1)?;
/// drop(journal);
///
/// let (mut journal, start) = Journal::open(&plan, |number| last = number)?;
/// assert_eq!((start, last), (Start::Resumed { entries: 1, lost: 0 }, 1));
/// journal.append(&["4\n"], &2)?;
/// journal.finish(&["That is all.\n"])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "Squares:\n1\n4\nThat is all.\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    outputs: Vec<GrowingFile>,
    state: GrowingFile,
    synced: Instant,
}

/// The first line of a state file.
#[derive(Serialize, Deserialize)]
struct Header {
    journal: u32,
    work: BTreeMap<String, String>,
    lengths: Vec<u64>,
}

/// The version of the format.
const VERSION: u32 = 1;

/// Every further line.
#[derive(Serialize, Deserialize)]
struct StateLine<E> {
    lengths: Vec<u64>,
    entry: E,
}

#[derive(Debug)]
struct GrowingFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl GrowingFile {
    fn open(path: &Path) -> Result<Self, JournalError> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(at(path))?;
        let length = file.metadata().map_err(at(path))?.len();
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Shortens the file; it never grows that way.
    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        let length = length.min(self.length);
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map_err(at(&self.path))?;
        self.length = length;
        Ok(())
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        self.file.write_all(text.as_bytes()).map_err(at(&self.path))?;
        self.length += text.len() as u64;
        Ok(())
    }

    fn append_json(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value).map_err(|error| at(&self.path)(error.into()))?;
        self.append(&format!("{line}\n"))
    }

    fn sync(&self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(at(&self.path))
    }
}

/// What a state file says, as far as the outputs agree.
struct Agreed {
    lengths: Vec<u64>,
    state_length: u64,
    entries: u64,
    lost: u64,
}

impl Journal {
    /// Opens the files. Calls `on_entry` with every entry that is there already, in order.
    ///
    /// # Errors
    /// When the files cannot be opened, are in use, or belong to other work; or when they exist and must
    /// not be touched.
    pub fn open<E: DeserializeOwned>(
        plan: &Plan<'_>,
        on_entry: impl FnMut(E),
    ) -> Result<(Self, Start), JournalError> {
        let has_state = plan.state.exists();
        let existing = plan.outputs.iter().map(|output| output.path).find(|path| path.exists());
        let in_the_way = match plan.existing {
            Existing::Refuse => existing.or(Some(plan.state).filter(|_| has_state)),
            Existing::Resume => existing.filter(|_| !has_state),
            Existing::Overwrite => None,
        };
        if let Some(path) = in_the_way {
            return Err(JournalError::Exists { path: path.to_owned(), resumable: has_state });
        }
        let state = GrowingFile::open(plan.state)?;
        lock(&state.file, &state.path)?;
        if plan.existing == Existing::Resume
            && state.length > 0
            && let Some(output) = plan.outputs.iter().find(|output| !output.path.exists())
        {
            let (path, state) = (output.path.to_owned(), plan.state.to_owned());
            return Err(JournalError::Missing { path, state });
        }
        let outputs =
            plan.outputs.iter().map(|output| GrowingFile::open(output.path)).collect::<Result<_, _>>()?;
        let mut journal = Self { outputs, state, synced: Instant::now() };
        let agreed = match plan.existing {
            Existing::Resume => journal.read_state(plan, on_entry)?,
            Existing::Refuse | Existing::Overwrite => None,
        };
        let Some(agreed) = agreed else {
            journal.begin(plan)?;
            return Ok((journal, Start::New));
        };
        journal.state.cut(agreed.state_length)?;
        for (output, length) in journal.outputs.iter_mut().zip(agreed.lengths) {
            output.cut(length)?;
        }
        Ok((journal, Start::Resumed { entries: agreed.entries, lost: agreed.lost }))
    }

    fn begin(&mut self, plan: &Plan<'_>) -> Result<(), JournalError> {
        self.state.cut(0)?;
        for (file, output) in self.outputs.iter_mut().zip(plan.outputs) {
            file.cut(0)?;
            file.append(output.beginning)?;
        }
        let work = plan.work.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let header = Header { journal: VERSION, work, lengths: self.lengths() };
        self.state.append_json(&header)?;
        self.sync()?;
        // The names of new files have to last too.
        for file in self.outputs.iter().chain([&self.state]) {
            sync_directory(&file.path).map_err(at(&file.path))?;
        }
        Ok(())
    }

    /// Goes through the state as far as the outputs agree with it; nothing if they never do.
    fn read_state<E: DeserializeOwned>(
        &self,
        plan: &Plan<'_>,
        mut on_entry: impl FnMut(E),
    ) -> Result<Option<Agreed>, JournalError> {
        let path = &self.state.path;
        let mut reader = BufReader::new(&self.state.file);
        let mut line = Vec::new();
        // A line that is not ended was being written when the process ended.
        let mut next_line = |line: &mut Vec<u8>| -> Result<bool, JournalError> {
            line.clear();
            reader.read_until(b'\n', line).map_err(at(path))?;
            Ok(line.ends_with(b"\n"))
        };
        if !next_line(&mut line)? {
            return Ok(None);
        }
        let damaged = |line| JournalError::Damaged { path: path.clone(), line };
        let header: Header = serde_json::from_slice(&line).map_err(|_| damaged(1))?;
        if header.journal != VERSION {
            return Err(damaged(1));
        }
        let mut differences = differences(&header.work, plan.work);
        if header.lengths.len() != self.outputs.len() {
            differences.push(format!("files: were {}, are now {}", header.lengths.len(), self.outputs.len()));
        }
        if !differences.is_empty() {
            return Err(JournalError::OtherWork { path: path.clone(), differences });
        }
        if !self.have(&header.lengths) {
            return Ok(None);
        }
        let state_length = line.len() as u64;
        let mut agreed = Agreed { lengths: header.lengths, state_length, entries: 0, lost: 0 };
        while next_line(&mut line)? {
            let number = 2 + agreed.entries + agreed.lost;
            // No line has zeros: a power failure has left a hole where the file had grown.
            if agreed.lost > 0 || line.contains(&0) {
                agreed.lost += 1;
                continue;
            }
            let StateLine { lengths, entry } = serde_json::from_slice(&line).map_err(|_| damaged(number))?;
            if !self.have(&lengths) {
                agreed.lost += 1;
                continue;
            }
            agreed.lengths = lengths;
            agreed.state_length += line.len() as u64;
            agreed.entries += 1;
            on_entry(entry);
        }
        Ok(Some(agreed))
    }

    /// Whether the outputs are at least so long.
    fn have(&self, lengths: &[u64]) -> bool {
        lengths.len() == self.outputs.len()
            && self.outputs.iter().zip(lengths).all(|(output, &length)| length <= output.length)
    }

    fn lengths(&self) -> Vec<u64> {
        self.outputs.iter().map(|output| output.length).collect()
    }

    /// Appends a text to each output, in the order of the plan, and an entry that says what is done now.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn append(&mut self, texts: &[&str], entry: &impl Serialize) -> Result<(), JournalError> {
        for (output, text) in self.outputs.iter_mut().zip(texts) {
            output.append(text)?;
        }
        let line = StateLine { lengths: self.lengths(), entry };
        self.state.append_json(&line)?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// The state goes last, so that it never knows of more than the outputs have.
    fn sync(&mut self) -> Result<(), JournalError> {
        self.outputs.iter().try_for_each(GrowingFile::sync)?;
        self.state.sync()?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Appends the end of each output and removes the state: the work is done.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(mut self, ends: &[&str]) -> Result<(), JournalError> {
        for (output, end) in self.outputs.iter_mut().zip(ends) {
            output.append(end)?;
        }
        self.sync()?;
        let removed = fs::remove_file(&self.state.path).and_then(|()| sync_directory(&self.state.path));
        removed.map_err(at(&self.state.path))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Whoever wants to hear of an error calls `finish`.
        let _ = self.sync();
    }
}

fn differences(there: &BTreeMap<String, String>, here: &[(&str, String)]) -> Vec<String> {
    let changed = here.iter().filter_map(|(name, value)| match there.get(*name) {
        Some(old) if old == value => None,
        Some(old) => Some(format!("{name} was {old} and is now {value}")),
        None => Some(format!("{name} is now {value}")),
    });
    let is_gone = |name: &str| here.iter().all(|(other, _)| *other != name);
    let gone = there.iter().filter(|(name, _)| is_gone(name)).map(|(name, old)| format!("{name} was {old}"));
    changed.chain(gone).collect()
}
