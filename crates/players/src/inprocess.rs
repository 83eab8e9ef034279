//! Gardez in this process.

use crate::player::{Answer, Decision, Failure, Player, Thought, Turn};
use chess::Variant;
use engine::{Engine, Limits, Outcome, StopToken};
use std::time::{Duration, Instant};

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
        let overhead = [("Move Overhead".to_owned(), "10".to_owned())];
        for (name, value) in overhead.iter().chain(options) {
            engine.set_option(name, value).map_err(|error| Failure::Start(error.to_string()))?;
        }
        Ok(Self { name: "Gardez".to_owned(), engine, stop })
    }
}

fn limits(turn: &Turn<'_>) -> Limits {
    let to_ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let clock = |side: usize| {
        turn.clocks[side]
            .map(|face| engine::Clock { left_ms: to_ms(face.left), increment_ms: to_ms(face.increment) })
    };
    let own = turn.clocks[turn.game.position().turn().index()];
    Limits {
        clocks: [clock(0), clock(1)],
        moves_to_go: own.and_then(|face| face.moves_to_go),
        move_time: turn.limit.move_time,
        depth: turn.limit.depth.map(|depth| i32::try_from(depth).unwrap_or(i32::MAX)),
        nodes: turn.limit.nodes,
        ..Limits::default()
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
        let outcome = self.engine.search(turn.game, limits(turn).until(&stop), |_| {});
        let elapsed = asked.elapsed();
        if self.stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        if elapsed >= patience {
            return Err(Failure::Hang(patience));
        }
        let outcome = outcome.map_err(|error| Failure::Crash(error.to_string()))?;
        let mv = outcome.best.ok_or_else(|| Failure::IllegalMove("it has found no move".to_owned()))?;
        Ok(Answer { decision: Decision::Move(mv), thought: thought_of(&outcome), elapsed })
    }
}
