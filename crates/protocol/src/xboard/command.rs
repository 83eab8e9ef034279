//! What an interface says to an XBoard engine.

use crate::text::{Words, number, quote};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A command of the interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Speak this protocol.
    Xboard,
    /// The version of the protocol; asks for the features.
    ProtocolVersion(u32),
    /// The interface will use a feature.
    Accepted(String),
    /// The interface will not use a feature.
    Rejected(String),
    /// A new game of standard chess in which the engine plays Black.
    New,
    /// Which chess the next position belongs to.
    Variant(String),
    /// Leave.
    Quit,
    /// Add some chance to the play; for us without meaning.
    Random,
    /// Only take moves down.
    Force,
    /// Play the side to move, and move.
    Go,
    /// Play the side not to move.
    PlayOther,
    /// The time control.
    Level {
        /// Moves of one session; 0 for all.
        moves: u32,
        /// Time for one session.
        base: Duration,
        /// Time added for each move.
        increment: Duration,
    },
    /// Exactly this time for each move.
    FixedTime(Duration),
    /// Search no deeper.
    Depth(i32),
    /// Count this many nodes as a second; not positive: use the clock.
    NodeRate(i64),
    /// The engine's clock in hundredths of a second.
    Time(i64),
    /// The opponent's clock in hundredths of a second.
    OpponentTime(i64),
    /// A move, by its squares or in algebraic notation.
    Move(String),
    /// The same from an interface that does not use the feature `usermove`.
    BareMove(String),
    /// Move at once.
    MoveNow,
    /// Answer when everything before has been done.
    Ping(i64),
    /// The opponent offers a draw.
    Draw,
    /// The game is over, with result and comment.
    Result(String),
    /// The position to play from, as FEN; not checked yet.
    SetBoard(String),
    /// Take back a move.
    Undo,
    /// Take back a move of each side.
    Remove,
    /// Think on the opponent's time.
    Hard,
    /// Do not think on the opponent's time.
    Easy,
    /// Show what you think.
    Post,
    /// Do not show what you think.
    NoPost,
    /// Analyse.
    Analyze,
    /// End the analysis.
    Exit,
    /// Report how the analysis proceeds.
    Status,
    /// Suggest a move.
    Hint,
    /// Show the moves of the opening book.
    Book,
    /// The opponent's name.
    Name(String),
    /// The ratings of engine and opponent.
    Rating {
        /// Of the engine.
        own: i64,
        /// Of the opponent.
        opponent: i64,
    },
    /// The opponent is a computer too.
    Computer,
    /// The server the game is played on.
    Ics(String),
    /// Mebibytes to use.
    Memory(u64),
    /// Processor cores to use.
    Cores(u64),
    /// Where end game tables are.
    EndgameTables {
        /// Their kind.
        kind: String,
        /// Their directories.
        path: String,
    },
    /// Set an option; a button has no value.
    SetOption {
        /// The name, which may contain spaces.
        name: String,
        /// The value.
        value: Option<String>,
    },
    /// Analyse a move again, or `all`.
    Include(String),
    /// Leave a move out of the analysis, or `all`.
    Exclude(String),
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CommandError {
    #[error("unknown command")]
    Unknown,
    #[error("{0} missing")]
    Missing(&'static str),
    #[error("{what} cannot be '{value}'")]
    Value { what: &'static str, value: String },
}

impl Command {
    /// Reads a line. A blank line says nothing.
    ///
    /// # Errors
    /// When the line is no command, or lacks what it needs.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Words::of(line);
        let Some(word) = words.next() else { return Ok(None) };
        let text = || words.rest().to_owned();
        let required =
            |what| if words.rest().is_empty() { Err(CommandError::Missing(what)) } else { Ok(text()) };
        let mut arguments = words.clone();
        Ok(Some(match word {
            "xboard" => Self::Xboard,
            "protover" => Self::ProtocolVersion(whole(arguments.next(), "version", 1, u32::MAX)?),
            "accepted" => Self::Accepted(text()),
            "rejected" => Self::Rejected(text()),
            "new" => Self::New,
            "variant" => Self::Variant(required("variant")?),
            "quit" => Self::Quit,
            "random" => Self::Random,
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "level" => parse_level(arguments)?,
            "st" => Self::FixedTime(seconds(arguments.next(), "time")?),
            "sd" => Self::Depth(whole(arguments.next(), "depth", 1, i32::MAX)?),
            "nps" => Self::NodeRate(whole(arguments.next(), "rate", i64::MIN, i64::MAX)?),
            "time" => Self::Time(whole(arguments.next(), "time", -MAX_CENTISECONDS, MAX_CENTISECONDS)?),
            "otim" => {
                Self::OpponentTime(whole(arguments.next(), "time", -MAX_CENTISECONDS, MAX_CENTISECONDS)?)
            }
            "usermove" => Self::Move(required("move")?),
            "?" => Self::MoveNow,
            "ping" => Self::Ping(whole(arguments.next(), "number", i64::MIN, i64::MAX)?),
            "draw" => Self::Draw,
            "result" => Self::Result(text()),
            "setboard" => Self::SetBoard(required("FEN")?),
            "undo" => Self::Undo,
            "remove" => Self::Remove,
            "hard" => Self::Hard,
            "easy" => Self::Easy,
            "post" => Self::Post,
            "nopost" => Self::NoPost,
            "analyze" | "analyse" => Self::Analyze,
            "exit" => Self::Exit,
            "." => Self::Status,
            "hint" => Self::Hint,
            "bk" => Self::Book,
            "name" => Self::Name(text()),
            "rating" => Self::Rating {
                own: whole(arguments.next(), "rating", i64::MIN, i64::MAX)?,
                opponent: whole(arguments.next(), "rating", i64::MIN, i64::MAX)?,
            },
            "computer" => Self::Computer,
            "ics" => Self::Ics(text()),
            "memory" => Self::Memory(whole(arguments.next(), "memory", 0, u64::MAX)?),
            "cores" => Self::Cores(whole(arguments.next(), "number of cores", 0, u64::MAX)?),
            "egtpath" => Self::EndgameTables {
                kind: arguments.next().ok_or(CommandError::Missing("kind of tables"))?.to_owned(),
                path: arguments.rest().to_owned(),
            },
            "option" => parse_option(&required("name")?),
            "include" => Self::Include(required("move")?),
            "exclude" => Self::Exclude(required("move")?),
            _ if words.rest().is_empty() && looks_like_move(word) => Self::BareMove(word.to_owned()),
            _ => return Err(CommandError::Unknown),
        }))
    }
}

/// Longer than any game; times beyond are brought into this range.
const MAX_CENTISECONDS: i64 = 1 << 40;
const MAX_SECONDS: f64 = (1u64 << 33) as f64;

fn whole<T>(text: Option<&str>, what: &'static str, least: T, largest: T) -> Result<T, CommandError>
where
    T: TryFrom<i128> + Copy,
    i128: From<T>,
{
    let text = text.ok_or(CommandError::Missing(what))?;
    number(text, least, largest).ok_or_else(|| CommandError::Value { what, value: quote(text) })
}

/// Seconds, which some interfaces write with decimals.
fn seconds(text: Option<&str>, what: &'static str) -> Result<Duration, CommandError> {
    let text = text.ok_or(CommandError::Missing(what))?;
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => {
            Ok(Duration::from_millis((seconds.clamp(0.0, MAX_SECONDS) * 1000.0).round() as u64))
        }
        _ => Err(CommandError::Value { what, value: quote(text) }),
    }
}

/// `level 40 5 0`, `level 0 2:30 12`: moves, minutes or minutes and seconds, increment in seconds.
fn parse_level(mut words: Words<'_>) -> Result<Command, CommandError> {
    let moves = whole(words.next(), "number of moves", 0, u32::MAX)?;
    let base = words.next().ok_or(CommandError::Missing("base time"))?;
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = seconds(Some(minutes), "base time")?.saturating_mul(60) + seconds(Some(rest), "base time")?;
    let increment = words.next().map_or(Ok(Duration::ZERO), |text| seconds(Some(text), "increment"))?;
    Ok(Command::Level { moves, base, increment })
}

fn parse_option(text: &str) -> Command {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (text, None),
    };
    Command::SetOption { name: name.trim().to_owned(), value }
}

