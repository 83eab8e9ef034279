//! The evaluation in parts, as clients see it.

use crate::wire::{ExplainedGroup, ExplainedItem, ExplainedPiece, Explanation};
use chess::{Color, Position};
use std::cmp::Reverse;

/// The most reasons that are given.
const MAX_ITEMS: usize = 60;

/// Explains how a position is evaluated.
pub(crate) fn explain(position: &Position) -> Explanation {
    let explanation = eval::explain(position).in_centipawns(engine::wdl::centipawns);
    let mut items: Vec<_> = explanation.items.iter().filter(|item| item.value.here != 0).collect();
    items.sort_by_key(|item| Reverse(item.value.here.abs()));
    items.truncate(MAX_ITEMS);
    let [white, black] = [Color::White, Color::Black].map(Color::index);
    Explanation {
        total: explanation.white_view,
        phase: f64::from(explanation.phase) / f64::from(eval::FULL_PHASE),
        groups: explanation
            .groups
            .iter()
            .map(|score| ExplainedGroup {
                name: score.group.name(),
                white: score.sides[white].here,
                black: score.sides[black].here,
            })
            .collect(),
        items: items
            .into_iter()
            .map(|item| ExplainedItem {
                color: item.color.into(),
                group: item.term.group().name(),
                text: item.to_string(),
                value: item.value.here,
                squares: item.squares.into_iter().map(|square| square.to_string()).collect(),
            })
            .collect(),
        pieces: explanation
            .pieces
            .iter()
            .map(|piece| ExplainedPiece {
                square: piece.square.to_string(),
                piece: piece.piece.to_char().to_string(),
                value: piece.value,
            })
            .collect(),
        sentences: vec![explanation.in_words()],
    }
}
