//! Tuning the numbers of the search by games.
//!
//! Simultaneous perturbation (SPSA, Spall 1992, in the form the chess engines of today use): all numbers are
//! moved a little at once, each up or down by chance; the engine moved one way plays the engine moved the
//! other way; the winner's direction is followed a little. No single pair of games says much, thousands do.
//!
//! Pairs are played in batches. Every pair of a batch begins from the same values and has its own
//! directions, and what they say is added up in order: so the course depends on the seed, not on how many
//! games are played at a time.

mod source;

pub use source::{SourceError, rewrite};

use crate::game_runner::{self, GameConditions, Interrupted};
use crate::openings::Openings;
use chess::Color;
use chess::random::Random;
use engine::StopToken;
use engine::Tunable;
use journal::{JournalError, Snapshot};
use players::{AdjudicationRules, DrawRule, Failure, InProcessPlayer, Limit, ResignRule};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Whether this build can change the numbers of the search.
pub const IS_AVAILABLE: bool = cfg!(feature = "tuning");

/// The numbers that can be tuned: all but the flags.
pub fn tunables() -> impl Iterator<Item = &'static Tunable> {
    engine::TUNABLES.iter().filter(|tunable| tunable.step > 0)
}

/// How to tune.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The numbers to tune.
    pub names: Vec<String>,
    /// Pairs of games in all.
    pub pairs: usize,
    /// Pairs between two changes of the values.
    pub batch: NonZeroUsize,
    /// Nodes a move.
    pub nodes: u64,
    /// How far a won pair moves a number in the end, in parts of its step.
    pub rate: f64,
    /// How many of its steps a number is moved for a game in the end.
    #[serde(default = "one")]
    pub stride: f64,
    /// The seed of directions and of the order of openings.
    pub seed: u64,
    /// Where the openings came from, in words: another file gives another course.
    pub openings: String,
}

/// The stride of a course that was begun when there was no other.
const fn one() -> f64 {
    1.0
}

/// How far tuning has come; kept in a file after every batch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Course {
    /// How it is tuned.
    pub settings: Settings,
    /// Pairs played.
    pub played: usize,
    /// The values now, in the order of the names.
    pub values: Vec<f64>,
    /// The values after each batch.
    pub history: Vec<Vec<f64>>,
}

