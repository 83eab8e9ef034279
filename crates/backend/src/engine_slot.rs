//! What each of the engines is: one that studies and plays.

use crate::engines::Turn;
use crate::error::{Error, Result};
use chess::{Game, Move};
use coach::Coach;
use engine::{Engine, Event, Level, Limits, Line, Outcome, SearchError, Settings, StopToken, Usage};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

/// Memory for the transposition tables of all slots together, in MiB.
const HASH: usize = 256;
/// Nodes for each position that the coach looks at.
const COACH_NODES: u64 = 100_000;

/// The engine of one thread or worker. It studies at full strength, and remembers what it has found. When it
/// [plays at a level](Self::play_at) the engine searches every move from nothing, in a small transposition table of its
/// own, so that the move depends on nothing but the game.
pub struct EngineSlot {
    engine: Engine,
    /// Has an engine of its own, which begins every answer with empty tables: the same question gets the same answer.
    coach: Option<Coach>,
}

/// How a search ended.
#[derive(Debug)]
pub struct Search {
    /// What it found; nothing if it was stopped before the first line.
    pub outcome: Outcome,
    /// It was broken off because its turn was over.
    pub is_interrupted: bool,
}

impl EngineSlot {
    /// One of `slots`, which share the memory.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        let mut slot = Self { engine: Engine::new(), coach: None };
        slot.configure(|settings| settings.hash = (HASH / slots.max(1)).clamp(16, 64));
        slot
    }

    fn configure(&mut self, change: impl FnOnce(&mut Settings)) {
        if let Err(error) = self.engine.configure(change) {
            tracing::warn!("{error}");
        }
    }

    /// Chooses a move at a level, openings from the book included. The seed of the game makes it repeatable.
    pub fn play_at(
        &mut self,
        level: Level,
        game_seed: u64,
        game: &Game,
        limits: Limits,
        turn: &Turn,
    ) -> Option<Move> {
        self.set_lines(1);
        self.configure(|settings| {
            settings.set_level(level);
            players::set_against_people(settings, game_seed, game.ply());
        });
        let search = self.search(game, limits, None, turn, &mut |_, _| {});
        self.configure(|settings| {
            settings.own_book = false;
            settings.set_level(Level::Full);
        });
        search.outcome.best
    }

    /// Searches, reporting the lines, until the limits, the time or the turn are over.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        time: Option<Duration>,
        turn: &Turn,
        report: &mut dyn FnMut(&[Line], &Usage),
    ) -> Search {
        let began = Instant::now();
        let interrupted = Arc::new(AtomicBool::new(false));
        let (turn, flag) = (turn.clone(), Arc::clone(&interrupted));
        let stop = StopToken::new().or_when(move || {
            let is_over = turn.is_over();
            flag.fetch_or(is_over, Ordering::Relaxed);
            is_over || time.is_some_and(|time| began.elapsed() >= time)
        });
        let outcome = self.engine.search(game, limits.until(&stop), |event| {
            if let Event::Lines(lines, usage) = event {
                report(&lines, &usage);
            }
        });
        let outcome = outcome.unwrap_or_else(|error| {
            tracing::error!("{error}");
            Outcome::default()
        });
        Search { outcome, is_interrupted: interrupted.load(Ordering::Relaxed) }
    }

    /// Asks the coach. A turn that ends early makes what it says less certain, so it should last until the answer or
    /// until no one wants it any more.
    ///
    /// # Errors
    /// When a search fails.
    pub(crate) fn ask_coach<T>(
        &mut self,
        turn: &Turn,
        ask: impl FnOnce(&mut Coach) -> std::result::Result<T, SearchError>,
    ) -> Result<T> {
        let coach = match self.coach.take() {
            Some(coach) => coach,
            None => Coach::new(COACH_NODES).map_err(|error| Error::internal(&error))?,
        };
        let turn = turn.clone();
        let stop = StopToken::new().or_when(move || turn.is_over());
        let coach = self.coach.insert(coach.until(&stop));
        ask(coach).map_err(|error| Error::internal(&error))
    }

    /// The best line that a search from nothing finds; none if it fails.
    pub(crate) fn fresh_line(&mut self, game: &Game, nodes: u64, turn: &Turn) -> Option<Line> {
        let turn = turn.clone();
        let limits = Limits::nodes(nodes).until(&StopToken::new().or_when(move || turn.is_over()));
        let found = coach::completed_lines(&mut Engine::new(), game, limits);
        found.inspect_err(|error| tracing::error!("{error}")).ok()?.into_iter().next()
    }

    /// How many best lines to look for.
    pub fn set_lines(&mut self, lines: usize) {
        self.engine.set_lines(lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_plays_the_same_move_whatever_the_engine_studied() {
        let (mut slot, turn) = (EngineSlot::new(1), Turn::until(|| false));
        let fen = "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 4";
        let game = Game::from_position(fen.parse().expect("a position"));
        let play =
            |slot: &mut EngineSlot| slot.play_at(Level::of_number(12), 5, &game, Limits::default(), &turn);
        let first = play(&mut slot);
        let study = slot.search(&game, Limits::nodes(2_000), None, &turn, &mut |_, _| {});
        assert!(study.outcome.usage.nodes >= 1_000, "without a book and a level: {study:?}");
        assert!(first.is_some());
        assert_eq!(play(&mut slot), first);
    }
}
