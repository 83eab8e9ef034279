//! The data loader: reads files of games and hands out their positions in random order.

use super::augmentation::augment;
use super::example::Example;
use super::td_lambda::td_lambda;
use crate::scale::fit_scale;
use crate::{GAMES_AT_A_TIME, TrainerError, is_held_out};
use chess::random::Random;
use data::{FileError, Filter, GameReader, GameRecord};
use eval::Evaluator;
use rayon::prelude::*;
use std::fs::File;
use std::io::{Read, Take};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// More positions to check with only cost time.
const MAX_HELD_OUT: usize = 500_000;

/// More positions say nothing new about a single number.
const SCALE_SAMPLE: usize = 500_000;

/// How to read.
#[derive(Clone, PartialEq, Debug)]
pub struct LoaderSettings {
    /// Which positions to take.
    pub filter: Filter,
    /// TD(λ): the share of the score a move later, and so on, in each score.
    pub lambda: f32,
    /// Whether the network is to correct the handcrafted evaluation and not to stand alone.
    pub is_correction: bool,
    /// Augmentation: positions some random moves away for each of the game's own, judged by the handcrafted evaluation.
    pub augmentation: usize,
    /// What the order follows from.
    pub seed: u64,
    /// Bytes that positions may take in memory. If more are there, they are read again on every pass and
    /// shuffled in blocks of this size.
    pub memory: usize,
    /// Positions for each step; blocks are a multiple of it.
    pub batch: usize,
    /// Whether to skip damaged games, instead of refusing the file.
    pub skip_damaged: bool,
}

/// Positions to learn from, and others to check with.
#[derive(Debug)]
pub struct DataLoader {
    files: Vec<(PathBuf, u64)>,
    settings: LoaderSettings,
    count: usize,
    /// All of them, if they fit.
    cached: Option<Vec<Example>>,
    held_out: Vec<Example>,
    score_scale: f32,
    skipped: usize,
}

type Reader = GameReader<Take<File>>;

struct OpenFile {
    path: PathBuf,
    reader: Reader,
    length: u64,
    taken: u64,
}

/// The games of all files, mixed in proportion to the lengths of the files.
struct Games {
    open: Vec<OpenFile>,
    number: u64,
    /// Damaged places that were skipped, in the files that have ended.
    skipped: usize,
}

impl Games {
    fn open(files: &[(PathBuf, u64)], skip_damaged: bool) -> Result<Self, TrainerError> {
        let open = |(path, length): &(PathBuf, u64)| {
            let read = || GameReader::new(File::open(path)?.take(*length));
            match read() {
                Ok(reader) => Ok(OpenFile {
                    path: path.clone(),
                    reader: reader.skip_damaged(skip_damaged),
                    length: *length,
                    taken: 0,
                }),
                Err(source) => Err(TrainerError::File { path: path.clone(), source }),
            }
        };
        Ok(Self { open: files.iter().map(open).collect::<Result<_, _>>()?, number: 0, skipped: 0 })
    }

    fn next(&mut self) -> Result<Option<(u64, GameRecord)>, TrainerError> {
        loop {
            // The file of which the smallest part has been read.
            let part = |file: &OpenFile| file.taken as f64 / file.length as f64;
            let least =
                (0..self.open.len()).min_by(|&a, &b| part(&self.open[a]).total_cmp(&part(&self.open[b])));
            let Some(index) = least else { return Ok(None) };
            let file = &mut self.open[index];
            match file.reader.next() {
                Some(Ok(game)) => {
                    file.taken += 1;
                    self.number += 1;
                    return Ok(Some((self.number - 1, game)));
                }
                Some(Err(source)) => return Err(TrainerError::File { path: file.path.clone(), source }),
                None => {
                    self.skipped += file.reader.skipped().len();
                    self.open.remove(index);
                }
            }
        }
    }

    /// The positions of the next games: those to learn from and those to check with.
    fn next_positions(
        &mut self,
        settings: &LoaderSettings,
    ) -> Result<Option<[Vec<Example>; 2]>, TrainerError> {
        let mut games = Vec::with_capacity(GAMES_AT_A_TIME);
        while games.len() < GAMES_AT_A_TIME
            && let Some(game) = self.next()?
        {
            games.push(game);
        }
        if games.is_empty() {
            return Ok(None);
        }
        let taken = games.par_chunks(GAMES_AT_A_TIME / 16).map(|games| take_apart(games, settings));
        let mut all = [Vec::new(), Vec::new()];
        for [training, held_out] in taken.collect::<Vec<_>>() {
            all[0].extend(training);
            all[1].extend(held_out);
        }
        Ok(Some(all))
    }
}

fn take_apart(games: &[(u64, GameRecord)], settings: &LoaderSettings) -> [Vec<Example>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    let mut evaluator = Evaluator::new();
    for (number, game) in games {
        let is_held_out = is_held_out(settings.seed, *number);
        for sample in settings.filter.choose(&td_lambda(game, settings.lambda), *number) {
            let base = if settings.is_correction { evaluator.evaluate(&sample.position) } else { 0 };
            parts[usize::from(is_held_out)].push(Example::new(&sample).on_top_of(base));
        }
        if settings.augmentation > 0 && !is_held_out {
            let mut random = Random::stream(settings.seed.rotate_left(32), *number);
            let limit = settings.filter.max_score;
            let added = augment(game, settings.augmentation, limit, &mut random, &mut evaluator);
            // Judged by the handcrafted evaluation, which is not to be corrected there.
            let base = |example: &Example| if settings.is_correction { example.score() as i32 } else { 0 };
            parts[0].extend(added.into_iter().map(|example| example.on_top_of(base(&example))));
        }
    }
    parts
}

