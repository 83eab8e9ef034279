//! Every game of a file as rows of a table, in Parquet files.

use super::Args;
use super::games::{FileProgress, settings};
use crate::interrupt;
use crate::numbers::count;
use crate::progress::Progress;
use columns::analysis::{self, Analysis, AnalysisEvent, Shard};
use columns::part::PART_BYTES;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) fn run(args: &Args, input: PathBuf, directory: PathBuf) -> anyhow::Result<ExitCode> {
    let work = Analysis {
        input,
        directory,
        settings: settings(args),
        part_bytes: args.games.part_bytes.unwrap_or(PART_BYTES),
        shard: args.games.shard.unwrap_or(Shard::WHOLE),
        concurrency: args.games.concurrency.unwrap_or(NonZeroUsize::MIN),
        overwrite: args.games.overwrite,
    };
    let stop = interrupt::stop_token()?;
    let mut progress = Progress::new();
    let mut file_progress = FileProgress::default();
    let (summary, is_complete) = analysis::run(&work, &stop, |news| match news {
        AnalysisEvent::Resumed { games, bytes } => {
            file_progress = FileProgress { games, before: bytes, done: bytes, ..file_progress };
            progress.say(&format!("resumed after {}", count(games, "game")));
        }
        AnalysisEvent::Fault(fault) => progress.say(&format!("{}: {fault}", work.input.display())),
        AnalysisEvent::Game => {
            file_progress.games += 1;
            progress.show(|elapsed| file_progress.line(elapsed));
        }
        AnalysisEvent::Bytes(done, total) => (file_progress.done, file_progress.total) = (done, total),
    })?;
    drop(progress);
    let games = count(summary.games, "game");
    if !is_complete {
        writeln!(io::stderr(), "interrupted after {games}; the same command resumes")?;
        return Ok(interrupt::exit_code());
    }
    let faults = if summary.faulty > 0 {
        format!(", {} of them without moves", summary.faulty)
    } else {
        String::new()
    };
    writeln!(
        io::stderr(),
        "{games}{faults}, {} in {} of {}",
        count(summary.rows, "move"),
        count(summary.parts, "file"),
        work.directory.display()
    )?;
    Ok(ExitCode::SUCCESS)
}
