//! `gardez explain`: why a position is evaluated as it is, and the weights behind it.

use anyhow::Result;
use chess::{Color, FenError, Position};
use engine::wdl;
use eval::{Explanation, FULL_PHASE, FULL_SCALE, Status, Worth};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::process::ExitCode;

/// Explain what the evaluation thinks of a position
///
/// Shows each term for both sides, what each piece contributes, and in words the things that matter most. The
/// evaluation looks at the position as it stands; what a move would change is for the search to find.
#[derive(clap::Args)]
pub struct Args {
    /// Position as FEN, or `startpos`
    #[arg(required_unless_present = "weights", value_parser = read_position)]
    fen: Option<Position>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Print all weights of the evaluation as tables in Markdown
    #[arg(long, conflicts_with_all = ["fen", "json"])]
    weights: bool,
}

fn read_position(text: &str) -> Result<Position, FenError> {
    match text {
        "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen),
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    if let Some(position) = &args.fen {
        let explanation = eval::explain(position).in_centipawns(wdl::centipawns);
        if args.json {
            writeln!(out, "{:#}", to_json(position, &explanation))?;
        } else {
            show(&mut out, position, &explanation)?;
        }
    } else {
        write!(out, "{}", eval::weights_table(&eval::WEIGHTS.flatten()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut impl Write, position: &Position, explanation: &Explanation) -> io::Result<()> {
    writeln!(out, "{}\n", position.to_fen())?;
    show_terms(out, explanation)?;
    show_pieces(out, explanation)?;
    let Explanation { phase, scale, white_view, turn, .. } = explanation;
    writeln!(out, "phase  {phase} of {FULL_PHASE}: {FULL_PHASE} with all pieces, 0 with none")?;
    writeln!(out, "scale  {scale} of {FULL_SCALE}: how much of an end-game advantage counts")?;
    if !matches!(explanation.status, Status::Checkmate | Status::Stalemate) {
        writeln!(out, "total  {white_view:+} centipawns for White; {turn} is to move")?;
    }
    writeln!(out, "\n{}", explanation.in_words())
}

/// How wide the column of names is.
const NAME: usize = 34;

fn show_terms(out: &mut impl Write, explanation: &Explanation) -> io::Result<()> {
    if explanation.is_known {
        return writeln!(out, "This ending is known: its terms play no part.\n");
    }
    writeln!(out, "{:NAME$}{:^21}{:^21}", "in centipawns", "White", "Black")?;
    let columns = format!("{:>7}{:>7}{:>7}", "middle", "end", "here");
    writeln!(out, "{:NAME$}{columns}{columns}{:>8}", "", "lead")?;
    for score in &explanation.groups {
        let terms: Vec<_> =
            explanation.terms.iter().filter(|term| term.term.group() == score.group).collect();
        if terms.is_empty() {
            continue;
        }
        show_row(out, &score.group.name().to_uppercase(), score.sides)?;
        for term in terms.iter().filter(|_| terms.len() > 1) {
            show_row(out, &format!("  {}", term.term.name()), term.sides)?;
        }
    }
    writeln!(
        out,
        "Middle game, end game, and here in the proportion of the phase; lead: White's less Black's here.\n\
         Terms that count for nobody are left out.\n"
    )
}

fn show_row(out: &mut impl Write, name: &str, sides: [Worth; 2]) -> io::Result<()> {
    write!(out, "{name:NAME$}")?;
    for worth in sides {
        write!(out, "{:>7}{:>7}{:>7}", worth.middle_game, worth.end_game, worth.centipawns)?;
    }
    writeln!(out, "{:>+8}", sides[0].centipawns - sides[1].centipawns)
}

fn show_pieces(out: &mut impl Write, explanation: &Explanation) -> io::Result<()> {
    if explanation.pieces.is_empty() {
        return Ok(());
    }
    writeln!(out, "What each piece contributes: the evaluation with it, less that with it taken off.")?;
    for color in Color::ALL {
        let mut pieces: Vec<_> =
            explanation.pieces.iter().filter(|worth| worth.piece.color() == color).collect();
        pieces.sort_by_key(|worth| -worth.centipawns);
        let words: Vec<_> = pieces
            .iter()
            .map(|worth| {
                let mark = if worth.illegal_without.is_some() { "*" } else { "" };
                let letter = worth.piece.role().to_char().to_ascii_uppercase();
                format!("{letter}{} {}{mark}", worth.square, worth.centipawns)
            })
            .collect();
        for (row, words) in words.chunks(8).enumerate() {
            let name = if row == 0 { color.to_string() } else { String::new() };
            writeln!(out, "{name:7}{}", words.join("  "))?;
        }
    }
    for worth in &explanation.pieces {
        if let Some(reason) = &worth.illegal_without {
            writeln!(out, "* without the {} on {}: {reason}", worth.piece.role().name(), worth.square)?;
        }
    }
    writeln!(out)
}

fn to_json(position: &Position, explanation: &Explanation) -> Value {
    let worth = |worth: Worth| {
        json!({
            "middle_game": worth.middle_game, "end_game": worth.end_game, "centipawns": worth.centipawns,
        })
    };
    let sides = |sides: [Worth; 2]| json!({ "white": worth(sides[0]), "black": worth(sides[1]) });
    let groups = explanation.groups.iter().map(|score| {
        let terms = explanation.terms.iter().filter(|term| term.term.group() == score.group);
        let terms = terms.map(|score| json!({ "term": score.term.name(), "sides": sides(score.sides) }));
        json!({
            "group": score.group.name(), "sides": sides(score.sides), "terms": terms.collect::<Vec<_>>(),
        })
    });
    let reasons = explanation.items.iter().map(|item| {
        json!({
            "color": item.color.to_string(), "reason": item.to_string(), "term": item.term.name(),
            "index": item.index, "count": item.count,
            "squares": item.squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(),
            "worth": worth(item.worth),
        })
    });
    let pieces = explanation.pieces.iter().map(|worth| {
        json!({
            "color": worth.piece.color().to_string(), "piece": worth.piece.role().name(),
            "square": worth.square.to_string(), "centipawns": worth.centipawns,
            "illegal_without": worth.illegal_without.map(|reason| reason.to_string()),
        })
    });
    json!({
        "fen": position.to_fen(),
        "turn": explanation.turn.to_string(),
        "status": match explanation.status {
            Status::Quiet => "quiet",
            Status::Check => "check",
            Status::Checkmate => "checkmate",
            Status::Stalemate => "stalemate",
        },
        "centipawns_for_white": explanation.white_view,
        "phase": { "value": explanation.phase, "full": FULL_PHASE },
        "scale": { "value": explanation.scale, "full": FULL_SCALE },
        "is_known_ending": explanation.is_known,
        "groups": groups.collect::<Vec<_>>(),
        "reasons": reasons.collect::<Vec<_>>(),
        "pieces": pieces.collect::<Vec<_>>(),
        "words": explanation.in_words(),
    })
}
