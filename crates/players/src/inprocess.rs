//! Gardez in this process.

use crate::player::{Answer, Decision, Failure, Player, Thought, Turn};
use chess::Variant;
use engine::{Engine, Outcome, StopToken};
use web_time::Instant;

/// The player.
pub struct InProcessPlayer {
    name: String,
    engine: Engine,
    stop: StopToken,
}

impl InProcessPlayer {
    /// An engine with these options.
    ///
    /// # Errors
    /// When an option does not exist or its value does not fit.
    pub fn start(options: &[(String, String)], stop: StopToken) -> Result<Self, Failure> {
        let mut engine = Engine::new();
        // Only the scheduler of the system stands between this engine and its clock.
        let mut configured = engine.configure(|settings| settings.move_overhead_ms = 10);
        for (name, value) in options {
            configured = configured.and_then(|()| engine.set_option(name, value));
        }
        configured.map_err(|error| Failure::Start(error.to_string()))?;
        Ok(Self { name: "Gardez".to_owned(), engine, stop })
    }
}

/// What a search of Gardez thought of the position.
#[must_use]
pub fn thought_of(outcome: &Outcome) -> Thought {
    let line = outcome.lines.first();
    Thought {
        score: line.map(|line| line.score.to_eval()),
        depth: line.and_then(|line| u32::try_from(line.depth).ok()),
        nodes: Some(outcome.usage.nodes),
        time: Some(outcome.usage.time),
    }
}

impl Player for InProcessPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _variant: Variant) -> Result<(), Failure> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let (asked, patience) = (Instant::now(), turn.patience);
        let stop = self.stop.or_when(move || asked.elapsed() >= patience);
        let outcome = self.engine.search(turn.game, turn.search_limits().until(&stop), |_| {});
        let elapsed = asked.elapsed();
        if self.stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        if elapsed >= patience {
            return Err(Failure::Hang(patience));
        }
        let outcome = outcome.map_err(|error| Failure::Crash(error.to_string()))?;
        let mv = outcome.best.ok_or_else(|| Failure::IllegalMove("it has found no move".to_owned()))?;
        Ok(Answer { decision: Decision::Move(mv), thought: thought_of(&outcome), elapsed, classic: None })
    }
}
