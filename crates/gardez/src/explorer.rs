//! `gardez explorer`: which moves were played in a position, over files of games.

use crate::interrupt;
use crate::numbers::{self, count};
use crate::positions;
use crate::progress::Progress;
use crate::serve::data_directory;
use anyhow::{Context, Result};
use book::openings;
use chess::pgn::{Heading, PgnGame};
use chess::{CastlingStyle, Color, Position};
use clap::Subcommand;
use explorer::{
    Answer, BuildProgress, Day, Explorer, ExplorerError, Filter, GameHead, Results, Speed, build,
};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// See which moves were played in a position, how often and with what result
///
/// `build` makes an index of the games of PGN files, which the other commands answer from.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(BuildArgs),
    Show(ShowArgs),
    Game(GameArgs),
}

/// Make an index of the games of PGN files
///
/// It replaces the one that is there only with --overwrite, and only when it is complete. A fault costs the rest of its
/// game.
#[derive(clap::Args)]
struct BuildArgs {
    /// Files of games
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// Half-moves of each game whose positions are indexed
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::from_to(1_u16, 1000))]
    plies: u16,
    /// Replace the index that is there
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    index: Index,
}

/// Show what was played in a position
///
/// For each move: games, results, the mean rating of the players, when it was last played, and how many games reached the
/// position after it by any order of moves.
#[derive(clap::Args)]
struct ShowArgs {
    /// A FEN or startpos; moves may follow behind the word moves [default: startpos]
    #[arg(value_name = "FEN|startpos")]
    position: Vec<String>,
    /// Games to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    games: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    reading: positions::Reading,
    #[command(flatten)]
    index: Index,
}

/// Print a game of the index as PGN
#[derive(clap::Args)]
struct GameArgs {
    /// Its number, as `show` prints it
    number: u32,
    #[command(flatten)]
    index: Index,
}

#[derive(clap::Args)]
struct Index {
    /// Directory of the index [default: explorer in the user's data directory]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
}

impl Index {
    fn directory(&self) -> Result<PathBuf> {
        match &self.index {
            Some(directory) => Ok(directory.clone()),
            None => Ok(data_directory(None)?.join("explorer")),
        }
    }

    fn open(&self) -> Result<Explorer> {
        let directory = self.directory()?;
        if !directory.exists() {
            anyhow::bail!("there is no index at {}; gardez explorer build makes one", directory.display());
        }
        Ok(Explorer::open(&directory)?)
    }
}

#[derive(clap::Args)]
#[command(next_help_heading = "Which games")]
struct FilterArgs {
    /// Played by someone whose name contains this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The player had this colour: white or black
    #[arg(long, value_name = "COLOR", requires = "player", value_parser = color)]
    color: Option<Color>,
    /// Mean rating of the players of at least this
    #[arg(long, value_name = "N")]
    min_rating: Option<u32>,
    /// Mean rating of the players of at most this
    #[arg(long, value_name = "N")]
    max_rating: Option<u32>,
    /// Played on this day or later: 2026, 2026.11 or 2026.11.18
    #[arg(long, value_name = "DATE")]
    since: Option<Day>,
    /// Played on this day or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<Day>,
    /// Time control: bullet, blitz, rapid, classical, correspondence or unknown
    #[arg(long, value_name = "SPEED")]
    speed: Option<Speed>,
}

impl FilterArgs {
    fn filter(&self) -> Filter {
        Filter {
            player: self.player.clone(),
            color: self.color,
            least_rating: self.min_rating,
            most_rating: self.max_rating,
            since: self.since,
            until: self.until,
            speed: self.speed,
        }
    }
}

fn color(text: &str) -> Result<Color, &'static str> {
    match text.to_lowercase().as_str() {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err("it must be white or black"),
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Build(args) => make(args),
        Command::Show(args) => show(args),
        Command::Game(args) => print_game(args),
    }
}

