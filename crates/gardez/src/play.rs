//! `gardez play`: chess in the terminal, against people and programs.

use crate::{interrupt, numbers, positions};
use anyhow::Context;
use chess::{CHESS960_POSITIONS, Color, FenReading};
use players::TimeControl;
use std::io::{BufReader, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use terminal::command::{self, GameCommand};
use terminal::{
    GameSetup, Invitation, Leave, LineMode, Look, NetworkGame, Participant, Screen, Session, Slot, Speech,
    StartPosition, Store,
};

/// Play in the terminal
///
/// A full-screen board with keys and mouse, or with --plain, and in a pipe, lines to type and read. A game that
/// was left unfinished is resumed, unless an option asks for another.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who to play against: gardez, level=N, a classic like piglet or chessbin:hard, uci:PROGRAM, or human
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["white", "black"])]
    opponent: Option<Participant>,
    /// Play against Gardez at this level
    #[arg(long, value_name = "N", conflicts_with_all = ["opponent", "white", "black"])]
    level: Option<String>,
    /// The side you play
    #[arg(long, value_enum, conflicts_with_all = ["white", "black"])]
    side: Option<Side>,
    /// Who plays White, written as for --opponent
    #[arg(long, value_name = "PLAYER")]
    white: Option<Participant>,
    /// Who plays Black
    #[arg(long, value_name = "PLAYER")]
    black: Option<Participant>,
    /// A clock, minutes and seconds added for each move, like 5+3
    #[arg(long, value_name = "TIME", value_parser = parse_clock)]
    clock: Option<TimeControl>,
    /// Position to start from [default: the start position of standard chess]
    #[arg(long, value_parser = positions::readable)]
    fen: Option<String>,
    #[command(flatten)]
    reading: positions::Reading,
    /// Play Chess960 from start position N (0 to 959), or from one drawn at random
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        conflicts_with = "fen",
        value_parser = numbers::from_to(0, CHESS960_POSITIONS - 1)
    )]
    chess960: Option<Option<u16>>,
    /// Continue a game of a PGN file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "chess960"])]
    pgn: Option<PathBuf>,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", requires = "pgn", default_value_t = 1)]
    game: usize,
    /// Replay the games of a PGN file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "chess960", "pgn"])]
    demo: Option<PathBuf>,
    /// Seconds that each position of a demonstration stands [default: 2, none in a pipe]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pace: Option<Duration>,
    /// Play on a Gardez server: follow the link of an invitation, `http://SERVER/join/TOKEN`
    #[arg(
        long,
        value_name = "LINK",
        conflicts_with_all = [
            "opponent", "level", "side", "white", "black", "clock", "fen", "chess960", "pgn", "demo", "invite"
        ]
    )]
    join: Option<String>,
    /// Open a game on a Gardez server and wait for whoever follows its link, or with --opponent level=N or a classic play
    /// against the server's engine [default: `http://localhost:8080`]
    #[arg(
        long,
        value_name = "SERVER",
        num_args = 0..=1,
        default_missing_value = DEFAULT_SERVER,
        conflicts_with_all = ["white", "black", "chess960", "pgn", "demo"]
    )]
    invite: Option<String>,
    /// Begin a new game even if there is an unfinished one
    #[arg(long)]
    new: bool,
    /// Programs give up when they are lost
    #[arg(long)]
    resign: bool,
    /// Where games are kept [default: gardez in the user's data directory; in a pipe nowhere]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Type and read lines instead of the full-screen board
    #[arg(long)]
    plain: bool,
    /// Lines for listening: moves in words, the board only when asked for
    #[arg(long)]
    speak: bool,
    /// Draw the pieces as letters
    #[arg(long)]
    ascii: bool,
    /// Show the evaluation bar
    #[arg(long)]
    bar: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    White,
    Black,
    Random,
}

fn parse_clock(text: &str) -> Result<TimeControl, String> {
    let clock = terminal::parse_clock(text).map_err(|error| error.to_string())?;
    clock.ok_or_else(|| "leave --clock out to play without".to_owned())
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    command::seconds(text).ok_or_else(|| "not a number of seconds".to_owned())
}

