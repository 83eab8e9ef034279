//! The engines: as many as there are cores, shared in turns between visitors.
//!
//! Work waits in two lanes. Moves and hints, which are short, come first; analyses and reviews, which are
//! long, get every so many turns nevertheless, and give way when others wait. Within a lane visitors take
//! turns, those first who have nothing running.

use crate::bench::Bench;
use crate::error::{Code, Error, Result};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Who has asked: fairness is between these.
pub type Owner = Arc<str>;

/// How long work takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Priority {
    /// Somebody waits for a move.
    Move,
    /// Analysis and review, which can be broken off and taken up again.
    Study,
}

/// The most work of one visitor that may wait.
const WAITING_PER_OWNER: usize = 16;
/// The most work that may wait at all.
const WAITING: usize = 10_000;
/// One turn in so many is for long work even if short work waits.
const STUDY_EVERY: u64 = 6;
/// After this long, long work gives way to other long work.
const STUDY_SLICE: Duration = Duration::from_secs(1);
/// After this long, long work gives way to short work.
const STUDY_SLICE_BEFORE_MOVES: Duration = Duration::from_millis(100);
/// After this long, short work gives what it has when others wait.
const MOVE_SLICE: Duration = Duration::from_secs(1);

type Work = Box<dyn FnOnce(&mut Bench, &Turn) + Send>;

struct Job {
    owner: Owner,
    cancelled: Arc<AtomicBool>,
    work: Work,
}

/// Work that waits, by visitor.
#[derive(Default)]
struct Lane {
    /// Visitors in the order of their turns.
    order: VecDeque<Owner>,
    jobs: HashMap<Owner, VecDeque<Job>>,
}

impl Lane {
    fn push(&mut self, job: Job) {
        let jobs = self.jobs.entry(Arc::clone(&job.owner)).or_default();
        if jobs.is_empty() {
            self.order.push_back(Arc::clone(&job.owner));
        }
        jobs.push_back(job);
    }

    /// The next job: of the first visitor who has nothing running, else of the first.
    fn pop(&mut self, running: &HashMap<Owner, usize>) -> Option<Job> {
        let index = self.order.iter().position(|owner| !running.contains_key(owner)).unwrap_or(0);
        let owner = self.order.remove(index)?;
        let jobs = self.jobs.get_mut(&owner)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&owner);
        } else {
            self.order.push_back(owner);
        }
        job
    }

    /// Drops what the visitor no longer wants, and counts what is left.
    fn tidy(&mut self, owner: &Owner) -> (usize, usize) {
        let Some(jobs) = self.jobs.get_mut(owner) else { return (0, 0) };
        let before = jobs.len();
        jobs.retain(|job| !job.cancelled.load(Ordering::Relaxed));
        let (left, dropped) = (jobs.len(), before - jobs.len());
        if left == 0 {
            self.jobs.remove(owner);
            self.order.retain(|other| other != owner);
        }
        (left, dropped)
    }
}

#[derive(Default)]
struct Queue {
    lanes: [Lane; 2],
    running: HashMap<Owner, usize>,
    turns: u64,
    closed: bool,
}

impl Queue {
    fn pop(&mut self, waiting: &[AtomicUsize; 2]) -> Option<(Job, Priority)> {
        self.turns += 1;
        let study_first = self.turns.is_multiple_of(STUDY_EVERY);
        let order =
            if study_first { [Priority::Study, Priority::Move] } else { [Priority::Move, Priority::Study] };
        for priority in order {
            if let Some(job) = self.lanes[priority as usize].pop(&self.running) {
                waiting[priority as usize].fetch_sub(1, Ordering::Relaxed);
                return Some((job, priority));
            }
        }
        None
    }
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// How much waits in each lane, to be read while searching.
    waiting: [AtomicUsize; 2],
    closing: AtomicBool,
}

impl Shared {
    /// Nothing panics while the queue is locked.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waits(&self, priority: Priority) -> bool {
        self.waiting[priority as usize].load(Ordering::Relaxed) > 0
    }
}

/// A turn at an engine, asked again and again whether it is over.
#[derive(Clone)]
pub struct Turn {
    priority: Priority,
    began: Instant,
    cancelled: Arc<AtomicBool>,
    shared: Arc<Shared>,
}

