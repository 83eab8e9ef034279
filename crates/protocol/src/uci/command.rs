//! What an interface says to a UCI engine.

use crate::text::{Words, number, quote};
use std::fmt;
use std::str::FromStr;

/// A command of the interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Speak UCI, and say who you are.
    Uci,
    /// Report more than needed, or no longer.
    Debug(bool),
    /// Answer when everything before has been done.
    IsReady,
    /// Set an option; a button has no value.
    SetOption {
        /// The name, which may contain spaces.
        name: String,
        /// The value, which may contain spaces too.
        value: Option<String>,
    },
    /// Registration of engines that are sold; for us without meaning.
    Register(String),
    /// The next position belongs to another game.
    NewGame,
    /// The position to think about next.
    Position {
        /// Where the game began.
        start: Start,
        /// The moves since.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Stop thinking.
    Stop,
    /// The expected move has been played.
    PonderHit,
    /// Leave.
    Quit,
    /// Show the position. Not part of UCI, as all that follow.
    Display,
    /// Show the static evaluation of the position.
    Eval,
    /// Say in words how the position stands or, with a move, why that is good or bad.
    Explain(String),
    /// Count the move sequences of this length.
    Perft(u32),
    /// Run the benchmark with these arguments.
    Bench(String),
    /// One of Ground Up's own commands, the whole line: `load startpos`, `load FEN`, `search N`.
    GroundUp(String),
    /// Exchange the colours.
    Flip,
    /// Say what can be said.
    Help,
}

/// The position a game began with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start position of standard chess.
    Standard,
    /// Another, as FEN; not checked yet.
    Fen(String),
}

/// The limits of a search as they come over the wire. Times are milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Go {
    pub search_moves: Vec<String>,
    pub ponder: bool,
    pub white_time: Option<i64>,
    pub black_time: Option<i64>,
    pub white_increment: Option<i64>,
    pub black_increment: Option<i64>,
    pub moves_to_go: Option<u32>,
    pub depth: Option<i32>,
    pub nodes: Option<u64>,
    pub mate: Option<i32>,
    pub move_time: Option<i64>,
    pub infinite: bool,
    pub perft: Option<u32>,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CommandError {
    #[error("unknown command '{0}', see help")]
    Unknown(String),
    #[error("{command} needs {what}")]
    Missing { command: &'static str, what: &'static str },
    #[error("{command}: {parameter} takes a whole number, not '{value}'")]
    NotANumber { command: &'static str, parameter: &'static str, value: String },
    #[error("{command} does not take '{value}'")]
    Unexpected { command: &'static str, value: String },
}

/// A command, and the words of its line that meant nothing and were skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The command.
    pub command: Command,
    /// The words skipped.
    pub skipped: Vec<String>,
}

impl Command {
    /// Reads a line. A blank line says nothing.
    ///
    /// UCI wants an engine to skip unknown words before a command: `joho debug on` means `debug on`. Only the
    /// commands of UCI itself are found behind other words, so that a stray letter does not print a board.
    ///
    /// # Errors
    /// When there is no command in the line, or it lacks what it needs.
    pub fn parse(line: &str) -> Result<Option<Parsed>, CommandError> {
        let mut words = Words::of(line);
        let mut skipped = Vec::new();
        while let Some(word) = words.next() {
            let extras = skipped.is_empty();
            if let Some(command) = Self::parse_at(word, words.clone(), extras, &mut skipped) {
                return command.map(|command| Some(Parsed { command, skipped }));
            }
            skipped.push(quote(word));
        }
        if skipped.is_empty() { Ok(None) } else { Err(CommandError::Unknown(quote(line.trim()))) }
    }

