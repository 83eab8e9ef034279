//! What a UCI engine says to its interface.

use crate::text::{Words, number, quote};
use engine::options::{Kind, Spec, Value as OptionValue};
use std::fmt;
use std::str::FromStr;

/// A line of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The engine's name.
    Name(String),
    /// Who made it.
    Author(String),
    /// The end of the answer to `uci`.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// The state of copy protection, of engines that have it.
    CopyProtection(Status),
    /// The state of registration, of engines that want it.
    Registration(Status),
    /// An option the engine has.
    Option(OptionReply),
    /// News of the search.
    Info(Info),
    /// The end of a search.
    BestMove {
        /// The move to play; none if the game is over.
        best: Option<String>,
        /// The answer the engine expects.
        ponder: Option<String>,
    },
}

/// How a check of copy protection or registration went.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Status {
    Checking,
    Ok,
    Error,
}

/// An option as the engine describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionReply {
    /// Its name, which may contain spaces.
    pub name: String,
    /// Its values.
    pub kind: OptionKind,
}

/// The values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OptionKind {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: String, choices: Vec<String> },
    Button,
    Text { default: String },
}

/// A score as UCI writes it, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Its value.
    pub value: Value,
    /// Whether it is exact.
    pub bound: Bound,
}

/// The value of a score.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in N moves; negative when the side to move is mated.
    Mate(i32),
}

/// Whether a score is exact or only a limit.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Bound {
    #[default]
    Exact,
    Lower,
    Upper,
}

/// News of a search; whatever is absent is not written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Info {
    pub depth: Option<i32>,
    pub selective_depth: Option<u32>,
    pub multi_pv: Option<u32>,
    pub score: Option<Score>,
    /// Chances to win, draw and lose in thousandths.
    pub wdl: Option<[u32; 3]>,
    pub nodes: Option<u64>,
    pub nodes_per_second: Option<u64>,
    /// In thousandths.
    pub hash_full: Option<u32>,
    pub tablebase_hits: Option<u64>,
    /// In milliseconds.
    pub time: Option<u64>,
    pub current_move: Option<String>,
    pub current_move_number: Option<u32>,
    pub pv: Vec<String>,
    /// Free text; nothing can follow it.
    pub string: Option<String>,
}

impl Info {
    /// Just a text.
    #[must_use]
    pub fn string(text: impl Into<String>) -> Self {
        Self { string: Some(text.into()), ..Self::default() }
    }
}

/// Why a line is nothing that a UCI engine says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReplyError {
    #[error("'{0}' is not what a UCI engine says")]
    Unknown(String),
    #[error("{reply} lacks {what}")]
    Missing { reply: &'static str, what: &'static str },
    #[error("{reply}: {field} cannot be '{value}'")]
    Value { reply: &'static str, field: &'static str, value: String },
}

impl From<engine::Score> for Value {
    fn from(score: engine::Score) -> Self {
        score.mate_moves().map_or_else(|| Self::Centipawns(score.centipawns()), Self::Mate)
    }
}

impl From<&Spec> for OptionReply {
    fn from(spec: &Spec) -> Self {
        let kind = match (spec.kind, spec.default()) {
            (Kind::Button, _) => OptionKind::Button,
            (Kind::Spin { min, max }, OptionValue::Spin(default)) => OptionKind::Spin { default, min, max },
            (Kind::Combo { choices }, OptionValue::Text(default)) => {
                let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
                OptionKind::Combo { default, choices }
            }
            (_, OptionValue::Check(default)) => OptionKind::Check { default },
            (_, default) => OptionKind::Text { default: default.to_string() },
        };
        Self { name: spec.name.to_owned(), kind }
    }
}

