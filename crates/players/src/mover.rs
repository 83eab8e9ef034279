//! The simplest players there are: the lower end of the scale of levels.

use crate::player::{Answer, Decision, Failure, Player, Thought, Turn};
use chess::random::Random;
use chess::{Move, Piece, Position, Variant};
use web_time::Instant;

/// How a mover chooses.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MoverStyle {
    /// Any legal move, each as likely as the others.
    Random,
    /// Mate in one; else the capture or promotion that wins most; else any move.
    Greedy,
}

impl MoverStyle {
    /// What it is called in [specs](crate::PlayerSpec).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
        }
    }
}

/// A player that looks no further than its own move.
#[derive(Clone, Debug)]
pub struct Mover {
    style: MoverStyle,
    random: Random,
}

impl Mover {
    /// A mover whose choices follow from a seed.
    #[must_use]
    pub const fn new(style: MoverStyle, seed: u64) -> Self {
        Self { style, random: Random::new(seed) }
    }

    /// The move it plays; none if there is none.
    pub fn pick(&mut self, position: &Position) -> Option<Move> {
        let mut moves = position.legal_moves().to_vec();
        if self.style == MoverStyle::Greedy {
            let best = moves.iter().map(|&mv| gain(position, mv)).max()?;
            moves.retain(|&mv| gain(position, mv) == best);
        }
        if moves.is_empty() { None } else { Some(moves[self.random.below(moves.len())]) }
    }
}

/// What a move seems to win at once. Quiet moves, and captures that lose material, all win nothing.
fn gain(position: &Position, mv: Move) -> i32 {
    if position.after(mv).is_checkmate() {
        return i32::MAX;
    }
    if !position.is_noisy(mv) || !position.see_ge(mv, 0) {
        return 0;
    }
    let value = |piece: Piece| chess::see::VALUES[piece.role().index()];
    let captured = position.captured(mv).map_or(0, value);
    let promoted = mv.promotes_to().map_or(0, |role| chess::see::VALUES[role.index()]);
    // An even exchange is still preferred to doing nothing.
    1 + captured + promoted
}

impl Player for Mover {
    fn name(&self) -> &str {
        self.style.name()
    }

    fn new_game(&mut self, _variant: Variant) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let asked = Instant::now();
        let mv = self.pick(turn.game.position());
        let mv = mv.ok_or_else(|| Failure::IllegalMove("there is no move".to_owned()))?;
        let (thought, elapsed) = (Thought::default(), asked.elapsed());
        Ok(Answer { decision: Decision::Move(mv), thought, elapsed, classic: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(fen: &str, style: MoverStyle, seed: u64) -> String {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        Mover::new(style, seed).pick(&position).map_or_else(String::new, |mv| position.san(mv).to_string())
    }

    #[test]
    fn greed_mates_takes_and_knows_when_not_to() {
        for seed in 0..20 {
            assert_eq!(pick("6k1/5ppp/8/8/8/q7/8/R3K3 w - - 0 1", MoverStyle::Greedy, seed), "Rxa3");
            assert_eq!(pick("6k1/5ppp/8/8/8/8/q7/R3K3 w - - 0 1", MoverStyle::Greedy, seed), "Rxa2");
            assert_eq!(pick("6k1/5ppp/8/8/8/7K/5q2/R4R2 w - - 0 1", MoverStyle::Greedy, seed), "Ra8#");
        }
    }

    #[test]
    fn chance_reaches_every_move_and_can_be_repeated() {
        let start = Position::startpos();
        let mut mover = Mover::new(MoverStyle::Random, 7);
        let seen: std::collections::HashSet<Move> = (0..1000).filter_map(|_| mover.pick(&start)).collect();
        assert_eq!(seen.len(), 20);
        let game = |seed| {
            let mut mover = Mover::new(MoverStyle::Random, seed);
            (0..50).map(|_| mover.pick(&start)).collect::<Vec<_>>()
        };
        assert_eq!(game(3), game(3));
        assert_ne!(game(3), game(4));
    }

    #[test]
    fn no_move_is_no_answer() {
        assert_eq!(pick("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", MoverStyle::Random, 1), "");
        assert_eq!(pick("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", MoverStyle::Greedy, 1), "");
    }
}
