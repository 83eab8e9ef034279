//! Each term pulls in the right direction: pairs of positions that differ in one thing.

use chess::{Color, Position, Square};
use eval::{Evaluator, Explanation, Term, explain};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The value from White's view.
fn value(fen: &str) -> i32 {
    explain(&position(fen)).white_view
}

/// How often a term counts for White, over all its weights, and what it is worth in the middle game and
/// in the end game.
fn white(explanation: &Explanation, term: Term) -> (i32, i32, i32) {
    explanation
        .items
        .iter()
        .filter(|item| item.term == term && item.color == Color::White)
        .fold((0, 0, 0), |(n, mg, eg), item| {
            (n + item.count, mg + item.worth.middle_game, eg + item.worth.end_game)
        })
}

/// A term must be seen for White in the first position and not in the second, and count as a plus or minus.
fn assert_seen(term: Term, with: &str, without: &str, sign: i32) {
    let (count, mg, eg) = white(&explain(&position(with)), term);
    assert!(count > 0, "{term:?} is not seen in {with}");
    assert!((mg + eg) * sign > 0, "{term:?} is worth {mg}, {eg} in {with}");
    assert_eq!(white(&explain(&position(without)), term).0, 0, "{term:?} is seen in {without}");
}

#[test]
fn pawn_structure() {
    for (term, with, without, sign) in [
        (Term::Isolated, "4k3/8/8/8/8/8/P1P4P/4K3 w - - 0 1", "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", -1),
        (Term::Doubled, "4k3/8/8/8/2P5/2P5/1P6/4K3 w - - 0 1", "4k3/8/8/8/2P5/1P6/P7/4K3 w - - 0 1", -1),
        (Term::Supported, "4k3/p7/8/8/3P4/2P5/8/4K3 w - - 0 1", "4k3/p7/8/8/3P4/3P4/8/4K3 w - - 0 1", 1),
        (Term::Phalanx, "4k3/p7/8/8/2PP4/8/8/4K3 w - - 0 1", "4k3/p7/8/8/2P5/3P4/8/4K3 w - - 0 1", 1),
        (Term::Candidate, "4k3/p7/8/8/PP6/8/8/4K3 w - - 0 1", "4k3/1p6/8/8/1P6/8/8/4K3 w - - 0 1", 1),
        (Term::Passed, "4k3/p7/8/8/3P4/8/8/4K3 w - - 0 1", "4k3/3p4/8/8/3P4/8/8/4K3 w - - 0 1", 1),
    ] {
        assert_seen(term, with, without, sign);
    }
    // The pawn on d3 cannot step to d4, which a pawn guards, and no neighbour can come to its help.
    let with = "4k3/8/8/2p1p3/2P1P3/3P4/8/4K3 w - - 0 1";
    assert_seen(Term::Backward, with, "4k3/8/8/2p5/3PP3/2P5/8/4K3 w - - 0 1", -1);
}

#[test]
fn passed_pawns_among_pieces() {
    for (term, with, without, sign) in [
        (Term::PassedBlocked, "6k1/8/3n4/3P4/8/8/8/3RK3 w - - 0 1", "6k1/8/1n6/3P4/8/8/8/3RK3 w - - 0 1", -1),
        (Term::PassedFree, "6k1/8/8/P7/8/8/7b/4K1N1 w - - 0 1", "6k1/8/8/P7/8/4b3/8/4K1N1 w - - 0 1", 1),
        (Term::PassedSafeStep, "6k1/8/8/P7/8/8/7b/4K1N1 w - - 0 1", "6k1/8/8/P7/8/8/4b3/4K1N1 w - - 0 1", 1),
        (Term::Unstoppable, "7k/8/8/P7/8/8/7p/4K3 w - - 0 1", "1k6/8/8/P7/8/8/7p/4K3 w - - 0 1", 1),
        (
            Term::RookBehindPasser,
            "6k1/8/8/3P4/8/8/8/3RK1n1 w - - 0 1",
            "6k1/8/8/3P4/8/8/8/2R1K1n1 w - - 0 1",
            1,
        ),
    ] {
        assert_seen(term, with, without, sign);
    }
    let near = value("8/2r5/8/3P4/3KR3/8/8/7k w - - 0 1");
    let far = value("7k/2r5/8/3P4/3KR3/8/8/8 w - - 0 1");
    assert!(near > far, "a passed pawn is worth more when the enemy king is far away");
}

