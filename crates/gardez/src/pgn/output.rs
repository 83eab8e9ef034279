//! Where games are written to.

use super::games::Games;
use crate::output::with_ending;
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where to write.
#[derive(clap::Args)]
pub(super) struct Output {
    /// File to write, when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    overwrite: bool,
}

impl Output {
    /// Fails if the file exists, or is one of those that are read.
    pub(super) fn check(&self, inputs: &[PathBuf]) -> Result<()> {
        let Some(path) = &self.output else { return Ok(()) };
        let is_input = inputs.iter().any(|input| same_file::is_same_file(input, path).unwrap_or(false));
        ensure!(!is_input, "{} is read, so it cannot be written", path.display());
        ensure!(self.overwrite || !path.exists(), "{} exists; --overwrite replaces it", path.display());
        Ok(())
    }

    /// Begins to write.
    pub(super) fn open(&self) -> Result<Sink> {
        let Some(path) = &self.output else {
            return Ok(Sink { writer: BufWriter::new(Box::new(io::stdout())), file: None });
        };
        let part = with_ending(path, ".part")?;
        let file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
        Ok(Sink { writer: BufWriter::new(Box::new(file)), file: Some((part, path.clone())) })
    }
}

/// Something that is being written. A file gets its name when it is complete.
pub(super) struct Sink {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// The name until then, and the final one.
    file: Option<(PathBuf, PathBuf)>,
}

impl Sink {
    /// Completes the file, unless the work was interrupted, and says what is in it.
    pub(super) fn finish(mut self, games: &Games<'_>, summary: &str) -> Result<()> {
        self.writer.flush()?;
        let Some((part, path)) = self.file.take() else { return Ok(()) };
        if games.is_interrupted() {
            return remove(&part);
        }
        fs::rename(&part, &path).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(io::stderr(), "{summary}; written to {}", path.display())?;
        Ok(())
    }
}

impl Drop for Sink {
    /// After an error nothing is left behind.
    fn drop(&mut self) {
        if let Some((part, _)) = &self.file {
            let _ = remove(part);
        }
    }
}

fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
