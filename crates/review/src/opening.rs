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

impl Opening {
    /// The opening of a game: the last position in it that has a name.
    #[must_use]
    pub fn of(game: &Game) -> Option<Self> {
        (0..=game.ply()).rev().find_map(|ply| {
            let named = book::openings::name(game.position_at(ply)?)?;
            Some(Self { eco: named.eco.to_owned(), name: named.name.to_owned(), ply })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_counts() {
        let mut game = Game::new();
        for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "h5"] {
            let mv = game.position().parse_san(san).expect("legal");
            game.play(mv).expect("not over");
        }
        let opening = Opening::of(&game).expect("it has a name");
        assert_eq!(opening.name, "Ruy Lopez");
        assert_eq!((&opening.eco[..], opening.ply), ("C60", 5));
        assert_eq!(Opening::of(&Game::new()), None);
    }
}
