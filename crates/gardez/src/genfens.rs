//! `gardez genfens`: openings for OpenBench's matches and data generation.

use anyhow::{Context, Result, bail, ensure};
use arena::openings::{Openings, Order, Source};
use chess::Game;
use chess::random::Random;
use engine::{Engine, Limits};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The fewest and the most random half-moves from the start position, and from a position of a book.
const PLIES: (usize, usize) = (7, 9);
const PLIES_FROM_BOOK: (usize, usize) = (2, 3);
/// Nodes that make sure that neither side has won already.
const NODES: u64 = 1000;
/// The largest advantage, in centipawns.
const MOST_CENTIPAWNS: i32 = 150;

/// Print random openings in the form that OpenBench asks for
///
/// Each line is `info string genfens` and a FEN. OpenBench calls it with one argument,
/// "genfens 64 seed 1 book None", and "quit".
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of openings
    count: u64,
    /// seed N, book FILE or None, and words that have no meaning here
    words: Vec<String>,
}

/// Arguments in which OpenBench writes a whole command as one word, as the words that it stands for.
pub(crate) fn split(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.collect();
    match arguments.get(1).and_then(|command| command.to_str()) {
        Some(command) if command.starts_with("genfens ") => {
            let words = command.split_whitespace().map(OsString::from);
            arguments.iter().take(1).cloned().chain(words).collect()
        }
        _ => arguments,
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let seed: u64 = match value(args, "seed") {
        Some(seed) => seed.parse().with_context(|| format!("seed {seed}"))?,
        None => bail!("the seed is missing: genfens 64 seed 1 book None"),
    };
    let book = value(args, "book").filter(|book| !book.eq_ignore_ascii_case("none"));
    let book =
        book.map(|book| Openings::load(&Source::File(book.into()), None, Order::Random(seed))).transpose()?;
    let mut engine = Engine::new();
    engine.configure(|settings| settings.hash = 1)?;
    let mut out = io::stdout().lock();
    let (mut printed, mut round) = (0, 0);
    while printed < args.count {
        let game = opening(book.as_ref(), seed, round);
        round += 1;
        ensure!(round < 1000 + 100 * args.count, "the book has no balanced openings");
        if let Some(game) = game
            && is_balanced(&mut engine, &game)?
        {
            writeln!(out, "info string genfens {}", game.position().to_fen())?;
            out.flush()?;
            printed += 1;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What follows a word.
fn value<'a>(args: &'a Args, name: &str) -> Option<&'a str> {
    let mut words = args.words.iter();
    words.find(|word| *word == name)?;
    words.next().map(String::as_str)
}

fn opening(book: Option<&Openings>, seed: u64, round: u64) -> Option<Game> {
    let mut random = Random::stream(seed, round);
    let (mut game, (least, most)) = match book {
        Some(book) => (book.get(usize::try_from(round).ok()?).to_game(), PLIES_FROM_BOOK),
        None => (Game::new(), PLIES),
    };
    let plies = least + random.below(most - least + 1);
    selfplay::random_moves(&mut game, plies, &mut random).then_some(game)
}

fn is_balanced(engine: &mut Engine, game: &Game) -> Result<bool> {
    engine.new_game();
    let outcome = engine.search(game, Limits::nodes(NODES), |_| {})?;
    let score = outcome.lines.first().map(|line| line.score);
    Ok(score.is_some_and(|score| !score.is_decisive() && score.centipawns().abs() <= MOST_CENTIPAWNS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_of_openbench_is_many_of_ours() {
        let split = |words: &[&str]| split(words.iter().map(OsString::from));
        let words = split(&["gardez", "genfens 2 seed 7 book None ", "quit"]);
        assert_eq!(words, ["gardez", "genfens", "2", "seed", "7", "book", "None"]);
        assert_eq!(split(&["gardez", "bench"]), ["gardez", "bench"]);
    }
}
