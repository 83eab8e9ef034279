//! `gardez lab`: the experiments of the documents, repeated.

use crate::interrupt;
use crate::progress::Progress;
use ::lab::{EXPERIMENTS, Experiment, Report, Scale, Workbench};
use anyhow::Context;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Repeat the experiments of the documents behind the classics
///
/// Each compares what a document claims with what is measured here. Without a name it lists the experiments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Experiments to do, or all
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Go as deep as the documents did, which takes much longer
    #[arg(long)]
    deep: bool,
    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Draw the results as SVG files in this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.names.is_empty() {
        return list(args.json);
    }
    let experiments = chosen(&args.names)?;
    if let Some(directory) = &args.svg {
        // Before the work, so that a directory that cannot be made does not spoil it.
        std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    }
    let stop = interrupt::stop_token()?;
    let is_stopped = || stop.is_stopped();
    let scale = if args.deep { Scale::Deep } else { Scale::Usual };
    let mut reports = Vec::new();
    for (number, experiment) in experiments.iter().enumerate() {
        let mut progress = Progress::new();
        let mut show = |now: ::lab::Progress<'_>| {
            progress.show(|_| {
                let ::lab::Progress { done, total, step } = now;
                let of_all = format!("{}/{}", number + 1, experiments.len());
                format!("{of_all} {}: {:>3} %  {step}", experiment.name, 100 * done / total.max(1))
            });
        };
        let Ok(report) = experiment.run(&mut Workbench::new(scale, args.seed, &is_stopped, &mut show)) else {
            break;
        };
        drop(progress);
        if let Some(directory) = &args.svg {
            draw(&report, directory)?;
        }
        if !args.json {
            let separator = if number > 0 { "\n" } else { "" };
            write!(io::stdout().lock(), "{separator}{}", report.to_text())?;
        }
        reports.push(report);
    }
    if args.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &reports)?;
        writeln!(out)?;
    }
    if reports.len() < experiments.len() {
        writeln!(io::stderr(), "interrupted: {} of {} experiments done", reports.len(), experiments.len())?;
        return Ok(interrupt::exit_code());
    }
    Ok(ExitCode::SUCCESS)
}

fn list(as_json: bool) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    if as_json {
        let entries =
            EXPERIMENTS.map(|known| serde_json::json!({ "name": known.name, "title": known.title }));
        serde_json::to_writer_pretty(&mut out, &entries)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = EXPERIMENTS.iter().map(|known| known.name.len()).max().unwrap_or(0);
    for Experiment { name, title, .. } in EXPERIMENTS {
        writeln!(out, "{name:width$}  {title}")?;
    }
    writeln!(out, "{:width$}  All of these, one after the other", "all")?;
    Ok(ExitCode::SUCCESS)
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<Experiment>> {
    if names.iter().any(|name| name.eq_ignore_ascii_case("all")) {
        return Ok(EXPERIMENTS.to_vec());
    }
    Ok(names.iter().map(|name| ::lab::find(name)).collect::<Result<_, _>>()?)
}

fn draw(report: &Report, directory: &Path) -> anyhow::Result<()> {
    for (number, plot) in report.plots.iter().enumerate() {
        let suffix = if number > 0 { format!("-{}", number + 1) } else { String::new() };
        let path = directory.join(format!("{}{suffix}.svg", report.name));
        std::fs::write(&path, plot.to_svg()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
