//! Players given as short texts.

use crate::child::Program;
use crate::classic::ClassicPlayer;
use crate::inprocess::InProcessPlayer;
use crate::limits::{Limit, LimitError};
use crate::mover::{Mover, MoverStyle};
use crate::player::{Failure, Player};
use crate::uci::UciPlayer;
use crate::xboard::XboardPlayer;
use classics::ClassicSpec;
use engine::StopToken;
use engine::level::{Level, LevelError};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// What plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// Gardez in this process.
    Gardez,
    /// A UCI engine.
    Uci(Program),
    /// An XBoard engine.
    Xboard(Program),
    /// One of the classics, in this process.
    Classic(ClassicSpec),
    /// One of the simplest players, with its seed; without one each game is another.
    Mover(MoverStyle, Option<u64>),
}

/// A player and its settings, given as a short text.
///
/// ```text
/// gardez
/// gardez:Hash=64,Search=mtdf
/// uci:/usr/games/stockfish:Threads=1,Hash=16
/// uci:/usr/games/gnuchess --uci
/// xboard:'/usr/local/my engine/run' -x:@name=Mine,@tc=10+0.1
/// chessbin:hard:@nodes=100000
/// javachess:mtdf:book=mine.book,book=other.book
/// gardez:level=8
/// greedy:seed=5
/// ```
///
/// The kind comes first, then for other programs the command, split at blanks, or for a classic its
/// setting, then the options. The option `level` of Gardez takes a [level](engine::Level); a classic that
/// plays from a book takes files with others, in its own format, as often as the option `book` is given; `random` and
/// `greedy` are [the simplest players](Mover), whose only option is a seed. The parts
/// are separated by colons, the options by commas. Single quotes keep everything up to the next one as it
/// stands; double quotes too, except for a backslash, which there and outside of quotes takes the next
/// character as it stands. Names that begin with `@` are not for the engine: `@name` is what the player is
/// called, `@dir` where its program is started, and `@tc`, `@movetime`, `@depth`, `@nodes` and
/// `@nodestime` are its own limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSpec {
    /// What it is called, if not as it calls itself.
    pub name: Option<String>,
    /// What plays.
    pub kind: PlayerKind,
    /// Options of the engine.
    pub options: Vec<(String, String)>,
    /// Its own limit, if not the one for all players.
    pub limit: Option<Limit>,
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpecError {
    #[error(
        "a player is gardez, uci:PROGRAM, xboard:PROGRAM, a classic like chessbin:hard, random or greedy, not '{0}'"
    )]
    Kind(String),
    #[error("{0}: needs a program")]
    NoProgram(String),
    #[error("a quote {0} is not closed")]
    OpenQuote(char),
    #[error("an option is written Name=value, not '{0}'")]
    Option(String),
    #[error("there is no setting '@{0}'; there are name, dir, tc, movetime, depth, nodes, nodestime")]
    Setting(String),
    #[error(
        "the only option of a classic is book=FILE, besides those of the arena, which begin with @; not '{0}'"
    )]
    OnlyBook(String),
    #[error("{0} plays without a book; chessbin and javachess:mtdf have one")]
    NoBook(ClassicSpec),
    #[error("the only option of this player is seed=NUMBER, not '{0}'")]
    OnlySeed(String),
    #[error(transparent)]
    Level(#[from] LevelError),
    #[error("too many colons: '{0}' is left over; colons in commands and values need quotes")]
    LeftOver(String),
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// A character, and whether quotes took its special meaning.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Glyph {
    character: char,
    quoted: bool,
}

/// The option of a classic: a file with an opening book in its format.
const BOOK: &str = "book";

/// Stands between the name of an option and its value.
const EQUALS: Glyph = Glyph { character: '=', quoted: false };

/// Removes the quotes, remembering what they protected.
fn unquote(text: &str) -> Result<Vec<Glyph>, SpecError> {
    let mut glyphs = Vec::new();
    let mut open: Option<char> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (open, character) {
            (None, '\'' | '"') => open = Some(character),
            (Some(quote), _) if character == quote => open = None,
            (None | Some('"'), '\\') => {
                let character = characters.next().unwrap_or('\\');
                glyphs.push(Glyph { character, quoted: true });
            }
            _ => glyphs.push(Glyph { character, quoted: open.is_some() }),
        }
    }
    match open {
        Some(quote) => Err(SpecError::OpenQuote(quote)),
        None => Ok(glyphs),
    }
}

