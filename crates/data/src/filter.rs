//! Which positions of a game to learn from.

use crate::record::{GameRecord, ScoredMove, Verdict};
use chess::random::Random;
use chess::{Color, Position};

/// A position to learn from. Score and result are from White's view.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// What the search thought of it, in the engine's units: positive when White is better.
    pub white_score: i16,
    /// How the game ended, if it was played to its end.
    pub verdict: Option<Verdict>,
}

impl Sample {
    /// The score from the view of the side to move.
    #[must_use]
    pub fn mover_score(&self) -> i16 {
        match self.position.turn() {
            Color::White => self.white_score,
            Color::Black => self.white_score.saturating_neg(),
        }
    }

    /// White's points in the game, if it ended: 0, a half or 1.
    #[must_use]
    pub fn white_points(&self) -> Option<f32> {
        self.verdict.map(Verdict::white_points)
    }

    /// The points of the side to move in the game.
    #[must_use]
    pub fn mover_points(&self) -> Option<f32> {
        let white_points = self.white_points()?;
        Some(match self.position.turn() {
            Color::White => white_points,
            Color::Black => 1.0 - white_points,
        })
    }
}

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {:?}", self.position.to_fen(), self.white_score, self.verdict)
    }
}

/// Chooses positions. A static evaluation can be taught only about quiet ones: in check, or with a capture
/// at hand that the search found best, it is right for it to be wrong.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Positions after no more half-moves than this since the start of the game are left out: openings
    /// are random and much the same.
    pub after_ply: u32,
    /// Scores beyond this, or beyond the negative, are left out; proofs of a win always are.
    pub max_score: i16,
    /// Positions with at least this many half-moves since the last capture or pawn move are left out: the
    /// fifty-move rule pulls their scores to a draw, which does not show on the board.
    pub clock_below: u16,
    /// At most this many positions of one game, chosen at random; they resemble each other.
    pub per_game: usize,
    /// The seed of that choice.
    pub seed: u64,
}

impl Default for Filter {
    fn default() -> Self {
        Self { after_ply: 16, max_score: 2_000, clock_below: 80, per_game: usize::MAX, seed: 0 }
    }
}

/// Half-moves since the start of the game, by the number of the move.
fn ply(position: &Position) -> u32 {
    2 * (u32::from(position.fullmove_number()) - 1) + position.turn().index() as u32
}

impl Filter {
    /// Whether to learn from a position.
    #[must_use]
    pub fn accepts(&self, position: &Position, scored: ScoredMove) -> bool {
        let limit = self.max_score.min(crate::record::DECISIVE - 1).unsigned_abs();
        ply(position) > self.after_ply
            && scored.white_score.unsigned_abs() <= limit
            && position.halfmove_clock() < self.clock_below
            && !position.is_check()
            && !position.is_noisy(scored.mv)
    }

    /// The positions to learn from out of a game, in the order of play. `index` is the number of the game:
    /// the choice depends on it and on the seed alone.
    #[must_use]
    pub fn choose(&self, game: &GameRecord, index: u64) -> Vec<Sample> {
        let mut chosen: Vec<(usize, Sample)> = game
            .positions()
            .filter(|(position, scored)| self.accepts(position, *scored))
            .map(|(position, scored)| Sample {
                position,
                white_score: scored.white_score,
                verdict: game.verdict(),
            })
            .enumerate()
            .collect();
        if chosen.len() > self.per_game {
            Random::stream(self.seed, index).shuffle(&mut chosen);
            chosen.truncate(self.per_game);
            chosen.sort_unstable_by_key(|&(order, _)| order);
        }
        chosen.into_iter().map(|(_, sample)| sample).collect()
    }
}
