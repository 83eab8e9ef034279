//! Ground Up: alpha-beta to a fixed depth over material and piece-square tables.
//!
//! Its document gives the board, the method and the idea of the evaluation, but no numbers: those here
//! are ours.

mod console;
mod evaluation;

pub use console::Console;
pub use evaluation::evaluate;

use crate::boards::{ClassicBoard, Ox88};
use crate::searches::{Method, search};
use crate::{Budget, Choice, Classic, ThinkError};
use chess::Game;

/// The depth of its author's example: `search 7`.
pub const DEPTH: u32 = 7;

/// Alpha-beta with moves as they are generated: ordering and iterative deepening were still on its author's
/// list of wishes. How its quiescence search orders captures the document does not say; MVV/LVA is ours.
pub(crate) const METHOD: Method = Method { quiescence: true, ..Method::ALPHA_BETA };

/// The program as a player. Without ordering, seven plies take it minutes in the middle game, so it can be
/// had with fewer.
#[derive(Clone, Debug)]
pub struct GroundUp {
    depth: u32,
}

impl Default for GroundUp {
    fn default() -> Self {
        Self { depth: DEPTH }
    }
}

/// Its name at each depth.
const NAMES: [&str; DEPTH as usize] =
    ["groundup:1", "groundup:2", "groundup:3", "groundup:4", "groundup:5", "groundup:6", "groundup"];

/// The name of the program at a depth from 1 to [`DEPTH`].
pub(crate) const fn name(depth: u32) -> &'static str {
    NAMES[clamped(depth) as usize - 1]
}

const fn clamped(depth: u32) -> u32 {
    match depth {
        0 => 1,
        1..DEPTH => depth,
        DEPTH.. => DEPTH,
    }
}

impl GroundUp {
    /// The program searching this many plies, from 1 to [`DEPTH`].
    #[must_use]
    pub const fn new(depth: u32) -> Self {
        Self { depth: clamped(depth) }
    }
}

impl Classic for GroundUp {
    fn name(&self) -> &'static str {
        name(self.depth)
    }

    fn think(&mut self, game: &Game, budget: &Budget<'_>) -> Result<Choice, ThinkError> {
        let board = Ox88::set_up(game.position())?;
        search(&board, evaluate, &METHOD, self.depth, budget).into_choice(board)
    }

    fn new_game(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn finds_a_mate_in_two() {
        let fen = "6k1/8/6K1/8/8/8/8/Q7 w - - 0 1";
        let game = Game::from_position(Position::from_fen(fen).unwrap());
        let choice = GroundUp::default().think(&game, &Budget::with_depth(4)).unwrap();
        let after = game.position().after(choice.mv().unwrap());
        assert!(after.is_checkmate());
        assert!(crate::searches::is_mate(choice.score));
    }

    #[test]
    fn a_finished_game_leaves_nothing_to_choose() {
        let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        let game = Game::from_position(stalemate);
        assert_eq!(GroundUp::default().think(&game, &Budget::with_depth(2)), Err(ThinkError::NoMoves));
    }
}
