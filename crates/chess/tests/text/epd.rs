use crate::for_each_move_of_random_games;
use chess::{
    Epd, EpdOperation, EpdScore, EpdWarning, FenError, FenField, FenWarning, File, Move, Position, Square,
};
use proptest::prelude::*;

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

/// Asserts that what is written says the same, and says it without fault.
pub(crate) fn assert_round_trip(epd: &Epd) {
    let written = epd.to_string();
    let again = Epd::parse(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again.position, epd.position, "{written}");
    assert_eq!(again.operations, epd.operations, "{written}");
    let is_doubt = |warning: &EpdWarning| matches!(warning, EpdWarning::Fen(FenWarning::Unreachable(_)));
    assert!(again.warnings.iter().all(is_doubt), "{written}: {:?}", again.warnings);
    assert_eq!(again.to_string(), written);
}

/// Reads a line that needs repair, which must give exactly these messages and this clean line.
fn assert_repaired(line: &str, clean: &str, warnings: &[&str]) {
    let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let messages: Vec<String> = epd.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(messages, warnings, "{line:?}");
    assert_eq!(epd.to_string(), clean, "{line:?}");
    assert_round_trip(&epd);
}

#[test]
fn a_clean_line_reads_without_warnings() {
    let line = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 bm exd6 O-O; am Kd1; dm 4; ce -35; acd 12; \
                c0 \"a comment; with a semicolon\"; c9 \"\"; id \"test.001\"; fmvn 20;";
    let epd = Epd::parse(line).unwrap();
    assert_eq!(epd.warnings, []);
    assert_eq!(epd.to_string(), line);
    assert_eq!(epd.best_moves().collect::<Vec<_>>(), ["exd6", "O-O"]);
    assert_eq!(epd.avoid_moves().collect::<Vec<_>>(), ["Kd1"]);
    assert_eq!(epd.direct_mate(), Some(4));
    assert_eq!(epd.evaluation(), Some(EpdScore::Centipawns(-35)));
    assert_eq!(epd.comment(0), Some("a comment; with a semicolon"));
    assert_eq!(epd.comment(9), Some(""));
    assert_eq!(epd.comment(1), None);
    assert_eq!(epd.id(), Some("test.001"));
    assert_eq!(epd.halfmove_clock(), None);
    assert_eq!(epd.fullmove_number(), Some(20));
    assert_eq!(epd.position.fullmove_number(), 20);
    assert_eq!(epd.operand("acd"), Some("12"));
    assert_eq!(epd.operands("pv"), None);
}

#[test]
fn evaluations_may_be_mates() {
    let score = |text: &str| Epd::parse(&format!("{KINGS} ce {text};")).unwrap().evaluation();
    assert_eq!(score("+M2"), Some(EpdScore::Mate(2)));
    assert_eq!(score("-M12"), Some(EpdScore::Mate(-12)));
    assert_eq!(score("#3"), Some(EpdScore::Mate(3)));
    assert_eq!(score("+150"), Some(EpdScore::Centipawns(150)));
    assert_eq!(score("-2147483648"), None);
    for nonsense in ["M", "--5", "+-5", "M-5", "1.5", "good"] {
        assert_eq!(score(nonsense), None, "{nonsense}");
    }
}

#[test]
fn moves_are_resolved_by_the_parser_given() {
    let coordinates = |_: &Position, text: &str| -> Result<Move, String> {
        let square = |range| text.get(range).and_then(|name: &str| name.parse::<Square>().ok());
        match (square(0..2), square(2..4)) {
            (Some(from), Some(to)) => Ok(Move::normal(from, to)),
            _ => Err(text.to_owned()),
        }
    };
    let epd = Epd::parse(&format!("{KINGS} bm e1e2 e1d1; am nonsense;")).unwrap();
    let best = vec![Move::normal(Square::E1, Square::E2), Move::normal(Square::E1, Square::D1)];
    assert_eq!(epd.resolve_moves("bm", coordinates), Ok(best));
    assert_eq!(epd.resolve_moves("am", coordinates), Err("nonsense".to_owned()));
    assert_eq!(epd.resolve_moves("pm", coordinates), Ok(vec![]));
}

