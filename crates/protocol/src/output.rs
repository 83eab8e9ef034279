//! The way out: whole lines, flushed one by one, and the log.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};

/// Writes lines to the interface and, if asked, everything said by either side to a file.
pub(crate) struct Output {
    writer: Box<dyn Write + Send>,
    log: Option<File>,
    broken: bool,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Box::new(writer), log: None, broken: false }
    }

    /// Writes one line. Line breaks within it become spaces: whatever a text contains, it cannot forge
    /// another answer.
    pub(crate) fn line(&mut self, line: impl Display) {
        let mut line = line.to_string();
        if line.contains(['\n', '\r']) {
            line = line.replace(['\n', '\r'], " ");
        }
        self.log_line("<", &line);
        line.push('\n');
        let written = self.writer.write_all(line.as_bytes()).and_then(|()| self.writer.flush());
        self.broken |= written.is_err();
    }

    /// Whether the reader is gone.
    #[must_use]
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Notes a line that came in.
    pub(crate) fn log_input(&mut self, line: &str) {
        self.log_line(">", line);
    }

    /// Logs to a file from now on; an empty name ends the log.
    pub(crate) fn open_log(&mut self, path: &str) -> io::Result<()> {
        self.log =
            if path.is_empty() { None } else { Some(File::options().create(true).append(true).open(path)?) };
        Ok(())
    }

    /// A log that cannot be written is given up; the game is more important.
    fn log_line(&mut self, direction: &str, line: &str) {
        let failed = self.log.as_mut().is_some_and(|log| writeln!(log, "{direction} {line}").is_err());
        if failed {
            self.log = None;
        }
    }
}
