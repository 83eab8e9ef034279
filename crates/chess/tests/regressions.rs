//! Defects found once, each named and kept from coming back.

use chess::{Epd, FenError, Position, PositionError};

#[test]
fn pawn_and_slider_accepted_as_double_check_on_one_line() {
    for fen in ["4Q3/4Pk2/6P1/8/4K3/8/8/b7 b - - 0 1", "4k3/8/8/8/8/3p4/4K3/5q2 w - - 0 1"] {
        let error = Position::from_fen(fen).unwrap_err();
        assert!(
            matches!(error, FenError::Position(PositionError::ImpossibleDoubleCheck { .. })),
            "{fen}: {error}"
        );
    }
}

#[test]
fn well_known_en_passant_position_stays_accepted() {
    // Before d7-d5 the bishop gave check over d5; no game has this, but every perft suite does.
    let position = Position::from_fen("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1").unwrap();
    assert_eq!(position.en_passant(), None, "the pawn on c5 may not open the diagonal again");
}

#[test]
fn suffix_joined_to_an_empty_move_became_a_suffix_again() {
    let epd = Epd::parse("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2 \"\" \"+\";").unwrap();
    let again = Epd::parse(&epd.to_string()).unwrap();
    assert_eq!((&again.operations, again.warnings.len()), (&epd.operations, 0));
}
