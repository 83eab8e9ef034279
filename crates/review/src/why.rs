//! Why an error was one, from what a review keeps of each move.

use crate::report::Review;
use chess::Color;
use chess::pgn::EvalScore;
use chess::{Move, Position};
use coach::notation::from_white;
use coach::{Claim, Look, MoveExplanation, MoveQuestion, claim::Variation, explain, lesson};

/// A move of a reviewed game: all that its explanation needs.
#[derive(Copy, Clone, Debug)]
pub struct JudgedMove<'a> {
    /// The position it was played in.
    pub before: &'a Position,
    /// The move.
    pub mv: Move,
    /// The best line instead; empty when the move was the best.
    pub best_line: &'a [Move],
    /// How that line is judged, as White sees it.
    pub best_score: EvalScore,
    /// How the position after the move is judged, as White sees it.
    pub score: EvalScore,
}

/// Why a move of a game was good or bad. The opponent's best reply is what the next positions say it is.
#[must_use]
pub fn of_move(moves: &[JudgedMove<'_>], index: usize) -> Option<MoveExplanation> {
    let judged = moves.get(index)?;
    let turn = judged.before.turn();
    let best = Look { score: from_white(judged.best_score, turn), moves: best_line(moves, index) };
    let reply = Look { score: from_white(judged.score, !turn), moves: best_line(moves, index + 1) };
    let lead_in =
        index.checked_sub(1).and_then(|earlier| Some((*moves.get(earlier)?.before, moves[earlier].mv)));
    Some(explain::mv(&MoveQuestion {
        before: judged.before,
        mv: judged.mv,
        lead_in,
        best: &[best],
        reply: &reply,
        danger: None,
        threat: None,
    }))
}

/// The best line of a position of the game: the one that was found, or the game's own as long as its moves were the best.
fn best_line(moves: &[JudgedMove<'_>], index: usize) -> Vec<Move> {
    let mut line = Vec::new();
    for judged in moves.iter().skip(index) {
        if !judged.best_line.is_empty() {
            line.extend_from_slice(judged.best_line);
            break;
        }
        line.push(judged.mv);
    }
    line
}

/// A move as a line to play through.
#[must_use]
pub fn single_move(before: Position, mv: Move) -> Variation {
    Variation { start: before, moves: vec![mv] }
}

impl Review {
    /// The moves as explanations need them.
    #[must_use]
    pub fn judged(&self) -> Vec<JudgedMove<'_>> {
        let judged = |review: &crate::MoveReview| (review.best_evaluation.score, review.evaluation.score);
        self.moves
            .iter()
            .map(|review| {
                let (best_score, score) = judged(review);
                JudgedMove {
                    before: &review.before,
                    mv: review.mv,
                    best_line: &review.best_line,
                    best_score,
                    score,
                }
            })
            .collect()
    }

    /// Why each error was one; none for moves that were not errors.
    #[must_use]
    pub fn explanations(&self) -> Vec<Option<MoveExplanation>> {
        let judged = self.judged();
        let is_error = |index: usize| self.moves[index].judgement.is_some();
        (0..judged.len()).map(|index| if is_error(index) { of_move(&judged, index) } else { None }).collect()
    }

    /// What the game taught a side: where it turned, what was missed most often, what to train.
    #[must_use]
    pub fn lesson(&self, side: Color, explanations: &[Option<MoveExplanation>]) -> Vec<Claim> {
        let own = self.moves.iter().zip(explanations).filter(|(review, _)| review.before.turn() == side);
        let errors = own.filter_map(|(_, explanation)| explanation.as_ref());
        let turning_point = self.turning_point.and_then(|index| self.moves.get(index));
        let turn = turning_point.map(|review| single_move(review.before, review.mv));
        lesson::of_game(side, errors, turn)
    }
}
