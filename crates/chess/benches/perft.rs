//! Perft against the fastest Rust libraries, in one run, so that only the ratios matter.
//!
//! `cargo bench -p chess --bench perft`, and once more with `--features cozy-chess/pext` to let
//! cozy-chess use the same instruction. The contestants take turns, and the best round of each counts:
//! whatever else the machine is doing, it does to all of them.

use std::time::Instant;

const POSITIONS: [(&str, &str, u32); 3] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];
const ROUNDS: u32 = 60;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let rounds = if std::env::args().any(|arg| arg == "--bench") { ROUNDS } else { 1 };
    println!("{:<16}{:>10}{:>22}{:>22}", "Mnodes/s", "gardez", "cozy-chess (ratio)", "shakmaty (ratio)");
    for (name, fen, depth) in POSITIONS {
        let ours: chess::Position = fen.parse().expect("a legal position");
        let cozy: cozy_chess::Board = fen.parse().expect("a legal position");
        let shak: shakmaty::Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .expect("a legal position")
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a legal position");

        let mut best = [0.0f64; 3];
        for _ in 0..rounds {
            let nodes = chess::perft::perft(&ours, depth);
            let contestants: [&dyn Fn() -> u64; 3] =
                [&|| chess::perft::perft(&ours, depth), &|| cozy_perft(&cozy, depth), &|| {
                    shakmaty::perft(&shak, depth)
                }];
            for (best, contestant) in best.iter_mut().zip(contestants) {
                let start = Instant::now();
                assert_eq!(contestant(), nodes, "{name}");
                *best = best.max(nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
            }
        }
        let [ours, cozy, shak] = best;
        let ratio = |other: f64| format!("{other:.0} ({:.2})", ours / other);
        println!("{name:<16}{ours:>10.0}{:>22}{:>22}", ratio(cozy), ratio(shak));
    }
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
            false
        });
    }
    nodes
}
