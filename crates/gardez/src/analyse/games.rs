//! Every game of a file with its annotations.

use super::Args;
use crate::interrupt;
use crate::numbers::count;
use crate::progress::Progress;
use anyhow::{Context, ensure};
use coach::Claim;
use indicatif::HumanDuration;
use review::annotate::Style;
use review::batch::{self, Batch, BatchEvent};
use review::record::GameRecord;
use review::{Judgement, Settings};
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

pub(super) fn run(args: &Args, input: PathBuf) -> anyhow::Result<ExitCode> {
    let (work, prints_json) = work(args, input)?;
    let stop = interrupt::stop_token()?;
    let mut progress = Progress::new();
    let mut file_progress = FileProgress::default();
    let mut broken_output = None;
    let mut reasons = Reasons::default();
    let summary = batch::run(&work, &stop, |news| match news {
        BatchEvent::Resumed { games, bytes } => {
            file_progress = FileProgress { games, before: bytes, ..file_progress };
            progress.say(&format!("resumed after {}", count(games, "game")));
        }
        BatchEvent::Faulty(fault) => {
            file_progress.games += 1;
            progress.say(&format!("{}: {fault}; left out", work.input.display()));
        }
        BatchEvent::Fault(fault) => progress.say(&format!("{}: {fault}", work.input.display())),
        BatchEvent::Reviewed(record) => {
            file_progress.games += 1;
            reasons.count(record);
            if prints_json && broken_output.is_none() {
                let printed = serde_json::to_string(record)
                    .map_err(io::Error::from)
                    .and_then(|line| writeln!(io::stdout(), "{line}"));
                if let Err(error) = printed {
                    // The reader is gone; what is done stays done.
                    broken_output = Some(error);
                    stop.stop();
                }
            }
        }
        BatchEvent::Bytes(done, total) => {
            (file_progress.done, file_progress.total) = (done, total);
            progress.show(|elapsed| file_progress.line(elapsed));
        }
    })?;
    drop(progress);
    if let Some(error) = broken_output {
        return Err(error.into());
    }
    let reviewed = summary.games - summary.faulty;
    let name = work.pgn.display();
    if !summary.is_complete {
        writeln!(
            io::stderr(),
            "interrupted after {}; the same command resumes",
            count(summary.games, "game")
        )?;
        return Ok(interrupt::exit_code());
    }
    let faults = if summary.faulty > 0 { format!(", {} left out", summary.faulty) } else { String::new() };
    writeln!(io::stderr(), "{} in {name}{faults}", count(reviewed, "game"))?;
    writeln!(io::stderr(), "{reasons}")?;
    Ok(if summary.faulty > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How thoroughly to look.
pub(super) fn settings(args: &Args) -> Settings {
    let nodes = args.nodes.unwrap_or(Settings::default().nodes);
    Settings { nodes, depth: args.depth, options: args.options() }
}

/// The work, and whether records are printed as well.
fn work(args: &Args, input: PathBuf) -> anyhow::Result<(Batch, bool)> {
    ensure!(
        args.games.shard.is_none() && args.games.part_bytes.is_none(),
        "--shard and --part-bytes need --parquet"
    );
    let pgn =
        args.games.output.clone().context(
            "where to? Name a file for the games, such as -o out.pgn, or a directory: --parquet out",
        )?;
    let settings = settings(args);
    let annotator = format!("Gardez {}, {} nodes a move", env!("CARGO_PKG_VERSION"), settings.nodes);
    let prints_json = args.json.as_deref() == Some(Path::new("-"));
    let work = Batch {
        input,
        pgn,
        json: args.json.clone().filter(|_| !prints_json),
        report: args.games.report.clone(),
        settings,
        style: Style { all_lines: args.games.all_lines, clean: args.games.clean, annotator },
        concurrency: args.games.concurrency.unwrap_or(NonZeroUsize::MIN),
        overwrite: args.games.overwrite,
    };
    Ok((work, prints_json))
}

/// For how many errors the review knows a reason.
#[derive(Default)]
struct Reasons {
    errors: u64,
    without: u64,
}

impl Reasons {
    fn count(&mut self, game: &GameRecord) {
        let is_error = |judgement| matches!(judgement, Judgement::Mistake | Judgement::Blunder);
        for record in game.moves.iter().filter(|record| record.judgement.is_some_and(is_error)) {
            self.errors += 1;
            self.without += u64::from(!record.claims.iter().any(Claim::is_reason));
        }
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.without as f64 / self.errors.max(1) as f64;
        let errors = if self.errors == 1 { "mistake or blunder" } else { "mistakes and blunders" };
        write!(f, "{} {errors}, {} without a reason ({share:.1} %)", self.errors, self.without)
    }
}

/// How far the work has come.
#[derive(Default)]
pub(super) struct FileProgress {
    pub(super) games: u64,
    /// Bytes that were done at the beginning.
    pub(super) before: u64,
    pub(super) done: u64,
    pub(super) total: u64,
}

impl FileProgress {
    pub(super) fn line(&self, elapsed: Duration) -> String {
        let share = (self.total.saturating_sub(self.done)) as f64
            / self.done.saturating_sub(self.before).max(1) as f64;
        let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * share).unwrap_or(Duration::MAX);
        format!(
            "{}, {:.0} % of the file, {} left",
            count(self.games, "game"),
            100.0 * self.done as f64 / self.total.max(1) as f64,
            HumanDuration(left)
        )
    }
}
