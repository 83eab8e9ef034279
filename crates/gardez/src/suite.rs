//! `gardez suite`: test positions with known solutions.

use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use anyhow::Context;
use arena::suite::{self, Attempt, Settings, Suite, SuiteReport};
use players::Limit;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

/// Solve test positions: best moves, moves to avoid, mates, points
#[derive(clap::Args)]
pub(crate) struct Args {
    /// EPD files with bm, am, dm, ce +M2, or the points of the Strategic Test Suite
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Milliseconds for each position [default: 1000, if nothing else limits the search]
    #[arg(long, value_name = "MS", value_parser = numbers::at_least(1_u64))]
    movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u32))]
    depth: Option<u32>,
    /// Continue with the next position when the solution has been held for N iterations
    #[arg(long, value_name = "N")]
    enough: Option<usize>,
    /// Let the search for mates prove those that are asked for
    #[arg(long)]
    prove_mates: bool,
    /// Positions at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: NonZeroUsize,
    /// Option of the engine, such as Hash=64; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    /// Fail when less is reached: points, or a part of all like 80%
    #[arg(long, value_name = "SCORE")]
    at_least: Option<Threshold>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, PartialEq, Debug)]
enum Threshold {
    Points(u32),
    Percent(f64),
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = match text.strip_suffix('%') {
            Some(percent) => percent
                .trim()
                .parse()
                .ok()
                .filter(|percent| (0.0..=100.0).contains(percent))
                .map(Self::Percent),
            None => text.parse().ok().map(Self::Points),
        };
        parsed.ok_or_else(|| "write a number of points, or a percentage like 80%".to_owned())
    }
}

impl Threshold {
    fn is_reached(self, report: &SuiteReport) -> bool {
        match self {
            Self::Points(points) => report.points >= points,
            Self::Percent(percent) => {
                f64::from(report.points) * 100.0 >= percent * f64::from(report.full_points)
            }
        }
    }
}

/// An option of the engine as it is written on the command line.
pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it like Hash=64")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Args {
    fn settings(&self) -> Settings {
        let limit = Limit {
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limit::default()
        };
        let default = Limit { move_time: Some(Duration::from_secs(1)), ..Limit::default() };
        Settings {
            limit: limit.check().unwrap_or(default),
            options: self.option.clone(),
            concurrency: self.concurrency,
            enough: self.enough,
            prove_mates: self.prove_mates,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut suite = Suite::default();
    for path in &args.files {
        // Old files are in old encodings; everything that matters in them is ASCII.
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let Suite { problems, remarks } = Suite::parse(&String::from_utf8_lossy(&bytes));
        for remark in suite::condense(&remarks) {
            writeln!(io::stderr(), "{}: {remark}", path.display())?;
        }
        suite.problems.extend(problems);
        suite.remarks.extend(remarks);
    }
    let stop = interrupt::stop_token()?;
    let mut progress = Progress::new();
    let (mut solved, mut done) = (0, 0);
    let total = suite.problems.len();
    let attempts = suite::solve(&suite.problems, &args.settings(), &stop, |_, attempt| {
        done += 1;
        solved += usize::from(attempt.is_solved());
        progress.show(|_| format!("{done}/{total} positions, {solved} solved"));
    })?;
    drop(progress);
    let report = SuiteReport::new(attempts, suite.remarks);
    print(args, &report)?;
    if report.tried < total {
        return Ok(interrupt::exit_code());
    }
    let reached = args.at_least.is_none_or(|threshold| threshold.is_reached(&report));
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(args: &Args, report: &SuiteReport) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, report)?;
        writeln!(out)?;
        return Ok(());
    }
    let width = report.attempts.iter().map(|attempt| attempt.name.chars().count()).max().unwrap_or(0).max(8);
    writeln!(
        out,
        "{:width$} {:>6} {:8} {:>8} {:>6} {:>11} {:>9}  found",
        "position", "points", "move", "score", "depth", "nodes", "time"
    )?;
    for attempt in &report.attempts {
        print_attempt(&mut out, attempt, width)?;
    }
    let SuiteReport { solved, tried, points, full_points, .. } = report;
    writeln!(out, "{solved} of {tried} solved, {points} of {full_points} points")?;
    Ok(())
}

fn print_attempt(out: &mut impl Write, attempt: &Attempt, width: usize) -> io::Result<()> {
    let Attempt { name, points, full_points, best, score, depth, nodes, seconds, found, .. } = attempt;
    let found = found.map_or_else(
        || "-".to_owned(),
        |found| format!("{:.3} s, depth {}, {} nodes", found.seconds, found.depth, found.nodes),
    );
    let points = format!("{points}/{full_points}");
    writeln!(
        out,
        "{name:width$} {points:>6} {best:8} {score:>8} {depth:>6} {nodes:>11} {seconds:>7.3} s  {found}"
    )
}