    fn parse_at(
        word: &str,
        mut words: Words<'_>,
        extras: bool,
        skipped: &mut Vec<String>,
    ) -> Option<Result<Self, CommandError>> {
        Some(Ok(match word {
            "uci" => Self::Uci,
            "debug" => return Some(parse_debug(&mut words)),
            "isready" => Self::IsReady,
            "setoption" => return Some(parse_set_option(words)),
            "register" => Self::Register(words.rest().to_owned()),
            "ucinewgame" => Self::NewGame,
            "position" => return Some(parse_position(words)),
            "go" => return Some(parse_go(words, skipped)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            _ if !extras => return None,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "explain" => Self::Explain(words.rest().trim().to_owned()),
            "perft" => return Some(parse_depth(words.next(), "perft").map(Self::Perft)),
            "bench" => Self::Bench(words.rest().to_owned()),
            "load" | "search" => Self::GroundUp(format!("{word} {}", words.rest()).trim_end().to_owned()),
            "flip" => Self::Flip,
            "help" => Self::Help,
            _ => return None,
        }))
    }
}

fn parse_debug(words: &mut Words<'_>) -> Result<Command, CommandError> {
    match words.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(other) => Err(CommandError::Unexpected { command: "debug", value: quote(other) }),
        None => Err(CommandError::Missing { command: "debug", what: "on or off" }),
    }
}

/// Name and value are kept as they stand, spaces included: they may be the name of a file.
fn parse_set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    let missing = |what| CommandError::Missing { command: "setoption", what };
    if words.next() != Some("name") {
        return Err(missing("the word name"));
    }
    let text = words.rest();
    let mut name_end = 0;
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        name_end = text.len() - words.rest().len();
    }
    let name = text[..name_end].trim_end();
    if name.is_empty() {
        Err(missing("a name"))
    } else {
        Ok(Command::SetOption { name: name.to_owned(), value })
    }
}

fn parse_position(mut words: Words<'_>) -> Result<Command, CommandError> {
    let missing = |what| CommandError::Missing { command: "position", what };
    let start = match words.next() {
        Some("startpos") => Start::Standard,
        Some("fen") => Start::Fen(parse_fen(None, &mut words).ok_or_else(|| missing("a FEN"))?),
        // Some leave the word out.
        Some(board) if board.contains('/') => {
            Start::Fen(parse_fen(Some(board), &mut words).ok_or_else(|| missing("a FEN"))?)
        }
        Some(other) => return Err(CommandError::Unexpected { command: "position", value: quote(other) }),
        None => return Err(missing("startpos or fen")),
    };
    match words.peek() {
        Some("moves") => {
            words.next();
        }
        Some(other) if !names_two_squares(other) => {
            return Err(CommandError::Unexpected { command: "position", value: quote(other) });
        }
        _ => {}
    }
    Ok(Command::Position { start, moves: words.map(str::to_owned).collect() })
}

/// The words of a FEN, up to the moves.
fn parse_fen<'a>(first: Option<&'a str>, words: &mut Words<'a>) -> Option<String> {
    let mut fields: Vec<&str> = first.into_iter().collect();
    while let Some(field) = words.peek().filter(|&word| word != "moves" && !names_two_squares(word)) {
        fields.push(field);
        words.next();
    }
    (!fields.is_empty()).then(|| fields.join(" "))
}

/// Whether a word is a move by its squares, which no field of a FEN is.
fn names_two_squares(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..])
}

fn parse_depth(text: Option<&str>, parameter: &'static str) -> Result<u32, CommandError> {
    let text = text.ok_or(CommandError::Missing { command: "perft", what: "a depth" })?;
    number(text, 0, u32::MAX).ok_or_else(|| CommandError::NotANumber {
        command: "perft",
        parameter,
        value: quote(text),
    })
}

const GO_WORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn parse_go(mut words: Words<'_>, skipped: &mut Vec<String>) -> Result<Command, CommandError> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let Some(&parameter) = GO_WORDS.iter().find(|&&known| known == word) else {
            skipped.push(quote(word));
            continue;
        };
        match parameter {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.peek().filter(|word| !GO_WORDS.contains(word)) {
                    go.search_moves.push(mv.to_owned());
                    words.next();
                }
            }
            _ => go.set_number(parameter, words.next())?,
        }
    }
    Ok(Command::Go(go))
}

