//! `gardez pgn`: counts, chooses, splits and rewrites files of games.

mod convert;
mod criteria;
mod games;
mod output;
mod split;

use crate::numbers::count;
use anyhow::Result;
use chess::GameResult;
use chess::pgn::{Comment, Line, PgnGame, Reader};
use clap::Subcommand;
use criteria::Criteria;
use games::{Games, Seen};
use output::Output;
use serde_json::json;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Count, choose, split and rewrite files of games
///
/// Games are read as they stream by, in memory that does not depend on the size of the file. What cannot be read is
/// reported with its place and costs the rest of its game at most.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Count(CountArgs),
    Filter(FilterArgs),
    Split(split::Args),
    Dedupe(DedupeArgs),
    Clean(CleanArgs),
    Convert(convert::Args),
}

/// Files of games, and which of their games are meant.
#[derive(clap::Args)]
struct Input {
    /// Files of games, or - for standard input
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    criteria: Criteria,
}

/// Count games, moves, results and faults
#[derive(clap::Args)]
struct CountArgs {
    #[command(flatten)]
    input: Input,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print the games that meet all criteria, as they are written
#[derive(clap::Args)]
struct FilterArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

/// Print each game once
///
/// Two games are the same if they have the same players, the same start and the same moves.
#[derive(clap::Args)]
struct DedupeArgs {
    #[command(flatten)]
    input: Input,
    /// Compare the moves alone, whoever played them
    #[arg(long)]
    moves_only: bool,
    #[command(flatten)]
    output: Output,
}

/// Print games in the export format of PGN, without what could not be read
#[derive(clap::Args)]
struct CleanArgs {
    #[command(flatten)]
    input: Input,
    /// Leave out comments
    #[arg(long)]
    no_comments: bool,
    /// Leave out variations
    #[arg(long)]
    no_variations: bool,
    /// Leave out annotations such as ! and $14
    #[arg(long)]
    no_annotations: bool,
    #[command(flatten)]
    output: Output,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Count(args) => count_games(args),
        Command::Filter(args) => filter(args),
        Command::Split(args) => split::run(args),
        Command::Dedupe(args) => dedupe(args),
        Command::Clean(args) => clean(args),
        Command::Convert(args) => convert::run(args),
    }
}

fn count_games(args: &CountArgs) -> Result<ExitCode> {
    let mut games = Games::open(&args.input)?;
    let (mut number, mut plies, mut cut_short, mut faults) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut results = [0_u64; 4];
    while let Some(game) = games.next()? {
        number += 1;
        plies += game.plies;
        cut_short += u64::from(game.is_cut_short);
        faults += game.faults;
        results[game.result() as usize] += 1;
    }
    let result = |result: GameResult| results[result as usize];
    if games.is_interrupted() {
        return Ok(games.finish());
    }
    let mut out = io::stdout().lock();
    if args.json {
        let counted = json!({
            "games": number, "plies": plies, "faults": faults, "cut_short": cut_short,
            "white_wins": result(GameResult::WhiteWins), "black_wins": result(GameResult::BlackWins),
            "draws": result(GameResult::Draw), "unfinished": result(GameResult::Unfinished),
        });
        writeln!(out, "{counted}")?;
    } else {
        writeln!(out, "{}, {}", count(number, "game"), count(plies, "half-move"))?;
        writeln!(
            out,
            "White wins {}, Black wins {}, draws {}, unfinished {}",
            result(GameResult::WhiteWins),
            result(GameResult::BlackWins),
            result(GameResult::Draw),
            result(GameResult::Unfinished)
        )?;
        writeln!(out, "{}, {} cut short by them", count(faults, "fault"), count(cut_short, "game"))?;
    }
    Ok(games.finish())
}

fn filter(args: &FilterArgs) -> Result<ExitCode> {
    copy(&args.input, &args.output, |_| true)
}

fn dedupe(args: &DedupeArgs) -> Result<ExitCode> {
    let mut known = HashSet::new();
    copy(&args.input, &args.output, |game| {
        let players = (!args.moves_only).then(|| (game.tag("White"), game.tag("Black")));
        let hash = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, players, game.moves).hash(&mut hasher);
            hasher.finish()
        };
        // With 128 bits two different games are never taken for one.
        known.insert((hash(1), hash(2)))
    })
}

/// Copies the games that are wanted, as they are written.
fn copy(input: &Input, output: &Output, mut is_wanted: impl FnMut(&Seen) -> bool) -> Result<ExitCode> {
    output.check(&input.files)?;
    let mut games = Games::open(input)?;
    let mut out = output.open()?;
    let (mut copied, mut left_out) = (0_u64, 0_u64);
    while let Some(game) = games.next()? {
        if !is_wanted(game) {
            left_out += 1;
            continue;
        }
        if let Some(text) = games.text() {
            out.write_all(text)?;
            out.write_all(b"\n\n")?;
            copied += 1;
        }
    }
    left_out += games.refused();
    out.finish(&games, &format!("{}, {} left out", count(copied, "game"), left_out))?;
    Ok(games.finish())
}

fn clean(args: &CleanArgs) -> Result<ExitCode> {
    args.output.check(&args.input.files)?;
    let mut games = Games::open(&args.input)?;
    let mut out = args.output.open()?;
    let mut cleaned = 0_u64;
    while games.next()?.is_some() {
        if let Some(mut game) = games.tree() {
            strip(&mut game.line, args);
            write!(out, "{game}")?;
            cleaned += 1;
        }
    }
    out.finish(&games, &count(cleaned, "game"))?;
    Ok(games.finish())
}

fn strip(line: &mut Line, args: &CleanArgs) {
    let strip_comments = |comments: &mut Vec<Comment>| {
        if args.no_comments {
            comments.clear();
        }
    };
    strip_comments(&mut line.comments);
    for node in &mut line.moves {
        strip_comments(&mut node.comments);
        if args.no_annotations {
            node.nags.clear();
        }
        if args.no_variations {
            node.variations.clear();
        }
        node.variations.iter_mut().for_each(|variation| strip(variation, args));
    }
}

/// The first game of a text.
fn read_tree(text: &[u8]) -> Option<PgnGame> {
    Reader::new(text).next()?.ok()
}
