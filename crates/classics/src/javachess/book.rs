//! JavaChess's opening book: a text file of move lines, and a table of positions and replies made of it.

use crate::boards::lists::{number, square};
use chess::{CastlingSide, Key, Move, Position};
use std::fmt::Write;

/// Why a book could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookError {
    #[error("the book has to begin with the number of its lines of play, not with {0:?}")]
    Count(String),
    #[error("the book ends in line of play {line}, which has no END")]
    Unfinished { line: usize },
    #[error("move {ply} of line of play {line}: {text:?} is no square number from 0 to 63")]
    Square { line: usize, ply: usize, text: String },
    #[error("move {ply} of line of play {line}: {from:02} {to:02} is not legal there")]
    Illegal { line: usize, ply: usize, from: u8, to: u8 },
    #[error("there is more after the {lines} lines of play announced: {text:?}")]
    TooMuch { lines: usize, text: String },
}

/// The lines of play and the replies they prescribe.
#[derive(Clone)]
pub struct Book {
    lines: Vec<Vec<Move>>,
    /// One place for each remainder of a position's key. A later line replaces what is there.
    table: Vec<Option<(Key, Move)>>,
}

impl Default for Book {
    fn default() -> Self {
        Self { lines: Vec::new(), table: vec![None; Self::TABLE_SIZE] }
    }
}

/// Main lines of the Ruy Lopez. JavaChess had 38 positions of that opening but its document does not
/// print them; these are ours.
const RUY_LOPEZ: [&str; 7] = [
    "e2e4 e7e5 g1f3 b8c6 f1b5 d7d6 d2d4 c8d7 b1c3 g8f6 e1g1 f8e7 f1e1 e5d4 f3d4 e8g8",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e4d6 b5c6 d7c6 d4e5 d6f5 d1d8 e8d8",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f6e4 d2d4 b7b5 a4b3 d7d5 d4e5 c8e6 c2c3 f8e7",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 e8g8 c2c3 d7d5 e4d5 f6d5",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 b8d7",
];

impl Book {
    /// The size of JavaChess's table.
    pub const TABLE_SIZE: usize = 1024;

    /// The built-in book: the Ruy Lopez, and what to do when White begins with the other pawn.
    #[must_use]
    pub fn ruy_lopez() -> Self {
        let mut book = Self::default();
        for line in RUY_LOPEZ {
            let mut position = Position::startpos();
            let moves = line.split(' ').map_while(|text| {
                let mv = position.parse_uci(text).ok()?;
                position.play(mv);
                Some(mv)
            });
            book.add_line(moves.collect());
        }
        book
    }

    /// Reads the text of a book: the number of lines of play, then for each the squares of its moves from
    /// the start position and END. What follows a slash in a line of text is a comment.
    ///
    /// # Errors
    /// Says in which line of play and at which move something is wrong.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        let mut tokens = text
            .lines()
            .flat_map(|line| line.split_once('/').map_or(line, |(before, _)| before).split_whitespace());
        let count = tokens.next().unwrap_or_default();
        let count: usize = count.parse().map_err(|_| BookError::Count(crate::quote(count)))?;
        let mut book = Self::default();
        for line in 1..=count {
            let moves = read_line(&mut tokens, line)?;
            book.add_line(moves);
        }
        match tokens.next() {
            Some(text) => Err(BookError::TooMuch { lines: count, text: crate::quote(text) }),
            None => Ok(book),
        }
    }

    /// The text of the book, one line of play a line.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.lines.len());
        for line in &self.lines {
            let mut position = Position::startpos();
            for &mv in line {
                let (from, to) = squares(&position, mv);
                let _ = write!(text, "{from:02} {to:02} ");
                position.play(mv);
            }
            text.push_str("END\n");
        }
        text
    }

    /// Adds a line of play from the start position; it ends before its first illegal move.
    pub fn add_line(&mut self, mut moves: Vec<Move>) {
        let mut position = Position::startpos();
        for ply in 0..moves.len() {
            let mv = moves[ply];
            if !position.is_legal(mv) {
                moves.truncate(ply);
                break;
            }
            self.table[place(position.key())] = Some((position.key(), mv));
            position.play(mv);
        }
        self.lines.push(moves);
    }

    /// The reply that the book prescribes, if it knows the position.
    #[must_use]
    pub fn reply(&self, position: &Position) -> Option<Move> {
        self.table[place(position.key())]
            .filter(|(key, mv)| *key == position.key() && position.is_legal(*mv))
            .map(|(_, mv)| mv)
    }

    /// The lines of play, each from the start position.
    pub fn lines(&self) -> impl Iterator<Item = &[Move]> {
        self.lines.iter().map(Vec::as_slice)
    }

    /// How many lines of play there are.
    #[must_use]
    pub const fn line_count(&self) -> usize {
        self.lines.len()
    }
}

