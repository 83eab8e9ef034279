//! `gardez train`: trains a network on games that datagen wrote.

use crate::numbers;
use crate::progress::Progress;
use crate::{interrupt, output};
use anyhow::{Context, Result, ensure};
use data::Filter;
use indicatif::HumanDuration;
use nnue::NetworkFile;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;
use trainer::network::{
    Checkpoint, DataLoader, LoaderSettings, Report, Schedule, TILE, TrainSettings, Training, export, train,
};
use trainer::with_threads;

/// Train a network on games that datagen wrote
///
/// It may be interrupted at any moment, by Ctrl-C or worse: the same command resumes from the last checkpoint,
/// the name of the network with `.checkpoint` added. The result depends on data, settings and seed, not on the number of threads.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Skip damaged games, instead of refusing the file
    #[arg(long)]
    skip_damaged: bool,
    /// File to write the network to
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: PathBuf,
    /// Neurons of the first layer, a multiple of 32; this program plays with the default
    #[arg(long, value_name = "N", default_value_t = nnue::HIDDEN)]
    hidden: usize,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().epochs, value_parser = numbers::at_least(1_u64))]
    epochs: u64,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 2_048, value_parser = numbers::at_least(1_u32))]
    batch: u32,
    /// Steps between two reports and checkpoints
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().superbatch, value_parser = numbers::at_least(1_u64))]
    superbatch: u64,
    /// Size of the largest steps
    #[arg(long, value_name = "R", default_value_t = TrainSettings::default().rates[0], value_parser = numbers::share::<f32>)]
    rate: f32,
    /// Size of the last steps
    #[arg(long, value_name = "R", default_value_t = TrainSettings::default().rates[1], value_parser = numbers::share::<f32>)]
    last_rate: f32,
    /// How much of a weight each step takes away, in parts of the step: what is seldom seen stays small
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().decay.first, value_parser = numbers::share::<f32>)]
    decay: f32,
    /// The same at the end; it moves there evenly [default: that of --decay]
    #[arg(long, value_name = "N", value_parser = numbers::share::<f32>)]
    last_decay: Option<f32>,
    /// Share of the result in the target, from 0 to 1; the rest is the score's
    #[arg(long, value_name = "SHARE", default_value_t = TrainSettings::default().result_share.first, value_parser = numbers::share::<f32>)]
    result_share: f32,
    /// The same at the end; it moves there evenly [default: that of --result-share]
    #[arg(long, value_name = "SHARE", value_parser = numbers::share::<f32>)]
    last_result_share: Option<f32>,
    /// Share of the steps, at the end, whose weights are averaged; 0 takes those of the last step
    #[arg(long, value_name = "SHARE", default_value_t = TrainSettings::default().average, value_parser = numbers::share::<f32>)]
    average: f32,
    /// TD(lambda): share of later scores of the game in the score of a position, from 0 to 1: the next one with this
    /// share, the one after it with the square, and so on
    #[arg(long, alias = "foresight", value_name = "SHARE", default_value_t = 0.0, value_parser = numbers::share::<f32>)]
    lambda: f32,
    /// Units for an output of 1 [default: fitted to scores and results]
    #[arg(long, value_name = "UNITS", value_parser = numbers::at_least(1_u16))]
    scale: Option<u16>,
    /// Most positions to take out of one game
    #[arg(long, value_name = "N")]
    per_game: Option<usize>,
    /// Leave out positions with larger scores
    #[arg(long, value_name = "UNITS", default_value_t = Filter::default().max_score, value_parser = numbers::at_least(1_i16))]
    max_score: i16,
    /// Augmentation: N more positions for each position of a game, some random moves away from it and judged by the
    /// handcrafted evaluation
    #[arg(long, alias = "variations", value_name = "N", default_value_t = 0)]
    augment: usize,
    /// Learn what to add to the handcrafted evaluation, instead of standing alone
    #[arg(long)]
    correction: bool,
    /// Network to begin with, instead of random weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Memory for positions in MiB; with more data, files are read again on every pass
    #[arg(long, value_name = "MiB", default_value_t = 4096)]
    memory: usize,
    /// Seed of the first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::from_to(1_u16, 512))]
    threads: u16,
    /// Start again even if there is a checkpoint
    #[arg(long)]
    restart: bool,
}

/// Positions on which the error of rounding is measured.
const ROUNDING_SAMPLE: usize = 50_000;

