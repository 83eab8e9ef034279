//! Data augmentation: positions some random moves away from games, judged by the handcrafted evaluation.
//!
//! Games only go where both sides play well, but a search asks about positions with a piece hanging or a rook
//! more. There a network that knows games alone has to guess, and it takes many millions of games until it
//! guesses well. What the handcrafted evaluation says there is not the last word, but it costs next to nothing;
//! the games teach the rest.

use super::example::Example;
use chess::Color;
use chess::random::Random;
use data::{GameRecord, perturb};
use eval::Evaluator;

/// The positions after some random moves from each position of a game, `count` for each where they can be had.
pub(super) fn augment(
    game: &GameRecord,
    count: usize,
    max_score: i16,
    random: &mut Random,
    evaluator: &mut Evaluator,
) -> Vec<Example> {
    let mut examples = Vec::with_capacity(count * game.moves().len());
    for (position, _) in game.positions() {
        for _ in 0..count {
            // Positions in check are not evaluated in play either.
            let Some(position) = perturb(position, random).filter(|position| !position.is_check()) else {
                continue;
            };
            let value = evaluator.evaluate(&position).clamp((-max_score).into(), max_score.into()) as i16;
            let white_score = if position.turn() == Color::White { value } else { -value };
            examples.push(Example::judged(&position, white_score));
        }
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use data::{ScoredMove, Verdict};

    #[test]
    fn added_positions_are_judged_by_the_evaluation_and_have_no_result() {
        let start = Position::startpos();
        let mv = start.legal_moves()[0];
        let game = GameRecord::new(start, vec![ScoredMove { mv, white_score: 12 }], Some(Verdict::WhiteWins))
            .unwrap();
        let augment = |seed| augment(&game, 50, 3_000, &mut Random::stream(seed, 0), &mut Evaluator::new());
        let examples = augment(1);
        assert!(examples.len() > 40);
        assert!(examples == augment(1) && examples != augment(2));
        assert!(examples.iter().all(|example| example.points().is_none()));
        assert!(examples.iter().any(|example| example.score() > 0.0));
        assert!(examples.iter().any(|example| example.score() < 0.0));
    }
}