fn split(glyphs: &[Glyph], separator: char) -> impl Iterator<Item = &[Glyph]> {
    glyphs.split(move |glyph| *glyph == Glyph { character: separator, quoted: false })
}

fn text_of(glyphs: &[Glyph]) -> String {
    glyphs.iter().map(|glyph| glyph.character).collect()
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let glyphs = unquote(text)?;
        let mut parts = split(&glyphs, ':').peekable();
        let kind = parts.next().map(text_of).unwrap_or_default();
        let kind = match kind.trim() {
            "gardez" => PlayerKind::Gardez,
            "random" => PlayerKind::Mover(MoverStyle::Random, None),
            "greedy" => PlayerKind::Mover(MoverStyle::Greedy, None),
            name @ ("uci" | "xboard") => {
                let words = parts.next().unwrap_or_default();
                let words = split(words, ' ').filter(|word| !word.is_empty());
                let command: Vec<String> = words.map(text_of).collect();
                if command.is_empty() {
                    return Err(SpecError::NoProgram(name.to_owned()));
                }
                let program = Program { command, directory: None };
                if name == "uci" { PlayerKind::Uci(program) } else { PlayerKind::Xboard(program) }
            }
            other => {
                // What follows a classic is its setting, unless it has the form of options.
                let setting = parts.next_if(|part| !part.is_empty() && !part.contains(&EQUALS)).map(text_of);
                let name = setting.map_or_else(|| other.to_owned(), |setting| format!("{other}:{setting}"));
                PlayerKind::Classic(name.parse().map_err(|_| SpecError::Kind(name))?)
            }
        };
        let mut spec = Self { name: None, kind, options: Vec::new(), limit: None };
        for option in split(parts.next().unwrap_or_default(), ',') {
            if option.is_empty() {
                continue;
            }
            let equals = option.iter().position(|glyph| *glyph == EQUALS);
            let equals = equals.ok_or_else(|| SpecError::Option(text_of(option)))?;
            let (name, value) = (text_of(&option[..equals]), text_of(&option[equals + 1..]));
            spec.set(name.trim(), value.trim())?;
        }
        match parts.next() {
            Some(rest) => Err(SpecError::LeftOver(text_of(rest))),
            None => {
                spec.limit.map(Limit::check).transpose()?;
                Ok(spec)
            }
        }
    }
}

