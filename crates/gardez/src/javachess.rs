//! `gardez javachess`: JavaChess's own table, and its files, read and written.

use crate::{fen, positions};
use anyhow::{Context, anyhow};
use chess::{CastlingStyle, Position, Setup};
use classics::javachess::{Book, Table, read_position, write_position};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Play at JavaChess's own table, or read and write its files
///
/// Who plays White and Black is asked at the beginning; moves are two squares, counted from 00 for a8 to 63 for h1, such as 60
/// 62 for castling. RESIG resigns, SAVE FILE and LOAD FILE keep and fetch a position in JavaChess's format.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    /// Opening book in JavaChess's format [default: the built-in Ruy Lopez]
    openings: Option<PathBuf>,
    /// Position to begin with, in JavaChess's format [default: the start position]
    position: Option<PathBuf>,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print the position of a file as FEN
    ReadPosition {
        /// The file; - for standard input
        file: PathBuf,
    },
    /// Print a position as JavaChess saves it
    WritePosition {
        /// Position as FEN or `startpos`, with moves behind it if you like [default: startpos]
        #[arg(value_name = "FEN", value_parser = read_setup)]
        setup: Option<Setup>,
    },
    /// Print the lines of play of a book, a line each
    ReadBook {
        /// The file; - for standard input
        file: PathBuf,
    },
    /// Print a book as JavaChess reads it
    WriteBook {
        /// Lines of play like e2e4 e7e5 or e4 e5, a line each; - for standard input [default: the built-in book]
        file: Option<PathBuf>,
    },
}

/// Reads a position with the en passant square that it names, or that its last move leaves.
fn read_setup(text: &str) -> anyhow::Result<Setup> {
    match Setup::from_fen(text) {
        Ok(setup) => Ok(setup),
        Err(_) => Ok(fen::every_double_step(&positions::read_game(text)?)),
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let named = |file: &Path| file.display().to_string();
    let read_book = |file: &Path| Book::parse(&content(file)?).with_context(|| named(file));
    let read_setup = |file: &Path| read_position(&content(file)?).with_context(|| named(file));
    let text = match &args.action {
        None => {
            let book = args.openings.as_deref().map_or_else(|| Ok(Book::ruy_lopez()), read_book)?;
            let start = args.position.as_deref().map_or_else(|| Ok(Setup::startpos()), read_setup)?;
            Table::new(&start, book, io::stdin().lock(), io::stdout().lock())?.run()?;
            String::new()
        }
        Some(Action::ReadPosition { file }) => format!("{}\n", read_setup(file)?.to_fen()),
        Some(Action::WritePosition { setup }) => {
            write_position(&setup.clone().unwrap_or_else(Setup::startpos))?
        }
        Some(Action::ReadBook { file }) => list(&read_book(file)?),
        Some(Action::WriteBook { file: Some(file) }) => {
            book_of_lines(&content(file)?).with_context(|| named(file))?.to_text()
        }
        Some(Action::WriteBook { file: None }) => Book::ruy_lopez().to_text(),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// What is in a file. Old files are in old encodings; everything that matters in them is ASCII.
fn content(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn list(book: &Book) -> String {
    let mut text = String::new();
    for line in book.lines() {
        let mut position = Position::startpos();
        let moves = line.iter().map(|&mv| {
            let written = position.to_uci(mv, CastlingStyle::Standard).to_string();
            position.play(mv);
            written
        });
        text.push_str(&moves.collect::<Vec<_>>().join(" "));
        text.push('\n');
    }
    text
}

fn book_of_lines(text: &str) -> anyhow::Result<Book> {
    let mut book = Book::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for word in line.split_whitespace() {
            let mv = position
                .parse_uci(word)
                .or_else(|_| position.parse_san(word))
                .map_err(|error| anyhow!("line {}, move {}: {error}", number + 1, moves.len() + 1))?;
            moves.push(mv);
            position.play(mv);
        }
        book.add_line(moves);
    }
    Ok(book)
}