#[test]
fn minor_pieces() {
    for (term, with, without, sign) in [
        (
            Term::KnightOutpost,
            "6k1/5p2/3N4/2P5/8/8/5P2/4K3 w - - 0 1",
            "6k1/2p2p2/3N4/2P5/8/8/5P2/4K3 w - - 0 1",
            1,
        ),
        (
            Term::BishopOutpost,
            "4k3/5p2/3B4/2P5/8/8/5P2/4K3 w - - 0 1",
            "4k3/2p2p2/3B4/2P5/8/8/5P2/4K3 w - - 0 1",
            1,
        ),
        (
            Term::OutpostInReach,
            "4k3/5p2/8/8/8/2P2N2/5P2/4K3 w - - 0 1",
            "4k3/5p2/8/8/8/2P5/5P2/N3K3 w - - 0 1",
            1,
        ),
        (Term::BadBishop, "4k3/8/8/3p4/3P4/8/8/2B1K3 w - - 0 1", "4k3/8/8/3p4/3P4/8/8/4KB2 w - - 0 1", -1),
        (
            Term::LongDiagonal,
            "4k3/7p/8/8/8/6P1/6B1/4K3 w - - 0 1",
            "4k3/7p/8/3p4/4P3/6P1/6B1/4K3 w - - 0 1",
            1,
        ),
        (
            Term::MinorBehindPawn,
            "4k3/7p/8/8/4P3/4N3/8/4K3 w - - 0 1",
            "4k3/7p/8/8/3P4/4N3/8/4K3 w - - 0 1",
            1,
        ),
        (Term::BishopPair, "4k3/7p/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/7p/8/8/8/8/8/2B1KN2 w - - 0 1", 1),
    ] {
        assert_seen(term, with, without, sign);
    }
}

#[test]
fn rooks_queens_and_traps() {
    for (term, with, without, sign) in [
        (Term::RookFile, "4k3/p7/8/8/8/8/P7/3RK3 w - - 0 1", "4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1", 1),
        (Term::Seventh, "6k1/3R1ppp/8/8/8/8/5PPP/6K1 w - - 0 1", "6k1/5ppp/3R4/8/8/8/5PPP/6K1 w - - 0 1", 1),
        (Term::QueenXrayed, "4k3/8/1b6/8/8/4P3/5Q2/K7 w - - 0 1", "4k3/8/8/b7/8/4P3/5Q2/K7 w - - 0 1", -1),
        (Term::TrappedRook, "4k3/8/8/8/8/7p/5PPP/6KR w - - 0 1", "4k3/8/8/8/8/7p/5PPP/5RK1 w - - 0 1", -1),
        (
            Term::TrappedBishop,
            "4k3/B1p5/1p6/8/8/8/5PPP/6K1 w - - 0 1",
            "4k3/2p5/1p6/8/8/4B3/5PPP/6K1 w - - 0 1",
            -1,
        ),
        (
            Term::TrappedKnight,
            "N7/p7/3k4/b7/8/8/5PPP/6K1 w - - 0 1",
            "3k4/8/p1p5/1p1p4/4N3/8/5PPP/6K1 w - - 0 1",
            -1,
        ),
    ] {
        assert_seen(term, with, without, sign);
    }
}

#[test]
fn mobility_grows_with_safe_squares() {
    let open = "4k3/7p/8/8/8/8/7P/B3K3 w - - 0 1";
    let shut = "4k3/7p/8/8/3P4/8/1P5P/B3K3 w - - 0 1";
    let mobility = |fen| white(&explain(&position(fen)), Term::BishopMobility);
    assert!(mobility(open).2 > mobility(shut).2);
}

