use crate::for_each_move_of_random_games;
use chess::{
    Bitboard, Color, FenError, FenStyle, Piece, Position, PositionError, Rank, Role, Setup, Square,
    Strictness,
};
use proptest::prelude::*;

/// Malformed or illegal FENs, each with the message it must give.
const BAD: &[(&str, &str)] = &[
    ("", "missing board: a FEN has six fields, or four without the clocks"),
    ("   ", "missing board: a FEN has six fields, or four without the clocks"),
    ("4k3/8/8/8/8/8/8/4K3", "missing side to move: a FEN has six fields, or four without the clocks"),
    ("4k3/8/8/8/8/8/8/4K3 w", "missing castling rights: a FEN has six fields, or four without the clocks"),
    (
        "4k3/8/8/8/8/8/8/4K3 w -",
        "missing en passant square: a FEN has six fields, or four without the clocks",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0", "missing move number: a FEN has six fields, or four without the clocks"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "\"extra\" follows after the move number, the last field"),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "the board needs 8 ranks, and has 7"),
    ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "the board needs 8 ranks, and has 9"),
    ("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "the board needs 8 ranks, and has 9"),
    ("4k3/8/8/4p4/8/8/8/4K3 w - - 0 1", "rank 5 has 9 squares, not 8"),
    ("4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1", "rank 5 has 9 squares, not 8"),
    ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "rank 5 has 7 squares, not 8"),
    ("4k3/8//8/8/8/8/4K3 w - - 0 1", "rank 6 has 0 squares, not 8"),
    ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "rank 5 has 'x', which is no piece"),
    ("4k3/8/8/8/8/8/8/4♔3 w - - 0 1", "rank 1 has '♔', which is no piece"),
    ("4k3/8/8/8/\t8/8/8/4K3 w - - 0 1", "rank 4 has '\\t', which is no piece"),
    ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has the digit 9, but empty squares are counted 1 to 8"),
    ("4k3/80/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has the digit 0, but empty squares are counted 1 to 8"),
    ("4k3/8/44/8/8/8/8/4K3 w - - 0 1", "rank 6 has the digits 4 and 4 in a row: write one number"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is \"x\", not w or b"),
    ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "the side to move is \"W\", not w or b"),
    (
        "4k3/8/8/8/8/8/8/4K3 abcdefghijklmnopqrstuvwxyz - - 0 1",
        "the side to move is \"abcdefghijklmnopqrstuvwx...\", not w or b",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w X - 0 1",
        "'X' is no castling right: they are K, Q, k, q, a file from A to H or a to h, or - for none",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w K- - 0 1",
        "'-' is no castling right: they are K, Q, k, q, a file from A to H or a to h, or - for none",
    ),
    ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling right K is given twice"),
    ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling right H is given twice"),
    ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "castling right K without a rook on the h-file"),
    ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling right Q without a rook on the a-file"),
    ("4k2R/8/8/8/8/8/8/4K3 b k - 0 1", "castling right k without a rook on the h-file"),
    ("1k6/8/8/8/8/8/8/RK6 w K - 0 1", "castling right K without a rook on that side of the king on b1"),
    ("4k3/8/8/8/8/8/8/R3K3 w G - 0 1", "castling right G without a rook on the g-file"),
    ("r3k3/8/8/8/8/8/8/4K3 w A - 0 1", "castling right A without a rook on the a-file"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "the en passant square is \"e9\", not a square or -"),
    ("4k3/8/8/8/8/8/8/4K3 w - e 0 1", "the en passant square is \"e\", not a square or -"),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "the halfmove clock is \"x\", not a number from 0 to 65535"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "the halfmove clock is \"-1\", not a number from 0 to 65535"),
    ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "the halfmove clock is \"+1\", not a number from 0 to 65535"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "the halfmove clock is \"65536\", not a number from 0 to 65535"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.", "the move number is \"1.\", not a number from 1 to 65535"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "the move number is \"0\", not a number from 1 to 65535"),
    (
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 1",
        "en passant square d6, but the halfmove clock of 1 says that no pawn has just moved",
    ),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
    ("4k3/8/8/8/8/8/8/8 w KQ - 0 1", "castling right K without a rook on the h-file"),
    ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "side not to move is in check: Black's king can be taken"),
    ("4k3/8/8/8/8/PP6/PPPPPPPP/RNBQKBNR w - - 0 1", "White has 18 pieces, more than 16"),
    ("4k3/ppppppp1/pp6/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns, more than 8"),
    ("4k3/8/8/8/8/8/PPPPPPP1/QQQ1K3 w - - 0 1", "White has 2 promoted pieces but only 1 missing pawns"),
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on h8, where none can"),
    ("4k3/8/8/8/4r3/3n1n2/8/4K3 w - - 0 1", "White is in check from 3 pieces at once"),
    (
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
        "White is in check from d3 and f3 at once, which no move can bring about",
    ),
    (
        "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
        "castling right for White, but its king on e2 is not on its first rank",
    ),
    (
        "k6r/8/8/8/8/8/8/4K3 w k - 0 1",
        "castling right for Black, but its king on a8 stands in the corner beyond every rook",
    ),
    (
        "4k3/8/8/8/8/8/8/4K1RR w GH - 0 1",
        "two castling rights for White on the same side of its king: g1 and h1",
    ),
    (
        "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1",
        "en passant square e3 is not on the sixth rank, where Black's pawns pass",
    ),
    ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "en passant square d6 without a pawn that has just passed it"),
    ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant square d6, but d7 is not empty"),
    (
        "4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1",
        "en passant square d6, but the check from a1 was there before that pawn moved",
    ),
];

