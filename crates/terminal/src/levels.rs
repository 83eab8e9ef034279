//! Levels of Gardez as the command line and the table name them.

use arena::spec::Spec;

/// Who plays against somebody who has not said against whom.
pub const DEFAULT_OPPONENT: &str = "gardez";

/// The text of the arena for a player: `level=8` and plain numbers are Gardez at a level.
pub fn spec_text(text: &str) -> String {
    text.to_owned()
}

/// Whether the player stops by itself, without clock or time for a move.
pub fn limits_itself(_spec: &Spec) -> bool {
    false
}

/// What a Gardez with these settings is called.
pub fn name(_spec: &Spec) -> String {
    "Gardez".to_owned()
}
