//! Endings that are known, and advantages that are hard to win with.

use chess::{Color, Position};
use eval::{Evaluator, explain};

fn white_view(fen: &str) -> i32 {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let value = Evaluator::new().evaluate(&position);
    if position.turn() == Color::White { value } else { -value }
}

#[test]
fn material_that_cannot_mate_is_a_draw() {
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 b - - 0 1",
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1",
        "4k1n1/8/8/8/8/8/8/3BK3 w - - 0 1",
    ] {
        assert_eq!(white_view(fen), 0, "{fen}");
    }
}

#[test]
fn known_wins_are_above_any_lead() {
    for fen in [
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1",
        "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1",
    ] {
        assert!(white_view(fen) > 4500, "{fen}");
    }
}

#[test]
fn the_lone_king_is_driven_to_the_rim() {
    let middle = white_view("8/8/8/3k4/8/8/4K3/2R5 w - - 0 1");
    let rim = white_view("3k4/8/8/8/8/8/4K3/2R5 b - - 0 1");
    let close = white_view("3k4/8/3K4/8/8/8/8/R7 w - - 0 1");
    assert!(middle < rim && rim < close);
}

#[test]
fn bishop_and_knight_drive_to_the_right_corner() {
    // The light-squared bishop mates on a8 and h1. The king is led from the wrong corner h8 along the rim.
    let steps = [
        "7k/8/5K2/8/8/8/8/1N3B2 w - - 0 1",
        "5k2/8/5K2/8/8/8/8/1N3B2 w - - 0 1",
        "3k4/8/5K2/8/8/8/8/1N3B2 w - - 0 1",
    ]
    .map(white_view);
    assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    assert!(white_view("k7/8/1K6/8/8/8/8/1N3B2 w - - 0 1") > white_view("7k/8/6K1/8/8/8/8/1N3B2 w - - 0 1"));
}

#[test]
fn one_pawn_wins_or_draws() {
    assert_eq!(white_view("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1").signum(), 1, "the king on the sixth rank wins");
    assert_eq!(white_view("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), 0, "the defender takes the opposition");
    assert_eq!(white_view("k7/8/K7/P7/8/8/8/8 w - - 0 1"), 0, "a rook's pawn");
    assert_eq!(white_view("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1").signum(), -1, "the same for Black");
}

#[test]
fn the_wrong_bishop_does_not_help_a_rook_pawn() {
    let wrong = white_view("k7/8/8/P1K5/8/8/8/2B5 w - - 0 1");
    let right = white_view("k7/8/8/P1K5/8/8/8/3B4 w - - 0 1");
    assert!(wrong.abs() < 60, "{wrong}");
    assert!(right > 250, "{right}");
}

#[test]
fn drawish_endings_are_scaled_down() {
    let scale = |fen: &str| explain(&Position::from_fen(fen).unwrap()).scale;
    let full = eval::FULL_SCALE;
    assert!(scale("4kb2/5p2/8/8/8/8/PP3P2/4KB2 w - - 0 1") < full / 2, "opposite bishops");
    assert!(scale("4kn2/8/8/8/8/8/8/R3K3 w - - 0 1") < full / 4, "rook against knight");
    assert_eq!(scale("4k3/5p2/8/8/8/8/8/2B1K3 w - - 0 1"), 0, "a minor piece alone does not win");
    assert!(scale("4kr2/8/8/8/8/8/8/3QK3 w - - 0 1") == full, "queen against rook wins");
    assert!(scale("8/8/8/8/7Q/K7/5p2/6k1 w - - 0 1") < full / 4, "a bishop's pawn on the seventh");
    assert!(scale("6k1/5p2/4r3/8/4K3/8/8/7Q w - - 0 1") < full / 4, "the fortress of rook and pawn");
}
