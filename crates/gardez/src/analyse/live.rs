//! The best lines of one position, as the engine finds them.

use super::Args;
use crate::interrupt;
use anyhow::bail;
use chess::{Color, Game};
use engine::{Bound, Engine, Event, Limits, Line, Usage};
use review::notation::{coordinate_line, san_line, show_score};
use review::record::LineRecord;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Lower and upper bounds are only of interest when nothing better comes for so long.
const LONG_SEARCH: Duration = Duration::from_secs(3);

pub(super) fn run(args: &Args, game: &Game) -> anyhow::Result<ExitCode> {
    if args.json.as_deref().is_some_and(|path| path != Path::new("-")) {
        bail!("--json for a position prints to standard output and takes no file");
    }
    let mut engine = Engine::new();
    engine.configure(|settings| settings.analyse_mode = true)?;
    for (name, value) in args.options() {
        engine.set_option(&name, &value)?;
    }
    let stop = interrupt::stop_token()?;
    let view = View { game, args };
    let limits = Limits {
        nodes: args.nodes,
        depth: args.depth,
        move_time: args.live.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    let mut out = io::stdout().lock();
    let mut shown = Vec::new();
    let mut written = Ok(());
    let outcome = engine.search(game, limits.until(&stop), |event| {
        if written.is_ok() {
            written = view.follow(&mut out, event, &mut shown);
        }
        if written.is_err() {
            // Nothing that is found can be shown any more.
            stop.stop();
        }
    })?;
    written?;
    if shown != outcome.lines {
        view.show(&mut out, &outcome.lines, outcome.usage)?;
    }
    let best = outcome.lines.first().map(|line| &line.moves[..]);
    view.conclude(&mut out, best.unwrap_or_default(), outcome.usage)?;
    Ok(ExitCode::SUCCESS)
}

/// How lines are shown.
struct View<'a> {
    game: &'a Game,
    args: &'a Args,
}

impl View<'_> {
    /// Shows what the search reports, and keeps the lines that were shown last.
    fn follow(&self, out: &mut impl Write, event: Event, shown: &mut Vec<Line>) -> io::Result<()> {
        match event {
            Event::Lines(lines, usage) => {
                let is_bound = lines.iter().any(|line| line.bound != Bound::Exact);
                if !is_bound || usage.time >= LONG_SEARCH {
                    self.show(out, &lines, usage)?;
                    *shown = lines;
                }
                Ok(())
            }
            Event::Note(note) => writeln!(io::stderr(), "{note}"),
            Event::CurrentMove { .. } | Event::Finished(_) | Event::Failed(_) => Ok(()),
        }
    }

    fn show(&self, out: &mut impl Write, lines: &[Line], usage: Usage) -> io::Result<()> {
        if self.args.json.is_some() {
            let lines: Vec<Value> = lines.iter().map(|line| self.line_as_json(line)).collect();
            writeln!(out, "{}", json!({ "lines": lines, "usage": usage_as_json(usage) }))?;
        } else {
            for line in lines {
                if lines.len() > 1 {
                    write!(out, "{:>2}. ", line.rank)?;
                }
                self.show_line(out, line, usage)?;
            }
        }
        out.flush()
    }

    fn show_line(&self, out: &mut impl Write, line: &Line, usage: Usage) -> io::Result<()> {
        let turn = self.game.position().turn();
        let bound = match (line.bound, turn) {
            (Bound::Exact, _) => "",
            (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "≥",
            (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "≤",
        };
        let score = format!("{bound}{}", show_score(line.score.for_white(turn)));
        let [win, draw, loss] = self.chances(line).map(|chance| f64::from(chance) / 10.0);
        writeln!(
            out,
            "depth {:>2}/{:<2}  {score:>7}  {win:>3.0}/{draw:>3.0}/{loss:>3.0} %  {:>9} nodes  {:>7} n/s  \
             {:>6.2} s  {}",
            line.depth,
            line.selective_depth,
            usage.nodes,
            usage.nodes_per_second(),
            usage.time.as_secs_f64(),
            self.moves(&line.moves)
        )
    }

    /// White wins, draw, Black wins, in thousandths.
    fn chances(&self, line: &Line) -> [u32; 3] {
        let chances = line.score.chances();
        match self.game.position().turn() {
            Color::White => [chances.win, chances.draw, chances.loss],
            Color::Black => [chances.loss, chances.draw, chances.win],
        }
    }

    fn moves(&self, moves: &[chess::Move]) -> String {
        let position = self.game.position();
        if self.args.live.coordinates {
            coordinate_line(position, moves, self.game.variant()).join(" ")
        } else {
            san_line(position, moves)
        }
    }

    fn line_as_json(&self, line: &Line) -> Value {
        let position = self.game.position();
        let score = line.score.for_white(position.turn());
        json!({
            "rank": line.rank,
            "depth": line.depth,
            "selective_depth": line.selective_depth,
            "score": score_as_json(score),
            "bound": match line.bound {
                Bound::Exact => Value::Null,
                Bound::Lower => "lower".into(),
                Bound::Upper => "upper".into(),
            },
            "wdl": self.chances(line),
            "moves": LineRecord::new(position, &line.moves, self.game.variant()),
        })
    }

    /// The last word: the move to play, or how the game has ended.
    fn conclude(&self, out: &mut impl Write, best: &[chess::Move], usage: Usage) -> io::Result<()> {
        let first = &best[..best.len().min(1)];
        if self.args.json.is_some() {
            let best = LineRecord::new(self.game.position(), first, self.game.variant());
            return writeln!(out, "{}", json!({ "best": best, "usage": usage_as_json(usage) }));
        }
        match (first, self.game.outcome()) {
            ([], Some(outcome)) => writeln!(out, "{outcome}"),
            ([], None) => Ok(()),
            _ => writeln!(out, "best {}", self.moves(first)),
        }
    }
}

fn score_as_json(score: chess::pgn::EvalScore) -> Value {
    match score {
        chess::pgn::EvalScore::Centipawns(value) => json!({ "centipawns": value }),
        chess::pgn::EvalScore::Mate(moves) => json!({ "mate": moves }),
    }
}

fn usage_as_json(usage: Usage) -> Value {
    json!({
        "nodes": usage.nodes,
        "seconds": usage.time.as_secs_f64(),
        "nodes_per_second": usage.nodes_per_second(),
        "hash_full": usage.hash_full,
        "tablebase_hits": usage.tablebase_hits,
    })
}
