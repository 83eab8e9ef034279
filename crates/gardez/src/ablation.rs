//! `gardez ablation`: what each heuristic of the search gains.

use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use anyhow::bail;
use arena::ablation::{self, Settings};
use arena::report;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure what each heuristic of the search gains
///
/// Gardez plays against itself without each of them and prints a table in Markdown: Elo with its interval of 95 %, and
/// the nodes per second with the heuristic relative to those without it. An interrupted measurement resumes when the
/// command is given again. Needs a build with `--features tuning`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these heuristics, such as `use_lmr` [default: all]
    heuristics: Vec<String>,
    /// File of openings, PGN or EPD
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    openings: Option<String>,
    /// Games for each heuristic
    #[arg(long, value_name = "N", default_value_t = 800)]
    games: usize,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = numbers::at_least(1_u64))]
    nodes: u64,
    /// Seed of the order of openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: NonZeroUsize,
    /// Directory for the state of the matches
    #[arg(long, value_name = "DIR", default_value = "ablation")]
    dir: PathBuf,
    /// Print the names of all heuristics
    #[arg(long)]
    list: bool,
    /// With --list: print the steps of the search with their flags as a table in Markdown
    #[arg(long, requires = "list")]
    markdown: bool,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    if args.list && args.markdown {
        write!(out, "{}", engine::steps::markdown())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.list {
        for name in ablation::heuristics() {
            writeln!(out, "{name}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if !ablation::IS_AVAILABLE {
        bail!(
            "heuristics cannot be switched off in this build; it needs `cargo build --release --features tuning`"
        );
    }
    if let Some(unknown) =
        args.heuristics.iter().find(|name| !ablation::heuristics().any(|known| known == **name))
    {
        bail!("there is no heuristic '{unknown}'; --list shows all");
    }
    let settings = Settings {
        games: args.games,
        nodes: args.nodes,
        openings: args.openings.clone().unwrap_or_default(),
        seed: args.seed,
        concurrency: args.concurrency,
        directory: args.dir.clone(),
    };
    let names: Vec<&str> = match &args.heuristics[..] {
        [] => ablation::heuristics().collect(),
        chosen => chosen.iter().map(|name| &name[..]).collect(),
    };
    let stop = interrupt::stop_token()?;
    let mut ablations = Vec::new();
    let mut progress = Progress::new();
    for (index, name) in names.iter().enumerate() {
        let measured = ablation::measure(name, &settings, &stop, |tournament, news| {
            progress.show(|elapsed| {
                // The time of the matches before says nothing about this one.
                let line = report::progress_line(tournament, news.finished.standings, elapsed, 0);
                format!("{}/{} {name}: {line}", index + 1, names.len())
            });
        })?;
        progress.say(&format!("{name}: {}", report::match_line(&measured.encounter, None)));
        ablations.push(measured);
        if stop.is_stopped() {
            break;
        }
    }
    drop(progress);
    write!(out, "{}", ablation::table(&ablations))?;
    Ok(if stop.is_stopped() { interrupt::exit_code() } else { ExitCode::SUCCESS })
}
