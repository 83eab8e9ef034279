//! The engines: as many as there are cores, shared in turns between visitors.
//!
//! Work waits in two lanes. Moves and hints, which are short, come first; analyses and reviews, which are
//! long, get every sixth turn nevertheless, and give way when others wait. Within a lane networks take turns, and
//! within a network visitors, those first who have nothing running.

use crate::fairness::{Asker, Fairness};
use crate::networks::Networks;
use backend::engines::{Owner, Priority};
use backend::{Code, EngineSlot, Error, Result, engines};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The most work of one visitor, of one network and of all that may wait. Visitors of this machine have no network.
const WAITING_PER_OWNER: usize = 16;
const WAITING_PER_NETWORK: usize = 64;
const WAITING: usize = 4096;
/// When to try again.
const FULL_SECONDS: u32 = 5;
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
    asker: Asker,
    cancelled: Arc<AtomicBool>,
    work: Work,
}

/// Work that waits, one list for each priority.
#[derive(Default)]
struct Queue {
    lanes: [Vec<EngineTask>; 2],
    fairness: Fairness,
    turns: u64,
    closed: bool,
}

impl Queue {
    /// The next task, which is then running.
    fn pop(&mut self, waiting: &[AtomicUsize; 2]) -> Option<(EngineTask, Priority)> {
        self.turns += 1;
        let study_first = self.turns.is_multiple_of(STUDY_EVERY);
        let order =
            if study_first { [Priority::Study, Priority::Move] } else { [Priority::Move, Priority::Study] };
        for priority in order {
            let lane = &mut self.lanes[priority as usize];
            if let Some(task) = self.fairness.begin_next(lane, |task| &task.asker) {
                waiting[priority as usize].store(lane.len(), Ordering::Relaxed);
                return Some((task, priority));
            }
        }
        None
    }

    /// Drops what is not wanted any more.
    fn tidy(&mut self, waiting: &[AtomicUsize; 2]) {
        for (lane, waiting) in self.lanes.iter_mut().zip(waiting) {
            lane.retain(|task| !task.cancelled.load(Ordering::Relaxed));
            waiting.store(lane.len(), Ordering::Relaxed);
        }
    }

