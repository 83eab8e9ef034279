//! Where experiments are done: how long they may take, the seed, and a way to stop them.

use crate::stopwatch::Stopwatch;
use classics::Budget;
use classics::searches::{Method, SearchBoard, search};
use serde::Serialize;

/// How much work an experiment is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// A moment, for tests.
    Tiny,
    /// A minute or less.
    Usual,
    /// As deep as the documents went, and deeper; minutes to hours.
    Deep,
}

/// How far an experiment has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
    /// The step begun now.
    pub step: &'a str,
}

/// The experiment was stopped.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// What experiments are done with.
pub struct Workbench<'a> {
    pub(crate) scale: Scale,
    pub(crate) seed: u64,
    stop: &'a dyn Fn() -> bool,
    report: Option<&'a mut dyn FnMut(Progress<'_>)>,
    steps: (usize, usize),
}

/// What a search took.
pub(crate) struct Effort {
    pub score: i32,
    pub statistics: classics::Statistics,
    pub seconds: f64,
}

impl Effort {
    pub(crate) fn nodes(&self) -> u64 {
        self.statistics.nodes()
    }
}

impl<'a> Workbench<'a> {
    /// A bench whose experiments choose their positions by `seed`, ask `stop` often whether to end, and
    /// `report` every step.
    pub fn new(
        scale: Scale,
        seed: u64,
        stop: &'a dyn Fn() -> bool,
        report: &'a mut dyn FnMut(Progress<'_>),
    ) -> Self {
        Self { scale, seed, stop, report: Some(report), steps: (0, 0) }
    }

    /// A bench without reports or interruptions.
    #[must_use]
    pub fn quiet(scale: Scale, seed: u64) -> Self {
        Self { scale, seed, stop: &|| false, report: None, steps: (0, 0) }
    }

    /// A choice by scale.
    pub(crate) fn pick<T>(&self, tiny: T, usual: T, deep: T) -> T {
        match self.scale {
            Scale::Tiny => tiny,
            Scale::Usual => usual,
            Scale::Deep => deep,
        }
    }

    /// Announces how many steps there will be.
    pub(crate) fn plan(&mut self, steps: usize) {
        self.steps = (0, steps);
    }

    /// Begins the next step.
    pub(crate) fn step(&mut self, step: &str) -> Result<(), Interrupted> {
        let (done, total) = self.steps;
        if let Some(report) = &mut self.report {
            report(Progress { done, total: total.max(done + 1), step });
        }
        self.steps.0 += 1;
        self.go_on()
    }

    pub(crate) fn go_on(&self) -> Result<(), Interrupted> {
        if (self.stop)() { Err(Interrupted) } else { Ok(()) }
    }

    pub(crate) fn budget(&self) -> Budget<'a> {
        Budget { stop: self.stop, ..Budget::default() }
    }

    pub(crate) fn stop(&self) -> &'a dyn Fn() -> bool {
        self.stop
    }

    /// Searches a position to a depth, all iterations counted together.
    pub(crate) fn search<B: SearchBoard>(
        &self,
        board: &B,
        evaluate: fn(&B) -> i32,
        method: &Method,
        depth: u32,
    ) -> Result<Effort, Interrupted> {
        let stopwatch = Stopwatch::start();
        let found = search(board, evaluate, method, depth, &self.budget());
        let seconds = stopwatch.seconds();
        if found.depth < depth {
            return Err(Interrupted);
        }
        let statistics = sum(found.iterations.iter().map(|iteration| iteration.statistics));
        Ok(Effort { score: found.score, statistics, seconds })
    }
}

/// Several searches together; the deepest counts.
pub(crate) fn sum(parts: impl Iterator<Item = classics::Statistics>) -> classics::Statistics {
    let mut whole = classics::Statistics::default();
    for part in parts {
        for (into, from) in [(&mut whole.regular, part.regular), (&mut whole.quiescence, part.quiescence)] {
            into.nodes += from.nodes;
            into.recurring += from.recurring;
            into.table_hits += from.table_hits;
            into.cutoffs += from.cutoffs;
            into.begun += from.begun;
            into.expanded += from.expanded;
            into.deepest = into.deepest.max(from.deepest);
        }
    }
    whole
}
