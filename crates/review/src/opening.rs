//! The name of the opening that a game has played.

use chess::Game;
use serde::Serialize;

/// A named opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// Its name.
    pub name: String,
    /// The last half-move of the game that still belongs to it.
    pub ply: usize,
}

/// The opening of a game: the last position in it that has a name. There is no table of names yet, so none
/// has one.
#[must_use]
pub fn of_game(_game: &Game) -> Option<Opening> {
    None
}