impl Go {
    fn set_number(&mut self, parameter: &'static str, text: Option<&str>) -> Result<(), CommandError> {
        let text =
            text.ok_or(CommandError::Missing { command: "go", what: "a number after its last word" })?;
        let set = match parameter {
            "wtime" => set(&mut self.white_time, number(text, i64::MIN, i64::MAX)),
            "btime" => set(&mut self.black_time, number(text, i64::MIN, i64::MAX)),
            "winc" => set(&mut self.white_increment, number(text, 0, i64::MAX)),
            "binc" => set(&mut self.black_increment, number(text, 0, i64::MAX)),
            "movestogo" => set(&mut self.moves_to_go, number(text, 0, u32::MAX)),
            "depth" => set(&mut self.depth, number(text, 1, i32::MAX)),
            "nodes" => set(&mut self.nodes, number(text, 1, u64::MAX)),
            "mate" => set(&mut self.mate, number(text, i32::MIN + 1, i32::MAX)),
            "movetime" => set(&mut self.move_time, number(text, 0, i64::MAX)),
            _ => set(&mut self.perft, number(text, 0, u32::MAX)),
        };
        let not_a_number = || CommandError::NotANumber { command: "go", parameter, value: quote(text) };
        set.then_some(()).ok_or_else(not_a_number)
    }
}

fn set<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    *place = value;
    place.is_some()
}

impl FromStr for Command {
    type Err = CommandError;