#[test]
fn king_safety() {
    // Black's queen and knight look at a king with and without its pawns.
    let covered = value("r4rk1/ppp2ppp/8/8/4n1q1/8/PPP2PPP/R4RK1 w - - 0 1");
    let bare = value("r4rk1/ppp2ppp/8/8/4n1q1/8/PPP2P2/R4RK1 w - - 0 1");
    let pawns_only = value("r4rk1/ppp2ppp/8/8/8/8/PPP2P2/R4RK1 w - - 0 1")
        - value("r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 1");
    assert!(bare - covered < pawns_only, "pawns before the king are worth more under attack");

    for (term, with, without, sign) in [
        (
            Term::SafeCheck,
            "6k1/5ppp/8/8/1q6/8/P4PPP/6K1 w - - 0 1",
            "6k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1",
            -1,
        ),
        (
            Term::PawnlessWing,
            "rn4k1/ppp5/8/8/8/8/PPP5/RN4K1 w - - 0 1",
            "rn4k1/ppp4p/8/8/8/8/PPP4P/RN4K1 w - - 0 1",
            -1,
        ),
        (
            Term::KingFile,
            "rn4k1/pp4pp/8/8/8/8/PP3P1P/RN4K1 w - - 0 1",
            "rn4k1/pp4pp/8/8/8/8/PP4PP/RN4K1 w - - 0 1",
            -1,
        ),
    ] {
        assert_seen(term, with, without, sign);
    }
    let advanced_storm = value("2kr3r/ppp5/8/8/8/5pp1/PPP2PPP/R4RK1 w - - 0 1");
    let waiting_storm = value("2kr3r/ppp3pp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 1");
    assert!(advanced_storm < waiting_storm);
}

#[test]
fn threats() {
    for (term, with, without, sign) in [
        (Term::ThreatByPawn, "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P2n/8/8/4K3 w - - 0 1", 1),
        (
            Term::ThreatByMinor,
            "4k3/p7/8/3r4/8/2N5/P7/4K3 w - - 0 1",
            "4k3/p7/8/6r1/8/2N5/P7/4K3 w - - 0 1",
            1,
        ),
        (Term::ThreatByRook, "4k3/p7/8/3q4/8/8/P7/3RK3 b - - 0 1", "4k3/p7/8/2q5/8/8/P7/3RK3 b - - 0 1", 1),
        (Term::ThreatByKing, "4k3/8/8/8/8/8/P2n4/4K3 w - - 0 1", "4k3/8/3n4/8/8/8/P7/4K3 w - - 0 1", 1),
        (Term::Hanging, "4k3/8/8/3n4/8/2N5/P7/4K3 w - - 0 1", "4k3/8/4p3/3n4/8/2N5/P7/4K3 w - - 0 1", 1),
        (Term::ThreatByPush, "4k3/8/2n5/8/3P4/8/8/4K3 w - - 0 1", "4k3/8/8/8/2n5/3P4/8/4K3 b - - 0 1", 1),
    ] {
        assert_seen(term, with, without, sign);
    }
}

#[test]
fn space_and_tempo() {
    let wide = "r1bqkb1r/8/8/8/2PPPP2/8/8/R1BQKB1R w - - 0 1";
    let narrow = "r1bqkb1r/8/8/8/8/8/2PPPP2/R1BQKB1R w - - 0 1";
    let space = |fen| white(&explain(&position(fen)), Term::Space).1;
    assert!(space(wide) > space(narrow));

    let start = Position::startpos();
    assert!(Evaluator::new().evaluate(&start) > 0, "the right to move is worth something");
}

