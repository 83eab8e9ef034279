//! The command line of Gardez: reads the arguments and hands over to a subcommand.

#![forbid(unsafe_code)]

mod ablation;
mod analyse;
mod bench;
mod book;
mod calibrate;
mod coach_check;
mod commands;
mod completions;
mod data;
mod datagen;
mod doctor;
mod explain;
mod explorer;
mod fen;
mod games;
mod genfens;
mod interrupt;
mod javachess;
mod lab;
mod matches;
mod net;
mod numbers;
mod options;
mod output;
mod perft;
mod pgn;
mod play;
mod positions;
mod progress;
mod puzzles;
mod rescore;
mod serve;
mod solve;
mod spsa_plot;
mod suite;
mod think;
mod train;
mod tune;
mod tune_search;
mod uci_xboard;
mod version;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;

/// Gardez: chess for players, analysts and programmers
///
/// Without a command Gardez is an engine for chess programs: it speaks UCI or XBoard on standard input,
/// whichever the program uses.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    #[command(alias = "worth")]
    Ablation(ablation::Args),
    Analyse(Box<analyse::Args>),
    Bench(bench::Args),
    Book(book::Args),
    Calibrate(calibrate::Args),
    CoachCheck(coach_check::Args),
    Commands(commands::Args),
    Completions(completions::Args),
    Data(data::Args),
    Datagen(datagen::Args),
    Doctor(doctor::Args),
    Explain(explain::Args),
    Explorer(explorer::Args),
    Fen(fen::Args),
    Games(games::Args),
    Genfens(genfens::Args),
    Javachess(javachess::Args),
    Lab(lab::Args),
    Man(completions::ManArgs),
    Match(Box<matches::Args>),
    Net(net::Args),
    Options(options::Args),
    Perft(perft::Args),
    Pgn(pgn::Args),
    Play(Box<play::Args>),
    Puzzles(puzzles::Args),
    Serve(serve::Args),
    Solve(solve::Args),
    Suite(suite::Args),
    Think(think::Args),
    Train(train::Args),
    Tune(tune::Args),
}

fn main() -> ExitCode {
    let result = match arguments().command {
        Some(Command::Ablation(args)) => ablation::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Calibrate(args)) => calibrate::run(&args),
        Some(Command::CoachCheck(args)) => coach_check::run(&args),
        Some(Command::Commands(commands::Args {})) => commands::run(Cli::command()),
        Some(Command::Completions(args)) => completions::run(&args, Cli::command()),
        Some(Command::Data(args)) => data::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Explorer(args)) => explorer::run(&args),
        Some(Command::Fen(args)) => fen::run(&args),
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Genfens(args)) => genfens::run(&args),
        Some(Command::Javachess(args)) => javachess::run(&args),
        Some(Command::Lab(args)) => lab::run(&args),
        Some(Command::Man(args)) => completions::run_man(&args, Cli::command()),
        Some(Command::Match(args)) => matches::run(&args),
        Some(Command::Net(args)) => net::run(&args),
        Some(Command::Options(args)) => options::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Pgn(args)) => pgn::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Puzzles(args)) => puzzles::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Suite(args)) => suite::run(&args),
        Some(Command::Think(args)) => think::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        None => Ok(uci_xboard::run()),
    };
    result.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            // The reader of the output has seen enough.
            return ExitCode::SUCCESS;
        }
        let _ = writeln!(io::stderr(), "gardez: {}", message_of(&error));
        ExitCode::FAILURE
    })
}

/// The arguments of the command line; a wrong one ends the program with a message.
fn arguments() -> Cli {
    let matches =
        Cli::command().long_version(version::long()).get_matches_from(genfens::split(std::env::args_os()));
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// An error with its causes, without those that it names already.
fn message_of(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
