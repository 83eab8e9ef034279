//! `gardez think`: a classic thinks about a position, with the statistics its author printed.

use crate::{numbers, positions};
use anyhow::{Context, Result, anyhow};
use chess::{CastlingStyle, Game, Move};
use classics::{Choice, Counts, Source};
use engine::StopToken;
use players::{Answer, Limit, PlayerKind, PlayerSpec, Turn};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Let a classic think about a position
///
/// Prints its move and what its search did: nodes, table hits and cutoffs of each iteration, full-width and
/// quiescence, and the time.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The classic, such as piglet, chessbin:hard or javachess:mtdf:book=FILE
    #[arg(value_name = "CLASSIC", value_parser = read_classic)]
    classic: PlayerSpec,
    /// Position as FEN or `startpos`, with moves behind it if you like: `startpos moves e4 e5`
    #[arg(value_name = "FEN", default_value = "startpos")]
    game: String,
    /// Plies at most, if fewer than its own number
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u32))]
    depth: Option<u32>,
    /// Nodes at most
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64))]
    nodes: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A classic as the command line names it.
pub(crate) fn read_classic(text: &str) -> Result<PlayerSpec> {
    let spec: PlayerSpec = text.parse()?;
    match spec.kind {
        PlayerKind::Classic(_) => Ok(spec),
        _ => Err(anyhow!("{text} is no classic")),
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = positions::read_game(&args.game)?;
    let mut player = args.classic.start(Duration::MAX, StopToken::new()).map_err(|(failure, _)| failure)?;
    let own = args.classic.limit.unwrap_or_default();
    let limit = Limit { depth: args.depth.or(own.depth), nodes: args.nodes.or(own.nodes), ..own };
    player.new_game(game.variant())?;
    let turn = Turn { game: &game, limit, clocks: [None; 2], patience: Duration::MAX };
    let Answer { classic, elapsed, .. } = player.choose(&turn)?;
    let choice = classic.context("it keeps no statistics")?;
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &record(player.name(), &game, &choice, elapsed))?;
        writeln!(out)?;
    } else {
        write!(out, "{}: {}", player.name(), choice.table(game.position(), elapsed))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn record(name: &str, game: &Game, choice: &Choice, time: Duration) -> Json {
    let uci = |mv: Move| game.position().to_uci(mv, CastlingStyle::Standard).to_string();
    let counts = |counts: Counts| {
        json!({
            "nodes": counts.nodes,
            "tableHits": counts.table_hits,
            "recurring": counts.recurring,
            "cutoffs": counts.cutoffs,
            "deepest": counts.deepest,
        })
    };
    let iterations = choice.iterations.iter().map(|iteration| {
        json!({
            "depth": iteration.depth,
            "best": iteration.best.map(uci),
            "score": iteration.score,
            "regular": counts(iteration.statistics.regular),
            "quiescence": counts(iteration.statistics.quiescence),
        })
    });
    json!({
        "classic": name,
        "fen": game.position().to_fen(),
        "move": choice.mv().map(uci),
        "resigns": choice.mv().is_none(),
        "source": match choice.source {
            Source::Book => "book",
            Source::Memory => "memory",
            Source::Search => "search",
        },
        "score": choice.score,
        "depth": choice.depth,
        "nodes": choice.nodes(),
        "milliseconds": u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        "iterations": iterations.collect::<Vec<_>>(),
    })
}
