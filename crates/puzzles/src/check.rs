//! Whether a deeper search agrees with a solution.

use crate::finder::FindError;
use crate::only_move::{Aim, Bounds};
use chess::Game;
use coach::{Line, completed_lines};
use engine::{Engine, Limits, OptionError, StopToken};

/// What a deeper search says of a solution.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every move of it is the only one that wins, or saves.
    Confirmed,
    /// Another move is better at this half-move of the solution, from 0.
    OtherMove(usize),
    /// The move is best there, but does not reach what it should.
    NotEnough(usize),
    /// The move is best there, but not the only one.
    NotOnly(usize),
}

/// Searches solutions again.
pub struct Checker {
    engine: Engine,
    nodes: u64,
    stop: StopToken,
}

impl Checker {
    /// A checker that looks at each move with this many nodes.
    ///
    /// # Errors
    /// When the engine does not take its options.
    pub fn new(nodes: u64, stop: &StopToken) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        engine.configure(|settings| settings.analyse_mode = true)?;
        engine.set_lines(2);
        Ok(Self { engine, nodes, stop: stop.clone() })
    }

    /// Searches every move of the solver again.
    ///
    /// # Errors
    /// When the token ends it, or the engine fails.
    pub fn check(&mut self, solution: &Line) -> Result<Verdict, FindError> {
        self.engine.new_game();
        let mut aim = None;
        for step in solution.hero_steps() {
            if step.after.is_checkmate() {
                continue;
            }
            let game = Game::from_position(*step.before);
            let limits = Limits::nodes(self.nodes).until(&self.stop);
            let lines = completed_lines(&mut self.engine, &game, limits)?;
            if self.stop.is_stopped() {
                return Err(FindError::Cancelled);
            }
            let Some(best) = lines.first() else { return Ok(Verdict::OtherMove(step.index)) };
            let bounds = Bounds::DEFINITION;
            let aim = *aim.get_or_insert_with(|| {
                if bounds.reaches(Aim::Win, best.score) { Aim::Win } else { Aim::Save }
            });
            if best.moves.first() != Some(&step.mv) {
                return Ok(Verdict::OtherMove(step.index));
            }
            if !bounds.reaches(aim, best.score) {
                return Ok(Verdict::NotEnough(step.index));
            }
            if !bounds.is_only_move(aim, best.score, lines.get(1).map(|line| line.score)) {
                return Ok(Verdict::NotOnly(step.index));
            }
        }
        Ok(Verdict::Confirmed)
    }
}