    /// How much waits that fits.
    fn count(&self, fits: impl Fn(&Asker) -> bool) -> usize {
        self.lanes.iter().flatten().filter(|task| fits(&task.asker)).count()
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

    /// The turn as engines see it.
    pub(crate) fn for_engine(&self) -> engines::Turn {
        let turn = self.clone();
        engines::Turn::until(move || turn.is_over())
    }
}

/// Cancels work whose result is not waited for any more.
pub(crate) struct CancelOnDrop<'a> {
    /// The flag of the work.
    pub(crate) cancelled: Arc<AtomicBool>,
    /// Where it waits or runs.
    pub(crate) pool: &'a Pool,
    /// There is nothing left to cancel.
    pub(crate) is_done: bool,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.pool.cancel(&self.cancelled);
        }
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
    networks: Arc<Networks>,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of this many engines.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(crate) fn new(engines: usize, networks: Arc<Networks>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let threads = (0..engines.max(1))
            .map(|index| {
                let shared = Arc::clone(&shared);
                std::thread::Builder::new()
                    .name(format!("engine {index}"))
                    .spawn(move || work(&shared, engines.max(1)))
            })
            .collect::<std::io::Result<_>>()?;
        Ok(Self { networks, shared, threads })
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
            asker: self.asker(owner),
            cancelled: Arc::clone(&cancelled),
            work: Box::new(move |slot, turn| {
                let _ = sender.send(work(slot, turn));
            }),
        };
        let mut cancel = CancelOnDrop { cancelled, pool: self, is_done: false };
        self.submit(task, priority)?;
        let result = receiver.await;
        cancel.is_done = true;
        result.map_err(|_| {
            if self.shared.closing.load(Ordering::Relaxed) {
                Error::new(Code::Busy, "the server is stopping")
            } else {
                Error::internal(&"an engine failed")
            }
        })
    }

    /// A visitor and where they were seen last.
    pub(crate) fn asker(&self, owner: &Owner) -> Asker {
        Asker { visitor: Arc::clone(owner), network: self.networks.of(owner) }
    }

    /// Work with this flag is not wanted any more, whether it waits or runs.
    pub(crate) fn cancel(&self, cancelled: &AtomicBool) {
        cancelled.store(true, Ordering::Relaxed);
        self.shared.queue().tidy(&self.shared.waiting);
    }

    /// Waits for a place. It blocks the thread, until [`cancel`](Self::cancel) at most.
    ///
    /// # Errors
    /// When too much waits already, it is cancelled, or the server stops.
    pub(crate) fn lease(
        &self,
        owner: &Owner,
        priority: Priority,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Lease> {
        let (sender, receiver) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let work: Work = Box::new(move |_, turn| {
            if sender.send(turn.clone()).is_ok() {
                let _ = released.recv();
            }
        });
        let task = EngineTask { asker: self.asker(owner), cancelled: Arc::clone(cancelled), work };
        self.submit(task, priority)?;
        let turn = receiver.recv().map_err(|_| Error::new(Code::Busy, "it was cancelled"))?;
        Ok(Lease { turn, _release: release })
    }

    fn submit(&self, task: EngineTask, priority: Priority) -> Result<()> {
        let mut queue = self.shared.queue();
        if queue.closed {
            return Err(Error::new(Code::Busy, "the server is stopping"));
        }
        let Asker { visitor, network } = &task.asker;
        let full = |code: Code, message: &str| Err(Error::retry(code, message, FULL_SECONDS));
        if queue.count(|asker| asker.visitor == *visitor) >= WAITING_PER_OWNER {
            return full(Code::TooMany, "too much of yours is waiting for the engine already");
        }
        let at_network = queue.count(|asker| asker.network == *network);
        if at_network >= WAITING_PER_NETWORK && !network.is_this_machine() {
            return full(Code::TooMany, "too much from your network is waiting for the engine already");
        }
        if queue.count(|_| true) >= WAITING {
            return full(Code::Busy, "too much is waiting for the engine");
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
        shared.queue().fairness.end(&task.asker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(owner: &str, label: &'static str, log: &mpsc::Sender<&'static str>) -> EngineTask {
        let log = log.clone();
        EngineTask {
            asker: Asker { visitor: owner.into(), network: Networks::default().of(owner) },
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
            queue.fairness.end(&task.asker);
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
    fn moves_come_first_but_studies_are_not_forgotten() {
        let (log, labels) = mpsc::channel();
        let mut tasks = vec![(task("student", "study", &log), Priority::Study)];
        tasks.extend((0..8).map(|_| (task("player", "move", &log), Priority::Move)));
        let order = order(tasks, &labels);
        assert_eq!(order.iter().position(|&label| label == "study"), Some(STUDY_EVERY as usize - 1));
    }

    #[tokio::test]
    async fn a_panic_costs_one_job() {
        let pool = Pool::new(1, Arc::default()).expect("threads");
        let owner = Owner::from("visitor");
        let failed: Result<()> = pool.run(&owner, Priority::Move, |_, _| panic!("on purpose")).await;
        assert_eq!(failed.map_err(|error| error.code), Err(Code::Internal));
        assert_eq!(pool.run(&owner, Priority::Move, |_, _| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_that_is_not_waited_for_is_cancelled() {
        let pool = Pool::new(1, Arc::default()).expect("threads");
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
        let pool = Pool::new(1, Arc::default()).expect("threads");
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
        let pool = Pool::new(1, Arc::default()).expect("threads");
        let lease = pool.lease(&Owner::from("reviewer"), Priority::Study, &Arc::default()).expect("a place");
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
        let pool = Arc::new(Pool::new(1, Arc::default()).expect("threads"));
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

    #[test]
    fn a_cancelled_wait_for_a_place_ends_at_once() {
        let pool = Pool::new(1, Arc::default()).expect("threads");
        let held = pool.lease(&Owner::from("one"), Priority::Study, &Arc::default()).expect("a place");
        let cancelled = Arc::new(AtomicBool::new(false));
        std::thread::scope(|scope| {
            let waits =
                scope.spawn(|| pool.lease(&Owner::from("other"), Priority::Study, &cancelled).is_err());
            while !pool.shared.waits(Priority::Study) {
                std::thread::yield_now();
            }
            pool.cancel(&cancelled);
            assert!(waits.join().expect("no panic"), "while the only place is still held");
        });
        drop(held);
    }

    async fn futures_poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        tokio::select! {
            biased;
            output = future => Some(output),
            () = std::future::ready(()) => None,
        }
    }
}
