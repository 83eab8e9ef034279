//! Mistakes as exercises: what should have been played?

use crate::backend::Backend;
use crate::coaching;
use crate::error::{Code, Error, Result};
use crate::game_review::{BetterLine, Mistake};
use crate::notation;
use crate::record::{Player, Record, Sides};
use crate::services::Visitor;
use chess::pgn::EvalScore;
use chess::{Game, Move, Position, Variant};
use coach::claim::Variation;
use coach::notation::from_white;
use coach::{Claim, Look, MoveQuestion, Occasion};
use review::judge::{Judgement, win_percent};

/// Games that are looked through.
const MAX_GAMES: usize = 50;
/// Exercises that are given at once.
const MAX_EXERCISES: usize = 200;

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
    /// What the opponent answers to a wrong attempt.
    pub(crate) refutation: Option<Variation>,
    /// Why the attempt is wrong, or the solution right.
    pub(crate) claims: Vec<Claim>,
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
    let best = mistake.better;
    let mut game = before(&record, ply).ok_or_else(missing)?;
    let (position, variant) = (*game.position(), game.variant());
    let right = |verdict: Verdict, score: EvalScore| Checked {
        verdict,
        score,
        position,
        variant,
        solution: Some(best.line.clone()),
        refutation: None,
        claims: merits(&position, best),
    };
    if text.is_empty() {
        return Ok(right(Verdict::Wrong, best.judged.score));
    }
    let mv = notation::read_move(&position, text)?;
    if best.line.first() == Some(&mv) {
        services.store.set_solved(visitor, id, ply).await?;
        return Ok(right(Verdict::Best, best.judged.score));
    }
    game.replay(mv).map_err(Error::illegal)?;
    let start = *game.position();
    let reply = coaching::best_line(services, visitor, game).await?;
    let score = reply.score.for_white(start.turn());
    let best_percent = win_percent(from_white(best.judged.score, position.turn()));
    let loss = best_percent - win_percent(-reply.score);
    if Judgement::of_loss(loss).is_none() {
        services.store.set_solved(visitor, id, ply).await?;
        return Ok(right(Verdict::Good, score));
    }
    Ok(Checked {
        verdict: Verdict::Wrong,
        score,
        position,
        variant,
        solution: None,
        claims: faults(&position, mv, best, &reply),
        refutation: Some(Variation { start, moves: reply.moves }),
    })
}

/// What is wrong with an attempt: what it allows, without a word about what was better.
fn faults(position: &Position, mv: Move, best: &BetterLine, reply: &Look) -> Vec<Claim> {
    let mut claims = explain(position, mv, best, reply);
    claims.retain(|claim| claim.occasion == Occasion::Allowed);
    claims
}

/// What is good about the solution.
fn merits(position: &Position, best: &BetterLine) -> Vec<Claim> {
    let Some((&mv, rest)) = best.line.split_first() else { return Vec::new() };
    let reply = Look { score: from_white(best.judged.score, !position.turn()), moves: rest.to_vec() };
    explain(position, mv, best, &reply)
}

fn explain(position: &Position, mv: Move, best: &BetterLine, reply: &Look) -> Vec<Claim> {
    let best = Look { score: from_white(best.judged.score, position.turn()), moves: best.line.clone() };
    let question = MoveQuestion {
        before: position,
        mv,
        lead_in: None,
        best: &[best],
        reply,
        danger: None,
        threat: None,
    };
    coach::explain::mv(&question).claims
}
