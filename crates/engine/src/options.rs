//! The one table of options behind UCI, XBoard, the command line, the page and the manual: the text view of
//! [`Settings`].

use crate::evaluation::EvaluationKind;
use crate::level::Level;
use crate::settings::Settings;
use crate::task::Driver;
use book::Variety;
use std::fmt;

/// What values an option takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// On or off.
    Check,
    /// A whole number.
    Spin {
        /// The least value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// All values.
        choices: &'static [&'static str],
    },
    /// Any text.
    Text,
    /// Something to do rather than to set.
    Button,
}

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// On or off; off for a button.
    Check(bool),
    /// A whole number.
    Spin(i64),
    /// A text, or one of several words.
    Text(String),
}

/// What an engine has to do when an option changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing: it looks at the setting when it needs it.
    None,
    ResizeTable,
    Forget,
    StartThreads,
    ChooseEvaluation,
    OpenNetwork,
    ChangeLevel,
    OpenTablebases,
    OpenBook,
    SeedBook,
}

/// An option: its name, its values, and what it is for.
pub struct Spec {
    /// The name, exactly as interfaces know it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// One line for the manual.
    pub help: &'static str,
    pub(crate) effect: Effect,
    get: fn(&Settings) -> Value,
    set: fn(&mut Settings, Value),
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

/// The most threads that may be asked for.
pub const MAX_THREADS: i64 = 512;
/// The most memory that may be asked for, in mebibytes.
pub const MAX_HASH: i64 = 1 << 20;
/// The largest seed: interfaces keep numbers in 32 bits.
pub const MAX_SEED: i64 = i32::MAX as i64;
/// The most lines `MultiPV` gives: more than any position has moves.
pub const MAX_LINES: i64 = 256;
/// The most nodes that count as a millisecond.
pub const MAX_NODES_PER_MS: i64 = 10_000;

const DRIVERS: [(&str, Driver); 2] = [("pvs", Driver::Pvs), ("mtdf", Driver::Mtdf)];
const EVALUATIONS: [(&str, EvaluationKind); 3] = [
    ("network", EvaluationKind::Network),
    ("handcrafted", EvaluationKind::Handcrafted),
    ("tables", EvaluationKind::PieceSquare),
];
/// The word for the variety that suits the level.
const OF_LEVEL: &str = "level";

/// The word for a value of an enum.
fn word<T: PartialEq>(words: &[(&str, T)], value: &T) -> Value {
    let named = words.iter().find(|(_, named)| named == value);
    Value::Text(named.map_or_else(String::new, |(word, _)| (*word).to_owned()))
}

/// The value of an enum for a word of the table.
fn meaning<T: Copy>(words: &[(&str, T)], value: &Value) -> Option<T> {
    let Value::Text(text) = value else { return None };
    words.iter().find(|(word, _)| word == text).map(|&(_, meaning)| meaning)
}

/// An option that is on or off.
macro_rules! check {
    ($name:literal, $field:ident, $help:literal) => {
        Spec {
            name: $name,
            kind: Kind::Check,
            help: $help,
            effect: Effect::None,
            get: |settings| Value::Check(settings.$field),
            set: |settings, value| settings.$field = value == Value::Check(true),
        }
    };
}

/// An option that is a number.
macro_rules! spin {
    ($name:literal, $field:ident, $range:expr, $help:literal) => {
        Spec {
            name: $name,
            kind: Kind::Spin { min: *$range.start(), max: *$range.end() },
            help: $help,
            effect: Effect::None,
            get: |settings| Value::Spin(i64::try_from(settings.$field).unwrap_or(i64::MAX)),
            set: |settings, value| {
                if let Value::Spin(number) = value {
                    settings.$field = number.try_into().unwrap_or_default();
                }
            },
        }
    };
}

/// An option that is a text.
macro_rules! text {
    ($name:literal, $field:ident, $help:literal) => {
        Spec {
            name: $name,
            kind: Kind::Text,
            help: $help,
            effect: Effect::None,
            get: |settings| Value::Text(settings.$field.clone()),
            set: |settings, value| {
                if let Value::Text(text) = value {
                    settings.$field = text;
                }
            },
        }
    };
}

/// An option that is one of several words.
macro_rules! combo {
    ($name:literal, $field:ident, $words:ident, $choices:expr, $help:literal) => {
        Spec {
            name: $name,
            kind: Kind::Combo { choices: $choices },
            help: $help,
            effect: Effect::None,
            get: |settings| word(&$words, &settings.$field),
            set: |settings, value| {
                if let Some(meaning) = meaning(&$words, &value) {
                    settings.$field = meaning;
                }
            },
        }
    };
}

/// Every option of the engine.
pub const TABLE: &[Spec] = &[
    spin!("Hash", hash, 1..=MAX_HASH, "Memory of the transposition table in MiB")
        .with(Effect::ResizeTable),
    Spec {
        name: "Clear Hash",
        kind: Kind::Button,
        help: "Forget everything learnt from earlier searches",
        effect: Effect::Forget,
        get: |_| Value::Check(false),
        set: |_, _| {},
    },
    spin!("Threads", threads, 1..=MAX_THREADS, "Processor cores to search with")
        .with(Effect::StartThreads),
    spin!("MultiPV", lines, 1..=MAX_LINES, "Number of best lines to find"),
    check!("Ponder", ponder, "The interface may let the engine think on the opponent's time"),
    spin!("Move Overhead", move_overhead_ms, 0..=10_000,
        "Milliseconds kept back for each move for the delay of interface and network"),
    combo!("Search", driver, DRIVERS, &["pvs", "mtdf"],
        "How the root narrows down the score: principal variation search or MTD(f)"),
    combo!("Evaluation", evaluation, EVALUATIONS, &["network", "handcrafted", "tables"],
        "What judges positions: the network, the handcrafted evaluation, or material and piece-square tables alone")
        .with(Effect::ChooseEvaluation),
    text!("EvalFile", network_file, "File of a network to use instead of the one that is built in")
        .with(Effect::OpenNetwork),
    check!("UCI_Chess960", chess960, "Castling is written as king takes rook"),
    check!("UCI_ShowWDL", show_wdl, "Report the chances of winning, drawing and losing"),
    check!("UCI_AnalyseMode", analyse_mode, "The position is being analysed, not played"),
    text!("UCI_Opponent", opponent, "Title, rating, kind and name of the opponent"),
    check!("UCI_LimitStrength", limit_strength, "Play at the level of UCI_Elo").with(Effect::ChangeLevel),
    spin!("UCI_Elo", elo, (Level::MIN_ELO as i64)..=(Level::MAX_ELO as i64),
        "Rating to play at when UCI_LimitStrength is on")
        .with(Effect::ChangeLevel),
    spin!("Skill Level", skill, 0..=(Level::MAX_SKILL as i64),
        "Level to play at when UCI_LimitStrength is off; 20 is full strength")
        .with(Effect::ChangeLevel),
    spin!("Game Seed", game_seed, 0..=i64::MAX,
        "What the errors of a level follow from; 0: something else in every game"),
    text!("SyzygyPath", syzygy_path, "Directories of Syzygy tablebases").with(Effect::OpenTablebases),
    spin!("SyzygyProbeDepth", syzygy_probe_depth, 1..=100,
        "Least depth at which tablebases are asked when they hold the largest number of men"),
    spin!("SyzygyProbeLimit", syzygy_probe_limit, 0..=7, "Largest number of men for which tablebases are asked"),
    check!("Syzygy50MoveRule", syzygy_fifty_move_rule, "Wins that need more than fifty moves are draws"),
    check!("OwnBook", own_book, "Play from the opening book as long as it knows the position"),
    text!("BookFile", book_file,
        "Polyglot books to play from, the first that knows the position is used; <built-in> is the table of named openings")
        .with(Effect::OpenBook),
    spin!("BookDepth", book_depth, 0..=255, "Number of the move up to which the book is used"),
    Spec {
        name: "BookVariety",
        kind: Kind::Combo { choices: &[OF_LEVEL, "best", "main", "wide", "all"] },
        help: "What is played from the book: the best move, main moves by chance, or also offbeat or even dubious ones; level: the weaker the level, the more adventurous",
        effect: Effect::OpenBook,
        get: |settings| match settings.book_variety {
            Some(variety) => word(&Variety::NAMES, &variety),
            None => Value::Text(OF_LEVEL.to_owned()),
        },
        set: |settings, value| settings.book_variety = meaning(&Variety::NAMES, &value),
    },
    spin!("BookSeed", book_seed, 0..=MAX_SEED,
        "Makes the choice among book moves repeatable; 0: different every time")
        .with(Effect::SeedBook),
    spin!("nodestime", nodes_per_ms, 0..=MAX_NODES_PER_MS,
        "Count this many nodes as a millisecond instead of looking at the clock; 0: use the clock"),
    text!("Debug Log File", log_file, "Write everything said to and by the engine into this file"),
];

/// The option of a name, in any mixture of large and small letters.
///
/// # Errors
/// When there is none.
pub fn find(name: &str) -> Result<&'static Spec, OptionError> {
    let found = TABLE.iter().find(|spec| spec.name.eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| OptionError::Unknown(name.trim().to_owned()))
}

