//! PGN games as trees.

use crate::notation::WrittenMove;
use crate::pgn::Fault;
use crate::wire;
use chess::pgn::{Comment, Line, PgnGame};
use chess::{Position, Variant};
use std::time::Duration;

/// What is wrong with a game.
pub(crate) fn import_error(fault: Fault) -> wire::ImportError {
    let Fault { game, line, column, message } = fault;
    wire::ImportError { game, line, column, message }
}

/// A game as a tree.
pub(crate) fn tree(game: &PgnGame) -> wire::Tree {
    let variant = game.variant();
    wire::Tree {
        tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        start: game.start.to_fen(),
        variant: variant.into(),
        comment: comment_text(&game.line.comments),
        line: line(&game.line, &game.start, variant),
    }
}

fn comment_text(comments: &[Comment]) -> Option<String> {
    let texts: Vec<&str> =
        comments.iter().map(|comment| comment.text.as_str()).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// The moves of a line; a passed one ends it, because the page knows no such thing.
fn line(line: &Line, start: &Position, variant: Variant) -> Vec<wire::TreeMove> {
    let mut position = *start;
    let mut moves = Vec::new();
    for node in &line.moves {
        let Some(mv) = node.mv else { break };
        let find = |pick: fn(&Comment) -> Option<Duration>| node.comments.iter().find_map(pick);
        moves.push(wire::TreeMove {
            mv: WrittenMove::new(&position, mv, variant).into(),
            // A comment before the first move of a variation belongs to that move, for the page.
            comment: comment_text(&node.comments),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            score: node.comments.iter().find_map(|comment| comment.eval).map(|eval| eval.score.into()),
            clock: find(|comment| comment.clock).map(|clock| clock.as_millis() as u64),
            variations: node
                .variations
                .iter()
                .map(|variation| self::line(variation, &position, variant))
                .filter(|variation| !variation.is_empty())
                .collect(),
        });
        position.play(mv);
    }
    moves
}
