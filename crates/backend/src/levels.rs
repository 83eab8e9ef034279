//! The levels of the engine as opponents.

use crate::error::{Error, Result};
pub(crate) use engine::level::Level;

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
}
