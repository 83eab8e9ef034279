//! Reviews and exercises as clients see them.

use super::explain::remarks;
use super::{line_moves, move_name, position};
use crate::exercises::{Checked, Exercise, Verdict};
use crate::game_review::{Effort, GameReview, Judged, ReviewedMove};
use crate::wire;
use chess::Color;
use coach::MoveExplanation;
use coach::claim::Variation;
use review::Judgement;

/// A review.
pub(crate) fn review(review: &GameReview) -> wire::Review {
    let explanations = review.explanations();
    let moves = review.moves.iter().zip(&explanations).enumerate();
    wire::Review {
        game: review.game.clone(),
        effort: review.effort.into(),
        by: format!("Gardez {}, {} nodes a move", review.version, review.nodes),
        start_score: review.start.score.into(),
        start_win: review.start.win_percent,
        turning_point: review.turning_point,
        moves: moves
            .map(|(index, (reviewed, why))| review_move(review, index + 1, reviewed, why.as_ref()))
            .collect(),
        white: side_report(review, Color::White, &explanations),
        black: side_report(review, Color::Black, &explanations),
    }
}

impl From<Effort> for wire::Effort {
    fn from(effort: Effort) -> Self {
        match effort {
            Effort::Quick => Self::Quick,
            Effort::Normal => Self::Normal,
            Effort::Deep => Self::Deep,
        }
    }
}

fn review_move(
    review: &GameReview,
    ply: usize,
    reviewed: &ReviewedMove,
    why: Option<&MoveExplanation>,
) -> wire::ReviewMove {
    let ReviewedMove { before, mv, after, loss, accuracy, judgement, better } = reviewed;
    let name = move_name(before, *mv, review.variant);
    let Judged { score, win_percent } = *after;
    wire::ReviewMove {
        ply,
        uci: name.uci,
        san: name.san,
        score: score.into(),
        win: win_percent,
        loss: *loss,
        accuracy: *accuracy,
        judgement: judgement.map(Into::into),
        better: better.as_ref().map(|better| wire::Better {
            score: better.judged.score.into(),
            win: better.judged.win_percent,
            moves: line_moves(before, &better.line, review.variant),
        }),
        remarks: why.map(|why| remarks(&why.claims, review.variant)).unwrap_or_default(),
    }
}

fn side_report(
    review: &GameReview,
    color: Color,
    explanations: &[Option<MoveExplanation>],
) -> wire::SideReport {
    let side = review.sides[color.index()];
    wire::SideReport {
        accuracy: side.accuracy,
        average_loss: side.average_loss,
        inaccuracies: review.count(color, Judgement::Inaccuracy),
        mistakes: review.count(color, Judgement::Mistake),
        blunders: review.count(color, Judgement::Blunder),
        lesson: remarks(&review.lesson(color, explanations), review.variant),
    }
}

/// An exercise.
pub(crate) fn exercise(exercise: Exercise) -> wire::Exercise {
    let Exercise { id, ply, names: [white, black], judgement, played, game, is_solved } = exercise;
    wire::Exercise {
        game: id,
        ply,
        white,
        black,
        judgement: judgement.into(),
        played: move_name(game.position(), played, game.variant()),
        position: position(&game),
        variant: game.variant().into(),
        solved: is_solved,
    }
}

/// What is said of an attempt.
pub(crate) fn exercise_verdict(checked: &Checked) -> wire::ExerciseVerdict {
    wire::ExerciseVerdict {
        verdict: match checked.verdict {
            Verdict::Best => wire::Verdict::Best,
            Verdict::Good => wire::Verdict::Good,
            Verdict::Wrong => wire::Verdict::Wrong,
        },
        score: checked.score.into(),
        solution: checked.solution.as_ref().map(|line| line_moves(&checked.position, line, checked.variant)),
        refutation: checked
            .refutation
            .as_ref()
            .map_or_else(Vec::new, |Variation { start, moves }| line_moves(start, moves, checked.variant)),
        remarks: remarks(&checked.claims, checked.variant),
    }
}
