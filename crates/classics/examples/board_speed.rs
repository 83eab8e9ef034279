//! Moves a second of each board, from the start position. `cargo run --release --example board_speed`

use chess::Position;
use classics::boards::BoardKind;
use std::time::Instant;

fn main() {
    let start = Position::startpos();
    for kind in BoardKind::ALL {
        let begun = Instant::now();
        let nodes = kind.perft(&start, 5).expect("the start position is one of standard chess");
        let seconds = begun.elapsed().as_secs_f64();
        println!("{:8} {nodes} nodes, {:.1} million a second", kind.name(), nodes as f64 / seconds / 1e6);
    }
}
