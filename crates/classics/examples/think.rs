//! Lets classics think about a position: `cargo run --release --example think -- javachess [FEN [DEPTH]]`.

use chess::{Game, Position};
use classics::{Budget, ClassicSpec};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let names = args.next().ok_or("which classic? all of them: all")?;
    let specs = if names == "all" { ClassicSpec::ALL.to_vec() } else { vec![names.parse()?] };
    let position = match args.next() {
        Some(fen) => Position::from_fen(&fen)?,
        None => Position::startpos(),
    };
    let depth = args.next().map(|depth| depth.parse()).transpose()?;
    let budget = Budget { depth, ..Budget::default() };
    for spec in specs {
        let begun = Instant::now();
        let choice = spec.create().think(&Game::from_position(position), &budget)?;
        println!(
            "{spec}: {:?} score {} depth {} in {:.2} s",
            choice.decision,
            choice.score,
            choice.depth,
            begun.elapsed().as_secs_f64()
        );
        for iteration in &choice.iterations {
            println!("  depth {}: {:?}", iteration.depth, iteration.statistics);
        }
    }
    Ok(())
}