/// What the scale is fitted to.
fn score_and_points(example: &Example) -> Option<(f32, f32)> {
    Some((example.score(), example.points()?))
}

/// Some positions in memory, and the order to take them in.
#[derive(Copy, Clone, Debug)]
pub(super) struct Batch<'a> {
    pub(super) examples: &'a [Example],
    pub(super) order: &'a [u32],
}

impl DataLoader {
    /// Goes through files of games once: counts positions, and keeps them if they fit into memory. A file is
    /// read up to the length it has now, or to the one given, so that it may grow meanwhile.
    ///
    /// # Errors
    /// When a file cannot be read, or there are too few positions.
    pub fn open(
        files: &[PathBuf],
        lengths: Option<&[u64]>,
        settings: LoaderSettings,
    ) -> Result<Self, TrainerError> {
        let with_length = |(index, path): (usize, &PathBuf)| {
            let length = std::fs::metadata(path)
                .map_err(|error| TrainerError::File { path: path.clone(), source: FileError::Io(error) })?
                .len();
            let wanted = lengths.and_then(|lengths| lengths.get(index).copied());
            Ok((path.clone(), wanted.unwrap_or(length).max(1)))
        };
        let files: Vec<_> = files.iter().enumerate().map(with_length).collect::<Result<_, TrainerError>>()?;
        let mut games = Games::open(&files, settings.skip_damaged)?;
        let (mut count, mut held_out, mut cached) = (0, Vec::new(), Some(Vec::new()));
        let mut pairs = Vec::new();
        while let Some([training, checking]) = games.next_positions(&settings)? {
            count += training.len();
            let free = SCALE_SAMPLE - pairs.len();
            pairs.extend(training.iter().filter_map(score_and_points).take(free));
            let free = MAX_HELD_OUT - held_out.len();
            held_out.extend(checking.into_iter().take(free));
            if count * size_of::<Example>() > settings.memory {
                cached = None;
            }
            if let Some(cached) = &mut cached {
                cached.extend(training);
            }
        }
        let score_scale = fit_scale(&pairs);
        let skipped = games.skipped;
        Self { files, settings, count, cached, held_out, score_scale, skipped }.checked()
    }

    /// A loader of positions that are in memory already.
    ///
    /// # Errors
    /// When there are too few.
    pub fn from_examples(
        training: Vec<Example>,
        held_out: Vec<Example>,
        settings: LoaderSettings,
    ) -> Result<Self, TrainerError> {
        let pairs: Vec<_> = training.iter().filter_map(score_and_points).collect();
        let score_scale = fit_scale(&pairs);
        let count = training.len();
        let cached = Some(training);
        Self { files: Vec::new(), settings, count, cached, held_out, score_scale, skipped: 0 }.checked()
    }

    fn checked(self) -> Result<Self, TrainerError> {
        let (training, held_out) = (self.count, self.held_out.len());
        if training < 100 || held_out < 10 {
            return Err(TrainerError::TooFew { training, held_out });
        }
        Ok(self)
    }

    /// How many positions there are to learn from.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether all positions are in memory.
    #[must_use]
    pub const fn is_cached(&self) -> bool {
        self.cached.is_some()
    }

    /// How many damaged places of the files were skipped.
    #[must_use]
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// The positions to check with.
    #[must_use]
    pub fn held_out(&self) -> &[Example] {
        &self.held_out
    }

    /// The scale under which scores best predict how games ended.
    #[must_use]
    pub(crate) const fn score_scale(&self) -> f32 {
        self.score_scale
    }

    /// How much of each file is read.
    #[must_use]
    pub fn lengths(&self) -> Vec<u64> {
        self.files.iter().map(|&(_, length)| length).collect()
    }

    /// Steps in a pass over all positions.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.count.div_ceil(self.settings.batch) as u64
    }

    /// Hands out the positions of a pass batch by batch, leaving out the first ones, until `each` says stop.
    pub(super) fn pass(
        &self,
        number: u64,
        skip: u64,
        mut each: impl FnMut(Batch<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TrainerError> {
        let batch = self.settings.batch;
        let mut order = Vec::new();
        let mut hand_out = |examples: &[Example], block: u64, skip: usize| {
            order.clear();
            order.extend(0..examples.len() as u32);
            Random::stream(self.settings.seed ^ block.rotate_left(32), number + 1).shuffle(&mut order);
            order.chunks(batch).skip(skip).try_for_each(|order| each(Batch { examples, order }))
        };
        if let Some(cached) = &self.cached {
            return Ok(hand_out(cached, 0, skip as usize));
        }
        let batches = (self.settings.memory / size_of::<Example>() / batch).max(1);
        let mut games = Games::open(&self.files, self.settings.skip_damaged)?;
        let (mut block, mut rest) = (Vec::new(), Vec::new());
        for number_of_block in 0.. {
            block.append(&mut rest);
            while block.len() < batches * batch
                && let Some([training, _]) = games.next_positions(&self.settings)?
            {
                block.extend(training);
            }
            if block.len() > batches * batch {
                rest = block.split_off(batches * batch);
            }
            let before = number_of_block * batches as u64;
            let skip = skip.saturating_sub(before).min(batches as u64) as usize;
            if block.is_empty() || hand_out(&block, number_of_block, skip).is_break() {
                return Ok(if block.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) });
            }
            block.clear();
        }
        Ok(ControlFlow::Continue(()))
    }
}