/// Whether a word that is no command may be meant as a move: squares or castling, and nothing that no
/// notation has.
fn looks_like_move(word: &str) -> bool {
    let has_square = word.bytes().any(|byte| byte.is_ascii_digit());
    let castles = word.starts_with(['O', 'o', '0']);
    (2..=8).contains(&word.len())
        && (has_square || castles)
        && word.bytes().all(|byte| b"abcdefgh12345678NBRQKnrqkxOo0-=+#@".contains(&byte))
}

impl FromStr for Command {
    type Err = CommandError;

    /// Like [`Command::parse`], but a blank line is an error.
    fn from_str(line: &str) -> Result<Self, CommandError> {
        Self::parse(line)?.ok_or(CommandError::Unknown)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = match self {
            Self::Xboard => "xboard",
            Self::New => "new",
            Self::Quit => "quit",
            Self::Random => "random",
            Self::Force => "force",
            Self::Go => "go",
            Self::PlayOther => "playother",
            Self::MoveNow => "?",
            Self::Draw => "draw",
            Self::Undo => "undo",
            Self::Remove => "remove",
            Self::Hard => "hard",
            Self::Easy => "easy",
            Self::Post => "post",
            Self::NoPost => "nopost",
            Self::Analyze => "analyze",
            Self::Exit => "exit",
            Self::Status => ".",
            Self::Hint => "hint",
            Self::Book => "bk",
            Self::Computer => "computer",
            _ => return self.fmt_with_arguments(f),
        };
        f.write_str(bare)
    }
}

