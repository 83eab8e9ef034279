//! JavaChess's opening book: a text file of move lines, and a table of positions and replies made of it.

use crate::boards::lists::{number, square};
use chess::{CastlingSide, Key, Move, Position};
use std::collections::HashMap;
use std::fmt::Write;

/// Why a book could not be read, and where: `line` counts the lines of the text, `play` the lines of play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookError {
    #[error("line {line}: the book has to begin with the number of its lines of play, not with {text:?}")]
    Count { line: usize, text: String },
    #[error("line {line}: the book ends in line of play {play} of {plays}, which has no END")]
    Unfinished { line: usize, play: usize, plays: usize },
    #[error("line {line}: move {ply} of line of play {play}: {text:?} is no square number from 0 to 63")]
    Square { line: usize, play: usize, ply: usize, text: String },
    #[error("line {line}: move {ply} of line of play {play}: {from:02} {to:02} is not legal there")]
    Illegal { line: usize, play: usize, ply: usize, from: u8, to: u8 },
    #[error("line {line}: there is more after the {plays} lines of play announced: {text:?}")]
    TooMuch { line: usize, plays: usize, text: String },
}

/// The lines of play and the replies they prescribe.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    lines: Vec<Vec<Move>>,
    /// The reply to each position. A later line replaces that of an earlier one.
    replies: HashMap<Key, Move>,
}

/// Main lines of the Ruy Lopez. JavaChess had 38 positions of that opening but its document does not
/// print them; these are ours. What answers the other pawn comes first, since a later line replaces the reply to a
/// position that it shares: White plays the Ruy Lopez.
const RUY_LOPEZ: [&str; 7] = [
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 b8d7",
    "e2e4 e7e5 g1f3 b8c6 f1b5 d7d6 d2d4 c8d7 b1c3 g8f6 e1g1 f8e7 f1e1 e5d4 f3d4 e8g8",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e4d6 b5c6 d7c6 d4e5 d6f5 d1d8 e8d8",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f6e4 d2d4 b7b5 a4b3 d7d5 d4e5 c8e6 c2c3 f8e7",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 e8g8 c2c3 d7d5 e4d5 f6d5",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5",
];

impl Book {
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
        let mut tokens = Tokens::of(text);
        let count = tokens.next().unwrap_or_default();
        let plays: usize =
            count.parse().map_err(|_| BookError::Count { line: tokens.line, text: crate::quote(count) })?;
        let mut book = Self::default();
        for play in 1..=plays {
            let moves = tokens.read_play(play, plays)?;
            book.add_line(moves);
        }
        match tokens.next() {
            Some(text) => Err(BookError::TooMuch { line: tokens.line, plays, text: crate::quote(text) }),
            None => Ok(book),
        }
    }

    /// Adds the lines of another book, whose replies replace those known here.
    pub fn merge(&mut self, other: Self) {
        self.lines.extend(other.lines);
        self.replies.extend(other.replies);
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
            self.replies.insert(position.key(), mv);
            position.play(mv);
        }
        self.lines.push(moves);
    }

    /// The reply that the book prescribes, if it knows the position.
    #[must_use]
    pub fn reply(&self, position: &Position) -> Option<Move> {
        self.replies.get(&position.key()).copied().filter(|&mv| position.is_legal(mv))
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

/// The numbers of a move's squares; castling is where the king goes.
pub(super) fn squares(position: &Position, mv: Move) -> (u8, u8) {
    let to = if mv.is_castling() {
        CastlingSide::of(mv.from(), mv.to()).king_target(position.turn())
    } else {
        mv.to()
    };
    (number(mv.from()), number(to))
}

/// The words of a text, without comments, and the line of the last one read.
struct Tokens<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitWhitespace<'a>,
    line: usize,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Self {
        Self { lines: text.lines().enumerate(), words: "".split_whitespace(), line: 1 }
    }

    fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.words.next() {
                return Some(word);
            }
            let (index, line) = self.lines.next()?;
            self.line = index + 1;
            self.words = line.split_once('/').map_or(line, |(before, _)| before).split_whitespace();
        }
    }

    fn read_play(&mut self, play: usize, plays: usize) -> Result<Vec<Move>, BookError> {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        loop {
            let ply = moves.len() + 1;
            let from = self.next().ok_or(BookError::Unfinished { line: self.line, play, plays })?;
            if from.eq_ignore_ascii_case("END") {
                return Ok(moves);
            }
            let from = self.read_square(from, play, ply)?;
            let to = self.next().ok_or(BookError::Unfinished { line: self.line, play, plays })?;
            let to = self.read_square(to, play, ply)?;
            // JavaChess takes the first move between the two squares, which for a promotion is the queen.
            let find = |promotion| position.find_move(square(from), square(to), promotion).ok();
            let mv = find(None).or_else(|| find(Some(chess::Role::Queen)));
            let mv = mv.ok_or(BookError::Illegal { line: self.line, play, ply, from, to })?;
            moves.push(mv);
            position.play(mv);
        }
    }

    fn read_square(&self, text: &str, play: usize, ply: usize) -> Result<u8, BookError> {
        let number = text.parse::<u8>().ok().filter(|&number| number < 64);
        number.ok_or_else(|| BookError::Square { line: self.line, play, ply, text: crate::quote(text) })
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
        assert!(text.starts_with("7\n51 35 11 27 50 34 12 20 "), "{text}");
        let again = Book::parse(&text).unwrap();
        assert_eq!(again.to_text(), text);
        assert_eq!(again.lines, book.lines);
        assert!(RUY_LOPEZ.iter().zip(&book.lines).all(|(text, line)| text.split(' ').count() == line.len()));
    }

    #[test]
    fn opens_with_the_ruy_lopez_and_meets_every_line() {
        let book = Book::ruy_lopez();
        let mut position = Position::startpos();
        for expected in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1"] {
            let reply = book.reply(&position).expect(expected);
            assert_eq!(Ok(reply), position.parse_uci(expected));
            position.play(reply);
        }
        for line in book.lines() {
            let mut position = Position::startpos();
            for (ply, &mv) in line.iter().enumerate() {
                let reply = book.reply(&position);
                assert!(reply.is_some(), "ply {ply} of {line:?}");
                // White's first moves of the Ruy Lopez, and Black's answer to either pawn.
                let is_ruy_lopez = line[0] == Position::startpos().parse_uci("e2e4").unwrap();
                if ply == 1 || is_ruy_lopez && ply < 5 {
                    assert_eq!(reply, Some(mv), "ply {ply} of {line:?}");
                }
                position.play(mv);
            }
        }
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
        assert!(message("\n/ a book\nx").starts_with("line 3: the book has to begin"));
        for text in ["1\n52 36", "1\n52 36 12"] {
            assert_eq!(message(text), "line 2: the book ends in line of play 1 of 1, which has no END");
        }
        let square = "line 2: move 1 of line of play 2: \"99\" is no square number from 0 to 63";
        assert_eq!(message("2 END\n52 99 END"), square);
        assert_eq!(
            message("1 52 36 12 36 END"),
            "line 1: move 2 of line of play 1: 12 36 is not legal there"
        );
        assert!(message("1 END\n\n52").starts_with("line 3: there is more"));
        assert!(Book::parse("0").is_ok());
    }
}
