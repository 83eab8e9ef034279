//! The tolerant reader of EPD lines.

use super::{Epd, EpdOperation, EpdWarning, begins_operation, is_string, lists_moves};
use crate::chess960::CORNERS;
use crate::fen::{home_file, read_board, read_en_passant, read_number, read_turn, shortened};
use crate::{
    Bitboard, CastlingSide, Color, FenError, FenField, File, Piece, Position, PositionError, Rank, Role,
    Setup, Square,
};
use std::borrow::Cow;

pub(super) fn read_line(line: &str) -> Result<Epd, FenError> {
    let mut warnings = Vec::new();
    let line = clean(line, &mut warnings);
    let mut rest = &*line;
    let mut setup = read_fields(&mut rest, &mut warnings)?;
    let mut operations = read_operations(rest, &mut warnings);
    read_clock_operations(&mut operations, &mut setup, &mut warnings);
    let position = make_position(setup, &mut warnings)?;
    let mut epd = Epd { position, operations, warnings };
    epd.keep_clocks();
    Ok(epd)
}

/// White space and control characters.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The line without a byte order mark, white space around it, and control characters.
fn clean<'a>(line: &'a str, warnings: &mut Vec<EpdWarning>) -> Cow<'a, str> {
    let is_margin = |c: char| c.is_whitespace() || c == '\0';
    let trimmed = line.trim_start_matches('\u{feff}').trim_matches(is_margin);
    let count = line.chars().rev().take_while(|&c| is_margin(c)).filter(|&c| c == '\0').count();
    if count > 0 {
        warnings.push(EpdWarning::TrailingNul { count });
    }
    if !trimmed.contains(char::is_control) {
        return Cow::Borrowed(trimmed);
    }
    if trimmed.contains(|c: char| c.is_control() && !c.is_whitespace()) {
        warnings.push(EpdWarning::ControlCharacters);
    }
    Cow::Owned(trimmed.replace(char::is_control, " "))
}

/// Takes the next field of the position off the line. A semicolon ends it too.
fn next_field<'a>(rest: &mut &'a str, field: FenField) -> Result<&'a str, FenError> {
    let text = rest.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
    if end == 0 {
        return Err(FenError::MissingField { field });
    }
    let (taken, left) = text.split_at(end);
    *rest = left;
    Ok(taken)
}

fn read_fields(rest: &mut &str, warnings: &mut Vec<EpdWarning>) -> Result<Setup, FenError> {
    let mut setup = Setup { board: read_board(next_field(rest, FenField::Board)?)?, ..Setup::empty() };
    setup.turn = read_turn(next_field(rest, FenField::SideToMove)?)?;
    read_castling(next_field(rest, FenField::Castling)?, &mut setup, warnings);

    let en_passant = next_field(rest, FenField::EnPassant)?;
    let mut glued_clock = en_passant.strip_prefix('-').filter(|clock| is_number(clock));
    match read_en_passant(en_passant) {
        Ok(square) => setup.en_passant = square,
        Err(_) if glued_clock.is_some() => {
            warnings.push(EpdWarning::GluedClock { text: shortened(en_passant) });
        }
        Err(error) if looks_like_square(en_passant) => warnings.push(EpdWarning::EnPassant(error)),
        Err(error) => return Err(error),
    }

    let mut read_clock = |field| {
        let mut after = *rest;
        let text = match glued_clock.take() {
            Some(clock) => clock,
            None => {
                next_field(&mut after, field).ok().filter(|text| is_number(text.trim_start_matches('-')))?
            }
        };
        *rest = after;
        Some(read_number(field, text))
    };
    let clocks = [read_clock(FenField::HalfmoveClock), read_clock(FenField::MoveNumber)];
    if clocks.iter().any(Option::is_some) {
        warnings.push(EpdWarning::ClockFields);
    }
    for (clock, kept) in clocks.into_iter().zip([&mut setup.halfmove_clock, &mut setup.fullmove_number]) {
        match clock {
            Some(Ok(number)) => *kept = number,
            Some(Err(error)) => warnings.push(EpdWarning::Clock(error)),
            None => {}
        }
    }
    Ok(setup)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn looks_like_square(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit())
}

