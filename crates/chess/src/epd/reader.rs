//! The tolerant reader of EPD lines.

use super::{Epd, EpdOperation, EpdWarning, begins_operation, is_string, lists_moves};
use crate::chess960::CORNERS;
use crate::fen::{home_file, is_blank, make_position, read_fields, read_number, shortened};
use crate::{CastlingSide, Color, FenError, FenField, FenWarning, File, Piece, Rank, Role, Setup, Square};
use std::borrow::Cow;

pub(super) fn read_line(line: &str) -> Result<Epd, FenError> {
    let mut warnings = Vec::new();
    let line = clean(line, &mut warnings);
    let mut rest = &*line;
    let mut fen_warnings = Vec::new();
    let (mut setup, clocks) = read_fields(&mut rest, &mut fen_warnings, |word| begins_operation("", word))?;
    warnings.extend(fen_warnings.drain(..).map(EpdWarning::from));
    drop_stale_right(&line, &mut setup, &mut warnings);
    if clocks > 0 {
        warnings.push(EpdWarning::ClockFields);
    }
    let mut operations = read_operations(rest, &mut warnings);
    read_clock_operations(&mut operations, &mut setup, &mut warnings);
    let position = make_position(setup, &mut fen_warnings)?;
    warnings.extend(fen_warnings.into_iter().map(EpdWarning::from));
    let mut epd = Epd { position, operations, warnings };
    epd.keep_clocks();
    Ok(epd)
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

/// X-FEN would let a stale `q` of standard chess speak of a rook that has left its corner. One right alone that
/// differs from standard chess, with the king on its square there, is taken for that.
fn drop_stale_right(fields: &str, setup: &mut Setup, warnings: &mut Vec<EpdWarning>) {
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
    let castling = fields.split(is_blank).filter(|field| !field.is_empty()).nth(2).unwrap_or_default();
    if let Some(letter) = castling.chars().find(named_by_side) {
        setup.castling_rooks &= !rook.bitboard();
        let error = FenError::CastlingRook { letter, file: home_file(side) };
        warnings.push(FenWarning::CastlingRight(error).into());
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
                warnings.push(FenWarning::Clock(error).into());
                return false;
            }
        }
        true
    });
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
