//! Playing from an opening book.

use crate::settings::Settings;
use book::{BUILT_IN, BookError, BookMove, Books, Variety, openings};
use chess::random::Random;
use chess::{Game, Position};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

/// The books the engine plays from, and the chance that chooses among their moves.
pub(crate) struct OwnBook {
    /// The books of files; without any, the opening table is the book.
    files: Option<Books>,
    variety: Variety,
    random: Random,
}

impl Default for OwnBook {
    fn default() -> Self {
        Self { files: None, variety: Variety::default(), random: unpredictable() }
    }
}

impl OwnBook {
    /// Takes over the books and the variety of the settings. If a file cannot be used, the old books stay.
    pub(crate) fn open(&mut self, settings: &Settings) -> Result<(), BookError> {
        let variety = settings.variety();
        let files = match settings.book_file.as_str() {
            "" | BUILT_IN => None,
            list => Some(Books::open(list, variety)?),
        };
        (self.files, self.variety) = (files, variety);
        Ok(())
    }

    /// Follows a change of the level, which may change the variety.
    pub(crate) fn follow_level(&mut self, settings: &Settings) -> Result<(), BookError> {
        if settings.variety() == self.variety { Ok(()) } else { self.open(settings) }
    }

    /// What the choice among moves follows from; 0: something else every time.
    pub(crate) fn seed(&mut self, seed: u32) {
        self.random = if seed == 0 { unpredictable() } else { Random::new(seed.into()) };
    }

    fn books(&self) -> &Books {
        self.files.as_ref().unwrap_or_else(|| built_in(self.variety))
    }

    /// What the books know of the position a game stands at, the heaviest move first.
    pub(crate) fn moves(&self, game: &Game) -> Vec<BookMove> {
        self.books().probe(game.polyglot_key(), game.position())
    }

    /// A move to play, and a note about it.
    pub(crate) fn choose(&mut self, key: u64, position: &Position) -> Option<(BookMove, String)> {
        let moves = self.books().probe(key, position);
        let chosen = match self.variety {
            Variety::Best => book::best(&moves),
            Variety::Main | Variety::Wide | Variety::All => book::choose(&moves, &mut self.random),
        }?;
        let share = book::share(chosen, &moves);
        let opening = openings::name(&position.after(chosen.mv));
        let opening = opening.map_or_else(String::new, |opening| format!(", {opening}"));
        Some((chosen, format!("book move {} ({share:.0} %){opening}", position.san(chosen.mv).as_str())))
    }
}

/// The opening table as a book, made when it is first asked and shared by all engines, so that an engine that plays
/// at one level after the other need not make it again.
fn built_in(variety: Variety) -> &'static Books {
    static BOOKS: [OnceLock<Books>; Variety::NAMES.len()] = [const { OnceLock::new() }; Variety::NAMES.len()];
    BOOKS[variety as usize].get_or_init(|| Books::built_in(variety))
}

/// Random numbers that are different every time.
fn unpredictable() -> Random {
    Random::new(RandomState::new().build_hasher().finish())
}
