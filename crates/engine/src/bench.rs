//! A fixed amount of work: the number of nodes shows whether two builds search the same, the time how fast.

use crate::{Engine, Limits, SearchError};
use chess::Game;
use std::time::Duration;
use web_time::Instant;

/// Depth unless another is asked for.
pub const DEFAULT_DEPTH: i32 = 12;
/// Threads unless another number is asked for.
pub const DEFAULT_THREADS: usize = 1;
/// Mebibytes unless another number is asked for.
pub const DEFAULT_HASH: usize = 16;

/// What a bench did.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct BenchResult {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time for all of them.
    pub time: Duration,
}

/// Searches all positions of [`POSITIONS`] to a depth, reporting each one's number of nodes.
///
/// # Errors
/// When a search fails.
pub fn run(
    engine: &mut Engine,
    depth: i32,
    mut each: impl FnMut(usize, u64),
) -> Result<BenchResult, SearchError> {
    let mut total = 0;
    let start = Instant::now();
    for (index, fen) in POSITIONS.iter().enumerate() {
        let Ok(position) = fen.parse() else { continue };
        engine.new_game();
        let outcome = engine.search(&Game::from_position(position), Limits::depth(depth), |_| {})?;
        let nodes = outcome.usage.nodes;
        each(index, nodes);
        total += nodes;
    }
    Ok(BenchResult { nodes: total, time: start.elapsed() })
}

