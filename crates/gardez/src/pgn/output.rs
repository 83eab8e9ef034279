//! Where games are written to.

use super::games::Games;
use anyhow::{Context, Result, ensure};
use journal::Replacement;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

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
            return Ok(Sink::Standard(BufWriter::new(io::stdout())));
        };
        let file = Replacement::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Sink::File(BufWriter::new(file), path.clone()))
    }
}

/// Something that is being written. A file gets its name when it is complete; after an error nothing is left behind.
pub(super) enum Sink {
    Standard(BufWriter<io::Stdout>),
    File(BufWriter<Replacement>, PathBuf),
}

impl Sink {
    /// Completes the file, unless the work was interrupted, and says what is in it.
    pub(super) fn finish(mut self, games: &Games<'_>, summary: &str) -> Result<()> {
        self.flush()?;
        let Self::File(writer, path) = self else { return Ok(()) };
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        if games.is_interrupted() {
            return Ok(());
        }
        file.commit().with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(io::stderr(), "{summary}; written to {}", path.display())?;
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(writer) => writer.write(bytes),
            Self::File(writer, _) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(writer) => writer.flush(),
            Self::File(writer, _) => writer.flush(),
        }
    }
}
