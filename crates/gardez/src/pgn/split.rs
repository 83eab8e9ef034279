//! One file of games as many.

use super::Input;
use super::games::{Games, Seen};
use crate::numbers::{self, count};
use anyhow::{Context, Result, ensure};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files that are open at a time.
const MOST_OPEN: usize = 100;
/// The most files that are written.
const MOST_FILES: usize = 10_000;

/// Write games into several files of a directory
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Games in each file
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64), required_unless_present = "by")]
    games: Option<u64>,
    /// A file for each value of a tag, such as White, Event or ECO; of Date, for each year
    #[arg(long, value_name = "TAG", conflicts_with = "games")]
    by: Option<String>,
    /// Directory to write to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    fs::create_dir_all(&args.output).with_context(|| format!("cannot write {}", args.output.display()))?;
    let mut games = Games::open(&args.input)?;
    let mut files = Files { directory: &args.output, open: HashMap::new(), begun: HashSet::new() };
    let mut number = 0_u64;
    while games.next()?.is_some() {
        let Some(text) = games.text() else { continue };
        let name = match &args.by {
            Some(tag) => name_by(games.seen(), tag),
            None => format!("{:05}", number / args.games.unwrap_or(u64::MAX) + 1),
        };
        number += 1;
        files.append(&name, text)?;
    }
    files.flush()?;
    writeln!(
        io::stderr(),
        "{} in {} of {}",
        count(number, "game"),
        count(files.begun.len() as u64, "file"),
        args.output.display()
    )?;
    Ok(games.finish())
}

/// The name of the file for a game: letters and digits of the tag.
fn name_by(game: &Seen, tag: &str) -> String {
    const LONGEST: usize = 60;
    let value = game.tag(tag);
    let value = if tag == "Date" { value.get(..4).unwrap_or(value) } else { value };
    let plain: String =
        value.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(LONGEST).collect();
    let name = plain.trim_matches('-');
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// Files that grow. No more than a few are open at once.
struct Files<'a> {
    directory: &'a Path,
    open: HashMap<String, BufWriter<File>>,
    begun: HashSet<String>,
}

impl Files<'_> {
    fn append(&mut self, name: &str, text: &[u8]) -> Result<()> {
        if !self.open.contains_key(name) {
            if self.open.len() == MOST_OPEN {
                self.flush()?;
            }
            let file = self.open_file(name)?;
            self.open.insert(name.to_owned(), BufWriter::new(file));
        }
        if let Some(file) = self.open.get_mut(name) {
            file.write_all(text)?;
            file.write_all(b"\n\n")?;
        }
        Ok(())
    }

    fn open_file(&mut self, name: &str) -> Result<File> {
        let path = self.directory.join(format!("{name}.pgn"));
        let is_new = self.begun.insert(name.to_owned());
        ensure!(self.begun.len() <= MOST_FILES, "more than {MOST_FILES} files; split by something else");
        // A file that was there before is left alone.
        let opened = match is_new {
            true => OpenOptions::new().write(true).create_new(true).open(&path),
            false => OpenOptions::new().append(true).open(&path),
        };
        opened.with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes everything out and closes all files.
    fn flush(&mut self) -> Result<()> {
        for (name, mut file) in self.open.drain() {
            file.flush().with_context(|| format!("cannot write {name}.pgn"))?;
        }
        Ok(())
    }
}
