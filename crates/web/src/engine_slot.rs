//! What a thread of the pool has: an engine for study and one for levels.

use crate::pool::Turn;
use chess::Game;
use engine::{Engine, Event, Limits, Line, Outcome, Usage};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a search is asked whether it is still wanted.
const POLL: Duration = Duration::from_millis(5);
/// Memory for the transposition tables of all engines for study together, in MiB.
const HASH: usize = 256;
/// The transposition table of the engine for levels, in MiB, which is cleared before every move.
const LEVEL_HASH: usize = 2;

/// The engines of one thread.
pub(crate) struct EngineSlot {
    /// At full strength, with what it remembers.
    pub(crate) analyst: SlotEngine,
    /// For levels: every move is searched from nothing, so that it depends on nothing but the game.
    pub(crate) player: SlotEngine,
}

impl EngineSlot {
    /// One of `slots`, which share the memory.
    #[must_use]
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            analyst: SlotEngine::new((HASH / slots.max(1)).clamp(16, 64)),
            player: SlotEngine::new(LEVEL_HASH),
        }
    }
}

/// An engine and its events.
pub(crate) struct SlotEngine {
    /// The engine.
    pub(crate) engine: Engine,
    events: Receiver<Event>,
}

/// How a search ended.
#[derive(Debug)]
pub(crate) struct Search {
    /// What it found; nothing if it was stopped before the first line.
    pub(crate) outcome: Outcome,
    /// It was broken off because its turn was over.
    pub(crate) is_interrupted: bool,
}

impl SlotEngine {
    fn new(mebibytes: usize) -> Self {
        let (mut engine, events) = Engine::with_events();
        if let Err(error) = engine.set_option("Hash", &mebibytes.to_string()) {
            tracing::warn!("the engine's table: {error}");
        }
        Self { engine, events }
    }

    /// Searches, reporting the lines, until the limits, the time or the turn are over.
    pub(crate) fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        time: Option<Duration>,
        turn: &Turn,
        report: &mut dyn FnMut(&[Line], &Usage),
    ) -> Search {
        let began = Instant::now();
        self.engine.set_game(game);
        self.events.try_iter().for_each(drop);
        self.engine.go(limits);
        let mut is_interrupted = false;
        loop {
            match self.events.recv_timeout(POLL) {
                Ok(Event::Lines(lines, usage)) => report(&lines, &usage),
                Ok(Event::Finished(outcome)) => return Search { outcome, is_interrupted },
                Ok(Event::Note(_) | Event::CurrentMove { .. }) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("the engine keeps the sender"),
            }
            if turn.is_over() {
                is_interrupted = true;
                self.engine.stop();
            } else if time.is_some_and(|time| began.elapsed() >= time) {
                self.engine.stop();
            }
        }
    }
}

impl SlotEngine {
    /// How many best lines to look for.
    pub(crate) fn set_lines(&mut self, lines: usize) {
        if let Err(error) = self.engine.set_option("MultiPV", &lines.to_string()) {
            tracing::warn!("{error}");
        }
    }
}
