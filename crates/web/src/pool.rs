//! The engines: as many as there are cores, shared in turns between visitors.
//!
//! Work waits in two lanes. Moves and hints, which are short, come first; analyses and reviews, which are
//! long, get every sixth turn nevertheless, and give way when others wait. Within a lane visitors take
//! turns, those first who have nothing running.

use crate::engine_slot::EngineSlot;
use crate::error::{Code, Error, Result};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Who has asked: fairness is between these.
pub(crate) type Owner = Arc<str>;

/// How long work takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    /// A move or a hint, which a visitor waits for.
    Move,
    /// Analysis and review, which can be broken off and taken up again.
    Study,
}

/// The most work of one visitor that may wait.
const WAITING_PER_OWNER: usize = 16;
/// The most work that may wait at all.
const WAITING: usize = 10_000;
/// One turn in this many is for long work even if short work waits.
const STUDY_EVERY: u64 = 6;
/// After this long, long work gives way to other long work.
const STUDY_SLICE: Duration = Duration::from_secs(1);
/// After this long, long work gives way to short work.
const STUDY_SLICE_BEFORE_MOVES: Duration = Duration::from_millis(100);
/// After this long, short work gives what it has when others wait.
const MOVE_SLICE: Duration = Duration::from_secs(1);

type Work = Box<dyn FnOnce(&mut EngineSlot, &Turn) + Send>;

struct EngineTask {
    owner: Owner,
    cancelled: Arc<AtomicBool>,
    work: Work,
}

/// Work that waits, by visitor.
#[derive(Default)]
struct Lane {
    /// Visitors in the order of their turns.
    order: VecDeque<Owner>,
    tasks: HashMap<Owner, VecDeque<EngineTask>>,
}

impl Lane {
    fn push(&mut self, task: EngineTask) {
        let tasks = self.tasks.entry(Arc::clone(&task.owner)).or_default();
        if tasks.is_empty() {
            self.order.push_back(Arc::clone(&task.owner));
        }
        tasks.push_back(task);
    }

    /// The next task: of the first visitor who has nothing running, else of the first.
    fn pop(&mut self, running: &HashMap<Owner, usize>) -> Option<EngineTask> {
        let index = self.order.iter().position(|owner| !running.contains_key(owner)).unwrap_or(0);
        let owner = self.order.remove(index)?;
        let tasks = self.tasks.get_mut(&owner)?;
        let task = tasks.pop_front();
        if tasks.is_empty() {
            self.tasks.remove(&owner);
        } else {
            self.order.push_back(owner);
        }
        task
    }

