//! JavaChess's files of positions: whose turn it is, the pieces and their squares, four castling flags,
//! and the en passant square as a set of squares.

use crate::NotStandard;
use crate::boards::check_standard;
use crate::boards::lists::{bit, number, numbers, square};
use chess::{CastlingSide, Color, File, Piece, Position, PositionError, Rank, Role, Setup, Square};
use std::fmt::Write;

/// Why a file holds no position, or a position fits into none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionFileError {
    #[error("the file ends before {what}")]
    Ended { what: &'static str },
    #[error("{text:?} stands where {what} should")]
    Unexpected { what: &'static str, text: String },
    #[error("piece {count} stands on square {square} with another piece")]
    Occupied { count: usize, square: u8 },
    #[error("there is more after the position: {0:?}")]
    TooMuch(String),
    #[error("not a legal position: {0}")]
    Position(#[from] PositionError),
    #[error(transparent)]
    NotStandard(#[from] NotStandard),
}

/// The castling flags in the order of the file.
const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::King),
    (Color::Black, CastlingSide::King),
    (Color::White, CastlingSide::Queen),
    (Color::Black, CastlingSide::Queen),
];

/// Where the rook of a right stands in standard chess.
const fn corner(color: Color, side: CastlingSide) -> Square {
    let file = match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    };
    Square::new(file, Rank::First.relative_to(color))
}

/// `WP` to `BK`.
pub(super) fn token(piece: Piece) -> String {
    format!("{}{}", piece.color().to_char().to_ascii_uppercase(), piece.role().to_char())
}

/// The order of JavaChess's sets of squares: both colours of each kind in turn.
fn pieces_in_order() -> impl Iterator<Item = Piece> {
    Role::ALL.into_iter().flat_map(|role| Color::ALL.map(|color| Piece::new(color, role)))
}

/// Writes a position as JavaChess saves it, with the square that a pawn has just passed whether or not it can be taken.
/// Move counters are lost.
///
/// # Errors
/// When the position is no legal one, or its castling rights are those of Chess960.
pub fn write_position(setup: &Setup) -> Result<String, PositionFileError> {
    let position = Position::from_setup(setup)?;
    check_standard(&position)?;
    let mut text = format!("{}\n", position.turn()).to_uppercase();
    let _ = writeln!(text, "{}", position.occupied().count());
    for piece in pieces_in_order() {
        let set = position.pieces(piece.color(), piece.role());
        for at in numbers(set.0.swap_bytes()) {
            let _ = writeln!(text, "{} {at}", token(piece));
        }
    }
    for (color, side) in RIGHTS {
        text.push_str(if position.castling_rook(color, side).is_some() { "TRUE\n" } else { "FALSE\n" });
    }
    let _ = writeln!(text, "{}", setup.en_passant.map_or(0, |passed| bit(number(passed))));
    Ok(text)
}

/// Reads a position as JavaChess saves it, in capitals or not; it is a legal one. What follows a slash is a comment.
///
/// # Errors
/// Says what was expected where, or why the pieces make no legal position.
pub fn read_position(text: &str) -> Result<Setup, PositionFileError> {
    let mut tokens = text
        .lines()
        .flat_map(|line| line.split_once('/').map_or(line, |(before, _)| before).split_whitespace());
    let mut next = |what| tokens.next().ok_or(PositionFileError::Ended { what });
    let unexpected = |what, text: &str| PositionFileError::Unexpected { what, text: crate::quote(text) };

    let mut setup = Setup::empty();
    let word = next(SIDE)?;
    setup.turn = Color::ALL
        .into_iter()
        .find(|color| word.eq_ignore_ascii_case(&color.to_string()))
        .ok_or_else(|| unexpected(SIDE, word))?;
    let word = next(COUNT)?;
    let count: usize = word.parse().map_err(|_| unexpected(COUNT, word))?;
    for count in 1..=count {
        let word = next(PIECE)?;
        let piece = pieces_in_order().find(|&piece| token(piece).eq_ignore_ascii_case(word));
        let piece = piece.ok_or_else(|| unexpected(PIECE, word))?;
        let word = next(SQUARE)?;
        let at = word.parse::<u8>().ok().filter(|&at| at < 64).ok_or_else(|| unexpected(SQUARE, word))?;
        let place = &mut setup.board[square(at).index()];
        if place.replace(piece).is_some() {
            return Err(PositionFileError::Occupied { count, square: at });
        }
    }
    for (color, side) in RIGHTS {
        let word = next(FLAG)?;
        if word.eq_ignore_ascii_case("TRUE") {
            setup.castling_rooks = setup.castling_rooks.with(corner(color, side));
        } else if !word.eq_ignore_ascii_case("FALSE") {
            return Err(unexpected(FLAG, word));
        }
    }
    let word = next(EN_PASSANT)?;
    let set: u64 = word.parse().map_err(|_| unexpected(EN_PASSANT, word))?;
    if set.count_ones() > 1 {
        return Err(unexpected(EN_PASSANT, word));
    }
    setup.en_passant = numbers(set).next().map(square);
    match tokens.next() {
        Some(text) => Err(PositionFileError::TooMuch(crate::quote(text))),
        None => {
            Position::from_setup(&setup)?;
            Ok(setup)
        }
    }
}

const SIDE: &str = "WHITE or BLACK";
const COUNT: &str = "the number of pieces";
const PIECE: &str = "a piece from WP to BK";
const SQUARE: &str = "a square number from 0 to 63";
const FLAG: &str = "a castling flag, TRUE or FALSE";
const EN_PASSANT: &str = "the en passant square, as a power of two or 0";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for fen in [
            chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ] {
            let text = write_position(&Setup::from_fen(fen).unwrap()).unwrap();
            assert_eq!(read_position(&text).unwrap().to_fen(), fen, "{text}");
        }
    }

    #[test]
    fn the_format_is_that_of_the_document() {
        let setup = Setup::from_fen("4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1").unwrap();
        let text = write_position(&setup).unwrap();
        let expected =
            "BLACK\n5\nWP 36\nBP 35\nWR 63\nWK 60\nBK 4\nTRUE\nFALSE\nFALSE\nFALSE\n17592186044416\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn faulty_files_say_what_is_wrong() {
        let message = |text: &str| read_position(text).unwrap_err().to_string();
        assert_eq!(message(""), "the file ends before WHITE or BLACK");
        assert!(message("GREEN").starts_with("\"GREEN\" stands where WHITE or BLACK"));
        assert!(message("WHITE many").contains("number of pieces"));
        assert!(message("WHITE 1 WX 3").contains("a piece from WP to BK"));
        assert!(message("WHITE 1 WK 64").contains("from 0 to 63"));
        assert_eq!(message("WHITE 2 WK 3 BK 3"), "piece 2 stands on square 3 with another piece");
        assert!(message("WHITE 2 WK 60 BK 4 TRUE MAYBE").contains("TRUE or FALSE"));
        let kings = "WHITE 2 WK 60 BK 4 FALSE FALSE FALSE FALSE";
        assert!(message(&format!("{kings} 3")).contains("power of two"));
        assert!(message(&format!("{kings} 0 0")).contains("more after"));
        assert!(message("WHITE 0 FALSE FALSE FALSE FALSE 0").contains("not a legal position"));
        assert!(read_position(&format!("{kings} 0 / two kings")).is_ok());
    }
}
