//! The coach with an engine: asks for the searches that its answers need.

use crate::claim::{Claim, Ended, Fact, Occasion};
use crate::explain::{self, MoveExplanation, MoveQuestion};
use crate::facts;
use crate::hint;
use crate::line::Line;
use crate::reason::{Course, Look};
use chess::{Game, Move, Position};
use engine::{Bound, Engine, Event, Limits, OptionError, Score, SearchError, StopToken};

/// The lines compared to see whether there is only one good move.
const LINES: usize = 2;

/// What a search for a threat may use, in parts of the nodes of a full one.
const THREAT_SHARE: u64 = 4;

/// Answers questions about positions and moves.
///
/// ```
/// use coach::{Catalogue, Coach};
///
/// let hanging = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3".parse().unwrap();
/// let mut coach = Coach::new(10_000)?;
/// let claims = coach.position(&chess::Game::from_position(hanging))?;
/// let text = Catalogue::english().paragraph(&claims);
/// assert!(text.contains("White wins a queen with 3. Nxg5."), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Coach {
    engine: Engine,
    nodes: u64,
    stop: StopToken,
}

impl Coach {
    /// A coach that looks at each position with this many nodes.
    ///
    /// # Errors
    /// When the engine does not take its options.
    pub fn new(nodes: u64) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        engine.configure(|settings| settings.analyse_mode = true)?;
        Ok(Self { engine, nodes, stop: StopToken::new() })
    }

    /// The same, but every search ends when the token is stopped.
    #[must_use]
    pub fn until(self, stop: &StopToken) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// How is this position?
    ///
    /// # Errors
    /// When a search fails.
    pub fn position(&mut self, game: &Game) -> Result<Vec<Claim>, SearchError> {
        self.engine.new_game();
        let position = game.position();
        let looks =
            if explain::ended(position).is_some() { Vec::new() } else { self.look(game, self.nodes, LINES)? };
        let mut claims = explain::position(position, &looks);
        if let Some(opening) = book::openings::name_of_game(game) {
            let fact = Fact::Opening { eco: opening.eco, name: opening.name };
            claims.push(Claim::new(Occasion::Position, fact));
        }
        Ok(claims)
    }

    /// Why is this move good, bad or best?
    ///
    /// # Errors
    /// When a search fails.
    pub fn mv(&mut self, game: &Game, mv: Move) -> Result<MoveExplanation, SearchError> {
        self.engine.new_game();
        let before = *game.position();
        let best = self.look(game, self.nodes, LINES)?;
        let mut after = game.clone();
        if after.replay(mv).is_err() {
            return Ok(MoveExplanation { loss: 0.0, judgement: None, kind: None, claims: Vec::new() });
        }
        let reply = self.look(&after, self.nodes, 1)?;
        let ended = Look { score: Score::DRAW, moves: Vec::new() };
        let reply = reply.first().unwrap_or(&ended);
        let danger = self.if_passed(&before)?;
        let threat = self.if_passed(after.position())?;
        let lead_in =
            game.ply().checked_sub(1).and_then(|ply| Some((*game.position_at(ply)?, game.last_move()?)));
        Ok(explain::mv(&MoveQuestion {
            before: &before,
            mv,
            lead_in,
            best: &best,
            reply,
            danger: danger.as_ref(),
            threat: threat.as_ref(),
        }))
    }

    /// What does the opponent threaten?
    ///
    /// # Errors
    /// When a search fails.
    pub fn threat(&mut self, game: &Game) -> Result<Option<Claim>, SearchError> {
        let position = game.position();
        let (Some(look), Some(passed)) = (self.if_passed(position)?, facts::passed(position)) else {
            return Ok(None);
        };
        let course = Course::new(&passed, &look.moves, look.score, None);
        Ok(explain::threat_claim(&course, Occasion::Threat))
    }

    /// Three steps of a hint: what to look at, the idea, the move.
    ///
    /// # Errors
    /// When a search fails.
    pub fn hint(&mut self, game: &Game) -> Result<Vec<Claim>, SearchError> {
        self.engine.new_game();
        let looks = self.look(game, self.nodes, 1)?;
        let danger = self.if_passed(game.position())?;
        Ok(looks.first().map(|best| hint::steps(game.position(), best, danger.as_ref())).unwrap_or_default())
    }

    /// The score of the end of a line for the side that moves first in it.
    ///
    /// # Errors
    /// When a search fails.
    pub fn score_after(&mut self, line: &Line) -> Result<Score, SearchError> {
        let end = line.end();
        let score = match explain::ended(end) {
            Some(Ended::Checkmate(_)) => Score::mated_in(0),
            Some(_) => Score::DRAW,
            None => {
                let looks = self.look(&Game::from_position(*end), self.nodes, 1)?;
                looks.first().map_or(Score::DRAW, |look| look.score)
            }
        };
        Ok(if end.turn() == line.hero() { score } else { -score })
    }

    /// The best line of the other side if the side to move passed.
    fn if_passed(&mut self, position: &Position) -> Result<Option<Look>, SearchError> {
        let Some(passed) = facts::passed(position).filter(|passed| passed.has_legal_move()) else {
            return Ok(None);
        };
        let looks = self.look(&Game::from_position(passed), self.nodes / THREAT_SHARE, 1)?;
        Ok(looks.into_iter().next())
    }

    /// The best lines of a position, the best first.
    fn look(&mut self, game: &Game, nodes: u64, lines: usize) -> Result<Vec<Look>, SearchError> {
        self.engine.set_lines(lines);
        let limits = Limits::nodes(nodes).until(&self.stop);
        let found = completed_lines(&mut self.engine, game, limits)?;
        Ok(found.iter().map(Look::from).collect())
    }
}

/// The lines of the last iteration that a search completed, the best first: where nodes end in the middle of one, scores
/// are bounds, or of different depths.
///
/// # Errors
/// When the search fails.
pub fn completed_lines(
    engine: &mut Engine,
    game: &Game,
    limits: Limits,
) -> Result<Vec<engine::Line>, SearchError> {
    let mut completed = None;
    let outcome = engine.search(game, limits, |event| match event {
        Event::Lines(lines, _) if lines.iter().all(|line| line.bound == Bound::Exact) => {
            completed = Some(lines);
        }
        _ => {}
    })?;
    let mut lines = completed.unwrap_or(outcome.lines);
    lines.sort_by_key(|line| line.rank);
    Ok(lines)
}
