//! The searching threads. They live as long as the engine and keep what they have learnt.
//!
//! All threads search the same position and share only the transposition table ("Lazy SMP"): what one
//! finds out, the others find there.
//!
//! A panic in a search ends that search with an error; the thread stays and begins anew.

use crate::evaluation::{Evaluation, EvaluationKind};
use crate::event::{Event, Outcome, SearchError, Sink};
use crate::score::Score;
use crate::search::params::Params;
use crate::search::{RootMove, Worker};
use crate::task::{Request, Task};
use nnue::Network;
use std::any::Any;
use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

/// A deep recursion needs room: each ply of the search holds a position and a list of moves.
pub const STACK_SIZE: usize = 16 << 20;

/// What the workers of a pool are made of.
pub(crate) struct Recipe<'a> {
    /// Parameters of the search.
    pub params: &'a Params,
    /// What judges positions,
    pub evaluation: EvaluationKind,
    /// with this network, if it is one.
    pub network: Option<&'a Arc<Network>>,
    /// The stack of a thread, at least [`STACK_SIZE`].
    pub stack_size: usize,
}

impl Recipe<'_> {
    fn evaluation(&self) -> Evaluation {
        Evaluation::new(self.evaluation, self.network)
    }
}

/// Where a worker works.
enum Thread {
    /// On a thread of its own.
    Own { jobs: Option<Sender<Job>>, handle: Option<JoinHandle<()>> },
    /// On the thread that has something for it to do, which waits meanwhile.
    Callers(Box<Mutex<Worker>>),
}

impl Thread {
    fn start(id: usize, recipe: &Recipe<'_>) -> io::Result<Self> {
        let (jobs, todo) = channel::<Job>();
        let (params, evaluation) = (recipe.params.clone(), recipe.evaluation());
        let handle = std::thread::Builder::new()
            .name(format!("search {id}"))
            .stack_size(recipe.stack_size)
            .spawn(move || {
            eval::prepare();
            let mut worker = Worker::new(id, params, evaluation);
            for job in todo {
                // A job that can fail reports so itself.
                let _ = guarded(&mut worker, job);
            }
        })?;
        Ok(Self::Own { jobs: Some(jobs), handle: Some(handle) })
    }

    fn callers(recipe: &Recipe<'_>) -> Self {
        eval::prepare();
        Self::Callers(Box::new(Mutex::new(Worker::new(0, recipe.params.clone(), recipe.evaluation()))))
    }