impl PlayerSpec {
    /// Sets an option of the engine, or with `@` one of the arena.
    ///
    /// # Errors
    /// When it is one of the arena that does not exist or does not fit.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        match name.strip_prefix('@') {
            None => self.set_of_engine(name, value)?,
            Some("name") => self.name = Some(value.to_owned()),
            Some("dir") => match &mut self.kind {
                PlayerKind::Gardez | PlayerKind::Classic(_) | PlayerKind::Mover(..) => {
                    return Err(SpecError::Setting("dir".to_owned()));
                }
                PlayerKind::Uci(program) | PlayerKind::Xboard(program) => {
                    program.directory = Some(value.into());
                }
            },
            Some(limit @ ("tc" | "movetime" | "depth" | "nodes" | "nodestime")) => {
                self.limit.get_or_insert_default().set(limit, value)?;
            }
            Some(other) => return Err(SpecError::Setting(other.to_owned())),
        }
        Ok(())
    }

    fn set_of_engine(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        match &mut self.kind {
            PlayerKind::Classic(classic) => {
                if !name.eq_ignore_ascii_case(BOOK) {
                    return Err(SpecError::OnlyBook(format!("{name}={value}")));
                }
                if !classic.has_book() {
                    return Err(SpecError::NoBook(*classic));
                }
                self.options.push((BOOK.to_owned(), value.to_owned()));
            }
            PlayerKind::Mover(_, seed) => {
                let number = value.parse().ok().filter(|_| name.eq_ignore_ascii_case("seed"));
                *seed = Some(number.ok_or_else(|| SpecError::OnlySeed(format!("{name}={value}")))?);
            }
            PlayerKind::Gardez if name.eq_ignore_ascii_case("level") => {
                let level: Level = value.parse()?;
                self.name.get_or_insert_with(|| format!("Gardez at {level}"));
                let mut set = |name: &str, value: String| self.options.push((name.to_owned(), value));
                if let Some(elo) = level.elo() {
                    set("UCI_Elo", elo.to_string());
                }
                set("UCI_LimitStrength", (level != Level::Full).to_string());
            }
            PlayerKind::Gardez | PlayerKind::Uci(_) | PlayerKind::Xboard(_) => {
                self.options.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// Whether the player ends its turn without being given a limit: those that do not search, and Gardez at a
    /// level below full strength.
    #[must_use]
    pub fn limits_itself(&self) -> bool {
        match self.kind {
            PlayerKind::Mover(..) => true,
            PlayerKind::Gardez => {
                let mut options = engine::Settings::default();
                for (name, value) in &self.options {
                    // What is wrong with an option is said when the engine is started.
                    let _ = options.set(name, value);
                }
                options.level() != Level::Full
            }
            PlayerKind::Classic(_) | PlayerKind::Uci(_) | PlayerKind::Xboard(_) => false,
        }
    }

    /// Starts the player.
    ///
    /// # Errors
    /// When it cannot be started or does not take its options; with what was said until then.
    pub fn start(&self, patience: Duration, stop: StopToken) -> Result<Box<dyn Player>, (Failure, String)> {
        Ok(match &self.kind {
            PlayerKind::Gardez => {
                let player = InProcessPlayer::start(&self.options, stop);
                Box::new(player.map_err(|failure| (failure, String::new()))?)
            }
            PlayerKind::Mover(style, seed) => {
                Box::new(Mover::new(*style, seed.unwrap_or_else(|| RandomState::new().hash_one(()))))
            }
            PlayerKind::Classic(classic) => {
                let player = ClassicPlayer::with_books(*classic, &self.book_files(), stop);
                Box::new(player.map_err(|failure| (failure, String::new()))?)
            }
            PlayerKind::Uci(program) => Box::new(UciPlayer::start(program, &self.options, patience, stop)?),
            PlayerKind::Xboard(program) => {
                Box::new(XboardPlayer::start(program, &self.options, patience, stop)?)
            }
        })
    }

    /// The files with books that a classic plays from.
    #[must_use]
    pub fn book_files(&self) -> Vec<&Path> {
        let files = self.options.iter().filter(|_| matches!(self.kind, PlayerKind::Classic(_)));
        files.map(|(_, file)| Path::new(file)).collect()
    }

    /// The settings that make a Gardez other than the default, to distinguish several.
    #[must_use]
    pub fn settings(&self) -> String {
        let options: Vec<String> =
            self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        options.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> PlayerSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn command(text: &str) -> Vec<String> {
        match spec(text).kind {
            PlayerKind::Uci(program) | PlayerKind::Xboard(program) => program.command,
            PlayerKind::Gardez | PlayerKind::Classic(_) | PlayerKind::Mover(..) => Vec::new(),
        }
    }

    #[test]
    fn kinds_commands_and_options() {
        assert_eq!(spec("gardez").kind, PlayerKind::Gardez);
        let own = spec("gardez:Hash=64, Search = mtdf,Move Overhead=10");
        let expected = [("Hash", "64"), ("Search", "mtdf"), ("Move Overhead", "10")];
        assert_eq!(own.options, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(command("uci:/usr/games/gnuchess --uci"), ["/usr/games/gnuchess", "--uci"]);
        assert_eq!(
            spec("uci:/usr/games/stockfish:Threads=2").options,
            [("Threads".to_owned(), "2".to_owned())]
        );
        assert!(matches!(spec("xboard:fairymax").kind, PlayerKind::Xboard(_)));
    }

    #[test]
    fn quotes_protect_blanks_colons_and_commas() {
        assert_eq!(
            command("uci:'/usr/local/my engine/run' -x \"a b\""),
            ["/usr/local/my engine/run", "-x", "a b"]
        );
        assert_eq!(command(r"uci:C\:\\chess\\e.exe"), [r"C:\chess\e.exe"]);
        assert_eq!(command(r"uci:'C:\chess\e.exe'"), [r"C:\chess\e.exe"]);
        assert_eq!(command(r#"uci:"say \"hi\"""#), [r#"say "hi""#]);
        assert_eq!(
            spec("gardez:SyzygyPath='/a:/b,c=d'").options,
            [("SyzygyPath".to_owned(), "/a:/b,c=d".to_owned())]
        );
    }

    #[test]
    fn classics_with_and_without_setting() {
        for (text, name) in [
            ("piglet", "piglet"),
            ("chessbin:hard", "chessbin:hard"),
            ("javachess:mtdf:@name=J", "javachess:mtdf"),
            ("piglet:@nodes=1000", "piglet"),
        ] {
            let PlayerKind::Classic(classic) = spec(text).kind else { panic!("{text}") };
            assert_eq!(classic.name(), name);
        }
        assert_eq!(spec("javachess:mtdf:@name=J").name.as_deref(), Some("J"));
        assert_eq!(spec("chessbin:hard:book=a,@nodes=5,Book=b").settings(), "book=a,book=b");
        assert!("chessbin:easy".parse::<PlayerSpec>().is_err());
    }

    #[test]
    fn levels_and_the_simplest_players() {
        let level = spec("gardez:level=8,Hash=4");
        let elo = Level::of_number(8).elo().unwrap();
        assert_eq!(level.name, Some(format!("Gardez at {elo}")));
        assert_eq!(level.settings(), format!("UCI_Elo={elo},UCI_LimitStrength=true,Hash=4"));
        assert!(level.limits_itself() && spec("gardez:Skill Level=3").limits_itself());
        assert!(!spec("gardez:level=full").limits_itself() && !spec("gardez").limits_itself());
        let message = "gardez:level=99".parse::<PlayerSpec>().expect_err("no such level").to_string();
        assert!(message.starts_with("a level is a number from 1 to 24"), "{message}");
        assert_eq!(spec("random").kind, PlayerKind::Mover(MoverStyle::Random, None));
        assert_eq!(spec("greedy:seed=5").kind, PlayerKind::Mover(MoverStyle::Greedy, Some(5)));
        assert!(spec("random").limits_itself());
    }

    #[test]
    fn settings_of_the_arena() {
        let odds = spec("uci:sf:@name=Stockfish at odds,@nodes=20000,Hash=8,@dir=/tmp");
        assert_eq!(odds.name.as_deref(), Some("Stockfish at odds"));
        assert_eq!(odds.limit, "nodes=20000".parse().ok());
        assert_eq!(odds.options.len(), 1);
        let PlayerKind::Uci(program) = odds.kind else { panic!("not UCI") };
        assert_eq!(program.directory, Some("/tmp".into()));
    }

    #[test]
    fn faulty_specs_say_what_is_wrong() {
        for (text, expected) in [
            (
                "stockfish",
                "a player is gardez, uci:PROGRAM, xboard:PROGRAM, a classic like chessbin:hard, random or greedy, not 'stockfish'",
            ),
            (
                "",
                "a player is gardez, uci:PROGRAM, xboard:PROGRAM, a classic like chessbin:hard, random or greedy, not ''",
            ),
            (
                "piglet:Hash=1",
                "the only option of a classic is book=FILE, besides those of the arena, which begin with @; not 'Hash=1'",
            ),
            ("piglet:book=x", "piglet plays without a book; chessbin and javachess:mtdf have one"),
            ("random:seed=x", "the only option of this player is seed=NUMBER, not 'seed=x'"),
            ("greedy:Hash=1", "the only option of this player is seed=NUMBER, not 'Hash=1'"),
            ("uci", "uci: needs a program"),
            ("uci: ", "uci: needs a program"),
            ("uci:'sf", "a quote ' is not closed"),
            ("gardez:Hash", "an option is written Name=value, not 'Hash'"),
            (
                "gardez:@hash=1",
                "there is no setting '@hash'; there are name, dir, tc, movetime, depth, nodes, nodestime",
            ),
            ("gardez:@nodes=none", "nodes takes a whole number above zero, not 'none'"),
            ("gardez:@nodestime=5", "nodestime needs a clock, tc="),
            (
                "uci:sf:Hash=1:x",
                "too many colons: 'x' is left over; colons in commands and values need quotes",
            ),
        ] {
            assert_eq!(
                text.parse::<PlayerSpec>().map_err(|error| error.to_string()),
                Err(expected.to_owned()),
                "{text}"
            );
        }
    }
}
