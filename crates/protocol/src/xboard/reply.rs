//! What an XBoard engine says to its interface.

use crate::text::{Words, number, quote};
use crate::uci::Value;
use chess::GameResult;
use std::fmt;
use std::str::FromStr;

/// A line of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// What the engine can do and wants.
    Features(Vec<(String, FeatureValue)>),
    /// The engine's move.
    Move(String),
    /// What the engine thinks.
    Thinking(Thinking),
    /// A suggestion, or the move the engine expects.
    Hint(String),
    /// The answer to `ping`.
    Pong(i64),
    /// A command cannot be obeyed.
    Error {
        /// Why.
        reason: String,
        /// Which.
        command: String,
    },
    /// A move cannot be played.
    IllegalMove {
        /// Why, if it is given.
        reason: Option<String>,
        /// Which.
        mv: String,
    },
    /// The game is over.
    Result {
        /// How.
        result: GameResult,
        /// Why.
        comment: String,
    },
    /// The engine offers a draw, or accepts the one offered.
    OfferDraw,
    /// The engine gives up.
    Resign,
    /// How the analysis goes.
    Status {
        /// In hundredths of a second.
        time: u64,
        /// Positions visited.
        nodes: u64,
        /// The depth of the iteration.
        depth: i32,
        /// First moves still to be searched in it.
        moves_left: usize,
        /// All first moves.
        moves: usize,
        /// The first move being searched.
        current: String,
    },
    /// Words for the user or others.
    Tell(Audience, String),
    /// Words for the log.
    Comment(String),
}

/// The value of a feature.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FeatureValue {
    Number(i64),
    Text(String),
}

/// Who is to read something.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Audience {
    /// The user, in a window.
    User,
    /// The user, as an error.
    UserError,
    /// The opponent.
    Opponent,
    /// Those who watch.
    Others,
    /// Opponent and watchers.
    All,
    /// The server.
    Ics,
}

impl Audience {
    const WORDS: [(Self, &str); 6] = [
        (Self::User, "telluser"),
        (Self::UserError, "tellusererror"),
        (Self::Opponent, "tellopponent"),
        (Self::Others, "tellothers"),
        (Self::All, "tellall"),
        (Self::Ics, "tellics"),
    ];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(audience, _)| *audience == self).map_or("telluser", |(_, word)| word)
    }
}

/// A line of thought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thinking {
    /// Full plies searched.
    pub depth: i32,
    /// For the engine.
    pub score: Value,
    /// In hundredths of a second.
    pub time: u64,
    /// Positions visited.
    pub nodes: u64,
    /// What only newer interfaces understand.
    pub details: Option<Details>,
    /// The moves, in any notation.
    pub pv: String,
}

/// More about a line of thought.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Details {
    /// The longest line looked at.
    pub selective_depth: u32,
    /// Positions a second.
    pub nodes_per_second: u64,
    /// Positions answered by tablebases.
    pub tablebase_hits: u64,
}

/// Mates are written as this and the number of moves.
const MATE: i32 = 100_000;

fn encode(score: Value) -> i32 {
    match score {
        Value::Centipawns(centipawns) => centipawns.clamp(1 - MATE, MATE - 1),
        Value::Mate(moves) if moves > 0 => MATE.saturating_add(moves),
        Value::Mate(moves) => (-MATE).saturating_add(moves),
    }
}

fn decode(score: i32) -> Value {
    if score >= MATE {
        Value::Mate(score - MATE)
    } else if score <= -MATE {
        Value::Mate(score + MATE)
    } else {
        Value::Centipawns(score)
    }
}

/// Why a line is nothing that an XBoard engine says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not what an XBoard engine says")]
pub struct ReplyError(pub String);

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Features(features) => {
                f.write_str("feature")?;
                features.iter().try_for_each(|(name, value)| match value {
                    FeatureValue::Number(number) => write!(f, " {name}={number}"),
                    FeatureValue::Text(text) => write!(f, " {name}=\"{text}\""),
                })
            }
            Self::Move(mv) => write!(f, "move {mv}"),
            Self::Thinking(thinking) => thinking.fmt(f),
            Self::Hint(mv) => write!(f, "Hint: {mv}"),
            Self::Pong(number) => write!(f, "pong {number}"),
            Self::Error { reason, command } => write!(f, "Error ({reason}): {command}"),
            Self::IllegalMove { reason: Some(reason), mv } => write!(f, "Illegal move ({reason}): {mv}"),
            Self::IllegalMove { reason: None, mv } => write!(f, "Illegal move: {mv}"),
            Self::Result { result, comment } => write!(f, "{result} {{{comment}}}"),
            Self::OfferDraw => f.write_str("offer draw"),
            Self::Resign => f.write_str("resign"),
            Self::Status { time, nodes, depth, moves_left, moves, current } => {
                write!(f, "stat01: {time} {nodes} {depth} {moves_left} {moves} {current}")
            }
            Self::Tell(audience, text) => write!(f, "{} {text}", audience.word()),
            Self::Comment(text) => write!(f, "# {text}"),
        }
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.depth, encode(self.score), self.time, self.nodes)?;
        if let Some(Details { selective_depth, nodes_per_second, tablebase_hits }) = self.details {
            write!(f, " {selective_depth} {nodes_per_second} {tablebase_hits}")?;
        }
        write!(f, "\t{}", self.pv)
    }
}

