//! `gardez` alone: UCI or XBoard on standard input.

use crate::bench;
use chess::Game;
use classics::{Budget, groundup};
use coach::{Catalogue, Coach};
use protocol::{Extras, Job};
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Nodes for each position that the coach looks at.
const EXPLAIN_NODES: u64 = 50_000;

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
        Extras {
            bench: Arc::new(|text, _, print| run_bench(text, print)),
            ground_up: ground_up(),
            explain: Arc::new(explain),
        },
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

/// What the coach says of the position, or of a move in it: a sentence in each line.
fn explain(game: &Game, text: &str, cancelled: &AtomicBool, print: &mut dyn FnMut(&str)) {
    if let Err(error) =
        sentences(game, text, cancelled).map(|lines| lines.iter().for_each(|line| print(line)))
    {
        print(&format!("error: explain: {error:#}"));
    }
}

fn sentences(game: &Game, text: &str, cancelled: &AtomicBool) -> anyhow::Result<Vec<String>> {
    let mut coach = Coach::new(EXPLAIN_NODES)?;
    let catalogue = Catalogue::english();
    let claims = if text.is_empty() {
        let mut claims = coach.position(game)?;
        if !game.is_over() && !cancelled.load(Ordering::Relaxed) {
            claims.extend(coach.threat(game)?);
        }
        claims
    } else {
        let position = game.position();
        let mv = position.parse_uci(text).or_else(|_| position.parse_san(text))?;
        let explanation = coach.mv(game, mv)?;
        let verdict = catalogue.judged(&position.san(mv).to_string(), explanation.judgement);
        return Ok(iter::once(verdict)
            .chain(explanation.claims.iter().map(|claim| catalogue.sentence(claim)))
            .collect());
    };
    Ok(claims.iter().map(|claim| catalogue.sentence(claim)).collect())
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
