//! Names of openings.

use crate::wire::Opening;
use chess::{Game, Variant};

/// Whether there are any.
pub const AVAILABLE: bool = true;

/// The opening of a game: the last position in it that has a name.
#[must_use]
pub fn name(game: &Game) -> Option<Opening> {
    if game.variant() == Variant::Chess960 {
        return None;
    }
    let opening = book::openings::name_of_game(game)?;
    Some(Opening { eco: opening.eco.to_owned(), name: opening.name.to_owned() })
}
