//! `gardez tune search`: better numbers for the search, found in games.

use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use crate::spsa_plot::plot;
use anyhow::{Context, Result, bail};
use arena::openings::{Openings, Order, Source};
use arena::spsa::{self, Course, Settings};
use engine::Tunable;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Tune the numbers of the search in games against itself
///
/// The engine with all numbers moved a little one way plays the engine with them moved the other way, over and
/// over (SPSA). The course is kept in a file after every batch; interrupted, the same command resumes it. Needs a
/// build with `--features tuning`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Numbers to tune, or beginnings of their names, such as `lmr_` [default: all]
    numbers: Vec<String>,
    /// File of openings, PGN or EPD
    #[arg(long, value_name = "FILE", required_unless_present_any = ["list", "openbench", "values"])]
    openings: Option<PathBuf>,
    /// Games in all
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    games: usize,
    /// Pairs of games between two changes of the values
    #[arg(long, value_name = "N", default_value = "16", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    batch: NonZeroUsize,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = numbers::at_least(1_u64))]
    nodes: u64,
    /// How far a won pair moves a number in the end, in parts of its step
    #[arg(long, value_name = "R", default_value_t = 0.004, value_parser = numbers::share::<f64>)]
    rate: f64,
    /// How many of its steps a number is moved for a game in the end; larger moves show more in fewer games, unless
    /// the best value lies between them
    #[arg(long, value_name = "STEPS", default_value_t = 1.0, value_parser = numbers::above_zero::<f64>)]
    stride: f64,
    /// Seed of directions and openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: NonZeroUsize,
    /// File of the course
    #[arg(long, value_name = "FILE", default_value = "course.json")]
    course: PathBuf,
    /// Write the course of every number as a plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the values of the course into the source that declares them, crates/engine/src/search/params.rs
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Print all numbers with their values, ranges and steps
    #[arg(long)]
    list: bool,
    /// Print the numbers as OpenBench's SPSA takes them: name, int, value, min, max, `c_end`, `r_end`
    #[arg(long, conflicts_with = "list")]
    openbench: bool,
    /// Take the values from a file, as OpenBench's SPSA returns them, for --write: name, value
    #[arg(long, value_name = "FILE", requires = "write")]
    values: Option<PathBuf>,
}

