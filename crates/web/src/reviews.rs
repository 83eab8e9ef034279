//! Reviews of games: one at a time for each game, as long as somebody waits for it.

use crate::error::{Code, Error, Result};
use crate::house::House;
use crate::pool::{Owner, Priority};
use crate::record::Record;
use crate::store::StoredReview;
use crate::view;
use crate::wire::{Better, Effort, Judgement, Review, ReviewMove, Score, SideReport};
use chess::pgn::EvalScore;
use chess::{Color, GameResult};
use review::{Evaluation, MoveReview, PlayerReview, Reviewer, Settings};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// A review goes on this long after the last who waited has gone: a page that is loaded again comes back.
const PATIENCE: Duration = Duration::from_secs(10);

/// How far a review has come.
#[derive(Clone, PartialEq, Debug)]
pub enum Stage {
    /// So many positions of so many.
    Progress(usize, usize),
    /// The end.
    Done(Arc<Review>),
    /// It could not be finished.
    Failed(Error),
}

struct Running {
    stage: Arc<watch::Sender<Stage>>,
    cancelled: Arc<AtomicBool>,
    effort: Effort,
}

/// The reviews under way.
pub struct Reviews {
    running: Mutex<HashMap<String, Running>>,
    /// Each has an engine of its own, with memory.
    places: Arc<Semaphore>,
}

