//! Levels of Gardez, and its book, as the table names them.

use arena::spec::Spec;
use engine::options::TABLE;

/// Who plays against somebody who has not said against whom.
pub const DEFAULT_OPPONENT: &str = "gardez";

/// The text of the arena for a player: `level=8` is Gardez at a level.
pub fn spec_text(text: &str) -> String {
    match text.strip_prefix("level=") {
        Some(level) => format!("gardez:level={level}"),
        None => text.to_owned(),
    }
}

/// Whether the player counts nodes instead of looking at the time, as all levels below full strength do.
pub fn limits_itself(spec: &Spec) -> bool {
    spec.options.iter().any(|(name, value)| name == "UCI_LimitStrength" && value == "true")
}

/// Against people Gardez plays from its book, unless its options say otherwise.
pub fn add_book(spec: &mut Spec) {
    const OWN_BOOK: &str = "OwnBook";
    let is_known = TABLE.iter().any(|option| option.name == OWN_BOOK);
    if is_known && !spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(OWN_BOOK)) {
        spec.options.push((OWN_BOOK.to_owned(), "true".to_owned()));
    }
}
