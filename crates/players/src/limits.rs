//! What a player may use for a move or a game.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time for a number of moves, again and again, or for the whole game, and an increment for each move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves of one period; none for the whole game.
    pub moves: Option<u32>,
    /// Time of one period.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// What a player may use. Everything given limits it; without any limit it would think for ever.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Limit {
    /// A chess clock.
    pub clock: Option<TimeControl>,
    /// A fixed time for each move.
    pub move_time: Option<Duration>,
    /// A fixed depth.
    pub depth: Option<u32>,
    /// A fixed number of nodes for each move.
    pub nodes: Option<u64>,
    /// Nodes that count as a millisecond on the clock, which then does not look at the time.
    pub node_rate: Option<u64>,
}

/// Why a text is no limit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LimitError {
    #[error("a time control is written like 60+0.5 or 40/60+0.5, in seconds, not '{0}'")]
    TimeControl(String),
    #[error("a limit is written like tc=60+0.5, movetime=100, depth=8 or nodes=5000, not '{0}'")]
    Unknown(String),
    #[error("{name} takes a whole number above zero, not '{value}'")]
    Number { name: String, value: String },
    #[error("nodestime needs a clock, tc=")]
    RateWithoutClock,
    #[error("there is no limit: give tc, movetime, depth or nodes")]
    Nothing,
}

/// Longer than any game, and short enough for all arithmetic.
const MAX_SECONDS: f64 = 1e8;

/// Longer than anyone plays at a board.
const MAX_FOR_PEOPLE: Duration = Duration::from_secs(1_000_000);

fn seconds(text: &str) -> Option<Duration> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = text.trim().parse().ok().filter(|_| is_number)?;
    (value <= MAX_SECONDS).then(|| Duration::from_nanos((value * 1e9).round() as u64))
}

impl FromStr for TimeControl {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let control = Self { moves, base: seconds(base)?, increment: seconds(increment)? };
            (!control.base.is_zero()).then_some(control)
        };
        parse().ok_or_else(|| LimitError::TimeControl(text.to_owned()))
    }
}

/// The text is no time control for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a clock is written like 5+3, minutes and seconds a move, or 40/90+30 or none, not '{0}'")]
pub struct ClockError(String);

impl TimeControl {
    /// Reads a time control as people say it: minutes, and seconds added for each move.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn parse_minutes(text: &str) -> Result<Self, ClockError> {
        let error = || ClockError(text.chars().take(20).collect());
        let in_seconds: Self = text.parse().map_err(|_| error())?;
        let base = Some(in_seconds.base.saturating_mul(60)).filter(|base| *base <= MAX_FOR_PEOPLE);
        Ok(Self { base: base.ok_or_else(error)?, ..in_seconds })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl Limit {
    /// Sets one part by name, as `nodes` and `5000`.
    ///
    /// # Errors
    /// When there is no such part or the value does not fit.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), LimitError> {
        let number = || {
            let number = value.trim().parse::<u64>().ok().filter(|&number| number > 0);
            number.ok_or_else(|| LimitError::Number { name: name.to_owned(), value: value.to_owned() })
        };
        match name {
            "tc" => self.clock = Some(value.trim().parse()?),
            "movetime" => self.move_time = Some(Duration::from_millis(number()?)),
            "depth" => self.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
            "nodes" => self.nodes = Some(number()?),
            "nodestime" => self.node_rate = Some(number()?),
            _ => return Err(LimitError::Unknown(format!("{name}={value}"))),
        }
        Ok(())
    }

    /// Checks that something ends a search.
    ///
    /// # Errors
    /// When nothing does, or a part is there without the one it needs.
    pub const fn check(self) -> Result<Self, LimitError> {
        if self.node_rate.is_some() && self.clock.is_none() {
            return Err(LimitError::RateWithoutClock);
        }
        if self.clock.is_none() && self.move_time.is_none() && self.depth.is_none() && self.nodes.is_none() {
            return Err(LimitError::Nothing);
        }
        Ok(self)
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    /// Reads `tc=1+0.01,nodes=5000`; a bare time control is one.
    fn from_str(text: &str) -> Result<Self, LimitError> {
        let mut limit = Self::default();
        for part in text.split(',') {
            match part.split_once('=') {
                Some((name, value)) => limit.set(name.trim(), value)?,
                None => limit.set("tc", part)?,
            }
        }
        limit.check()
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.move_time.map(|time| format!("movetime={}", time.as_millis())),
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.node_rate.map(|rate| format!("nodestime={rate}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

macro_rules! through_text {
    ($type:ty) => {
        impl TryFrom<String> for $type {
            type Error = LimitError;

            fn try_from(text: String) -> Result<Self, LimitError> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }
    };
}

through_text!(TimeControl);
through_text!(Limit);

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn limits_are_read_and_written() {
        for text in
            ["tc=1+0.01", "tc=40/60+0.5", "movetime=100", "depth=8,nodes=5000", "tc=8+0.08,nodestime=500"]
        {
            assert_eq!(text.parse::<Limit>().map(|limit| limit.to_string()), Ok(text.to_owned()));
        }
        let limit: Limit = "40/0.25".parse().expect("a bare time control");
        assert_eq!(limit.clock, Some(TimeControl { moves: Some(40), base: ms(250), increment: ms(0) }));
        for text in [
            "",
            "tc=0+1",
            "tc=x",
            "0/5",
            "tc=-1",
            "nodes=0",
            "nodes=many",
            "width=3",
            "nodestime=5",
            "tc=1e30",
        ] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        let error = "width=3".parse::<Limit>().map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err("a limit is written like tc=60+0.5, movetime=100, depth=8 or nodes=5000, not 'width=3'"
                .into())
        );
    }

    #[test]
    fn people_give_minutes_and_seconds() {
        let read = |text| TimeControl::parse_minutes(text);
        assert_eq!(read("5+3"), Ok(TimeControl { moves: None, base: ms(300_000), increment: ms(3000) }));
        assert_eq!(read("0.5").map(|control| control.base), Ok(ms(30_000)));
        assert_eq!(read("40/90+30").map(|control| control.moves), Ok(Some(40)));
        for text in ["", "fast", "-5", "0", "5+", "1e9"] {
            assert!(read(text).is_err(), "{text}: {:?}", read(text));
        }
    }
}
