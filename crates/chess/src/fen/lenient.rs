//! Reading FENs as the world writes them: what is sloppy but clear is repaired, with a warning.

use super::{FenError, FenField, read_board, read_en_passant, read_number, read_turn, shortened};
use crate::{Bitboard, Color, Piece, Position, PositionError, Rank, Setup, Square};

/// What a reader does with a text that has to be repaired.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strictness {
    /// It repairs the text and warns.
    #[default]
    Lenient,
    /// It refuses the text.
    Strict,
}

/// A position, and what had to be repaired or is odd about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenReading {
    /// The position.
    pub position: Position,
    /// What was repaired; none if the FEN was read strictly.
    pub warnings: Vec<FenWarning>,
}

impl From<Position> for FenReading {
    fn from(position: Position) -> Self {
        Self { position, warnings: Vec::new() }
    }
}

/// A repair made while reading a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FenWarning {
    #[error("missing {field} taken to be {assumed}")]
    MissingField { field: FenField, assumed: &'static str },
    #[error("the side to move {text:?} is read as {}", .read_as.to_char())]
    SideToMove { text: String, read_as: Color },
    #[error("digits in a row are added up: {0}")]
    TwoDigits(FenError),
    #[error("castling right left out: {0}")]
    CastlingRight(FenError),
    #[error("en passant field {text:?} read as - and a halfmove clock")]
    GluedClock { text: String },
    #[error("en passant square left out: {0}")]
    EnPassant(FenError),
    #[error("halfmove clock of {clock} set to 0, as a pawn has just passed {square}")]
    EnPassantClock { square: Square, clock: u16 },
    #[error("clock left out: {0}")]
    Clock(FenError),
    #[error("{text:?} after the position is left out")]
    TrailingText { text: String },
    #[error("no game can lead to this position: {0}")]
    Unreachable(PositionError),
}

impl Position {
    /// Reads a FEN, as strictly as the caller wants.
    ///
    /// Leniently, clocks, en passant squares and castling rights that cannot be are left out, missing fields get
    /// their usual values, and text behind the FEN is let pass; all of it with a warning. Positions that no game
    /// can lead to are accepted too, as long as they can be played.
    ///
    /// ```
    /// use chess::{Position, Strictness};
    ///
    /// let fen = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 0";
    /// let reading = Position::read_fen(fen, Strictness::Lenient)?;
    /// assert_eq!(reading.position.to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(reading.warnings.len(), 2);
    /// assert!(Position::read_fen(fen, Strictness::Strict).is_err());
    /// # Ok::<(), chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no position to be made of it that can be played; strictly, when anything is wrong.
    pub fn read_fen(fen: &str, strictness: Strictness) -> Result<FenReading, FenError> {
        match strictness {
            Strictness::Strict => Self::from_fen(fen).map(FenReading::from),
            Strictness::Lenient => read_leniently(fen),
        }
    }
}

fn read_leniently(fen: &str) -> Result<FenReading, FenError> {
    let mut warnings = Vec::new();
    let mut rest = fen.trim_start_matches('\u{feff}');
    let (setup, clocks) = read_fields(&mut rest, &mut warnings, |_| false)?;
    if clocks == 1 {
        warnings.push(FenWarning::MissingField { field: FenField::MoveNumber, assumed: "1" });
    }
    let trailing = rest.trim_matches(is_blank);
    if !trailing.is_empty() {
        warnings.push(FenWarning::TrailingText { text: shortened(trailing) });
    }
    let position = make_position(setup, &mut warnings)?;
    Ok(FenReading { position, warnings })
}

/// White space and control characters.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The next word, which a semicolon ends too; empty when there is none.
fn peek<'a>(rest: &mut &'a str) -> &'a str {
    *rest = rest.trim_start_matches(is_blank);
    let end = rest.find(|c: char| is_blank(c) || c == ';').unwrap_or(rest.len());
    &rest[..end]
}

/// Reads the fields of a FEN off a text, and returns how many clocks there are. A word that the caller knows to come
/// after the fields ends them.
pub(crate) fn read_fields(
    rest: &mut &str,
    warnings: &mut Vec<FenWarning>,
    ends_fields: impl Fn(&str) -> bool,
) -> Result<(Setup, usize), FenError> {
    let mut setup = Setup { board: read_board_field(rest, warnings)?, ..Setup::empty() };
    setup.turn = read_turn_field(rest, warnings)?;

    let castling = peek(rest);
    let is_square = looks_like_square(castling) && !looks_like_square(peek_after(rest, castling));
    if castling.is_empty() || ends_fields(castling) || is_number(castling) || is_square {
        warnings.push(FenWarning::MissingField { field: FenField::Castling, assumed: "-" });
    } else {
        read_castling(castling, &mut setup, warnings);
        *rest = &rest[castling.len()..];
    }

    let en_passant = peek(rest);
    let glued_clock = en_passant.strip_prefix('-').filter(|clock| is_number(clock));
    if en_passant == "-" || looks_like_square(en_passant) || glued_clock.is_some() {
        match read_en_passant(en_passant) {
            Ok(square) => setup.en_passant = square,
            Err(_) if glued_clock.is_some() => {
                warnings.push(FenWarning::GluedClock { text: shortened(en_passant) });
            }
            Err(error) => warnings.push(FenWarning::EnPassant(error)),
        }
        *rest = &rest[en_passant.len()..];
    } else {
        warnings.push(FenWarning::MissingField { field: FenField::EnPassant, assumed: "-" });
    }
    let clocks = read_clock_fields(rest, glued_clock, &mut setup, warnings);
    Ok((setup, clocks))
}

