//! Several reviewers at work on a list of games.

use chess::pgn::PgnGame;
use engine::{OptionError, StopToken};
use review::{Review, ReviewError, Reviewer, Settings};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Reviewers with the same settings, each for a thread of its own.
pub struct Reviewers(Vec<Reviewer>);

impl Reviewers {
    /// This many reviewers. Their work ends when the token is stopped.
    ///
    /// # Errors
    /// When an option does not exist or its value does not fit.
    pub fn new(settings: &Settings, count: NonZeroUsize, stop: &StopToken) -> Result<Self, OptionError> {
        let reviewer = |_| Ok(Reviewer::new(settings.clone())?.until(stop));
        let all = (0..count.get()).map(reviewer).collect::<Result<_, OptionError>>()?;
        Ok(Self(all))
    }

    /// Reviews games, each as if it were the first. Calls back on this thread with the number of games done.
    ///
    /// # Errors
    /// When the work is stopped, or the engine fails.
    pub fn review(
        &mut self,
        games: &[PgnGame],
        mut on_done: impl FnMut(usize),
    ) -> Result<Vec<Review>, ReviewError> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let mut reviews: Vec<Option<Review>> = games.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            for reviewer in &mut self.0 {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    while let Some((index, game)) = take(next, games) {
                        let review = reviewer.review_pgn(game, &mut |_| ControlFlow::Continue(()));
                        if sender.send((index, review)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (done, (index, review)) in (1..).zip(receiver) {
                reviews[index] = Some(review.inspect_err(|_| next.store(games.len(), Ordering::Relaxed))?);
                on_done(done);
            }
            Ok::<(), ReviewError>(())
        })?;
        // Without an error and without a review there was a stop.
        reviews.into_iter().collect::<Option<_>>().ok_or(ReviewError::Cancelled)
    }
}

fn take<'a>(next: &AtomicUsize, games: &'a [PgnGame]) -> Option<(usize, &'a PgnGame)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, games.get(index)?))
}