/// Positions of all kinds, from the opening to the end game, most of them from the engine's own games.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23",
    "rnbqkb1r/ppppp1pp/7n/5p2/6P1/N6P/PPPPPP2/R1BQKBNR w KQkq - 1 4",
    "rnbqkbnr/1p1p2pp/p1p1p3/8/7P/3B2P1/PPPPPP2/RNBQK1NR b KQkq - 1 5",
    "r1bqkb1r/pp1n1pp1/4pn2/2Pp3p/1P6/P3BP2/2P1P1PP/RN1QKBNR w KQkq - 1 7",
    "r1bq1rk1/pppp1ppp/n2bp2n/8/2PPP3/5P2/PP2N1PP/RNBQ1RK1 b - - 0 8",
    "r1b1kb1r/ppp2p2/2n1q1pp/4p3/8/3P1P2/PPP1N1PP/R1BQKB1R w KQkq - 1 10",
    "rnb1Qbnr/p2k2p1/1p2pp1p/3p4/P1pP1B1N/4P3/1PP1BPPP/RN2K2R b KQ - 0 11",
    "r2q1rk1/ppp1n1pp/8/3pnb2/3P4/P1PBP3/2PB2PP/R2Q1RK1 w - - 0 13",
    "r1bq1rk1/1pp2ppp/4p3/n3P3/1B2p3/4P3/P1P1BPPP/R2Q1RK1 b - - 1 14",
    "r3k2r/pp3pp1/2pb1n2/P2p2N1/1q1Pnp2/2N1P3/1PP4P/R1BQ1RK1 w kq - 1 16",
    "r2q1rk1/1p6/2npb2p/p1pNppbP/P1P1Pp2/3P1P2/1P2N1P1/1K1RQB1R b - - 2 17",
    "r2r2k1/4qppp/2pp4/p1n1p3/1n2P2P/1P1PBN2/2P2PP1/R2Q1RK1 w - - 2 19",
    "2r3rk/pp2qp2/1n1p1n2/1PpPp2p/P1P1P3/3B1P2/2QN1P2/1K4RR b - - 0 20",
    "r1q1kb1r/ppp2p2/8/1P2Pp1p/2P1QP2/P1N5/2P4P/R3K2R w KQkq - 0 22",
    "r5r1/2k3p1/1p1b4/p1p2p1p/B3bP2/P3B1P1/1PP2K1P/1R4R1 b - - 5 23",
    "1qb2rk1/r4pp1/2n1p3/1pNp3p/1P1P1PnP/P2B1N2/5P2/R1Q1R1K1 w - - 8 25",
    "r6k/bpp1r1p1/2b2q2/5p1p/2B2P1P/P3P1P1/2P1QK2/R2N1R2 b - - 9 26",
    "1rb2rk1/6p1/n3p2p/3pPp1P/1p1P1B2/p2NPPP1/Pn6/R1R2BK1 w - - 3 28",
    "5rk1/4n1pp/b1qb4/1p2ppPP/p3P3/PnNP1PR1/1P2N1B1/1R1QK3 b - - 7 29",
    "2br2k1/2p4p/1pq5/p4P2/3p2P1/8/P1P3K1/1R1Q4 w - - 0 31",
    "6r1/1p1k2b1/1B1p3p/4pP2/1P2P2R/P1r2N2/R4K2/8 b - - 0 32",
    "2r2rk1/pp6/1n2Rpp1/1P6/4R2P/P4N2/2P5/5K2 w - - 5 34",
    "6nr/1r1k4/N2p3P/3P4/7P/4RPK1/1pb1B3/7R b - - 0 35",
    "6k1/1q3pb1/p3r1p1/2p1p2p/2PnP2P/3PB3/3R1QK1/1r1B3R w - - 2 37",
    "6k1/2pb4/2n5/3pPp2/5Pp1/P7/1r3R1P/4KN2 b - - 5 38",
    "6r1/2p2k2/p1P2p2/P2p1n2/3P2N1/R7/6P1/3R2K1 w - - 2 40",
    "4R1k1/2p5/1p4pr/p1nP3p/P1PR2PP/1P4r1/1K6/3B4 b - - 0 41",
    "8/2r1nk2/8/pB1p2p1/P2K1p2/8/3R3P/8 w - - 2 43",
    "8/8/2p1k3/2P2pR1/P1K2p2/8/4n3/8 b - - 8 44",
    "3B4/1pR5/p2k4/8/P1n5/2r2K1P/8/8 w - - 1 46",
    "8/2r5/2p2k2/3PN1p1/3P4/8/4K3/8 b - - 0 47",
    "4r1k1/3R2pp/4Pb2/1r3P1P/p4P2/3R1K1B/8/8 w - - 0 49",
    "1k6/8/1p5P/pP3b2/P2p4/1R1N3r/4K3/8 b - - 19 50",
    "6k1/8/8/6r1/1n6/5K2/p7/2R5 w - - 0 52",
    "8/2R5/2n3kp/8/2r1p2P/4K3/8/8 b - - 1 53",
    "4R3/Pb6/6k1/B2p4/6r1/4p3/8/7K w - - 0 55",
    "8/R7/3k4/7P/8/1K6/p6r/8 b - - 1 56",
    "8/6k1/1R3p2/3q1p1p/7P/1p1rBNP1/5PK1/8 w - - 10 58",
    "8/7k/R7/7P/8/5K2/8/2b5 b - - 12 59",
    "4r3/2R2p2/5p2/2p2P2/b1PkP1P1/5BK1/8/8 w - - 2 61",
    "8/8/8/4r1p1/kRK5/2P5/p7/8 b - - 1 62",
    "3kb3/8/2KP4/1p4P1/pB6/P2p4/P7/8 w - - 21 64",
    "1rq3k1/r1p5/P1p1p1p1/R1Pp2P1/Rp1PpP2/1P2P3/3Q4/6K1 b - - 64 65",
    "8/8/4r2p/1k5P/R7/1p6/pK6/8 w - - 22 67",
    "6k1/2rr4/2n1p1p1/p1P2q1p/2QP1P1P/1P4P1/5BR1/4R1K1 b - - 16 68",
    "3R4/8/4k3/2b2bPp/1p6/1P3PP1/2P1r1K1/8 w - - 3 70",
    "8/2r5/8/5k2/3K4/8/4R3/8 b - - 28 71",
    "8/8/5K2/8/3k3p/4n2P/4B2P/8 w - - 34 73",
    "4b3/6r1/1p1p3p/p1p1k2P/P1PpPpP1/1P1P1K2/3R4/3B4 b - - 69 74",
];

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn every_position_is_legal_and_different() {
        for (i, fen) in POSITIONS.iter().enumerate() {
            let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.has_legal_move(), "{fen}");
            assert!(!POSITIONS[..i].contains(fen));
        }
    }

    #[test]
    fn two_runs_agree() {
        let nodes = || {
            let mut engine = Engine::new();
            engine.configure(|settings| settings.hash = 2).unwrap();
            let mut nodes = Vec::new();
            run(&mut engine, 6, |_, count| nodes.push(count)).unwrap();
            nodes
        };
        let (first, second) = (nodes(), nodes());
        assert_eq!(first, second);
        assert!(first.iter().all(|&nodes| nodes > 0));
    }
}
