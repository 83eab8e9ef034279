//! What results mean.

pub mod elo;
pub mod ratings;
pub mod sprt;

use serde::{Deserialize, Serialize};

/// Wins, draws and losses.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    /// All games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points scored.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Adds a game by its half points: 0, 1 or 2.
    pub const fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The same seen by the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

/// Pairs of games on one opening by the points they brought together: 0, 1/2, 1, 3/2 or 2.
///
/// The two games of a pair are not independent, since an opening may favour a colour; the pairs are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair by its half points, 0 to 4.
    pub const fn add(&mut self, half_points: u8) {
        let place = if half_points > 4 { 4 } else { half_points };
        self.0[place as usize] += 1;
    }

    /// How many pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }
}
