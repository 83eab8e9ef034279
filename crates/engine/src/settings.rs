//! What can be set about an engine.

use crate::evaluation::EvaluationKind;
use crate::level::Level;
use crate::task::Driver;
use book::Variety;

/// Everything that can be set about an engine. [`Engine::configure`](crate::Engine::configure) changes it;
/// [`options`](crate::options) is its view as text, for protocols and command lines.
///
/// ```
/// use engine::{Engine, Level};
///
/// let mut engine = Engine::new();
/// engine.configure(|settings| {
///     settings.hash = 64;
///     settings.lines = 3;
///     settings.set_level(Level::Elo(1500));
/// })?;
/// assert_eq!(engine.settings().level(), Level::Elo(1500));
/// assert!(engine.configure(|settings| settings.threads = 0).is_err());
/// # Ok::<(), engine::OptionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Memory of the transposition table in MiB.
    pub hash: usize,
    /// Threads to search with.
    pub threads: usize,
    /// How many best lines to find.
    pub lines: usize,
    /// Whether the interface may let the engine think on the opponent's time.
    pub ponder: bool,
    /// Milliseconds kept back for each move.
    pub move_overhead_ms: u32,
    /// How the root narrows down the score.
    pub driver: Driver,
    /// What judges positions.
    pub evaluation: EvaluationKind,
    /// File of the network; empty for the one that is built in.
    pub network_file: String,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the chances of winning, drawing and losing are reported.
    pub show_wdl: bool,
    /// Whether the position is analysed, not played: at full strength and without a book.
    pub analyse_mode: bool,
    /// Title, rating, kind and name of the opponent.
    pub opponent: String,
    /// Whether `elo` limits the strength; otherwise `skill` does.
    pub limit_strength: bool,
    /// The rating to play at.
    pub elo: u16,
    /// The level to play at, from 0 to [`Level::MAX_SKILL`].
    pub skill: usize,
    /// What the errors of a level follow from; 0: different in every game.
    pub game_seed: u64,
    /// Directories of Syzygy tablebases; empty for none.
    pub syzygy_path: String,
    /// Least depth at which tablebases are asked when they hold the largest number of men.
    pub syzygy_probe_depth: i32,
    /// Largest number of men for which tablebases are asked.
    pub syzygy_probe_limit: usize,
    /// Whether wins that need more than fifty moves are draws.
    pub syzygy_fifty_move_rule: bool,
    /// Whether to play from the opening book.
    pub own_book: bool,
    /// Files of Polyglot books.
    pub book_file: String,
    /// Number of the move up to which the book is used.
    pub book_depth: u16,
    /// What is played from the book; none: what suits the level.
    pub book_variety: Option<Variety>,
    /// What the choice among book moves follows from; 0: different every time.
    pub book_seed: u32,
    /// Nodes that count as a millisecond; 0: the clock counts.
    pub nodes_per_ms: u64,
    /// File that everything said to and by the engine is written into; empty for none.
    pub log_file: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 64,
            threads: 1,
            lines: 1,
            ponder: false,
            move_overhead_ms: 20,
            driver: Driver::Pvs,
            // The network, where one is built in.
            evaluation: if nnue::IS_EMBEDDED { EvaluationKind::Network } else { EvaluationKind::Handcrafted },
            network_file: String::new(),
            chess960: false,
            show_wdl: false,
            analyse_mode: false,
            opponent: String::new(),
            limit_strength: false,
            elo: 1500,
            skill: Level::MAX_SKILL,
            game_seed: 0,
            syzygy_path: String::new(),
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_fifty_move_rule: true,
            own_book: false,
            book_file: book::BUILT_IN.to_owned(),
            book_depth: 255,
            book_variety: None,
            book_seed: 0,
            nodes_per_ms: 0,
            log_file: String::new(),
        }
    }
}

impl Settings {
    /// The level to play at.
    #[must_use]
    pub fn level(&self) -> Level {
        if self.limit_strength { Level::of_elo(i64::from(self.elo)) } else { Level::of_skill(self.skill) }
    }

    /// Plays at this level.
    pub fn set_level(&mut self, level: Level) {
        self.limit_strength = level.elo().is_some();
        match level.elo() {
            Some(elo) => self.elo = elo,
            None => self.skill = Level::MAX_SKILL,
        }
    }

    /// What is played from the book: what suits the level, unless the settings say otherwise.
    #[must_use]
    pub(crate) fn variety(&self) -> Variety {
        let of_level =
            || self.level().elo().map_or_else(Variety::default, |elo| Variety::for_elo(elo.into()));
        self.book_variety.unwrap_or_else(of_level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_what_it_was_set_to() {
        let mut settings = Settings::default();
        assert_eq!(settings.level(), Level::Full);
        for level in Level::ALL {
            settings.set_level(level);
            assert_eq!(settings.level(), level);
        }
    }

    #[test]
    fn weaker_levels_play_more_openings() {
        let mut settings = Settings::default();
        assert_eq!(settings.variety(), Variety::Main);
        for (elo, variety) in [(900, Variety::All), (1500, Variety::Wide), (2500, Variety::Main)] {
            settings.set_level(Level::Elo(elo));
            assert_eq!(settings.variety(), variety, "{elo}");
        }
        settings.book_variety = Some(Variety::Best);
        assert_eq!(settings.variety(), Variety::Best);
    }
}