#[cfg(feature = "tuning")]
impl From<&engine::Tunable> for OptionReply {
    fn from(tunable: &engine::Tunable) -> Self {
        let [default, min, max] = [tunable.default, tunable.min, tunable.max].map(i64::from);
        Self { name: tunable.name.to_owned(), kind: OptionKind::Spin { default, min, max } }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::CopyProtection(status) => write!(f, "copyprotection {status}"),
            Self::Registration(status) => write!(f, "registration {status}"),
            Self::Option(option) => option.fmt(f),
            Self::Info(info) => info.fmt(f),
            Self::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {ponder}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for OptionReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            // A text without a default confuses interfaces; this is how an empty one is written.
            OptionKind::Text { default } if default.is_empty() => f.write_str("string default <empty>"),
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, value: Option<T>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.selective_depth)?;
        field(f, "multipv", self.multi_pv)?;
        field(f, "score", self.score)?;
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nodes_per_second)?;
        field(f, "hashfull", self.hash_full)?;
        field(f, "tbhits", self.tablebase_hits)?;
        field(f, "time", self.time)?;
        field(f, "currmove", self.current_move.as_ref())?;
        field(f, "currmovenumber", self.current_move_number)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        field(f, "string", self.string.as_ref())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Centipawns(centipawns) => write!(f, "cp {centipawns}")?,
            Value::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

impl FromStr for Reply {
    type Err = ReplyError;

    fn from_str(line: &str) -> Result<Self, ReplyError> {
        let mut words = Words::of(line);
        let unknown = || ReplyError::Unknown(quote(line.trim()));
        match words.next().ok_or_else(unknown)? {
            "id" => match words.next() {
                Some("name") => Ok(Self::Name(words.rest().to_owned())),
                Some("author") => Ok(Self::Author(words.rest().to_owned())),
                _ => Err(unknown()),
            },
            "uciok" => Ok(Self::UciOk),
            "readyok" => Ok(Self::ReadyOk),
            "copyprotection" => parse_status("copyprotection", words).map(Self::CopyProtection),
            "registration" => parse_status("registration", words).map(Self::Registration),
            "option" => parse_option(words).map(Self::Option),
            "info" => parse_info(words).map(Self::Info),
            "bestmove" => parse_best_move(words),
            _ => Err(unknown()),
        }
    }
}

fn parse_status(reply: &'static str, mut words: Words<'_>) -> Result<Status, ReplyError> {
    match words.next() {
        Some("checking") => Ok(Status::Checking),
        Some("ok") => Ok(Status::Ok),
        Some("error") => Ok(Status::Error),
        Some(other) => Err(ReplyError::Value { reply, field: "the state", value: quote(other) }),
        None => Err(ReplyError::Missing { reply, what: "a state" }),
    }
}

/// The move of a `bestmove`; engines have several ways to say that there is none.
fn parse_best_move(mut words: Words<'_>) -> Result<Reply, ReplyError> {
    let given = |text: &str| {
        let none = ["(none)", "none", "0000", "NULL"].contains(&text);
        (!none).then(|| text.to_owned())
    };
    let best = words.next().ok_or(ReplyError::Missing { reply: "bestmove", what: "a move" })?;
    let ponder = if words.next() == Some("ponder") { words.next().and_then(given) } else { None };
    Ok(Reply::BestMove { best: given(best), ponder })
}

/// Names, defaults and choices may contain spaces, so that each field ends where the next begins.
fn parse_option(words: Words<'_>) -> Result<OptionReply, ReplyError> {
    const FIELDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut seen_type = false;
    for word in words {
        // Only after the type can a word of the name no longer be meant.
        let begins = match word {
            "name" => fields.is_empty(),
            "type" => !seen_type,
            _ => seen_type && FIELDS.contains(&word),
        };
        seen_type |= word == "type";
        match fields.last_mut() {
            _ if begins => fields.push((word, Vec::new())),
            Some((_, text)) => text.push(word),
            None => {}
        }
    }
    let all = |name| fields.iter().filter(move |(field, _)| *field == name).map(|(_, text)| text.join(" "));
    let text = |name: &'static str| all(name).next();
    let missing = |what| ReplyError::Missing { reply: "option", what };
    let number = |name: &'static str| -> Result<i64, ReplyError> {
        let text = text(name).ok_or(missing(name))?;
        number(&text, i64::MIN, i64::MAX).ok_or_else(|| ReplyError::Value {
            reply: "option",
            field: name,
            value: quote(&text),
        })
    };
    let kind = match text("type").ok_or(missing("a type"))?.as_str() {
        "check" => OptionKind::Check { default: text("default").is_some_and(|text| text == "true") },
        "spin" => OptionKind::Spin { default: number("default")?, min: number("min")?, max: number("max")? },
        "combo" => {
            OptionKind::Combo { default: text("default").unwrap_or_default(), choices: all("var").collect() }
        }
        "button" => OptionKind::Button,
        "string" => {
            OptionKind::Text { default: text("default").filter(|text| text != "<empty>").unwrap_or_default() }
        }
        other => return Err(ReplyError::Value { reply: "option", field: "type", value: quote(other) }),
    };
    let name = text("name").filter(|name| !name.is_empty()).ok_or(missing("a name"))?;
    Ok(OptionReply { name, kind })
}

