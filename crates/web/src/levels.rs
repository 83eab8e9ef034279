//! The levels of the engine as opponents.

use crate::error::{Error, Result};
use engine::Engine;
pub(crate) use engine::level::Level;
use engine::options::{Id, MAX_SEED};

/// The level of an identifier: a number of the list, a rating, or `full`.
///
/// # Errors
/// When there is none.
pub(crate) fn find(id: &str) -> Result<Level> {
    id.parse().map_err(|_| Error::bad_request(format!("there is no level {:?}", head(id))))
}

/// The beginning of a text from outside.
fn head(text: &str) -> String {
    text.chars().take(20).collect()
}

/// The approximate rating of a level; none at full strength.
pub(crate) fn elo(level: Level) -> Option<i32> {
    level.elo().map(i32::from)
}

/// Whether the level is held back by nodes, so that it needs no limit of time.
#[must_use]
pub(crate) fn is_limited(level: Level) -> bool {
    level != Level::Full
}

/// Sets an engine to play at a level, openings from the book included. The seed and the ply make it repeatable.
pub(crate) fn set(engine: &mut Engine, level: Level, seed: u64, ply: usize) {
    // Weak players know odd openings too.
    let variety = if is_limited(level) { "wide" } else { "main" };
    // The book is made anew when its variety changes, and each engine plays with one only.
    if engine.options().text(Id::BookVariety) != variety {
        set_option(engine, "BookVariety", variety);
    }
    set_option(engine, "OwnBook", "true");
    set_option(engine, "BookSeed", &option_seed(seed.wrapping_add(ply as u64)).to_string());
    set_option(engine, "Game Seed", &option_seed(seed).to_string());
    if let Err(error) = engine.set_level(level) {
        tracing::warn!("level {level}: {error}");
    }
}

/// Lets an engine study, not play: without a book.
pub(crate) fn unset(engine: &mut Engine) {
    set_option(engine, "OwnBook", "false");
}

fn set_option(engine: &mut Engine, name: &str, value: &str) {
    if let Err(error) = engine.set_option(name, value) {
        tracing::warn!("{error}");
    }
}

/// A seed as options take it; not 0, which would mean any.
const fn option_seed(seed: u64) -> u64 {
    let most = MAX_SEED.unsigned_abs();
    (seed ^ (seed >> 31)) % most + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_levels_are_found_by_their_identifier() {
        for level in Level::ALL {
            assert_eq!(find(&level.to_string()), Ok(level));
        }
        assert_eq!(find("full"), Ok(Level::Full));
        assert!(find("champion").is_err() && find("").is_err());
    }

    #[test]
    fn every_setting_is_taken() {
        let mut engine = Engine::new();
        for level in Level::ALL {
            set(&mut engine, level, u64::MAX, 7);
            assert_eq!(engine.options().level(), level);
            assert!(engine.options().check(Id::OwnBook));
        }
        unset(&mut engine);
        assert!(!engine.options().check(Id::OwnBook));
        assert!((0..1000).all(|seed| (1..=MAX_SEED.unsigned_abs()).contains(&option_seed(seed))));
        assert_ne!(option_seed(2), option_seed(3));
    }
}
