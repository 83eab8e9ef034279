//! Every motif is found where it is, and not where it only looks like it.

use chess::{Move, Position};
use coach::{Line, Motif, motif};

/// A line from moves in algebraic notation; a move before the bar is the opponent's that led to it.
fn line(fen: &str, moves: &str) -> Line {
    let (lead_in, solution) = moves.split_once('|').unwrap_or(("", moves));
    let read = |position: &mut Position, san: &str| {
        let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{fen} {san}: {error}"));
        position.play(mv);
        mv
    };
    let before: Position = fen.parse().unwrap();
    let mut position = before;
    let first = lead_in.split_whitespace().map(|san| read(&mut position, san)).last();
    let start = position;
    let moves: Vec<Move> = solution.split_whitespace().map(|san| read(&mut position, san)).collect();
    let line = Line::new(start, moves);
    match first {
        Some(mv) => line.with_lead_in(before, mv),
        None => line,
    }
}

fn found(fen: &str, moves: &str) -> Vec<Motif> {
    motif::find(&line(fen, moves)).into_iter().map(|finding| finding.motif).collect()
}

#[test]
fn every_motif_is_found() {
    let examples: &[(Motif, &str, &str)] = &[
        (Motif::Fork, "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8"),
        (Motif::Pin, "4k3/8/8/4n3/8/8/8/R5K1 w - - 0 1", "Re1 Kd7 Rxe5"),
        (Motif::RelativePin, "3q2k1/8/5n2/8/4R3/8/8/2B3K1 w - - 0 1", "Bg5 Kg7 Bxf6+"),
        (Motif::Skewer, "4q3/8/4k3/8/8/8/8/R6K w - - 0 1", "Re1+ Kd7 Rxe8"),
        (Motif::DiscoveredAttack, "3q3k/8/8/3B4/8/8/8/3R3K w - - 0 1", "Bf7 Kg7 Rxd8"),
        (Motif::DiscoveredCheck, "4k3/8/8/8/4N3/8/8/4R2K w - - 0 1", "Nc3+ Kd7 Nb5"),
        (Motif::DoubleCheck, "4k3/8/8/8/4N3/8/8/4R2K w - - 0 1", "Nf6+ Kd8 Nh5"),
        (Motif::XRay, "4r1k1/5ppp/8/4r3/Q7/8/8/4R1K1 w - - 0 1", "Qxe8+ Rxe8 Rxe8#"),
        (Motif::HangingPiece, "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5"),
        (Motif::Outnumbered, "3rk3/8/8/3n4/8/4N3/8/3RK3 w - - 0 1", "Nxd5"),
        (Motif::TrappedPiece, "4k3/8/8/8/8/1P6/b1P5/2K4R w - - 0 1", "Kb2 Ke7 Kxa2"),
        (Motif::Sacrifice, "6k1/6pp/8/8/8/7Q/8/6K1 w - - 0 1", "Qxh7+ Kxh7 Kf2"),
        (Motif::RemovalOfDefender, "6k1/8/2n5/8/3b4/8/3R4/4K2B w - - 0 1", "Bxc6 Kf7 Rxd4"),
        (Motif::Deflection, "3r2k1/5ppp/8/3n4/8/8/8/3QR1K1 w - - 0 1", "Re8+ Rxe8 Qxd5"),
        (Motif::Overload, "1b1r2k1/5ppp/8/3n4/8/8/8/1R1Q2K1 w - - 0 1", "Rxb8 Rxb8 Qxd5"),
        (Motif::Attraction, "6k1/5pp1/8/4Q3/8/8/8/6KR w - - 0 1", "Rh8+ Kxh8 Qh5+"),
        (Motif::Interference, "3r2k1/8/8/8/8/4N3/2Rb4/6K1 w - - 0 1", "Nd5 Kf7 Rxd2"),
        (Motif::Clearance, "6k1/p4ppp/8/8/8/3B4/8/3R2K1 w - - 0 1", "Ba6 h6 Rd8+"),
        (Motif::Intermezzo, "4k3/8/2n5/8/3P4/8/4B3/3QK3 b - - 0 1", "Nxd4|Bh5+ Kf8 Qxd4"),
        (Motif::QuietMove, "6k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1", "Rc2 h6 Rc8+"),
        (Motif::DefensiveMove, "4k3/8/8/8/8/8/r7/6K1 b - - 0 1", "Ra1+|Kg2"),
        (Motif::AdvancedPawn, "8/8/P6k/8/8/8/8/K7 w - - 0 1", "a7"),
        (Motif::Promotion, "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q"),
        (Motif::UnderPromotion, "8/5P1k/8/8/8/8/8/K7 w - - 0 1", "f8=N+"),
        (Motif::EnPassant, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5|exd6"),
        (Motif::Castling, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"),
        (Motif::AttackingF2F7, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "Qxf7#"),
        (Motif::Mate, "7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "Rh7#"),
        (Motif::BackRankMate, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#"),
        (Motif::SmotheredMate, "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "Nf7#"),
        (Motif::ArabianMate, "7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "Rh7#"),
        (Motif::AnastasiaMate, "8/4N1pk/8/8/8/6K1/8/R7 w - - 0 1", "Rh1#"),
        (Motif::HookMate, "R7/4kp2/3ppN2/6P1/8/8/8/6K1 w - - 0 1", "Re8#"),
        (Motif::BodenMate, "2kr4/3p4/2p5/8/5B2/8/4B3/6K1 w - - 0 1", "Ba6#"),
        (Motif::DoubleBishopMate, "1B5k/7p/8/3B4/8/8/8/6K1 w - - 0 1", "Be5#"),
        (Motif::DovetailMate, "8/8/8/3pk1P1/4p3/8/8/5QK1 w - - 0 1", "Qf6#"),
        (Motif::SwallowsTailMate, "2B5/8/Q7/4k3/3p1p2/8/8/6K1 w - - 0 1", "Qe6#"),
        (Motif::EpauletteMate, "3rkr2/8/8/8/2Q5/8/8/6K1 w - - 0 1", "Qe6#"),
    ];
    for (motif, fen, moves) in examples {
        let found = found(fen, moves);
        assert!(found.contains(motif), "{motif:?} in {fen} {moves}: {found:?}");
    }
}

#[test]
fn what_only_looks_like_a_motif_is_none() {
    let examples: &[(Motif, &str, &str)] = &[
        // The knight is simply taken.
        (Motif::Fork, "r3k3/1b6/8/3N4/8/8/8/4K3 w - - 0 1", "Nb6 Ke7 Nxa8"),
        (Motif::Fork, "r2qk3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Qxc7"),
        // It is defended.
        (Motif::HangingPiece, "3rk3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 Rxd5"),
        // As many defend as attack.
        (Motif::Outnumbered, "3rk3/8/4p3/3n4/8/4N3/8/3RK3 w - - 0 1", "Nxd5 exd5"),
        // The attacked piece takes something as good.
        (Motif::TrappedPiece, "4k3/8/8/8/8/1B6/b1P5/2K4R w - - 0 1", "Kb2 Bxb3 cxb3"),
        // The king could take back: no back-rank mate without its own pawns in the way.
        (Motif::BackRankMate, "6k1/8/6K1/8/8/8/8/3R4 w - - 0 1", "Rd8#"),
        (Motif::SmotheredMate, "7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "Rh7#"),
    ];
    for (motif, fen, moves) in examples {
        let found = found(fen, moves);
        assert!(!found.contains(motif), "{motif:?} in {fen} {moves}: {found:?}");
    }
}
