//! Several books, asked in turn.

use crate::{Book, BookError, BookMove, Variety, openings};
use chess::Position;
use std::path::Path;

/// The name of the opening table where a book is asked for by the name of its file.
pub const BUILT_IN: &str = "<built-in>";

/// Books in the order in which they are asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Books(Vec<(String, Book)>);

impl Books {
    /// The opening table alone.
    #[must_use]
    pub fn built_in(variety: Variety) -> Self {
        Self(vec![(BUILT_IN.to_owned(), openings::book(variety))])
    }

    /// The books of a list of files, separated as the system separates paths (`:`, on Windows `;`).
    /// [`BUILT_IN`] names the opening table, and so does an empty list.
    ///
    /// # Errors
    /// When one of the files cannot be used.
    pub fn open(list: &str, variety: Variety) -> Result<Self, BookError> {
        let paths = std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty());
        let open = |path: &Path| {
            let book = if path == Path::new(BUILT_IN) { openings::book(variety) } else { Book::open(path)? };
            Ok((path.display().to_string(), book))
        };
        let books: Vec<_> = paths.map(|path| open(&path)).collect::<Result<_, _>>()?;
        Ok(if books.is_empty() { Self::built_in(variety) } else { Self(books) })
    }

    /// The moves of the first book that knows one to play, under the
    /// [Polyglot key](chess::Game::polyglot_key) of the position.
    #[must_use]
    pub fn probe(&self, key: u64, position: &Position) -> Vec<BookMove> {
        let mut answers = self.0.iter().map(|(_, book)| book.probe(key, position));
        answers.find(|moves| moves.iter().any(|known| known.weight > 0)).unwrap_or_default()
    }

    /// The books with the names they were asked for by.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Book)> {
        self.0.iter().map(|(name, book)| (name.as_str(), book))
    }
}
