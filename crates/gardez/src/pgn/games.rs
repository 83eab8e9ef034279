//! Going through files of games, with criteria, progress and interruption.

use super::criteria::Criteria;
use super::{Input, read_tree};
use crate::interrupt;
use crate::numbers::count;
use crate::progress::Progress;
use anyhow::{Context, Result};
use book::openings::Opening;
use chess::pgn::{PgnFault, PgnGame, Reader, Visitor};
use chess::{GameResult, Move, Position};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Faults that are printed; the others are counted.
const MOST_FAULTS: u64 = 20;
/// Games between two looks at the clock.
const GAMES_BETWEEN_REPORTS: u64 = 256;

/// What has been seen of a game.
#[derive(Default)]
pub(super) struct Seen {
    tags: Vec<(String, String)>,
    end: Option<GameResult>,
    pub(super) plies: u64,
    /// Start and moves of the main line, as numbers that other games have not.
    pub(super) moves: [u64; 2],
    pub(super) faults: u64,
    pub(super) is_cut_short: bool,
    pub(super) has_position: bool,
    pub(super) has_material: bool,
    pub(super) opening: Option<&'static Opening>,
}

impl Seen {
    /// The value of a tag, empty if there is none.
    pub(super) fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }

    /// The result at the end of the moves, or else that of the tag.
    pub(super) fn result(&self) -> GameResult {
        self.end.unwrap_or_else(|| self.tag("Result").parse().unwrap_or_default())
    }
}

/// Looks at a game while it is read.
struct Examiner<'a> {
    criteria: &'a Criteria,
    seen: Seen,
    /// How many variations it is within.
    depth: usize,
    /// Faults that are still to be printed.
    faults: Vec<PgnFault>,
}

impl Visitor for Examiner<'_> {
    fn begin_game(&mut self) {
        self.seen = Seen { tags: std::mem::take(&mut self.seen.tags), ..Seen::default() };
        self.seen.tags.clear();
        self.depth = 0;
    }

    fn tag(&mut self, name: &str, value: &str) {
        self.seen.tags.push((name.to_owned(), value.to_owned()));
    }

    fn begin_moves(&mut self, start: &Position) -> ControlFlow<()> {
        // What the tags rule out need not be read, unless it is just what is wanted.
        if !self.criteria.is_inverted() && !self.criteria.is_met_by_tags(&self.seen) {
            return ControlFlow::Break(());
        }
        self.seen.moves = [hash((0, start.key().0)), hash((1, start.key().0))];
        if self.criteria.looks_at_positions() {
            self.criteria.look_at(start, &mut self.seen);
        }
        ControlFlow::Continue(())
    }

    fn play(&mut self, before: &Position, mv: Move) {
        if self.depth > 0 {
            return;
        }
        self.seen.plies += 1;
        let code = u64::from(mv.to_bits());
        let [one, other] = self.seen.moves;
        // Two different mixtures, so that no two games have both in common.
        self.seen.moves = [
            (one ^ code).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29),
            (other.rotate_left(23) ^ code).wrapping_mul(0xd6e8_feb8_6659_fd93),
        ];
        if self.criteria.looks_at_positions() {
            self.criteria.look_at(&before.after(mv), &mut self.seen);
        }
    }

    fn begin_variation(&mut self) {
        self.depth += 1;
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn fault(&mut self, fault: PgnFault) {
        self.seen.faults += 1;
        self.seen.is_cut_short |= fault.costs_moves();
        self.faults.push(fault);
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.seen.end = result.filter(|&result| result != GameResult::Unfinished);
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The games of files that meet the criteria.
pub(super) struct Games<'a> {
    files: VecDeque<&'a Path>,
    /// The file that is being read.
    current: Option<(&'a Path, Reader<Box<dyn Read>>)>,
    examiner: Examiner<'a>,
    progress: Progress,
    interrupted: Arc<AtomicBool>,
    total_bytes: u64,
    bytes_before: u64,
    games: u64,
    refused: u64,
    faults: u64,
}

impl<'a> Games<'a> {
    pub(super) fn open(input: &'a Input) -> Result<Self> {
        let mut total_bytes = 0;
        for path in input.files.iter().filter(|path| !is_standard_input(path)) {
            total_bytes += fs::metadata(path).with_context(|| path.display().to_string())?.len();
        }
        Ok(Self {
            files: input.files.iter().map(PathBuf::as_path).collect(),
            current: None,
            examiner: Examiner {
                criteria: &input.criteria,
                seen: Seen::default(),
                depth: 0,
                faults: Vec::new(),
            },
            progress: Progress::new(),
            interrupted: interrupt::flag()?,
            total_bytes,
            bytes_before: 0,
            games: 0,
            refused: 0,
            faults: 0,
        })
    }

    /// The next game that is wanted; none after the last, or when the work is interrupted.
    pub(super) fn next(&mut self) -> Result<Option<&Seen>> {
        loop {
            if self.is_interrupted() {
                return Ok(None);
            }
            let Some((path, reader)) = &mut self.current else {
                let Some(path) = self.files.pop_front() else { return Ok(None) };
                self.current = Some((path, Reader::keeping_text(open(path)?)));
                continue;
            };
            let name = path.display();
            let is_game = reader.visit_game(&mut self.examiner).with_context(|| name.to_string())?;
            for fault in self.examiner.faults.drain(..) {
                self.faults += 1;
                if self.faults <= MOST_FAULTS {
                    self.progress.say(&format!("{name}: {fault}"));
                }
            }
            if !is_game {
                self.bytes_before += reader.bytes_read();
                self.current = None;
                continue;
            }
            self.games += 1;
            if self.games.is_multiple_of(GAMES_BETWEEN_REPORTS) {
                self.report();
            }
            if self.examiner.criteria.is_met(&self.examiner.seen) {
                return Ok(Some(&self.examiner.seen));
            }
            self.refused += 1;
        }
    }

    fn report(&mut self) {
        let read = self.current.as_ref().map_or(0, |(_, reader)| reader.bytes_read());
        let done = self.bytes_before + read;
        let games = count(self.games, "game");
        let total = self.total_bytes;
        self.progress.show(|_| match total {
            0 => games,
            _ => format!("{:.0} %: {games}", (100.0 * done as f64 / total as f64).min(100.0)),
        });
    }

    /// The game as it is written, unless it is too long to be kept.
    pub(super) fn text(&self) -> Option<&[u8]> {
        self.current.as_ref().and_then(|(_, reader)| reader.game_text())
    }

    /// The game with its comments and variations.
    pub(super) fn tree(&self) -> Option<PgnGame> {
        self.text().and_then(read_tree)
    }

    /// Which game of its file this is, from 1.
    pub(super) fn seen(&self) -> &Seen {
        &self.examiner.seen
    }

    /// Games that did not meet the criteria.
    pub(super) const fn refused(&self) -> u64 {
        self.refused
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Says what is left to be said, and what the program returns.
    pub(super) fn finish(mut self) -> ExitCode {
        if self.faults > MOST_FAULTS {
            self.progress.say(&format!("and {} more", count(self.faults - MOST_FAULTS, "fault")));
        }
        if self.is_interrupted() {
            self.progress.say(&format!("interrupted after {}", count(self.games, "game")));
            return interrupt::exit_code();
        }
        ExitCode::SUCCESS
    }
}

fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

fn open(path: &Path) -> Result<Box<dyn Read>> {
    if is_standard_input(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(File::open(path).with_context(|| path.display().to_string())?))
}
