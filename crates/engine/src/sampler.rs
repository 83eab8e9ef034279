//! Positions from inside searches, for training.

use chess::Position;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Collects positions that searches evaluate statically: every Nth of them, counted over all searches that have this
/// sampler in their [`Limits`](crate::Limits). None of them is in check.
///
/// ```
/// use chess::Game;
/// use engine::{Engine, Limits, PositionSampler};
/// use std::num::NonZero;
///
/// let sampler = PositionSampler::every(NonZero::new(50).expect("not zero"));
/// let limits = Limits { sampler: Some(sampler.clone()), ..Limits::nodes(1_000) };
/// Engine::new().search(&Game::new(), limits, |_| {})?;
/// assert!(sampler.take().len() > 2);
/// # Ok::<(), engine::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionSampler(Arc<Sampled>);

#[derive(Debug)]
struct Sampled {
    every: NonZeroU64,
    seen: AtomicU64,
    positions: Mutex<Vec<Position>>,
}

impl PositionSampler {
    /// Collects one of this many positions.
    #[must_use]
    pub fn every(every: NonZeroU64) -> Self {
        Self(Arc::new(Sampled { every, seen: AtomicU64::new(0), positions: Mutex::default() }))
    }

    /// Hands over the positions collected so far, in the order in which they were evaluated.
    #[must_use]
    pub fn take(&self) -> Vec<Position> {
        std::mem::take(&mut self.0.positions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A search evaluates a position.
    #[cold]
    pub(crate) fn offer(&self, position: &Position) {
        let seen = self.0.seen.fetch_add(1, Ordering::Relaxed) + 1;
        if seen.is_multiple_of(self.0.every.get()) {
            self.0.positions.lock().unwrap_or_else(PoisonError::into_inner).push(*position);
        }
    }
}

impl PartialEq for PositionSampler {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PositionSampler {}
