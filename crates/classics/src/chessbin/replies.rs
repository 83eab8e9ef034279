//! Replies to known positions: ChessBin's opening book, pairs of a position and the position after the
//! reply, and its memory of replies given before.

use chess::{Move, Position};
use std::collections::HashMap;
use std::fmt::Write;

/// Why a book could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RepliesError {
    #[error("line {line}: two FENs with a semicolon between them are needed")]
    Pair { line: usize },
    #[error("line {line}: {error}")]
    Fen { line: usize, error: chess::FenError },
    #[error("line {line}: no legal move leads from the first position to the second")]
    NoMove { line: usize },
}

/// Positions and what to reply. Move counters do not count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replies(HashMap<String, Move>);

/// The FEN without the two counters.
fn board_only(position: &Position) -> String {
    let fen = position.to_fen();
    let end = fen.match_indices(' ').nth(3).map_or(fen.len(), |(index, _)| index);
    fen[..end].to_owned()
}

impl Replies {
    /// Reads pairs of FENs, one pair a line with a semicolon between position and reply. Empty lines and
    /// those that begin with `#` are skipped.
    ///
    /// # Errors
    /// Says in which line something is wrong.
    pub fn parse(text: &str) -> Result<Self, RepliesError> {
        let mut replies = Self::default();
        for (index, text) in text.lines().enumerate() {
            let (line, text) = (index + 1, text.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (before, after) = text.split_once(';').ok_or(RepliesError::Pair { line })?;
            let read = |fen: &str| Position::from_fen(fen).map_err(|error| RepliesError::Fen { line, error });
            let (before, after) = (read(before)?, read(after)?);
            let mv = before
                .legal_moves()
                .into_iter()
                .find(|&mv| board_only(&before.after(mv)) == board_only(&after));
            replies.learn(&before, mv.ok_or(RepliesError::NoMove { line })?);
        }
        Ok(replies)
    }

    /// The pairs as text, sorted, so that the same book is the same text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines: Vec<String> = self
            .0
            .iter()
            .filter_map(|(fen, &mv)| {
                let position = Position::from_fen(fen).ok()?;
                Some(format!("{fen}; {}", board_only(&position.after(mv))))
            })
            .collect();
        lines.sort();
        lines.iter().fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "{line}");
            text
        })
    }

    /// Notes a legal reply.
    pub fn learn(&mut self, position: &Position, reply: Move) {
        if position.is_legal(reply) {
            self.0.insert(board_only(position), reply);
        }
    }

    /// The reply to a position, if it is known.
    #[must_use]
    pub fn get(&self, position: &Position) -> Option<Move> {
        self.0.get(&board_only(position)).copied().filter(|&mv| position.is_legal(mv))
    }

    /// Adds the replies of another book, which replace those known here.
    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "# The document's own examples.
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1; rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
";

    #[test]
    fn pairs_become_replies() {
        let book = Replies::parse(BOOK).unwrap();
        let mut position = Position::startpos();
        for expected in ["e2e4", "c7c5"] {
            let reply = book.get(&position).unwrap();
            assert_eq!(Ok(reply), position.parse_uci(expected));
            position.play(reply);
        }
        assert_eq!(book.get(&position), None);
        assert_eq!(Replies::parse(&book.to_text()), Ok(book));
    }

    #[test]
    fn faulty_lines_are_named() {
        let start = chess::START_FEN;
        assert_eq!(Replies::parse("\nx"), Err(RepliesError::Pair { line: 2 }));
        assert!(matches!(Replies::parse("x; y"), Err(RepliesError::Fen { line: 1, .. })));
        assert_eq!(Replies::parse(&format!("{start}; {start}")), Err(RepliesError::NoMove { line: 1 }));
    }
}