const fn place(key: Key) -> usize {
    key.0 as usize % Book::TABLE_SIZE
}

/// The numbers of a move's squares; castling is where the king goes.
fn squares(position: &Position, mv: Move) -> (u8, u8) {
    let to = if mv.is_castling() {
        CastlingSide::of(mv.from(), mv.to()).king_target(position.turn())
    } else {
        mv.to()
    };
    (number(mv.from()), number(to))
}

fn read_line<'a>(tokens: &mut impl Iterator<Item = &'a str>, line: usize) -> Result<Vec<Move>, BookError> {
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    loop {
        let ply = moves.len() + 1;
        let from = tokens.next().ok_or(BookError::Unfinished { line })?;
        if from.eq_ignore_ascii_case("END") {
            return Ok(moves);
        }
        let to = tokens.next().ok_or(BookError::Unfinished { line })?;
        let read = |text: &str| {
            let number = text.parse::<u8>().ok().filter(|&number| number < 64);
            number.ok_or_else(|| BookError::Square { line, ply, text: crate::quote(text) })
        };
        let (from, to) = (read(from)?, read(to)?);
        // JavaChess takes the first move between the two squares, which for a promotion is the queen.
        let find = |promotion| position.find_move(square(from), square(to), promotion).ok();
        let mv = find(None).or_else(|| find(Some(chess::Role::Queen)));
        let mv = mv.ok_or(BookError::Illegal { line, ply, from, to })?;
        moves.push(mv);
        position.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let book = Book::ruy_lopez();
        assert_eq!(book.line_count(), RUY_LOPEZ.len());
        let text = book.to_text();
        assert!(text.starts_with("7\n52 36 12 28 62 45 01 18 "), "{text}");
        let again = Book::parse(&text).unwrap();
        assert_eq!(again.to_text(), text);
        assert_eq!(again.lines, book.lines);
        assert!(RUY_LOPEZ.iter().zip(&book.lines).all(|(text, line)| text.split(' ').count() == line.len()));
    }

    #[test]
    fn replies_in_known_positions_only() {
        let book = Book::parse("1\n52 36 12 28 end / the king's pawns").unwrap();
        let mut position = Position::startpos();
        let first = book.reply(&position).unwrap();
        assert_eq!(first, position.parse_uci("e2e4").unwrap());
        position.play(first);
        position.play(book.reply(&position).unwrap());
        assert_eq!(book.reply(&position), None);
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text: &str| Book::parse(text).map(|_| ()).unwrap_err().to_string();
        assert!(message("").contains("number of its lines"));
        assert!(message("x").contains("\"x\""));
        assert_eq!(message("1 52 36"), "the book ends in line of play 1, which has no END");
        assert_eq!(message("1 52 36 12"), "the book ends in line of play 1, which has no END");
        assert!(message("2 END 52 99 END").starts_with("move 1 of line of play 2: \"99\""));
        assert_eq!(message("1 52 36 12 36 END"), "move 2 of line of play 1: 12 36 is not legal there");
        assert!(message("1 END 52").starts_with("there is more"));
        assert!(Book::parse("0").is_ok());
    }
}
