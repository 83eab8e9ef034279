//! The experiments of the documents that the classics come from, repeated: each puts what was claimed
//! next to what is measured here, as a table, as data and as plots.
//!
//! ```
//! use lab::{Workbench, Scale};
//!
//! let experiment = lab::find("pruning")?;
//! let report = experiment.run(&mut Workbench::quiet(Scale::Tiny, 1)).expect("nothing interrupts it");
//! assert!(report.to_text().contains("Ground Up"));
//! # Ok::<(), lab::UnknownExperiment>(())
//! ```

#![forbid(unsafe_code)]

mod endgames;
mod evalorder;
mod generators;
mod helpers;
mod hits;
mod mates;
mod mtdf;
mod nullmove;
mod ordering;
mod positions;
mod pruning;
mod quiescence;
mod recurrence;
mod report;
mod squares;
mod stopwatch;
mod svg;
mod tablesize;
mod text;
mod workbench;

pub use report::{Axis, Cell, Claim, Plot, Report, ReportTable, Series};
pub use workbench::{Interrupted, Progress, Scale, Workbench};

use report::Findings;
use std::time::Instant;

/// One of the experiments.
#[derive(Copy, Clone, Debug)]
pub struct Experiment {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it finds out.
    pub title: &'static str,
    measure: fn(&mut Workbench<'_>) -> Result<Findings, Interrupted>,
}

/// All of them, in the order of the documents' own way: boards, pruning, its helpers, the whole.
pub const EXPERIMENTS: [Experiment; 14] = [
    generators::EXPERIMENT,
    squares::EXPERIMENT,
    pruning::EXPERIMENT,
    ordering::EXPERIMENT,
    evalorder::EXPERIMENT,
    quiescence::EXPERIMENT,
    nullmove::EXPERIMENT,
    recurrence::EXPERIMENT,
    hits::EXPERIMENT,
    tablesize::EXPERIMENT,
    helpers::EXPERIMENT,
    mtdf::EXPERIMENT,
    mates::EXPERIMENT,
    endgames::EXPERIMENT,
];

impl Experiment {
    /// Does the experiment.
    ///
    /// # Errors
    /// When it was interrupted.
    pub fn run(&self, bench: &mut Workbench<'_>) -> Result<Report, Interrupted> {
        let begun = Instant::now();
        let Findings { method, claims, tables, plots } = (self.measure)(bench)?;
        Ok(Report {
            name: self.name,
            title: self.title,
            method,
            scale: bench.scale,
            seed: bench.seed,
            seconds: begun.elapsed().as_secs_f64(),
            claims,
            tables,
            plots,
        })
    }
}

/// There is no experiment of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no experiment {0:?}; there are {names}", names = EXPERIMENTS.map(|known| known.name).join(", "))]
pub struct UnknownExperiment(String);

/// An experiment by its name.
///
/// # Errors
/// When there is none of that name; the error lists those there are.
pub fn find(name: &str) -> Result<Experiment, UnknownExperiment> {
    EXPERIMENTS
        .into_iter()
        .find(|experiment| experiment.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| UnknownExperiment(name.chars().take(40).collect()))
}
