//! The coach with an engine: asks for the searches that its answers need.

use crate::claim::{Claim, Ended, Fact, Occasion};
use crate::explain::{self, MoveExplanation, MoveQuestion};
use crate::facts;
use crate::hint;
use crate::line::Line;
use crate::reason::{Course, Look};
use chess::{Game, Move, Position};
use engine::{Bound, Engine, Event, Limits, OptionError, Score};

/// The lines compared to see whether there is only one good move.
const LINES: usize = 2;

/// What a search for a threat may use, in parts of the nodes of a full one.
const THREAT_SHARE: u64 = 4;

/// Answers questions about positions and moves.
pub struct Coach {
    engine: Engine,
    nodes: u64,
}

impl Coach {
    /// A coach that looks at each position with this many nodes.
    ///
    /// # Errors
    /// When the engine does not take its options.
    pub fn new(nodes: u64) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        engine.set_option("Threads", "1")?;
        engine.set_option("UCI_AnalyseMode", "true")?;
        Ok(Self { engine, nodes })
    }

    /// How is this position?
    pub fn position(&mut self, game: &Game) -> Vec<Claim> {
        self.engine.new_game();
        let position = game.position();
        let looks =
            if explain::ended(position).is_some() { Vec::new() } else { self.look(game, self.nodes, LINES) };
        let mut claims = explain::position(position, &looks);
        if let Some(opening) = book::openings::name_of_game(game) {
            let fact = Fact::Opening { eco: opening.eco, name: opening.name };
            claims.push(Claim::new(Occasion::Position, fact));
        }
        claims
    }

    /// Why is this move good, bad or best?
    pub fn mv(&mut self, game: &Game, mv: Move) -> MoveExplanation {
        self.engine.new_game();
        let before = *game.position();
        let best = self.look(game, self.nodes, LINES);
        let mut after = game.clone();
        if after.replay(mv).is_err() {
            return MoveExplanation { loss: 0.0, judgement: None, kind: None, claims: Vec::new() };
        }
        let reply = self.look(&after, self.nodes, 1);
        let ended = Look { score: Score::DRAW, moves: Vec::new() };
        let reply = reply.first().unwrap_or(&ended);
        let danger = self.if_passed(&before);
        let threat = self.if_passed(after.position());
        let lead_in =
            game.ply().checked_sub(1).and_then(|ply| Some((*game.position_at(ply)?, game.last_move()?)));
        explain::mv(&MoveQuestion {
            before: &before,
            mv,
            lead_in,
            best: &best,
            reply,
            danger: danger.as_ref(),
            threat: threat.as_ref(),
        })
    }

    /// What does the opponent threaten?
    pub fn threat(&mut self, game: &Game) -> Option<Claim> {
        let position = game.position();
        let look = self.if_passed(position)?;
        let passed = facts::passed(position)?;
        let course = Course::new(&passed, &look.moves, look.score, None);
        explain::threat_claim(&course, Occasion::Threat)
    }

    /// Three steps of a hint: what to look at, the idea, the move.
    pub fn hint(&mut self, game: &Game) -> Vec<Claim> {
        self.engine.new_game();
        let looks = self.look(game, self.nodes, 1);
        let danger = self.if_passed(game.position());
        looks.first().map(|best| hint::steps(game.position(), best, danger.as_ref())).unwrap_or_default()
    }

    /// What the end of a line is worth to the side that moves first in it.
    pub fn score_after(&mut self, line: &Line) -> Score {
        let end = line.end();
        let score = match explain::ended(end) {
            Some(Ended::Checkmate(_)) => Score::mated_in(0),
            Some(_) => Score::DRAW,
            None => self
                .look(&Game::from_position(*end), self.nodes, 1)
                .first()
                .map_or(Score::DRAW, |look| look.score),
        };
        if end.turn() == line.hero() { score } else { -score }
    }

    /// The best line of the other side if the side to move passed.
    fn if_passed(&mut self, position: &Position) -> Option<Look> {
        let passed = facts::passed(position)?;
        if !passed.has_legal_move() {
            return None;
        }
        self.look(&Game::from_position(passed), self.nodes / THREAT_SHARE, 1).into_iter().next()
    }

    /// The best lines of a position, the best first.
    fn look(&mut self, game: &Game, nodes: u64, lines: usize) -> Vec<Look> {
        let _ = self.engine.set_option("MultiPV", &lines.to_string());
        let mut completed = None;
        let outcome = self.engine.search(game, Limits::nodes(nodes), |event| {
            if let Event::Lines(lines, _) = event
                && lines.iter().all(|line| line.bound == Bound::Exact)
            {
                completed = Some(lines);
            }
        });
        let mut lines = completed.unwrap_or_else(|| outcome.unwrap_or_default().lines);
        lines.sort_by_key(|line| line.rank);
        lines.iter().map(Look::from).collect()
    }
}
