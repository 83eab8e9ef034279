//! Explanations in words: what is said follows from the items, whatever the weights are.

use chess::random::Random;
use chess::{Bitboard, Color, Position, Square};
use eval::{Explanation, Status, Term, explain};

fn explained(fen: &str) -> Explanation {
    explain(&Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// The squares that a text names.
fn named_squares(text: &str) -> Bitboard {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse::<Square>().ok()).fold(Bitboard::EMPTY, Bitboard::with)
}

#[test]
fn words_name_only_squares_that_count() {
    let mut random = Random::new(5);
    for _ in 0..40 {
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
            let explanation = explain(&position);
            let words = explanation.in_words();
            assert!(!words.contains(['{', '[', '|']) && words.ends_with('.'), "{words}");
            let reasons = explanation.items.iter().fold(Bitboard::EMPTY, |all, item| all | item.squares);
            assert_eq!(named_squares(&words) & !reasons, Bitboard::EMPTY, "{words} {}", position.to_fen());
        }
    }
}

#[test]
fn mirrored_colours_say_the_same_of_the_other_side() {
    let fen = "r4rk1/ppp2p2/8/8/4n1q1/8/PPP2PPP/R2B1RK1 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    let (one, other) = (explain(&position), explain(&position.mirrored()));
    assert_eq!(one.white_view, -other.white_view);
    let side = |words: &str| words.split(' ').next().map(str::to_owned);
    assert_ne!(side(&one.in_words()), side(&other.in_words()));
}

#[test]
fn the_balance_of_material_is_told_in_pieces() {
    let words = explained("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").in_words();
    assert!(words.starts_with("White is winning, +") && words.contains("White is a queen up"), "{words}");
    let words = explained("4k1nr/5ppp/8/8/8/8/5P2/4K1N1 b - - 0 1").in_words();
    assert!(words.contains("Black is a rook and two pawns up"), "{words}");
}

#[test]
fn a_side_in_check_or_without_a_move_is_told_so() {
    for (fen, status, said) in [
        ("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1", Status::Check, "White is in check"),
        ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", Status::Checkmate, "Black is checkmated"),
        ("k7/8/1Q6/8/8/8/8/4K3 b - - 0 1", Status::Stalemate, "Black is stalemated"),
    ] {
        let explanation = explained(fen);
        assert_eq!(explanation.status, status, "{fen}");
        let words = explanation.in_words();
        assert!(words.contains(said), "{words}");
    }
}

#[test]
fn known_endings_are_told_by_name() {
    for (fen, said) in [
        ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "A draw: neither side can force mate"),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "White wins, +"),
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", "A draw: Black holds White's pawn."),
        ("4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1", "in a corner of the bishop's colour"),
        ("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "Black wins, -"),
    ] {
        let words = explained(fen).in_words();
        assert!(words.contains(said), "{words}");
    }
}

#[test]
fn a_piece_that_shields_the_enemy_from_check_is_marked() {
    // Without the knight on e5 White, who is not to move, would be in check from e8.
    let explanation = explained("k3r3/8/8/4n3/8/8/P7/4K3 b - - 0 1");
    let marked: Vec<_> =
        explanation.pieces.iter().filter(|piece| piece.illegal_without.is_some()).map(|p| p.square).collect();
    assert_eq!(marked, [Square::E5]);
}

#[test]
fn terms_and_groups_agree() {
    let explanation = explained("r2q1rk1/ppp2ppp/2n1bn2/2bpp3/4P3/2PP1N2/PPBN1PPP/R1BQ1RK1 w - - 0 9");
    let tempo = explanation.terms.iter().find(|score| score.term == Term::Tempo).unwrap();
    let group = explanation.groups.iter().find(|score| score.group == Term::Tempo.group()).unwrap();
    assert_eq!(tempo.sides, group.sides);
    let doubled = explanation.clone().in_centipawns(|units| 2 * units);
    assert_eq!(doubled.white_view, 2 * explanation.white_view);
    for color in Color::ALL {
        let side = color.index();
        assert_eq!(doubled.terms[0].sides[side].end_game, 2 * explanation.terms[0].sides[side].end_game);
    }
}
