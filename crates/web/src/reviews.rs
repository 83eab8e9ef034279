//! Reviews of games: one at a time for each game, as long as a client waits for it. They take turns between networks
//! and visitors.

use crate::error::{Code, Error, Result};
use crate::fairness::{Asker, Fairness};
use crate::game_review::{Effort, GameReview};
use crate::pool::{Owner, Priority};
use crate::record::Record;
use crate::services::Services;
use chess::GameResult;
use review::{Reviewer, Settings};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, oneshot, watch};

/// When to try again if there is no room.
const FULL_SECONDS: u32 = 30;

/// How far a review has come.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stage {
    /// Positions done, of all.
    Progress(usize, usize),
    /// The end.
    Done(Arc<GameReview>),
    /// It could not be finished.
    Failed(Error),
}

/// A review that runs or waits for its turn.
struct PendingReview {
    asker: Asker,
    stage: Arc<watch::Sender<Stage>>,
    cancelled: Arc<AtomicBool>,
    /// Wakes it up when it is cancelled while it waits.
    ended: Arc<Notify>,
    effort: Effort,
}

/// The most reviews that run and wait.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ReviewLimits {
    /// Of one visitor.
    pub(crate) per_visitor: u64,
    /// Of one network.
    pub(crate) per_network: u64,
    /// Of all.
    pub(crate) all: u64,
}

/// The reviews under way.
pub(crate) struct Reviews {
    limits: ReviewLimits,
    pending: Mutex<HashMap<String, PendingReview>>,
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

impl Reviews {
    /// No more at once than there are engines.
    #[must_use]
    pub(crate) fn new(engines: usize, limits: ReviewLimits) -> Self {
        let line = WaitingLine { free: engines, waiting: Vec::new(), fairness: Fairness::default() };
        Self { limits, pending: Mutex::default(), line: Arc::new(Mutex::new(line)) }
    }

    /// Follows the review of a game: the one that is kept, one under way, or a new one. When all its followers have
    /// gone, it ends.
    ///
    /// # Errors
    /// When the game has no moves, there are too many reviews, or the database fails.
    pub(crate) async fn follow(
        self: &Arc<Self>,
        services: &Arc<Services>,
        owner: &Owner,
        record: Record,
        effort: Effort,
    ) -> Result<watch::Receiver<Stage>> {
        let plies = record.game.ply();
        if plies == 0 {
            return Err(Error::illegal("there are no moves to review"));
        }
        if let Some(stored) = services.store.load_review(&record.id).await?
            && stored.moves.len() == plies
            && stored.effort >= effort
        {
            return Ok(watch::channel(Stage::Done(Arc::new(stored))).1);
        }
        let asker = Asker { visitor: Arc::clone(owner), network: services.networks.of(owner) };
        let mut pending = lock(&self.pending);
        if let Some(under_way) = pending.get(&record.id)
            && under_way.effort >= effort
            && !under_way.cancelled.load(Ordering::Relaxed)
        {
            return Ok(under_way.stage.subscribe());
        }
        self.check_room(&pending, &asker)?;
        let (sender, receiver) = watch::channel(Stage::Progress(0, plies + 1));
        let review = PendingReview {
            asker: asker.clone(),
            stage: Arc::new(sender),
            cancelled: Arc::default(),
            ended: Arc::default(),
            effort,
        };
        let task = ReviewTask {
            services: Arc::clone(services),
            owner: Arc::clone(owner),
            record,
            effort,
            stage: Arc::clone(&review.stage),
            cancelled: Arc::clone(&review.cancelled),
        };
        let ended = Arc::clone(&review.ended);
        if let Some(before) = pending.insert(task.record.id.clone(), review) {
            before.end(services);
        }
        drop(pending);
        let reviews = Arc::clone(self);
        tokio::spawn(async move { reviews.run(task, asker, &ended).await });
        Ok(receiver)
    }

    fn check_room(&self, pending: &HashMap<String, PendingReview>, asker: &Asker) -> Result<()> {
        let count = |fits: &dyn Fn(&Asker) -> bool| {
            pending.values().filter(|review| fits(&review.asker)).count() as u64
        };
        let full = |code: Code, message: &str| Err(Error::retry(code, message, FULL_SECONDS));
        if count(&|other| other.visitor == asker.visitor) >= self.limits.per_visitor {
            return full(Code::TooMany, "wait for your other reviews");
        }
        let at_network = count(&|other| other.network == asker.network);
        if at_network >= self.limits.per_network && !asker.network.is_this_machine() {
            return full(Code::TooMany, "wait for the other reviews of your network");
        }
        if count(&|_| true) >= self.limits.all {
            return full(Code::Busy, "too many reviews are waiting");
        }
        Ok(())
    }

