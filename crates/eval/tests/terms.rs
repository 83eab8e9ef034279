//! Each term is counted where it should be, for the right side, with the right weight and squares: what the
//! weights should be is the tuner's business.

use chess::{Bitboard, Color, Position, Square};
use eval::{Term, explain};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// How often a term counts for a side, over all its weights, and because of which squares.
fn seen(position: &Position, term: Term, color: Color) -> (i32, Bitboard) {
    let explanation = explain(position);
    let items = explanation.items.iter().filter(|item| item.term == term && item.color == color);
    items.fold((0, Bitboard::EMPTY), |(count, squares), item| (count + item.count, squares | item.squares))
}

/// A term must be seen for White in the first position because of these squares, and not in the second; with
/// colours changed, for Black.
fn assert_seen(term: Term, with: &str, without: &str, squares: &str) {
    let expected = squares.split_whitespace().map(|square| square.parse::<Square>().unwrap());
    let expected = expected.fold(Bitboard::EMPTY, Bitboard::with);
    let (with, without) = (position(with), position(without));
    let (count, found) = seen(&with, term, Color::White);
    assert!(count > 0, "{term:?} is not seen in {}", with.to_fen());
    assert_eq!(found, expected, "{term:?} in {}", with.to_fen());
    assert_eq!(seen(&without, term, Color::White).0, 0, "{term:?} is seen in {}", without.to_fen());
    let (black_count, black_found) = seen(&with.mirrored(), term, Color::Black);
    assert_eq!((black_count, black_found), (count, expected.flipped()), "{term:?} for Black");
}

/// Which weights of a term count for White, and how often.
fn weights(fen: &str, term: Term) -> Vec<(usize, i32)> {
    let explanation = explain(&position(fen));
    let items = explanation.items.iter().filter(|item| item.term == term && item.color == Color::White);
    let mut uses: Vec<_> = items.map(|item| (item.index, item.count)).collect();
    uses.sort_unstable();
    uses
}

/// How often a term counts for White.
fn count(fen: &str, term: Term) -> i32 {
    weights(fen, term).iter().map(|(_, count)| count.abs()).sum()
}

#[test]
fn pawn_structure() {
    for (term, with, without, squares) in [
        (Term::Isolated, "4k3/8/8/8/8/8/P1P4P/4K3 w - - 0 1", "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", "a2 c2 h2"),
        (Term::Doubled, "4k3/8/8/8/2P5/2P5/1P6/4K3 w - - 0 1", "4k3/8/8/8/2P5/1P6/P7/4K3 w - - 0 1", "c3"),
        (Term::Supported, "4k3/p7/8/8/3P4/2P5/8/4K3 w - - 0 1", "4k3/p7/8/8/3P4/3P4/8/4K3 w - - 0 1", "d4"),
        (Term::Phalanx, "4k3/p7/8/8/2PP4/8/8/4K3 w - - 0 1", "4k3/p7/8/8/2P5/3P4/8/4K3 w - - 0 1", "c4 d4"),
        (Term::Candidate, "4k3/p7/8/8/PP6/8/8/4K3 w - - 0 1", "4k3/1p6/8/8/1P6/8/8/4K3 w - - 0 1", "b4"),
        (Term::Passed, "4k3/p7/8/8/3P4/8/8/4K3 w - - 0 1", "4k3/3p4/8/8/3P4/8/8/4K3 w - - 0 1", "d4"),
    ] {
        assert_seen(term, with, without, squares);
    }
    // The pawn on d3 cannot step to d4, which a pawn guards, and no neighbour can come to its help.
    let with = "4k3/8/8/2p1p3/2P1P3/3P4/8/4K3 w - - 0 1";
    assert_seen(Term::Backward, with, "4k3/8/8/2p5/3PP3/2P5/8/4K3 w - - 0 1", "d3");
}

#[test]
fn passed_pawns_among_pieces() {
    for (term, with, without, squares) in [
        (
            Term::PassedBlocked,
            "6k1/8/3n4/3P4/8/8/8/3RK3 w - - 0 1",
            "6k1/8/1n6/3P4/8/8/8/3RK3 w - - 0 1",
            "d5",
        ),
        (Term::PassedFree, "6k1/8/8/P7/8/8/7b/4K1N1 w - - 0 1", "6k1/8/8/P7/8/4b3/8/4K1N1 w - - 0 1", "a5"),
        (
            Term::PassedSafeStep,
            "6k1/8/8/P7/8/8/7b/4K1N1 w - - 0 1",
            "6k1/8/8/P7/8/8/4b3/4K1N1 w - - 0 1",
            "a5",
        ),
        (Term::Unstoppable, "7k/8/8/P7/8/8/7p/4K3 w - - 0 1", "1k6/8/8/P7/8/8/7p/4K3 w - - 0 1", "a5"),
        (
            Term::RookBehindPasser,
            "6k1/8/8/3P4/8/8/8/3RK1n1 w - - 0 1",
            "6k1/8/8/3P4/8/8/8/2R1K1n1 w - - 0 1",
            "d1",
        ),
    ] {
        assert_seen(term, with, without, squares);
    }
}

