//! `gardez explain --static`: the terms of the evaluation for a position as it stands.

use anyhow::{Context, Result};
use chess::{Color, Piece, Position, Role, Square};
use engine::wdl;
use eval::{Explanation, FULL_PHASE, FULL_SCALE, Status, Value};
use nnue::Network;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Prints the terms of the evaluation for a position, and what each piece contributes.
pub(super) fn print(
    out: &mut impl Write,
    position: &Position,
    network: Option<&Path>,
    as_json: bool,
) -> Result<()> {
    let explanation = eval::explain(position).in_centipawns(wdl::centipawns);
    let network = match network {
        Some(path) => Some(Arc::new(Network::open(path).with_context(|| path.display().to_string())?)),
        None => nnue::embedded(),
    };
    let second = network.map(|network| SecondOpinion::of(&network, position, &explanation));
    if as_json {
        writeln!(out, "{:#}", to_json(position, &explanation, second.as_ref()))?;
    } else {
        show(out, position, &explanation, second.as_ref())?;
    }
    Ok(())
}

/// What the network thinks, in centipawns. It gives no reasons, but it can be asked for the value of a piece.
struct SecondOpinion {
    white_view: i32,
    /// What of it is the network's own, if it corrects the handcrafted evaluation.
    correction: Option<i32>,
    /// What each piece but the kings contributes to its own side.
    pieces: Vec<(Piece, Square, i32)>,
}

impl SecondOpinion {
    fn of(network: &Network, position: &Position, explanation: &Explanation) -> Self {
        let white_view = |value: i32| if position.turn() == Color::White { value } else { -value };
        let own = white_view(network.evaluate(position));
        let value = |square| {
            let piece = position.piece_on(square).filter(|piece| piece.role() != Role::King)?;
            let lead = own - white_view(network.evaluate_without(position, square));
            let value = wdl::centipawns(if piece.color() == Color::White { lead } else { -lead });
            let corrected = explanation.pieces.iter().find(|corrected| corrected.square == square);
            let corrected = corrected.filter(|_| network.is_correction()).map_or(0, |piece| piece.value);
            Some((piece, square, corrected + value))
        };
        // Nothing is corrected in an ending that is known.
        let correction =
            network.is_correction().then(|| if explanation.is_known { 0 } else { wdl::centipawns(own) });
        Self {
            white_view: correction.map_or_else(|| wdl::centipawns(own), |own| explanation.white_view + own),
            correction,
            pieces: position.occupied().into_iter().filter_map(value).collect(),
        }
    }
}

fn show(
    out: &mut impl Write,
    position: &Position,
    explanation: &Explanation,
    second: Option<&SecondOpinion>,
) -> io::Result<()> {
    writeln!(out, "{}\n", position.to_fen())?;
    show_terms(out, explanation)?;
    show_pieces(out, explanation)?;
    if let Some(second) = second {
        writeln!(out, "The value of each piece to the network.")?;
        let pieces: Vec<_> =
            second.pieces.iter().map(|&(piece, square, value)| (piece, square, value, "")).collect();
        show_values(out, &pieces)?;
        writeln!(out)?;
    }
    let Explanation { phase, scale, white_view, turn, .. } = explanation;
    writeln!(out, "phase  {phase} of {FULL_PHASE}: {FULL_PHASE} with all pieces, 0 with none")?;
    writeln!(out, "scale  {scale} of {FULL_SCALE}: how much of an end-game advantage counts")?;
    if !matches!(explanation.status, Status::Checkmate | Status::Stalemate) {
        writeln!(out, "total  {white_view:+} centipawns for White; {turn} is to move")?;
        if let Some(second) = second {
            write!(out, "network {:+} centipawns for White", second.white_view)?;
            match second.correction {
                Some(own) => writeln!(out, ": it corrects the total by {own:+}")?,
                None => writeln!(out)?,
            }
        }
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
         Terms that count for neither side are left out.\n"
    )
}

fn show_row(out: &mut impl Write, name: &str, sides: [Value; 2]) -> io::Result<()> {
    write!(out, "{name:NAME$}")?;
    for value in sides {
        write!(out, "{:>7}{:>7}{:>7}", value.middle_game, value.end_game, value.here)?;
    }
    writeln!(out, "{:>+8}", sides[0].here - sides[1].here)
}

fn show_pieces(out: &mut impl Write, explanation: &Explanation) -> io::Result<()> {
    if explanation.pieces.is_empty() {
        return Ok(());
    }
    writeln!(out, "What each piece contributes: the evaluation with it, less that with it taken off.")?;
    let marked: Vec<_> = explanation
        .pieces
        .iter()
        .map(|piece| {
            let mark = if piece.illegal_without.is_some() { "*" } else { "" };
            (piece.piece, piece.square, piece.value, mark)
        })
        .collect();
    show_values(out, &marked)?;
    for value in &explanation.pieces {
        if let Some(reason) = &value.illegal_without {
            writeln!(out, "* without the {} on {}: {reason}", value.piece.role().name(), value.square)?;
        }
    }
    writeln!(out)
}

/// Shows the pieces of either side with their value and a mark, the most valuable first.
fn show_values(out: &mut impl Write, pieces: &[(Piece, Square, i32, &'static str)]) -> io::Result<()> {
    for color in Color::ALL {
        let mut pieces: Vec<_> = pieces.iter().filter(|(piece, ..)| piece.color() == color).collect();
        pieces.sort_by_key(|(_, _, value, _)| -value);
        let words: Vec<_> = pieces
            .into_iter()
            .map(|(piece, square, value, mark)| {
                format!("{}{square} {value}{mark}", piece.role().to_char().to_ascii_uppercase())
            })
            .collect();
        for (row, words) in words.chunks(8).enumerate() {
            let name = if row == 0 { color.to_string() } else { String::new() };
            writeln!(out, "{name:7}{}", words.join("  "))?;
        }
    }
    Ok(())
}

fn to_json(position: &Position, explanation: &Explanation, second: Option<&SecondOpinion>) -> Json {
    let value = |value: Value| {
        json!({
            "middle_game": value.middle_game, "end_game": value.end_game, "centipawns": value.here,
        })
    };
    let sides = |sides: [Value; 2]| json!({ "white": value(sides[0]), "black": value(sides[1]) });
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
            "value": value(item.value),
        })
    });
    let pieces = explanation.pieces.iter().map(|value| {
        json!({
            "color": value.piece.color().to_string(), "piece": value.piece.role().name(),
            "square": value.square.to_string(), "centipawns": value.value,
            "illegal_without": value.illegal_without.map(|reason| reason.to_string()),
        })
    });
    let network = second.map(|second| {
        let pieces = second.pieces.iter().map(|(piece, square, value)| {
            json!({
                "color": piece.color().to_string(), "piece": piece.role().name(),
                "square": square.to_string(), "centipawns": value,
            })
        });
        json!({ "centipawns_for_white": second.white_view, "correction": second.correction, "pieces": pieces.collect::<Vec<_>>() })
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
        "network": network,
        "words": explanation.in_words(),
    })
}
