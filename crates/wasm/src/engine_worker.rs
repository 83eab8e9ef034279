//! A worker that has an engine.

use crate::host;
use crate::job::{Answer, Job, ReadJob, Report, WrittenLine, WrittenStudy, from_json, seat, to_json};
use backend::engines::{MoveJob, OnLines, SeatedClassic, Turn};
use backend::record::Player;
use backend::stored::StoredReview;
use backend::{EngineSlot, Error, Result};
use classics::ClassicSpec;
use engine::{Line, Usage};
use std::sync::{Arc, Mutex};
use wasm_bindgen::prelude::wasm_bindgen;

/// The engine takes this share of what a server's engines have together: 32 MiB.
const SHARE: usize = 8;
/// Classics that are remembered between their moves.
const MAX_CLASSICS: usize = 4;

/// An engine, and the classics that have moved here.
#[wasm_bindgen]
pub struct EngineWorker {
    slot: EngineSlot,
    classics: Vec<(String, SeatedClassic)>,
}

impl Default for EngineWorker {
    fn default() -> Self {
        Self::new()
    }
}

#[wasm_bindgen]
impl EngineWorker {
    /// An engine.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        host::report_panics();
        Self { slot: EngineSlot::new(SHARE), classics: Vec::new() }
    }

    /// Does a job, reporting on the way, until it is done or stopped.
    ///
    /// # Errors
    /// Says in JSON why there is no answer.
    pub fn run(&mut self, job: &str) -> std::result::Result<String, String> {
        self.answer(job).and_then(|answer| to_json(&answer)).map_err(|error| in_json(&error))
    }

    fn answer(&mut self, job: &str) -> Result<Answer> {
        let turn = Turn::until(host::is_stopped);
        match from_json::<Job>(job)?.read()? {
            ReadJob::Choose(mut job) => {
                job.classic = self.classic(&job);
                Ok(Answer::of_choice(job.run(&mut self.slot, &turn)?))
            }
            ReadJob::BestLine(job) => {
                let line = job.run(&mut self.slot, &turn);
                Ok(Answer::Line(line.as_ref().map(WrittenLine::new)))
            }
            ReadJob::Coach(job) => Ok(Answer::Coach(job.run(&mut self.slot, &turn)?)),
            ReadJob::Study(job) => {
                let mut on_lines: OnLines = Box::new(|lines: &[Line], usage: &Usage| {
                    report(&Report::Lines(WrittenStudy::new(lines, usage, false)));
                });
                let studied = job.run(&mut self.slot, &turn, &mut on_lines);
                Ok(Answer::Studied(WrittenStudy::new(&studied.lines, &studied.usage, studied.is_interrupted)))
            }
            ReadJob::Review(job) => {
                let review = job.run(&mut |done, total| {
                    report(&Report::Progress(done, total));
                    !host::is_stopped()
                })?;
                Ok(Answer::Review(Box::new(StoredReview::new(&review))))
            }
        }
    }

    /// The classic that is to move, with what it remembers of the game.
    fn classic(&mut self, job: &MoveJob) -> Option<SeatedClassic> {
        let Player::Classic { id } = &job.player else { return None };
        let seat = seat(&job.id, job.color());
        if let Some((_, classic)) = self.classics.iter().find(|(known, _)| *known == seat) {
            return Some(Arc::clone(classic));
        }
        let spec: ClassicSpec = id.parse().ok()?;
        if self.classics.len() == MAX_CLASSICS {
            self.classics.remove(0);
        }
        let classic: SeatedClassic = Arc::new(Mutex::new(spec.create()));
        self.classics.push((seat, Arc::clone(&classic)));
        Some(classic)
    }
}

fn report(found: &Report) {
    if let Ok(text) = to_json(found) {
        host::report(&text);
    }
}

/// An error as the page reads it.
pub(crate) fn in_json(error: &Error) -> String {
    serde_json::to_string(error).unwrap_or_else(|_| error.message.clone())
}