impl Reviews {
    /// No more at once than there are engines.
    #[must_use]
    pub fn new(engines: usize) -> Self {
        Self { running: Mutex::default(), places: Arc::new(Semaphore::new(engines)) }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the review of a game: the one that is kept, one under way, or a new one.
    ///
    /// # Errors
    /// When the game has no moves, or the database fails.
    pub async fn follow(
        self: &Arc<Self>,
        house: &Arc<House>,
        owner: &Owner,
        record: Record,
        effort: Effort,
    ) -> Result<watch::Receiver<Stage>> {
        let plies = record.game.ply();
        if plies == 0 {
            return Err(Error::illegal("there are no moves to review"));
        }
        if let Some(stored) = house.store.load_review(&record.id).await?
            && stored.plies == plies
            && stored.effort >= effort
        {
            return Ok(watch::channel(Stage::Done(Arc::new(stored.review))).1);
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
        let entry = Running { stage: Arc::clone(&stage), cancelled: Arc::clone(&cancelled), effort };
        if let Some(before) = running.insert(record.id.clone(), entry) {
            before.cancelled.store(true, Ordering::Relaxed);
        }
        drop(running);
        let job = Job {
            house: Arc::clone(house),
            owner: Arc::clone(owner),
            record,
            effort,
            stage: Arc::clone(&stage),
            cancelled,
        };
        let reviews = Arc::clone(self);
        tokio::spawn(async move { reviews.run(job, &stage).await });
        Ok(receiver)
    }

    async fn run(&self, job: Job, stage: &Arc<watch::Sender<Stage>>) {
        let id = job.record.id.clone();
        let house = Arc::clone(&job.house);
        let (effort, plies) = (job.effort, job.record.game.ply());
        let result = match self.places.acquire().await {
            Ok(_place) => tokio::task::spawn_blocking(move || job.review())
                .await
                .unwrap_or_else(|error| Err(Error::internal(&error))),
            Err(_) => Err(Error::new(Code::Busy, "the server is stopping")),
        };
        let result = match result {
            Ok(review) => {
                let stored = StoredReview { review: review.clone(), effort, plies };
                house.store.save_review(stored).await.map(|()| review)
            }
            Err(error) => Err(error),
        };
        let mut running = self.running();
        if running.get(&id).is_some_and(|entry| Arc::ptr_eq(&entry.stage, stage)) {
            running.remove(&id);
        }
        drop(running);
        stage.send_replace(match result {
            Ok(review) => Stage::Done(Arc::new(review)),
            Err(error) => Stage::Failed(error),
        });
    }

    /// Ends the review of a game. Returns whether there was one.
    pub fn cancel(&self, game: &str) -> bool {
        let running = self.running();
        let found = running.get(game);
        if let Some(found) = found {
            found.cancelled.store(true, Ordering::Relaxed);
        }
        found.is_some()
    }
}

/// A review to be made.
struct Job {
    house: Arc<House>,
    owner: Owner,
    record: Record,
    effort: Effort,
    stage: Arc<watch::Sender<Stage>>,
    cancelled: Arc<AtomicBool>,
}

impl Job {
    const fn nodes(&self) -> u64 {
        match self.effort {
            Effort::Quick => 10_000,
            Effort::Normal => 50_000,
            Effort::Deep => 400_000,
        }
    }

    /// Reviews the game, giving way to others between positions.
    fn review(&self) -> Result<Review> {
        let nodes = self.nodes();
        let mut reviewer = Reviewer::new(Settings { nodes, ..Settings::default() })
            .map_err(|error| Error::internal(&error))?;
        let mut lease = Some(self.house.pool.lease(&self.owner, Priority::Study)?);
        let mut last_followed = Instant::now();
        let mut go_on = |progress: review::Progress| {
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
                lease = self.house.pool.lease(&self.owner, Priority::Study).ok();
            }
            ControlFlow::Continue(())
        };
        let record = &self.record;
        let result = match record.tags.get("Result") {
            Some(result) => result.parse().unwrap_or_default(),
            None => GameResult::of(record.game.outcome()),
        };
        let review = reviewer
            .review(&record.game, result, &mut go_on)
            .map_err(|_| Error::new(Code::Illegal, "the review was cancelled"))?;
        Ok(self.describe(&review))
    }

    fn describe(&self, review: &review::Review) -> Review {
        let name = env!("CARGO_PKG_VERSION");
        Review {
            game: self.record.id.clone(),
            by: format!("Gardez {name}, {} nodes a move", self.nodes()),
            start_score: score(&review.start),
            start_win: rounded(review.start.win_percent),
            turning_point: review.turning_point.map(|index| index + 1),
            moves: review
                .moves
                .iter()
                .enumerate()
                .map(|(index, mv)| self.describe_move(index + 1, mv, review))
                .collect(),
            white: side_report(&review.players[Color::White.index()]),
            black: side_report(&review.players[Color::Black.index()]),
        }
    }

    fn describe_move(&self, ply: usize, mv: &MoveReview, review: &review::Review) -> ReviewMove {
        let variant = self.record.game.variant();
        let better = (!mv.is_best() && !mv.best_line.is_empty()).then(|| Better {
            score: score(&mv.best_evaluation),
            win: rounded(mv.best_evaluation.win_percent),
            moves: view::line_moves(&mv.before, &mv.best_line, variant),
        });
        let mut words = Vec::new();
        if let (Some(judgement), Some(&best)) = (mv.judgement, mv.best_line.first()) {
            words.push(format!("{judgement}. {} was best.", mv.before.san(best)));
        }
        if review.turning_point == Some(ply - 1) {
            words.push("The turning point.".to_owned());
        }
        ReviewMove {
            ply,
            uci: mv.before.to_uci(mv.mv, variant.castling_style()).to_string(),
            san: mv.before.san(mv.mv).to_string(),
            score: score(&mv.evaluation),
            win: rounded(mv.evaluation.win_percent),
            loss: rounded(mv.loss),
            accuracy: rounded(mv.accuracy),
            judgement: mv.judgement.map(|judgement| match judgement {
                review::Judgement::Inaccuracy => Judgement::Inaccuracy,
                review::Judgement::Mistake => Judgement::Mistake,
                review::Judgement::Blunder => Judgement::Blunder,
            }),
            better,
            comment: (!words.is_empty()).then(|| words.join(" ")),
        }
    }
}

const fn score(evaluation: &Evaluation) -> Score {
    match evaluation.score {
        EvalScore::Centipawns(cp) => Score::Cp(cp),
        EvalScore::Mate(moves) => Score::Mate(moves),
    }
}

/// Two decimals are plenty.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn side_report(player: &PlayerReview) -> SideReport {
    let has_moves = player.moves > 0;
    SideReport {
        accuracy: has_moves.then(|| rounded(player.accuracy)),
        average_loss: has_moves.then(|| rounded(player.average_loss)),
        inaccuracies: player.count(review::Judgement::Inaccuracy),
        mistakes: player.count(review::Judgement::Mistake),
        blunders: player.count(review::Judgement::Blunder),
    }
}
