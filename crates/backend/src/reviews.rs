//! Reviews of games: one at a time for each game, as long as a client waits for it.

use crate::engines::{Admission, Owner, ReviewJob};
use crate::error::{Code, Error, Result};
use crate::game_review::{Effort, GameReview};
use crate::record::Record;
use crate::services::Services;
use crate::task;
use chess::GameResult;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

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
#[derive(Clone)]
struct PendingReview {
    stage: Arc<watch::Sender<Stage>>,
    /// Ends it, whether it waits or runs.
    cancelled: Arc<Notify>,
    effort: Effort,
}

/// The reviews under way.
#[derive(Default)]
pub(crate) struct Reviews(Mutex<HashMap<String, PendingReview>>);

impl Reviews {
    fn pending(&self) -> MutexGuard<'_, HashMap<String, PendingReview>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the review of a game: the one that is kept, one under way, or a new one. When all its followers have
    /// gone, it ends.
    ///
    /// # Errors
    /// When the game has no moves, there are too many reviews, or the store fails.
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
        let mut pending = self.pending();
        if let Some(under_way) = pending.get(&record.id)
            && under_way.effort >= effort
            && under_way.stage.receiver_count() > 0
        {
            return Ok(under_way.stage.subscribe());
        }
        let admission = services.engines.admit_review(owner)?;
        let (sender, receiver) = watch::channel(Stage::Progress(0, plies + 1));
        let review = PendingReview { stage: Arc::new(sender), cancelled: Arc::default(), effort };
        if let Some(before) = pending.insert(record.id.clone(), review.clone()) {
            before.cancelled.notify_one();
        }
        drop(pending);
        let (reviews, services, owner) = (Arc::clone(self), Arc::clone(services), Arc::clone(owner));
        task::spawn(async move { reviews.run(&services, &owner, record, &review, admission).await });
        Ok(receiver)
    }

    async fn run(
        &self,
        services: &Services,
        owner: &Owner,
        record: Record,
        review: &PendingReview,
        admission: Admission,
    ) {
        let (id, stage) = (record.id.clone(), &review.stage);
        let result = tokio::select! {
            result = make(services, owner, record, review) => result,
            () = review.cancelled.notified() => Err(cancelled()),
            () = stage.closed() => Err(cancelled()),
        };
        let result = match result {
            Ok(review) => services.store.save_review(review.clone()).await.map(|()| review),
            Err(error) => Err(error),
        };
        let mut pending = self.pending();
        if pending.get(&id).is_some_and(|known| Arc::ptr_eq(&known.stage, stage)) {
            pending.remove(&id);
        }
        drop((pending, admission));
        stage.send_replace(match result {
            Ok(review) => Stage::Done(Arc::new(review)),
            Err(error) => Stage::Failed(error),
        });
    }

    /// Ends the review of a game.
    pub(crate) fn cancel(&self, game: &str) {
        if let Some(found) = self.pending().get(game) {
            found.cancelled.notify_one();
        }
    }
}

fn cancelled() -> Error {
    Error::new(Code::Illegal, "the review was cancelled")
}

async fn make(
    services: &Services,
    owner: &Owner,
    record: Record,
    review: &PendingReview,
) -> Result<GameReview> {
    let stage = Arc::clone(&review.stage);
    let on_progress = move |done: usize, total: usize| {
        stage.send_if_modified(|stage| {
            let now = Stage::Progress(done, total);
            let is_news = *stage != now;
            *stage = now;
            is_news
        });
        stage.receiver_count() > 0
    };
    let result = match record.tags.get("Result") {
        Some(result) => result.parse().unwrap_or_default(),
        None => GameResult::of(record.game.outcome()),
    };
    let job = ReviewJob { id: record.id, game: record.game, result, effort: review.effort };
    services.engines.review(owner, job, Box::new(on_progress)).await
}