    /// Drops what the visitor no longer wants, and counts what is left.
    fn tidy(&mut self, owner: &Owner) -> (usize, usize) {
        let Some(tasks) = self.tasks.get_mut(owner) else { return (0, 0) };
        let before = tasks.len();
        tasks.retain(|task| !task.cancelled.load(Ordering::Relaxed));
        let (left, dropped) = (tasks.len(), before - tasks.len());
        if left == 0 {
            self.tasks.remove(owner);
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
    fn pop(&mut self, waiting: &[AtomicUsize; 2]) -> Option<(EngineTask, Priority)> {
        self.turns += 1;
        let study_first = self.turns.is_multiple_of(STUDY_EVERY);
        let order =
            if study_first { [Priority::Study, Priority::Move] } else { [Priority::Move, Priority::Study] };
        for priority in order {
            if let Some(task) = self.lanes[priority as usize].pop(&self.running) {
                waiting[priority as usize].fetch_sub(1, Ordering::Relaxed);
                return Some((task, priority));
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
pub(crate) struct Turn {
    priority: Priority,
    began: Instant,
    cancelled: Arc<AtomicBool>,
    shared: Arc<Shared>,
}

impl Turn {
    /// The result is not wanted any more.
    #[must_use]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.shared.closing.load(Ordering::Relaxed)
    }

    /// Others wait, and this turn has lasted long enough.
    #[must_use]
    pub(crate) fn gives_way(&self) -> bool {
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
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.gives_way()
    }
}

/// Cancels work whose result is not waited for any more.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A place among the engines for work that has an engine of its own: while it is held, one of the pool's
/// stands still.
pub(crate) struct Lease {
    turn: Turn,
    /// The engine takes other work when this is dropped.
    _release: mpsc::Sender<()>,
}

impl Lease {
    /// Whether to give the place back, for now or for good.
    #[must_use]
    pub(crate) fn turn(&self) -> &Turn {
        &self.turn
    }
}

/// The pool. Dropping it ends all searches.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of this many engines.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(crate) fn new(engines: usize) -> std::io::Result<Self> {
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
    pub(crate) fn engines(&self) -> usize {
        self.threads.len()
    }

    /// Lets an engine do something when it is the visitor's turn. Dropping the future cancels it.
    ///
    /// # Errors
    /// When too much waits already, or the work failed.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        owner: &Owner,
        priority: Priority,
        work: impl FnOnce(&mut EngineSlot, &Turn) -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let task = EngineTask {
            owner: Arc::clone(owner),
            cancelled: Arc::clone(&cancelled),
            work: Box::new(move |slot, turn| {
                let _ = sender.send(work(slot, turn));
            }),
        };
        let _cancel = CancelOnDrop(cancelled);
        self.submit(task, priority)?;
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
    pub(crate) fn lease(&self, owner: &Owner, priority: Priority) -> Result<Lease> {
        let (sender, receiver) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let work: Work = Box::new(move |_, turn| {
            if sender.send(turn.clone()).is_ok() {
                let _ = released.recv();
            }
        });
        self.submit(EngineTask { owner: Arc::clone(owner), cancelled: Arc::default(), work }, priority)?;
        let turn = receiver.recv().map_err(|_| Error::new(Code::Busy, "the server is stopping"))?;
        Ok(Lease { turn, _release: release })
    }

    fn submit(&self, task: EngineTask, priority: Priority) -> Result<()> {
        let mut queue = self.shared.queue();
        if queue.closed {
            return Err(Error::new(Code::Busy, "the server is stopping"));
        }
        let mut own = 0;
        for (lane, waiting) in queue.lanes.iter_mut().zip(&self.shared.waiting) {
            let (left, dropped) = lane.tidy(&task.owner);
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
        queue.lanes[priority as usize].push(task);
        self.shared.waiting[priority as usize].fetch_add(1, Ordering::Relaxed);
        drop(queue);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Ends all searches and refuses new ones.
    pub(crate) fn close(&self) {
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
    let mut slot = EngineSlot::new(engines);
    loop {
        let mut queue = shared.queue();
        let (task, priority) = loop {
            if queue.closed {
                return;
            }
            match queue.pop(&shared.waiting) {
                Some(next) => break next,
                None => queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        };
        *queue.running.entry(Arc::clone(&task.owner)).or_default() += 1;
        drop(queue);

        let turn = Turn {
            priority,
            began: Instant::now(),
            cancelled: Arc::clone(&task.cancelled),
            shared: Arc::clone(shared),
        };
        if !turn.is_cancelled() {
            let work = task.work;
            // What was being searched may be half done, so a panic costs the engine, and nothing else.
            if catch_unwind(AssertUnwindSafe(|| work(&mut slot, &turn))).is_err() {
                tracing::error!("an engine panicked and is replaced");
                slot = EngineSlot::new(engines);
            }
        }
        let mut queue = shared.queue();
        if let Some(count) = queue.running.get_mut(&task.owner) {
            *count -= 1;
            if *count == 0 {
                queue.running.remove(&task.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(owner: &str, label: &'static str, log: &mpsc::Sender<&'static str>) -> EngineTask {
        let log = log.clone();
        EngineTask {
            owner: owner.into(),
            cancelled: Arc::default(),
            work: Box::new(move |_, _| {
                let _ = log.send(label);
            }),
        }
    }

    /// The labels of the tasks in the order in which they would run, one at a time.
    fn order(tasks: Vec<(EngineTask, Priority)>, log: &mpsc::Receiver<&'static str>) -> Vec<&'static str> {
        let shared = Arc::new(Shared::default());
        let mut queue = Queue::default();
        for (task, priority) in tasks {
            queue.lanes[priority as usize].push(task);
            shared.waiting[priority as usize].fetch_add(1, Ordering::Relaxed);
        }
        let mut slot = EngineSlot::new(64);
        while let Some((task, priority)) = queue.pop(&shared.waiting) {
            let turn = Turn {
                priority,
                began: Instant::now(),
                cancelled: Arc::default(),
                shared: Arc::clone(&shared),
            };
            (task.work)(&mut slot, &turn);
        }
        assert!(!shared.waits(Priority::Move) && !shared.waits(Priority::Study));
        log.try_iter().collect()
    }

    #[test]
    fn visitors_take_turns() {
        let (log, labels) = mpsc::channel();
        let mut tasks: Vec<(EngineTask, Priority)> =
            (0..4).map(|_| (task("greedy", "g", &log), Priority::Move)).collect();
        tasks.push((task("modest", "m", &log), Priority::Move));
        assert_eq!(order(tasks, &labels), ["g", "m", "g", "g", "g"]);
    }

    #[test]
    fn moves_come_first_but_studies_are_not_forgotten() {
        let (log, labels) = mpsc::channel();
        let mut tasks = vec![(task("student", "study", &log), Priority::Study)];
        tasks.extend((0..8).map(|_| (task("player", "move", &log), Priority::Move)));
        let order = order(tasks, &labels);
        assert_eq!(order.iter().position(|&label| label == "study"), Some(STUDY_EVERY as usize - 1));
    }

    #[test]
    fn visitors_without_anything_running_come_first() {
        let (log, _labels) = mpsc::channel();
        let mut lane = Lane::default();
        lane.push(task("one", "1", &log));
        lane.push(task("two", "2", &log));
        let running = HashMap::from([(Owner::from("one"), 1)]);
        assert_eq!(lane.pop(&running).map(|task| task.owner), Some("two".into()));
        assert_eq!(lane.pop(&running).map(|task| task.owner), Some("one".into()));
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
    async fn work_that_is_not_waited_for_is_cancelled() {
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