#[test]
fn sloppy_positions_are_repaired() {
    assert_repaired(
        "2r1k3/8/8/8/8/8/8/4K3 w q - bm Kd2;",
        "2r1k3/8/8/8/8/8/8/4K3 w - - bm Kd2;",
        &["castling right left out: castling right q without a rook on the a-file"],
    );
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K2R w KQk - bm Kd2;",
        "4k3/8/8/8/8/8/8/4K2R w K - bm Kd2;",
        &[
            "castling right left out: castling right Q without a rook on the a-file",
            "castling right left out: castling right k without a rook on the h-file",
        ],
    );
    assert_repaired(
        "4k3/8/8/8/8/8/4K3/R6R w KQ -",
        "4k3/8/8/8/8/8/4K3/R6R w - -",
        &["castling right left out: castling right for White, but its king on e2 is not on its first rank"],
    );
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K3 w - e6 bm Kd2;",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;",
        &["en passant square left out: en passant square e6 without a pawn that has just passed it"],
    );
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K3 w - e9 bm Kd2;",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;",
        &["en passant square left out: the en passant square is \"e9\", not a square or -"],
    );
}

#[test]
fn missing_fields_are_filled_in() {
    let en_passant = "missing en passant square taken to be -";
    assert_repaired("4k3/8/8/8/8/8/8/4K3 w - bm Kd2;", &format!("{KINGS} bm Kd2;"), &[en_passant]);
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K3 w ce 20;",
        &format!("{KINGS} ce 20;"),
        &["missing castling rights taken to be -", en_passant],
    );
}

#[test]
fn sloppy_clocks_are_repaired() {
    let fields = "clocks of a FEN read where operations should begin";
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K3 w - -1 12 ; bm Kd2;",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; hmvc 1; fmvn 12;",
        &[
            "en passant field \"-1\" read as - and a halfmove clock",
            fields,
            "semicolon without an operation left out",
        ],
    );
    assert_repaired("4k3/8/8/8/8/8/8/4K3 w - - 0 1", KINGS, &[fields]);
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K3 w - - 7 99999; bm Kd2;",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; hmvc 7;",
        &[
            "clock left out: the move number is \"99999\", not a number from 1 to 65535",
            fields,
            "semicolon without an operation left out",
        ],
    );
    assert_repaired(
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 6; bm exd6;",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6; fmvn 6;",
        &[
            fields,
            "semicolon without an operation left out",
            "halfmove clock of 1 set to 0, as a pawn has just passed d6",
        ],
    );
    assert_repaired(
        "4k3/8/8/8/8/8/8/4K3 w - - hmvc soon; fmvn 0; bm Kd2;",
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;",
        &[
            "clock left out: the halfmove clock is \"soon\", not a number from 0 to 65535",
            "clock left out: the move number is \"0\", not a number from 1 to 65535",
        ],
    );
}

#[test]
fn sloppy_operations_are_repaired() {
    assert_repaired(
        &format!("{KINGS} ; bm Kd1 + ; id first.1\0"),
        &format!("{KINGS} bm Kd1+; id \"first.1\";"),
        &[
            "NUL bytes at the end of the line left out: 1",
            "semicolon without an operation left out",
            "\"+\" of operation bm joined to the move before it",
            "semicolon added after operation id",
            "quotation marks added around \"first.1\" of operation id",
        ],
    );
    assert_repaired(
        &format!("{KINGS} id n.9 c0 Somebody - Another, 1994"),
        &format!("{KINGS} id \"n.9\"; c0 \"Somebody - Another, 1994\";"),
        &[
            "semicolon added after operation id",
            "quotation marks added around \"n.9\" of operation id",
            "semicolon added after operation c0",
            "quotation marks added around \"Somebody - Another, 1994\" of operation c0",
        ],
    );
    assert_repaired(
        &format!("{KINGS} bm Bcx3 c3; c1 \"open"),
        &format!("{KINGS} bm Bxc3 c3; c1 \"open\";"),
        &[
            "move \"Bcx3\" read as Bxc3",
            "quotation mark added at the end of operation c1",
            "semicolon added after operation c1",
        ],
    );
    assert_repaired(
        &format!("{KINGS}\tbm\u{1}Kd1; 7up x; \"am\" Kd2;"),
        &format!("{KINGS} bm Kd1; am Kd2;"),
        &[
            "control characters inside the line read as spaces",
            "operation \"7up\" left out: a name begins with a letter and has letters and digits only",
            "quotation marks around the name of operation am left out",
        ],
    );
}