    fn run(&self, job: Job) {
        match self {
            Self::Own { jobs, .. } => {
                if let Some(jobs) = jobs {
                    // A thread that is gone drops the job, and whoever waits for the job notices that.
                    let _ = jobs.send(job);
                }
            }
            Self::Callers(worker) => job(&mut lock(worker)),
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Self::Own { jobs, handle } = self {
            *jobs = None;
            if let Some(handle) = handle.take() {
                let _ = handle.join();
            }
        }
    }
}

/// Nothing under these locks is left half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does a part of a search. If it panics, the worker begins anew.
fn guarded<T>(worker: &mut Worker, work: impl FnOnce(&mut Worker) -> T) -> Result<T, SearchError> {
    catch_unwind(AssertUnwindSafe(|| work(worker))).map_err(|panic| {
        worker.renew();
        SearchError::Panic(message_of(panic.as_ref()))
    })
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given").to_owned()
}

/// Counts searches under way, and wakes whoever waits for none to be.
#[derive(Default)]
struct Busy {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Busy {
    fn wait(&self) {
        let mut count = lock(&self.count);
        while *count > 0 {
            count = self.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A search under way, until it is dropped. Its end is reported in any case: if nothing else was reported, as
/// the loss of its thread.
struct Running {
    busy: Arc<Busy>,
    sink: Option<Sink>,
}

impl Running {
    fn new(busy: &Arc<Busy>, sink: Sink) -> Self {
        *lock(&busy.count) += 1;
        Self { busy: Arc::clone(busy), sink: Some(sink) }
    }

    fn end(mut self, result: Result<Outcome, SearchError>) {
        if let Some(sink) = self.sink.take() {
            sink(Event::of_result(result));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(sink) = self.sink.take() {
            sink(Event::Failed(SearchError::ThreadGone));
        }
        *lock(&self.busy.count) -= 1;
        self.busy.changed.notify_all();
    }
}

/// All searching threads.
pub(crate) struct Pool {
    threads: Vec<Thread>,
    busy: Arc<Busy>,
}

impl Pool {
    /// A pool of this many threads, at least one.
    ///
    /// # Errors
    /// When the system has not that many threads.
    pub(crate) fn new(threads: usize, recipe: &Recipe<'_>) -> io::Result<Self> {
        let threads =
            (0..threads.max(1)).map(|id| Thread::start(id, recipe)).collect::<io::Result<Vec<Thread>>>()?;
        Ok(Self { threads, busy: Arc::default() })
    }

    /// One worker that works on the thread which asks it to.
    #[must_use]
    pub(crate) fn in_place(recipe: &Recipe<'_>) -> Self {
        Self { threads: vec![Thread::callers(recipe)], busy: Arc::default() }
    }

    /// How many threads there are.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// Whether a search is under way.
    #[must_use]
    pub(crate) fn is_busy(&self) -> bool {
        *lock(&self.busy.count) > 0
    }

    /// Waits until no search is under way.
    pub(crate) fn wait(&self) {
        self.busy.wait();
    }

    /// Makes every thread forget what it has learnt.
    pub(crate) fn forget(&self) {
        for thread in &self.threads {
            thread.run(Box::new(Worker::forget));
        }
    }

    /// Gives every thread another evaluation.
    pub(crate) fn set_evaluation(&self, kind: EvaluationKind, network: Option<&Arc<Network>>) {
        for thread in &self.threads {
            let evaluation = Evaluation::new(kind, network);
            thread.run(Box::new(move |worker| worker.set_evaluation(evaluation)));
        }
    }

    /// Gives every thread but the first another evaluation.
    #[cfg(test)]
    pub(crate) fn set_evaluation_of_helpers(&self, kind: EvaluationKind) {
        for thread in &self.threads[1..] {
            thread.run(Box::new(move |worker| worker.set_evaluation(Evaluation::new(kind, None))));
        }
    }

    /// Gives every thread other parameters.
    #[cfg(feature = "tuning")]
    pub(crate) fn set_params(&self, params: &Params) {
        for thread in &self.threads {
            let params = params.clone();
            thread.run(Box::new(move |worker| worker.set_params(params)));
        }
    }

    /// Has the first thread do something that counts as a search, and reports how it ended.
    pub(crate) fn run(
        &self,
        sink: Sink,
        job: impl FnOnce(&mut Worker) -> Result<Outcome, SearchError> + Send + 'static,
    ) {
        let running = Running::new(&self.busy, sink);
        self.threads[0].run(Box::new(move |worker| {
            let result = job(worker);
            running.end(result);
        }));
    }

    /// Searches with all threads and returns at once; everything is reported to `sink`. The first thread
    /// leads: it watches the clock, reports the lines, and in the end collects what the others found.
    pub(crate) fn start(&self, request: Request, sink: Sink) {
        let found = self.start_helpers(&request);
        let events = Arc::clone(&sink);
        self.run(sink, move |worker| lead(worker, request, &found, &move |event| events(event)));
    }

    /// Searches with all threads and waits for the end.
    ///
    /// # Errors
    /// When a thread fails.
    pub(crate) fn search(
        &self,
        request: Request,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<Outcome, SearchError> {
        if let Thread::Callers(worker) = &self.threads[0] {
            let found = self.start_helpers(&request);
            let on_event = RefCell::new(on_event);
            let report = |event| (on_event.borrow_mut())(event);
            return lead(&mut lock(worker), request, &found, &report);
        }
        let (sender, events) = channel();
        self.start(
            request,
            Arc::new(move |event| {
                // The receiver waits below for the last event.
                let _ = sender.send(event);
            }),
        );
        for event in events {
            match event {
                Event::Finished(outcome) => return Ok(outcome),
                Event::Failed(error) => return Err(error),
                event => on_event(event),
            }
        }
        Err(SearchError::ThreadGone)
    }

    /// Has all threads but the first search, and says where their findings arrive.
    fn start_helpers(&self, request: &Request) -> Receiver<Result<Found, SearchError>> {
        let (findings, collected) = channel();
        for thread in &self.threads[1..] {
            let (request, findings) = (request.clone(), findings.clone());
            thread.run(Box::new(move |worker| {
                let control = Arc::clone(&request.control);
                let found = guarded(worker, move |worker| {
                    worker.search(&Task::new(request, &|_| {}));
                    (worker.root_moves()[0].clone(), worker.completed_depth())
                });
                if found.is_err() {
                    control.stop();
                }
                let _ = findings.send(found);
            }));
        }
        collected
    }
}

/// The best move of a thread and the depth it was searched to.
type Found = (RootMove, i32);

/// Searches as the first thread.
fn lead(
    worker: &mut Worker,
    request: Request,
    others: &Receiver<Result<Found, SearchError>>,
    report: &dyn Fn(Event),
) -> Result<Outcome, SearchError> {
    let task = Task::new(request, report);
    let searched = guarded(worker, |worker| {
        if let Some(moves) = task.limits.mate {
            crate::mating::search(worker, &task, moves);
        } else {
            worker.search(&task);
        }
        task.control.wait_for_permission(task.limits.infinite);
    });
    task.control.stop();
    let others: Result<Vec<Found>, SearchError> = others.iter().collect();
    searched?;
    let others = others?;
    guarded(worker, |worker| finish(worker, &task, others))
}

/// The result of all threads: the move most of them believe in, weighted by depth and score.
fn finish(worker: &Worker, task: &Task<'_>, others: Vec<Found>) -> Outcome {
    let mut lines = worker.lines(task);
    let mut candidates = vec![(worker.root_moves()[0].clone(), worker.completed_depth())];
    candidates.extend(others);
    let winner = vote(&candidates);
    let usage = task.control.usage(&task.tt);
    let first_reported = lines.first().map(|line| line.moves[0]);
    if task.lines == 1 && first_reported != Some(winner.mv) {
        lines = worker.lines_of(task, std::slice::from_ref(winner));
        task.report(Event::Lines(lines.clone(), usage));
    } else if worker.completed_depth() == 0 && !lines.is_empty() {
        // Stopped within the first iteration: the answer still comes with a score.
        task.report(Event::Lines(lines.clone(), usage));
    }
    let best = lines.first().map_or(winner.mv, |line| line.moves[0]);
    let ponder = lines.first().and_then(|line| line.moves.get(1).copied());
    Outcome { best: Some(best), ponder, lines, usage }
}

fn vote(candidates: &[(RootMove, i32)]) -> &RootMove {
    let first = &candidates[0];
    let lowest = candidates.iter().map(|(root, _)| root.score).min().unwrap_or(Score::DRAW);
    let votes = |mv| -> i64 {
        candidates
            .iter()
            .filter(|(root, _)| root.mv == mv)
            .map(|(root, depth)| i64::from(root.score - lowest + 12) * i64::from(*depth))
            .sum()
    };
    let mut best = first;
    for candidate in &candidates[1..] {
        let (root, depth) = candidate;
        let better = if best.0.score.is_win() || root.score.is_win() {
            // A certain win is taken, the shortest first.
            root.score > best.0.score
        } else {
            let (ours, theirs) = (votes(root.mv), votes(best.0.mv));
            *depth > 0 && !root.score.is_loss() && (ours > theirs || (ours == theirs && *depth > best.1))
        };
        if better {
            best = candidate;
        }
    }
    &best.0
}
