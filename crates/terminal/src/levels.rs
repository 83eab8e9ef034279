//! What Gardez is told when it plays against people.

use players::{Kind, Spec};

/// Who plays against somebody who has not said against whom: neither a beginner nor a master.
pub const DEFAULT_OPPONENT: &str = "level=8";

/// The text of the arena for a player: `level=8` is Gardez at a level.
pub fn spec_text(text: &str) -> String {
    match text.strip_prefix("level=") {
        Some(level) => format!("gardez:level={level}"),
        None => text.to_owned(),
    }
}

/// Against people Gardez plays from its book, unless its options say otherwise.
pub fn add_book(spec: &mut Spec) {
    add(spec, "OwnBook", "true");
}

/// What a level errs about stays the same all through a game, even if the player is started anew in the middle.
pub fn add_seed(spec: &mut Spec, game_seed: u32) {
    add(spec, "Game Seed", &game_seed.to_string());
}

/// Sets an option of Gardez that is not set yet.
fn add(spec: &mut Spec, name: &str, value: &str) {
    let is_set = spec.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    if spec.kind == Kind::Gardez && !is_set {
        spec.options.push((name.to_owned(), value.to_owned()));
    }
}
