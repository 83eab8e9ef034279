//! Gardez in this process.

use crate::player::{Answer, Decision, Failure, Player, StopSignal, Thought, Turn};
use chess::Variant;
use engine::{Engine, Event, Limits, Outcome};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The player.
pub struct InProcessPlayer {
    name: String,
    engine: Engine,
    outcomes: Receiver<(Instant, Outcome)>,
    stop: StopSignal,
}

/// How often a wait looks at the stop signal.
const GLANCE: Duration = Duration::from_millis(50);

impl InProcessPlayer {
    /// An engine with these options.
    ///
    /// # Errors
    /// When an option does not exist or its value does not fit.
    pub fn start(options: &[(String, String)], stop: StopSignal) -> Result<Self, Failure> {
        let (sender, outcomes) = mpsc::channel();
        let sender = Mutex::new(sender);
        let mut engine = Engine::new(Arc::new(move |event| {
            if let Event::Finished(outcome) = event
                && let Ok(sender) = sender.lock()
            {
                let _ = sender.send((Instant::now(), outcome));
            }
        }));
        // Only the scheduler of the system stands between this engine and its clock.
        let overhead = [("Move Overhead".to_owned(), "10".to_owned())];
        for (name, value) in overhead.iter().chain(options) {
            engine.set_option(name, value).map_err(|error| Failure::Start(error.to_string()))?;
        }
        Ok(Self { name: "Gardez".to_owned(), engine, outcomes, stop })
    }

    fn wait(&self, asked: Instant, patience: Duration) -> Result<(Instant, Outcome), Failure> {
        loop {
            if self.stop.is_set() {
                self.engine.stop();
                return Err(Failure::Interrupted);
            }
            let left = patience.saturating_sub(asked.elapsed());
            match self.outcomes.recv_timeout(left.min(GLANCE)) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Crash("its thread is gone".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    self.engine.stop();
                    return Err(Failure::Hang(patience));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
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
        while self.outcomes.try_recv().is_ok() {}
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        self.engine.set_game(turn.game);
        let asked = Instant::now();
        self.engine.go(limits(turn));
        let (at, outcome) = self.wait(asked, turn.patience)?;
        let mv = outcome.best.ok_or_else(|| Failure::IllegalMove("it has found no move".to_owned()))?;
        let elapsed = at.saturating_duration_since(asked);
        Ok(Answer { decision: Decision::Move(mv), thought: thought_of(&outcome), elapsed })
    }
}
