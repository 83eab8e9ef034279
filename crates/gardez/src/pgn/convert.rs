//! Games in other formats.

use super::Input;
use super::games::Games;
use super::output::Output;
use crate::numbers::count;
use anyhow::Result;
use chess::pgn::PgnGame;
use chess::{Epd, EpdOperation};
use columns::GameRows;
use columns::parquet::Writer;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;

/// Print games in another format
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Format
    #[arg(long, value_enum)]
    to: Format,
    /// The last position of each game only (EPD)
    #[arg(long)]
    last: bool,
    #[command(flatten)]
    output: Output,
}

#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Every position of the games, with the move that was played there
    Epd,
    /// A line of JSON for each game
    Jsonl,
    /// A table with a row for each move; the columns of `gardez analyse --parquet`, without a judgement
    Parquet,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    args.output.check(&args.input.files)?;
    let mut games = Games::open(&args.input)?;
    let mut out = args.output.open()?;
    let mut number = 0_u64;
    let mut each = |write: &mut dyn FnMut(&PgnGame, u64) -> Result<()>| -> Result<()> {
        while games.next()?.is_some() {
            let Some(game) = games.tree() else { continue };
            number += 1;
            write(&game, number)?;
        }
        Ok(())
    };
    match args.to {
        Format::Epd => each(&mut |game, number| write_epd(&mut out, game, number, args.last))?,
        Format::Jsonl => each(&mut |game, number| Ok(writeln!(out, "{}", record(game, number))?))?,
        Format::Parquet => {
            let mut table = Writer::new(out)?;
            each(&mut |game, number| Ok(table.push(&GameRows::of_game(number, game))?))?;
            (out, _) = table.finish()?;
        }
    }
    out.finish(&games, &count(number, "game"))?;
    Ok(games.finish())
}

fn write_epd(out: &mut impl Write, game: &PgnGame, number: u64, last_only: bool) -> Result<()> {
    let mut position = game.start;
    let mut moves = game.moves();
    for ply in 0.. {
        let mv = moves.next();
        if mv.is_none() || !last_only {
            let mut epd = Epd::new(position);
            if let Some(mv) = mv {
                epd.operations.push(EpdOperation::new("sm", &[position.san(mv).as_str()]));
            }
            epd.operations.push(EpdOperation::new("id", &[&format!("game {number} ply {ply}")]));
            epd.operations.push(EpdOperation::new("c0", &[game.result().as_str()]));
            // In one piece, since it is printed letter by letter.
            out.write_all(format!("{epd}\n").as_bytes())?;
        }
        let Some(mv) = mv else { break };
        position.play(mv);
    }
    Ok(())
}

fn record(game: &PgnGame, number: u64) -> Value {
    let style = game.variant().castling_style();
    let mut position = game.start;
    let (mut san, mut uci) = (Vec::new(), Vec::new());
    for mv in game.moves() {
        san.push(position.san(mv).to_string());
        uci.push(position.to_uci(mv, style).to_string());
        position.play(mv);
    }
    let tags: serde_json::Map<String, Value> =
        game.tags.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let faults: Vec<String> = game.faults.iter().map(|fault| fault.kind.to_string()).collect();
    json!({
        "game": number,
        "tags": tags,
        "result": game.result().as_str(),
        "start": game.start.to_fen(),
        "san": san,
        "uci": uci,
        "last": position.to_fen(),
        "faults": faults,
    })
}
