//! Reviews of played games.
//!
//! [`Reviewer`] goes through a game with the engine and gives a [`Review`]: the value of each move, where
//! the errors are and what was better, how exactly both sides played, and when the game turned. What comes
//! of it is data; [`annotate`] writes it into the game, [`record`] makes JSON of it, [`graph`] a picture and
//! [`html`] a page. [`batch`] does so with whole files, and resumes where it was interrupted.
//!
//! Searches are limited by nodes, run in one thread and begin each game with empty tables: a review is the
//! same on every machine.

#![forbid(unsafe_code)]

pub mod annotate;
pub mod batch;
mod diagram;
pub mod graph;
pub mod html;
pub mod opening;
pub mod record;
mod report;
mod reviewer;
pub mod why;

pub use coach::judge::{self, Judgement};
pub use coach::notation;
pub use report::{Evaluation, Exercise, MoveReview, PlayerReview, Review, Solution};
pub use reviewer::{Progress, ReviewError, Reviewer, Settings, Watch};
