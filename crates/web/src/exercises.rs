//! Mistakes as exercises: what should have been played?

use crate::app::App;
use crate::error::{Code, Error, Result};
use crate::house::Visitor;
use crate::pool::Priority;
use crate::record::Record;
use crate::room::look;
use crate::view;
use crate::wire::{Exercise, ExerciseAttempt, ExerciseVerdict, Judgement, MoveName, Review, ReviewMove, You};
use chess::{Color, Game};

/// Games that are looked through.
const MAX_GAMES: usize = 50;
/// Exercises that are given at once.
const MAX_EXERCISES: usize = 200;
/// To judge an attempt.
const ATTEMPT_NODES: u64 = 100_000;

/// The exercises of one game or of all of a visitor.
///
/// # Errors
/// When there is no such game.
pub async fn list(app: &App, visitor: &Visitor, game: Option<&str>, unsolved: bool) -> Result<Vec<Exercise>> {
    let house = &app.house;
    let games = match game {
        Some(id) => vec![id.to_owned()],
        None => house.store.reviewed_games(visitor, house.at_home, MAX_GAMES).await?,
    };
    let solved = house.store.solved(visitor).await?;
    let mut exercises = Vec::new();
    for id in games {
        let record = app.rooms.enter(house, &id, visitor).await?.record().await;
        let Some(stored) = house.store.load_review(&id).await? else { continue };
        let you = record.seats_of(visitor, house.at_home);
        for mistake in mistakes(&stored.review) {
            let is_solved = solved.contains(&(id.clone(), mistake.ply));
            if unsolved && is_solved {
                continue;
            }
            if let Some(exercise) = exercise(&record, you, mistake, is_solved) {
                exercises.push(exercise);
            }
        }
        if exercises.len() >= MAX_EXERCISES {
            exercises.truncate(MAX_EXERCISES);
            break;
        }
    }
    Ok(exercises)
}

/// Errors that teach something: inaccuracies are left out.
fn mistakes(review: &Review) -> impl Iterator<Item = &ReviewMove> {
    review.moves.iter().filter(|mv| {
        matches!(mv.judgement, Some(Judgement::Mistake | Judgement::Blunder)) && mv.better.is_some()
    })
}

/// The game as it stood before a ply, counted from 1.
fn before(record: &Record, ply: usize) -> Option<Game> {
    let mut game = record.game.clone();
    (ply >= 1 && game.goto(ply - 1)).then_some(game)
}

fn exercise(record: &Record, you: Option<You>, mistake: &ReviewMove, solved: bool) -> Option<Exercise> {
    let game = before(record, mistake.ply)?;
    let mover = game.position().turn();
    if you.is_some_and(|you| !you.plays(mover)) {
        return None;
    }
    Some(Exercise {
        game: record.id.clone(),
        ply: mistake.ply,
        white: record.player(Color::White).name(),
        black: record.player(Color::Black).name(),
        judgement: mistake.judgement?,
        played: MoveName { uci: mistake.uci.clone(), san: mistake.san.clone() },
        position: view::position(&game),
        variant: game.variant().into(),
        solved,
    })
}

/// Judges an attempt.
///
/// # Errors
/// When there is no such exercise, or the move is illegal.
pub async fn check(app: &App, visitor: &Visitor, attempt: &ExerciseAttempt) -> Result<ExerciseVerdict> {
    let house = &app.house;
    let record = app.rooms.enter(house, &attempt.game, visitor).await?.record().await;
    let stored = house.store.load_review(&attempt.game).await?;
    let missing = || Error::new(Code::NotFound, "there is no such exercise");
    let stored = stored.ok_or_else(missing)?.review;
    let mistake = mistakes(&stored).find(|mistake| mistake.ply == attempt.ply).ok_or_else(missing)?;
    let better = mistake.better.clone().ok_or_else(missing)?;
    let mut game = before(&record, attempt.ply).ok_or_else(missing)?;
    if attempt.r#move.is_empty() {
        return Ok(ExerciseVerdict { verdict: "wrong", score: better.score, solution: Some(better.moves) });
    }
    let position = *game.position();
    let mv = view::read_move(&position, &attempt.r#move)?;
    let uci = position.to_uci(mv, game.variant().castling_style()).to_string();
    if better.moves.first().is_some_and(|best| best.uci == uci) {
        house.store.set_solved(visitor, &attempt.game, attempt.ply).await?;
        return Ok(ExerciseVerdict { verdict: "best", score: better.score, solution: Some(better.moves) });
    }
    game.replay(mv).map_err(Error::illegal)?;
    let found = house
        .pool
        .run(visitor, Priority::Move, move |bench, turn| look(bench, turn, &game, ATTEMPT_NODES))
        .await?
        .ok_or_else(|| Error::new(Code::Busy, "the engine was interrupted"))?;
    let sign = if position.turn() == Color::White { 1.0 } else { -1.0 };
    let loss = sign * (better.win - found.win);
    if review::Judgement::of_loss(loss).is_none() {
        house.store.set_solved(visitor, &attempt.game, attempt.ply).await?;
        return Ok(ExerciseVerdict { verdict: "good", score: found.score, solution: Some(better.moves) });
    }
    Ok(ExerciseVerdict { verdict: "wrong", score: found.score, solution: None })
}
