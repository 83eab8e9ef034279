//! `gardez puzzles`: puzzles from played games, and puzzles searched again.

use crate::interrupt;
use crate::numbers::{self, count};
use crate::progress::Progress;
use anyhow::{Context, bail};
use indicatif::HumanDuration;
use puzzles::FindError;
use puzzles::batch::{self, Batch, BatchEvent, Done};
use puzzles::check::{Checker, Verdict};
use puzzles::csv::Columns;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Find puzzles in the games of a file
///
/// A puzzle is a position where one move wins, or saves, and no other does. It begins with the opponent's mistake; its
/// solution lasts for as long as its moves are the only ones. The file has the columns of Lichess's puzzle database:
/// themes are named as there, ratings are estimated. The same games give the same puzzles, and the same command resumes where
/// it was interrupted.
///
/// With --check the file is one of puzzles, ours or Lichess's. Every solution is searched again, and those that the search does
/// not agree with are printed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A PGN file; with --check a CSV file of puzzles
    file: PathBuf,
    /// Where to write the puzzles
    #[arg(short, long, value_name = "FILE", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Nodes to prove each move of a solution [default: 20000, with --check 200000]
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64))]
    nodes: Option<u64>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: NonZeroUsize,
    /// Start again even if the file exists
    #[arg(long)]
    overwrite: bool,
    /// Search the solutions of a file of puzzles again
    #[arg(long, conflicts_with_all = ["output", "overwrite", "concurrency"])]
    check: bool,
    /// Check only every Nth puzzle
    #[arg(long, value_name = "N", default_value = "1", requires = "check", value_parser = numbers::at_least(1_usize))]
    every: usize,
}

const NODES: u64 = 20_000;
/// A check has this many times the nodes.
const CHECK: u64 = 10;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.output {
        Some(output) => find(args, output),
        None => check(args),
    }
}

fn find(args: &Args, output: &Path) -> anyhow::Result<ExitCode> {
    let work = Batch {
        input: args.file.clone(),
        output: output.to_owned(),
        nodes: args.nodes.unwrap_or(NODES),
        concurrency: args.concurrency,
        overwrite: args.overwrite,
    };
    let stop = interrupt::stop_token()?;
    let mut progress = Progress::new();
    let mut before = 0;
    let summary = batch::run(&work, &stop, |event| match event {
        BatchEvent::Resumed(done, bytes) => {
            before = bytes;
            progress.say(&format!("resumed after {}", count(done.games, "game")));
        }
        BatchEvent::Fault(fault) => progress.say(&format!("{}: {fault}", work.input.display())),
        BatchEvent::Progress(done, bytes, total) => {
            progress.show(|elapsed| progress_line(done, bytes, before, total, elapsed));
        }
    })?;
    drop(progress);
    let Done { games, left_out, puzzles } = summary.done;
    if !summary.is_complete {
        writeln!(
            io::stderr(),
            "interrupted after {}, {}; the same command resumes",
            count(games, "game"),
            count(puzzles, "puzzle")
        )?;
        return Ok(interrupt::exit_code());
    }
    let note = if left_out > 0 {
        format!("; {} of Chess960 left out", count(left_out, "game"))
    } else {
        String::new()
    };
    writeln!(
        io::stderr(),
        "{} from {} in {}{note}",
        count(puzzles, "puzzle"),
        count(games, "game"),
        output.display()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn progress_line(done: Done, bytes: u64, before: u64, total: u64, elapsed: Duration) -> String {
    let share = total.saturating_sub(bytes) as f64 / bytes.saturating_sub(before).max(1) as f64;
    let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * share).unwrap_or(Duration::MAX);
    format!(
        "{}, {}, {:.0} % of the file, {} left",
        count(done.games, "game"),
        count(done.puzzles, "puzzle"),
        100.0 * bytes as f64 / total.max(1) as f64,
        HumanDuration(left)
    )
}

fn check(args: &Args) -> anyhow::Result<ExitCode> {
    let path = args.file.display();
    let cannot_read = || format!("cannot read {path}");
    let mut lines = BufReader::new(File::open(&args.file).with_context(cannot_read)?).lines();
    let heading = lines.next().transpose().with_context(cannot_read)?.unwrap_or_default();
    let columns = Columns::read(&heading).with_context(|| format!("{path}"))?;
    let stop = interrupt::stop_token()?;
    let nodes = args.nodes.unwrap_or(CHECK * NODES);
    let mut checker = Checker::new(nodes, &stop)?;
    let mut progress = Progress::new();
    let (mut checked, mut confirmed) = (0, 0);
    for (index, line) in lines.enumerate().step_by(args.every) {
        let line = line.with_context(cannot_read)?;
        let row = columns.row(&line).with_context(|| format!("{path}, line {}", index + 2))?;
        let verdict = match checker.check(&row.line) {
            Ok(verdict) => verdict,
            Err(FindError::Cancelled) => break,
            Err(error) => bail!(error),
        };
        checked += 1;
        let complaint = match verdict {
            Verdict::Confirmed => {
                confirmed += 1;
                None
            }
            Verdict::OtherMove(ply) => Some((ply, "another move is better")),
            Verdict::NotEnough(ply) => Some((ply, "it does not reach enough")),
            Verdict::NotOnly(ply) => Some((ply, "another move is good too")),
        };
        if let Some((ply, complaint)) = complaint {
            let moves = coach::notation::san_line(row.line.start(), row.line.moves());
            progress.say(&format!(
                "line {} {}: {moves}: move {}: {complaint}",
                index + 2,
                row.id,
                ply / 2 + 1
            ));
        }
        progress.show(|_| format!("{confirmed} of {} confirmed", count(checked, "puzzle")));
    }
    drop(progress);
    let share = 100.0 * confirmed as f64 / checked.max(1) as f64;
    writeln!(
        io::stdout(),
        "{confirmed} of {} confirmed at {nodes} nodes a move ({share:.1} %)",
        count(checked, "puzzle")
    )?;
    Ok(if stop.is_stopped() { interrupt::exit_code() } else { ExitCode::SUCCESS })
}
