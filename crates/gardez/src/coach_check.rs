//! `gardez coach-check`: the coach's motifs against people's labels.

use anyhow::{Context, bail};
use chess::{Move, Position};
use coach::{Coach, Line};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare the motifs that the coach sees with the themes of labelled puzzles
///
/// The file has a line for each puzzle, after a heading: PuzzleId,FEN,Moves,Rating,Themes, as in the puzzle database of
/// Lichess. The first move is the opponent's, the solution begins with the second. For each theme the command prints
/// how often coach and label agree, how often only the coach sees it, and how often only the label has it. Themes that say
/// who played, such as `master`, are left out.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file of puzzles
    file: PathBuf,
    /// Print the puzzles where coach and label differ about this theme, or about any with `all`
    #[arg(long, value_name = "THEME|all")]
    show: Option<String>,
    /// Nodes to find out how much a solution wins
    #[arg(long, value_name = "N", default_value = "300000")]
    nodes: u64,
}

/// Themes that are about who played the game, not about chess.
const ABOUT_PLAYERS: [&str; 3] = ["master", "masterVsMaster", "superGM"];

/// How coach and labels agree about a theme.
#[derive(Copy, Clone, Default)]
struct Agreement {
    both: u32,
    coach_alone: u32,
    label_alone: u32,
}

impl Agreement {
    fn ratio(part: u32, rest: u32) -> f64 {
        if part + rest == 0 { 1.0 } else { f64::from(part) / f64::from(part + rest) }
    }

    fn precision(self) -> f64 {
        Self::ratio(self.both, self.coach_alone)
    }

    fn recall(self) -> f64 {
        Self::ratio(self.both, self.label_alone)
    }
}

struct Puzzle {
    id: String,
    lead_in: String,
    line: Line,
    labels: BTreeSet<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let path = args.file.display();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {path}"))?;
    let mut coach = Coach::new(args.nodes)?;
    let mut agreements: BTreeMap<String, Agreement> = BTreeMap::new();
    let mut out = io::stdout().lock();
    let mut puzzles = 0;
    for (index, row) in text.lines().enumerate().skip(1).filter(|(_, row)| !row.trim().is_empty()) {
        let puzzle = read(row).with_context(|| format!("{path}, line {}", index + 1))?;
        puzzles += 1;
        let found = coach.themes(&puzzle.line)?;
        let all = puzzle.labels.iter().map(String::as_str).chain(found.iter().copied());
        for theme in all.collect::<BTreeSet<_>>() {
            let (seen, labelled) = (found.contains(theme), puzzle.labels.contains(theme));
            let agreement = agreements.entry(theme.to_owned()).or_default();
            match (seen, labelled) {
                (true, true) => agreement.both += 1,
                (true, false) => agreement.coach_alone += 1,
                _ => agreement.label_alone += 1,
            }
            let is_wanted = args.show.as_deref().is_some_and(|wanted| wanted == theme || wanted == "all");
            if is_wanted && seen != labelled {
                show(&mut out, theme, &puzzle, seen)?;
            }
        }
    }
    print(&mut out, puzzles, &agreements)?;
    Ok(ExitCode::SUCCESS)
}

fn read(row: &str) -> anyhow::Result<Puzzle> {
    let fields: Vec<&str> = row.split(',').collect();
    let [id, fen, moves, _, labels] = fields[..] else {
        bail!("expected PuzzleId,FEN,Moves,Rating,Themes");
    };
    let before: Position = fen.parse()?;
    let mut position = before;
    let mut played: Vec<Move> = Vec::new();
    for word in moves.split_whitespace() {
        let mv = position.parse_uci(word)?;
        played.push(mv);
        position.play(mv);
    }
    let [first, solution @ ..] = &played[..] else { bail!("there are no moves") };
    let line = Line::new(before.after(*first), solution.iter().copied()).with_lead_in(before, *first);
    let lead_in = before.san(*first).to_string();
    Ok(Puzzle {
        id: id.to_owned(),
        lead_in,
        line,
        labels: labels
            .split_whitespace()
            .filter(|theme| !ABOUT_PLAYERS.contains(theme))
            .map(str::to_owned)
            .collect(),
    })
}

fn show(out: &mut impl Write, theme: &str, puzzle: &Puzzle, seen: bool) -> io::Result<()> {
    let who = if seen { "coach only" } else { "label only" };
    let line = coach::notation::san_line(puzzle.line.start(), puzzle.line.moves());
    let labels: Vec<&str> = puzzle.labels.iter().map(String::as_str).collect();
    let fen = puzzle.line.start().to_fen();
    let (id, lead_in, labels) = (&puzzle.id, &puzzle.lead_in, labels.join(" "));
    writeln!(out, "{theme}  {who}  {id}  {fen}  after {lead_in}: {line}  [{labels}]")
}

fn print(out: &mut impl Write, puzzles: usize, agreements: &BTreeMap<String, Agreement>) -> io::Result<()> {
    writeln!(out, "{puzzles} puzzles\n")?;
    writeln!(
        out,
        "{:20} {:>6} {:>6} {:>6} {:>10} {:>7}",
        "theme", "both", "coach", "label", "precision", "recall"
    )?;
    for (theme, agreement) in agreements {
        let Agreement { both, coach_alone, label_alone } = agreement;
        let (precision, recall) = (agreement.precision(), agreement.recall());
        writeln!(
            out,
            "{theme:20} {both:>6} {coach_alone:>6} {label_alone:>6} {precision:>10.2} {recall:>7.2}"
        )?;
    }
    Ok(())
}
