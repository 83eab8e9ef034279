//! A book in memory.

use crate::{BookError, BookFault, MoveCode, reader};
use chess::{Move, Position};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

/// A move for one position, as it stands in the file.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BookEntry {
    pub key: u64,
    pub code: MoveCode,
    pub weight: u16,
}

/// A legal move that a book knows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How good or frequent it is, compared with the other moves of the position. One with 0 is never
    /// played.
    pub weight: u32,
}

/// Moves with weights for many positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<BookEntry>,
}

impl Book {
    /// Reads a Polyglot file, all of which is checked.
    ///
    /// # Errors
    /// When the file cannot be read, ends within an entry, is not sorted, or holds something that is no
    /// move.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let open = || {
            let metadata = fs::metadata(path).map_err(BookFault::Unreadable)?;
            if !metadata.is_file() {
                return Err(BookFault::NotAFile);
            }
            reader::check_length(metadata.len())?;
            Self::read(BufReader::new(File::open(path).map_err(BookFault::Unreadable)?))
        };
        open().map_err(|fault| BookError { path: path.to_owned(), fault })
    }

    /// Reads a book from anything that can be read, best through a buffer.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(source: impl Read) -> Result<Self, BookFault> {
        reader::read(source).map(|entries| Self { entries })
    }

    /// Writes the book in Polyglot's format.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, target: impl Write) -> io::Result<()> {
        reader::write(&self.entries, target)
    }

    /// The legal moves filed under a [Polyglot key](chess::Game::polyglot_key), the heaviest first.
    /// Whatever is not legal in the position is left out.
    #[must_use]
    pub fn probe(&self, key: u64, position: &Position) -> Vec<BookMove> {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.entries[first..].iter().take_while(|entry| entry.key == key) {
            let Some(mv) = entry.code.decode(position) else { continue };
            let weight = u32::from(entry.weight);
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(weight),
                None => moves.push(BookMove { mv, weight }),
            }
        }
        moves.sort_by_key(|known| (std::cmp::Reverse(known.weight), known.mv));
        moves
    }

    /// One book of several: what they say about the same move is added up.
    #[must_use]
    pub fn merge<'a>(books: impl IntoIterator<Item = &'a Self>) -> Self {
        let entries = books.into_iter().flat_map(|book| &book.entries);
        // Words about one book say nothing about all of them.
        let moves = entries.filter(|entry| entry.key != 0);
        Self::from_scores(moves.map(|entry| (entry.key, entry.code, u64::from(entry.weight))).collect())
    }

    /// A book from moves and what speaks for them, in any order; the same move may come several times.
    /// Scores that do not fit into an entry are scaled down, together with those of all moves of the
    /// position.
    pub(crate) fn from_scores(mut scores: Vec<(u64, MoveCode, u64)>) -> Self {
        scores.sort_unstable();
        scores.dedup_by(|next, first| {
            let same = (next.0, next.1) == (first.0, first.1);
            if same {
                first.2 = first.2.saturating_add(next.2);
            }
            same
        });
        let mut entries = Vec::with_capacity(scores.len());
        for position in scores.chunk_by(|one, other| one.0 == other.0) {
            let largest = position.iter().map(|score| score.2).max().unwrap_or(0);
            let begin = entries.len();
            entries.extend(position.iter().map(|&(key, code, score)| BookEntry {
                key,
                code,
                weight: scale(score, largest),
            }));
            // As Polyglot does it: the best moves of a position come first.
            entries[begin..].sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.code));
        }
        Self { entries }
    }

    /// How many moves there are, over all positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, other| one.key == other.key).count()
    }
}

/// A score in sixteen bits, where the largest of the position has to fit too. What counts at all still
/// counts a little.
fn scale(score: u64, largest: u64) -> u16 {
    const MAX: u64 = u16::MAX as u64;
    let scaled = if largest <= MAX {
        score
    } else {
        let rounded = (u128::from(score) * u128::from(MAX) + u128::from(largest / 2)) / u128::from(largest);
        (rounded as u64).max(score.min(1))
    };
    scaled.min(MAX) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_scaled_by_position() {
        let (one, two) = (MoveCode(0x031c), MoveCode(0x02db));
        let book = Book::from_scores(vec![(9, one, 1 << 40), (9, two, 1), (9, one, 1 << 40), (7, two, 5)]);
        let entry = |key, code, weight| BookEntry { key, code, weight };
        assert_eq!(book.entries, [entry(7, two, 5), entry(9, one, 65535), entry(9, two, 1)]);
        assert_eq!((book.len(), book.positions()), (3, 2));
        assert_eq!(scale(0, 1 << 40), 0);
        assert_eq!(scale(65536, 131_072), 32768);
        assert_eq!(scale(u64::MAX, u64::MAX), 65535);
    }
}
