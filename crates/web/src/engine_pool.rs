//! The pool as the backend uses it, and the turns that reviews take: fair between networks and visitors.

use crate::fairness::{Asker, Fairness};
use crate::limits::Limits;
use crate::pool::{CancelOnDrop, Pool, Turn};
use backend::engines::{
    Admission, Choice, CoachAnswer, CoachJob, Engines, LineJob, MoveJob, OnLines, OnProgress, Owner,
    Priority, ReviewJob, Studied, StudyJob,
};
use backend::game_review::GameReview;
use backend::store::Pending;
use backend::{ClassicBooks, Code, EngineSlot, Error, Result};
use engine::Line;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// When to try again if there is no room.
const FULL_SECONDS: u32 = 30;

/// The engines of the server.
pub(crate) struct EnginePool {
    pool: Arc<Pool>,
    books: ClassicBooks,
    limits: Limits,
    /// For whom reviews run or wait.
    admitted: Arc<Mutex<Vec<Asker>>>,
    line: Arc<Mutex<WaitingLine>>,
}

/// Reviews that wait for a place. Each has an engine of its own, with memory, so places are few.
struct WaitingLine {
    free: usize,
    waiting: Vec<(Asker, oneshot::Sender<Place>)>,
    fairness: Fairness,
}

/// A place to run, given to the next one when it is dropped.
struct Place {
    asker: Asker,
    line: Arc<Mutex<WaitingLine>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut line = lock(&self.line);
        line.fairness.end(&self.asker);
        line.free += 1;
        admit_waiting(line, &self.line);
    }
}

/// A review that was admitted; counted until it is dropped.
struct AdmittedReview {
    asker: Asker,
    admitted: Arc<Mutex<Vec<Asker>>>,
}

impl Drop for AdmittedReview {
    fn drop(&mut self) {
        let mut admitted = lock(&self.admitted);
        if let Some(index) = admitted.iter().position(|asker| *asker == self.asker) {
            admitted.swap_remove(index);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives free places to those that wait, in turn.
fn admit_waiting(mut line: MutexGuard<'_, WaitingLine>, shared: &Arc<Mutex<WaitingLine>>) {
    let mut admitted = Vec::new();
    while line.free > 0 {
        let WaitingLine { waiting, fairness, .. } = &mut *line;
        let Some((asker, sender)) = fairness.begin_next(waiting, |(asker, _)| asker) else { break };
        line.free -= 1;
        admitted.push((sender, Place { asker, line: Arc::clone(shared) }));
    }
    // Whoever has gone meanwhile drops the place, which needs the line.
    drop(line);
    for (sender, place) in admitted {
        drop(sender.send(place));
    }
}

impl EnginePool {
    /// No more reviews at once than there are engines.
    pub(crate) fn new(pool: &Arc<Pool>, books: ClassicBooks, limits: &Limits) -> Self {
        let line = WaitingLine { free: pool.engines(), waiting: Vec::new(), fairness: Fairness::default() };
        Self {
            pool: Arc::clone(pool),
            books,
            limits: limits.clone(),
            admitted: Arc::default(),
            line: Arc::new(Mutex::new(line)),
        }
    }

    fn queue_up(&self, asker: Asker) -> oneshot::Receiver<Place> {
        let (sender, place) = oneshot::channel();
        let mut line = lock(&self.line);
        line.waiting.retain(|(_, waiting)| !waiting.is_closed());
        line.waiting.push((asker, sender));
        admit_waiting(line, &self.line);
        place
    }
}

impl Engines for EnginePool {
    fn books(&self) -> &ClassicBooks {
        &self.books
    }

    fn choose<'a>(&'a self, owner: &'a Owner, job: MoveJob) -> Pending<'a, Choice> {
        let work = move |slot: &mut EngineSlot, turn: &Turn| job.run(slot, &turn.for_engine());
        Box::pin(async move { self.pool.run(owner, Priority::Move, work).await? })
    }

    fn best_line<'a>(
        &'a self,
        owner: &'a Owner,
        priority: Priority,
        job: LineJob,
    ) -> Pending<'a, Option<Line>> {
        Box::pin(self.pool.run(owner, priority, move |slot, turn| job.run(slot, &turn.for_engine())))
    }

    /// What the coach says must not depend on who else waits, so its turn ends only when the answer is not wanted any more.
    fn coach<'a>(&'a self, owner: &'a Owner, job: CoachJob) -> Pending<'a, CoachAnswer> {
        let work = move |slot: &mut EngineSlot, turn: &Turn| {
            let turn = turn.clone();
            job.run(slot, &backend::engines::Turn::until(move || turn.is_cancelled()))
        };
        Box::pin(async move { self.pool.run(owner, Priority::Move, work).await? })
    }

    fn study<'a>(&'a self, owner: &'a Owner, job: StudyJob, mut on_lines: OnLines) -> Pending<'a, Studied> {
        let work = move |slot: &mut EngineSlot, turn: &Turn| job.run(slot, &turn.for_engine(), &mut on_lines);
        Box::pin(self.pool.run(owner, Priority::Study, work))
    }

    fn admit_review(&self, owner: &Owner) -> Result<Admission> {
        let asker = self.pool.asker(owner);
        let mut admitted = lock(&self.admitted);
        let count =
            |fits: &dyn Fn(&Asker) -> bool| admitted.iter().filter(|asker| fits(asker)).count() as u64;
        let full = |code: Code, message: &str| Err(Error::retry(code, message, FULL_SECONDS));
        if count(&|other| other.visitor == asker.visitor) >= self.limits.visitor_reviews {
            return full(Code::TooMany, "wait for your other reviews");
        }
        let at_network = count(&|other| other.network == asker.network);
        if at_network >= self.limits.network_reviews && !asker.network.is_this_machine() {
            return full(Code::TooMany, "wait for the other reviews of your network");
        }
        if admitted.len() as u64 >= self.limits.reviews {
            return full(Code::Busy, "too many reviews are waiting");
        }
        admitted.push(asker.clone());
        Ok(Box::new(AdmittedReview { asker, admitted: Arc::clone(&self.admitted) }))
    }

    /// A review waits for a place, has an engine of its own, and gives way to others between positions.
    fn review<'a>(
        &'a self,
        owner: &'a Owner,
        job: ReviewJob,
        mut on_progress: OnProgress,
    ) -> Pending<'a, GameReview> {
        Box::pin(async move {
            let place = self.queue_up(self.pool.asker(owner)).await;
            let cancelled = Arc::new(AtomicBool::new(false));
            let mut cancel =
                CancelOnDrop { cancelled: Arc::clone(&cancelled), pool: &self.pool, is_done: false };
            let (pool, owner) = (Arc::clone(&self.pool), Arc::clone(owner));
            let work = move || {
                let _place = place;
                let lease_place = || pool.lease(&owner, Priority::Study, &cancelled);
                let mut lease = Some(lease_place()?);
                job.run(&mut |done, total| {
                    if lease.as_ref().is_none_or(|lease| lease.turn().is_cancelled()) {
                        return false;
                    }
                    if lease.as_ref().is_some_and(|lease| lease.turn().gives_way()) {
                        // The place is given back before another is asked for.
                        lease = None;
                        lease = lease_place().ok();
                    }
                    on_progress(done, total)
                })
            };
            let made = tokio::task::spawn_blocking(work).await;
            cancel.is_done = true;
            made.unwrap_or_else(|error| Err(Error::internal(&error)))
        })
    }
}
