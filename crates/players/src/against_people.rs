//! How Gardez plays a game against people: from its book, and the same way whenever the game is continued.

use crate::spec::{PlayerKind, PlayerSpec};
use engine::Settings;
use engine::options::{MAX_SEED, TABLE};

/// The opponent of people who name none: neither a beginner nor a master.
pub const DEFAULT_OPPONENT: &str = "level=8";

/// Sets Gardez for its move after `ply` half-moves of a game against people.
///
/// It plays from its book. How adventurous it is there depends on its level (the variety is left alone), and what
/// it plays, errors included, follows from the seed of the game: a game that is taken back or resumed later
/// continues as it would have.
pub fn set_against_people(settings: &mut Settings, game_seed: u64, ply: usize) {
    settings.own_book = true;
    settings.book_seed = option_seed(game_seed.wrapping_add(ply as u64));
    settings.game_seed = option_seed(game_seed).into();
}

/// A seed as options take it; not 0, which would mean any.
const fn option_seed(seed: u64) -> u32 {
    ((seed ^ (seed >> 31)) % MAX_SEED.unsigned_abs() + 1) as u32
}

impl PlayerSpec {
    /// The player as it meets people, who may write `level=8` for `gardez:level=8`.
    ///
    /// # Errors
    /// When the text names no player.
    pub fn parse_opponent(text: &str) -> Result<Self, crate::spec::SpecError> {
        match text.strip_prefix("level=") {
            Some(level) => format!("gardez:level={level}").parse(),
            None => text.parse(),
        }
    }

    /// This player with the options that [`set_against_people`] sets, except those it has already. Only Gardez has
    /// them.
    #[must_use]
    pub fn against_people(&self, game_seed: u64, ply: usize) -> Self {
        let mut spec = self.clone();
        if spec.kind == PlayerKind::Gardez {
            let mut settings = Settings::default();
            set_against_people(&mut settings, game_seed, ply);
            for option in TABLE.iter().filter(|option| option.value(&settings) != option.default()) {
                if !spec.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(option.name)) {
                    spec.options.push((option.name.to_owned(), option.value(&settings).to_string()));
                }
            }
        }
        spec
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gardez_takes_the_options() {
        let seeds = [0, 1, 5, u64::MAX];
        for (game_seed, ply) in seeds.into_iter().flat_map(|seed| [(seed, 0), (seed, 7)]) {
            let mut engine = engine::Engine::new();
            let set = engine.configure(|settings| set_against_people(settings, game_seed, ply));
            assert_eq!(set, Ok(()), "{game_seed} {ply}");
            let settings = engine.settings();
            assert!(settings.own_book && settings.book_seed > 0 && settings.game_seed > 0);
        }
        assert_ne!(option_seed(2), option_seed(3));
    }

    #[test]
    fn what_a_player_sets_itself_stays() {
        let spec = PlayerSpec::parse_opponent("gardez:ownbook=false,Hash=8").expect("a player");
        let against = spec.against_people(3, 0);
        let names: Vec<&str> = against.options.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["ownbook", "Hash", "Game Seed", "BookSeed"]);
        let classic = PlayerSpec::parse_opponent("piglet").expect("a player");
        assert_eq!(classic.against_people(3, 0), classic);
        let opponent = PlayerSpec::parse_opponent(DEFAULT_OPPONENT).expect("a player");
        assert!(opponent.limits_itself());
    }
}
