//! Levels of Gardez, and its book, as the table names them.

use arena::spec::{Kind, Spec};
use engine::options::TABLE;

/// Who plays against somebody who has not said against whom: neither a beginner nor a master.
pub fn default_opponent() -> &'static str {
    if has_levels() { "level=8" } else { "gardez" }
}

/// Whether the engine can be held back at all.
fn has_levels() -> bool {
    has_option("UCI_LimitStrength")
}

fn has_option(name: &str) -> bool {
    TABLE.iter().any(|option| option.name == name)
}

/// The text of the arena for a player: `level=8` is Gardez at a level.
pub fn spec_text(text: &str) -> String {
    match text.strip_prefix("level=") {
        Some(level) if has_levels() => format!("gardez:level={level}"),
        _ => text.to_owned(),
    }
}

/// Whether the player counts nodes instead of looking at the time, as all levels below full strength do.
pub fn limits_itself(spec: &Spec) -> bool {
    spec.options.iter().any(|(name, value)| name == "UCI_LimitStrength" && value == "true")
}

/// Against people Gardez plays from its book, unless its options say otherwise.
pub fn add_book(spec: &mut Spec) {
    add(spec, "OwnBook", "true");
}

/// What a level errs about stays the same all through a game, even if the player is started anew in the middle.
pub fn add_seed(spec: &mut Spec, game_seed: u32) {
    add(spec, "Game Seed", &game_seed.to_string());
}

/// Sets an option that the engine has and that is not set yet.
fn add(spec: &mut Spec, name: &str, value: &str) {
    let is_set = spec.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    if spec.kind == Kind::Gardez && has_option(name) && !is_set {
        spec.options.push((name.to_owned(), value.to_owned()));
    }
}
