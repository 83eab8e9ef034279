//! `gardez bench`: a fixed amount of searching.

use crate::numbers;
use anyhow::Result;
use clap::Parser;
use engine::Engine;
use engine::bench::{self, DEFAULT_DEPTH, DEFAULT_HASH, DEFAULT_THREADS};
use std::io::{self, Write};
use std::iter;
use std::process::ExitCode;

/// Search a fixed set of positions; the number of nodes identifies the search, the time shows its speed
#[derive(Parser)]
pub(crate) struct Args {
    /// Depth of each search
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = numbers::from_to(1_i32, 60))]
    depth: i32,
    /// Threads of each search; with more than one the number of nodes varies
    #[arg(default_value_t = DEFAULT_THREADS)]
    threads: usize,
    /// Memory of the transposition table in MiB
    #[arg(default_value_t = DEFAULT_HASH)]
    hash: usize,
    /// Set an option of the engine first; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    options: Vec<(String, String)>,
}

/// An option of the engine as it stands on the command line.
pub(crate) fn engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is written NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Args {
    /// The arguments as they follow the word `bench` in a conversation.
    pub(crate) fn from_words(words: &str) -> Result<Self, clap::Error> {
        Self::try_parse_from(iter::once("bench").chain(words.split_whitespace()))
    }
}

/// Runs the bench and prints `N nodes M nps` as its last line.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    // Whoever closes the pipe early has seen enough.
    report(args, &mut |line| written = writeln!(out, "{line}"))?;
    written?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the bench and prints its lines, `N nodes M nps` as the last.
pub(crate) fn report(args: &Args, print: &mut dyn FnMut(&str)) -> Result<()> {
    let mut engine = Engine::new();
    engine.configure(|settings| {
        settings.hash = args.hash;
        settings.threads = args.threads;
    })?;
    for (name, value) in &args.options {
        engine.set_option(name, value)?;
    }
    let result = bench::run(&mut engine, args.depth, |index, nodes| {
        print(&format!("position {:>2} {nodes:>9}", index + 1));
    })?;
    let nodes_per_second = (result.nodes as f64 / result.time.as_secs_f64()) as u64;
    print(&format!("{} nodes {nodes_per_second} nps", result.nodes));
    Ok(())
}