impl Settings {
    /// Sets what an option stands for, by its name in any mixture of large and small letters.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<&'static Spec, OptionError> {
        let spec = find(name)?;
        (spec.set)(self, spec.read(value.trim())?);
        Ok(spec)
    }
}

impl Spec {
    const fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// The value among some settings.
    #[must_use]
    pub fn value(&self, settings: &Settings) -> Value {
        (self.get)(settings)
    }

    /// The value the option starts with.
    #[must_use]
    pub fn default(&self) -> Value {
        self.value(&Settings::default())
    }

    /// Takes the value over from other settings.
    pub(crate) fn copy(&self, from: &Settings, to: &mut Settings) {
        (self.set)(to, self.value(from));
    }

    /// Whether the value among some settings is one the option takes.
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), OptionError> {
        match (self.kind, self.value(settings)) {
            (Kind::Spin { .. } | Kind::Combo { .. }, value) => self.read(&value.to_string()).map(drop),
            (Kind::Check | Kind::Text | Kind::Button, _) => Ok(()),
        }
    }

    fn read(&self, text: &str) -> Result<Value, OptionError> {
        let value = || text.to_owned();
        match self.kind {
            Kind::Check => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Ok(Value::Check(true)),
                "false" | "off" | "0" => Ok(Value::Check(false)),
                _ => Err(OptionError::NotBoolean { name: self.name, value: value() }),
            },
            Kind::Spin { min, max } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Spin(number)),
                _ => Err(OptionError::OutOfRange { name: self.name, min, max, value: value() }),
            },
            Kind::Combo { choices } => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                choice.map(|&choice| Value::Text(choice.to_owned())).ok_or_else(|| OptionError::NotAChoice {
                    name: self.name,
                    choices: choices.join(", "),
                    value: value(),
                })
            }
            // UCI interfaces write an empty text as "<empty>".
            Kind::Text => Ok(Value::Text(if text == "<empty>" { String::new() } else { value() })),
            Kind::Button => Ok(Value::Check(false)),
        }
    }
}