#[test]
fn warnings_are_typed() {
    let epd = Epd::parse("4k3/8/8/8/8/8/8/4K3 w K - ;").unwrap();
    let rook = FenError::CastlingRook { letter: 'K', file: File::H };
    assert_eq!(epd.warnings, [FenWarning::CastlingRight(rook).into(), EpdWarning::EmptyOperation]);
}

#[test]
fn rooks_of_chess960_are_believed_when_more_than_one_right_speaks_for_them() {
    let epd = Epd::parse("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - bm O-O;").unwrap();
    assert_eq!(epd.warnings, []);
    assert_eq!(epd.position.castling_rooks().count(), 4);
    assert_eq!(epd.to_string(), "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - bm O-O;");
    assert_round_trip(&epd);
    let by_file = Epd::parse("4k3/8/8/8/8/8/8/4K1R1 w G - bm O-O;").unwrap();
    assert_eq!((by_file.position.castling_rooks().count(), by_file.warnings.len()), (1, 0));
}

#[test]
fn hopeless_lines_are_refused() {
    for (line, message) in [
        ("4k3/8/8/9/8/8/8/4K3 w - -", "rank 5 has the digit 9, but empty squares are counted 1 to 8"),
        ("4k3/8/8/8/8/8/8/4K3 - - -", "the side to move is \"-\", not w or b"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - bm Kd2;", "White has 2 kings"),
    ] {
        assert_eq!(Epd::parse(line).unwrap_err().to_string(), message);
    }
    assert_eq!(Epd::parse("8/8 ; bm"), Err(FenError::Ranks { count: 2 }));
    assert_eq!(Epd::parse(" ; bm Kd2;"), Err(FenError::MissingField { field: FenField::Board }));
}

#[test]
fn files_are_read_line_by_line() {
    let text =
        format!("\u{feff}{KINGS} id \"one\";\r\n\n# a remark\nnonsense\n  \0\n{KINGS} id \"two\";\0\n");
    let read: Vec<_> = Epd::parse_lines(&text).collect();
    let numbers: Vec<usize> = read.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 4, 6]);
    assert_eq!(read[0].1.as_ref().unwrap().id(), Some("one"));
    assert_eq!(read[1].1, Err(FenError::Ranks { count: 1 }));
    assert_eq!(read[2].1.as_ref().unwrap().warnings, [EpdWarning::TrailingNul { count: 1 }]);
}

#[test]
fn positions_of_random_games_round_trip() {
    for_each_move_of_random_games(0xe9d, 60, |position, _| {
        let epd = Epd::new(*position);
        assert_eq!(Epd::parse(&epd.to_string()).as_ref(), Ok(&epd));
        assert_eq!(epd.position.to_fen(), position.to_fen());
    });
}

proptest! {
    #[test]
    fn any_operations_round_trip(
        operations in prop::collection::vec(
            ("(bm|am|id|c[0-9]|acd|[a-zA-Z][a-zA-Z0-9_]{0,8})", prop::collection::vec("[^\"\\pC]{0,12}", 0..4)),
            0..6,
        )
    ) {
        let mut epd = Epd::new(Position::startpos());
        for (opcode, mut operands) in operations {
            // A clock belongs to the position, and a suffix to the move before it.
            if opcode == "hmvc" || opcode == "fmvn" {
                continue;
            }
            operands.retain(|text| text.is_empty() || text.contains(|c| !"+#!?".contains(c)));
            epd.operations.push(EpdOperation { opcode, operands });
        }
        assert_round_trip(&epd);
    }

    #[test]
    fn any_tail_of_a_line_is_read(tail in "\\PC*") {
        let epd = Epd::parse(&format!("{KINGS} {tail}")).unwrap();
        assert_round_trip(&epd);
    }
}