impl FromStr for Reply {
    type Err = ReplyError;

    fn from_str(line: &str) -> Result<Self, ReplyError> {
        parse(line).ok_or_else(|| ReplyError(quote(line.trim())))
    }
}

fn parse(line: &str) -> Option<Reply> {
    let mut words = Words::of(line);
    let word = words.next()?;
    let text = || words.rest().to_owned();
    if let Some((audience, _)) = Audience::WORDS.iter().find(|(_, name)| *name == word) {
        return Some(Reply::Tell(*audience, text()));
    }
    if let Ok(result) = word.parse::<GameResult>() {
        let comment = words.rest().trim_start_matches('{').trim_end_matches('}').to_owned();
        return Some(Reply::Result { result, comment });
    }
    match word {
        "feature" => parse_features(words.rest()).map(Reply::Features),
        "move" => Some(Reply::Move(text())),
        // What engines of the first version of the protocol say.
        "My" => words
            .rest()
            .strip_prefix("move is")?
            .trim_start()
            .strip_prefix(':')
            .map(|mv| Reply::Move(mv.trim().to_owned())),
        "Hint:" => Some(Reply::Hint(text())),
        "pong" => number(words.rest(), i64::MIN, i64::MAX).map(Reply::Pong),
        "offer" => (words.rest() == "draw").then_some(Reply::OfferDraw),
        "resign" => Some(Reply::Resign),
        "stat01:" => parse_status(words),
        _ if word.starts_with('#') => Some(Reply::Comment(line.trim()[1..].trim().to_owned())),
        _ => parse_error(line.trim()).or_else(|| parse_thinking(line).map(Reply::Thinking)),
    }
}

fn parse_error(line: &str) -> Option<Reply> {
    let (is_move, rest) = match line.strip_prefix("Illegal move") {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix("Error")?),
    };
    let rest = rest.trim_start();
    let (reason, what) = match rest.strip_prefix('(') {
        Some(rest) => {
            let (reason, what) = rest.split_once("):").or_else(|| rest.split_once(") :"))?;
            (Some(reason.to_owned()), what)
        }
        None => (None, rest.strip_prefix(':')?),
    };
    let what = what.trim().to_owned();
    Some(if is_move {
        Reply::IllegalMove { reason, mv: what }
    } else {
        Reply::Error { reason: reason.unwrap_or_default(), command: what }
    })
}

/// `name=1 other="text with spaces"`.
fn parse_features(text: &str) -> Option<Vec<(String, FeatureValue)>> {
    let mut features = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, value) = rest.split_once('=')?;
        let (value, after) = match value.strip_prefix('"') {
            Some(value) => {
                let (value, after) = value.split_once('"')?;
                (FeatureValue::Text(value.to_owned()), after)
            }
            None => {
                let (value, after) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
                let number = number(value, i64::MIN, i64::MAX).map(FeatureValue::Number);
                (number.unwrap_or_else(|| FeatureValue::Text(value.to_owned())), after)
            }
        };
        features.push((name.trim().to_owned(), value));
        rest = after.trim_start();
    }
    Some(features)
}

fn parse_status(mut words: Words<'_>) -> Option<Reply> {
    Some(Reply::Status {
        time: number(words.next()?, 0, u64::MAX)?,
        nodes: number(words.next()?, 0, u64::MAX)?,
        depth: number(words.next()?, 0, i32::MAX)?,
        moves_left: number(words.next()?, 0, u32::MAX)? as usize,
        moves: number(words.next()?, 0, u32::MAX)? as usize,
        current: words.rest().to_owned(),
    })
}