/// How far OpenBench moves a number at the end of a run, in parts of its step; what is usual there.
const OPENBENCH_RATE: f64 = 0.002;

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        return list();
    }
    if args.openbench {
        return print_for_openbench(&choose(&args.numbers)?);
    }
    if let (Some(values), Some(source)) = (&args.values, &args.write) {
        let text = fs::read_to_string(values).with_context(|| format!("cannot read {}", values.display()))?;
        write_back(source, &read_values(&text).with_context(|| values.display().to_string())?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !spsa::IS_AVAILABLE {
        bail!("the search is fixed in this build; it needs `cargo build --release --features tuning`");
    }
    let path = args.openings.clone().unwrap_or_default();
    let settings = Settings {
        names: choose(&args.numbers)?,
        pairs: args.games.div_ceil(2),
        batch: args.batch,
        nodes: args.nodes,
        rate: args.rate,
        stride: args.stride,
        seed: args.seed,
        openings: path.display().to_string(),
    };
    let openings = Openings::load(&Source::File(path), None, Order::Random(args.seed))?;
    let (mut course, mut file) = Course::open(&args.course, settings)?;
    let stop = interrupt::stop_token()?;
    let mut progress = Progress::new();
    let before = course.played;
    while !course.is_complete() && course.advance(&openings, args.concurrency, &stop)? {
        file.save(&course)?;
        progress.show(|elapsed| progress_line(&course, before, elapsed));
    }
    drop(progress);
    if let Some(svg) = &args.svg {
        fs::write(svg, plot(&course)).with_context(|| format!("cannot write {}", svg.display()))?;
    }
    print(&course)?;
    if let Some(source) = &args.write {
        write_back(source, &course.rounded())?;
    }
    Ok(if stop.is_stopped() { interrupt::exit_code() } else { ExitCode::SUCCESS })
}

fn list() -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    for tunable in spsa::tunables() {
        let range = format!("{} to {}", tunable.min, tunable.max);
        writeln!(out, "{:24} {:>6} {range:>14} step {}", tunable.name, tunable.default, tunable.step)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_for_openbench(names: &[String]) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    for tunable in spsa::tunables().filter(|tunable| names.iter().any(|name| name == tunable.name)) {
        let Tunable { name, default, min, max, step } = tunable;
        writeln!(out, "{name}, int, {default}, {min}, {max}, {step}, {OPENBENCH_RATE}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Names and values, one pair a line; lines of what was given to OpenBench are read too.
fn read_values(text: &str) -> Result<Vec<(String, i32)>> {
    let mut values = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let ([name, value] | [name, "int", value, ..]) = fields[..] else {
            bail!("line {number}: '{line}' is not written NAME, VALUE");
        };
        let tunable = spsa::tunables().find(|tunable| tunable.name == name);
        let tunable = tunable.with_context(|| format!("line {number}: there is no parameter '{name}'"))?;
        let value = value.parse().ok().filter(|value| (tunable.min..=tunable.max).contains(value));
        let (min, max) = (tunable.min, tunable.max);
        let value = value.with_context(|| format!("line {number}: {name} goes from {min} to {max}"))?;
        values.push((name.to_owned(), value));
    }
    Ok(values)
}

/// The names that begin with what is wanted; all if nothing is.
fn choose(wanted: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) =
        wanted.iter().find(|wanted| !spsa::tunables().any(|tunable| tunable.name.starts_with(&wanted[..])))
    {
        bail!("no number of the search begins with '{unknown}'; --list shows all");
    }
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.starts_with(&wanted[..]));
    Ok(spsa::tunables().map(|tunable| tunable.name.to_owned()).filter(|name| is_wanted(name)).collect())
}

fn progress_line(course: &Course, before: usize, elapsed: Duration) -> String {
    let done = course.played - before;
    let left = course.settings.pairs.saturating_sub(course.played);
    let minutes = elapsed.as_secs_f64() / 60.0 * left as f64 / done.max(1) as f64;
    let mut line =
        format!("{}/{} games, {minutes:.0} min left", 2 * course.played, 2 * course.settings.pairs);
    for (name, value) in course.settings.names.iter().zip(&course.values) {
        let _ = write!(line, "  {name} {value:.1}");
    }
    line
}

fn print(course: &Course) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "after {} games", 2 * course.played)?;
    for (name, value) in course.rounded() {
        let tunable = spsa::tunables().find(|tunable| tunable.name == name);
        let default = tunable.map_or(value, |tunable| tunable.default);
        writeln!(out, "{name:24} {default:>6} -> {value:>6}")?;
    }
    Ok(())
}

fn write_back(path: &Path, values: &[(String, i32)]) -> Result<()> {
    let source = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let rewritten = spsa::rewrite(&source, values)
        .with_context(|| format!("cannot write the values into {}", path.display()))?;
    fs::write(path, rewritten).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_openbench_returns_is_read_strictly() {
        let tunable = spsa::tunables().next().expect("a number");
        let (name, max) = (tunable.name, tunable.max);
        let read = |text: &str| read_values(text).map_err(|error| error.to_string());
        let expected = Ok(vec![(name.to_owned(), max)]);
        assert_eq!(read(&format!("{name}, {max}\n\n")), expected);
        assert_eq!(read(&format!("{name}, int, {max}, 0, {max}, 2, 0.002")), expected);
        let beyond = i64::from(max) + 1;
        for (text, reason) in [
            (format!("\n{name}"), "line 2"),
            ("nothing, 3".to_owned(), "there is no parameter 'nothing'"),
            (format!("{name}, {beyond}"), "goes from"),
            (format!("{name}, x"), "goes from"),
        ] {
            assert!(read(&text).is_err_and(|error| error.contains(reason)), "{text}");
        }
    }
}