#[test]
fn every_bad_fen_is_refused_with_its_reason() {
    for &(fen, message) in BAD {
        match Position::from_fen(fen) {
            Ok(_) => panic!("accepted {fen:?}"),
            Err(error) => assert_eq!(error.to_string(), message, "{fen:?}"),
        }
    }
}

/// FENs that can be played after a repair: what is read, and what is reported.
const REPAIRED: &[(&str, &str, &[&str])] = &[
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["clock left out: the move number is \"0\", not a number from 1 to 65535"],
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 5", "4k3/8/8/8/8/8/8/4K3 w - - 5 1", &["missing move number taken to be 1"]),
    (
        "4k3/8/8/8/8/8/8/4K3 b -",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        &["missing en passant square taken to be -"],
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 b - 3 20",
        "4k3/8/8/8/8/8/8/4K3 b - - 3 20",
        &["missing en passant square taken to be -"],
    ),
    (
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &[
            "missing side to move taken to be w",
            "missing castling rights taken to be -",
            "missing en passant square taken to be -",
        ],
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R BLACK KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R b K - 0 1",
        &[
            "the side to move \"BLACK\" is read as b",
            "castling right left out: castling right Q without a rook on the a-file",
            "castling right left out: castling right k without a rook on the h-file",
            "castling right left out: castling right q without a rook on the a-file",
        ],
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["en passant square left out: en passant square e6 without a pawn that has just passed it"],
    ),
    (
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 9",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9",
        &["halfmove clock of 1 set to 0, as a pawn has just passed d6"],
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Kd2; id \"x\";",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["\"bm Kd2; id \\\"x\\\";\" after the position is left out"],
    ),
    (
        "4k3/8/44/8/8/8/8/4K3\tw\t-\t-\t0\t1\0",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["digits in a row are added up: rank 6 has the digits 4 and 4 in a row: write one number"],
    ),
    (
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        &[
            "no game can lead to this position: Black is in check from h1 and a8 at once, which no move can bring about",
        ],
    ),
    (
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        &["no game can lead to this position: White has 9 pawns, more than 8"],
    ),
    (
        "4k3/8/8/8/4r3/3n1n2/8/4K3 w - - 0 1",
        "4k3/8/8/8/4r3/3n1n2/8/4K3 w - - 0 1",
        &["no game can lead to this position: White is in check from 3 pieces at once"],
    ),
];

#[test]
fn what_can_be_played_is_repaired_with_a_warning() {
    for &(fen, repaired, warnings) in REPAIRED {
        let reading =
            Position::read_fen(fen, Strictness::Lenient).unwrap_or_else(|error| panic!("{fen:?}: {error}"));
        assert_eq!(reading.position.to_fen(), repaired, "{fen:?}");
        reading.position.assert_consistent();
        let messages: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(messages, warnings, "{fen:?}");
        assert!(Position::read_fen(fen, Strictness::Strict).is_err(), "{fen:?}");
    }
}

#[test]
fn what_cannot_be_played_is_refused_with_patience_too() {
    for fen in [
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/PP6/PPPPPPPP/RNBQKBNR w - - 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "",
        "hello",
    ] {
        let strict = Position::from_fen(fen).expect_err(fen);
        assert_eq!(Position::read_fen(fen, Strictness::Lenient), Err(strict), "{fen:?}");
    }
}

#[test]
fn fifteen_queens_have_room_for_their_moves() {
    let fen = "kn6/nn5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/K1Q1Q2Q w - - 0 1";
    let position = Position::read_fen(fen, Strictness::Lenient).expect("playable").position;
    assert!(position.legal_moves().len() > 150);
}

#[test]
fn sound_fens_are_read_alike_by_both() {
    for_each_move_of_random_games(0x1e41, 20, |before, mv| {
        let fen = before.setup_after(mv).to_fen();
        let reading = Position::read_fen(&fen, Strictness::Lenient).expect("sound");
        assert_eq!((Ok(reading.position), reading.warnings.len()), (Position::from_fen(&fen), 0), "{fen}");
    });
}

