//! When to see something again: spaced repetition by FSRS, the free scheduler that Anki uses too.
//!
//! A [`Card`] is what is remembered of one exercise. Times are seconds since 1970, and are passed in: nothing here looks at a
//! clock.
//!
//! ```
//! use repetition::{Card, DAY, Grade};
//!
//! let mut card = Card::new(0);
//! for grade in [Grade::Good, Grade::Good] {
//!     card = card.reviewed(card.due, grade);
//! }
//! assert_eq!(card.interval_days, 4);
//! assert!(!card.is_due(card.due - DAY) && card.is_due(card.due));
//! ```

#![forbid(unsafe_code)]

use chrono::{DateTime, Utc};
use rs_fsrs::{FSRS, Rating, State};
use serde::{Deserialize, Serialize};

/// The seconds of a day.
pub const DAY: i64 = 86_400;

/// No time is later than this, some thousand years from now: a damaged file must not make dates that do not exist.
const LATEST: i64 = 40_000_000_000;

/// How well something was remembered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Grade {
    /// Not at all.
    Again,
    /// With effort.
    Hard,
    /// Well.
    Good,
    /// At once.
    Easy,
}

/// How far learning has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Never seen.
    #[default]
    New,
    /// Seen for the first time a short while ago.
    Learning,
    /// Known.
    Review,
    /// Forgotten, and being learnt again.
    Relearning,
}

/// What is remembered of an exercise.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Card {
    /// When to see it again.
    pub due: i64,
    /// When it was last seen.
    pub last: i64,
    /// Days after which it is remembered nine times of ten.
    pub stability: f64,
    /// From 1 to 10.
    pub difficulty: f64,
    /// Days between the last time and the next; 0 within a day.
    pub interval_days: i64,
    /// How often it was seen.
    pub reviews: i32,
    /// How often it was forgotten.
    pub lapses: i32,
    /// How far learning has come.
    pub stage: Stage,
}

impl Card {
    /// A card that was never seen and is due now.
    #[must_use]
    pub fn new(now: i64) -> Self {
        Self {
            due: now,
            last: now,
            stability: 0.0,
            difficulty: 0.0,
            interval_days: 0,
            reviews: 0,
            lapses: 0,
            stage: Stage::New,
        }
    }

    /// Whether it is time to see it again.
    #[must_use]
    pub fn is_due(&self, now: i64) -> bool {
        self.due <= now
    }

    /// The card after it was seen now.
    #[must_use]
    pub fn reviewed(&self, now: i64, grade: Grade) -> Self {
        let rating = match grade {
            Grade::Again => Rating::Again,
            Grade::Hard => Rating::Hard,
            Grade::Good => Rating::Good,
            Grade::Easy => Rating::Easy,
        };
        let next = FSRS::default().next(self.to_fsrs(), time(now.max(self.last)), rating).card;
        Self {
            due: next.due.timestamp(),
            last: next.last_review.timestamp(),
            stability: next.stability,
            difficulty: next.difficulty,
            interval_days: next.scheduled_days,
            reviews: next.reps,
            lapses: next.lapses,
            stage: match next.state {
                State::New => Stage::New,
                State::Learning => Stage::Learning,
                State::Review => Stage::Review,
                State::Relearning => Stage::Relearning,
            },
        }
    }

    fn to_fsrs(&self) -> rs_fsrs::Card {
        // A stability of nothing would be divided by.
        let number = |value: f64, least: f64| if value.is_finite() { value.max(least) } else { least };
        rs_fsrs::Card {
            due: time(self.due),
            stability: number(self.stability, if self.stage == Stage::New { 0.0 } else { 0.1 }),
            difficulty: number(self.difficulty, 0.0).min(10.0),
            elapsed_days: 0,
            scheduled_days: self.interval_days,
            reps: self.reviews.clamp(0, i32::MAX - 1),
            lapses: self.lapses.clamp(0, i32::MAX - 1),
            state: match self.stage {
                Stage::New => State::New,
                Stage::Learning => State::Learning,
                Stage::Review => State::Review,
                Stage::Relearning => State::Relearning,
            },
            last_review: time(self.last),
        }
    }
}

fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds.clamp(0, LATEST), 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 29 November 2022, half past twelve: when the published vectors begin.
    const BEGIN: i64 = 1_669_725_000;

    const GRADES: [Grade; 13] = [
        Grade::Good,
        Grade::Good,
        Grade::Good,
        Grade::Good,
        Grade::Good,
        Grade::Good,
        Grade::Again,
        Grade::Again,
        Grade::Good,
        Grade::Good,
        Grade::Good,
        Grade::Good,
        Grade::Good,
    ];

    #[test]
    fn intervals_are_the_published_ones() {
        let mut card = Card::new(BEGIN);
        let mut intervals = Vec::new();
        for grade in GRADES {
            card = card.reviewed(card.due.max(BEGIN), grade);
            intervals.push(card.interval_days);
        }
        assert_eq!(intervals, [0, 4, 15, 48, 136, 351, 0, 0, 7, 13, 24, 43, 77]);
        assert_eq!((card.reviews, card.stage), (13, Stage::Review));
    }

    #[test]
    fn stages_are_the_published_ones() {
        let mut card = Card::new(BEGIN);
        let mut stages = Vec::new();
        for grade in GRADES {
            stages.push(card.stage);
            card = card.reviewed(card.due, grade);
        }
        use Stage::{Learning, New, Relearning, Review};
        let expected = [
            New, Learning, Review, Review, Review, Review, Review, Relearning, Relearning, Review, Review,
            Review, Review,
        ];
        assert_eq!(stages, expected);
    }

    #[test]
    fn damaged_cards_are_scheduled_too() {
        for number in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
            for stage in [Stage::New, Stage::Learning, Stage::Review, Stage::Relearning] {
                let card = Card {
                    due: i64::MIN,
                    last: i64::MAX,
                    stability: number,
                    difficulty: number,
                    interval_days: i64::MAX,
                    reviews: i32::MAX,
                    lapses: i32::MIN,
                    stage,
                };
                let next = card.reviewed(BEGIN, Grade::Again).reviewed(BEGIN, Grade::Good);
                assert!(next.due >= 0, "{next:?}");
            }
        }
    }
}