/// What values an option takes, in words: `1 to 512`, `pvs, mtdf`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.write_str("true, false"),
            Self::Spin { min, max } => write!(f, "{min} to {max}"),
            Self::Combo { choices } => f.write_str(&choices.join(", ")),
            Self::Text => f.write_str("text"),
            Self::Button => f.write_str("button"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_table() {
        let mut settings = Settings::default();
        assert_eq!(settings.hash, 64);
        assert_eq!(settings.set("hash", " 128 ").map(|spec| spec.name), Ok("Hash"));
        assert_eq!(settings.hash, 128);
        let message = |result: Result<&Spec, OptionError>| result.map(|_| ()).unwrap_err().to_string();
        let refused = message(settings.set("Hash", "0"));
        assert_eq!(refused, "option Hash takes a number from 1 to 1048576, not '0'");
        assert_eq!(settings.hash, 128);
        settings.set("Search", "MTDF").map(drop).unwrap();
        assert_eq!(settings.driver, Driver::Mtdf);
        let refused = message(settings.set("Search", "minimax"));
        assert_eq!(refused, "option Search takes one of pvs, mtdf, not 'minimax'");
        assert_eq!(message(settings.set("Colour", "red")), "there is no option 'Colour'");
        settings.set("SyzygyPath", "<empty>").map(drop).unwrap();
        assert_eq!(settings.syzygy_path, "");
        assert!(settings.set("Ponder", "perhaps").is_err());
        assert!(settings.set("UCI_Elo", "100").is_err());
    }

    #[test]
    fn every_option_is_read_back_as_it_is_written() {
        for spec in TABLE {
            let other = match spec.kind {
                Kind::Check => (spec.default() == Value::Check(false)).to_string(),
                Kind::Spin { min, max } if spec.default() == Value::Spin(min) => max.to_string(),
                Kind::Spin { min, .. } => min.to_string(),
                Kind::Combo { choices } => {
                    let is_other = |choice: &&&str| spec.default() != Value::Text((**choice).to_owned());
                    choices.iter().find(is_other).map(ToString::to_string).unwrap()
                }
                Kind::Text => "some text".to_owned(),
                Kind::Button => continue,
            };
            let mut settings = Settings::default();
            settings.set(spec.name, &other).map(drop).unwrap();
            assert_eq!(spec.value(&settings).to_string(), other, "{}", spec.name);
            assert_eq!(spec.check(&settings), Ok(()));
            let changed: Vec<_> =
                TABLE.iter().filter(|other| other.value(&settings) != other.default()).collect();
            assert_eq!(changed.len(), 1, "{} changes nothing else", spec.name);
            settings.set(spec.name, &spec.default().to_string()).map(drop).unwrap();
            assert_eq!(settings, Settings::default());
        }
    }

    #[test]
    fn all_options_of_strength_name_the_same_levels() {
        let mut settings = Settings::default();
        for (number, level) in [(0, 1), (1, 1), (8, 9), (19, 23), (20, 24)] {
            settings.set("Skill Level", &number.to_string()).map(drop).unwrap();
            assert_eq!(settings.level(), Level::ALL[level - 1]);
        }
        settings.set("UCI_Elo", "1500").map(drop).unwrap();
        assert_eq!(settings.level(), Level::Full);
        settings.set("UCI_LimitStrength", "true").map(drop).unwrap();
        assert_eq!(settings.level(), Level::Elo(1500));
    }

    #[test]
    fn names_are_unique() {
        for (i, spec) in TABLE.iter().enumerate() {
            let is_same = |other: &Spec| other.name.eq_ignore_ascii_case(spec.name);
            assert!(!TABLE[..i].iter().any(is_same), "{}", spec.name);
        }
    }
}
