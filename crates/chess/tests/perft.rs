//! The move tree counted along every path that finds moves. The limits of nodes keep the run short with
//! all self-checks on; `cargo run --release --example perft_suite` counts everything.

mod suite;

use chess::{Move, Noisy, Position, Quiet, Role, Square, perft};
use suite::{Case, cases};

/// Counts every case as deep as the limit allows and names all that differ.
fn check(most_nodes: u64, count: impl Fn(&Position, u32) -> u64) {
    let wrong: Vec<String> = cases()
        .iter()
        .filter_map(|case: &Case| {
            let (depth, expected) = case.deepest_within(most_nodes)?;
            let counted = count(&case.position, depth);
            (counted != expected).then(|| format!("{} depth {depth}: {counted}, not {expected}", case.fen))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plays every move that `generate` finds, the last ones too.
fn perft_by(position: &Position, depth: u32, generate: &impl Fn(&Position) -> Vec<Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    generate(position).into_iter().map(|mv| perft_by(&position.after(mv), depth - 1, generate)).sum()
}

#[test]
fn counting_at_the_leaves() {
    check(20_000_000, perft::perft);
}

#[test]
fn each_first_move_apart() {
    check(100_000, |position, depth| perft::divide(position, depth).iter().map(|(_, nodes)| nodes).sum());
}

#[test]
fn playing_every_move() {
    check(1_000_000, |position, depth| {
        perft_by(position, depth, &|position| position.legal_moves().to_vec())
    });
}

#[test]
fn noisy_and_quiet_moves() {
    let generate = |position: &Position| {
        let mut moves = Vec::new();
        position.for_each_move::<Noisy>(|mv| {
            assert!(position.is_noisy(mv), "{mv:?} is quiet in {position}");
            moves.push(mv);
        });
        position.for_each_move::<Quiet>(|mv| {
            assert!(!position.is_noisy(mv), "{mv:?} is noisy in {position}");
            moves.push(mv);
        });
        moves
    };
    check(1_000_000, |position, depth| perft_by(position, depth, &generate));
}

#[test]
fn every_candidate_asked_whether_it_is_legal() {
    let candidates = candidates();
    let generate =
        |position: &Position| candidates.iter().copied().filter(|&mv| position.is_legal(mv)).collect();
    check(20_000, |position, depth| perft_by(position, depth, &generate));
}

/// Every way to write a move: from any square to any other, as each kind.
fn candidates() -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::all() {
        for to in Square::all() {
            moves.push(Move::normal(from, to));
            moves.extend(Role::PROMOTIONS.map(|role| Move::promotion(from, to, role)));
            moves.push(Move::en_passant(from, to));
            moves.push(Move::castling(from, to));
        }
    }
    moves
}