    async fn run(&self, task: ReviewTask, asker: Asker, ended: &Notify) {
        let id = task.record.id.clone();
        let services = Arc::clone(&task.services);
        let stage = Arc::clone(&task.stage);
        let mut review = std::pin::pin!(self.make(task, asker, ended));
        let result = loop {
            tokio::select! {
                result = &mut review => break result,
                () = stage.closed() => {
                    let pending = lock(&self.pending);
                    let own = pending.get(&id).filter(|review| Arc::ptr_eq(&review.stage, &stage));
                    // A new follower may have come between the two.
                    if stage.receiver_count() == 0 && let Some(review) = own {
                        review.end(&services);
                    }
                }
            }
            if stage.receiver_count() == 0 {
                break review.await;
            }
        };
        let result = match result {
            Ok(review) => services.store.save_review(review.clone()).await.map(|()| review),
            Err(error) => Err(error),
        };
        let mut pending = lock(&self.pending);
        if pending.get(&id).is_some_and(|review| Arc::ptr_eq(&review.stage, &stage)) {
            pending.remove(&id);
        }
        drop(pending);
        stage.send_replace(match result {
            Ok(review) => Stage::Done(Arc::new(review)),
            Err(error) => Stage::Failed(error),
        });
    }

    fn queue_up(&self, asker: Asker) -> oneshot::Receiver<Place> {
        let (sender, place) = oneshot::channel();
        let mut line = lock(&self.line);
        line.waiting.retain(|(_, waiting)| !waiting.is_closed());
        line.waiting.push((asker, sender));
        admit_waiting(line, &self.line);
        place
    }

    /// Waits for a place and makes the review.
    async fn make(&self, task: ReviewTask, asker: Asker, ended: &Notify) -> Result<GameReview> {
        let place = tokio::select! {
            place = self.queue_up(asker) => place.map_err(|_| cancelled())?,
            () = ended.notified() => return Err(cancelled()),
        };
        let made = tokio::task::spawn_blocking(move || task.review()).await;
        drop(place);
        made.unwrap_or_else(|error| Err(Error::internal(&error)))
    }

    /// Ends the review of a game.
    pub(crate) fn cancel(&self, services: &Services, game: &str) {
        if let Some(found) = lock(&self.pending).get(game) {
            found.end(services);
        }
    }
}

fn cancelled() -> Error {
    Error::new(Code::Illegal, "the review was cancelled")
}

impl PendingReview {
    /// Ends it, whether it waits or runs.
    fn end(&self, services: &Services) {
        services.pool.cancel(&self.cancelled);
        self.ended.notify_one();
    }
}

/// A review to be made.
struct ReviewTask {
    services: Arc<Services>,
    owner: Owner,
    record: Record,
    effort: Effort,
    stage: Arc<watch::Sender<Stage>>,
    cancelled: Arc<AtomicBool>,
}

impl ReviewTask {
    /// Reviews the game, giving way to others between positions.
    fn review(&self) -> Result<GameReview> {
        let nodes = self.effort.nodes();
        let mut reviewer = Reviewer::new(Settings { nodes, ..Settings::default() })
            .map_err(|error| Error::internal(&error))?;
        let lease_place = || self.services.pool.lease(&self.owner, Priority::Study, &self.cancelled);
        let mut lease = Some(lease_place()?);
        let mut watch = |progress: review::Progress| {
            if lease.as_ref().is_none_or(|lease| lease.turn().is_cancelled()) {
                return ControlFlow::Break(());
            }
            self.stage.send_if_modified(|stage| {
                let now = Stage::Progress(progress.done, progress.total);
                let is_news = *stage != now;
                *stage = now;
                is_news
            });
            if lease.as_ref().is_some_and(|lease| lease.turn().gives_way()) {
                // The place is given back before another is asked for.
                lease = None;
                lease = lease_place().ok();
            }
            ControlFlow::Continue(())
        };
        let record = &self.record;
        let result = match record.tags.get("Result") {
            Some(result) => result.parse().unwrap_or_default(),
            None => GameResult::of(record.game.outcome()),
        };
        let review = reviewer.review(&record.game, result, &mut watch).map_err(|_| cancelled())?;
        Ok(GameReview::new(&record.id, self.effort, &review))
    }
}
