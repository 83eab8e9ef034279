//! Positions on the command line.

use anyhow::{Context, Result};
use chess::{FenError, FenReading, Game, Position, Strictness};
use std::io::{self, Write};

/// How positions on the command line are read.
#[derive(clap::Args, Default)]
pub(crate) struct Reading {
    /// Refuse a FEN that has to be repaired, instead of warning
    #[arg(long)]
    strict: bool,
}

impl Reading {
    /// Reads `startpos` or a FEN.
    pub(crate) fn read(&self, text: &str) -> Result<FenReading, FenError> {
        if text.trim() == "startpos" {
            return Ok(Position::startpos().into());
        }
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Lenient };
        Position::read_fen(text, strictness)
    }

    /// Reads `startpos` or a FEN. Repairs are reported on standard error.
    pub(crate) fn position(&self, text: &str) -> Result<Position, FenError> {
        let reading = self.read(text)?;
        for warning in reading.warnings {
            // That a warning cannot be printed is no reason to stop.
            let _ = writeln!(io::stderr(), "warning: {warning}");
        }
        Ok(reading.position)
    }

    /// Reads `startpos` or a FEN, and the moves that follow, in either notation. Between a FEN and its moves
    /// stands the word `moves`; move numbers are skipped.
    pub(crate) fn game(&self, text: &str) -> Result<Game> {
        let text = text.trim();
        let (start, moves) = match text.strip_prefix("startpos") {
            Some(moves) => ("startpos", moves),
            None => text.split_once(" moves ").unwrap_or((text, "")),
        };
        let mut game = Game::from_position(self.position(start).with_context(|| format!("the FEN {start}"))?);
        let is_move = |word: &&str| *word != "moves" && !word.ends_with('.');
        for word in moves.split_whitespace().filter(is_move) {
            let position = game.position();
            // SAN says more clearly what is wrong.
            let mv = position.parse_uci(word).or_else(|_| position.parse_san(word));
            game.replay(mv.with_context(|| format!("the move {word}"))?)?;
        }
        Ok(game)
    }
}

/// A FEN or `startpos` that can be read with patience, as an argument that is read again with the strictness chosen.
pub(crate) fn readable(text: &str) -> Result<String, FenError> {
    Reading::default().read(text).map(|_| text.to_owned())
}

/// Reads `startpos` or a FEN, with patience.
pub(crate) fn read_position(text: &str) -> Result<Position, FenError> {
    Reading::default().position(text)
}

/// Reads a position and the moves that follow, with patience.
pub(crate) fn read_game(text: &str) -> Result<Game> {
    Reading::default().game(text)
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

    #[test]
    fn sloppy_positions_are_refused_on_request() {
        let sloppy = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 0";
        assert!(Reading { strict: false }.position(sloppy).is_ok());
        assert!(Reading { strict: true }.position(sloppy).is_err());
    }
}
