//! `gardez book`: makes opening books and looks into them.

use crate::interrupt;
use crate::numbers::{self, count};
use crate::positions;
use crate::progress::Progress;
use anyhow::{Context, Result, ensure};
use book::{Book, BookMove, Books, BuildSettings, Builder, Variety, openings};
use chess::pgn::Reader;
use chess::{CastlingStyle, Color, Game, Setup};
use clap::Subcommand;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Make opening books in Polyglot's format, and look into them
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(BuildArgs),
    Merge(MergeArgs),
    Show(ShowArgs),
}

/// Make a book from the games of PGN files
///
/// A move weighs twice its wins and once its draws; a game without a result counts as a draw. Faults are
/// reported, and cost the rest of their game.
#[derive(clap::Args)]
struct BuildArgs {
    /// Files of games
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// File to write the book to, when it is complete
    #[arg(short, long, value_name = "BIN")]
    output: PathBuf,
    /// Leave out moves played in fewer games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::at_least(1_u32))]
    min_games: u32,
    /// Half-moves of each game to take
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::at_least(1_u16))]
    max_ply: u16,
    /// Take the moves of White only
    #[arg(long, conflicts_with = "black")]
    white: bool,
    /// Take the moves of Black only
    #[arg(long)]
    black: bool,
    /// Replace the file if it is there already
    #[arg(long)]
    overwrite: bool,
}

/// Make one book of several, adding up the weights of each move
#[derive(clap::Args)]
struct MergeArgs {
    /// Books to merge
    #[arg(required = true, value_name = "BIN")]
    books: Vec<PathBuf>,
    /// File to write the book to, when it is complete
    #[arg(short, long, value_name = "BIN")]
    output: PathBuf,
    /// Replace the file if it is there already
    #[arg(long)]
    overwrite: bool,
}

/// Show what books know of a position
#[derive(clap::Args)]
struct ShowArgs {
    /// `startpos` or a FEN; moves may follow, after a FEN with `moves` between [default: startpos]
    #[arg(value_name = "FEN|startpos")]
    position: Vec<String>,
    /// Book to look into; may be given several times [default: the opening table]
    #[arg(long, value_name = "BIN")]
    book: Vec<PathBuf>,
    /// How adventurous the opening table is: best, main, wide or all
    #[arg(long, value_name = "WORD", default_value = "all")]
    variety: Variety,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: positions::Reading,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Build(args) => build(args),
        Command::Merge(args) => merge(args),
        Command::Show(args) => show(args),
    }
}

fn build(args: &BuildArgs) -> Result<ExitCode> {
    let interrupted = interrupt::flag()?;
    let side = match (args.white, args.black) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Black),
        _ => None,
    };
    let mut builder =
        Builder::new(BuildSettings { min_games: args.min_games, max_ply: args.max_ply.into(), side });
    let mut total_bytes = 0;
    for path in &args.files {
        ensure!(!is_same_file(path, &args.output), "{} would be overwritten by the book", path.display());
        total_bytes += fs::metadata(path).with_context(|| format!("{}", path.display()))?.len();
    }
    check_output(&args.output, args.overwrite)?;
    let mut progress = Progress::new();
    let (mut bytes_before, mut faulty) = (0, 0_u64);
    for path in &args.files {
        let file = File::open(path).with_context(|| format!("{}", path.display()))?;
        let mut games = Reader::new(file);
        loop {
            if interrupted.load(Ordering::Relaxed) {
                progress.say("interrupted, no book was written");
                return Ok(interrupt::exit_code());
            }
            if !builder.read_game(&mut games).with_context(|| format!("{}", path.display()))? {
                break;
            }
            faulty += u64::from(!builder.faults().is_empty());
            for fault in builder.faults() {
                progress.say(&format!("{}: {fault}", path.display()));
            }
            let share = 100.0 * (bytes_before + games.bytes_read()) as f64 / (total_bytes as f64).max(1.0);
            progress.show(|_| {
                let (games, moves) = (builder.games(), builder.moves() as u64);
                format!("{share:.0} %: {}, {}", count(games, "game"), count(moves, "move"))
            });
        }
        bytes_before += games.bytes_read();
    }
    drop(progress);
    let games = builder.games();
    let book = builder.finish();
    ensure!(
        !book.is_empty(),
        "{}: no move was played and scored in at least {}, so there is no book",
        count(games, "game"),
        count(args.min_games.into(), "game")
    );
    save(&book, &args.output)?;
    let with_faults = if faulty == 0 { String::new() } else { format!(" ({faulty} with faults)") };
    writeln!(io::stdout(), "{}{with_faults}: {}", count(games, "game"), description(&book, &args.output))?;
    Ok(ExitCode::SUCCESS)
}

