//! How hard a puzzle is, estimated.
//!
//! The estimate is a linear function of what can be seen in the solution and of how long a small search needs to find
//! it. Its weights are fitted to puzzles that people have rated by solving them
//! (`cargo run --profile checked -p puzzles --example fit_rating -- FILE`).

use chess::{Game, Move, Position};
use coach::Line;
use coach::line::Step;
use engine::{Engine, Event, Limits, OptionError, SearchError, StopToken};

/// Nodes in which a move is to be found.
const NODES: u64 = 4_000;
/// MiB of the small search's table, which is emptied before every move.
const TABLE: u32 = 1;

/// The number of features.
pub const FEATURES: usize = 12;

/// What each feature adds to the rating.
const WEIGHTS: [f64; FEATURES] =
    [732.9, 61.0, 39.1, 39.3, 16.4, -135.3, -14.3, 160.6, 69.2, -155.4, 47.6, 0.5];

/// Ratings are kept within these.
const LEAST: f64 = 400.0;
const MOST: f64 = 3000.0;

/// Estimates ratings, by searches of its own.
pub struct Rater {
    engine: Engine,
    stop: StopToken,
}

impl Rater {
    /// A rater whose searches end when the token is stopped; its answers mean nothing then.
    ///
    /// # Errors
    /// When the engine does not take its options.
    pub fn new(stop: &StopToken) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        engine.set_option("Hash", &TABLE.to_string())?;
        engine.configure(|settings| settings.analyse_mode = true)?;
        Ok(Self { engine, stop: stop.clone() })
    }

    /// The rating of a solution.
    ///
    /// # Errors
    /// When a search fails.
    pub fn rate(&mut self, line: &Line) -> Result<i32, SearchError> {
        let features = self.features(line)?;
        let rating: f64 = features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum();
        Ok(rating.clamp(LEAST, MOST).round() as i32)
    }

    /// What the rating depends on.
    ///
    /// # Errors
    /// When a search fails.
    pub fn features(&mut self, line: &Line) -> Result<[f64; FEATURES], SearchError> {
        let mut efforts = Vec::new();
        for step in line.hero_steps() {
            efforts.push(self.effort(step.before, step.mv)?);
        }
        let first = line.step(0);
        let of_first = |says: &dyn Fn(Step<'_>) -> bool| f64::from(u8::from(first.is_some_and(says)));
        let moves_like = |says: &dyn Fn(&Step<'_>) -> bool| line.hero_steps().filter(says).count() as f64;
        let takes_back =
            |step: Step<'_>| line.lead_in().is_some_and(|lead_in| lead_in.mv.to() == step.mv.to());
        let is_quiet =
            |step: &Step<'_>| step.captured().is_none() && !step.gives_check() && !step.mv.is_promotion();
        Ok([
            1.0,
            (line.hero_moves() as f64).min(6.0),
            efforts.first().copied().unwrap_or_default(),
            efforts.iter().skip(1).copied().fold(0.0, f64::max),
            of_first(&|step| step.captured().is_some()),
            of_first(&|step| step.gives_check()),
            of_first(&takes_back),
            moves_like(&is_quiet).min(3.0),
            moves_like(&|step| !step.before.see_ge(step.mv, 0)).min(2.0),
            f64::from(u8::from(line.end().is_checkmate())),
            f64::from(line.start().count_legal_moves().max(1)).ln(),
            f64::from(line.start().occupied().count()),
        ])
    }

    /// How long a search needs until it keeps to a move: the logarithm of nodes, base 2.
    fn effort(&mut self, position: &Position, mv: Move) -> Result<f64, SearchError> {
        self.engine.new_game();
        let mut found = None;
        let limits = Limits::nodes(NODES).until(&self.stop);
        self.engine.search(&Game::from_position(*position), limits, |event| {
            if let Event::Lines(lines, usage) = event {
                let is_found = lines.first().and_then(|line| line.moves.first()) == Some(&mv);
                found = if is_found { found.or(Some(usage.nodes)) } else { None };
            }
        })?;
        // Who has not found it needs twice as long, at least.
        Ok((found.unwrap_or(2 * NODES).max(1) as f64).log2())
    }
}
