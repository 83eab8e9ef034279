//! Mistakes as exercises: what should have been played?

use crate::analysis;
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::game_review::{BetterLine, Mistake};
use crate::notation;
use crate::record::{Player, Record, Sides};
use crate::services::Visitor;
use chess::pgn::EvalScore;
use chess::{Color, Game, Move, Position, Variant};
use review::Judgement;

/// Games that are looked through.
const MAX_GAMES: usize = 50;
/// Exercises that are given at once.
const MAX_EXERCISES: usize = 200;
/// To judge an attempt.
const ATTEMPT_NODES: u64 = 100_000;

/// A mistake of a game, to be solved.
#[derive(Clone, Debug)]
pub(crate) struct Exercise {
    /// The game.
    pub(crate) id: String,
    /// Which move of it was the mistake, counted from 1.
    pub(crate) ply: usize,
    /// Names of White and Black.
    pub(crate) names: [String; 2],
    /// How bad it was.
    pub(crate) judgement: Judgement,
    /// What was played.
    pub(crate) played: Move,
    /// The game before the mistake.
    pub(crate) game: Game,
    /// Whether the visitor has solved it.
    pub(crate) is_solved: bool,
}

/// The exercises of one game or of all of a visitor.
///
/// # Errors
/// When there is no such game.
pub(crate) async fn list(
    backend: &Backend,
    visitor: &Visitor,
    game: Option<&str>,
    unsolved: bool,
) -> Result<Vec<Exercise>> {
    let services = &backend.services;
    let games = match game {
        Some(id) => vec![id.to_owned()],
        None => services.store.reviewed_games(visitor, services.rights.is_owner(visitor), MAX_GAMES).await?,
    };
    let solved = services.store.solved(visitor).await?;
    let mut exercises = Vec::new();
    for id in games {
        let record = backend.sessions.enter(services, &id, visitor).await?.record().await;
        let Some(review) = services.store.load_review(&id).await? else { continue };
        let sides = record.seats_of(visitor, services.rights.is_owner(visitor));
        for mistake in review.mistakes() {
            let is_solved = solved.contains(&(id.clone(), mistake.ply));
            if unsolved && is_solved {
                continue;
            }
            exercises.extend(exercise(&record, sides, &mistake, is_solved));
        }
        if exercises.len() >= MAX_EXERCISES {
            exercises.truncate(MAX_EXERCISES);
            break;
        }
    }
    Ok(exercises)
}

/// The game as it stood before a ply, counted from 1.
fn before(record: &Record, ply: usize) -> Option<Game> {
    let mut game = record.game.clone();
    (ply >= 1 && game.goto(ply - 1)).then_some(game)
}

/// The exercise of a mistake, unless it was made by the opponent.
fn exercise(
    record: &Record,
    sides: Option<Sides>,
    mistake: &Mistake<'_>,
    is_solved: bool,
) -> Option<Exercise> {
    let game = before(record, mistake.ply)?;
    let mover = game.position().turn();
    // After a takeback another move may stand there than the one that was reviewed.
    if *game.position() != mistake.mv.before || sides.is_some_and(|sides| !sides.plays(mover)) {
        return None;
    }
    Some(Exercise {
        id: record.id.clone(),
        ply: mistake.ply,
        names: record.players.each_ref().map(Player::name),
        judgement: mistake.judgement,
        played: mistake.mv.mv,
        game,
        is_solved,
    })
}

/// How good an attempt is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The move of the review.
    Best,
    /// Loses next to nothing.
    Good,
    /// Not that.
    Wrong,
}

/// What is said of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// How good it is.
    pub(crate) verdict: Verdict,
    /// The score after it, from White's view.
    pub(crate) score: EvalScore,
    /// The position of the exercise.
    pub(crate) position: Position,
    /// Which chess.
    pub(crate) variant: Variant,
    /// The solution, for a visitor who has solved it or given up.
    pub(crate) solution: Option<Vec<Move>>,
}

/// Judges an attempt; without a move, the visitor gives up.
///
/// # Errors
/// When there is no such exercise, or the move is illegal.
pub(crate) async fn check(
    backend: &Backend,
    visitor: &Visitor,
    id: &str,
    ply: usize,
    text: &str,
) -> Result<Checked> {
    let services = &backend.services;
    let missing = || Error::new(Code::NotFound, "there is no such exercise");
    let record = backend.sessions.enter(services, id, visitor).await?.record().await;
    let review = services.store.load_review(id).await?.ok_or_else(missing)?;
    let mistake = review.mistakes().find(|mistake| mistake.ply == ply).ok_or_else(missing)?;
    let BetterLine { judged: best, line } = mistake.better;
    let mut game = before(&record, ply).ok_or_else(missing)?;
    let (position, variant) = (*game.position(), game.variant());
    let checked = |verdict: Verdict, score: EvalScore, solution: Option<Vec<Move>>| Checked {
        verdict,
        score,
        position,
        variant,
        solution,
    };
    if text.is_empty() {
        return Ok(checked(Verdict::Wrong, best.score, Some(line.clone())));
    }
    let mv = notation::read_move(&position, text)?;
    if line.first() == Some(&mv) {
        services.store.set_solved(visitor, id, ply).await?;
        return Ok(checked(Verdict::Best, best.score, Some(line.clone())));
    }
    game.replay(mv).map_err(Error::illegal)?;
    let found = analysis::best_line(services, visitor, game, ATTEMPT_NODES).await?;
    let sign = if position.turn() == Color::White { 1.0 } else { -1.0 };
    let loss = sign * (best.win_percent - found.win_percent);
    if Judgement::of_loss(loss).is_none() {
        services.store.set_solved(visitor, id, ply).await?;
        return Ok(checked(Verdict::Good, found.score, Some(line.clone())));
    }
    Ok(checked(Verdict::Wrong, found.score, None))
}
