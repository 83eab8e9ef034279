//! Playing from an opening book.

use crate::options::{Id, OptionError, Options, TABLE};
use book::{BUILT_IN, BookMove, Books, Variety, openings};
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
        Self { files: None, variety: Variety::default(), random: unforeseen() }
    }
}

impl OwnBook {
    /// Follows a change of options. If a file cannot be used, the old books stay.
    pub(crate) fn follow(&mut self, changed: Id, options: &Options) -> Result<(), OptionError> {
        match changed {
            Id::BookFile | Id::BookVariety => self.open(changed, options),
            Id::LimitStrength | Id::Elo | Id::SkillLevel if variety(options) != self.variety => {
                self.open(changed, options)
            }
            Id::BookSeed => {
                self.random = match options.spin(Id::BookSeed) {
                    0 => unforeseen(),
                    seed => Random::new(seed.unsigned_abs()),
                };
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, changed: Id, options: &Options) -> Result<(), OptionError> {
        let variety = variety(options);
        let list = options.text(Id::BookFile);
        let files = match list {
            "" | BUILT_IN => None,
            _ => Books::open(list, variety).map(Some).map_err(|error| OptionError::Refused {
                name: TABLE[changed as usize].name,
                reason: error.to_string(),
            })?,
        };
        (self.files, self.variety) = (files, variety);
        Ok(())
    }

    fn books(&self) -> &Books {
        self.files.as_ref().unwrap_or_else(|| built_in(self.variety))
    }

    /// What the books know of the position a game stands at, the heaviest move first.
    pub(crate) fn moves(&self, game: &Game) -> Vec<BookMove> {
        self.books().probe(game.polyglot_key(), game.position())
    }

    /// A move to play, and what to tell about it.
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

/// What the options want to be played: that which suits the level, unless they say otherwise.
fn variety(options: &Options) -> Variety {
    let of_level = || match options.level().elo() {
        Some(elo) => Variety::for_elo(u32::from(elo)),
        None => Variety::default(),
    };
    options.text(Id::BookVariety).parse().unwrap_or_else(|_| of_level())
}

/// Random numbers that are different every time.
fn unforeseen() -> Random {
    Random::new(RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_levels_play_more_openings() {
        let mut own = OwnBook::default();
        let mut options = Options::default();
        assert_eq!(variety(&options), Variety::Main);
        for (id, name, value, expected) in [
            (Id::Elo, "UCI_Elo", "900", Variety::Main),
            (Id::LimitStrength, "UCI_LimitStrength", "true", Variety::All),
            (Id::Elo, "UCI_Elo", "1500", Variety::Wide),
            (Id::Elo, "UCI_Elo", "2500", Variety::Main),
            (Id::BookVariety, "BookVariety", "best", Variety::Best),
        ] {
            options.set(name, value).unwrap();
            own.follow(id, &options).unwrap();
            assert_eq!(own.variety, expected, "{name} {value}");
        }
    }
}
