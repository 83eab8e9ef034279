//! What a puzzle is.

use book::openings::Opening;
use chess::{Move, Position};
use coach::Line;
use std::collections::BTreeSet;

/// A position with one good move, and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position before the opponent's mistake.
    pub before: Position,
    /// The mistake.
    pub mistake: Move,
    /// The solution: the solver's moves and the best defence in turn. The solver has the last move.
    pub solution: Vec<Move>,
    /// What it is about, in Lichess's words.
    pub themes: BTreeSet<&'static str>,
    /// How hard it is, as the rating of players who solve half of such puzzles.
    pub rating: i32,
    /// The number of the mistake among the half-moves of its game, from 1.
    pub ply: usize,
    /// The opening it arose from, if it arose soon after.
    pub opening: Option<&'static Opening>,
}

impl Puzzle {
    /// The solution as a line that knows of the mistake.
    #[must_use]
    pub fn line(&self) -> Line {
        line(self.before, self.mistake, &self.solution)
    }
}

/// A solution after a mistake.
pub(crate) fn line(before: Position, mistake: Move, solution: &[Move]) -> Line {
    Line::new(before.after(mistake), solution.iter().copied()).with_lead_in(before, mistake)
}
