//! Moves as text: read from clients and the database, and written for them.

use crate::error::{Error, Result};
use chess::{FenReading, Game, Move, Position, Strictness, UciMoveError, Variant};

/// The longest game that is taken from outside, in plies.
pub const MAX_PLIES: usize = 2000;

/// Reads a move, by its squares or in algebraic notation.
///
/// # Errors
/// Says why it is none.
pub fn read_move(position: &Position, text: &str) -> Result<Move> {
    match position.parse_uci(text) {
        Err(UciMoveError::Syntax { .. }) => position.parse_san(text).map_err(Error::illegal),
        read => read.map_err(Error::illegal),
    }
}

/// Reads a position, with what had to be repaired of it.
///
/// # Errors
/// Says why it is none.
pub fn read_position(fen: &str) -> Result<FenReading> {
    Position::read_fen(fen, Strictness::Lenient).map_err(Error::bad_request)
}

/// Plays moves of a record.
///
/// # Errors
/// When one is illegal, or there are too many.
pub fn play_all(game: &mut Game, moves: &[String]) -> Result<()> {
    if moves.len() > MAX_PLIES {
        return Err(Error::bad_request(format!("more than {MAX_PLIES} moves")));
    }
    for (index, text) in moves.iter().enumerate() {
        let mv = read_move(game.position(), text)
            .map_err(|error| Error::bad_request(format!("move {}: {error}", index + 1)))?;
        game.replay(mv).map_err(|error| Error::bad_request(format!("move {}: {error}", index + 1)))?;
    }
    Ok(())
}

/// A move in all notations, and the position it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenMove {
    /// In coordinates.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Whether it gives check.
    pub is_check: bool,
}

impl WrittenMove {
    /// Writes a legal move.
    #[must_use]
    pub fn new(before: &Position, mv: Move, variant: Variant) -> Self {
        let after = before.after(mv);
        Self {
            uci: uci(before, mv, variant),
            san: before.san(mv).to_string(),
            fen: after.to_fen(),
            is_check: after.is_check(),
        }
    }
}

/// A move in coordinates.
#[must_use]
pub fn uci(before: &Position, mv: Move, variant: Variant) -> String {
    before.to_uci(mv, variant.castling_style()).to_string()
}

/// Reads a line from a position, as far as it is legal.
pub fn read_line<'a>(start: &Position, moves: impl Iterator<Item = &'a str>) -> Vec<Move> {
    let mut position = *start;
    moves
        .map_while(|text| {
            let mv = position.parse_uci(text).ok()?;
            position.play(mv);
            Some(mv)
        })
        .collect()
}

/// The moves of a game in coordinates.
#[must_use]
pub fn coordinates(game: &Game) -> Vec<String> {
    let mut position = *game.start();
    game.moves()
        .map(|mv| {
            let text = uci(&position, mv, game.variant());
            position.play(mv);
            text
        })
        .collect()
}
