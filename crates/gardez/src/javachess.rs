//! `gardez javachess`: the files of JavaChess, read and written.

use crate::positions;
use anyhow::{Context, anyhow};
use chess::{CastlingStyle, Position};
use classics::javachess::{Book, read_position, write_position};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Read and write the files of JavaChess: positions and opening books
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
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
        /// Position as FEN, or `startpos` [default: startpos]
        #[arg(value_parser = positions::read_position)]
        fen: Option<Position>,
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

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let named = |file: &Path| file.display().to_string();
    let text = match &args.action {
        Action::ReadPosition { file } => {
            let position = read_position(&content(file)?).with_context(|| named(file))?;
            format!("{}\n", position.to_fen())
        }
        Action::WritePosition { fen } => write_position(&fen.unwrap_or_else(Position::startpos))?,
        Action::ReadBook { file } => list(&Book::parse(&content(file)?).with_context(|| named(file))?),
        Action::WriteBook { file: Some(file) } => {
            book_of_lines(&content(file)?).with_context(|| named(file))?.to_text()
        }
        Action::WriteBook { file: None } => Book::ruy_lopez().to_text(),
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
