//! `gardez data rescore`: searches the positions of older games again with the present engine.

use crate::datagen::Tally;
use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use anyhow::{Context, Result, ensure};
use data::{FileError, GameReader, GameRecord, GameWriter, Origin};
use selfplay::{Settings, rescore};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Search the positions of games again and write the games with the new scores
///
/// Moves and results stay. It may be interrupted at any moment: the same command resumes where it ended.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File of games
    file: PathBuf,
    /// File to append the games with their new scores to
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: PathBuf,
    /// Nodes a position; an iteration under way is finished within four times as many
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = numbers::at_least(1_u64))]
    nodes: u64,
    /// Games at a time; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::from_to(1_u16, 512))]
    threads: u16,
    /// Memory of each transposition table in MiB
    #[arg(long, value_name = "MiB", default_value_t = 8, value_parser = numbers::from_to(1_u32, 1024))]
    hash: u32,
    /// Skip damaged games, instead of refusing the file
    #[arg(long)]
    skip_damaged: bool,
    /// Set another option of the engine, such as `EvalFile`; may be given several times
    ///
    /// The file does not store these: to resume, give the same ones again.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = crate::bench::engine_option)]
    options: Vec<(String, String)>,
}

/// Scores the games that the new file still lacks.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (from, to) = (args.file.display(), args.out.display());
    ensure!(
        !(args.out.exists() && args.out.canonicalize()? == args.file.canonicalize()?),
        "{from} cannot be written over itself"
    );
    let wanted = count(args).with_context(|| from.to_string())?;
    let mut reader =
        GameReader::open(&args.file).with_context(|| from.to_string())?.skip_damaged(args.skip_damaged);
    let old = reader.origin();
    let origin = Origin { nodes: args.nodes, hash: args.hash, ..old };
    let mut writer = GameWriter::open(&args.out, origin).with_context(|| to.to_string())?;
    let there = writer.records();
    let stop = interrupt::flag()?;

    let settings =
        Settings { nodes: args.nodes, hash: args.hash, options: args.options.clone(), ..Settings::default() };
    for game in reader.by_ref().take(there as usize) {
        game.with_context(|| from.to_string())?;
    }
    let mut tally = Tally { started: Instant::now(), before: there, wanted, positions: 0 };
    let mut progress = Progress::new();
    let mut failed: Option<FileError> = None;
    let games = reader.map_while(|game| match game {
        Ok(game) => Some(game),
        Err(error) => {
            failed = Some(error);
            None
        }
    });
    rescore(&settings, there, games, usize::from(args.threads), &stop, |number, game: GameRecord| {
        writer.append(&game).with_context(|| to.to_string())?;
        tally.positions += game.moves().len() as u64;
        progress.show(|elapsed| tally.line(number + 1, elapsed));
        anyhow::Ok(())
    })?;
    drop(progress);
    let games = writer.records();
    writer.finish().with_context(|| to.to_string())?;
    if let Some(error) = failed {
        return Err(error).with_context(|| from.to_string());
    }
    let interrupted = stop.load(Ordering::Relaxed) && games < wanted;
    let end = if interrupted { "interrupted: " } else { "" };
    writeln!(
        io::stdout(),
        "{end}{games} of {wanted} games in {to}; {} positions in {:.0} s, {:.0} positions/s",
        tally.positions,
        tally.started.elapsed().as_secs_f64(),
        tally.positions_per_second()
    )?;
    Ok(if interrupted { interrupt::exit_code() } else { ExitCode::SUCCESS })
}

/// How many games there are to score.
fn count(args: &Args) -> Result<u64, FileError> {
    let mut reader = GameReader::open(&args.file)?.skip_damaged(args.skip_damaged);
    for game in reader.by_ref() {
        game?;
    }
    Ok(reader.records())
}
