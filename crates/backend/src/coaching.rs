//! What the coach says. An engine asks it and makes the words, so that what comes back is plain data.

use crate::engine_slot::EngineSlot;
use crate::engines::{LineJob, Owner, Priority, Turn};
use crate::error::{Error, Result};
use crate::services::Services;
use crate::view;
use crate::wire;
use chess::Game;
use coach::{Coach, Look};
use engine::{Score, SearchError};
use serde::{Deserialize, Serialize};

/// To judge an attempt at an exercise.
const ATTEMPT_NODES: u64 = 100_000;

/// What the coach can be asked about the position a game stands at.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CoachQuestion {
    /// Why it is as it is, and why the last move was good or bad.
    Why,
    /// What to play, in steps.
    Hint,
}

/// What the coach answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CoachAnswer {
    /// Why a position is as it is.
    Why(Box<Explained>),
    /// What to look at, the idea, the move.
    Hint(Vec<wire::Remark>),
}

/// Why a position is as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Explained {
    /// The move that led to it.
    pub last_move: Option<wire::ExplainedMove>,
    /// What is to be said of the position.
    pub position: Vec<wire::Remark>,
    /// What the side that has moved threatens.
    pub threat: Option<wire::Remark>,
}

/// A question to the coach.
pub struct CoachJob {
    /// The game whose position it is about.
    pub game: Game,
    /// What is asked.
    pub question: CoachQuestion,
}

impl CoachJob {
    /// Asks.
    ///
    /// # Errors
    /// When a search fails.
    pub fn run(&self, slot: &mut EngineSlot, turn: &Turn) -> Result<CoachAnswer> {
        let variant = self.game.variant();
        slot.ask_coach(turn, |coach| match self.question {
            CoachQuestion::Why => self.explain(coach).map(|explained| CoachAnswer::Why(Box::new(explained))),
            CoachQuestion::Hint => Ok(CoachAnswer::Hint(view::remarks(&coach.hint(&self.game)?, variant))),
        })
    }

    fn explain(&self, coach: &mut Coach) -> std::result::Result<Explained, SearchError> {
        let (game, variant) = (&self.game, self.game.variant());
        let mut earlier = game.clone();
        let last_move = match game.last_move() {
            Some(mv) if earlier.goto(game.ply() - 1) => {
                let explanation = coach.mv(&earlier, mv)?;
                Some(view::explained_move(earlier.position(), mv, &explanation, variant))
            }
            _ => None,
        };
        let position = view::remarks(&coach.position(game)?, variant);
        let threat = if game.is_over() { None } else { coach.threat(game)? };
        Ok(Explained { last_move, position, threat: threat.map(|threat| view::remark(&threat, variant)) })
    }
}

async fn ask(services: &Services, owner: &Owner, game: Game, question: CoachQuestion) -> Result<CoachAnswer> {
    services.engines.coach(owner, CoachJob { game, question }).await
}

/// Explains the position a game stands at, and the move before it.
///
/// # Errors
/// When no engine is free, or it fails.
pub(crate) async fn explain(services: &Services, owner: &Owner, game: Game) -> Result<Explained> {
    match ask(services, owner, game, CoachQuestion::Why).await? {
        CoachAnswer::Why(explained) => Ok(*explained),
        CoachAnswer::Hint(_) => Err(Error::internal(&"a hint in place of an explanation")),
    }
}

/// A hint in three steps: what to look at, the idea, the move.
///
/// # Errors
/// When the game is over, no engine is free, or it fails.
pub(crate) async fn hint(services: &Services, owner: &Owner, game: Game) -> Result<Vec<wire::Remark>> {
    if let Some(outcome) = game.outcome() {
        return Err(Error::illegal(format!("the game is over: {outcome}")));
    }
    match ask(services, owner, game, CoachQuestion::Hint).await? {
        CoachAnswer::Hint(steps) => Ok(steps),
        CoachAnswer::Why(_) => Err(Error::internal(&"an explanation in place of a hint")),
    }
}

/// The best line of the position a game stands at, searched from nothing: what engines remember shortens lines.
///
/// # Errors
/// When no engine is free, or it fails.
pub(crate) async fn best_line(services: &Services, owner: &Owner, game: Game) -> Result<Look> {
    let job = LineJob { game, nodes: ATTEMPT_NODES, is_fresh: true };
    let found = services.engines.best_line(owner, Priority::Move, job).await?;
    Ok(found.as_ref().map_or(Look { score: Score::DRAW, moves: Vec::new() }, Look::from))
}
