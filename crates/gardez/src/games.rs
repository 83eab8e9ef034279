//! `gardez games`: looks after the games that the server keeps.

use crate::numbers::count;
use crate::serve::data_directory;
use anyhow::Result;
use clap::Subcommand;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use web::{CheckReport, Recovery};

/// Copy, restore and check the games that the server keeps
///
/// The server makes a copy every day by itself, in the directory `backups` of the data directory.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    /// Directory of the games [default: the user's data directory]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Copy all games to one file; a server may run meanwhile
    Backup {
        /// File to write, which must not exist [default: one with the date in `backups`]
        file: Option<PathBuf>,
    },
    /// Put a copy in place of the games, which are kept under another name; no server may run meanwhile
    Restore {
        /// The copy
        file: PathBuf,
    },
    /// Look for damage, and read every game move by move; a server may run meanwhile
    Check {
        /// A copy to look at instead of the games
        file: Option<PathBuf>,
    },
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let data = data_directory(args.data.as_deref())?;
    let mut out = io::stdout().lock();
    match &args.command {
        Command::Backup { file } => {
            let copy = web::backup(&data, file.as_deref())?;
            writeln!(out, "{}: {}", copy.display(), contents(&web::check_games(&copy)?))?;
        }
        Command::Restore { file } => {
            let (report, before) = web::restore(&data, file)?;
            writeln!(out, "Restored {}.", contents(&report))?;
            if let Some(before) = before {
                writeln!(out, "What was there before is in {}.", before.display())?;
            }
        }
        Command::Check { file } => {
            let report = web::check_games(file.as_deref().unwrap_or(&data))?;
            for fault in &report.faults {
                writeln!(out, "{fault}")?;
            }
            let verdict = if report.faults.is_empty() { "no damage" } else { "damaged" };
            writeln!(out, "{}: {verdict}", contents(&report))?;
            if !report.faults.is_empty() {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn contents(report: &CheckReport) -> String {
    let CheckReport { games, moves, reviews, .. } = *report;
    format!("{}, {}, {}", count(games, "game"), count(moves, "move"), count(reviews, "review"))
}

/// Recovers damaged games before a server starts, and prints what became of them.
pub(crate) fn recover(data: &Path) -> Result<()> {
    let mut stderr = io::stderr();
    let Some(Recovery { damaged, what, games, shortened, from_copies, lost }) = web::recover(data)? else {
        let _ = writeln!(stderr, "The games are not damaged.");
        return Ok(());
    };
    let _ = writeln!(
        stderr,
        "The games were damaged ({what}). There are {} again; {from_copies} come from copies, {shortened} lack their \
         last moves, {lost} could not be read. The damaged file is {}.",
        count(games, "game"),
        damaged.display()
    );
    Ok(())
}
