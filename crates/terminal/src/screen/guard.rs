//! The terminal while it shows a full screen, and as it was before.

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use std::io::{self, Stdout};
use std::panic;
use std::thread;

/// Holds the terminal in full-screen mode; dropping it restores everything.
pub(super) struct Guard(());

impl Guard {
    /// Takes the terminal over. A panic on this thread restores it before it is reported; one on another thread stays
    /// silent, because whatever waits for that thread reports it in its own way.
    pub(super) fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        let guard = Self(());
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)?;
        let own = thread::current().id();
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == own {
                restore();
                hook(info);
            }
        }));
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Best effort: where the terminal is gone, there is nothing left to restore.
fn restore() {
    let mut out: Stdout = io::stdout();
    let _ = execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
