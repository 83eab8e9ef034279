//! What must be true of any text that a parser is given. The fuzz targets and the test of the corpus
//! share these checks.

use chess::pgn::{self, Line, PgnGame};
use chess::{
    CastlingStyle, Epd, EpdWarning, FenReading, FenStyle, FenWarning, Move, Position, Setup, Strictness,
};

/// Each line is a FEN or not: it is refused with a reason, or reads back as it is written.
pub(crate) fn check_fen(text: &str) {
    for line in text.lines() {
        match Setup::from_fen(line) {
            Ok(setup) => {
                for style in [FenStyle::XFen, FenStyle::Shredder] {
                    let fen = setup.to_fen_with(style);
                    assert_eq!(Setup::from_fen(&fen).as_ref(), Ok(&setup), "{line:?} became {fen:?}");
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        match Position::from_fen(line) {
            Ok(position) => check_position(&position),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        match Position::read_fen(line, Strictness::Lenient) {
            Ok(FenReading { position, warnings }) => {
                check_position(&position);
                let again =
                    Position::read_fen(&position.to_fen(), Strictness::Lenient).map(|again| again.position);
                assert_eq!(again, Ok(position), "{line:?} with {warnings:?}");
            }
            Err(error) => {
                assert!(Position::from_fen(line).is_err(), "only patience refuses {line:?}: {error}");
            }
        }
    }
}

/// Looks at a position from all sides: nothing panics, and everything agrees.
fn check_position(position: &Position) {
    position.assert_consistent();
    assert_eq!(position.mirrored().mirrored(), *position);
    let moves = position.legal_moves();
    assert_eq!(position.count_legal_moves() as usize, moves.len(), "{position}");
    for mv in moves {
        check_move(position, mv);
        assert_eq!(position.gives_check(mv), position.after(mv).is_check(), "{mv:?} in {position}");
    }
}

/// A move that was found or read: it is legal, and its texts mean it.
fn check_move(position: &Position, mv: Move) {
    assert!(position.is_legal(mv), "{mv:?} in {position}");
    let san = position.san(mv);
    assert_eq!(position.parse_san(san.as_str()), Ok(mv), "{san} in {position}");
    let squares = position.to_uci(mv, CastlingStyle::Chess960).to_string();
    assert_eq!(position.parse_uci(&squares), Ok(mv), "{squares} in {position}");
    position.after(mv).assert_consistent();
}

/// Words are moves or not, from the position that a line gives as FEN or from the start. Those that are
/// legal are played.
pub(crate) fn check_san(text: &str) {
    let mut position = Position::startpos();
    for line in text.lines() {
        if let Ok(given) = Position::from_fen(line) {
            position = given;
            continue;
        }
        for word in line.split(' ') {
            let read = [
                position.parse_san(word).map_err(|error| error.to_string()),
                position.parse_uci(word).map_err(|error| error.to_string()),
            ];
            for mv in read.iter().flatten() {
                check_move(&position, *mv);
            }
            match read {
                [Ok(mv), _] | [_, Ok(mv)] => position.play(mv),
                [Err(error), Err(other)] => assert!(!error.is_empty() && !other.is_empty()),
            }
        }
    }
}

/// Each line is an EPD or not: it is refused with a reason, or is written so that it reads back the same
/// and without a warning but that no game leads there.
pub(crate) fn check_epd(text: &str) {
    for (_, line) in Epd::parse_lines(text) {
        match line {
            Ok(epd) => {
                let written = epd.to_string();
                let again = Epd::parse(&written).unwrap_or_else(|error| panic!("{written:?}: {error}"));
                assert_eq!(again.position, epd.position, "{written:?}");
                let is_doubt =
                    |warning: &EpdWarning| matches!(warning, EpdWarning::Fen(FenWarning::Unreachable(_)));
                assert!(again.warnings.iter().all(is_doubt), "{written:?}: {:?}", again.warnings);
                assert_eq!(again.to_string(), written);
                for opcode in ["bm", "am", "pv"] {
                    for mv in again.resolve_moves(opcode, Position::parse_san).into_iter().flatten() {
                        check_move(&again.position, mv);
                    }
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Games or not: faults have a place, every move that is left is legal, and games are written so that they read back
/// the same.
pub(crate) fn check_pgn(bytes: &[u8]) {
    for game in pgn::Reader::new(bytes) {
        match game {
            Ok(game) => {
                check_line(&game.line, &game.start);
                let written = game.to_string();
                let again = read_one_game(&written);
                assert_eq!(again.start, game.start, "{written}");
                assert!(again.moves().eq(game.moves()), "{written}");
                assert_eq!(again.result(), game.result(), "{written}");
                assert_eq!(again.to_string(), written);
                for fault in game.faults {
                    assert!(fault.game > 0 && fault.line > 0 && fault.column > 0, "{fault}");
                }
            }
            Err(error) => panic!("bytes in memory can be read: {error}"),
        }
    }
}

fn read_one_game(text: &str) -> PgnGame {
    let mut games = pgn::Reader::new(text.as_bytes());
    let game = games.next().unwrap_or_else(|| panic!("no game in {text}"));
    assert!(games.next().is_none(), "more than one game in {text}");
    game.unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn check_line(line: &Line, start: &Position) {
    let mut position = *start;
    for node in &line.moves {
        for variation in &node.variations {
            check_line(variation, &position);
        }
        match node.mv {
            Some(mv) => {
                check_move(&position, mv);
                position.play(mv);
            }
            None => position.play_null(),
        }
    }
}
