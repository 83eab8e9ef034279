//! Prints the legal moves of a position, the start position if none is given.

#![forbid(unsafe_code)]

use chess::{Position, START_FEN};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = std::env::args().nth(1).unwrap_or_else(|| START_FEN.to_owned());
    let position = Position::from_fen(&fen)?;
    for &mv in &position.legal_moves() {
        println!("{}", position.san(mv));
    }
    Ok(())
}
