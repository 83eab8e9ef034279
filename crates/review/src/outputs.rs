//! Files that grow game by game, and the state beside them that lets an interrupted work go on.
//!
//! The first line of the state says what is being done; every further line says how many games are done
//! and how long each file was then. All are only ever appended to, the state last. Whatever interrupts
//! that, the longest state whose lengths the files have is true; what comes after it is cut off.

use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why results cannot be kept or found again.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OutputError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{} exists already; --overwrite begins again", .0.display())]
    Exists(PathBuf),
    #[error(
        "{} belongs to other work; give the options of then to go on with it, or --overwrite to begin again:\n  \
         {there}\nis not\n  {here}",
        path.display()
    )]
    OtherWork { path: PathBuf, there: String, here: String },
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
}

#[derive(Serialize, Deserialize)]
struct Head {
    /// Everything that decides what is written.
    work: String,
}

/// How much of the input is done.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Games read, faulty ones included.
    pub games: u64,
    /// Faulty games.
    pub faulty: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    done: Done,
    lengths: Vec<u64>,
}

struct Output {
    path: PathBuf,
    file: File,
    length: u64,
}

/// The files of one piece of work.
pub(crate) struct Outputs {
    files: Vec<Output>,
    state: Output,
}

fn at(path: &Path) -> impl Fn(io::Error) -> OutputError {
    let path = path.to_owned();
    move |error| OutputError::Io { path: path.clone(), error }
}

impl Output {
    fn open(path: &Path) -> Result<Self, OutputError> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(at(path))?;
        let length = file.metadata().map_err(at(path))?.len();
        Ok(Self { path: path.to_owned(), file, length })
    }

    fn cut(&mut self, length: u64) -> Result<(), OutputError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map_err(at(&self.path))?;
        self.length = length;
        Ok(())
    }

    fn append(&mut self, text: &str) -> Result<(), OutputError> {
        self.file.write_all(text.as_bytes()).map_err(at(&self.path))?;
        self.length += text.len() as u64;
        Ok(())
    }

    fn append_json(&mut self, value: &impl Serialize) -> Result<(), OutputError> {
        let line = serde_json::to_string(value).map_err(|error| at(&self.path)(error.into()))?;
        self.append(&format!("{line}\n"))
    }
}

impl Outputs {
    /// Opens the files with their beginnings, and finds out what is done already.
    pub fn open(
        files: &[(&Path, String)],
        state: &Path,
        work: &str,
        overwrite: bool,
    ) -> Result<(Self, Done), OutputError> {
        if !overwrite
            && !state.exists()
            && let Some((path, _)) = files.iter().find(|(path, _)| path.exists())
        {
            return Err(OutputError::Exists(path.to_path_buf()));
        }
        let state = Output::open(state)?;
        match state.file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(OutputError::InUse(state.path)),
            // Where a file system knows no locks, we do without.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let opened = files.iter().map(|(path, _)| Output::open(path)).collect::<Result<Vec<_>, _>>()?;
        let mut outputs = Self { files: opened, state };
        let resumed = if overwrite { None } else { outputs.resume(work)? };
        let done = match resumed {
            Some(done) => done,
            None => outputs.begin(files, work)?,
        };
        Ok((outputs, done))
    }

    fn begin(&mut self, files: &[(&Path, String)], work: &str) -> Result<Done, OutputError> {
        self.state.cut(0)?;
        self.state.append_json(&Head { work: work.to_owned() })?;
        for (output, (_, beginning)) in self.files.iter_mut().zip(files) {
            output.cut(0)?;
            output.append(beginning)?;
        }
        self.note(Done::default())?;
        Ok(Done::default())
    }

    /// Goes back to the last moment that the state and all files know of; none if there is no such.
    fn resume(&mut self, work: &str) -> Result<Option<Done>, OutputError> {
        let path = &self.state.path;
        let mut reader = BufReader::new(&self.state.file);
        let mut line = Vec::new();
        let mut next_line = |line: &mut Vec<u8>| -> Result<bool, OutputError> {
            line.clear();
            reader.read_until(b'\n', line).map_err(at(path))?;
            Ok(line.ends_with(b"\n"))
        };
        if !next_line(&mut line)? {
            return Ok(None);
        }
        let there = serde_json::from_slice(&line)
            .map_or_else(|_| String::from_utf8_lossy(&line).trim().to_owned(), |head: Head| head.work);
        if there != work {
            return Err(OutputError::OtherWork { path: path.clone(), there, here: work.to_owned() });
        }
        let mut state_length = line.len() as u64;
        let mut last = None;
        while next_line(&mut line)? {
            let Ok(entry) = serde_json::from_slice::<Entry>(&line) else { break };
            let fits = |(output, &length): (&Output, &u64)| length <= output.length;
            if entry.lengths.len() != self.files.len() || !self.files.iter().zip(&entry.lengths).all(fits) {
                break;
            }
            state_length += line.len() as u64;
            last = Some(entry);
        }
        let Some(entry) = last else { return Ok(None) };
        self.state.cut(state_length)?;
        for (output, length) in self.files.iter_mut().zip(entry.lengths) {
            output.cut(length)?;
        }
        Ok(Some(entry.done))
    }

    /// Appends to each file, and notes what is done thereby.
    pub fn append(&mut self, texts: &[&str], done: Done) -> Result<(), OutputError> {
        for (output, text) in self.files.iter_mut().zip(texts) {
            output.append(text)?;
        }
        self.note(done)
    }

    fn note(&mut self, done: Done) -> Result<(), OutputError> {
        let lengths = self.files.iter().map(|output| output.length).collect();
        self.state.append_json(&Entry { done, lengths })
    }

    /// Appends the ends of the files. The state is not needed any more.
    pub fn finish(mut self, ends: &[&str]) -> Result<(), OutputError> {
        for (output, end) in self.files.iter_mut().zip(ends) {
            output.append(end)?;
            output.file.sync_all().map_err(at(&output.path))?;
        }
        fs::remove_file(&self.state.path).map_err(at(&self.state.path))
    }
}