#[test]
fn minor_pieces() {
    for (term, with, without, squares) in [
        (
            Term::KnightOutpost,
            "6k1/5p2/3N4/2P5/8/8/5P2/4K3 w - - 0 1",
            "6k1/2p2p2/3N4/2P5/8/8/5P2/4K3 w - - 0 1",
            "d6",
        ),
        (
            Term::BishopOutpost,
            "4k3/5p2/3B4/2P5/8/8/5P2/4K3 w - - 0 1",
            "4k3/2p2p2/3B4/2P5/8/8/5P2/4K3 w - - 0 1",
            "d6",
        ),
        (
            Term::OutpostInReach,
            "4k3/5p2/8/8/8/2P2N2/5P2/4K3 w - - 0 1",
            "4k3/5p2/8/8/8/2P5/5P2/N3K3 w - - 0 1",
            "f3",
        ),
        (Term::BadBishop, "4k3/8/8/3p4/3P4/8/8/2B1K3 w - - 0 1", "4k3/8/8/3p4/3P4/8/8/4KB2 w - - 0 1", "c1"),
        (
            Term::LongDiagonal,
            "4k3/7p/8/8/8/6P1/6B1/4K3 w - - 0 1",
            "4k3/7p/8/3p4/4P3/6P1/6B1/4K3 w - - 0 1",
            "g2",
        ),
        (
            Term::MinorBehindPawn,
            "4k3/7p/8/8/4P3/4N3/8/4K3 w - - 0 1",
            "4k3/7p/8/8/3P4/4N3/8/4K3 w - - 0 1",
            "e3",
        ),
        (Term::BishopPair, "4k3/7p/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/7p/8/8/8/8/8/2B1KN2 w - - 0 1", ""),
    ] {
        assert_seen(term, with, without, squares);
    }
}

#[test]
fn rooks_queens_and_traps() {
    for (term, with, without, squares) in [
        (Term::RookFile, "4k3/p7/8/8/8/8/P7/3RK3 w - - 0 1", "4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1", "d1"),
        (
            Term::Seventh,
            "6k1/3R1ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
            "6k1/5ppp/3R4/8/8/8/5PPP/6K1 w - - 0 1",
            "d7",
        ),
        (Term::QueenXrayed, "4k3/8/1b6/8/8/4P3/5Q2/K7 w - - 0 1", "4k3/8/8/b7/8/4P3/5Q2/K7 w - - 0 1", "f2"),
        (Term::TrappedRook, "4k3/8/8/8/8/7p/5PPP/6KR w - - 0 1", "4k3/8/8/8/8/7p/5PPP/5RK1 w - - 0 1", "h1"),
        (
            Term::TrappedBishop,
            "4k3/B1p5/1p6/8/8/8/5PPP/6K1 w - - 0 1",
            "4k3/2p5/1p6/8/8/4B3/5PPP/6K1 w - - 0 1",
            "a7",
        ),
        (
            Term::TrappedKnight,
            "N7/p7/3k4/b7/8/8/5PPP/6K1 w - - 0 1",
            "3k4/8/p1p5/1p1p4/4N3/8/5PPP/6K1 w - - 0 1",
            "a8",
        ),
    ] {
        assert_seen(term, with, without, squares);
    }
}

#[test]
fn king_safety() {
    for (term, with, without, squares) in [
        (
            Term::SafeCheck,
            "6k1/5ppp/8/8/1q6/8/P4PPP/6K1 w - - 0 1",
            "6k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1",
            "b1 e1",
        ),
        (
            Term::PawnlessWing,
            "rn4k1/ppp5/8/8/8/8/PPP5/RN4K1 w - - 0 1",
            "rn4k1/ppp4p/8/8/8/8/PPP4P/RN4K1 w - - 0 1",
            "g1",
        ),
        (
            Term::KingFile,
            "rn4k1/pp4pp/8/8/8/8/PP3P1P/RN4K1 w - - 0 1",
            "rn4k1/pp4pp/8/8/8/8/PP4PP/RN4K1 w - - 0 1",
            "g1",
        ),
    ] {
        assert_seen(term, with, without, squares);
    }
}

