//! Piglet: the 0x88 board, moves of 32 bits and captures ordered by MVV/LVA.
//!
//! Its document describes these and nothing more. The evaluation and the search are ours: material,
//! nearness to the centre and advanced pawns; iterative deepening alpha-beta and quiescence search.

use crate::boards::{ClassicBoard, Ox88};
use crate::searches::{Method, search};
use crate::{Budget, Choice, Classic, ThinkError};
use chess::{Color, Game, Role, Square};

/// Ours: deep enough for a quick club player's tactics, shallow enough for a quick game.
pub const DEPTH: u32 = 6;

/// Alpha-beta with the document's ordering of captures; the rest is ours.
pub(crate) const METHOD: Method = Method { quiescence: true, deepening: true, ..Method::MVV_LVA };

/// Values of the pieces (ours).
const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Points for each step nearer to the centre (ours). A pawn gains by advancing instead.
const fn step_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 0,
        Role::Knight => 8,
        Role::Bishop => 4,
        Role::Rook | Role::Queen => 1,
        Role::King => -4,
    }
}

fn value_on(role: Role, square: Square) -> i32 {
    let (file, rank) = (square.file().index(), square.rank().index());
    let steps = file.min(7 - file) + rank.min(7 - rank);
    let advance = if role == Role::Pawn { 4 * (rank as i32 - 1) } else { 0 };
    value(role) + step_value(role) * steps as i32 + advance
}

/// The evaluation for the side to move, in hundredths of a pawn.
#[must_use]
pub fn evaluate(board: &Ox88) -> i32 {
    let mut white = 0;
    for (piece, square) in board.pieces() {
        let value = value_on(piece.role(), square.relative_to(piece.color()));
        white += if piece.color() == Color::White { value } else { -value };
    }
    if board.turn() == Color::White { white } else { -white }
}

/// The program as a player.
#[derive(Clone, Debug, Default)]
pub struct Piglet;

impl Classic for Piglet {
    fn name(&self) -> &'static str {
        "piglet"
    }

    fn think(&mut self, game: &Game, budget: &Budget<'_>) -> Result<Choice, ThinkError> {
        let board = Ox88::set_up(game.position())?;
        search(&board, evaluate, &METHOD, DEPTH, budget).into_choice(board)
    }

    fn new_game(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn evaluates_both_sides_alike() {
        let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";
        let position = Position::from_fen(fen).unwrap();
        let score = |position: &Position| evaluate(&Ox88::set_up(position).unwrap());
        assert_eq!(score(&position), score(&position.mirrored()));
        assert_eq!(score(&Position::startpos()), 0);
    }

    #[test]
    fn iterations_deepen_and_take_the_queen() {
        let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        let game = Game::from_position(Position::from_fen(fen).unwrap());
        let choice = Piglet.think(&game, &Budget::with_depth(3)).unwrap();
        assert_eq!(choice.mv(), Some(game.position().parse_uci("e4d5").unwrap()));
        let depths: Vec<u32> = choice.iterations.iter().map(|iteration| iteration.depth).collect();
        assert_eq!(depths, [1, 2, 3]);
    }

    #[test]
    fn a_spent_budget_still_plays() {
        let game = Game::new();
        let choice = Piglet.think(&game, &Budget { nodes: Some(0), ..Budget::default() }).unwrap();
        assert!(game.position().is_legal(choice.mv().unwrap()));
        let stop = Budget { stop: &|| true, ..Budget::default() };
        assert!(Piglet.think(&game, &stop).unwrap().nodes() < 5000);
    }
}
