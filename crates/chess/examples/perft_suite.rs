//! Counts the move tree of every position of `tests/perft.epd` to its full depth:
//! `cargo run --release --example perft_suite`. With `--others`, cozy-chess and shakmaty count along, which
//! is how a new line earns its place in the file.

#[path = "../tests/suite/mod.rs"]
mod suite;

use chess::perft::perft;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let with_others = std::env::args().any(|argument| argument == "--others");
    let start = Instant::now();
    let (mut total, mut wrong) = (0, 0);
    for case in suite::cases() {
        let Some((depth, expected)) = case.deepest_within(u64::MAX) else { continue };
        let start = Instant::now();
        let nodes = perft(&case.position, depth);
        let seconds = start.elapsed().as_secs_f64();
        total += nodes;
        let mut verdict = if nodes == expected { "ok" } else { "WRONG" };
        if with_others && others_count(case.fen, depth) != [expected; 2] {
            verdict = "DISPUTED";
        }
        wrong += u32::from(verdict != "ok");
        println!("{verdict:>8} {nodes:>11} of {expected:>11} {seconds:>7.3} s  depth {depth}  {}", case.fen);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{total} nodes in {seconds:.1} s, {wrong} positions wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What cozy-chess and shakmaty count.
fn others_count(fen: &str, depth: u32) -> [u64; 2] {
    let board: cozy_chess::Board = fen.parse().expect("cozy-chess reads the position");
    let setup: Fen = fen.parse().expect("shakmaty reads the position");
    let position: shakmaty::Chess = setup.into_position(CastlingMode::Chess960).expect("shakmaty accepts it");
    [cozy_perft(&board, depth), shakmaty::perft(&position, depth)]
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}