impl Command {
    fn fmt_with_arguments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProtocolVersion(version) => write!(f, "protover {version}"),
            Self::Accepted(feature) => write!(f, "accepted {feature}"),
            Self::Rejected(feature) => write!(f, "rejected {feature}"),
            Self::Variant(name) => write!(f, "variant {name}"),
            Self::Level { moves, base, increment } => {
                let (minutes, seconds) = (base.as_secs() / 60, base.as_secs() % 60);
                write!(f, "level {moves} {minutes}:{seconds:02}")?;
                if base.subsec_millis() > 0 {
                    write!(f, ".{:03}", base.subsec_millis())?;
                }
                write!(f, " {}", increment.as_secs_f64())
            }
            Self::FixedTime(time) => write!(f, "st {}", time.as_secs_f64()),
            Self::Depth(depth) => write!(f, "sd {depth}"),
            Self::NodeRate(rate) => write!(f, "nps {rate}"),
            Self::Time(centiseconds) => write!(f, "time {centiseconds}"),
            Self::OpponentTime(centiseconds) => write!(f, "otim {centiseconds}"),
            Self::Move(mv) => write!(f, "usermove {mv}"),
            Self::BareMove(mv) => f.write_str(mv),
            Self::Ping(number) => write!(f, "ping {number}"),
            Self::Result(text) => write!(f, "result {text}"),
            Self::SetBoard(fen) => write!(f, "setboard {fen}"),
            Self::Name(name) => write!(f, "name {name}"),
            Self::Rating { own, opponent } => write!(f, "rating {own} {opponent}"),
            Self::Ics(host) => write!(f, "ics {host}"),
            Self::Memory(mebibytes) => write!(f, "memory {mebibytes}"),
            Self::Cores(cores) => write!(f, "cores {cores}"),
            Self::EndgameTables { kind, path } => write!(f, "egtpath {kind} {path}"),
            Self::SetOption { name, value: None } => write!(f, "option {name}"),
            Self::SetOption { name, value: Some(value) } => write!(f, "option {name}={value}"),
            Self::Include(mv) => write!(f, "include {mv}"),
            Self::Exclude(mv) => write!(f, "exclude {mv}"),
            // All others are single words.
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Command {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn time_controls_in_every_spelling() {
        let level = |moves, base, increment| Command::Level {
            moves,
            base: Duration::from_millis(base),
            increment: Duration::from_millis(increment),
        };
        assert_eq!(parse("level 40 5 0"), level(40, 300_000, 0));
        assert_eq!(parse("level 0 2:30 12"), level(0, 150_000, 12_000));
        assert_eq!(parse("level 0 0:00.1 0.01"), level(0, 100, 10));
        assert_eq!(parse("level 0 1"), level(0, 60_000, 0));
        assert_eq!(parse("st 0.25"), Command::FixedTime(Duration::from_millis(250)));
        assert_eq!(parse("time -300"), Command::Time(-300));
        for line in
            ["level", "level 40", "level x 5 0", "level 40 5:x 0", "st", "st NaN", "st inf", "sd deep"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
        }
        assert_eq!(parse("level 0 1e300 1e300"), parse("level 0 8589934592 8589934592"));
    }

    #[test]
    fn moves_with_and_without_the_word() {
        assert_eq!(parse("usermove e7e8q"), Command::Move("e7e8q".into()));
        for text in ["e2e4", "e7e8q", "Nf3", "O-O", "o-o-o", "0-0", "exd5", "Qxf7#", "e8=Q+", "R1xa2"] {
            assert_eq!(parse(text), Command::BareMove(text.into()));
        }
        for text in ["hello", "e", "x", "edit", "e2e4 e7e5", "protovar", "12345678901"] {
            assert_eq!(Command::parse(text), Err(CommandError::Unknown), "{text}");
        }
    }

    #[test]
    fn options_with_spaces() {
        assert_eq!(
            parse("option Move Overhead=30"),
            Command::SetOption { name: "Move Overhead".into(), value: Some("30".into()) }
        );
        assert_eq!(
            parse("option SyzygyPath=/a b/c=d"),
            Command::SetOption { name: "SyzygyPath".into(), value: Some("/a b/c=d".into()) }
        );
        assert_eq!(parse("option Clear Hash"), Command::SetOption { name: "Clear Hash".into(), value: None });
    }

    fn phrase() -> impl Strategy<Value = String> {
        proptest::collection::vec("[A-Za-z0-9_/.]{1,8}", 1..4).prop_map(|words| words.join(" "))
    }

    fn time() -> impl Strategy<Value = Duration> {
        (0u64..1 << 40).prop_map(Duration::from_millis)
    }

    fn command() -> impl Strategy<Value = Command> {
        let bare = proptest::sample::select(vec![
            Command::Xboard,
            Command::New,
            Command::Quit,
            Command::Random,
            Command::Force,
            Command::Go,
            Command::PlayOther,
            Command::MoveNow,
            Command::Draw,
            Command::Undo,
            Command::Remove,
            Command::Hard,
            Command::Easy,
            Command::Post,
            Command::NoPost,
            Command::Analyze,
            Command::Exit,
            Command::Status,
            Command::Hint,
            Command::Book,
            Command::Computer,
        ]);
        let mv = "[a-h][1-8][a-h][1-8]q?";
        prop_oneof![
            bare,
            (any::<u32>(), time(), time()).prop_map(|(moves, base, increment)| Command::Level {
                moves,
                base,
                increment
            }),
            time().prop_map(Command::FixedTime),
            (1..i32::MAX).prop_map(Command::Depth),
            any::<i64>().prop_map(Command::NodeRate),
            any::<i32>().prop_map(|time| Command::Time(time.into())),
            any::<i32>().prop_map(|time| Command::OpponentTime(time.into())),
            any::<i64>().prop_map(Command::Ping),
            (1..u32::MAX).prop_map(Command::ProtocolVersion),
            mv.prop_map(Command::Move),
            mv.prop_map(Command::BareMove),
            mv.prop_map(Command::Include),
            mv.prop_map(Command::Exclude),
            phrase().prop_map(Command::Accepted),
            phrase().prop_map(Command::Rejected),
            phrase().prop_map(Command::Variant),
            phrase().prop_map(Command::Result),
            phrase().prop_map(Command::SetBoard),
            phrase().prop_map(Command::Name),
            phrase().prop_map(Command::Ics),
            any::<[i64; 2]>().prop_map(|[own, opponent]| Command::Rating { own, opponent }),
            any::<u64>().prop_map(Command::Memory),
            any::<u64>().prop_map(Command::Cores),
            ("[a-z]{1,8}", phrase()).prop_map(|(kind, path)| Command::EndgameTables { kind, path }),
            (phrase(), proptest::option::of(phrase()))
                .prop_map(|(name, value)| Command::SetOption { name, value }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(command in command()) {
            prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
        }

        #[test]
        fn no_line_is_too_strange(line in ".*") {
            let _ = Command::parse(&line);
        }
    }
}
