//! Which clock of a game runs. Clocks run while a player is there, from the second move on.

use chess::Color;
use std::time::{Duration, Instant};

/// Moves that are made before the clocks start.
pub(super) const FREE_PLIES: usize = 2;

/// The clock that runs, if one does, and since when. What both sides have left is in the record.
#[derive(Debug, Default)]
pub(super) struct RunningClock(Option<(Color, Instant)>);

impl RunningClock {
    /// Whose clock runs.
    pub(super) fn color(&self) -> Option<Color> {
        self.0.map(|(color, _)| color)
    }

    /// Takes off the time that has passed since the last call.
    pub(super) fn charge(&mut self, left: &mut [Duration; 2]) {
        if let Some((color, since)) = &mut self.0 {
            let now = Instant::now();
            let left = &mut left[color.index()];
            *left = left.saturating_sub(now.duration_since(*since));
            *since = now;
        }
    }

    /// What both sides have left now, of what they had when last charged.
    pub(super) fn left_now(&self, mut left: [Duration; 2]) -> [Duration; 2] {
        if let Some((color, since)) = self.0 {
            left[color.index()] = left[color.index()].saturating_sub(since.elapsed());
        }
        left
    }

    /// Lets the clock of a side run, or none. What ran before has to be charged first.
    pub(super) fn run(&mut self, color: Option<Color>) {
        self.0 = color.map(|color| (color, Instant::now()));
    }
}
