//! `gardez net`: looks into networks.

use anyhow::{Context, Result, ensure};
use chess::{Color, Position};
use clap::Subcommand;
use engine::wdl;
use nnue::{Accumulators, BUCKETS, HIDDEN, INPUTS, Kernels, Network, NetworkFile, QA, features};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Look into the files of networks
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print width, scale, training and weights of a network
    Info {
        /// File of the network
        file: PathBuf,
    },
    /// Evaluate a position with a network, without searching
    Eval {
        /// File of the network
        file: PathBuf,
        /// The position
        #[arg(value_name = "FEN", num_args = 1..=6, required = true)]
        fen: Vec<String>,
    },
    /// Check that a network can be played with and that all ways to evaluate with it agree
    Check {
        /// File of the network
        file: PathBuf,
    },
    /// Make one network of several, whose value is the mean of theirs
    #[command(alias = "join")]
    Ensemble {
        /// Files of the networks
        #[arg(value_name = "FILE", num_args = 2.., required = true)]
        files: Vec<PathBuf>,
        /// File to write
        #[arg(short, long = "output", alias = "out", value_name = "FILE")]
        out: PathBuf,
    },
    /// Write a network with random weights, to measure speed with
    Random {
        /// File to write
        #[arg(short, long = "output", alias = "out", value_name = "FILE")]
        out: PathBuf,
        /// Seed of the weights
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// One that corrects the handcrafted evaluation, instead of standing alone
        #[arg(long)]
        correction: bool,
    },
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Info { file } => info(file)?,
        Command::Eval { file, fen } => evaluate(file, &fen.join(" "))?,
        Command::Check { file } => check(file)?,
        Command::Ensemble { files, out } => {
            let members = files.iter().map(|file| open(file)).collect::<Result<Vec<_>>>()?;
            save(out, &NetworkFile::ensemble(&members).context("the networks do not fit together")?)?;
        }
        Command::Random { out, seed, correction } => {
            save(out, &NetworkFile { is_correction: *correction, ..NetworkFile::random(HIDDEN, *seed) })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn open(path: &Path) -> Result<NetworkFile> {
    NetworkFile::open(path).with_context(|| path.display().to_string())
}

fn save(path: &Path, network: &NetworkFile) -> Result<()> {
    crate::output::replace(path, &network.encode())
}

fn info(path: &Path) -> Result<()> {
    let file = open(path)?;
    let mut out = io::stdout().lock();
    writeln!(out, "({INPUTS} -> {})x2 -> 1, mirrored, clipped and squared, {BUCKETS} buckets", file.hidden)?;
    let kind = if file.is_correction { "corrects the handcrafted evaluation" } else { "stands alone" };
    writeln!(out, "kind       {kind}")?;
    writeln!(out, "scale      {:>10}  units for an output of 1", file.scale)?;
    writeln!(out, "seed       {:>10}", file.seed)?;
    writeln!(out, "positions  {:>10}  trained on, repetitions counted", file.positions)?;
    let mut row = |name: &str, weights: &[i16], unit: i32| {
        let largest = weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
        let mean = weights.iter().map(|weight| f64::from(weight.unsigned_abs())).sum::<f64>()
            / weights.len().max(1) as f64;
        let unit = f64::from(unit);
        writeln!(
            out,
            "{name:<10} {:>10}  weights, mean size {:.3}, largest {:.3}",
            weights.len(),
            mean / unit,
            f64::from(largest) / unit
        )
    };
    row("features", &file.feature_weights, QA)?;
    row("biases", &file.feature_biases, QA)?;
    row("outputs", &file.output_weights, file.output_unit)?;
    let plays = if file.hidden == HIDDEN { "can" } else { "cannot" };
    writeln!(out, "this program, built for {HIDDEN} neurons, {plays} play with it")?;
    Ok(())
}

fn evaluate(path: &Path, fen: &str) -> Result<()> {
    let position: Position = fen.parse().with_context(|| format!("'{fen}'"))?;
    let file = open(path)?;
    let own = file.evaluate(&position);
    let units = match eval::Evaluator::new().judge(&position) {
        _ if !file.is_correction => own,
        (known, true) => known,
        (corrected, false) => corrected + own,
    };
    let white = if position.turn() == Color::White { units } else { -units };
    let chances = wdl::chances(units);
    writeln!(
        io::stdout(),
        "{units:+} units for the side to move, {:+.2} for White; wins {:.1} %, draws {:.1} %, loses {:.1} %",
        f64::from(wdl::centipawns(white)) / 100.0,
        f64::from(chances.win) / 10.0,
        f64::from(chances.draw) / 10.0,
        f64::from(chances.loss) / 10.0
    )?;
    Ok(())
}

fn check(path: &Path) -> Result<()> {
    let file = open(path)?;
    let network = || Network::try_from(&file).with_context(|| path.display().to_string());
    let mut compared = 0;
    for kernels in Kernels::available() {
        compared = compare(&file, network()?.with_kernels(kernels), kernels.name())?;
    }
    let names: Vec<_> = Kernels::available().map(Kernels::name).collect();
    let start = Position::startpos();
    writeln!(
        io::stdout(),
        "{compared} positions agree ({}); the start position has {:+} units in bucket {}",
        names.join(", "),
        network()?.evaluate(&start),
        features::bucket(start.occupied().count())
    )?;
    Ok(())
}

/// Compares the ways to a value in positions of all kinds, and returns how many positions these were.
fn compare(file: &NetworkFile, network: Network, kernels: &str) -> Result<usize> {
    let network = Arc::new(network);
    let mut kept = Accumulators::new(Arc::clone(&network), 2);
    let mut compared = 0;
    for fen in engine::bench::POSITIONS {
        let root: Position = fen.parse()?;
        kept.reset(&root);
        for mv in root.legal_moves() {
            let mut next = root;
            kept.play(&mut next, mv);
            let (plain, from_scratch) = (file.evaluate(&next), network.evaluate(&next));
            let value = kept.evaluate(&next);
            ensure!(
                value == from_scratch && value == plain,
                "{}: {plain} plainly, {from_scratch} by {kernels}, {value} with kept sums",
                next.to_fen()
            );
            let mirrored = next.mirrored();
            ensure!(network.evaluate(&mirrored) == value, "{} differs for Black", next.to_fen());
            kept.undo();
            compared += 1;
        }
    }
    Ok(compared)
}
