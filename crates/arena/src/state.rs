//! The file that lets an interrupted match go on.
//!
//! Its first line says what is played, every further line holds the report of a game and how long the
//! file of games was after it. Both files are only ever appended to, the games first: whatever interrupts
//! them, going on can cut off what is incomplete.

use crate::record::GameReport;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
struct Head {
    /// Everything that decides which games are played.
    plan: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    pgn_bytes: u64,
    game: GameReport,
}

/// Why results cannot be kept or found again.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StateError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{} exists already; --resume goes on with it, --overwrite begins again", .0.display())]
    Exists(PathBuf),
    #[error("{} belongs to another match:\n  {there}\nand not to\n  {here}", path.display())]
    OtherMatch { path: PathBuf, there: String, here: String },
    #[error("{} is not the state of a match: {error}", path.display())]
    Faulty { path: PathBuf, error: serde_json::Error },
}

/// What to do with files that exist.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Leave them alone and give up.
    #[default]
    Refuse,
    /// Go on where they end.
    Resume,
    /// Begin again.
    Overwrite,
}

/// The files of a match.
#[derive(Debug, Default)]
pub struct Files {
    pgn: Option<(PathBuf, File)>,
    state: Option<(PathBuf, File)>,
}

fn at(path: &Path) -> impl Fn(io::Error) -> StateError {
    let path = path.to_owned();
    move |error| StateError::Io { path: path.clone(), error }
}

impl Files {
    /// Opens the files. Returns the games that are there already.
    ///
    /// # Errors
    /// When they cannot be opened, or belong to another match.
    pub fn open(
        pgn: Option<&Path>,
        state: Option<&Path>,
        plan: &str,
        existing: Existing,
    ) -> Result<(Self, Vec<GameReport>), StateError> {
        if existing == Existing::Refuse
            && let Some(path) = [pgn, state].into_iter().flatten().find(|path| path.exists())
        {
            return Err(StateError::Exists(path.to_owned()));
        }
        let open = |path: &Path| {
            let truncate = existing != Existing::Resume;
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(truncate).open(path);
            file.map(|file| (path.to_owned(), file)).map_err(at(path))
        };
        let mut files = Self { pgn: pgn.map(open).transpose()?, state: state.map(open).transpose()? };
        let games = files.read_state(plan)?;
        Ok((files, games))
    }

    /// Reads the state and cuts both files where they agree.
    fn read_state(&mut self, plan: &str) -> Result<Vec<GameReport>, StateError> {
        let Some((path, file)) = &mut self.state else { return Ok(Vec::new()) };
        let mut games = Vec::new();
        let mut pgn_bytes = 0;
        let mut state_bytes = 0;
        let mut reader = BufReader::new(&*file);
        let mut line = String::new();
        while reader.read_line(&mut line).map_err(at(path))? > 0 && line.ends_with('\n') {
            let faulty = |error| StateError::Faulty { path: path.clone(), error };
            if state_bytes == 0 {
                let head: Head = serde_json::from_str(&line).map_err(faulty)?;
                if head.plan != plan {
                    let (there, here) = (head.plan, plan.to_owned());
                    return Err(StateError::OtherMatch { path: path.clone(), there, here });
                }
            } else {
                let entry: Entry = serde_json::from_str(&line).map_err(faulty)?;
                pgn_bytes = entry.pgn_bytes;
                games.push(entry.game);
            }
            state_bytes += line.len() as u64;
            line.clear();
        }
        cut(file, state_bytes).map_err(at(path))?;
        if state_bytes == 0 {
            append(file, &Head { plan: plan.to_owned() }).map_err(at(path))?;
        }
        if let Some((path, file)) = &mut self.pgn {
            cut(file, pgn_bytes).map_err(at(path))?;
        }
        Ok(games)
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, game: &GameReport, pgn: &str) -> Result<(), StateError> {
        let mut pgn_bytes = 0;
        if let Some((path, file)) = &mut self.pgn {
            let written = file.write_all(pgn.as_bytes()).and_then(|()| file.stream_position());
            pgn_bytes = written.map_err(at(path))?;
        }
        if let Some((path, file)) = &mut self.state {
            append(file, &Entry { pgn_bytes, game: game.clone() }).map_err(at(path))?;
        }
        Ok(())
    }
}

fn cut(file: &mut File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length)).map(|_| ())
}

fn append(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}
