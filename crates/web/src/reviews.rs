//! Reviews of games: one at a time for each game, as long as a client waits for it.

use crate::error::{Code, Error, Result};
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
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// A review runs this much longer when no client waits for it: a page that is loaded again comes back.
const PATIENCE: Duration = Duration::from_secs(10);

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

/// A review under way.
struct RunningReview {
    stage: Arc<watch::Sender<Stage>>,
    cancelled: Arc<AtomicBool>,
    effort: Effort,
}

/// The reviews under way.
pub(crate) struct Reviews {
    running: Mutex<HashMap<String, RunningReview>>,
    /// Each has an engine of its own, with memory.
    places: Arc<Semaphore>,
}

impl Reviews {
    /// No more at once than there are engines.
    #[must_use]
    pub(crate) fn new(engines: usize) -> Self {
        Self { running: Mutex::default(), places: Arc::new(Semaphore::new(engines)) }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, RunningReview>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the review of a game: the one that is kept, one under way, or a new one.
    ///
    /// # Errors
    /// When the game has no moves, or the database fails.
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
        let mut running = self.running();
        if let Some(under_way) = running.get(&record.id)
            && under_way.effort >= effort
            && !under_way.cancelled.load(Ordering::Relaxed)
        {
            return Ok(under_way.stage.subscribe());
        }
        let (sender, receiver) = watch::channel(Stage::Progress(0, plies + 1));
        let stage = Arc::new(sender);
        let cancelled = Arc::new(AtomicBool::new(false));
        let review = RunningReview { stage: Arc::clone(&stage), cancelled: Arc::clone(&cancelled), effort };
        if let Some(before) = running.insert(record.id.clone(), review) {
            before.cancelled.store(true, Ordering::Relaxed);
        }
        drop(running);
        let task = ReviewTask {
            services: Arc::clone(services),
            owner: Arc::clone(owner),
            record,
            effort,
            stage: Arc::clone(&stage),
            cancelled,
        };
        let reviews = Arc::clone(self);
        tokio::spawn(async move { reviews.run(task, &stage).await });
        Ok(receiver)
    }

    async fn run(&self, task: ReviewTask, stage: &Arc<watch::Sender<Stage>>) {
        let id = task.record.id.clone();
        let services = Arc::clone(&task.services);
        let result = match self.places.acquire().await {
            Ok(_place) => tokio::task::spawn_blocking(move || task.review())
                .await
                .unwrap_or_else(|error| Err(Error::internal(&error))),
            Err(_) => Err(Error::new(Code::Busy, "the server is stopping")),
        };
        let result = match result {
            Ok(review) => services.store.save_review(review.clone()).await.map(|()| review),
            Err(error) => Err(error),
        };
        let mut running = self.running();
        if running.get(&id).is_some_and(|review| Arc::ptr_eq(&review.stage, stage)) {
            running.remove(&id);
        }
        drop(running);
        stage.send_replace(match result {
            Ok(review) => Stage::Done(Arc::new(review)),
            Err(error) => Stage::Failed(error),
        });
    }

    /// Ends the review of a game. Returns whether there was one.
    pub(crate) fn cancel(&self, game: &str) -> bool {
        let running = self.running();
        let found = running.get(game);
        if let Some(found) = found {
            found.cancelled.store(true, Ordering::Relaxed);
        }
        found.is_some()
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
        let mut lease = Some(self.services.pool.lease(&self.owner, Priority::Study)?);
        let mut last_followed = Instant::now();
        let mut watch = |progress: review::Progress| {
            if self.stage.receiver_count() > 0 {
                last_followed = Instant::now();
            }
            let is_over = lease.as_ref().is_none_or(|lease| lease.turn().is_cancelled());
            if is_over || self.cancelled.load(Ordering::Relaxed) || last_followed.elapsed() > PATIENCE {
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
                lease = self.services.pool.lease(&self.owner, Priority::Study).ok();
            }
            ControlFlow::Continue(())
        };
        let record = &self.record;
        let result = match record.tags.get("Result") {
            Some(result) => result.parse().unwrap_or_default(),
            None => GameResult::of(record.game.outcome()),
        };
        let review = reviewer
            .review(&record.game, result, &mut watch)
            .map_err(|_| Error::new(Code::Illegal, "the review was cancelled"))?;
        Ok(GameReview::new(&record.id, self.effort, &review))
    }
}
