//! What a player may type.

use crate::game_setup::StartPosition;
use crate::participant::{Participant, ParticipantError};
use chess::{CHESS960_POSITIONS, Color, FenError, Move, Position, Square, Strictness, UciMoveError};
use players::{ClockError, TimeControl};
use std::path::PathBuf;
use std::time::Duration;

/// A command to the game.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum GameCommand {
    /// A move as it was typed.
    Type(String),
    /// A move made on the board.
    Play(Move),
    Undo,
    Redo,
    /// Go to the position after N half-moves.
    Goto(usize),
    /// The next step of a hint.
    Hint,
    /// Why a move that was typed would be good or bad; without one, why the last move was.
    Why(Option<String>),
    /// What the opponent threatens.
    Threat,
    Analyse,
    /// Analyse every position as it comes, or end that.
    Watch(bool),
    Draw,
    Accept,
    Decline,
    Claim,
    Resign,
    /// Begin another game, from the same position as the last one if none is given.
    New(Option<StartPosition>),
    Switch,
    SetPlayer(Color, Participant),
    /// Another player for the program's side.
    Opponent(Participant),
    /// The clock of the next game, and of this if no move has been made.
    Clock(Option<TimeControl>),
    Pause,
    Go,
    Save(PathBuf),
    /// A game of a file, counted from 1.
    Load(PathBuf, usize),
    Demo(PathBuf),
    Pace(Duration),
    Stop,
}

/// A command to the view.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ViewCommand {
    Board,
    Boards(bool),
    Words(bool),
    Pieces,
    Square(Square),
    Moves,
    Score,
    Fen,
    Clocks,
    Players,
    Opening,
    Statistics,
    Flip,
    Bar,
    Help,
    Quit,
}

/// A typed line understood.
#[derive(Clone, Debug)]
pub enum Command {
    /// To the game.
    Game(GameCommand),
    /// To the view.
    View(ViewCommand),
}

