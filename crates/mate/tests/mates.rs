//! Mates, traps and proofs that there is no mate, in positions made for these tests.

mod common;

use common::{in_san, mate_of, position, solve_checked};
use mate::{Limits, MAX_MOVES, MateResult, Progress, solve, solve_mated};
use std::cell::Cell;

/// Solves and gives the length and the first move.
fn key_move(fen: &str) -> (u32, String) {
    let start = position(fen);
    let (moves, line) =
        solve_checked(&start, 6, Limits::default()).unwrap_or_else(|| panic!("{fen}: no mate found"));
    (moves, in_san(&start, &line[..1]))
}

fn mate_in(moves: u32, san: &str) -> (u32, String) {
    (moves, san.to_owned())
}

/// How far mates are excluded, if no mate is found.
fn excluded(result: &MateResult) -> Option<u32> {
    match result {
        MateResult::NoMate { up_to, .. } => Some(*up_to),
        MateResult::Mate { .. } | MateResult::Stopped { .. } => None,
    }
}

#[test]
fn a_rook_mates_on_the_back_rank() {
    assert_eq!(key_move("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), mate_in(1, "Rd8#"));
    assert_eq!(key_move("3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"), mate_in(1, "Rd1#"));
}

#[test]
fn two_rooks_climb_the_ladder() {
    assert_eq!(key_move("4k3/8/8/8/8/8/R7/1R2K3 w - - 0 1").0, 2);
    assert_eq!(key_move("8/4k3/8/8/8/8/R7/1R2K3 w - - 0 1").0, 4);
    assert_eq!(key_move("8/8/4k3/8/8/8/R7/1R2K3 w - - 0 1").0, 5);
}

#[test]
fn a_quiet_move_may_be_the_only_way() {
    assert_eq!(key_move("8/2k1P1K1/6p1/8/8/1p6/8/4Q3 w - - 0 1"), mate_in(3, "e8=Q"));
    assert_eq!(key_move("8/P7/8/2n2K1k/6p1/8/8/8 w - - 0 1"), mate_in(3, "a8=Q"));
    assert_eq!(key_move("8/3p2P1/8/5k2/3n4/4K3/8/4Q3 w - - 0 1"), mate_in(3, "Kxd4"));
}

#[test]
fn a_queen_would_stalemate_where_a_rook_mates() {
    assert!(position("3K1Q2/7k/4P3/8/8/8/8/6R1 b - - 0 1").is_stalemate());
    assert_eq!(key_move("3K4/5P1k/4P3/8/8/8/8/6R1 w - - 0 1"), mate_in(2, "f8=R"));
    assert_eq!(key_move("2r5/kP6/N1K5/8/8/5N2/8/8 w - - 0 1"), mate_in(2, "bxc8=R"));
}

#[test]
fn a_pawn_becomes_a_knight_to_mate() {
    assert_eq!(key_move("8/2R1P3/3k2K1/2R5/8/8/4R3/8 w - - 0 1"), mate_in(1, "e8=N#"));
    assert_eq!(key_move("8/7P/6k1/5bb1/5P2/8/5n2/B2BK2R w K - 0 1"), mate_in(1, "h8=N#"));
    assert_eq!(key_move("8/1R2QP1k/8/8/8/2B2K2/8/8 w - - 0 1"), mate_in(2, "f8=N+"));
}

#[test]
fn only_en_passant_mates_in_time() {
    assert_eq!(key_move("6k1/3K4/8/6Pp/8/2Q4B/8/8 w - h6 0 1"), mate_in(2, "gxh6"));
    assert_eq!(key_move("7B/8/8/2Pp4/2K1Q3/8/3k4/8 w - d6 0 1"), mate_in(3, "cxd6"));
    // Without the right to it there is no mate so fast.
    let late = position("6k1/3K4/8/6Pp/8/2Q4B/8/8 w - - 0 1");
    assert_eq!(excluded(&solve(&late, 2, Limits::default())), Some(2));
}

#[test]
fn castling_mates() {
    assert_eq!(key_move("8/bP6/3B4/8/8/8/5R2/k3K2R w K - 0 1"), mate_in(1, "O-O#"));
    assert_eq!(key_move("8/R7/8/3Pp3/3P4/Q7/p1r5/1k2K2R w K - 0 1"), mate_in(2, "O-O+"));
}

#[test]
fn the_queen_mates_a_lone_king_as_fast_as_she_can() {
    let start = position("8/8/3k4/8/3K4/8/8/7Q w - - 0 1");
    let found = solve_checked(&start, 7, Limits::default()).map(|(moves, _)| moves);
    assert_eq!(found, Some(5));
}

#[test]
fn there_is_no_mate_where_there_is_none() {
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
        ("8/8/8/8/8/2k5/8/K1N5 w - - 0 1", 4),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", 10),
        // Stalemate, and mate already.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3),
    ];
    for (fen, moves) in cases {
        let result = solve(&position(fen), moves, Limits::default());
        assert_eq!(excluded(&result), Some(moves), "{fen}: {result:?}");
    }
}

#[test]
fn a_number_of_moves_without_end_is_cut_and_does_no_harm() {
    let bare_kings = position("k7/8/8/8/8/8/8/K7 w - - 0 1");
    let result = solve(&bare_kings, u32::MAX, Limits::default());
    assert_eq!(excluded(&result), Some(MAX_MOVES), "{result:?}");

    // The kings go to and fro behind their walls, which makes for deep trees.
    let walls = position("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1");
    let result = solve(&walls, u32::MAX, Limits { nodes: Some(300_000), ..Limits::default() });
    assert!(matches!(result, MateResult::Stopped { proved_none_up_to: 10.., .. }), "{result:?}");
}

#[test]
fn the_mated_side_can_ask_too() {
    let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(mate_of(solve_mated(&mated, 3, Limits::default())), Some((0, Vec::new())));

    for (fen, length) in [("4k3/R7/8/8/8/8/8/1R2K3 b - - 0 1", 1), ("4k3/8/8/8/8/8/R7/1R2K3 b - - 0 1", 5)] {
        let lost = position(fen);
        let (moves, line) = mate_of(solve_mated(&lost, 5, Limits::default())).expect(fen);
        assert_eq!((moves, line.len()), (length, 2 * length as usize), "{fen}");
        assert!(line.iter().fold(lost, |position, &mv| position.after(mv)).is_checkmate(), "{fen}");
    }

    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(excluded(&solve_mated(&stalemate, 3, Limits::default())), Some(3));
}

#[test]
fn a_draw_by_the_fifty_move_rule_comes_before_a_later_mate() {
    let ladder = |clock: u16| position(&format!("4k3/8/8/8/8/8/R7/1R2K3 w - - {clock} 90"));
    assert_eq!(mate_of(solve(&ladder(97), 4, Limits::default())).map(|(moves, _)| moves), Some(2));
    // Black would claim the draw with his first move.
    assert_eq!(excluded(&solve(&ladder(98), 4, Limits::default())), Some(4));
    // A pawn's move starts the count anew.
    let with_pawn = position("8/2k1P1K1/6p1/8/8/1p6/8/4Q3 w - - 99 90");
    assert_eq!(mate_of(solve(&with_pawn, 4, Limits::default())).map(|(moves, _)| moves), Some(3));
    // Mate on the board is mate, however late.
    for clock in [99, 100, u16::MAX] {
        let late = position(&format!("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - {clock} 90"));
        assert_eq!(mate_of(solve(&late, 3, Limits::default())).map(|(moves, _)| moves), Some(1));
    }
}

#[test]
fn only_the_moves_named_are_tried() {
    let start = position("4k3/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    let only = |san: &str| {
        let moves = [start.parse_san(san).expect("a legal move")];
        solve(&start, 2, Limits { root_moves: Some(&moves), ..Limits::default() })
    };
    for san in ["Ra7", "Rb7"] {
        let (moves, line) = mate_of(only(san)).expect("a mate by the other rook");
        assert_eq!((moves, in_san(&start, &line[..1])), mate_in(2, san));
    }
    assert_eq!(excluded(&only("Ke2")), Some(2));
    assert_eq!(excluded(&solve(&start, 3, Limits { root_moves: Some(&[]), ..Limits::default() })), Some(3));
}

/// Too hard for any of the limits below.
const HARD: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

#[test]
fn reported_to_stop_it_stops_and_says_how_far_it_came() {
    let polls = Cell::new(0);
    let stop = || {
        polls.set(polls.get() + 1);
        polls.get() > 5
    };
    let result = solve(&position(HARD), 50, Limits { stop: &stop, ..Limits::default() });
    let MateResult::Stopped { proved_none_up_to, nodes } = result else { panic!("{result:?}") };
    assert_eq!(polls.get(), 6);
    assert!((1..50).contains(&proved_none_up_to));
    assert!(nodes > 0);

    let at_once = solve(&position(HARD), 50, Limits { stop: &|| true, ..Limits::default() });
    assert_eq!(at_once, MateResult::Stopped { proved_none_up_to: 0, nodes: 0 });
}

#[test]
fn the_limit_of_nodes_is_kept_and_the_search_repeatable() {
    let run = || solve(&position(HARD), 50, Limits { nodes: Some(5_000), ..Limits::default() });
    let MateResult::Stopped { nodes, .. } = run() else { panic!("{:?}", run()) };
    assert_eq!(nodes, 5_000);
    assert_eq!(run(), run());
}

#[test]
fn progress_is_reported_distance_by_distance() {
    let mut reported = Vec::new();
    let mut report = |progress: Progress| reported.push(progress);
    let start = position("8/4k3/8/8/8/8/R7/1R2K3 w - - 0 1");
    let result = solve(&start, 6, Limits { progress: Some(&mut report), ..Limits::default() });
    assert!(matches!(result, MateResult::Mate { moves: 4, .. }), "{result:?}");
    assert_eq!(reported.iter().map(|progress| progress.none_up_to).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(reported.is_sorted_by_key(|progress| progress.nodes));
}