#[test]
fn explanations_name_the_square() {
    let explanation = explain(&position("6k1/5p2/3N4/2P5/8/8/5P2/4K3 w - - 0 1"));
    let about = |square: Square| explanation.items.iter().filter(move |item| item.squares.has(square));
    let names: Vec<_> = about(Square::D6).map(ToString::to_string).collect();
    assert!(names.contains(&"knight outpost on d6".to_owned()), "{names:?}");
    let open = explain(&position("r5k1/pp4pp/8/8/8/8/PP3P1P/R5K1 w - - 0 1"));
    let names: Vec<_> = open.items.iter().map(ToString::to_string).collect();
    assert!(names.contains(&"pawn cover on the g-file".to_owned()), "{names:?}");
    let knight = explanation.pieces.iter().find(|piece| piece.square == Square::D6).unwrap();
    assert!(knight.centipawns > 200, "{knight:?}");
}

/// How often a term counts for White, and its weights there summed up, whatever becomes of them.
fn weighed(fen: &str, term: Term) -> (i32, i32) {
    let weights = eval::WEIGHTS.flatten();
    let explanation = explain(&position(fen));
    let items = explanation.items.iter().filter(|item| item.term == term && item.color == Color::White);
    items.fold((0, 0), |(count, sum), item| {
        let eval::S(mg, eg) = weights[term.offset() + item.index];
        (count + item.count.abs(), sum + item.count * (i32::from(mg) + i32::from(eg)))
    })
}

#[test]
fn causes_of_danger() {
    // A term counts more often for White's king in the first position; the sign says whether it is a danger.
    let quiet = "r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 w - - 0 1";
    for (term, with, without, sign) in [
        (Term::RingAttacker, "r4rk1/5ppp/8/8/6n1/8/5PPP/R4RK1 w - - 0 1", quiet, 1),
        (Term::RingAttack, "r4rk1/5ppp/8/8/6n1/8/5PPP/R4RK1 w - - 0 1", quiet, 1),
        (Term::WeakRing, "r4rk1/5ppp/8/8/6n1/8/5PPP/R4RK1 w - - 0 1", quiet, 1),
        // The knight on f4 could check on e2 and h3, which the bishop and the pawn hold.
        (Term::UnsafeCheck, "r4rk1/5ppp/8/8/5n2/8/5PPP/R2B1RK1 w - - 0 1", quiet, 1),
        (Term::PinnedPiece, "r4rk1/5ppp/8/2b5/8/8/5PPP/R4RK1 w - - 0 1", quiet, 1),
        (Term::OpenFileNearKing, "r4rk1/5ppp/8/8/8/8/5P1P/R4RK1 w - - 0 1", quiet, 1),
        (Term::WingAttack, "r4rk1/5ppp/8/8/6n1/8/5PPP/R4RK1 w - - 0 1", quiet, 1),
        (Term::WingDefence, "r4rk1/5ppp/8/8/8/5N2/5PPP/R4RK1 w - - 0 1", quiet, -1),
        (Term::KnightDefender, "r4rk1/5ppp/8/8/8/8/5PPP/R4NK1 w - - 0 1", quiet, -1),
        (Term::NoQueen, quiet, "r2q1rk1/5ppp/8/8/8/8/5PPP/R4RK1 w - - 0 1", -1),
    ] {
        let (seen, weight) = weighed(with, term);
        assert!(seen > weighed(without, term).0, "{term:?} is not seen in {with}");
        assert!(weight * sign > 0, "{term:?} weighs {weight}");
    }
    assert_eq!(weighed(quiet, Term::DangerBase).0, 1);
}

