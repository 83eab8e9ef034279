//! The books that classics play from.

use classics::{BookText, BooksError, Classic, ClassicSpec};

/// Opening books that classics play from instead of those they have.
#[derive(Clone, Debug, Default)]
pub struct ClassicBooks(Vec<(ClassicSpec, Vec<BookText>)>);

impl ClassicBooks {
    /// None: every classic has its own.
    pub const NONE: &Self = &Self(Vec::new());

    /// Lets a classic play from these books as well.
    ///
    /// # Errors
    /// When it plays without a book, or one of them cannot be read.
    pub fn add(&mut self, spec: ClassicSpec, books: Vec<BookText>) -> Result<(), BooksError> {
        spec.create_with_books(&books)?;
        self.0.push((spec, books));
        Ok(())
    }

    fn of(&self, spec: ClassicSpec) -> impl Iterator<Item = &BookText> {
        self.0.iter().filter(move |(of, _)| *of == spec).flat_map(|(_, books)| books)
    }

    /// The names of the books of a classic.
    pub(crate) fn names(&self, spec: ClassicSpec) -> Vec<&str> {
        self.of(spec).map(|book| book.name.as_str()).collect()
    }

    /// A classic, ready to play.
    pub(crate) fn create(&self, spec: ClassicSpec) -> Box<dyn Classic + Send> {
        let mut books = self.of(spec).peekable();
        if books.peek().is_none() {
            return spec.create();
        }
        // They were read when they were added, so that this does not fail.
        spec.create_with_books(books).unwrap_or_else(|_| spec.create())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Game;
    use classics::Budget;

    #[test]
    fn classics_play_from_the_books_they_are_given() {
        let javachess: ClassicSpec = "javachess".parse().unwrap();
        let first_move = |books: &ClassicBooks| {
            let game = Game::new();
            let choice = books.create(javachess).think(&game, &Budget::default()).unwrap();
            game.position().san(choice.mv().unwrap()).to_string()
        };
        assert_eq!(first_move(ClassicBooks::NONE), "e4");
        let text = |name: &str, text: &str| BookText { name: name.to_owned(), text: text.to_owned() };
        let mut books = ClassicBooks::default();
        books.add(javachess, vec![text("english.book", "1 50 34 END")]).unwrap();
        assert_eq!(first_move(&books), "c4");
        assert_eq!(books.names(javachess), ["english.book"]);
        let wrong = books.add(javachess, vec![text("wrong.book", "1 52 99 END")]).unwrap_err();
        assert!(wrong.to_string().starts_with("wrong.book: line 1: "), "{wrong}");
        let without = books.add("piglet".parse().unwrap(), Vec::new()).unwrap_err();
        assert!(without.to_string().contains("plays without a book"), "{without}");
        assert_eq!(first_move(&books), "c4", "what was refused changes nothing");
    }
}
