//! Several books, asked in turn.

use crate::{Book, BookError, BookMove, Variety, openings};
use chess::Position;
use std::path::PathBuf;

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
        let paths: Vec<PathBuf> =
            std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect();
        if paths.is_empty() { Ok(Self::built_in(variety)) } else { Self::open_all(&paths, variety) }
    }

    /// The books of some files; [`BUILT_IN`] names the opening table.
    ///
    /// # Errors
    /// When one of the files cannot be used.
    pub fn open_all(paths: &[PathBuf], variety: Variety) -> Result<Self, BookError> {
        let open = |path: &PathBuf| {
            let is_table = path.as_os_str() == BUILT_IN;
            let book = if is_table { openings::book(variety) } else { Book::open(path)? };
            Ok((path.display().to_string(), book))
        };
        paths.iter().map(open).collect::<Result<_, _>>().map(Self)
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