fn make(args: &BuildArgs) -> Result<ExitCode> {
    let directory = args.index.directory()?;
    if let Some(parent) = directory.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    }
    let total: u64 = args.files.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum();
    let interrupted = interrupt::flag()?;
    let mut progress = Progress::new();
    let started = Instant::now();
    let built = build(&args.files, &directory, args.plies, args.overwrite, |news| {
        progress.show(|elapsed| match news {
            BuildProgress::Reading(games, bytes) => format!(
                "{}, {:.0} % of the files, {:.0} games a second",
                count(games.into(), "game"),
                100.0 * bytes as f64 / total.max(1) as f64,
                f64::from(games) / elapsed.as_secs_f64().max(1e-3)
            ),
            BuildProgress::Merging => "all games are read, putting positions in order".to_owned(),
        });
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(progress);
    let summary = match built {
        Err(ExplorerError::Interrupted) => {
            writeln!(io::stderr(), "interrupted; no index was made")?;
            return Ok(interrupt::exit_code());
        }
        other => other?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let games = f64::from(summary.games.max(1));
    writeln!(
        io::stdout(),
        "{} and {} in {}: {:.0} bytes a game, {:.1} s, {:.0} games a second",
        count(summary.games.into(), "game"),
        count(summary.positions, "position"),
        directory.display(),
        summary.bytes as f64 / games,
        seconds,
        games / seconds.max(1e-3)
    )?;
    if summary.cut_short > 0 {
        writeln!(io::stderr(), "{} cut short by faults", count(summary.cut_short.into(), "game"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(args: &ShowArgs) -> Result<ExitCode> {
    let explorer = args.index.open()?;
    let text = args.position.join(" ");
    let game = args.reading.game(if text.is_empty() { "startpos" } else { &text })?;
    let position = game.position();
    let asked = Instant::now();
    let answer = explorer.ask(position, &args.filter.filter(), args.games)?;
    let elapsed = asked.elapsed();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", to_json(position, &answer))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(opening) = openings::name_of_game(&game) {
        writeln!(out, "{opening}")?;
    }
    writeln!(
        out,
        "{} of {} ({:.1} ms)",
        count(answer.results.games.into(), "game"),
        explorer.games(),
        elapsed.as_secs_f64() * 1e3
    )?;
    if answer.results.games == 0 {
        let hint =
            format!("no game that was asked for has this position within {} half-moves", explorer.plies());
        writeln!(out, "{hint}")?;
    }
    if !answer.moves.is_empty() {
        print_moves(&mut out, position, &answer)?;
    }
    for head in &answer.games {
        writeln!(out, "{}", game_line(position, head))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_moves(out: &mut impl Write, position: &Position, answer: &Answer) -> io::Result<()> {
    writeln!(
        out,
        "\n{:8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>7}  {:10}  opening",
        "move", "games", "reached", "White", "draw", "Black", "rating", "last"
    )?;
    for found in &answer.moves {
        let [white, draws, black] = shares(found.results);
        let rating = found.rating.map(|rating| rating.to_string()).unwrap_or_default();
        let last = found.last.map(|day| day.to_string()).unwrap_or_default();
        let name = openings::name(&position.after(found.mv)).map(|opening| opening.name).unwrap_or_default();
        let line = format!(
            "{:8} {:>8} {:>8} {white:>5.0}% {draws:>5.0}% {black:>5.0}% {rating:>7}  {last:10}  {name}",
            position.san(found.mv).as_str(),
            found.results.games,
            found.reached,
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)
}

/// Per cent of the finished games.
fn shares(results: Results) -> [f64; 3] {
    let finished = f64::from((results.white + results.draws + results.black).max(1));
    [results.white, results.draws, results.black].map(|games| 100.0 * f64::from(games) / finished)
}

fn game_line(position: &Position, head: &GameHead) -> String {
    let player = |color: Color| {
        let rating = head.ratings[color.index()].map(|rating| format!(" ({rating})")).unwrap_or_default();
        format!("{}{rating}", head.players[color.index()])
    };
    let day = head.day.map(|day| format!("  {day}")).unwrap_or_default();
    let mv = head.mv.map(|mv| format!("  {}", position.san(mv).as_str())).unwrap_or_default();
    format!("#{}  {} - {}  {}{day}{mv}", head.number, player(Color::White), player(Color::Black), head.result)
}

fn to_json(position: &Position, answer: &Answer) -> Value {
    let results = |results: Results| json!({ "games": results.games, "white": results.white, "draws": results.draws, "black": results.black });
    let uci = |mv| position.to_uci(mv, CastlingStyle::Standard).to_string();
    let moves: Vec<Value> = answer
        .moves
        .iter()
        .map(|found| {
            json!({
                "move": uci(found.mv),
                "san": position.san(found.mv).as_str(),
                "results": results(found.results),
                "reached": found.reached,
                "rating": found.rating,
                "last": found.last.map(|day| day.to_string()),
                "opening": openings::name(&position.after(found.mv)).map(|opening| opening.name),
            })
        })
        .collect();
    let games: Vec<Value> = answer
        .games
        .iter()
        .map(|head| {
            json!({
                "number": head.number,
                "white": head.players[0],
                "black": head.players[1],
                "whiteElo": head.ratings[0],
                "blackElo": head.ratings[1],
                "date": head.day.map(|day| day.to_string()),
                "result": head.result.to_string(),
                "speed": head.speed.name(),
                "move": head.mv.map(uci),
            })
        })
        .collect();
    json!({ "fen": position.to_fen(), "results": results(answer.results), "moves": moves, "games": games })
}

fn print_game(args: &GameArgs) -> Result<ExitCode> {
    let explorer = args.index.open()?;
    let all = count(explorer.games().into(), "game");
    anyhow::ensure!(
        args.number < explorer.games(),
        "there is no game {}; the index has {all}, from 0",
        args.number
    );
    let head = explorer.head(args.number)?;
    let game = explorer.game(args.number)?;
    let heading = Heading { white: &head.players[0], black: &head.players[1], ..Heading::default() };
    let mut pgn = PgnGame::from_game(&game, &heading);
    pgn.set_result(head.result);
    let day = head.day.map(|day| day.to_string()).unwrap_or_default();
    let ratings = head.ratings.map(|rating| rating.map(|rating| rating.to_string()).unwrap_or_default());
    for (name, value) in [("Date", &day), ("WhiteElo", &ratings[0]), ("BlackElo", &ratings[1])] {
        if !value.is_empty() {
            pgn.tags.set(name, value);
        }
    }
    write!(io::stdout(), "{pgn}")?;
    Ok(ExitCode::SUCCESS)
}