/// Engines put signs such as `.` or `&` behind the depth. What stands between the four numbers and a tab
/// are details.
fn parse_thinking(line: &str) -> Option<Thinking> {
    let (numbers, pv) = line.trim_start().split_once('\t').unwrap_or((line, ""));
    let mut words = Words::of(numbers);
    let depth = words.next()?.trim_end_matches(|c: char| !c.is_ascii_digit());
    let mut thinking = Thinking {
        depth: number(depth, 0, i32::MAX)?,
        score: decode(number(words.next()?, -i32::MAX, i32::MAX)?),
        time: number(words.next()?, 0, u64::MAX)?,
        nodes: number(words.next()?, 0, u64::MAX)?,
        details: None,
        pv: pv.trim().to_owned(),
    };
    let mut rest = words.clone();
    let mut detail = || rest.next().and_then(|text| number(text, 0, u64::MAX));
    match (detail(), detail(), detail()) {
        (Some(depth), Some(nodes_per_second), Some(tablebase_hits)) => {
            thinking.details = Some(Details {
                selective_depth: u32::try_from(depth).unwrap_or(u32::MAX),
                nodes_per_second,
                tablebase_hits,
            });
        }
        _ if thinking.pv.is_empty() => thinking.pv = words.rest().to_owned(),
        _ => {}
    }
    Some(thinking)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mates_are_beyond_a_hundred_thousand() {
        for (score, number) in [
            (Value::Mate(3), 100_003),
            (Value::Mate(-2), -100_002),
            (Value::Mate(0), -100_000),
            (Value::Centipawns(-35), -35),
        ] {
            assert_eq!(encode(score), number);
            assert_eq!(decode(number), score);
        }
        assert_eq!(encode(Value::Centipawns(200_000)), 99_999);
    }

    #[test]
    fn what_other_engines_say_is_understood() {
        let thinking = |line: &str| match line.parse() {
            Ok(Reply::Thinking(thinking)) => thinking,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(thinking(" 12. -25 150 9000  e4 e5 Nf3").pv, "e4 e5 Nf3");
        assert_eq!(thinking("12& 100003 0 9000 e4").score, Value::Mate(3));
        assert_eq!("My move is: e7e5".parse(), Ok(Reply::Move("e7e5".into())));
        assert_eq!(
            "1-0 {White mates}".parse(),
            Ok(Reply::Result { result: GameResult::WhiteWins, comment: "White mates".into() })
        );
        assert_eq!(
            "feature ping=1 myname=\"My Engine\" done=1".parse(),
            Ok(Reply::Features(vec![
                ("ping".into(), FeatureValue::Number(1)),
                ("myname".into(), FeatureValue::Text("My Engine".into())),
                ("done".into(), FeatureValue::Number(1)),
            ]))
        );
        for line in ["", "Segmentation fault", "12 e4 e5", "feature ping", "pong x", "feature a=\"b"] {
            assert!(line.parse::<Reply>().is_err(), "{line}");
        }
    }

    fn phrase() -> impl Strategy<Value = String> {
        proptest::collection::vec("[A-Za-z_/.][A-Za-z0-9_/.]{0,8}", 1..4).prop_map(|words| words.join(" "))
    }

    fn thinking() -> impl Strategy<Value = Thinking> {
        let score =
            prop_oneof![(-99_999..99_999).prop_map(Value::Centipawns), (-200..200).prop_map(Value::Mate)];
        let details = (any::<u32>(), any::<u64>(), any::<u64>()).prop_map(
            |(selective_depth, nodes_per_second, tablebase_hits)| Details {
                selective_depth,
                nodes_per_second,
                tablebase_hits,
            },
        );
        (0..300, score, any::<u64>(), any::<u64>(), proptest::option::of(details), phrase()).prop_map(
            |(depth, score, time, nodes, details, pv)| Thinking { depth, score, time, nodes, details, pv },
        )
    }

    fn reply() -> impl Strategy<Value = Reply> {
        let mv = "[a-h][1-8][a-h][1-8]q?";
        let value =
            prop_oneof![any::<i64>().prop_map(FeatureValue::Number), phrase().prop_map(FeatureValue::Text)];
        let audience = proptest::sample::select(Audience::WORDS.map(|(audience, _)| audience).to_vec());
        let result = proptest::sample::select(vec![
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
            GameResult::Unfinished,
        ]);
        prop_oneof![
            proptest::collection::vec(("[a-z]{1,9}", value), 1..5).prop_map(Reply::Features),
            mv.prop_map(Reply::Move),
            thinking().prop_map(Reply::Thinking),
            mv.prop_map(Reply::Hint),
            any::<i64>().prop_map(Reply::Pong),
            (phrase(), phrase()).prop_map(|(reason, command)| Reply::Error { reason, command }),
            (proptest::option::of(phrase()), mv).prop_map(|(reason, mv)| Reply::IllegalMove { reason, mv }),
            (result, phrase()).prop_map(|(result, comment)| Reply::Result { result, comment }),
            Just(Reply::OfferDraw),
            Just(Reply::Resign),
            (any::<[u64; 2]>(), 0..300, 0usize..256, 0usize..256, mv).prop_map(
                |([time, nodes], depth, moves_left, moves, current)| Reply::Status {
                    time,
                    nodes,
                    depth,
                    moves_left,
                    moves,
                    current
                }
            ),
            (audience, phrase()).prop_map(|(audience, text)| Reply::Tell(audience, text)),
            phrase().prop_map(Reply::Comment),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(reply in reply()) {
            prop_assert_eq!(reply.to_string().parse::<Reply>(), Ok(reply));
        }

        #[test]
        fn no_line_is_too_strange(
            line in ".*",
            start in proptest::sample::select(&["feature ", "stat01: ", "1 2 3 4 ", "Error ", "# ", ""][..])
        ) {
            let _ = format!("{start}{line}").parse::<Reply>();
        }
    }
}
