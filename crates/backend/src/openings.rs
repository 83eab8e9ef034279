//! Names of openings.

use book::openings::Opening;
use chess::{Game, Variant};

/// The opening of a game: the last position in it that has a name.
#[must_use]
pub fn name(game: &Game) -> Option<&'static Opening> {
    if game.variant() == Variant::Chess960 { None } else { book::openings::name_of_game(game) }
}
