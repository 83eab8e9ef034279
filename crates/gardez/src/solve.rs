//! `gardez solve`: puzzles in the terminal, those that were missed again and again.

use crate::numbers::{self, count};
use crate::output;
use anyhow::{Context, Result};
use chess::{Color, Move, Position, Role};
use coach::notation::san_line;
use puzzles::csv::{Columns, Row};
use puzzles::training::Deck;
use repetition::{DAY, Grade};
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// Solve puzzles; those you missed come again
///
/// The file is one of `gardez puzzles`, or Lichess's puzzle database. A session has the puzzles that are due again, and new ones
/// of about your strength; it ends with a summary. When a puzzle comes again is decided by FSRS, from how well you
/// solved it. A move is typed as Nf3 or g1f3; `hint`, `show` and `quit` are understood too.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A CSV file of puzzles
    file: PathBuf,
    /// Puzzles of this session
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::at_least(1_usize))]
    count: usize,
    /// Only puzzles about this theme, such as fork or mateIn2
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
    /// Where to keep your progress [default: next to the puzzles, with the ending .deck]
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
}

/// How the session went.
#[derive(Default)]
struct Summary {
    tried: u64,
    solved: u64,
    with_hint: u64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let path = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {path}"))?;
    let mut lines = text.lines();
    let columns = Columns::read(lines.next().unwrap_or_default()).with_context(|| format!("{path}"))?;
    let deck_path = match &args.deck {
        Some(path) => path.clone(),
        None => output::with_ending(&args.file, ".deck")?,
    };
    let mut deck = read_deck(&deck_path)?;
    let before = deck.rating;
    let choice = deck
        .choose(&columns, lines, args.theme.as_deref(), args.count, now())
        .with_context(|| format!("{path} has a line that is no puzzle"))?;
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    let mut summary = Summary::default();
    for (index, row) in choice.rows.iter().enumerate() {
        let rating = row.rating.map(|rating| format!(", rated {rating}")).unwrap_or_default();
        let again = if index < choice.due { ", seen before" } else { "" };
        writeln!(out, "\nPuzzle {} of {}{rating}{again}", index + 1, choice.rows.len())?;
        let Some(grade) = solve(row, &mut input, &mut out)? else { break };
        summary.tried += 1;
        summary.solved += u64::from(grade != Grade::Again);
        summary.with_hint += u64::from(grade == Grade::Hard);
        let now = now();
        let next = deck.record(row, grade, now).due - now;
        writeln!(out, "It comes again in {}.", span(next))?;
        // After every puzzle, so that nothing is lost whatever happens.
        output::replace(&deck_path, serde_json::to_string(&deck)?.as_bytes())?;
    }
    print_summary(&mut out, &summary, before, &deck, choice.left)?;
    Ok(ExitCode::SUCCESS)
}

fn print_summary(
    out: &mut impl Write,
    summary: &Summary,
    before: f64,
    deck: &Deck,
    left: usize,
) -> Result<()> {
    if summary.tried == 0 {
        let next = deck.next_due(now()).map(|due| format!("; the next is due in {}", span(due - now())));
        writeln!(out, "\nNo puzzle was solved{}.", next.unwrap_or_default())?;
        return Ok(());
    }
    let hints = match summary.with_hint {
        0 => String::new(),
        hints => format!(", {hints} of them with a hint"),
    };
    writeln!(out, "\n{} of {} solved{hints}.", summary.solved, count(summary.tried, "puzzle"))?;
    writeln!(out, "Your rating: {before:.0} before, {:.0} now.", deck.rating)?;
    if left > 0 {
        writeln!(out, "{} more waiting to be seen again.", count(left as u64, "puzzle"))?;
    }
    Ok(())
}

fn read_deck(path: &Path) -> Result<Deck> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is damaged; remove it to begin again", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Deck::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

fn span(seconds: i64) -> String {
    match seconds.max(60) as u64 {
        seconds if seconds < 3_600 => count(seconds / 60, "minute"),
        seconds if seconds < DAY as u64 => count(seconds / 3_600, "hour"),
        seconds => count(seconds / DAY as u64, "day"),
    }
}

/// Shows a puzzle and reads moves until it is solved or given up; nothing if the session is to end.
fn solve(row: &Row, input: &mut impl BufRead, out: &mut impl Write) -> Result<Option<Grade>> {
    let line = &row.line;
    let solver = line.hero();
    if let Some(mistake) = line.lead_in() {
        writeln!(out, "{} has played {}", name(!solver), san_line(mistake.before, &[mistake.mv]))?;
    }
    write!(out, "{}", terminal::board_text(line.start(), solver, line.lead_in().map(|step| step.mv)))?;
    writeln!(out, "{} to move", name(solver))?;
    let mut grade = Grade::Good;
    let mut index = 0;
    while let Some(step) = line.step(index) {
        if index % 2 == 1 {
            writeln!(out, "{} answers {}", name(!solver), san_line(step.before, &[step.mv]))?;
            write!(out, "{}", terminal::board_text(step.after, solver, Some(step.mv)))?;
            index += 1;
            continue;
        }
        write!(out, "> ")?;
        out.flush()?;
        let mut typed = String::new();
        if input.read_line(&mut typed)? == 0 {
            return Ok(None);
        }
        match typed.trim() {
            "" => {}
            "quit" | "q" => return Ok(None),
            "show" => {
                writeln!(out, "The solution: {}", san_line(step.before, &line.moves()[index..]))?;
                return Ok(Some(Grade::Again));
            }
            "hint" => {
                if grade == Grade::Good {
                    grade = Grade::Hard;
                }
                writeln!(out, "Look at the {} on {}.", piece(step.before, step.mv), step.mv.from())?;
            }
            typed => match read_move(step.before, typed) {
                Err(reason) => writeln!(out, "{typed}: {reason}")?,
                // Of several mates each is right.
                Ok(mv) if mv == step.mv || step.before.after(mv).is_checkmate() => {
                    index = if step.before.after(mv).is_checkmate() { line.moves().len() } else { index + 1 };
                }
                Ok(mv) => {
                    grade = Grade::Again;
                    let san = step.before.san(mv);
                    writeln!(out, "{san} is not the move. Try again, or type hint or show.")?;
                }
            },
        }
    }
    let word = if grade == Grade::Again { "Solved in the end" } else { "Solved" };
    writeln!(out, "{word}. Themes: {}", row.themes.join(", "))?;
    Ok(Some(grade))
}

/// SAN says more clearly what is wrong.
fn read_move(position: &Position, text: &str) -> Result<Move, chess::SanError> {
    position.parse_uci(text).or_else(|_| position.parse_san(text))
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn piece(position: &Position, mv: Move) -> &'static str {
    match position.piece_on(mv.from()).map(chess::Piece::role) {
        Some(Role::Pawn) => "pawn",
        Some(Role::Knight) => "knight",
        Some(Role::Bishop) => "bishop",
        Some(Role::Rook) => "rook",
        Some(Role::Queen) => "queen",
        Some(Role::King) | None => "king",
    }
}
