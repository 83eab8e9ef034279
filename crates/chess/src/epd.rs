//! EPD: a position with operations, such as the best move of a test.
//!
//! Files of test positions are often sloppy, so the reader repairs what it safely can and says so in
//! [`EpdWarning`]s; the writer produces lines that read back without any.

mod reader;
mod warning;

pub use warning::EpdWarning;

use crate::fen::is_blank;
use crate::{FenError, FenStyle, Move, Position, Square};
use std::fmt::{self, Write};
use std::str::FromStr;

/// A line of an EPD file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position; its clocks are those of the operations `hmvc` and `fmvn`.
    pub position: Position,
    /// What the line says about the position, in its order.
    pub operations: Vec<EpdOperation>,
    /// What had to be repaired to read the line.
    pub warnings: Vec<EpdWarning>,
}

/// An operation: `bm Nf3 d4` has the opcode `bm` and two operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdOperation {
    /// The name of the operation.
    pub opcode: String,
    /// Its operands, without quotes.
    pub operands: Vec<String>,
}

/// The value of the operation `ce`, from the view of the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EpdScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in N moves, negative when the side to move is mated. Some files write it `+M2`.
    Mate(i32),
}

impl EpdOperation {
    /// An operation with these operands.
    #[must_use]
    pub fn new(opcode: &str, operands: &[&str]) -> Self {
        Self { opcode: opcode.to_owned(), operands: operands.iter().map(|&text| text.to_owned()).collect() }
    }
}

impl Epd {
    /// A position with no operations but those that keep its clocks.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let mut epd = Self { position, operations: Vec::new(), warnings: Vec::new() };
        epd.keep_clocks();
        epd
    }

    /// Reads a line, repairing what is sloppy but clear. Also takes a FEN of six fields.
    ///
    /// # Errors
    /// When there is no legal position to be made of it.
    pub fn parse(line: &str) -> Result<Self, FenError> {
        reader::read_line(line)
    }

    /// Reads the lines of a file one by one, each with its number counted from 1. Empty lines and those
    /// that begin with `#` are skipped; a line that cannot be read does not end the reading.
    pub fn parse_lines(text: &str) -> impl Iterator<Item = (usize, Result<Self, FenError>)> {
        let is_record = |line: &str| !line.starts_with('#') && line.contains(|c: char| !is_blank(c));
        (1..)
            .zip(text.lines())
            .filter(move |(_, line)| is_record(line))
            .map(|(n, line)| (n, Self::parse(line)))
    }

    /// The operands of the first operation with this opcode.
    #[must_use]
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.operations.iter().find(|operation| operation.opcode == opcode).map(|found| &found.operands[..])
    }

    /// The first operand of the first operation with this opcode.
    #[must_use]
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// The best moves, `bm`, as written.
    pub fn best_moves(&self) -> impl Iterator<Item = &str> {
        self.moves("bm")
    }

    /// The moves to avoid, `am`, as written.
    pub fn avoid_moves(&self) -> impl Iterator<Item = &str> {
        self.moves("am")
    }

    /// The operands of an operation that lists moves of the position, such as `bm`.
    fn moves(&self, opcode: &str) -> impl Iterator<Item = &str> {
        self.operands(opcode).unwrap_or_default().iter().map(String::as_str)
    }

    /// The moves that an operation such as `bm` lists, read by a parser of moves. None are listed when
    /// the operation is missing.
    ///
    /// # Errors
    /// With the parser's error for the first move it refuses.
    pub fn resolve_moves<E>(
        &self,
        opcode: &str,
        mut parse: impl FnMut(&Position, &str) -> Result<Move, E>,
    ) -> Result<Vec<Move>, E> {
        self.moves(opcode).map(|text| parse(&self.position, text)).collect()
    }

    /// The name of the position, `id`.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.operand("id")
    }

    /// A comment, `c0` to `c9`.
    #[must_use]
    pub fn comment(&self, number: u8) -> Option<&str> {
        self.operand(&format!("c{number}"))
    }

    /// The number of moves to mate, `dm`.
    #[must_use]
    pub fn direct_mate(&self) -> Option<u32> {
        self.operand("dm")?.parse().ok()
    }

    /// The halfmove clock, `hmvc`.
    #[must_use]
    pub fn halfmove_clock(&self) -> Option<u16> {
        self.operand("hmvc")?.parse().ok()
    }

    /// The move number, `fmvn`.
    #[must_use]
    pub fn fullmove_number(&self) -> Option<u16> {
        self.operand("fmvn")?.parse().ok()
    }

    /// The evaluation, `ce`.
    #[must_use]
    pub fn evaluation(&self) -> Option<EpdScore> {
        let text = self.operand("ce")?;
        let (sign, size) = match text.strip_prefix('-') {
            Some(size) => (-1, size),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let number = |digits: &str| {
            let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
            digits.parse::<i32>().ok().filter(|_| is_number).map(|size| sign * size)
        };
        match size.strip_prefix(['M', '#']) {
            Some(moves) => number(moves).map(EpdScore::Mate),
            None => number(size).map(EpdScore::Centipawns),
        }
    }

    /// Makes the operations for the clocks say what the position says; a clock that stands where a game
    /// begins needs none.
    fn keep_clocks(&mut self) {
        let clocks =
            [("hmvc", self.position.halfmove_clock(), 0), ("fmvn", self.position.fullmove_number(), 1)];
        for (opcode, value, default) in clocks {
            let operands = vec![value.to_string()];
            match self.operations.iter_mut().find(|operation| operation.opcode == opcode) {
                Some(operation) => operation.operands = operands,
                None if value != default => {
                    self.operations.push(EpdOperation { opcode: opcode.to_owned(), operands });
                }
                None => {}
            }
        }
    }
}

