//! Prints players, result and length of each game of a PGN file.

#![forbid(unsafe_code)]

use chess::pgn::Reader;
use std::fs::File;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("the path of a PGN file is missing")?;
    for game in Reader::new(File::open(path)?) {
        let game = game?;
        let tag = |name| game.tags.get(name).unwrap_or("?");
        println!("{} - {}: {}, {} plies", tag("White"), tag("Black"), game.result(), game.line.moves.len());
        for fault in &game.faults {
            println!("  {fault}");
        }
    }
    Ok(())
}
