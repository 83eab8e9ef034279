//! `gardez tune`: better numbers for the engine, found in its own games.

use crate::numbers;
use crate::{interrupt, output, tune_search};
use anyhow::Result;
use clap::Subcommand;
use data::Filter;
use eval::weights_source;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;
use trainer::{Epoch, Outcomes, Samples, TuneSettings, start_weights, tune, with_threads};

/// Tune what the engine plays with on its own games
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Eval(EvalArgs),
    Chances(ChancesArgs),
    Search(tune_search::Args),
}

/// Fit the chances of winning that belong to scores
///
/// Prints the two constants of crates/engine/src/wdl.rs: the score of an even chance, and how fast the chance
/// rises with the score.
#[derive(clap::Args)]
struct ChancesArgs {
    /// Files of games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Skip damaged games, instead of refusing the file
    #[arg(long)]
    skip_damaged: bool,
}

/// Tune the weights of the handcrafted evaluation
///
/// Writes them as the source file crates/eval/src/weights.rs; build again to play with them. Ctrl-C ends
/// after the epoch under way and writes the best weights so far.
#[derive(clap::Args)]
struct EvalArgs {
    /// Files of games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Skip damaged games, instead of refusing the file
    #[arg(long)]
    skip_damaged: bool,
    /// File to write the weights to
    #[arg(short, long = "output", alias = "out", value_name = "FILE", default_value = "weights.rs")]
    out: PathBuf,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = TuneSettings::default().epochs)]
    epochs: usize,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = TuneSettings::default().batch)]
    batch: usize,
    /// Size of the first steps in units; the last are a hundredth of it
    #[arg(long, value_name = "UNITS", default_value_t = TuneSettings::default().rate, value_parser = numbers::above_zero::<f32>)]
    rate: f32,
    /// Share of the result in the target, from 0 to 1; the rest is the score's
    #[arg(long, value_name = "SHARE", default_value_t = TuneSettings::default().result_share, value_parser = numbers::share::<f32>)]
    result_share: f32,
    /// As how many positions the weights of the start count as evidence for themselves
    #[arg(long, value_name = "N", default_value_t = TuneSettings::default().pull)]
    pull: f32,
    /// Most positions to take out of one game
    #[arg(long, value_name = "N", default_value_t = 20)]
    per_game: usize,
    /// Leave out positions with larger scores
    #[arg(long, value_name = "UNITS", default_value_t = 1_500, value_parser = numbers::at_least(1_i16))]
    max_score: i16,
    /// Seed of the choice and order of positions
    #[arg(long, value_name = "N", default_value_t = TuneSettings::default().seed)]
    seed: u64,
    /// Number of threads; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::from_to(1_u16, 512))]
    threads: u16,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Eval(args) => run_eval(args),
        Command::Chances(args) => run_chances(args),
        Command::Search(args) => tune_search::run(args),
    }
}

fn run_chances(args: &ChancesArgs) -> Result<ExitCode> {
    let outcomes = Outcomes::read(&args.data, &Filter::default(), args.skip_damaged)?;
    let chances = outcomes.fit();
    let mut out = io::stdout().lock();
    writeln!(out, "{} positions", outcomes.len())?;
    writeln!(out, "const EVEN_CHANCE: f64 = {:.1};", chances.even)?;
    writeln!(out, "const SPREAD: f64 = {:.1};", chances.spread)?;
    Ok(ExitCode::SUCCESS)
}

fn run_eval(args: &EvalArgs) -> Result<ExitCode> {
    output::check(&args.out)?;
    let source = with_threads(args.threads.into(), || tune_eval(args))??;
    output::replace(&args.out, source.as_bytes())?;
    writeln!(io::stdout(), "wrote {}", args.out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// The source of the tuned weights.
fn tune_eval(args: &EvalArgs) -> Result<String> {
    let stop = interrupt::flag()?;

    let started = Instant::now();
    let filter =
        Filter { max_score: args.max_score, per_game: args.per_game, seed: args.seed, ..Filter::default() };
    let [training, held_out] = Samples::read(&args.data, &filter, args.skip_damaged)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} positions to learn from and {} held out, {} MB, read in {:.1} s",
        training.len(),
        held_out.len(),
        (training.memory() + held_out.memory()) / 1_000_000,
        started.elapsed().as_secs_f64()
    )?;
    let settings = TuneSettings {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        result_share: args.result_share,
        pull: args.pull,
        seed: args.seed,
    };
    let started = Instant::now();
    let tuned = tune(&start_weights(), [&training, &held_out], &settings, |epoch| {
        print_epoch(&mut out, epoch, started) && !stop.load(Ordering::Relaxed)
    })?;
    writeln!(out, "best after epoch {}; rounded: held out {:.6}", tuned.epoch, tuned.held_out)?;
    Ok(weights_source(&tuned.weights))
}

/// Prints a line about an epoch. Returns whether the output is still open.
fn print_epoch(out: &mut impl Write, epoch: Epoch, started: Instant) -> bool {
    let first = if epoch.number == 0 {
        let [values, scores] = epoch.scales;
        writeln!(out, "scale of the evaluation {values:.1}, of the scores {scores:.1}")
    } else {
        Ok(())
    };
    let line = writeln!(
        out,
        "epoch {:>3}: loss {:.6}, held out {:.6}, {:.1} s",
        epoch.number,
        epoch.training,
        epoch.held_out,
        started.elapsed().as_secs_f64()
    );
    first.and(line).is_ok()
}