fn read_castling(text: &str, setup: &mut Setup, warnings: &mut Vec<EpdWarning>) {
    if text == "-" {
        return;
    }
    for letter in text.chars() {
        if let Err(error) = setup.grant_castling(letter) {
            warnings.push(EpdWarning::CastlingRight(error));
        }
    }
    // X-FEN would let a stale `q` of standard chess speak of a rook that has left its corner. One right
    // alone that differs from standard chess, with the king on its square there, is taken for that.
    let odd = setup.castling_rooks & !CORNERS;
    let Some(rook) = odd.first().filter(|_| !odd.more_than_one()) else { return };
    let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
    let king = Square::new(File::E, rook.rank());
    if setup.board[king.index()] != Some(Piece::new(color, Role::King)) {
        return;
    }
    let side = CastlingSide::of(king, rook);
    let named_by_side = |letter: &char| {
        "KQkq".contains(*letter) && setup.castling_rook_named(*letter).is_ok_and(|named| named == rook)
    };
    if let Some(letter) = text.chars().find(named_by_side) {
        setup.castling_rooks &= !rook.bitboard();
        warnings.push(EpdWarning::CastlingRight(FenError::CastlingRook { letter, file: home_file(side) }));
    }
}

/// Takes the clocks from their operations; one that is no clock is left out.
fn read_clock_operations(
    operations: &mut Vec<EpdOperation>,
    setup: &mut Setup,
    warnings: &mut Vec<EpdWarning>,
) {
    operations.retain(|EpdOperation { opcode, operands }| {
        let (field, kept) = match opcode.as_str() {
            "hmvc" => (FenField::HalfmoveClock, &mut setup.halfmove_clock),
            "fmvn" => (FenField::MoveNumber, &mut setup.fullmove_number),
            _ => return true,
        };
        match read_number(field, operands.first().map_or("", String::as_str)) {
            Ok(number) => *kept = number,
            Err(error) => {
                warnings.push(EpdWarning::Clock(error));
                return false;
            }
        }
        true
    });
}

/// Makes a position of the setup, without those rights and that en passant square which cannot be.
fn make_position(mut setup: Setup, warnings: &mut Vec<EpdWarning>) -> Result<Position, FenError> {
    loop {
        let error = match Position::from_setup(&setup) {
            Ok(position) => {
                let Some(square) = setup.en_passant.filter(|_| setup.halfmove_clock > 0) else {
                    return Ok(position);
                };
                warnings.push(EpdWarning::EnPassantClock { square, clock: setup.halfmove_clock });
                setup.halfmove_clock = 0;
                continue;
            }
            Err(error) => error,
        };
        let wrong_rights = wrong_castling_rights(&setup, error);
        if wrong_rights.any() {
            warnings.push(EpdWarning::CastlingRight(error.into()));
            setup.castling_rooks &= !wrong_rights;
        } else if setup.en_passant.is_some() && is_en_passant_error(error) {
            warnings.push(EpdWarning::EnPassant(error.into()));
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

/// A piece of the text of operations.
#[derive(Copy, Clone)]
enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    /// Quoted, but the line ends before the second quotation mark.
    Unclosed(&'a str),
    Semicolon,
}

fn next_token<'a>(rest: &mut &'a str) -> Option<Token<'a>> {
    let text = rest.trim_start();
    if let Some(after) = text.strip_prefix(';') {
        *rest = after;
        return Some(Token::Semicolon);
    }
    if let Some(inside) = text.strip_prefix('"') {
        let Some((quoted, after)) = inside.split_once('"') else {
            *rest = "";
            return Some(Token::Unclosed(inside));
        };
        *rest = after;
        return Some(Token::Quoted(quoted));
    }
    let end = text.find(|c: char| c.is_whitespace() || ";\"".contains(c)).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (end > 0).then_some(Token::Word(word))
}

fn read_operations(mut rest: &str, warnings: &mut Vec<EpdWarning>) -> Vec<EpdOperation> {
    let mut reader = OperationReader { operations: Vec::new(), current: None, warnings };
    while let Some(token) = next_token(&mut rest) {
        reader.take(token);
    }
    if let Some(current) = reader.current.take() {
        reader.warnings.push(EpdWarning::MissingSemicolon { opcode: current.opcode.to_owned() });
        reader.finish(current);
    }
    reader.operations
}

/// An operation that is still being read.
struct Unfinished<'a> {
    opcode: &'a str,
    operands: Vec<Operand>,
}

