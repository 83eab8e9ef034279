//! Moves a second of each board, or of one, from the start position:
//! `cargo run --release -p classics --example board_speed [-- 0x88]`.

use chess::Position;
use classics::boards::BoardKind;
use std::time::Instant;

fn main() {
    let start = Position::startpos();
    let wanted = std::env::args().nth(1);
    for kind in
        BoardKind::ALL.into_iter().filter(|kind| wanted.as_ref().is_none_or(|name| kind.name() == name))
    {
        let begun = Instant::now();
        let nodes = kind.perft(&start, 5).expect("the start position is one of standard chess");
        let seconds = begun.elapsed().as_secs_f64();
        println!("{:8} {nodes} nodes, {:.1} million a second", kind.name(), nodes as f64 / seconds / 1e6);
    }
}
