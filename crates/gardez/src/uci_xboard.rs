//! `gardez` alone: UCI or XBoard on standard input.

use crate::bench;
use classics::{Budget, groundup};
use protocol::{Extras, Job};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) fn run() -> ExitCode {
    if io::stdin().is_terminal() {
        // Standard output belongs to the protocol.
        let _ = writeln!(
            io::stderr(),
            "Gardez is waiting for a chess program that speaks UCI or XBoard. Type help for what can be said, \
             or quit and try gardez play or gardez --help."
        );
    }
    protocol::run(
        io::stdin(),
        io::stdout(),
        Extras { bench: Arc::new(|text, _, print| run_bench(text, print)), ground_up: ground_up() },
    );
    ExitCode::SUCCESS
}

/// Ground Up's two commands, with a position of their own.
fn ground_up() -> Job {
    let console = Mutex::new(groundup::Console::default());
    Arc::new(move |line, cancelled, print| {
        let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
        let stop = || cancelled.load(Ordering::Relaxed);
        match console.execute(line, &Budget { stop: &stop, ..Budget::default() }) {
            Ok(text) => text.lines().for_each(print),
            Err(error) => print(&format!("info string error: {error}")),
        }
    })
}

fn run_bench(arguments: &str, print: &mut dyn FnMut(&str)) {
    let result = match bench::Args::from_words(arguments) {
        Ok(args) => bench::report(&args, print).map_err(|error| error.to_string()),
        // The rest of what it says is about the command line.
        Err(error) => Err(error.to_string().lines().next().unwrap_or_default().replace("error: ", "")),
    };
    if let Err(reason) = result {
        print(&format!("info string error: bench: {reason}"));
    }
}
