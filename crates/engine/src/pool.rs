//! The searching threads. They live as long as the engine and keep what they have learnt.
//!
//! All threads search the same position and share only the transposition table ("Lazy SMP"): what one
//! finds out, the others find there.

use crate::evaluation::Evaluation;
use crate::event::{Event, Outcome};
use crate::score::Score;
use crate::search::params::Params;
use crate::search::{RootMove, Task, Worker};
use nnue::Network;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

/// A deep recursion needs room: each ply of the search holds a position and a list of moves.
pub const STACK_SIZE: usize = 16 << 20;

/// Where a worker works.
enum Thread {
    /// On a thread of its own.
    Own { jobs: Option<Sender<Job>>, handle: Option<JoinHandle<()>> },
    /// On the thread that has something for it to do, which waits meanwhile.
    Callers(Box<Mutex<Worker>>),
}

impl Thread {
    fn new(id: usize, params: &Params, evaluation: Evaluation) -> Self {
        let (jobs, todo) = channel::<Job>();
        let params = params.clone();
        let handle = std::thread::Builder::new()
            .name(format!("search {id}"))
            .stack_size(STACK_SIZE)
            .spawn(move || {
                eval::prepare();
                let mut worker = Worker::new(id, params, evaluation);
                for job in todo {
                    job(&mut worker);
                }
            })
            .ok();
        Self::Own { jobs: Some(jobs), handle }
    }

    fn callers(params: &Params, evaluation: Evaluation) -> Self {
        eval::prepare();
        Self::Callers(Box::new(Mutex::new(Worker::new(0, params.clone(), evaluation))))
    }

    fn run(&self, job: Job) {
        match self {
            Self::Own { jobs, .. } => {
                if let Some(jobs) = jobs {
                    // A thread that is gone can do nothing; the engine is being dropped then.
                    let _ = jobs.send(job);
                }
            }
            Self::Callers(worker) => job(&mut worker.lock().unwrap_or_else(PoisonError::into_inner)),
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

/// Counts searches under way, and wakes who waits for none to be.
#[derive(Default)]
struct Busy {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Busy {
    fn add(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }

    fn remove(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count > 0 {
            count = self.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// All searching threads.
pub struct Pool {
    threads: Vec<Thread>,
    busy: Arc<Busy>,
}

impl Pool {
    /// So many threads, at least one, with the evaluation of this name.
    #[must_use]
    pub fn new(threads: usize, params: &Params, evaluation: &str, network: Option<&Arc<Network>>) -> Self {
        let threads = (0..threads.max(1))
            .map(|id| Thread::new(id, params, Evaluation::by_name(evaluation, network)))
            .collect();
        Self { threads, busy: Arc::default() }
    }

    /// One worker that works on the thread which asks it to.
    #[must_use]
    pub fn in_place(params: &Params, evaluation: &str, network: Option<&Arc<Network>>) -> Self {
        let worker = Thread::callers(params, Evaluation::by_name(evaluation, network));
        Self { threads: vec![worker], busy: Arc::default() }
    }

    /// How many threads there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        *self.busy.count.lock().unwrap_or_else(PoisonError::into_inner) > 0
    }

    /// Waits until no search is under way.
    pub fn wait(&self) {
        self.busy.wait();
    }

    /// Makes every thread forget what it has learnt.
    pub fn forget(&self) {
        for thread in &self.threads {
            thread.run(Box::new(Worker::forget));
        }
    }

    /// Gives every thread the evaluation of this name.
    pub fn set_evaluation(&self, name: &str, network: Option<&Arc<Network>>) {
        for thread in &self.threads {
            let evaluation = Evaluation::by_name(name, network);
            thread.run(Box::new(move |worker| worker.set_evaluation(evaluation)));
        }
    }

    /// Gives every thread other parameters.
    #[cfg(feature = "tuning")]
    pub fn set_params(&self, params: &Params) {
        for thread in &self.threads {
            let params = params.clone();
            thread.run(Box::new(move |worker| worker.set_params(params)));
        }
    }

    /// Has the first thread do something that counts as a search.
    pub fn run(&self, job: impl FnOnce(&mut Worker) + Send + 'static) {
        let busy = Arc::clone(&self.busy);
        busy.add();
        self.threads[0].run(Box::new(move |worker| {
            job(worker);
            busy.remove();
        }));
    }

    /// Searches with all threads. The first one leads: it watches the clock, tells the lines, and in the
    /// end collects what the others found.
    pub fn search(&self, task: Task) {
        let task = Arc::new(task);
        let (results, collected) = channel();
        for thread in &self.threads[1..] {
            let (task, results) = (Arc::clone(&task), results.clone());
            thread.run(Box::new(move |worker| {
                worker.search(&task);
                let best = worker.root_moves()[0].clone();
                let depth = worker.completed_depth();
                drop(task);
                let _ = results.send((best, depth));
            }));
        }
        drop(results);
        self.run(move |worker| {
            if let Some(moves) = task.limits.mate {
                crate::mating::search(worker, &task, moves);
            } else {
                worker.search(&task);
            }
            task.control.wait_for_permission(task.limits.infinite);
            task.control.stop();
            let others: Vec<_> = collected.iter().collect();
            let event = finish(worker, &task, others);
            let control = Arc::clone(&task.control);
            drop(task);
            control.tell(event);
        });
    }
}

/// The result of all threads: the move most of them believe in, weighted by depth and score.
fn finish(worker: &Worker, task: &Task, others: Vec<(RootMove, i32)>) -> Event {
    let mut lines = worker.lines(task);
    let mut candidates = vec![(worker.root_moves()[0].clone(), worker.completed_depth())];
    candidates.extend(others);
    let winner = vote(&candidates);
    let usage = task.control.usage(&task.tt);
    let first_told = lines.first().map(|line| line.moves[0]);
    if task.lines == 1 && first_told != Some(winner.mv) {
        lines = worker.lines_of(task, std::slice::from_ref(winner));
        task.control.tell(Event::Lines(lines.clone(), usage));
    } else if worker.completed_depth() == 0 && !lines.is_empty() {
        // Stopped within the first iteration: the answer still comes with a score.
        task.control.tell(Event::Lines(lines.clone(), usage));
    }
    let best = lines.first().map_or(winner.mv, |line| line.moves[0]);
    let ponder = lines.first().and_then(|line| line.moves.get(1).copied());
    Event::Finished(Outcome { best: Some(best), ponder, lines, usage })
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