#[test]
fn threats() {
    for (term, with, without, squares) in [
        (Term::ThreatByPawn, "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P2n/8/8/4K3 w - - 0 1", "d5"),
        (
            Term::ThreatByMinor,
            "4k3/p7/8/3r4/8/2N5/P7/4K3 w - - 0 1",
            "4k3/p7/8/6r1/8/2N5/P7/4K3 w - - 0 1",
            "d5",
        ),
        (
            Term::ThreatByRook,
            "4k3/p7/8/3q4/8/8/P7/3RK3 b - - 0 1",
            "4k3/p7/8/2q5/8/8/P7/3RK3 b - - 0 1",
            "d5",
        ),
        (Term::ThreatByKing, "4k3/8/8/8/8/8/P2n4/4K3 w - - 0 1", "4k3/8/3n4/8/8/8/P7/4K3 w - - 0 1", "d2"),
        (Term::Hanging, "4k3/8/8/3n4/8/2N5/P7/4K3 w - - 0 1", "4k3/8/4p3/3n4/8/2N5/P7/4K3 w - - 0 1", "d5"),
        (Term::ThreatByPush, "4k3/8/2n5/8/3P4/8/8/4K3 w - - 0 1", "4k3/8/8/8/2n5/3P4/8/4K3 b - - 0 1", "c6"),
    ] {
        assert_seen(term, with, without, squares);
    }
}

#[test]
fn space_and_tempo() {
    let wide = "r1bqkb1r/8/8/8/2PPPP2/8/8/R1BQKB1R w - - 0 1";
    let narrow = "r1bqkb1r/8/8/8/8/8/2PPPP2/R1BQKB1R w - - 0 1";
    assert!(count(wide, Term::Space) > count(narrow, Term::Space));

    let start = Position::startpos();
    assert_eq!(seen(&start, Term::Tempo, Color::White).0, 1);
    assert_eq!(seen(&start, Term::Tempo, Color::Black).0, 0);
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
    assert!(knight.value > 0, "{knight:?}");
}

#[test]
fn causes_of_danger() {
    // A term counts more often for White's king in the first position.
    let quiet = "r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 w - - 0 1";
    let knight = "r4rk1/5ppp/8/8/6n1/8/5PPP/R4RK1 w - - 0 1";
    for (term, with, without) in [
        (Term::RingAttacker, knight, quiet),
        (Term::RingAttack, knight, quiet),
        (Term::WeakRing, knight, quiet),
        (Term::WingAttack, knight, quiet),
        // The knight on f4 could check on e2 and h3, which the bishop and the pawn hold.
        (Term::UnsafeCheck, "r4rk1/5ppp/8/8/5n2/8/5PPP/R2B1RK1 w - - 0 1", quiet),
        (Term::PinnedPiece, "r4rk1/5ppp/8/2b5/8/8/5PPP/R4RK1 w - - 0 1", quiet),
        (Term::OpenFileNearKing, "r4rk1/5ppp/8/8/8/8/5P1P/R4RK1 w - - 0 1", quiet),
        (Term::WingDefence, "r4rk1/5ppp/8/8/8/5N2/5PPP/R4RK1 w - - 0 1", quiet),
        (Term::KnightDefender, "r4rk1/5ppp/8/8/8/8/5PPP/R4NK1 w - - 0 1", quiet),
        (Term::NoQueen, quiet, "r2q1rk1/5ppp/8/8/8/8/5PPP/R4RK1 w - - 0 1"),
    ] {
        assert!(count(with, term) > count(without, term), "{term:?} is not seen in {with}");
    }
    assert_eq!(count(quiet, Term::DangerBase), 1);
}

