//! What a collection of games contains.

use crate::filter::Filter;
use crate::record::{DECISIVE, GameRecord, Verdict};
use chess::Role;

/// The widths of the bars of the score histogram, in units, and how far it goes.
const BAR: i16 = 100;
const BARS: usize = 21;

/// Counts over many games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Games by verdict, in the order of [`Verdict::ALL`]; those broken off are not among them.
    pub verdicts: [u64; 3],
    /// Positions from inside searches.
    pub samples: u64,
    /// Games that the rules ended, not an arbiter.
    pub ended_by_rules: u64,
    /// Moves, and so positions.
    pub positions: u64,
    /// The longest game in half-moves.
    pub longest: usize,
    /// Positions that pass the filter.
    pub accepted: u64,
    /// Accepted positions by phase: 0 without pieces to 24 with all of them.
    pub phases: [u64; 25],
    /// Accepted positions by score, in steps of 100 units; the middle is -50 to +50, the ends are open.
    pub scores: [u64; BARS],
    /// Accepted positions by sign of score (negative, zero, positive) and verdict.
    pub agreement: [[u64; 3]; 3],
    /// Positions with a proof of a win.
    pub decisive: u64,
}

impl Stats {
    /// Counts a game, and those of its positions that the filter accepts.
    pub fn add(&mut self, game: &GameRecord, filter: &Filter) {
        if game.is_sample() {
            self.samples += 1;
        } else {
            self.games += 1;
        }
        if let Some(verdict) = game.verdict() {
            self.verdicts[verdict as usize] += 1;
        }
        self.positions += game.moves().len() as u64;
        self.longest = self.longest.max(game.moves().len());
        let mut last = *game.start();
        for (position, scored) in game.positions() {
            last = position.after(scored.mv);
            self.decisive += u64::from(scored.white_score.unsigned_abs() >= DECISIVE.unsigned_abs());
            if filter.accepts(&position, scored) {
                self.accepted += 1;
                self.phases[phase(&position)] += 1;
                self.scores[bar(scored.white_score)] += 1;
                if let Some(verdict) = game.verdict() {
                    let sign = (scored.white_score.signum() + 1) as usize;
                    self.agreement[sign][verdict as usize] += 1;
                }
            }
        }
        self.ended_by_rules += u64::from(!game.is_sample() && last.outcome().is_some());
    }

    /// The score in the middle of a bar of the histogram.
    #[must_use]
    pub const fn bar_score(bar: usize) -> i32 {
        (bar as i32 - BARS as i32 / 2) * BAR as i32
    }

    /// The share of accepted positions with a score for one side whose game that side won; draws count half.
    #[must_use]
    pub fn agreement_share(&self) -> f64 {
        let points = |sign: usize, wins: Verdict| {
            self.agreement[sign][wins as usize] as f64
                + self.agreement[sign][Verdict::Draw as usize] as f64 / 2.0
        };
        let scored: u64 = self.agreement[0].iter().chain(&self.agreement[2]).sum();
        (points(0, Verdict::BlackWins) + points(2, Verdict::WhiteWins)) / (scored as f64).max(1.0)
    }
}

fn bar(score: i16) -> usize {
    let nearest = (i32::from(score) + i32::from(BAR) / 2).div_euclid(i32::from(BAR));
    (nearest + BARS as i32 / 2).clamp(0, BARS as i32 - 1) as usize
}

fn phase(position: &chess::Position) -> usize {
    let count = |role| position.role(role).count() as usize;
    let phase = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    phase.min(24)
}