/// Why tuning cannot continue.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpsaError {
    #[error("there is no number '{0}' to tune")]
    Unknown(String),
    #[error(transparent)]
    File(#[from] JournalError),
    #[error("{}: {error}", path.display())]
    Damaged { path: PathBuf, error: serde_json::Error },
    #[error("{} belongs to tuning with other settings; repeat those, or choose another file", .0.display())]
    OtherSettings(PathBuf),
    #[error("{0}")]
    Player(#[from] Failure),
}

// The exponents that theory and common practice recommend, and the share of all pairs during which the
// first, large steps are held back.
const STEP_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
const HELD_BACK: f64 = 0.1;

const DRAW: DrawRule = DrawRule { from_move: 35, moves: 6, centipawns: 10 };
const RESIGN: ResignRule = ResignRule { moves: 3, centipawns: 350, both: true };
/// A search limited by nodes that takes this long has been put to sleep.
const PATIENCE: Duration = Duration::from_secs(600);

impl Course {
    /// The beginning, with the values the engine plays with.
    ///
    /// # Errors
    /// When there is no number of a name.
    pub fn new(settings: Settings) -> Result<Self, SpsaError> {
        let values: Vec<f64> = chosen(&settings)?.iter().map(|tunable| f64::from(tunable.default)).collect();
        Ok(Self { settings, played: 0, values, history: Vec::new() })
    }

    /// Resumes the course in a file if there is one, else starts.
    ///
    /// # Errors
    /// When the file is in use, damaged, or belongs to other settings.
    pub fn open(path: &Path, settings: Settings) -> Result<(Self, CourseFile), SpsaError> {
        let (snapshot, contents) = Snapshot::open(path)?;
        let file = CourseFile { snapshot, path: path.to_owned() };
        if contents.is_empty() {
            return Ok((Self::new(settings)?, file));
        }
        let course: Self = serde_json::from_slice(&contents).map_err(|error| file.damaged(error))?;
        let count = settings.names.len();
        let fits = course.values.len() == count && course.history.iter().all(|values| values.len() == count);
        if course.settings != settings || !fits {
            return Err(SpsaError::OtherSettings(path.to_owned()));
        }
        Ok((course, file))
    }

    /// Whether all pairs are played.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.played >= self.settings.pairs
    }

    /// The values as the engine takes them.
    #[must_use]
    pub fn rounded(&self) -> Vec<(String, i32)> {
        self.settings
            .names
            .iter()
            .cloned()
            .zip(self.values.iter().map(|value| value.round() as i32))
            .collect()
    }

    /// Plays one batch, several pairs at a time, and follows it. Nothing changes when it is interrupted.
    /// Returns whether it was played.
    ///
    /// # Errors
    /// When an engine cannot be started.
    pub fn advance(
        &mut self,
        openings: &Openings,
        concurrency: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<bool, SpsaError> {
        let batch: Vec<Trial> = (self.played..self.settings.pairs)
            .take(self.settings.batch.get())
            .map(|number| self.trial(number))
            .collect::<Result<_, _>>()?;
        let next = AtomicUsize::new(0);
        let nodes = self.settings.nodes;
        let work = || -> Result<Vec<(usize, i32)>, SpsaError> {
            let mut results = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(trial) = batch.get(index).filter(|_| !stop.is_stopped()) else { return Ok(results) };
                if let Some(result) = trial.play(openings, nodes, stop)? {
                    results.push((index, result));
                }
            }
        };
        let mut results: Vec<(usize, i32)> = Vec::new();
        thread::scope(|scope| -> Result<(), SpsaError> {
            let threads: Vec<_> = (0..concurrency.get()).map(|_| scope.spawn(work)).collect();
            for thread in threads {
                let part = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                results.extend(part?);
            }
            Ok(())
        })?;
        if results.len() < batch.len() {
            return Ok(false);
        }
        results.sort_unstable();
        self.follow(&batch, results.into_iter().map(|(_, result)| result));
        Ok(true)
    }

    fn follow(&mut self, batch: &[Trial], results: impl Iterator<Item = i32>) {
        for (trial, result) in batch.iter().zip(results) {
            for (value, change) in self.values.iter_mut().zip(&trial.changes) {
                *value += trial.rate * change * f64::from(result);
            }
        }
        for (value, name) in self.values.iter_mut().zip(&self.settings.names) {
            if let Some(tunable) = tunables().find(|tunable| tunable.name == name) {
                *value = value.clamp(f64::from(tunable.min), f64::from(tunable.max));
            }
        }
        self.played += batch.len();
        self.history.push(self.values.clone());
    }

    fn trial(&self, number: usize) -> Result<Trial, SpsaError> {
        let mut random =
            Random::new(self.settings.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64));
        let pairs = self.settings.pairs as f64;
        let step_factor = self.settings.stride * (pairs / (number as f64 + 1.0)).powf(STEP_DECAY);
        let held_back = HELD_BACK * pairs;
        let rate_factor = ((held_back + pairs) / (held_back + number as f64 + 1.0)).powf(RATE_DECAY);
        let mut changes = Vec::new();
        let mut sides = [Vec::new(), Vec::new()];
        for (tunable, &value) in chosen(&self.settings)?.into_iter().zip(&self.values) {
            let size = f64::from(tunable.step) * step_factor;
            let change = if random.bits() & 1 == 0 { size } else { -size };
            changes.push(change);
            // Numbers are whole: the fraction decides how often it is the larger one.
            let fraction = random.below(1 << 20) as f64 / f64::from(1 << 20);
            for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                let whole = (value + sign * change + fraction).floor() as i32;
                let whole = whole.clamp(tunable.min, tunable.max);
                side.push((tunable.name.to_owned(), whole.to_string()));
            }
        }
        let rate = self.settings.rate * self.settings.stride * rate_factor / (step_factor * step_factor);
        Ok(Trial { number, changes, sides, rate })
    }
}

/// The file in which a course is kept. No other process can use it meanwhile.
#[derive(Debug)]
pub struct CourseFile {
    snapshot: Snapshot,
    path: PathBuf,
}

impl CourseFile {
    /// Keeps the course, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&mut self, course: &Course) -> Result<(), SpsaError> {
        let text = serde_json::to_string(course).map_err(|error| self.damaged(error))?;
        Ok(self.snapshot.replace(text.as_bytes())?)
    }

    fn damaged(&self, error: serde_json::Error) -> SpsaError {
        SpsaError::Damaged { path: self.path.clone(), error }
    }
}

fn chosen(settings: &Settings) -> Result<Vec<&'static Tunable>, SpsaError> {
    let find = |name: &String| {
        tunables().find(|tunable| tunable.name == name).ok_or_else(|| SpsaError::Unknown(name.clone()))
    };
    settings.names.iter().map(find).collect()
}

/// A pair of games between the engine moved one way and the engine moved the other way.
struct Trial {
    number: usize,
    changes: Vec<f64>,
    sides: [Vec<(String, String)>; 2],
    rate: f64,
}

