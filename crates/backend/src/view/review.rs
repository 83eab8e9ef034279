//! Reviews and exercises as clients see them.

use super::{line_moves, move_name, position};
use crate::exercises::{Checked, Exercise, Verdict};
use crate::game_review::{GameReview, Judged, ReviewedMove};
use crate::wire;
use chess::Color;
use coach::Catalogue;
use review::Judgement;
use review::why::{JudgedMove, of_move};

/// A review.
pub(crate) fn review(review: &GameReview) -> wire::Review {
    wire::Review {
        game: review.game.clone(),
        by: format!("Gardez {}, {} nodes a move", review.version, review.nodes),
        start_score: review.start.score.into(),
        start_win: review.start.win_percent,
        turning_point: review.turning_point,
        moves: review_moves(review),
        white: side_report(review, Color::White),
        black: side_report(review, Color::Black),
    }
}

fn review_moves(review: &GameReview) -> Vec<wire::ReviewMove> {
    let catalogue = Catalogue::english();
    let judged: Vec<JudgedMove<'_>> = review.moves.iter().map(judged).collect();
    let moves = review.moves.iter().enumerate();
    moves
        .map(|(index, mv)| {
            let why = mv.judgement.and_then(|_| of_move(&judged, index));
            let why = why.map(|why| catalogue.paragraph(&why.claims));
            review_move(review, index + 1, mv, why.as_deref())
        })
        .collect()
}

fn judged(reviewed: &ReviewedMove) -> JudgedMove<'_> {
    let better = reviewed.better.as_ref();
    JudgedMove {
        before: &reviewed.before,
        mv: reviewed.mv,
        best_line: better.map(|better| &better.line[..]).unwrap_or_default(),
        best_score: better.map_or(reviewed.after.score, |better| better.judged.score),
        score: reviewed.after.score,
    }
}

fn review_move(
    review: &GameReview,
    ply: usize,
    reviewed: &ReviewedMove,
    why: Option<&str>,
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
        comment: comment(*judgement, why, review.turning_point == Some(ply)),
    }
}

/// What is to be said of a move.
fn comment(judgement: Option<Judgement>, why: Option<&str>, is_turning_point: bool) -> Option<String> {
    let mut words: Vec<String> = judgement.map(|judgement| format!("{judgement}.")).into_iter().collect();
    words.extend(why.map(str::to_owned));
    if is_turning_point {
        words.push("The turning point.".to_owned());
    }
    (!words.is_empty()).then(|| words.join(" "))
}

fn side_report(review: &GameReview, color: Color) -> wire::SideReport {
    let side = review.sides[color.index()];
    wire::SideReport {
        accuracy: side.accuracy,
        average_loss: side.average_loss,
        inaccuracies: review.count(color, Judgement::Inaccuracy),
        mistakes: review.count(color, Judgement::Mistake),
        blunders: review.count(color, Judgement::Blunder),
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
    }
}