/// Where `gardez serve` listens.
const DEFAULT_SERVER: &str = "http://localhost:8080";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let colors = anstream::stdout().current_choice() != anstream::ColorChoice::Never;
    let term = std::env::var("TERM").unwrap_or_default();
    let is_dumb = cfg!(unix) && matches!(term.as_str(), "" | "dumb");
    // The console of Linux has no chess pieces.
    let ascii = args.ascii || !locale_is_utf8() || term == "linux";
    let look = match (ascii, colors) {
        (true, _) => Look::Letters,
        (false, false) => Look::Figurines,
        (false, true) => Look::Colored,
    };
    let interactive = std::io::stdin().is_terminal();
    if let Some(game) = args.network_game()? {
        game.run(look, interactive, BufReader::new(std::io::stdin()), anstream::stdout().lock())?;
        return Ok(ExitCode::SUCCESS);
    }
    let session = args.session(on_terminal)?;
    let bottom = match &session.setup.participants {
        [white, black] if black.is_human() && !white.is_human() => Color::Black,
        _ => Color::White,
    };
    if on_terminal && !is_dumb && !args.plain && !args.speak {
        let left = Screen { ascii, color: colors, bottom, bar: args.bar }.run(session)?;
        if left == Leave::Signal {
            return Ok(interrupt::terminated());
        }
    } else {
        let speech = Speech { boards: !args.speak, words: args.speak };
        let mode = LineMode { look, bottom, speech, interactive };
        mode.run(session, BufReader::new(std::io::stdin()), anstream::stdout().lock())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the environment says that text is UTF-8.
fn locale_is_utf8() -> bool {
    if cfg!(windows) {
        // The old console draws no chess pieces, Windows Terminal does.
        return std::env::var_os("WT_SESSION").is_some();
    }
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        })
}

impl Args {
    /// The game on a server that is asked for.
    fn network_game(&self) -> anyhow::Result<Option<NetworkGame>> {
        if let Some(link) = &self.join {
            return Ok(Some(NetworkGame::join(link)?));
        }
        let Some(server) = &self.invite else { return Ok(None) };
        let engine = match (&self.opponent, &self.level) {
            (Some(participant), _) if !participant.is_human() => Some(participant.to_string()),
            (_, Some(level)) => Some(format!("level={level}")),
            _ => None,
        };
        let invitation = Invitation {
            engine,
            is_black: self.is_black(),
            clock: self.clock,
            fen: self.fen_reading()?.map(|reading| reading.position.to_fen()),
        };
        Ok(Some(NetworkGame::invite(server, &invitation)?))
    }

    fn is_black(&self) -> bool {
        match self.side {
            None | Some(Side::White) => false,
            Some(Side::Black) => true,
            Some(Side::Random) => terminal::random(2) == 1,
        }
    }

    fn session(&self, on_terminal: bool) -> anyhow::Result<Session> {
        let setup = GameSetup {
            start: self.start()?,
            participants: self.participants()?,
            clock: self.clock,
            programs_resign: self.resign,
        };
        let default = || if on_terminal { terminal::default_directory() } else { None };
        let directory = self.data.clone().or_else(default);
        let slot = if self.asks_for_a_game() { Slot::Fresh } else { Slot::Resume };
        let (store, unfinished) = match directory.map(|directory| Store::open(&directory, slot)) {
            Some(Ok((store, unfinished))) => (Some(store), unfinished),
            Some(Err(error)) if self.data.is_some() => {
                return Err(error).context("games cannot be kept there");
            }
            Some(Err(error)) => {
                eprintln!("gardez: this game will not be kept: {error}");
                (None, None)
            }
            None => (None, None),
        };
        let mut commands = Vec::new();
        if let Some(path) = &self.pgn {
            commands.push(GameCommand::Load(path.clone(), self.game));
        }
        if let Some(path) = &self.demo {
            let pace = if on_terminal { None } else { Some(Duration::ZERO) };
            commands.extend(self.pace.or(pace).map(GameCommand::Pace));
            commands.push(GameCommand::Demo(path.clone()));
        }
        Ok(Session { setup, store, unfinished, commands })
    }

    /// Whether the options say which game is to be played, so that none is resumed.
    fn asks_for_a_game(&self) -> bool {
        let players =
            [&self.opponent, &self.white, &self.black].iter().any(|participant| participant.is_some())
                || self.level.is_some()
                || self.side.is_some();
        let position = self.fen.is_some() || self.chess960.is_some();
        let file = self.pgn.is_some() || self.demo.is_some();
        self.new || players || position || file || self.clock.is_some()
    }

    fn start(&self) -> anyhow::Result<StartPosition> {
        Ok(match (self.chess960, self.fen_reading()?) {
            (Some(number), _) => StartPosition::Chess960(number),
            (None, Some(reading)) => StartPosition::Position(Box::new(reading)),
            (None, None) => StartPosition::Standard,
        })
    }

    /// The position that is asked for.
    fn fen_reading(&self) -> anyhow::Result<Option<FenReading>> {
        let Some(fen) = &self.fen else { return Ok(None) };
        self.reading.read(fen).map(Some).with_context(|| format!("the FEN {fen}"))
    }

    /// Who plays White and Black.
    fn participants(&self) -> anyhow::Result<[Participant; 2]> {
        if self.white.is_some() || self.black.is_some() {
            return Ok([&self.white, &self.black]
                .map(|participant| participant.clone().unwrap_or(Participant::Human)));
        }
        let opponent = match (&self.opponent, &self.level) {
            (Some(participant), _) => participant.clone(),
            (None, Some(level)) => format!("level={level}").parse()?,
            (None, None) => Participant::default_opponent(),
        };
        Ok(if self.is_black() { [opponent, Participant::Human] } else { [Participant::Human, opponent] })
    }
}