impl Args {
    fn settings(&self) -> (TrainSettings, LoaderSettings) {
        let training = TrainSettings {
            hidden: self.hidden,
            epochs: self.epochs,
            rates: [self.rate, self.last_rate],
            decay: Schedule { first: self.decay, last: self.last_decay.unwrap_or(self.decay) },
            result_share: Schedule {
                first: self.result_share,
                last: self.last_result_share.unwrap_or(self.result_share),
            },
            average: self.average,
            scale: self.scale.map(f32::from),
            superbatch: self.superbatch,
            seed: self.seed,
            ..TrainSettings::default()
        };
        let filter = Filter {
            max_score: self.max_score,
            per_game: self.per_game.unwrap_or(usize::MAX),
            seed: self.seed,
            ..Filter::default()
        };
        let memory = self.memory.saturating_mul(1 << 20);
        let reading = LoaderSettings {
            filter,
            lambda: self.lambda,
            is_correction: self.correction,
            augmentation: self.augment,
            seed: self.seed,
            memory,
            batch: self.batch as usize,
            skip_damaged: self.skip_damaged,
        };
        (training, reading)
    }
}

/// Trains a network, or resumes its training.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    with_threads(args.threads.into(), || learn(args))?
}

fn learn(args: &Args) -> Result<ExitCode> {
    ensure!(
        args.hidden > 0 && args.hidden.is_multiple_of(TILE),
        "the number of neurons must be a multiple of {TILE}"
    );
    let (settings, reading) = args.settings();
    output::check(&args.out)?;
    let place = output::with_ending(&args.out, ".checkpoint")?;
    let first = args.from.as_deref().map(|path| first_network(path, args)).transpose()?;
    let stop = interrupt::flag()?;

    let name = place.display().to_string();
    let checkpoint =
        if args.restart { None } else { Checkpoint::read(&place).with_context(|| name.clone())? };
    let started = Instant::now();
    let lengths = checkpoint.as_ref().map(|checkpoint| checkpoint.lengths.clone());
    let loader = DataLoader::open(&args.data, lengths.as_deref(), reading.clone())?;
    let mut training = match checkpoint {
        Some(checkpoint) => checkpoint
            .resume(&settings, &loader, &reading)
            .with_context(|| format!("{name} (--restart begins again)"))?,
        None => match &first {
            Some(file) => Training::from_network(&settings, file),
            None => Training::new(&settings, &loader),
        },
    };
    print_data(&loader, &training, started)?;

    let mut failed = None;
    let mut progress = Progress::new();
    train(&mut training, &loader, &settings, &stop, |training, report| {
        progress.say(&line(&report));
        if let Err(error) = Checkpoint::write(&place, training, &settings, &loader, &reading) {
            stop.store(true, Ordering::Relaxed);
            failed = Some(error);
        }
    })?;
    drop(progress);
    if let Some(error) = failed {
        return Err(error).with_context(|| name);
    }
    if stop.load(Ordering::Relaxed) && training.step < loader.steps() * settings.epochs {
        Checkpoint::write(&place, &training, &settings, &loader, &reading).with_context(|| name.clone())?;
        writeln!(io::stdout(), "interrupted after {} steps; the same command resumes", training.step)?;
        return Ok(interrupt::exit_code());
    }
    let sample = &loader.held_out()[..loader.held_out().len().min(ROUNDING_SAMPLE)];
    let result_share = settings.result_share.last;
    let exported = export(&training, args.seed, result_share, args.correction, sample);
    output::replace(&args.out, &exported.file.encode())?;
    let _ = fs::remove_file(&place);
    writeln!(
        io::stdout(),
        "wrote {}; rounding changes values by {:.2} units on average and {:.1} at most; loss {:.6} instead of {:.6}",
        args.out.display(),
        exported.mean_error,
        exported.largest_error,
        exported.loss,
        training.loss(sample, result_share)
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The network to begin with, which must have the width and be of the kind to be trained.
fn first_network(path: &Path, args: &Args) -> Result<NetworkFile> {
    let hidden = args.hidden;
    let name = || path.display().to_string();
    let file = NetworkFile::open(path).with_context(name)?;
    ensure!(file.hidden == hidden, "{} has {} neurons, not {hidden}", name(), file.hidden);
    let kind = if file.is_correction {
        "corrects the handcrafted evaluation: say"
    } else {
        "stands alone: leave out"
    };
    ensure!(file.is_correction == args.correction, "{} {kind} --correction", name());
    Ok(file)
}

fn print_data(loader: &DataLoader, training: &Training, started: Instant) -> io::Result<()> {
    if loader.skipped() > 0 {
        writeln!(io::stdout(), "damaged places skipped: {}", loader.skipped())?;
    }
    writeln!(
        io::stdout(),
        "{} positions to learn from{}, {} held out, read in {:.1} s; scale {:.0}; step {} of {} a pass",
        loader.len(),
        if loader.is_cached() { "" } else { " (too many for the memory)" },
        loader.held_out().len(),
        started.elapsed().as_secs_f64(),
        training.scale,
        training.step,
        loader.steps()
    )
}

fn line(report: &Report) -> String {
    let [step, steps] = report.steps;
    format!(
        "step {step} of {steps}, epoch {:.1}: loss {:.6}, held out {:.6}, rate {:.1e}, {:.2} M positions/s, {} left",
        report.epochs,
        report.training,
        report.held_out,
        report.rate,
        report.positions_per_second / 1e6,
        HumanDuration(report.time_left)
    )
}