const INFO_WORDS: &[&str] = &[
    "depth",
    "seldepth",
    "multipv",
    "score",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmove",
    "currmovenumber",
    "pv",
    "string",
    "cpuload",
    "sbhits",
    "refutation",
    "currline",
];

/// Fields that are unknown, and those that are known but of no use here, are skipped.
fn parse_info(mut words: Words<'_>) -> Result<Info, ReplyError> {
    fn value<T>(
        words: &mut Words<'_>,
        field: &'static str,
        largest: T,
        least: T,
    ) -> Result<Option<T>, ReplyError>
    where
        T: TryFrom<i128> + Copy,
        i128: From<T>,
    {
        let text = words.next().ok_or(ReplyError::Missing { reply: "info", what: field })?;
        let value = number(text, least, largest);
        value.map(Some).ok_or_else(|| ReplyError::Value { reply: "info", field, value: quote(text) })
    }
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = value(&mut words, "depth", i32::MAX, 0)?,
            "seldepth" => info.selective_depth = value(&mut words, "seldepth", u32::MAX, 0)?,
            "multipv" => info.multi_pv = value(&mut words, "multipv", u32::MAX, 0)?,
            "score" => info.score = Some(parse_score(&mut words)?),
            "wdl" => {
                let mut chance = || value(&mut words, "wdl", 1000, 0).map(Option::unwrap_or_default);
                info.wdl = Some([chance()?, chance()?, chance()?]);
            }
            "nodes" => info.nodes = value(&mut words, "nodes", u64::MAX, 0)?,
            "nps" => info.nodes_per_second = value(&mut words, "nps", u64::MAX, 0)?,
            "hashfull" => info.hash_full = value(&mut words, "hashfull", 1000, 0)?,
            "tbhits" => info.tablebase_hits = value(&mut words, "tbhits", u64::MAX, 0)?,
            "time" => info.time = value(&mut words, "time", u64::MAX, 0)?,
            "currmove" => info.current_move = words.next().map(str::to_owned),
            "currmovenumber" => info.current_move_number = value(&mut words, "currmovenumber", u32::MAX, 0)?,
            "pv" => {
                while let Some(mv) = words.peek().filter(|word| !INFO_WORDS.contains(word)) {
                    info.pv.push(mv.to_owned());
                    words.next();
                }
            }
            "string" => {
                info.string = Some(words.rest().to_owned());
                break;
            }
            _ => {}
        }
    }
    Ok(info)
}