#[test]
fn what_counts_by_degrees() {
    // The second position is better for White by the term alone.
    for (term, worse, better) in [
        (Term::Material, "4k3/p7/8/8/8/8/P7/4K1N1 w - - 0 1", "4k3/p7/8/8/8/8/P7/4K1R1 w - - 0 1"),
        (Term::Placement, "4k3/p7/8/8/8/8/P7/N3K3 w - - 0 1", "4k3/p7/8/8/3N4/8/P7/4K3 w - - 0 1"),
        (Term::KnightMobility, "4k3/p7/8/8/8/8/P7/N3K3 w - - 0 1", "4k3/p7/8/8/3N4/8/P7/4K3 w - - 0 1"),
        (Term::RookMobility, "4k3/p7/8/8/8/P7/1P6/RN2K3 w - - 0 1", "4k3/p7/8/8/8/P7/1P6/1N1RK3 w - - 0 1"),
        (Term::QueenMobility, "4k3/p7/8/8/8/8/PP6/QN2K3 w - - 0 1", "4k3/p7/8/3Q4/8/8/PP6/1N2K3 w - - 0 1"),
        (Term::PassedOwnKing, "7k/p7/8/3P4/8/8/8/7K w - - 0 1", "7k/p7/8/3P4/4K3/8/8/8 w - - 0 1"),
        (Term::PassedEnemyKing, "8/p2k4/8/3P4/8/8/8/7K w - - 0 1", "7k/p7/8/3P4/8/8/8/7K w - - 0 1"),
        (Term::PassedSupportedStep, "6k1/8/8/P7/8/8/7b/4K1N1 w - - 0 1", "6k1/8/8/PK6/8/8/7b/6N1 w - - 0 1"),
        (Term::MinorFarFromKing, "4k3/p7/8/3N4/8/8/P7/4K3 w - - 0 1", "4k3/p7/8/8/8/4N3/P7/4K3 w - - 0 1"),
        (Term::Shelter, "6k1/5ppp/8/8/6P1/8/5P1P/6K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1"),
        (Term::Storm, "6k1/5p1p/8/8/8/6p1/5P1P/6K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5P1P/6K1 w - - 0 1"),
        (Term::StormBlocked, "6k1/5p1p/8/8/8/6p1/5PPP/6K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1"),
        (Term::KingFromPawns, "4k3/p7/8/8/8/8/P7/7K w - - 0 1", "4k3/p7/8/8/8/2K5/P7/8 w - - 0 1"),
        (Term::ThreatOnQueen, "4k3/8/8/3q4/8/8/P7/4K1N1 w - - 0 1", "4k3/8/8/3q4/8/8/P3N3/4K3 w - - 0 1"),
        (Term::Restricted, "4k1n1/p7/8/8/8/8/P7/4K1N1 w - - 0 1", "4k3/p7/5n2/8/8/2N5/P7/4K3 w - - 0 1"),
    ] {
        let (worse, better) = (weighed(worse, term).1, weighed(better, term).1);
        assert!(better > worse, "{term:?}: {better} is not more than {worse}");
    }
}

#[test]
fn pieces_together_and_against_each_other() {
    // These may weigh either way; they must be counted where they apply and nowhere else.
    let bare = "4k3/8/8/8/8/8/1N6/4K3 w - - 0 1";
    let rich = "r2qk2r/pppp4/8/8/8/8/PPPP4/RN1QK1NR w - - 0 1";
    for term in [Term::SameKind, Term::OwnPairs, Term::EnemyPairs] {
        assert!(weighed(rich, term).0 > 0, "{term:?}");
        assert_eq!(weighed(bare, term).0, 0, "{term:?}");
    }
}

#[test]
fn progress_is_easier_with_pawns_on_both_wings() {
    let pressure = |fen| {
        let explanation = explain(&position(fen));
        let weights = eval::WEIGHTS.flatten();
        let items = explanation.items.iter().filter(|item| item.term == Term::Initiative);
        items.map(|item| item.count * i32::from(weights[item.term.offset() + item.index].1)).sum::<i32>()
    };
    let one_wing = pressure("4k3/5ppp/8/8/8/8/4PPPP/4K3 w - - 0 1");
    let both_wings = pressure("4k3/p5pp/8/8/8/8/PP4PP/4K3 w - - 0 1");
    assert!(both_wings > one_wing, "{both_wings} {one_wing}");
}
