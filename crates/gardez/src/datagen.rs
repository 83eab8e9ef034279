//! `gardez datagen`: games of the engine against itself, to tune and train on.

use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use anyhow::{Context, Result, ensure};
use data::{GameReader, GameRecord, GameWriter, Origin};
use indicatif::HumanDuration;
use selfplay::{Settings, generate};
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Play games against itself into a file, to tune and train on
///
/// It may be interrupted at any moment, by Ctrl-C or worse: the same command resumes where it ended. The
/// games depend on seed, nodes and hash size, not on the number of threads.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of games in the file at the end
    #[arg(long, value_name = "N")]
    games: u64,
    /// Nodes a move; an iteration under way is finished within four times as many
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = numbers::at_least(1_u64))]
    nodes: u64,
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::from_to(1_u16, 512))]
    threads: u16,
    /// File to append the games to
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: PathBuf,
    /// Memory of each transposition table in MiB
    #[arg(long, value_name = "MiB", default_value_t = 8, value_parser = numbers::from_to(1_u32, 1024))]
    hash: u32,
    /// Percentage of games from start positions of double Chess960; without a number all of them
    #[arg(long, value_name = "PERCENT", default_value_t = 10, num_args = 0..=1, default_missing_value = "100", value_parser = numbers::from_to(0_u8, 100))]
    chess960: u8,
    /// Directories of Syzygy end game tables for the engine to use
    #[arg(long, value_name = "PATH", default_value = "")]
    syzygy: String,
    /// Start near games of these files, a random move or two away from one of their positions
    ///
    /// Games only go where both sides play well; a search evaluates other positions too. The file does not store this,
    /// nor `--plies`: to resume, give the same again.
    #[arg(long, alias = "beside", value_name = "FILE", num_args = 1..)]
    perturb: Vec<PathBuf>,
    /// Break games off after this many half-moves, without a result
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u16))]
    plies: Option<u16>,
    /// Also record one of N positions evaluated inside the searches, if it is quiet, with the score of its own search
    ///
    /// Games only go where both sides play well; a search evaluates other positions too. The file does not store this:
    /// to resume, give the same again.
    #[arg(long, value_name = "N")]
    sample_every: Option<NonZeroU64>,
    /// Set another option of the engine, such as `EvalFile`; may be given several times
    ///
    /// The file does not store these: to resume, give the same ones again.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = crate::bench::engine_option)]
    options: Vec<(String, String)>,
}

/// Plays the games that the file still lacks.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let origin =
        Origin { chess960_percent: args.chess960, seed: args.seed, nodes: args.nodes, hash: args.hash };
    let perturbed = read_games(&args.perturb)?;
    let name = args.out.display();
    let mut writer = GameWriter::open(&args.out, origin).with_context(|| format!("{name}"))?;
    let there = writer.games();
    if there > 0 || writer.cut() > 0 {
        let _ = writeln!(io::stderr(), "{name} holds {there} games ({} torn bytes cut off)", writer.cut());
    }
    let stop = interrupt::flag()?;

    let settings = Settings {
        seed: args.seed,
        nodes: args.nodes,
        hash: args.hash,
        chess960_percent: args.chess960,
        tablebases: args.syzygy.clone(),
        options: args.options.clone(),
        perturbed: perturbed.into(),
        max_plies: args.plies.map(usize::from),
        sample_every: args.sample_every,
    };
    let mut tally = Tally { started: Instant::now(), before: there, wanted: args.games, positions: 0 };
    let mut progress = Progress::new();
    let numbers = there..args.games.max(there);
    generate(&settings, numbers, usize::from(args.threads), &stop, |number, played| {
        for record in played.samples.iter().chain([&played.game]) {
            writer.append(record).with_context(|| format!("{name}"))?;
        }
        tally.positions += (played.game.moves().len() + played.samples.len()) as u64;
        progress.show(|elapsed| tally.line(number + 1, elapsed));
        anyhow::Ok(())
    })?;
    let (games, bytes) = (writer.games(), writer.length());
    writer.finish().with_context(|| format!("{name}"))?;
    drop(progress);
    let interrupted = games < args.games;
    let end = if interrupted { "interrupted: " } else { "" };
    writeln!(
        io::stdout(),
        "{end}{games} of {} games in {name}, {bytes} bytes; {} positions played in {:.0} s, {:.0} positions/s",
        args.games,
        tally.positions,
        tally.started.elapsed().as_secs_f64(),
        tally.positions_per_second()
    )?;
    Ok(if interrupted { interrupt::exit_code() } else { ExitCode::SUCCESS })
}

/// All games of the files.
fn read_games(files: &[PathBuf]) -> Result<Vec<GameRecord>> {
    let mut games = Vec::new();
    for path in files {
        let name = path.display();
        for game in GameReader::open(path).with_context(|| format!("{name}"))? {
            games.push(game.with_context(|| format!("{name}"))?);
        }
    }
    ensure!(
        files.is_empty() || games.iter().any(|game| !game.moves().is_empty()),
        "there are no games to start near"
    );
    Ok(games)
}

/// What has been done in this run.
pub(crate) struct Tally {
    pub started: Instant,
    /// Games that were there before.
    pub before: u64,
    /// Games wanted altogether.
    pub wanted: u64,
    pub positions: u64,
}

impl Tally {
    pub(crate) fn positions_per_second(&self) -> f64 {
        self.positions as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// A line about the progress with this many games in the file, after such a time.
    pub(crate) fn line(&self, done: u64, elapsed: Duration) -> String {
        let share = self.wanted.saturating_sub(done) as f64 / (done - self.before).max(1) as f64;
        format!(
            "{:.0} s: {done} of {} games, {:.0} positions/s, {} left",
            elapsed.as_secs_f64(),
            self.wanted,
            self.positions_per_second(),
            HumanDuration(
                Duration::try_from_secs_f64(elapsed.as_secs_f64() * share).unwrap_or(Duration::MAX)
            )
        )
    }
}
