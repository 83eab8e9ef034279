//! `gardez fen`: positions as FEN, in the conventions there are.

use crate::positions;
use anyhow::Result;
use chess::{FenStyle, Game, Setup};
use std::io::{self, Write};
use std::process::ExitCode;

/// Print the position after some moves as FEN
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position as FEN or `startpos`, with moves behind it if you like: `startpos moves e4 e5`
    #[arg(value_name = "FEN", default_value = "startpos")]
    game: String,
    /// Name the en passant square after every double step of a pawn, not only where a capture is legal
    #[arg(long)]
    every_double_step: bool,
    /// Write castling rights as the files of the rooks, as in Shredder-FEN
    #[arg(long)]
    shredder: bool,
    #[command(flatten)]
    reading: positions::Reading,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = args.reading.game(&args.game)?;
    let setup = if args.every_double_step { every_double_step(&game) } else { game.position().to_setup() };
    let style = if args.shredder { FenStyle::Shredder } else { FenStyle::XFen };
    writeln!(io::stdout().lock(), "{}", setup.to_fen_with(style))?;
    Ok(ExitCode::SUCCESS)
}

/// The position with the square that a pawn has just passed, whether or not it can be taken.
pub(crate) fn every_double_step(game: &Game) -> Setup {
    let before = game.ply().checked_sub(1).and_then(|ply| game.position_at(ply));
    match (before, game.last_move()) {
        (Some(before), Some(mv)) => before.setup_after(mv),
        _ => game.position().to_setup(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_square_is_named_after_every_double_step() {
        let fen = |text: &str| every_double_step(&positions::read_game(text).expect("a game")).to_fen();
        assert_eq!(fen("startpos e4"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        assert_eq!(fen("startpos e4 Nf6"), "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
        assert_eq!(fen("startpos"), chess::START_FEN);
    }
}
