//! The progress of long work, on standard error.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// One line that changes on a terminal, otherwise a line now and then.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    /// The running time at which to print a line next.
    next: Duration,
}

impl Progress {
    const LINES_APART: Duration = Duration::from_secs(60);

    pub(crate) fn new() -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            match ProgressStyle::with_template("{elapsed_precise} {wide_msg}") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        Self { bar, started: Instant::now(), next: Duration::from_secs(1) }
    }

    /// Shows a line made from the running time, if it is time for one.
    pub(crate) fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        if let Some(bar) = &self.bar {
            bar.set_message(line(elapsed));
            bar.tick();
        } else if elapsed >= self.next {
            // That the progress cannot be shown is no reason to stop.
            let _ = writeln!(io::stderr(), "{}", line(elapsed));
            // Twice as long each time, so that a log stays short.
            self.next = elapsed + elapsed.min(Self::LINES_APART);
        }
    }

    /// Prints a line that stays.
    pub(crate) fn say(&mut self, line: &str) {
        if let Some(bar) = &self.bar {
            bar.println(line);
        } else {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
