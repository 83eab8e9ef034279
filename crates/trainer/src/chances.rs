//! What scores meant in games: the chances of winning and losing.

use data::{FileError, Filter, GameReader, Verdict};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use crate::samples::TrainerError;

/// A score of `even` is an even chance to win; a score larger by `spread` wins in 73 of 100 games. Losing
/// mirrors winning, and what is left are draws.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Chances {
    /// The score of an even chance.
    pub even: f64,
    /// How much the score must rise for 73 %.
    pub spread: f64,
}

/// How often each score, seen by White, ended how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcomes(BTreeMap<i16, [u64; 3]>);

/// The chance that a model denies outright; one odd game must not outweigh all others.
const LEAST_CHANCE: f64 = 1e-6;
const ROUNDS: usize = 60;

impl Outcomes {
    /// Counts the positions of game files that the filter chooses. Damaged games are skipped if so wanted.
    ///
    /// # Errors
    /// When a file cannot be read to its end.
    pub fn read(files: &[PathBuf], filter: &Filter, skip_damaged: bool) -> Result<Self, TrainerError> {
        let mut outcomes = Self::default();
        for path in files {
            GameReader::open(path)
                .and_then(|reader| outcomes.read_games(reader.skip_damaged(skip_damaged), filter))
                .map_err(|source| TrainerError::File { path: path.clone(), source })?;
        }
        Ok(outcomes)
    }

    fn read_games(&mut self, reader: GameReader<File>, filter: &Filter) -> Result<(), FileError> {
        for game in reader {
            let game = game?;
            let Some(verdict) = game.verdict() else { continue };
            for (position, scored) in game.positions() {
                if filter.accepts(&position, scored) {
                    self.add(scored.white_score, verdict);
                }
            }
        }
        Ok(())
    }

    /// Counts a position.
    pub fn add(&mut self, white_score: i16, verdict: Verdict) {
        self.0.entry(white_score).or_default()[verdict as usize] += 1;
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.values().flatten().sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The chances under which all of it is likeliest: each number in turn is moved by smaller and smaller
    /// steps while that helps.
    #[must_use]
    pub fn fit(&self) -> Chances {
        let mut best = Chances { even: 150.0, spread: 60.0 };
        let mut likelihood = self.likelihood(best);
        let mut step = 64.0;
        for _ in 0..ROUNDS {
            let around = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)]
                .map(|(even, spread)| Chances { even: best.even + even, spread: best.spread + spread });
            let better = around
                .into_iter()
                .filter(|chances| chances.even > 0.0 && chances.spread > 1.0)
                .map(|chances| (self.likelihood(chances), chances))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|&(value, _)| value > likelihood);
            match better {
                Some((value, chances)) => (likelihood, best) = (value, chances),
                None => step /= 2.0,
            }
        }
        best
    }

    /// The logarithm of how likely it was to see all this.
    fn likelihood(&self, chances: Chances) -> f64 {
        let logarithm = |chance: f64| chance.max(LEAST_CHANCE).ln();
        self.0
            .iter()
            .map(|(&score, counts)| {
                let win = chances.win(f64::from(score));
                let loss = chances.win(-f64::from(score));
                counts[Verdict::WhiteWins as usize] as f64 * logarithm(win)
                    + counts[Verdict::BlackWins as usize] as f64 * logarithm(loss)
                    + counts[Verdict::Draw as usize] as f64 * logarithm(1.0 - win - loss)
            })
            .sum()
    }
}

impl Chances {
    /// The chance that a score wins.
    #[must_use]
    pub fn win(self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.even - score) / self.spread).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_behind_results_are_found() {
        let truth = Chances { even: 210.0, spread: 85.0 };
        let mut outcomes = Outcomes::default();
        for score in (-900..=900).step_by(10) {
            let [win, loss] = [1.0, -1.0].map(|sign| (1000.0 * truth.win(sign * f64::from(score))) as u64);
            for (verdict, count) in
                [(Verdict::WhiteWins, win), (Verdict::BlackWins, loss), (Verdict::Draw, 1000 - win - loss)]
            {
                outcomes.0.entry(score).or_default()[verdict as usize] += count;
            }
        }
        let fitted = outcomes.fit();
        assert!((fitted.even - truth.even).abs() < 2.0, "{fitted:?}");
        assert!((fitted.spread - truth.spread).abs() < 2.0, "{fitted:?}");
    }
}