/// Why a command was not understood.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CommandError {
    #[error("write {0}")]
    Usage(&'static str),
    #[error(transparent)]
    Participant(#[from] ParticipantError),
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error("that is no position: {0}")]
    Fen(#[from] FenError),
}

/// What the manual says about a command.
#[derive(Copy, Clone, Debug)]
pub struct CommandHelp {
    /// The word, and what follows it.
    pub usage: &'static str,
    /// What it does.
    pub help: &'static str,
}

macro_rules! helps {
    ($($usage:literal: $help:literal;)*) => { &[$(CommandHelp { usage: $usage, help: $help }),*] };
}

/// All commands, by what they are about.
pub const COMMANDS: &[(&str, &[CommandHelp])] = &[
    (
        "The game",
        helps! {
            "undo": "take your last move back, and the answer to it";
            "redo": "play again what was taken back";
            "goto N": "go to the position after N half-moves";
            "hint": "ask what to look at; again: the idea; again: the move";
            "why [MOVE]": "say why the last move, or another one, is good or bad";
            "threat": "say what the opponent threatens";
            "analyse": "show the best lines of the position";
            "watch on|off": "keep analysing during the game";
            "draw": "offer a draw, or claim one that is due";
            "accept": "accept the draw that is offered";
            "decline": "decline it";
            "claim": "claim a draw by repetition or the fifty-move rule";
            "resign": "resign the game";
        },
    ),
    (
        "Players and clocks",
        helps! {
            "new": "begin another game; also new FEN, new standard, new chess960, new chess960 N";
            "switch": "change sides with the opponent";
            "level N": "play against Gardez at a level";
            "opponent PLAYER": "play against another: gardez, piglet, chessbin:hard, uci:PROGRAM, human";
            "white PLAYER": "choose who plays White";
            "black PLAYER": "choose who plays Black";
            "clock 5+3": "minutes and seconds a move for the next game, or none";
            "pause": "stop clocks and programs";
            "go": "resume after a pause";
            "players": "say who plays";
            "clocks": "say how much time is left";
        },
    ),
    (
        "Games in files",
        helps! {
            "save FILE": "add the game to a PGN file";
            "load FILE [N]": "continue the first or Nth game of a PGN file";
            "demo FILE": "replay the games of a PGN file";
            "pace SECONDS": "how long each position of a demonstration stands";
            "stop": "end the demonstration and play on from here";
        },
    ),
    (
        "The view",
        helps! {
            "board": "show the board";
            "boards on|off": "show it after every move, or only when asked";
            "words on|off": "say moves in words, for listening";
            "pieces": "say where the pieces stand";
            "square e4": "say what stands there";
            "moves": "list the legal moves";
            "score": "show the moves played";
            "fen": "write the position as FEN";
            "opening": "name the opening";
            "statistics": "show what the last search of a classic did";
            "flip": "turn the board round";
            "bar": "show or hide the evaluation bar";
            "help": "this text";
            "quit": "leave; an unfinished game is kept for next time";
        },
    ),
];

/// The manual of all commands.
#[must_use]
pub fn manual() -> String {
    let mut text = "Type a move, as e4, Nf3, exd5, O-O, e8=Q or e2e4, e7e8q; or a command.\n".to_owned();
    for (title, helps) in COMMANDS {
        text.push_str(&format!("{title}\n"));
        for CommandHelp { usage, help } in *helps {
            text.push_str(&format!("  {usage:<16} {help}\n"));
        }
    }
    text
}

/// Understands a typed line. What is no command is taken for a move.
///
/// # Errors
/// When a command has the wrong words after it.
pub fn parse(line: &str) -> Result<Command, CommandError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let word = word.to_ascii_lowercase();
    if let Some(command) = parse_view_command(&word, rest)? {
        return Ok(Command::View(command));
    }
    Ok(Command::Game(match word.as_str() {
        "undo" | "back" => GameCommand::Undo,
        "redo" | "forward" => GameCommand::Redo,
        "goto" => GameCommand::Goto(rest.parse().map_err(|_| CommandError::Usage("goto N"))?),
        "hint" => GameCommand::Hint,
        "why" => GameCommand::Why(Some(rest.to_owned()).filter(|text| !text.is_empty())),
        "threat" => GameCommand::Threat,
        "analyse" | "analyze" => GameCommand::Analyse,
        "watch" => GameCommand::Watch(on_or_off(rest, "watch on or watch off")?),
        "draw" => GameCommand::Draw,
        "accept" | "agree" => GameCommand::Accept,
        "decline" => GameCommand::Decline,
        "claim" => GameCommand::Claim,
        "resign" => GameCommand::Resign,
        "new" => GameCommand::New(parse_start(rest)?),
        "switch" => GameCommand::Switch,
        "level" => GameCommand::Opponent(format!("level={rest}").parse()?),
        "opponent" => GameCommand::Opponent(rest.parse()?),
        "white" => GameCommand::SetPlayer(Color::White, rest.parse()?),
        "black" => GameCommand::SetPlayer(Color::Black, rest.parse()?),
        "clock" => GameCommand::Clock(parse_clock(rest)?),
        "pause" => GameCommand::Pause,
        "go" => GameCommand::Go,
        "save" => GameCommand::Save(path(rest, "save FILE")?),
        "load" => parse_load(rest)?,
        "demo" => GameCommand::Demo(path(rest, "demo FILE")?),
        "pace" => GameCommand::Pace(seconds(rest).ok_or(CommandError::Usage("pace SECONDS, as pace 2.5"))?),
        "stop" => GameCommand::Stop,
        _ => GameCommand::Type(line.to_owned()),
    }))
}

fn parse_view_command(word: &str, rest: &str) -> Result<Option<ViewCommand>, CommandError> {
    Ok(Some(match word {
        "board" => ViewCommand::Board,
        "boards" => ViewCommand::Boards(on_or_off(rest, "boards on or boards off")?),
        "words" => ViewCommand::Words(on_or_off(rest, "words on or words off")?),
        "pieces" => ViewCommand::Pieces,
        "square" => ViewCommand::Square(rest.parse().map_err(|_| CommandError::Usage("square e4"))?),
        "moves" => ViewCommand::Moves,
        "score" => ViewCommand::Score,
        "fen" => ViewCommand::Fen,
        "clocks" => ViewCommand::Clocks,
        "players" => ViewCommand::Players,
        "opening" => ViewCommand::Opening,
        "statistics" | "stats" => ViewCommand::Statistics,
        "flip" => ViewCommand::Flip,
        "bar" => ViewCommand::Bar,
        "help" | "?" => ViewCommand::Help,
        "quit" | "exit" => ViewCommand::Quit,
        _ => return Ok(None),
    }))
}

