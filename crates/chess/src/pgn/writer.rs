//! Games as text, in PGN export format.

use super::{Comment, Line, PgnGame, tags};
use crate::{Color, Move, Position};
use std::fmt::{self, Write};

/// Lines stay shorter than 80 columns.
const MAX_COLUMNS: usize = 79;

/// Puts words into lines.
struct Wrapper<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    column: usize,
    /// Whether the next word follows the last without a blank.
    glued: bool,
}

impl Wrapper<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        let blank = usize::from(self.column > 0 && !self.glued);
        let fits = self.column + blank + width <= MAX_COLUMNS;
        if !fits && blank == 1 && may_begin_line(word) {
            self.end_line()?;
        } else if blank == 1 {
            self.out.write_char(' ')?;
            self.column += 1;
        }
        self.out.write_str(word)?;
        self.column += width;
        self.glued = false;
        Ok(())
    }

    fn end_line(&mut self) -> fmt::Result {
        self.column = 0;
        self.glued = false;
        self.out.write_char('\n')
    }

    fn comment(&mut self, comment: &Comment) -> fmt::Result {
        let text = comment.to_string();
        // Nothing can escape a brace, but a comment to the end of the line may contain one.
        if text.contains(['{', '}']) {
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            self.word(&format!(";{}", words.join(" ")))?;
            return self.end_line();
        }
        let mut words = text.split_ascii_whitespace();
        let mut word = format!("{{{}", words.next().unwrap_or_default());
        for next in words {
            self.word(&word)?;
            word = next.to_owned();
        }
        self.word(&format!("{word}}}"))
    }

    /// Writes the moves of a line and plays them. An illegal move, which only a tree made by hand can
    /// contain, ends the line.
    fn line(&mut self, line: &Line, start: &Position) -> fmt::Result {
        let mut position = *start;
        for comment in &line.comments {
            self.comment(comment)?;
        }
        let mut needs_number = true;
        for node in &line.moves {
            let Some((next, text)) = step(&position, node.mv) else { break };
            let number = position.fullmove_number();
            match position.turn() {
                Color::White => self.word(&format!("{number}."))?,
                Color::Black if needs_number => self.word(&format!("{number}..."))?,
                Color::Black => {}
            }
            self.word(&text)?;
            for nag in &node.nags {
                self.word(&nag.to_string())?;
            }
            for comment in &node.comments {
                self.comment(comment)?;
            }
            for variation in &node.variations {
                self.word("(")?;
                self.glued = true;
                self.line(variation, &position)?;
                self.glued = self.column > 0;
                self.word(")")?;
            }
            needs_number = !node.comments.is_empty() || !node.variations.is_empty();
            position = next;
        }
        Ok(())
    }
}

/// The position after a move or a passed one, and its text; nothing if that is not allowed.
fn step(position: &Position, mv: Option<Move>) -> Option<(Position, String)> {
    match mv {
        Some(mv) => {
            let is_legal = position.is_legal(mv);
            is_legal.then(|| (position.after(mv), position.san(mv).to_string()))
        }
        None if position.is_check() => None,
        None => {
            let mut next = *position;
            next.play_null();
            Some((next, "--".to_owned()))
        }
    }
}

/// A line that begins like this would be hidden, or taken for a tag, by some reader.
fn may_begin_line(word: &str) -> bool {
    !word.starts_with(['%', '['])
}

/// PGN export format, with an empty line at the end.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags.iter() {
            writeln!(f, "[{name} \"{}\"]", tags::escape(value))?;
        }
        if self.start != Position::startpos() {
            writeln!(f, "[SetUp \"1\"]\n[FEN \"{}\"]", self.start.to_fen())?;
        }
        f.write_char('\n')?;
        let mut wrapper = Wrapper { out: f, column: 0, glued: false };
        wrapper.line(&self.line, &self.start)?;
        wrapper.word(self.result().as_str())?;
        wrapper.end_line()?;
        f.write_char('\n')
    }
}
