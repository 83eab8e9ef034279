//! What a thread of the pool has: an engine for study and one for levels.

use crate::pool::Turn;
use chess::Game;
use engine::{Engine, Event, Limits, Line, Outcome, StopToken, Usage};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// An engine of a slot.
pub(crate) struct SlotEngine {
    /// The engine.
    pub(crate) engine: Engine,
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
        let mut engine = Engine::new();
        if let Err(error) = engine.set_option("Hash", &mebibytes.to_string()) {
            tracing::warn!("the size of the transposition table: {error}");
        }
        Self { engine }
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

    /// How many best lines to look for.
    pub(crate) fn set_lines(&mut self, lines: usize) {
        if let Err(error) = self.engine.set_option("MultiPV", &lines.to_string()) {
            tracing::warn!("{error}");
        }
    }
}