    /// Like [`Command::parse`], but a blank line is an error and skipped words are forgotten.
    fn from_str(line: &str) -> Result<Self, CommandError> {
        match Self::parse(line)? {
            Some(parsed) => Ok(parsed.command),
            None => Err(CommandError::Unknown(String::new())),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => f.write_str(if *on { "debug on" } else { "debug off" }),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => write!(f, "setoption name {name} value {value}"),
            Self::Register(text) => write!(f, "register {text}"),
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position { start, moves } => {
                match start {
                    Start::Standard => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Display => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Explain(text) => f.write_str(format!("explain {text}").trim_end()),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Bench(arguments) => write!(f, "bench {arguments}"),
            Self::GroundUp(line) => f.write_str(line),
            Self::Flip => f.write_str("flip"),
            Self::Help => f.write_str("help"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let times = [
            ("wtime", self.white_time),
            ("btime", self.black_time),
            ("winc", self.white_increment),
            ("binc", self.black_increment),
            ("movetime", self.move_time),
            ("movestogo", self.moves_to_go.map(i64::from)),
            ("depth", self.depth.map(i64::from)),
            ("mate", self.mate.map(i64::from)),
            ("perft", self.perft.map(i64::from)),
        ];
        for (name, value) in times {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
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
    fn unknown_words_before_a_command_are_skipped() {
        let parsed = Command::parse("joho debug on\n").unwrap().unwrap();
        assert_eq!(parsed, Parsed { command: Command::Debug(true), skipped: vec!["joho".into()] });
        let error = Command::parse("debug joho on").unwrap_err();
        assert_eq!(error.to_string(), "debug does not take 'joho'");
        assert!(matches!(Command::parse("plan d"), Err(CommandError::Unknown(_))));
        assert_eq!(Command::parse(" \t\r\n"), Ok(None));
    }

    #[test]
    fn go_takes_its_parameters_in_any_order() {
        let expected = Go {
            white_time: Some(1000),
            black_time: Some(-5),
            white_increment: Some(10),
            moves_to_go: Some(7),
            search_moves: vec!["e2e4".into(), "d2d4".into()],
            ..Go::default()
        };
        for line in [
            "go wtime 1000 btime -5 winc 10 movestogo 7 searchmoves e2e4 d2d4",
            "go  searchmoves e2e4 d2d4 movestogo 7\twinc 10 btime -5 wtime 1000\r\n",
        ] {
            assert_eq!(parse(line), Command::Go(expected.clone()), "{line}");
        }
        assert_eq!(parse("go"), Command::Go(Go::default()));
        let parsed = Command::parse("go fast depth 3").unwrap().unwrap();
        assert_eq!(parsed.skipped, ["fast"]);
        assert_eq!(parsed.command, Command::Go(Go { depth: Some(3), ..Go::default() }));
        for (line, message) in [
            ("go depth", "go needs a number after its last word"),
            ("go depth deep", "go: depth takes a whole number, not 'deep'"),
            ("perft", "perft needs a depth"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn options_keep_the_spaces_of_names_and_values() {
        assert_eq!(
            parse("setoption  name Debug Log File  value  /tmp/my  log value.txt "),
            Command::SetOption {
                name: "Debug Log File".into(),
                value: Some("/tmp/my  log value.txt".into())
            }
        );
        assert_eq!(
            parse("setoption name Clear Hash"),
            Command::SetOption { name: "Clear Hash".into(), value: None }
        );
        assert_eq!(
            parse("setoption name SyzygyPath value"),
            Command::SetOption { name: "SyzygyPath".into(), value: Some(String::new()) }
        );
        for line in ["setoption", "setoption name", "setoption Hash 3", "setoption name value 3"] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn positions() {
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/8  w - - moves  e2e4 e7e5"),
            Command::Position {
                start: Start::Fen("8/8/8/8/8/8/8/8 w - -".into()),
                moves: vec!["e2e4".into(), "e7e5".into()]
            }
        );
        for line in ["position startpos moves e2e4", "position startpos e2e4"] {
            assert_eq!(parse(line), Command::Position { start: Start::Standard, moves: vec!["e2e4".into()] });
        }
        for line in ["position 8/8/8/8/8/8/8/8 w - - e2e4", "position fen 8/8/8/8/8/8/8/8 w - - e2e4"] {
            let start = Start::Fen("8/8/8/8/8/8/8/8 w - -".into());
            assert_eq!(parse(line), Command::Position { start, moves: vec!["e2e4".into()] });
        }
        for line in
            ["position", "position fen", "position fen moves e2e4", "position startpos e9", "position x"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    fn word() -> impl Strategy<Value = String> {
        "[a-h][1-8][a-h][1-8]q?"
    }

    fn phrase() -> impl Strategy<Value = String> {
        proptest::collection::vec("[A-Za-z0-9_/.]{1,8}", 1..4)
            .prop_map(|words| words.join(" "))
            .prop_filter("reserved", |text| !text.split(' ').any(|word| ["value", "moves"].contains(&word)))
    }

    prop_compose! {
        fn go()(
            search_moves in proptest::collection::vec(word(), 0..4),
            flags in any::<[bool; 2]>(),
            clocks in any::<[Option<i64>; 2]>(),
            increments in proptest::array::uniform2(proptest::option::of(0..i64::MAX)),
            moves_to_go in any::<Option<u32>>(),
            depth in proptest::option::of(1..i32::MAX),
            nodes in proptest::option::of(1..u64::MAX),
            mate in proptest::option::of(-100..100),
            move_time in proptest::option::of(0..i64::MAX),
            perft in any::<Option<u32>>(),
        ) -> Go {
            Go {
                search_moves,
                ponder: flags[0],
                white_time: clocks[0],
                black_time: clocks[1],
                white_increment: increments[0],
                black_increment: increments[1],
                moves_to_go, depth, nodes, mate, move_time,
                infinite: flags[1],
                perft,
            }
        }
    }

    fn command() -> impl Strategy<Value = Command> {
        let start = prop_oneof![Just(Start::Standard), phrase().prop_map(Start::Fen)];
        prop_oneof![
            Just(Command::Uci),
            any::<bool>().prop_map(Command::Debug),
            Just(Command::IsReady),
            (phrase(), proptest::option::of(phrase()))
                .prop_map(|(name, value)| Command::SetOption { name, value }),
            phrase().prop_map(Command::Register),
            Just(Command::NewGame),
            (start, proptest::collection::vec(word(), 0..9))
                .prop_map(|(start, moves)| Command::Position { start, moves }),
            go().prop_map(Command::Go),
            Just(Command::Stop),
            Just(Command::PonderHit),
            Just(Command::Quit),
            Just(Command::Display),
            Just(Command::Eval),
            word().prop_map(Command::Explain),
            Just(Command::Explain(String::new())),
            any::<u32>().prop_map(Command::Perft),
            phrase().prop_map(Command::Bench),
            phrase().prop_map(|rest| Command::GroundUp(format!("load {rest}").trim_end().to_owned())),
            Just(Command::Flip),
            Just(Command::Help),
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

        #[test]
        fn no_order_of_known_words_is_too_strange(
            words in proptest::collection::vec(
                prop_oneof![proptest::sample::select(GO_WORDS).prop_map(str::to_owned), "-?[0-9]{0,30}", word()],
                0..20,
            )
        ) {
            let _ = Command::parse(&format!("go {}", words.join(" ")));
        }
    }
}
