//! Positions on the command line.

use anyhow::{Context, Result};
use chess::{FenError, Game, Position};

/// Reads `startpos` or a FEN.
pub(crate) fn read_position(text: &str) -> Result<Position, FenError> {
    match text.trim() {
        "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen),
    }
}

/// Reads `startpos` or a FEN, and the moves that follow, in either notation. Between a FEN and its moves
/// stands the word `moves`; move numbers are skipped.
pub(crate) fn read_game(text: &str) -> Result<Game> {
    let text = text.trim();
    let (start, moves) = match text.strip_prefix("startpos") {
        Some(moves) => ("startpos", moves),
        None => text.split_once(" moves ").unwrap_or((text, "")),
    };
    let mut game = Game::from_position(read_position(start).with_context(|| format!("the FEN {start}"))?);
    let is_move = |word: &&str| *word != "moves" && !word.ends_with('.');
    for word in moves.split_whitespace().filter(is_move) {
        let position = game.position();
        // SAN says more clearly what is wrong.
        let mv = position.parse_uci(word).or_else(|_| position.parse_san(word));
        game.replay(mv.with_context(|| format!("the move {word}"))?)?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_from_anywhere_in_either_notation() {
        assert_eq!(read_game("startpos").expect("a game"), Game::new());
        let plain = read_game("startpos moves e2e4 e7e5").expect("a game");
        assert_eq!(read_game(" startpos 1. e4 e5 ").expect("a game"), plain);
        let fen = plain.start().to_fen();
        assert_eq!(read_game(&format!("{fen} moves e4 e7e5")).expect("a game"), plain);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| format!("{:#}", read_game(text).expect_err("wrong"));
        assert!(error("startpos e4 Ke2").starts_with("the move Ke2: "), "{}", error("startpos e4 Ke2"));
        assert!(error("8/8 w").starts_with("the FEN 8/8 w: "), "{}", error("8/8 w"));
    }
}