fn parse_score(words: &mut Words<'_>) -> Result<Score, ReplyError> {
    let missing = ReplyError::Missing { reply: "info", what: "the value of score" };
    let unit = words.next().ok_or_else(|| missing.clone())?;
    let text = words.next().ok_or(missing)?;
    let wrong = |value: &str| ReplyError::Value { reply: "info", field: "score", value: quote(value) };
    let amount = number(text, -i32::MAX, i32::MAX).ok_or_else(|| wrong(text))?;
    let value = match unit {
        "cp" => Value::Centipawns(amount),
        "mate" => Value::Mate(amount),
        other => return Err(wrong(other)),
    };
    let bound = match words.peek() {
        Some("lowerbound") => Bound::Lower,
        Some("upperbound") => Bound::Upper,
        _ => Bound::Exact,
    };
    if bound != Bound::Exact {
        words.next();
    }
    Ok(Score { value, bound })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_other_engines_say_is_understood() {
        for (line, expected) in [
            ("bestmove 0000", Reply::BestMove { best: None, ponder: None }),
            ("bestmove g1f3  ponder (none)", Reply::BestMove { best: Some("g1f3".into()), ponder: None }),
            ("id name  My  Engine 1.0 ", Reply::Name("My  Engine 1.0".into())),
            ("registration checking", Reply::Registration(Status::Checking)),
            (
                "option name Playing Style type combo default Very Solid var Very Solid var Risky",
                Reply::Option(OptionReply {
                    name: "Playing Style".into(),
                    kind: OptionKind::Combo {
                        default: "Very Solid".into(),
                        choices: vec!["Very Solid".into(), "Risky".into()],
                    },
                }),
            ),
        ] {
            assert_eq!(line.parse(), Ok(expected), "{line}");
        }
        let line = "info depth 9 cpuload 900 score mate -3 upperbound nodes 12 currline 1 e2e4 pv e2e4 e7e5";
        let Ok(Reply::Info(info)) = line.parse() else { panic!("{line}") };
        assert_eq!(info.score, Some(Score { value: Value::Mate(-3), bound: Bound::Upper }));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
        assert!("info depth x".parse::<Reply>().is_err());
        assert!("Segmentation fault".parse::<Reply>().is_err());
    }

    #[test]
    fn an_empty_text_has_a_default() {
        let option =
            OptionReply { name: "SyzygyPath".into(), kind: OptionKind::Text { default: String::new() } };
        assert_eq!(option.to_string(), "option name SyzygyPath type string default <empty>");
        assert_eq!(option.to_string().parse(), Ok(Reply::Option(option)));
    }

    fn phrase() -> impl Strategy<Value = String> {
        proptest::collection::vec("[A-Z][A-Za-z0-9_/.]{0,8}", 1..4).prop_map(|words| words.join(" "))
    }

    fn mv() -> impl Strategy<Value = String> {
        "[a-h][1-8][a-h][1-8]q?"
    }

    fn option() -> impl Strategy<Value = OptionReply> {
        let kind = prop_oneof![
            any::<bool>().prop_map(|default| OptionKind::Check { default }),
            any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
            (phrase(), proptest::collection::vec(phrase(), 0..4))
                .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
            Just(OptionKind::Button),
            Just(OptionKind::Text { default: String::new() }),
            phrase().prop_map(|default| OptionKind::Text { default }),
        ];
        (phrase(), kind).prop_map(|(name, kind)| OptionReply { name, kind })
    }

    fn score() -> impl Strategy<Value = Score> {
        let value =
            prop_oneof![(-20000..20000).prop_map(Value::Centipawns), (-200..200).prop_map(Value::Mate)];
        let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
        (value, bound).prop_map(|(value, bound)| Score { value, bound })
    }

    prop_compose! {
        fn info()(
            depth in proptest::option::of(0..300),
            small in any::<[Option<u32>; 3]>(),
            score in proptest::option::of(score()),
            wdl in proptest::option::of(proptest::array::uniform3(0u32..=1000)),
            large in any::<[Option<u64>; 4]>(),
            hash_full in proptest::option::of(0u32..=1000),
            current_move in proptest::option::of(mv()),
            pv in proptest::collection::vec(mv(), 0..9),
            string in proptest::option::of(phrase()),
        ) -> Info {
            Info {
                depth,
                selective_depth: small[0],
                multi_pv: small[1],
                score, wdl,
                nodes: large[0],
                nodes_per_second: large[1],
                hash_full,
                tablebase_hits: large[2],
                time: large[3],
                current_move,
                current_move_number: small[2],
                pv, string,
            }
        }
    }

    fn reply() -> impl Strategy<Value = Reply> {
        let status = prop_oneof![Just(Status::Checking), Just(Status::Ok), Just(Status::Error)];
        prop_oneof![
            phrase().prop_map(Reply::Name),
            phrase().prop_map(Reply::Author),
            Just(Reply::UciOk),
            Just(Reply::ReadyOk),
            status.clone().prop_map(Reply::CopyProtection),
            status.prop_map(Reply::Registration),
            option().prop_map(Reply::Option),
            info().prop_map(Reply::Info),
            (proptest::option::of(mv()), proptest::option::of(mv()))
                .prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(reply in reply()) {
            prop_assert_eq!(reply.to_string().parse::<Reply>(), Ok(reply));
        }

        #[test]
        fn no_line_is_too_strange(line in ".*", start in proptest::sample::select(&["info ", "option ", ""][..])) {
            let _ = format!("{start}{line}").parse::<Reply>();
        }
    }
}
