//! `gardez` alone: UCI or XBoard on standard input.

use crate::bench;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run() -> ExitCode {
    if io::stdin().is_terminal() {
        // Standard output belongs to the protocol.
        let _ = writeln!(
            io::stderr(),
            "Gardez is waiting for a chess program that speaks UCI or XBoard. Type help for what can be said, \
             or quit and try gardez play or gardez --help."
        );
    }
    protocol::run(io::stdin(), io::stdout(), Arc::new(run_bench));
    ExitCode::SUCCESS
}

fn run_bench(arguments: &str, tell: &mut dyn FnMut(&str)) {
    let result = match bench::Args::from_words(arguments) {
        Ok(args) => bench::report(&args, tell).map_err(|error| error.to_string()),
        // The rest of what it says is about the command line.
        Err(error) => Err(error.to_string().lines().next().unwrap_or_default().replace("error: ", "")),
    };
    if let Err(reason) = result {
        tell(&format!("info string error: bench: {reason}"));
    }
}
