//! A review as plain data, for JSON.

use crate::judge::Judgement;
use crate::notation::{coordinate_line, san_line};
use crate::opening::Opening;
use crate::report::{Evaluation, Exercise, MoveReview, PlayerReview, Review};
use chess::pgn::{EvalScore, PgnGame};
use chess::{Color, Position, Variant};
use coach::{Catalogue, Claim, ErrorKind, MoveExplanation};
use serde::Serialize;

/// A reviewed game. Percentages have one decimal, scores are seen from White.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameRecord {
    /// Its number in the file, from 1.
    pub game: u64,
    /// The name of White.
    pub white: String,
    /// The name of Black.
    pub black: String,
    /// The result as PGN writes it.
    pub result: String,
    /// When it was played, as PGN writes it.
    pub date: String,
    /// Where it was played.
    pub event: String,
    /// The first position.
    pub start: String,
    /// The opening, if it has a name.
    pub opening: Option<Opening>,
    /// How White and Black have played.
    pub players: [PlayerRecord; 2],
    /// The half-move, from 1, that tipped the game for good.
    pub turning_point: Option<usize>,
    /// How the first position is judged.
    pub evaluation: EvaluationRecord,
    /// The moves.
    pub moves: Vec<MoveRecord>,
    /// The errors as exercises.
    pub exercises: Vec<ExerciseRecord>,
    /// What the game taught White and Black, in words.
    pub lessons: [String; 2],
    /// What could not be read of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// How a side has played.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct PlayerRecord {
    pub moves: usize,
    pub accuracy: f64,
    pub average_loss: f64,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
}

/// A judgement of a position: centipawns or moves to mate, and the per cent of the point White may expect.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct EvaluationRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centipawns: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    pub win_percent: f64,
    pub depth: i32,
}

/// A line of moves in both notations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct LineRecord {
    pub san: String,
    pub coordinates: Vec<String>,
}

/// A move of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveRecord {
    /// The half-move, from 1.
    pub ply: usize,
    /// In algebraic notation.
    pub san: String,
    /// By its squares.
    pub coordinates: String,
    /// How the position after it is judged.
    pub evaluation: EvaluationRecord,
    /// The best line instead of it.
    pub best: LineRecord,
    /// How that is judged.
    pub best_evaluation: EvaluationRecord,
    /// Points of the win percentage given away.
    pub loss: f64,
    /// Centipawns given away.
    pub centipawn_loss: i32,
    /// From 0 to 100.
    pub accuracy: f64,
    /// Whether it was an error.
    pub judgement: Option<Judgement>,
    /// What kind of error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'static str>,
    /// Why, as claims that can be checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// Why, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// An error as a question.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExerciseRecord {
    /// The half-move, from 1.
    pub ply: usize,
    /// The position in which to find a better move.
    pub fen: String,
    /// The error, by its squares.
    pub played: String,
    /// How bad it was.
    pub judgement: Judgement,
    /// The right answers, best first.
    pub solutions: Vec<SolutionRecord>,
}

/// A right answer: the first move of a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct SolutionRecord {
    pub line: LineRecord,
    pub evaluation: EvaluationRecord,
}

fn one_decimal(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

impl From<&PlayerReview> for PlayerRecord {
    fn from(player: &PlayerReview) -> Self {
        let [inaccuracies, mistakes, blunders] = player.errors;
        Self {
            moves: player.moves,
            accuracy: one_decimal(player.accuracy),
            average_loss: one_decimal(player.average_loss),
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}

impl From<&Evaluation> for EvaluationRecord {
    fn from(evaluation: &Evaluation) -> Self {
        let (centipawns, mate) = match evaluation.score {
            EvalScore::Centipawns(value) => (Some(value), None),
            EvalScore::Mate(moves) => (None, Some(moves)),
        };
        let win_percent = one_decimal(evaluation.win_percent);
        Self { centipawns, mate, win_percent, depth: evaluation.depth }
    }
}

impl LineRecord {
    /// A line from a position.
    #[must_use]
    pub fn new(start: &Position, moves: &[chess::Move], variant: Variant) -> Self {
        Self { san: san_line(start, moves), coordinates: coordinate_line(start, moves, variant) }
    }
}

impl MoveRecord {
    fn new(
        index: usize,
        review: &MoveReview,
        why: Option<&MoveExplanation>,
        variant: Variant,
        catalogue: &Catalogue,
    ) -> Self {
        let before = &review.before;
        Self {
            ply: index + 1,
            san: before.san(review.mv).to_string(),
            coordinates: coordinate_line(before, &[review.mv], variant).concat(),
            evaluation: (&review.evaluation).into(),
            best: LineRecord::new(before, &review.best_line, variant),
            best_evaluation: (&review.best_evaluation).into(),
            loss: one_decimal(review.loss),
            centipawn_loss: review.centipawn_loss,
            accuracy: one_decimal(review.accuracy),
            judgement: review.judgement,
            error: why.and_then(|why| why.kind).map(ErrorKind::code),
            claims: why.map(|why| why.claims.clone()).unwrap_or_default(),
            text: why.map(|why| catalogue.paragraph(&why.claims)),
        }
    }
}

impl ExerciseRecord {
    fn new(exercise: &Exercise, variant: Variant) -> Self {
        let Exercise { ply, position, played, judgement, solutions } = exercise;
        let solutions = solutions
            .iter()
            .map(|solution| SolutionRecord {
                line: LineRecord::new(position, &solution.line, variant),
                evaluation: (&solution.evaluation).into(),
            })
            .collect();
        Self {
            ply: *ply,
            fen: position.to_fen(),
            played: coordinate_line(position, &[*played], variant).concat(),
            judgement: *judgement,
            solutions,
        }
    }
}

impl GameRecord {
    /// The record of a game with its number in the file.
    #[must_use]
    pub fn new(number: u64, game: &PgnGame, review: &Review) -> Self {
        let catalogue = Catalogue::english();
        let explanations = review.explanations();
        let tag = |name| game.tags.get(name).unwrap_or("?").to_owned();
        let variant = review.variant;
        let moves = review.moves.iter().enumerate();
        Self {
            game: number,
            white: tag("White"),
            black: tag("Black"),
            result: tag("Result"),
            date: tag("Date"),
            event: tag("Event"),
            start: game.start.to_fen(),
            opening: review.opening.clone(),
            players: [(&review.players[0]).into(), (&review.players[1]).into()],
            turning_point: review.turning_point.map(|index| index + 1),
            evaluation: (&review.start).into(),
            moves: moves
                .zip(&explanations)
                .map(|((index, review), why)| {
                    MoveRecord::new(index, review, why.as_ref(), variant, &catalogue)
                })
                .collect(),
            faults: game.faults.iter().map(ToString::to_string).collect(),
            lessons: Color::ALL.map(|side| catalogue.paragraph(&review.lesson(side, &explanations))),
            exercises: review
                .exercises
                .iter()
                .map(|exercise| ExerciseRecord::new(exercise, variant))
                .collect(),
        }
    }
}
