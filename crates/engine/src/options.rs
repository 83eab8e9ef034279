//! The one table of options behind UCI, XBoard, the command line and the manual.

use crate::level::Level;
use std::fmt;

/// What values an option takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// On or off.
    Check {
        /// The value it starts with.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value it starts with.
        default: i64,
        /// The least value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value it starts with.
        default: &'static str,
        /// All values.
        choices: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// The value it starts with.
        default: &'static str,
    },
    /// Something to do rather than to set.
    Button,
}

/// An option: its name, its values, and what it is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The name, exactly as interfaces know it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// One line for the manual.
    pub help: &'static str,
}

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Check(bool),
    Spin(i64),
    Text(String),
}

/// Why an option could not be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("option {name} takes a number from {min} to {max}, not '{value}'")]
    OutOfRange { name: &'static str, min: i64, max: i64, value: String },
    #[error("option {name} takes true or false, not '{value}'")]
    NotBoolean { name: &'static str, value: String },
    #[error("option {name} takes one of {choices}, not '{value}'")]
    NotAChoice { name: &'static str, choices: String, value: String },
    #[error("option {name}: {reason}")]
    Refused { name: &'static str, reason: String },
}

/// The most threads and the most memory that may be asked for.
pub const MAX_THREADS: i64 = 512;
/// In mebibytes.
pub const MAX_HASH: i64 = 1 << 20;
/// The largest seed: interfaces keep numbers in 32 bits.
pub const MAX_SEED: i64 = i32::MAX as i64;
/// The most lines `MultiPV` gives: more than any position has moves.
pub const MAX_LINES: i64 = 256;

/// The network, where one is built in.
const DEFAULT_EVALUATION: &str = if nnue::IS_EMBEDDED { "network" } else { "handcrafted" };

macro_rules! options {
    ($($ident:ident: $name:literal, $kind:expr, $help:literal;)*) => {
        /// The options by name in code.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum Id { $($ident),* }

        /// Every option of the engine.
        pub const TABLE: &[Spec] = &[$(Spec { name: $name, kind: $kind, help: $help }),*];

        const IDS: &[Id] = &[$(Id::$ident),*];
    };
}

options! {
    Hash: "Hash", Kind::Spin { default: 16, min: 1, max: MAX_HASH }, "Memory of the transposition table in MiB";
    ClearHash: "Clear Hash", Kind::Button, "Forget everything learnt from earlier searches";
    Threads: "Threads", Kind::Spin { default: 1, min: 1, max: MAX_THREADS }, "Processor cores to search with";
    MultiPv: "MultiPV", Kind::Spin { default: 1, min: 1, max: MAX_LINES }, "Number of best lines to show";
    Ponder: "Ponder", Kind::Check { default: false }, "The interface may let the engine think on the opponent's time";
    MoveOverhead: "Move Overhead", Kind::Spin { default: 20, min: 0, max: 10_000 }, "Milliseconds kept back for each move for the delay of interface and network";
    Search: "Search", Kind::Combo { default: "pvs", choices: &["pvs", "mtdf"] }, "How the root narrows down the score: principal variation search or MTD(f)";
    Evaluation: "Evaluation", Kind::Combo { default: DEFAULT_EVALUATION, choices: &["network", "handcrafted", "tables"] }, "What judges positions: the network, the handcrafted evaluation, or material and piece-square tables alone";
    EvalFile: "EvalFile", Kind::Text { default: "" }, "File of a network to use instead of the one that is built in";
    Chess960: "UCI_Chess960", Kind::Check { default: false }, "Castling is written as king takes rook";
    ShowWdl: "UCI_ShowWDL", Kind::Check { default: false }, "Tell the chances of winning, drawing and losing";
    AnalyseMode: "UCI_AnalyseMode", Kind::Check { default: false }, "The position is being analysed, not played";
    Opponent: "UCI_Opponent", Kind::Text { default: "" }, "Title, rating, kind and name of the opponent";
    LimitStrength: "UCI_LimitStrength", Kind::Check { default: false }, "Play at the level of UCI_Elo";
    Elo: "UCI_Elo", Kind::Spin { default: 1500, min: Level::MIN_ELO as i64, max: Level::MAX_ELO as i64 }, "Rating to play at when UCI_LimitStrength is on";
    SkillLevel: "Skill Level", Kind::Spin { default: 20, min: 0, max: Level::MAX_SKILL as i64 }, "Level to play at when UCI_LimitStrength is off; 20 is full strength";
    GameSeed: "Game Seed", Kind::Spin { default: 0, min: 0, max: i64::MAX }, "What the errors of a level follow from; 0: something else in every game";
    SyzygyPath: "SyzygyPath", Kind::Text { default: "" }, "Directories of Syzygy end game tables";
    SyzygyProbeDepth: "SyzygyProbeDepth", Kind::Spin { default: 1, min: 1, max: 100 }, "Least depth at which tables are asked when they hold the largest number of men";
    SyzygyProbeLimit: "SyzygyProbeLimit", Kind::Spin { default: 7, min: 0, max: 7 }, "Largest number of men for which tables are asked";
    Syzygy50MoveRule: "Syzygy50MoveRule", Kind::Check { default: true }, "Wins that need more than fifty moves are draws";
    OwnBook: "OwnBook", Kind::Check { default: false }, "Play from the opening book as long as it knows the position";
    BookFile: "BookFile", Kind::Text { default: book::BUILT_IN }, "Polyglot books to play from, the first that knows the position is used; <built-in> is the table of named openings";
    BookDepth: "BookDepth", Kind::Spin { default: 255, min: 0, max: 255 }, "Number of the move up to which the book is used";
    BookVariety: "BookVariety", Kind::Combo { default: "level", choices: &["level", "best", "main", "wide", "all"] }, "What is played from the book: the best move, main moves by chance, or also offbeat or even dubious ones; level: the weaker the level, the more adventurous";
    BookSeed: "BookSeed", Kind::Spin { default: 0, min: 0, max: MAX_SEED }, "Makes the choice among book moves repeatable; 0: different every time";
    NodesTime: "nodestime", Kind::Spin { default: 0, min: 0, max: 10_000 }, "Count so many nodes as a millisecond instead of looking at the clock; 0: use the clock";
    DebugLogFile: "Debug Log File", Kind::Text { default: "" }, "Write everything said to and by the engine into this file";
}

/// The current value of every option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    values: Vec<Value>,
}

impl Default for Options {
    fn default() -> Self {
        let values = TABLE
            .iter()
            .map(|spec| match spec.kind {
                Kind::Check { default } => Value::Check(default),
                Kind::Spin { default, .. } => Value::Spin(default),
                Kind::Combo { default, .. } | Kind::Text { default } => Value::Text(default.to_owned()),
                Kind::Button => Value::Check(false),
            })
            .collect();
        Self { values }
    }
}

impl Options {
    /// Sets an option by its name, in any mixture of large and small letters.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Id, OptionError> {
        let index = TABLE
            .iter()
            .position(|spec| spec.name.eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| OptionError::Unknown(name.trim().to_owned()))?;
        self.values[index] = TABLE[index].read(value.trim())?;
        Ok(IDS[index])
    }

    /// The level to play at.
    #[must_use]
    pub fn level(&self) -> Level {
        if self.check(Id::LimitStrength) {
            Level::of_elo(self.spin(Id::Elo))
        } else {
            Level::of_skill(usize::try_from(self.spin(Id::SkillLevel)).unwrap_or(Level::MAX_SKILL))
        }
    }

    /// The value of an option that is on or off.
    #[must_use]
    pub fn check(&self, id: Id) -> bool {
        matches!(self.values[id as usize], Value::Check(true))
    }

    /// The value of an option that is a number.
    #[must_use]
    pub fn spin(&self, id: Id) -> i64 {
        match self.values[id as usize] {
            Value::Spin(number) => number,
            Value::Check(_) | Value::Text(_) => 0,
        }
    }

    /// The value of an option that is a text or one of several words.
    #[must_use]
    pub fn text(&self, id: Id) -> &str {
        match &self.values[id as usize] {
            Value::Text(text) => text,
            Value::Check(_) | Value::Spin(_) => "",
        }
    }
}

impl Spec {
    fn read(&self, text: &str) -> Result<Value, OptionError> {
        let value = || text.to_owned();
        match self.kind {
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Ok(Value::Check(true)),
                "false" | "off" | "0" => Ok(Value::Check(false)),
                _ => Err(OptionError::NotBoolean { name: self.name, value: value() }),
            },
            Kind::Spin { min, max, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Spin(number)),
                _ => Err(OptionError::OutOfRange { name: self.name, min, max, value: value() }),
            },
            Kind::Combo { choices, .. } => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                choice.map(|&choice| Value::Text(choice.to_owned())).ok_or_else(|| OptionError::NotAChoice {
                    name: self.name,
                    choices: choices.join(", "),
                    value: value(),
                })
            }
            // UCI interfaces write an empty text as "<empty>".
            Kind::Text { .. } => Ok(Value::Text(if text == "<empty>" { String::new() } else { value() })),
            Kind::Button => Ok(Value::Check(false)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(on) => write!(f, "{on}"),
            Self::Spin(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Options {
    /// The value of an option as text.
    #[must_use]
    pub fn show(&self, id: Id) -> String {
        self.values[id as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_table() {
        let mut options = Options::default();
        assert_eq!(options.spin(Id::Hash), 16);
        assert_eq!(options.set("hash", " 64 "), Ok(Id::Hash));
        assert_eq!(options.spin(Id::Hash), 64);
        let message = options.set("Hash", "0").unwrap_err().to_string();
        assert_eq!(message, "option Hash takes a number from 1 to 1048576, not '0'");
        assert_eq!(options.spin(Id::Hash), 64);
        assert_eq!(options.set("Search", "MTDF"), Ok(Id::Search));
        assert_eq!(options.text(Id::Search), "mtdf");
        let message = options.set("Search", "minimax").unwrap_err().to_string();
        assert_eq!(message, "option Search takes one of pvs, mtdf, not 'minimax'");
        assert_eq!(options.set("Colour", "red"), Err(OptionError::Unknown("Colour".to_owned())));
        assert_eq!(options.set("SyzygyPath", "<empty>"), Ok(Id::SyzygyPath));
        assert_eq!(options.text(Id::SyzygyPath), "");
        assert!(options.set("Ponder", "perhaps").is_err());
    }

    #[test]
    fn all_options_of_strength_name_the_same_levels() {
        let mut options = Options::default();
        assert_eq!(options.level(), Level::Full);
        for (number, level) in [(0, 1), (1, 1), (8, 9), (19, 23), (20, 24)] {
            options.set("Skill Level", &number.to_string()).unwrap();
            assert_eq!(options.level(), Level::ALL[level - 1]);
        }
        options.set("UCI_Elo", "1500").unwrap();
        assert_eq!(options.level(), Level::Full);
        options.set("UCI_LimitStrength", "true").unwrap();
        assert_eq!(options.level(), Level::Elo(1500));
        assert!(options.set("UCI_Elo", "100").is_err());
    }

    #[test]
    fn names_are_unique() {
        for (i, spec) in TABLE.iter().enumerate() {
            assert!(
                TABLE[..i].iter().all(|other| !other.name.eq_ignore_ascii_case(spec.name)),
                "{}",
                spec.name
            );
        }
    }
}
