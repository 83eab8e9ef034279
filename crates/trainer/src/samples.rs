//! Positions as counts of weights, close together in memory.

use crate::{GAMES_AT_A_TIME, is_held_out};
use data::{FileError, Filter, GameReader, GameRecord, Sample, Verdict};
use eval::{Coefficient, Trace};
use rayon::prelude::*;
use std::fs::File;
use std::path::PathBuf;

/// Why there is nothing to learn from.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainerError {
    #[error("{}", path.display())]
    File { path: PathBuf, source: FileError },
    #[error("there are only {training} positions to learn from and {held_out} to check with")]
    TooFew { training: usize, held_out: usize },
}

/// A coefficient in four bytes. Of a linear one only the difference counts, which stands for White.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Used {
    index: u16,
    white: i8,
    black: i8,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Head {
    /// Where the coefficients end; they begin where those of the position before end.
    end: usize,
    phase: u8,
    scale: [u8; 2],
    verdict: Verdict,
    white_score: i16,
}

/// Many positions, each with its score and the result of its game, both from White's view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Samples {
    heads: Vec<Head>,
    used: Vec<Used>,
}

impl Samples {
    /// Reads files of games and takes apart the positions that the filter chooses. Returns those to learn
    /// from and those of about every twentieth game, to check with: whole games, because positions of one
    /// game resemble each other. Damaged games are skipped if so wanted.
    ///
    /// # Errors
    /// When a file cannot be read to its end.
    pub fn read(files: &[PathBuf], filter: &Filter, skip_damaged: bool) -> Result<[Self; 2], TrainerError> {
        let mut parts = [Self::default(), Self::default()];
        let mut number = 0;
        for path in files {
            GameReader::open(path)
                .and_then(|reader| {
                    Self::read_games(reader.skip_damaged(skip_damaged), filter, &mut number, &mut parts)
                })
                .map_err(|source| TrainerError::File { path: path.clone(), source })?;
        }
        Ok(parts)
    }

    fn read_games(
        mut reader: GameReader<File>,
        filter: &Filter,
        number: &mut u64,
        parts: &mut [Self; 2],
    ) -> Result<(), FileError> {
        let mut games = Vec::new();
        loop {
            games.clear();
            for game in reader.by_ref().take(GAMES_AT_A_TIME) {
                games.push((*number, game?));
                *number += 1;
            }
            if games.is_empty() {
                return Ok(());
            }
            let taken = games.par_chunks(GAMES_AT_A_TIME / 16).map(|games| take_apart(games, filter));
            for [training, held_out] in &taken.collect::<Vec<_>>() {
                parts[0].append(training);
                parts[1].append(held_out);
            }
        }
    }

    /// Adds a position, unless its value does not depend on weights, or its game has no result.
    pub fn push(&mut self, sample: &Sample) {
        let Some(verdict) = sample.verdict else { return };
        let trace = eval::trace(&sample.position);
        if trace.exact.is_some() {
            return;
        }
        let before = self.used.len();
        let [linear, danger, initiative] = trace.by_kind();
        let difference =
            |used: &Coefficient| Coefficient { white: used.white - used.black, black: 0, ..*used };
        let all = linear.iter().map(difference).chain(danger.iter().chain(initiative).copied());
        for used in all.filter(|used| used.white != 0 || used.black != 0) {
            // No term counts anything so often that this fails; if one did, the position would be lost.
            let (Ok(white), Ok(black)) = (used.white.try_into(), used.black.try_into()) else {
                debug_assert!(false, "{used:?} in {}", sample.position.to_fen());
                self.used.truncate(before);
                return;
            };
            self.used.push(Used { index: used.index, white, black });
        }
        self.heads.push(Head {
            end: self.used.len(),
            phase: trace.phase as u8,
            scale: trace.scale.map(|scale| scale as u8),
            verdict,
            white_score: sample.white_score,
        });
    }

    fn append(&mut self, other: &Self) {
        let start = self.used.len();
        self.used.extend_from_slice(&other.used);
        self.heads.extend(other.heads.iter().map(|head| Head { end: start + head.end, ..*head }));
    }

    /// How many positions there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The memory they take, in bytes.
    #[must_use]
    pub const fn memory(&self) -> usize {
        size_of_val(self.heads.as_slice()) + size_of_val(self.used.as_slice())
    }

    /// The score of a position from White's view.
    #[must_use]
    pub fn white_score(&self, index: usize) -> f32 {
        f32::from(self.heads[index].white_score)
    }

    /// White's points in the game of a position.
    #[must_use]
    pub fn white_points(&self, index: usize) -> f32 {
        self.heads[index].verdict.white_points()
    }

    /// A trace to [load](Self::load) positions into.
    #[must_use]
    pub const fn empty_trace() -> Trace {
        Trace { coefficients: Vec::new(), phase: 0, scale: [0; 2], exact: None, turn: chess::Color::White }
    }

    /// Makes a trace that of a position again, as far as its value from White's view goes.
    pub fn load(&self, index: usize, trace: &mut Trace) {
        let head = &self.heads[index];
        let start = index.checked_sub(1).map_or(0, |before| self.heads[before].end);
        trace.coefficients.clear();
        trace.coefficients.extend(self.used[start..head.end].iter().map(|used| Coefficient {
            index: used.index,
            white: used.white.into(),
            black: used.black.into(),
        }));
        trace.phase = head.phase.into();
        trace.scale = head.scale.map(i32::from);
    }

    /// How often each weight counts in all positions together.
    pub(crate) fn usage(&self) -> Vec<u64> {
        let mut usage = vec![0; eval::WEIGHT_COUNT];
        for used in &self.used {
            usage[usize::from(used.index)] +=
                u64::from(used.white.unsigned_abs()) + u64::from(used.black.unsigned_abs());
        }
        usage
    }
}

fn take_apart(games: &[(u64, GameRecord)], filter: &Filter) -> [Samples; 2] {
    let mut parts = [Samples::default(), Samples::default()];
    for (number, game) in games {
        let is_held_out = is_held_out(filter.seed, *number);
        for sample in filter.choose(game, *number) {
            parts[usize::from(is_held_out)].push(&sample);
        }
    }
    parts
}