/// A book that is there already is replaced only if that is wanted.
fn check_output(path: &Path, overwrite: bool) -> Result<()> {
    ensure!(overwrite || !path.exists(), "{} exists; --overwrite replaces it", path.display());
    Ok(())
}

/// Writes a book; until it is complete, a file that has the name stays as it is.
fn save(book: &Book, path: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    book.write(&mut bytes)?;
    crate::output::replace(path, &bytes)
}

/// Whether two paths lead to one file that is there.
fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn description(book: &Book, path: &Path) -> String {
    let (moves, positions) = (count(book.len() as u64, "move"), count(book.positions() as u64, "position"));
    format!("{moves} in {positions}, written to {}", path.display())
}

fn merge(args: &MergeArgs) -> Result<ExitCode> {
    check_output(&args.output, args.overwrite)?;
    let books: Vec<Book> = args.books.iter().map(|path| Book::open(path)).collect::<Result<_, _>>()?;
    let merged = Book::merge(&books);
    save(&merged, &args.output)?;
    writeln!(io::stdout(), "{}", description(&merged, &args.output))?;
    Ok(ExitCode::SUCCESS)
}

/// A position with the key under which books file it.
struct Place {
    game: Game,
    key: u64,
}

impl Place {
    fn read(words: &[String], reading: &positions::Reading) -> Result<Self> {
        if words.is_empty() {
            return Ok(Self::of(Game::new()));
        }
        let text = words.join(" ");
        let place = Self::of(reading.game(&text)?);
        // A FEN may name an en passant square that the position drops but Polyglot counts.
        match Setup::from_fen(&text) {
            Ok(setup) => Ok(Self { key: setup.polyglot_key(), ..place }),
            Err(_) => Ok(place),
        }
    }

    fn of(game: Game) -> Self {
        Self { key: game.polyglot_key(), game }
    }
}

fn show(args: &ShowArgs) -> Result<ExitCode> {
    let place = Place::read(&args.position, &args.reading)?;
    let books = match args.book.as_slice() {
        [] => Books::built_in(args.variety),
        paths => Books::open_all(paths, args.variety)?,
    };
    if args.json {
        show_json(&place, &books)?;
    } else {
        show_text(&place, &books)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show_text(place: &Place, books: &Books) -> io::Result<()> {
    let position = place.game.position();
    let mut out = io::stdout().lock();
    writeln!(out, "{}", position.to_fen())?;
    if let Some(opening) = openings::name_of_game(&place.game) {
        writeln!(out, "{opening}")?;
    }
    for (name, book) in books.iter() {
        let moves = book.probe(place.key, position);
        writeln!(out, "\n{name}")?;
        if moves.is_empty() {
            writeln!(out, "  does not know this position")?;
        }
        for &known in &moves {
            let san = position.san(known.mv);
            let opening = openings::name(&position.after(known.mv));
            let opening = opening.map(ToString::to_string).unwrap_or_default();
            let (weight, share) = (known.weight, book::share(known, &moves));
            let line = format!("  {:<7} {weight:>6} {share:>5.1} %  {opening}", san.as_str());
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

fn show_json(place: &Place, books: &Books) -> Result<()> {
    let position = place.game.position();
    let name = |opening: &openings::Opening| json!({ "eco": opening.eco, "name": opening.name });
    let describe = |known: BookMove, moves: &[BookMove]| {
        json!({
            "san": position.san(known.mv).as_str(),
            "uci": position.to_uci(known.mv, CastlingStyle::Standard).to_string(),
            "weight": known.weight,
            "share": book::share(known, moves) / 100.0,
            "opening": openings::name(&position.after(known.mv)).map(name),
        })
    };
    let books: Vec<_> = books
        .iter()
        .map(|(book_name, book)| {
            let moves = book.probe(place.key, position);
            let described: Vec<_> = moves.iter().map(|&known| describe(known, &moves)).collect();
            json!({ "book": book_name, "moves": described })
        })
        .collect();
    let shown = json!({
        "fen": position.to_fen(),
        "key": format!("{:016x}", place.key),
        "opening": openings::name_of_game(&place.game).map(name),
        "books": books,
    });
    writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&shown)?)?;
    Ok(())
}