#[test]
fn degrees_choose_the_weight() {
    // Squares of a knight begin at 64, those for kings on different wings at 6 * 64.
    for (term, fen, expected) in [
        (Term::Material, "4k3/p7/8/8/8/8/P7/4K1R1 w - - 0 1", &[(0, 1), (3, 1)][..]),
        (Term::KnightMobility, "4k3/p7/8/8/8/8/P7/N3K3 w - - 0 1", &[(2, 1)]),
        (Term::KnightMobility, "4k3/p7/8/8/3N4/8/P7/4K3 w - - 0 1", &[(8, 1)]),
        (Term::BishopMobility, "4k3/7p/8/8/8/8/7P/B3K3 w - - 0 1", &[(7, 1)]),
        (Term::BishopMobility, "4k3/7p/8/8/3P4/8/1P5P/B3K3 w - - 0 1", &[(0, 1)]),
        (Term::RookMobility, "4k3/p7/8/8/8/P7/1P6/RN2K3 w - - 0 1", &[(2, 1)]),
        (Term::RookMobility, "4k3/p7/8/8/8/P7/1P6/1N1RK3 w - - 0 1", &[(9, 1)]),
        (Term::QueenMobility, "4k3/p7/8/8/8/8/PP6/QN2K3 w - - 0 1", &[(1, 1)]),
        (Term::PassedOwnKing, "7k/p7/8/3P4/8/8/8/7K w - - 0 1", &[(5, 2)]),
        (Term::PassedOwnKing, "7k/p7/8/3P4/4K3/8/8/8 w - - 0 1", &[(2, 2)]),
        (Term::PassedEnemyKing, "8/p2k4/8/3P4/8/8/8/7K w - - 0 1", &[(1, 2)]),
        (Term::PassedEnemyKing, "7k/p7/8/3P4/8/8/8/7K w - - 0 1", &[(4, 2)]),
        (Term::PassedSupportedStep, "6k1/8/8/P7/8/8/7b/4K1N1 w - - 0 1", &[]),
        (Term::PassedSupportedStep, "6k1/8/8/PK6/8/8/7b/6N1 w - - 0 1", &[(3, 1)]),
        (Term::MinorFarFromKing, "4k3/p7/8/3N4/8/8/P7/4K3 w - - 0 1", &[(0, 4)]),
        (Term::MinorFarFromKing, "4k3/p7/8/8/8/4N3/P7/4K3 w - - 0 1", &[(0, 2)]),
        (Term::Shelter, "6k1/5ppp/8/8/6P1/8/5P1P/6K1 w - - 0 1", &[(1, 1), (10, 1), (15, 1)]),
        (Term::Shelter, "6k1/5ppp/8/8/8/8/5P1P/6K1 w - - 0 1", &[(1, 1), (7, 1), (15, 1)]),
        (Term::Storm, "6k1/5p1p/8/8/8/6p1/5P1P/6K1 w - - 0 1", &[(6, 1), (9, 1), (20, 1)]),
        (Term::StormBlocked, "6k1/5p1p/8/8/8/6p1/5PPP/6K1 w - - 0 1", &[(2, 1)]),
        (Term::StormBlocked, "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", &[]),
        (Term::KingFromPawns, "4k3/p7/8/8/8/8/P7/7K w - - 0 1", &[(0, 7)]),
        (Term::KingFromPawns, "4k3/p7/8/8/8/2K5/P7/8 w - - 0 1", &[(0, 2)]),
    ] {
        assert_eq!(weights(fen, term), expected, "{term:?} in {fen}");
    }
    for (term, less, more) in [
        (Term::ThreatOnQueen, "4k3/8/8/3q4/8/8/P7/4K1N1 w - - 0 1", "4k3/8/8/3q4/8/8/P3N3/4K3 w - - 0 1"),
        (Term::Restricted, "4k1n1/p7/8/8/8/8/P7/4K1N1 w - - 0 1", "4k3/p7/5n2/8/8/2N5/P7/4K3 w - - 0 1"),
    ] {
        assert!(count(more, term) > count(less, term), "{term:?}");
    }
}

#[test]
fn squares_are_turned_by_the_kings() {
    let d4 = Square::D4.index();
    let knight_square = |fen| {
        let uses = weights(fen, Term::Placement);
        uses.iter().map(|(index, _)| *index).find(|index| index / 64 % 6 == 1)
    };
    assert_eq!(knight_square("4k3/p7/8/8/3N4/8/P7/4K3 w - - 0 1"), Some(64 + d4));
    assert_eq!(knight_square("2k5/p7/8/8/3N4/8/P7/4K3 w - - 0 1"), Some(7 * 64 + d4), "kings on both wings");
    assert_eq!(knight_square("2k5/p7/8/8/3N4/8/P7/2K5 w - - 0 1"), Some(64 + Square::E4.index()), "mirrored");
}

#[test]
fn pieces_together_and_against_each_other() {
    let bare = "4k3/8/8/8/8/8/1N6/4K3 w - - 0 1";
    let rich = "r2qk2r/pppp4/8/8/8/8/PPPP4/RN1QK1NR w - - 0 1";
    for term in [Term::SameKind, Term::OwnPairs, Term::EnemyPairs] {
        assert!(count(rich, term) > 0, "{term:?}");
        assert_eq!(count(bare, term), 0, "{term:?}");
    }
}

#[test]
fn progress_has_its_causes() {
    let has = |fen, cause| {
        let explanation = explain(&position(fen));
        explanation.items.iter().any(|item| item.term == Term::Initiative && item.index == cause)
    };
    let both_wings = 3;
    assert!(!has("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", both_wings));
    assert!(has("6k1/p5pp/8/8/8/8/PP4PP/6K1 w - - 0 1", both_wings));
    let only_pawns = 6;
    assert!(has("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", only_pawns));
    assert!(!has("6k1/5ppp/8/8/8/8/5PPP/5RK1 w - - 0 1", only_pawns));
}