impl Turn {
    /// Nobody wants the result any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.shared.closing.load(Ordering::Relaxed)
    }

    /// Others wait, and this turn has lasted long enough.
    #[must_use]
    pub fn gives_way(&self) -> bool {
        let elapsed = self.began.elapsed();
        match self.priority {
            Priority::Move => {
                elapsed >= MOVE_SLICE
                    && (self.shared.waits(Priority::Move) || self.shared.waits(Priority::Study))
            }
            Priority::Study => {
                elapsed >= STUDY_SLICE_BEFORE_MOVES && self.shared.waits(Priority::Move)
                    || elapsed >= STUDY_SLICE && self.shared.waits(Priority::Study)
            }
        }
    }

    /// Whether to end now, for either reason.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.gives_way()
    }
}

/// Cancels work when nobody waits for it any more.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A place among the engines for work that has an engine of its own: while it is held, one of the pool's
/// stands still.
pub struct Lease {
    turn: Turn,
    /// The engine goes on with other work when this is dropped.
    _release: mpsc::Sender<()>,
}

impl Lease {
    /// Whether to give the place back, for now or for good.
    #[must_use]
    pub fn turn(&self) -> &Turn {
        &self.turn
    }
}

/// The pool. Dropping it ends all searches.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of so many engines.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn new(engines: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let threads = (0..engines.max(1))
            .map(|index| {
                let shared = Arc::clone(&shared);
                std::thread::Builder::new()
                    .name(format!("engine {index}"))
                    .spawn(move || work(&shared, engines.max(1)))
            })
            .collect::<std::io::Result<_>>()?;
        Ok(Self { shared, threads })
    }

    /// How many engines there are.
    #[must_use]
    pub fn engines(&self) -> usize {
        self.threads.len()
    }

    /// Lets an engine do something when it is the visitor's turn. Dropping the future cancels it.
    ///
    /// # Errors
    /// When too much waits already, or the work failed.
    pub async fn run<T: Send + 'static>(
        &self,
        owner: &Owner,
        priority: Priority,
        work: impl FnOnce(&mut Bench, &Turn) -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Job {
            owner: Arc::clone(owner),
            cancelled: Arc::clone(&cancelled),
            work: Box::new(move |bench, turn| {
                let _ = sender.send(work(bench, turn));
            }),
        };
        let _cancel = CancelOnDrop(cancelled);
        self.submit(job, priority)?;
        receiver.await.map_err(|_| {
            if self.shared.closing.load(Ordering::Relaxed) {
                Error::new(Code::Busy, "the server is stopping")
            } else {
                Error::internal(&"an engine failed")
            }
        })
    }

    /// Waits for a place. It blocks the thread.
    ///
    /// # Errors
    /// When too much waits already, or the server stops.
    pub fn lease(&self, owner: &Owner, priority: Priority) -> Result<Lease> {
        let (sender, receiver) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let work: Work = Box::new(move |_, turn| {
            if sender.send(turn.clone()).is_ok() {
                let _ = released.recv();
            }
        });
        self.submit(Job { owner: Arc::clone(owner), cancelled: Arc::default(), work }, priority)?;
        let turn = receiver.recv().map_err(|_| Error::new(Code::Busy, "the server is stopping"))?;
        Ok(Lease { turn, _release: release })
    }

    fn submit(&self, job: Job, priority: Priority) -> Result<()> {
        let mut queue = self.shared.queue();
        if queue.closed {
            return Err(Error::new(Code::Busy, "the server is stopping"));
        }
        let mut own = 0;
        for (lane, waiting) in queue.lanes.iter_mut().zip(&self.shared.waiting) {
            let (left, dropped) = lane.tidy(&job.owner);
            waiting.fetch_sub(dropped, Ordering::Relaxed);
            own += left;
        }
        if own >= WAITING_PER_OWNER {
            return Err(Error::new(Code::TooMany, "too much of yours is waiting for the engine already"));
        }
        let all: usize = self.shared.waiting.iter().map(|waiting| waiting.load(Ordering::Relaxed)).sum();
        if all >= WAITING {
            return Err(Error::new(Code::Busy, "too much is waiting for the engine"));
        }
        queue.lanes[priority as usize].push(job);
        self.shared.waiting[priority as usize].fetch_add(1, Ordering::Relaxed);
        drop(queue);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Ends all searches and refuses new ones.
    pub fn close(&self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        let mut queue = self.shared.queue();
        queue.closed = true;
        queue.lanes = Default::default();
        drop(queue);
        self.shared.wake.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// What each thread of the pool does.
fn work(shared: &Arc<Shared>, engines: usize) {
    let mut bench = Bench::new(engines);
    loop {
        let mut queue = shared.queue();
        let (job, priority) = loop {
            if queue.closed {
                return;
            }
            match queue.pop(&shared.waiting) {
                Some(next) => break next,
                None => queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        };
        *queue.running.entry(Arc::clone(&job.owner)).or_default() += 1;
        drop(queue);

        let turn = Turn {
            priority,
            began: Instant::now(),
            cancelled: Arc::clone(&job.cancelled),
            shared: Arc::clone(shared),
        };
        if !turn.is_cancelled() {
            let work = job.work;
            // What was being searched may be half done, so a panic costs the engine, and nothing else.
            if catch_unwind(AssertUnwindSafe(|| work(&mut bench, &turn))).is_err() {
                tracing::error!("an engine panicked and is replaced");
                bench = Bench::new(engines);
            }
        }
        let mut queue = shared.queue();
        if let Some(count) = queue.running.get_mut(&job.owner) {
            *count -= 1;
            if *count == 0 {
                queue.running.remove(&job.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(owner: &str, label: &'static str, log: &mpsc::Sender<&'static str>) -> Job {
        let log = log.clone();
        Job {
            owner: owner.into(),
            cancelled: Arc::default(),
            work: Box::new(move |_, _| {
                let _ = log.send(label);
            }),
        }
    }

    /// The labels of the jobs in the order in which they would run, one at a time.
    fn order(jobs: Vec<(Job, Priority)>, log: &mpsc::Receiver<&'static str>) -> Vec<&'static str> {
        let shared = Arc::new(Shared::default());
        let mut queue = Queue::default();
        for (job, priority) in jobs {
            queue.lanes[priority as usize].push(job);
            shared.waiting[priority as usize].fetch_add(1, Ordering::Relaxed);
        }
        let mut bench = Bench::new(64);
        while let Some((job, priority)) = queue.pop(&shared.waiting) {
            let turn = Turn {
                priority,
                began: Instant::now(),
                cancelled: Arc::default(),
                shared: Arc::clone(&shared),
            };
            (job.work)(&mut bench, &turn);
        }
        assert!(!shared.waits(Priority::Move) && !shared.waits(Priority::Study));
        log.try_iter().collect()
    }

    #[test]
    fn visitors_take_turns() {
        let (log, labels) = mpsc::channel();
        let mut jobs: Vec<(Job, Priority)> =
            (0..4).map(|_| (job("greedy", "g", &log), Priority::Move)).collect();
        jobs.push((job("modest", "m", &log), Priority::Move));
        assert_eq!(order(jobs, &labels), ["g", "m", "g", "g", "g"]);
    }

    #[test]
    fn moves_come_first_but_studies_are_not_forgotten() {
        let (log, labels) = mpsc::channel();
        let mut jobs = vec![(job("student", "study", &log), Priority::Study)];
        jobs.extend((0..8).map(|_| (job("player", "move", &log), Priority::Move)));
        let order = order(jobs, &labels);
        assert_eq!(order.iter().position(|&label| label == "study"), Some(STUDY_EVERY as usize - 1));
    }

    #[test]
    fn visitors_without_anything_running_come_first() {
        let (log, _labels) = mpsc::channel();
        let mut lane = Lane::default();
        lane.push(job("one", "1", &log));
        lane.push(job("two", "2", &log));
        let running = HashMap::from([(Owner::from("one"), 1)]);
        assert_eq!(lane.pop(&running).map(|job| job.owner), Some("two".into()));
        assert_eq!(lane.pop(&running).map(|job| job.owner), Some("one".into()));
        assert!(lane.pop(&running).is_none());
    }

    #[tokio::test]
    async fn a_panic_costs_one_job() {
        let pool = Pool::new(1).expect("threads");
        let owner = Owner::from("visitor");
        let failed: Result<()> = pool.run(&owner, Priority::Move, |_, _| panic!("on purpose")).await;
        assert_eq!(failed.map_err(|error| error.code), Err(Code::Internal));
        assert_eq!(pool.run(&owner, Priority::Move, |_, _| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_cancelled() {
        let pool = Pool::new(1).expect("threads");
        let owner = Owner::from("visitor");
        let (started, has_started) = oneshot::channel();
        let (ended, has_ended) = oneshot::channel();
        let endless = pool.run(&owner, Priority::Study, move |_, turn: &Turn| {
            let _ = started.send(());
            while !turn.is_cancelled() {
                std::thread::yield_now();
            }
            let _ = ended.send(());
        });
        tokio::select! {
            _ = endless => panic!("it has no end"),
            begun = has_started => assert!(begun.is_ok()),
        }
        // The future is dropped by now, and the engine is free again.
        assert!(has_ended.await.is_ok());
        assert_eq!(pool.run(&owner, Priority::Move, |_, _| 1).await, Ok(1));
    }

    #[tokio::test]
    async fn long_work_gives_way_to_a_move() {
        let pool = Pool::new(1).expect("threads");
        let (student, player) = (Owner::from("student"), Owner::from("player"));
        let (started, has_started) = oneshot::channel();
        let study = pool.run(&student, Priority::Study, move |_, turn: &Turn| {
            let _ = started.send(());
            while !turn.is_over() {
                std::thread::yield_now();
            }
            turn.is_cancelled()
        });
        let play = async {
            assert!(has_started.await.is_ok());
            pool.run(&player, Priority::Move, |_, _| "e4").await
        };
        let (study, played) = tokio::join!(study, play);
        assert_eq!(study, Ok(false), "it gave way and was not cancelled");
        assert_eq!(played, Ok("e4"));
    }

    #[test]
    fn a_lease_keeps_an_engine_from_other_work() {
        let pool = Pool::new(1).expect("threads");
        let lease = pool.lease(&Owner::from("reviewer"), Priority::Study).expect("a place");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let player = Owner::from("player");
            let mut play = Box::pin(pool.run(&player, Priority::Move, |_, _| "e4"));
            assert!(futures_poll_once(&mut play).await.is_none());
            while !lease.turn().gives_way() {
                std::thread::yield_now();
            }
            drop(lease);
            assert_eq!(play.await, Ok("e4"));
        });
    }

    #[tokio::test]
    async fn one_visitor_cannot_fill_the_queue() {
        let pool = Arc::new(Pool::new(1).expect("threads"));
        let owner = Owner::from("flood");
        let (release, wait) = mpsc::channel::<()>();
        let (started, has_started) = oneshot::channel();
        let blocker = {
            let (pool, owner) = (Arc::clone(&pool), Arc::clone(&owner));
            tokio::spawn(async move {
                pool.run(&owner, Priority::Move, move |_, _| {
                    let _ = started.send(());
                    let _ = wait.recv();
                })
                .await
            })
        };
        assert!(has_started.await.is_ok());
        let mut waiting = Vec::new();
        for _ in 0..WAITING_PER_OWNER {
            let mut future = Box::pin(pool.run(&owner, Priority::Move, |_, _| ()));
            // Polled once, so that it stands in the queue.
            assert!(futures_poll_once(&mut future).await.is_none());
            waiting.push(future);
        }
        let refused = pool.run(&owner, Priority::Move, |_, _| ()).await;
        assert_eq!(refused.map_err(|error| error.code), Err(Code::TooMany));
        // Another visitor is not concerned, and dropped work makes room.
        waiting.clear();
        let mut again = Box::pin(pool.run(&owner, Priority::Move, |_, _| ()));
        assert!(futures_poll_once(&mut again).await.is_none());
        drop(release);
        assert_eq!(again.await, Ok(()));
        assert_eq!(blocker.await.expect("the task"), Ok(()));
    }

    async fn futures_poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        tokio::select! {
            biased;
            output = future => Some(output),
            () = std::future::ready(()) => None,
        }
    }
}