impl Trial {
    /// The games that the first side won more than it lost, or none if interrupted.
    fn play(&self, openings: &Openings, nodes: u64, stop: &StopToken) -> Result<Option<i32>, SpsaError> {
        let limit = Limit { nodes: Some(nodes), ..Limit::default() };
        let rules =
            AdjudicationRules { draw: Some(DRAW), resign: Some(RESIGN), ..AdjudicationRules::default() };
        let conditions = GameConditions { rules, margin: Duration::ZERO, patience: PATIENCE };
        let opening = openings.get(self.number);
        let mut players = [
            InProcessPlayer::start(&self.sides[0], stop.clone())?,
            InProcessPlayer::start(&self.sides[1], stop.clone())?,
        ];
        let mut balance = 0;
        for first in Color::ALL {
            let [a, b] = &mut players;
            let seats: [&mut dyn players::Player; 2] = if first == Color::White { [a, b] } else { [b, a] };
            let played = match game_runner::play(seats, [limit; 2], opening, &conditions) {
                Ok(played) => played,
                Err(Interrupted) => return Ok(None),
            };
            balance += match played.outcome.winner {
                Some(winner) if winner == first => 1,
                Some(_) => -1,
                None => 0,
            };
        }
        Ok(Some(balance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn settings() -> Settings {
        Settings {
            names: vec!["rfp_margin".to_owned(), "lmr_quiet_base".to_owned()],
            pairs: 2_000,
            batch: NonZeroUsize::new(8).unwrap_or(NonZeroUsize::MIN),
            nodes: 100,
            rate: 0.05,
            stride: 1.0,
            seed: 1,
            openings: "none".to_owned(),
        }
    }

    /// Instead of games: whoever is nearer to the best values wins more often.
    #[test]
    fn values_come_near_to_the_best() {
        let best = [100.0, 700.0];
        let mut course = Course::new(settings()).unwrap();
        let distance = |values: &[f64]| -> f64 {
            let steps = [8.0, 120.0];
            values
                .iter()
                .zip(best)
                .zip(steps)
                .map(|((value, best), step)| ((value - best) / step).powi(2))
                .sum()
        };
        let before = distance(&course.values);
        let mut luck = Random::new(5);
        while !course.is_complete() {
            let batch: Vec<Trial> =
                (0..8).map(|index| course.trial(course.played + index).unwrap()).collect();
            let results: Vec<i32> = batch
                .iter()
                .map(|trial| {
                    let value = |side: usize| -> Vec<f64> {
                        trial.sides[side].iter().map(|(_, value)| value.parse().unwrap()).collect()
                    };
                    let better = distance(&value(1)) - distance(&value(0));
                    let chance = 1.0 / (1.0 + (-better / 4.0).exp());
                    if (luck.below(1000) as f64) < 1000.0 * chance { 1 } else { -1 }
                })
                .collect();
            course.follow(&batch, results.into_iter());
        }
        assert_eq!(course.played, 2_000);
        assert!(distance(&course.values) < before / 20.0, "{:?}", course.values);
    }

    #[test]
    fn a_course_is_kept_and_resumed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("course.json");
        let (mut course, mut file) = Course::open(&path, settings()).unwrap();
        let batch: Vec<Trial> = (0..8).map(|number| course.trial(number).unwrap()).collect();
        course.follow(&batch, [2, -1, 0, 1, 1, -2, 0, 1].into_iter());
        file.save(&course).unwrap();
        assert!(matches!(Course::open(&path, settings()), Err(SpsaError::File(JournalError::InUse(_)))));
        drop(file);
        assert_eq!(Course::open(&path, settings()).unwrap().0, course);
        let other = Settings { nodes: 200, ..settings() };
        assert!(matches!(Course::open(&path, other), Err(SpsaError::OtherSettings(_))));
        fs::write(&path, "{\"settings\":").unwrap();
        assert!(matches!(Course::open(&path, settings()), Err(SpsaError::Damaged { .. })));
    }

    #[test]
    fn a_course_from_before_strides_is_resumed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("course.json");
        let (course, mut file) = Course::open(&path, settings()).unwrap();
        file.save(&course).unwrap();
        drop(file);
        let text = fs::read_to_string(&path).unwrap().replace("\"stride\":1.0,", "");
        assert!(!text.contains("stride"), "{text}");
        fs::write(&path, text).unwrap();
        assert_eq!(Course::open(&path, settings()).unwrap().0, course);
    }

    #[test]
    fn a_stride_moves_the_numbers_further_in_games_but_not_after_them() {
        let course = Course::new(settings()).unwrap();
        let wider = Course::new(Settings { stride: 2.0, ..settings() }).unwrap();
        let (narrow, wide) = (course.trial(500).unwrap(), wider.trial(500).unwrap());
        for (narrow_change, wide_change) in narrow.changes.iter().zip(&wide.changes) {
            assert!((wide_change / narrow_change - 2.0).abs() < 1e-9);
            assert!((wide_change * wide.rate / (narrow_change * narrow.rate) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn directions_are_even_and_mirror() {
        let course = Course::new(settings()).unwrap();
        let ups = (0..400).filter(|&number| course.trial(number).unwrap().changes[0] > 0.0).count();
        assert!((140..260).contains(&ups), "{ups}");
        let unknown = Settings { names: vec!["use_lmr".to_owned()], ..settings() };
        assert!(matches!(Course::new(unknown), Err(SpsaError::Unknown(_))));
    }
}
