//! The engine workers as the backend sees them.
//!
//! There are three lanes, each with a worker of its own that is started when it is first needed: moves and hints, study,
//! and reviews. A level answers while a position is analysed, and both while a game is reviewed.

use crate::host;
use crate::job::{Answer, Job, Report, from_json, to_json};
use backend::engines::{
    Admission, Choice, CoachAnswer, CoachJob, Engines, LineJob, MoveJob, OnLines, OnProgress, Owner,
    Priority, ReviewJob, Studied, StudyJob,
};
use backend::game_review::GameReview;
use backend::store::Pending;
use backend::{Code, Error, Result};
use chess::Move;
use engine::Line;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Takes what a job reports; says whether to continue.
type OnReport = Box<dyn FnMut(Report) -> bool + Send>;

/// The workers.
#[derive(Clone, Default)]
pub(crate) struct EngineWorkers(Arc<Mutex<HashMap<u32, OnReport>>>);

/// A job under way. Dropping it ends the job.
struct Running {
    workers: EngineWorkers,
    number: u32,
    is_done: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.workers.reports().remove(&self.number);
        if !self.is_done {
            host::forget(self.number);
            host::cancel(self.number);
        }
    }
}

impl EngineWorkers {
    fn reports(&self) -> MutexGuard<'_, HashMap<u32, OnReport>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the job of a number has found so far.
    pub(crate) fn report(&self, number: u32, text: &str) {
        let Ok(report) = from_json::<Report>(text) else { return };
        let proceeds = self.reports().get_mut(&number).is_none_or(|on_report| on_report(report));
        if !proceeds {
            // The worker ends the job and answers.
            host::cancel(number);
        }
    }

    async fn run(&self, lane: &str, job: Result<Job>, on_report: Option<OnReport>) -> Result<Answer> {
        let text = to_json(&job?)?;
        let (number, receiver) = host::ask(|number| {
            if let Some(on_report) = on_report {
                self.reports().insert(number, on_report);
            }
            host::start(number, lane, &text);
        });
        let mut running = Running { workers: self.clone(), number, is_done: false };
        let answer = host::wait(receiver).await;
        running.is_done = true;
        drop(running);
        from_json(&answer?)
    }
}

fn strange<T>() -> Result<T> {
    Err(Error::internal(&"an engine gave the answer to another question"))
}

const MOVES: &str = "moves";
const STUDY: &str = "study";
const REVIEWS: &str = "reviews";

impl Engines for EngineWorkers {
    fn choose<'a>(&'a self, _owner: &'a Owner, job: MoveJob) -> Pending<'a, Choice> {
        Box::pin(async move {
            match self.run(MOVES, Job::choose(&job), None).await? {
                Answer::Move(bits) => {
                    let mv = Move::from_bits(bits).filter(|&mv| job.game.position().is_legal(mv));
                    mv.map(Choice::Move).ok_or_else(|| Error::internal(&"an engine played an illegal move"))
                }
                Answer::Resign => Ok(Choice::Resign),
                _ => strange(),
            }
        })
    }

    fn best_line<'a>(
        &'a self,
        _owner: &'a Owner,
        priority: Priority,
        job: LineJob,
    ) -> Pending<'a, Option<Line>> {
        Box::pin(async move {
            let lane = if priority == Priority::Move { MOVES } else { STUDY };
            match self.run(lane, Ok(Job::best_line(&job)), None).await? {
                Answer::Line(line) => Ok(line.map(crate::job::WrittenLine::read)),
                _ => strange(),
            }
        })
    }

    fn coach<'a>(&'a self, _owner: &'a Owner, job: CoachJob) -> Pending<'a, CoachAnswer> {
        Box::pin(async move {
            match self.run(MOVES, Ok(Job::coach(&job)), None).await? {
                Answer::Coach(answer) => Ok(answer),
                _ => strange(),
            }
        })
    }

    fn study<'a>(&'a self, _owner: &'a Owner, job: StudyJob, mut on_lines: OnLines) -> Pending<'a, Studied> {
        Box::pin(async move {
            let on_report: OnReport = Box::new(move |report| {
                if let Report::Lines(study) = report {
                    let studied = study.read();
                    on_lines(&studied.lines, &studied.usage);
                }
                true
            });
            match self.run(STUDY, Ok(Job::study(&job)), Some(on_report)).await? {
                Answer::Studied(study) => Ok(study.read()),
                _ => strange(),
            }
        })
    }

    fn admit_review(&self, _owner: &Owner) -> Result<Admission> {
        Ok(Box::new(()))
    }

    fn review<'a>(
        &'a self,
        _owner: &'a Owner,
        job: ReviewJob,
        mut on_progress: OnProgress,
    ) -> Pending<'a, GameReview> {
        Box::pin(async move {
            let on_report: OnReport = Box::new(move |report| match report {
                Report::Progress(done, total) => on_progress(done, total),
                Report::Lines(_) => true,
            });
            match self.run(REVIEWS, Ok(Job::review(&job)), Some(on_report)).await? {
                Answer::Review(review) => review.read(),
                _ => strange(),
            }
        })
    }
}

/// The error of a worker that has ended in the middle of a job.
pub(crate) fn worker_ended(reason: &str) -> Error {
    Error::new(Code::Busy, format!("the engine had to be started again: {reason}"))
}
