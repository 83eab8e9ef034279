//! TD(λ): scores blended with later scores of the game, after Sutton's temporal differences.
//!
//! The search saw a few moves ahead when it judged a position. A few moves later it saw further, from the line that
//! was played. A blend of its later scores says more than the one score, with much less noise than the result of the
//! game.

use crate::probability;
use data::GameRecord;

/// Units under which scores are blended as expected points, so that a rook more in a won game says little.
const SCALE: f32 = 280.0;

/// Scores beyond are certain wins and stay as they are; none becomes larger.
const LIMIT: f32 = 3_000.0;

/// A game with each score blended with the one after to the share λ, which is blended with the one after that in turn.
pub(super) fn td_lambda(game: &GameRecord, lambda: f32) -> GameRecord {
    let mut scores: Vec<i16> = game.moves().iter().map(|scored| scored.white_score).collect();
    let mut later = None;
    for score in scores.iter_mut().rev() {
        let now = probability(f32::from(*score), SCALE);
        let blended = later.map_or(now, |later| now + lambda * (later - now));
        if f32::from(*score).abs() <= LIMIT {
            *score = (SCALE * (blended / (1.0 - blended)).ln()).clamp(-LIMIT, LIMIT).round() as i16;
        }
        later = Some(blended);
    }
    game.with_scores(&scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use data::{ScoredMove, Verdict};

    fn blended(scores: &[i16], lambda: f32) -> Vec<i16> {
        let mut position = Position::startpos();
        let mut play = |&white_score: &i16| {
            let mv = position.legal_moves()[0];
            position.play(mv);
            ScoredMove { mv, white_score }
        };
        let moves = scores.iter().map(&mut play).collect();
        let game = GameRecord::new(Position::startpos(), moves, Some(Verdict::Draw)).unwrap();
        td_lambda(&game, lambda).moves().iter().map(|scored| scored.white_score).collect()
    }

    #[test]
    fn later_scores_count_less_the_later_they_are() {
        assert_eq!(blended(&[40, -300, 700], 0.0), [40, -300, 700]);
        assert_eq!(blended(&[0, 0, 280], 0.5), [65, 132, 280]);
        assert_eq!(blended(&[0, 0, -280], 0.5), [-65, -132, -280]);
        assert_eq!(blended(&[0, 31_000], 0.5), [308, 31_000], "half a win");
        assert_eq!(blended(&[5_000, 0], 0.5), [5_000, 0], "a win already");
        assert!(blended(&[], 0.5).is_empty());
    }
}