impl FromStr for Epd {
    type Err = FenError;

    fn from_str(line: &str) -> Result<Self, FenError> {
        Self::parse(line)
    }
}

/// The line in its standard form, without an end of line.
///
/// Rooks of Chess960 are named by their files. Quotes inside an operand become apostrophes, as EPD has no
/// way to write them, and control characters become spaces.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.position.to_setup();
        // The reader mistrusts a lone `q` for a rook that is not in the corner, but never a file's letter.
        let style = if setup.has_standard_castling() { FenStyle::XFen } else { FenStyle::Shredder };
        setup.write_fen_fields(f, style)?;
        for EpdOperation { opcode, operands } in &self.operations {
            write!(f, " {opcode}")?;
            for operand in operands {
                f.write_char(' ')?;
                write_operand(f, opcode, operand)?;
            }
            f.write_char(';')?;
        }
        Ok(())
    }
}

fn write_operand(f: &mut fmt::Formatter<'_>, opcode: &str, operand: &str) -> fmt::Result {
    let is_word = !operand.is_empty() && !operand.contains(|c: char| is_blank(c) || ";\"".contains(c));
    if is_word && !is_string(opcode) && !begins_operation(opcode, operand) {
        return f.write_str(operand);
    }
    f.write_char('"')?;
    for c in operand.chars() {
        f.write_char(match c {
            '"' => '\'',
            _ if c.is_control() => ' ',
            _ => c,
        })?;
    }
    f.write_char('"')
}

/// `c0` to `c9`.
fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

/// Whether the operand of an operation is free text, which belongs in quotes.
fn is_string(opcode: &str) -> bool {
    opcode == "id" || is_comment(opcode)
}

/// Whether the operands of an operation are moves.
fn lists_moves(opcode: &str) -> bool {
    matches!(opcode, "bm" | "am" | "pm" | "sm" | "pv")
}

/// Whether a word without quotes among the operands of an operation begins another one, because a
/// semicolon was forgotten. A comment may contain any word, and `c3` among moves is a move.
fn begins_operation(opcode: &str, word: &str) -> bool {
    let is_move = lists_moves(opcode) && word.parse::<Square>().is_ok();
    let is_known = is_string(word)
        || lists_moves(word)
        || matches!(word, "acd" | "acn" | "acs" | "ce" | "dm" | "eco" | "fmvn" | "hmvc" | "nic" | "noop");
    is_known && !is_move && !is_comment(opcode)
}