fn on_or_off(text: &str, usage: &'static str) -> Result<bool, CommandError> {
    match text.to_ascii_lowercase().as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(CommandError::Usage(usage)),
    }
}

fn path(text: &str, usage: &'static str) -> Result<PathBuf, CommandError> {
    if text.is_empty() { Err(CommandError::Usage(usage)) } else { Ok(text.into()) }
}

/// A number of seconds that a person waits for.
#[must_use]
pub fn seconds(text: &str) -> Option<Duration> {
    const HOUR: f64 = 3600.0;
    let value: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(value.min(HOUR)).ok()
}

fn parse_load(text: &str) -> Result<GameCommand, CommandError> {
    let numbered = text.rsplit_once(char::is_whitespace);
    let numbered = numbered.and_then(|(file, number)| Some((file, number.parse().ok()?)));
    let (file, number) = numbered.unwrap_or((text, 1));
    Ok(GameCommand::Load(path(file.trim(), "load FILE [N]")?, number))
}

fn parse_start(text: &str) -> Result<Option<StartPosition>, CommandError> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("", _) => Ok(None),
        ("standard", "") => Ok(Some(StartPosition::Standard)),
        ("chess960" | "960", "") => Ok(Some(StartPosition::Chess960(None))),
        ("chess960" | "960", number) => {
            let number = number.parse().ok().filter(|&number: &u16| number < CHESS960_POSITIONS);
            let usage = CommandError::Usage("new chess960 N with a number from 0 to 959");
            number.map(|number| Some(StartPosition::Chess960(Some(number)))).ok_or(usage)
        }
        _ => Ok(Some(StartPosition::Position(Box::new(Position::read_fen(text, Strictness::Lenient)?)))),
    }
}

/// Reads a clock as people say it, such as `5+3`. `none` is no clock.
///
/// # Errors
/// When the text is something else.
pub fn parse_clock(text: &str) -> Result<Option<TimeControl>, ClockError> {
    if text.eq_ignore_ascii_case("none") { Ok(None) } else { TimeControl::parse_minutes(text).map(Some) }
}

/// Reads a move, by its squares or in algebraic notation, or says why it is none.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    match position.parse_uci(text) {
        Err(UciMoveError::Syntax { .. }) => position.parse_san(text).map_err(|error| error.to_string()),
        read => read.map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_manual_is_understood() {
        for CommandHelp { usage, .. } in COMMANDS.iter().flat_map(|(_, helps)| *helps) {
            let example = usage
                .replace("on|off", "on")
                .replace(" [N]", " 2")
                .replace(" [MOVE]", " Nf3")
                .replace("goto N", "goto 3")
                .replace("level N", "opponent human")
                .replace("PLAYER", "human")
                .replace("SECONDS", "0.5");
            let command = parse(&example).unwrap_or_else(|error| panic!("{example}: {error}"));
            assert!(!matches!(command, Command::Game(GameCommand::Type(_))), "{example}");
        }
    }

    #[test]
    fn everything_else_is_a_move() {
        for line in ["e4", "  Nf3 ", "b8=Q", "hinterland", ""] {
            let Ok(Command::Game(GameCommand::Type(text))) = parse(line) else { panic!("{line}") };
            assert_eq!(text, line.trim());
        }
    }

    #[test]
    fn wrong_words_are_explained() {
        for (line, expected) in [
            ("goto there", "write goto N"),
            ("boards", "write boards on or boards off"),
            ("square z9", "write square e4"),
            ("save", "write save FILE"),
            ("new chess960 960", "write new chess960 N with a number from 0 to 959"),
            ("pace soon", "write pace SECONDS, as pace 2.5"),
            ("pace -1", "write pace SECONDS, as pace 2.5"),
        ] {
            assert_eq!(parse(line).map(|_| ()).map_err(|error| error.to_string()), Err(expected.to_owned()));
        }
        for line in ["new somewhere", "white nobody", "clock fast", "level many"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn files_may_have_blanks_and_numbers() {
        let load = |line| match parse(line) {
            Ok(Command::Game(GameCommand::Load(path, number))) => (path.display().to_string(), number),
            other => panic!("{other:?}"),
        };
        assert_eq!(load("load my games.pgn 7"), ("my games.pgn".to_owned(), 7));
        assert_eq!(load("load my games.pgn"), ("my games.pgn".to_owned(), 1));
    }
}