/// Reads the clocks, the first of which may have been glued to the field before it, and counts them.
fn read_clock_fields(
    rest: &mut &str,
    mut glued_clock: Option<&str>,
    setup: &mut Setup,
    warnings: &mut Vec<FenWarning>,
) -> usize {
    let fields = [
        (FenField::HalfmoveClock, &mut setup.halfmove_clock),
        (FenField::MoveNumber, &mut setup.fullmove_number),
    ];
    let mut count = 0;
    for (field, kept) in fields {
        let text = match glued_clock.take() {
            Some(clock) => clock,
            None => {
                let text = peek(rest);
                if text != "-" && !is_number(text.trim_start_matches(['-', '+'])) {
                    break;
                }
                *rest = &rest[text.len()..];
                text
            }
        };
        count += 1;
        match read_number(field, text) {
            Ok(number) => *kept = number,
            Err(error) => warnings.push(FenWarning::Clock(error)),
        }
    }
    count
}

fn peek_after<'a>(rest: &'a str, word: &str) -> &'a str {
    peek(&mut &rest[word.len()..])
}

fn read_board_field(
    rest: &mut &str,
    warnings: &mut Vec<FenWarning>,
) -> Result<[Option<Piece>; 64], FenError> {
    let text = peek(rest);
    if text.is_empty() {
        return Err(FenError::MissingField { field: FenField::Board });
    }
    *rest = &rest[text.len()..];
    match read_board(text) {
        Err(error @ FenError::TwoDigits { .. }) => {
            let board = read_board(&with_single_squares(text))?;
            warnings.push(FenWarning::TwoDigits(error));
            Ok(board)
        }
        read => read,
    }
}

/// The board with each empty square by itself, so that digits in a row add up.
fn with_single_squares(board: &str) -> String {
    let mut lengths = String::new();
    let mut empty = 0;
    for c in board.chars() {
        match c.to_digit(10).filter(|&digit| (1..=8).contains(&digit)) {
            Some(digit) => empty += digit,
            None => {
                push_count(&mut lengths, &mut empty);
                lengths.push(c);
            }
        }
    }
    push_count(&mut lengths, &mut empty);
    lengths
}

fn push_count(text: &mut String, count: &mut u32) {
    if *count > 0 {
        text.push_str(&std::mem::take(count).to_string());
    }
}

fn read_turn_field(rest: &mut &str, warnings: &mut Vec<FenWarning>) -> Result<Color, FenError> {
    let text = peek(rest);
    let color = match text {
        "" => {
            warnings.push(FenWarning::MissingField { field: FenField::SideToMove, assumed: "w" });
            return Ok(Color::White);
        }
        _ if text.eq_ignore_ascii_case("w") || text.eq_ignore_ascii_case("white") => Color::White,
        _ if text.eq_ignore_ascii_case("b") || text.eq_ignore_ascii_case("black") => Color::Black,
        _ => return read_turn(text),
    };
    if read_turn(text).is_err() {
        warnings.push(FenWarning::SideToMove { text: text.to_owned(), read_as: color });
    }
    *rest = &rest[text.len()..];
    Ok(color)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn looks_like_square(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit())
}

fn read_castling(text: &str, setup: &mut Setup, warnings: &mut Vec<FenWarning>) {
    /// Four rights, and as many that are wrong.
    const MOST_LETTERS: usize = 8;
    if text == "-" {
        return;
    }
    for letter in text.chars().take(MOST_LETTERS) {
        if let Err(error) = setup.grant_castling(letter) {
            warnings.push(FenWarning::CastlingRight(error));
        }
    }
}

/// Makes a position of the setup, without those rights and that en passant square which cannot be.
pub(crate) fn make_position(mut setup: Setup, warnings: &mut Vec<FenWarning>) -> Result<Position, FenError> {
    loop {
        let error = match Position::from_setup(&setup) {
            Ok(position) => {
                if let Some(square) = setup.en_passant.filter(|_| setup.halfmove_clock > 0) {
                    warnings.push(FenWarning::EnPassantClock { square, clock: setup.halfmove_clock });
                    setup.halfmove_clock = 0;
                    continue;
                }
                warnings.extend(position.check_reachable().err().map(FenWarning::Unreachable));
                return Ok(position);
            }
            Err(error) => error,
        };
        let wrong_rights = wrong_castling_rights(&setup, error);
        if wrong_rights.any() {
            warnings.push(FenWarning::CastlingRight(error.into()));
            setup.castling_rooks &= !wrong_rights;
        } else if setup.en_passant.is_some() && is_en_passant_error(error) {
            warnings.push(FenWarning::EnPassant(error.into()));
            setup.en_passant = None;
        } else {
            return Err(error.into());
        }
    }
}

/// The rights to take away so that the error goes.
fn wrong_castling_rights(setup: &Setup, error: PositionError) -> Bitboard {
    let wrong = match error {
        PositionError::NoCastlingRook { square, .. } => square.bitboard(),
        PositionError::CastlingKingAway { color, .. }
        | PositionError::CastlingKingInCorner { color, .. }
        | PositionError::TwoCastlingRooks { color, .. } => Rank::First.relative_to(color).bitboard(),
        _ => Bitboard::EMPTY,
    };
    setup.castling_rooks & wrong
}

fn is_en_passant_error(error: PositionError) -> bool {
    matches!(
        error,
        PositionError::EnPassantRank { .. }
            | PositionError::EnPassantPawn { .. }
            | PositionError::EnPassantBlocked { .. }
            | PositionError::EnPassantCheck { .. }
    )
}