#[test]
fn illegal_positions_keep_their_typed_reason() {
    let error = "4k3/8/8/8/8/8/8/3KK3 w - - 0 1".parse::<Position>();
    assert_eq!(error, Err(FenError::Position(PositionError::Kings { color: Color::White, count: 2 })));
    // The text itself is sound.
    assert!("4k3/8/8/8/8/8/8/3KK3 w - - 0 1".parse::<Setup>().is_ok());
}

#[test]
fn spaces_are_let_pass_but_no_other_separator() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 3 9";
    let loose = "\t 4k3/8/8/8/8/8/8/4K3  w -   - 3 9 \r\n";
    assert_eq!(Position::from_fen(loose), Position::from_fen(fen));
    assert!(Position::from_fen(&fen.replace(' ', "\t")).is_err());
    assert!(Position::from_fen(&fen.replace(' ', "_")).is_err());
}

#[test]
fn en_passant_squares_stay_only_where_a_capture_is_legal() {
    let kept = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    assert_eq!(Position::from_fen(kept).unwrap().to_fen(), kept);
    let useless = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2";
    assert_eq!(Position::from_fen(useless).unwrap().to_fen(), useless.replace("d6", "-"));
    // Both pawns would leave the rank of king and rook.
    let pinned = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2";
    assert_eq!(Position::from_fen(pinned).unwrap().to_fen(), pinned.replace("d6", "-"));
}

#[test]
fn castling_letters_mean_the_outermost_rook() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/RR2KR1R w KQ - 0 1").unwrap();
    assert_eq!(position.castling_rooks(), Square::A1.bitboard() | Square::H1.bitboard());
    let inner = Position::from_fen("4k3/8/8/8/8/8/8/RR2KR1R w FB - 0 1").unwrap();
    assert_eq!(inner.castling_rooks(), Square::B1.bitboard() | Square::F1.bitboard());
    assert_eq!(inner.to_fen(), "4k3/8/8/8/8/8/8/RR2KR1R w FB - 0 1");
}

#[test]
fn random_games_round_trip_in_every_style_and_convention() {
    let mut double_steps = 0;
    for_each_move_of_random_games(0x5eed, 150, |before, mv| {
        let position = before.after(mv);
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            assert_eq!(Position::from_fen(&position.to_fen_with(style)), Ok(position));
        }
        let setup = before.setup_after(mv);
        let old_style = setup.to_fen();
        assert_eq!(Setup::from_fen(&old_style), Ok(setup.clone()));
        assert_eq!(Position::from_fen(&old_style), Ok(position), "{old_style}");

        let is_pawn = before.piece_on(mv.from()).is_some_and(|piece| piece.role() == Role::Pawn);
        let ranks = mv.from().rank().index().abs_diff(mv.to().rank().index());
        let is_double_step = is_pawn && ranks == 2;
        assert_eq!(setup.en_passant.is_some(), is_double_step);
        double_steps += u32::from(is_double_step);
    });
    assert!(double_steps > 500);
}

prop_compose! {
    /// Any setup that a FEN can express, sensible or not.
    fn any_setup()(
        pieces in prop::collection::vec(prop::option::of(0..Piece::COUNT), 64),
        black in any::<bool>(),
        rights in any::<u64>(),
        en_passant in prop::option::of(0..64usize),
        halfmove_clock in any::<u16>(),
        fullmove_number in 1..=u16::MAX,
    ) -> Setup {
        let mut setup = Setup::empty();
        for (square, piece) in setup.board.iter_mut().zip(pieces) {
            *square = piece.map(|index| Piece::ALL[index]);
        }
        for color in Color::ALL {
            for square in Rank::First.relative_to(color).bitboard() {
                if setup.board[square.index()] == Some(Piece::new(color, Role::Rook)) {
                    setup.castling_rooks |= square.bitboard() & Bitboard(rights);
                }
            }
        }
        setup.turn = if black { Color::Black } else { Color::White };
        setup.en_passant = en_passant.map(Square::from_index);
        setup.halfmove_clock = halfmove_clock;
        setup.fullmove_number = fullmove_number;
        setup
    }
}

proptest! {
    #[test]
    fn any_setup_round_trips(setup in any_setup()) {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            prop_assert_eq!(&Setup::from_fen(&setup.to_fen_with(style)).unwrap(), &setup);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in "\\PC*") {
        let _ = Position::from_fen(&text);
        let _ = Position::read_fen(&text, Strictness::Lenient);
    }

    #[test]
    fn what_is_read_round_trips(
        ranks in prop::collection::vec("8|[pnbrqkPNBRQK]{8}|[rkRKq]{5}3|4[prkPRK]{4}|[rR]2[kK]3[rR]", 8),
        rest in "[wb] (-|[KQkqAHah]{1,2}) (-|[a-h][1-8])( [0-9]{1,4} [1-9][0-9]{0,3})?",
    ) {
        if let Ok(setup) = Setup::from_fen(&format!("{} {rest}", ranks.join("/"))) {
            prop_assert_eq!(Setup::from_fen(&setup.to_fen()), Ok(setup));
        }
    }
}