struct Operand {
    text: String,
    is_quoted: bool,
}

struct OperationReader<'a, 'w> {
    operations: Vec<EpdOperation>,
    current: Option<Unfinished<'a>>,
    warnings: &'w mut Vec<EpdWarning>,
}

impl<'a> OperationReader<'a, '_> {
    fn take(&mut self, token: Token<'a>) {
        let Some(mut current) = self.current.take() else {
            match token {
                Token::Semicolon => self.warnings.push(EpdWarning::EmptyOperation),
                Token::Word(opcode) => self.begin(opcode),
                Token::Quoted(opcode) | Token::Unclosed(opcode) => {
                    self.warnings.push(EpdWarning::QuotedOpcode { opcode: shortened(opcode) });
                    self.begin(opcode);
                }
            }
            return;
        };
        match token {
            Token::Semicolon => return self.finish(current),
            Token::Word(word) if !current.operands.is_empty() && begins_operation(current.opcode, word) => {
                self.warnings.push(EpdWarning::MissingSemicolon { opcode: current.opcode.to_owned() });
                self.finish(current);
                return self.begin(word);
            }
            Token::Word(word) => current.add_word(word),
            Token::Quoted(text) => current.add_quoted(text),
            Token::Unclosed(text) => {
                self.warnings.push(EpdWarning::MissingQuote { opcode: current.opcode.to_owned() });
                current.add_quoted(text);
            }
        }
        self.current = Some(current);
    }

    fn begin(&mut self, opcode: &'a str) {
        self.current = Some(Unfinished { opcode, operands: Vec::new() });
    }

    fn finish(&mut self, current: Unfinished<'a>) {
        let Unfinished { opcode, operands } = current;
        let is_name = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            self.warnings.push(EpdWarning::Opcode { text: shortened(opcode) });
            return;
        }
        if is_string(opcode) {
            for Operand { text, .. } in operands.iter().filter(|operand| !operand.is_quoted) {
                let text = shortened(text);
                self.warnings.push(EpdWarning::MissingQuotes { opcode: opcode.to_owned(), text });
            }
        }
        let mut operands: Vec<String> = operands.into_iter().map(|operand| operand.text).collect();
        if lists_moves(opcode) {
            operands = self.repair_moves(opcode, operands);
        }
        self.operations.push(EpdOperation { opcode: opcode.to_owned(), operands });
    }

    fn repair_moves(&mut self, opcode: &str, operands: Vec<String>) -> Vec<String> {
        let mut moves: Vec<String> = Vec::with_capacity(operands.len());
        for operand in operands {
            let is_suffix = !operand.is_empty() && operand.chars().all(|c| "+#!?".contains(c));
            match moves.last_mut() {
                Some(last) if is_suffix && !last.is_empty() => {
                    last.push_str(&operand);
                    self.warnings
                        .push(EpdWarning::DetachedSuffix { opcode: opcode.to_owned(), suffix: operand });
                }
                _ => moves.push(operand),
            }
        }
        for text in &mut moves {
            if let Some(repaired) = with_capture_in_place(text) {
                let text = std::mem::replace(text, repaired.clone());
                self.warnings.push(EpdWarning::MisplacedCapture { text, repaired });
            }
        }
        moves
    }
}

impl Unfinished<'_> {
    /// Words without quotes that follow each other are one text where a text is expected.
    fn add_word(&mut self, word: &str) {
        match self.operands.last_mut() {
            Some(last) if is_string(self.opcode) && !last.is_quoted => {
                last.text.push(' ');
                last.text.push_str(word);
            }
            _ => self.operands.push(Operand { text: word.to_owned(), is_quoted: false }),
        }
    }

    fn add_quoted(&mut self, text: &str) {
        self.operands.push(Operand { text: text.to_owned(), is_quoted: true });
    }
}

/// `Bxc3` for `Bcx3`, which can mean nothing else.
fn with_capture_in_place(text: &str) -> Option<String> {
    match *text.as_bytes() {
        [b'K' | b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'x', b'1'..=b'8', ..] => {
            Some(format!("{}x{}{}", &text[..1], &text[1..2], &text[3..]))
        }
        _ => None,
    }
}
