//! The coach's words and the evaluation's parts, as clients see them.

use super::{line_moves, move_name};
use crate::coaching::Explained;
use crate::wire::{ExplainedMove, Explanation, PieceValue, Remark, RemarkLine, TermGroup, TermItem, Terms};
use chess::{Bitboard, Color, Move, Position, Variant};
use coach::claim::Variation;
use coach::{Catalogue, Claim, Fact, MoveExplanation, Occasion};
use std::cmp::Reverse;
use std::sync::LazyLock;

/// The most terms that are given.
const MAX_ITEMS: usize = 60;

/// The words of all answers.
static ENGLISH: LazyLock<Catalogue> = LazyLock::new(Catalogue::english);

/// Claims in words.
pub(crate) fn remarks(claims: &[Claim], variant: Variant) -> Vec<Remark> {
    claims.iter().map(|claim| remark(claim, variant)).collect()
}

/// A claim in words.
pub(crate) fn remark(claim: &Claim, variant: Variant) -> Remark {
    let line = |Variation { start, moves }: &Variation| RemarkLine {
        fen: start.to_fen(),
        moves: line_moves(start, moves, variant),
    };
    Remark {
        text: ENGLISH.sentence(claim),
        squares: squares(claim).into_iter().map(|square| square.to_string()).collect(),
        line: claim.variation().filter(|variation| !variation.moves.is_empty()).map(line),
        claim: serde_json::to_value(claim).unwrap_or_default(),
    }
}

/// The squares of the position at hand that a claim is about. What a line leads to is seen by playing it.
fn squares(claim: &Claim) -> Bitboard {
    match (&claim.fact, claim.occasion) {
        (Fact::Feature { squares, .. }, Occasion::Position) => *squares,
        (Fact::LookAt { man }, _) | (Fact::Develops { man }, Occasion::Played) => man.square.bitboard(),
        _ => Bitboard::EMPTY,
    }
}

/// Why a move, played in a position, was good or bad.
pub(crate) fn explained_move(
    before: &Position,
    mv: Move,
    explanation: &MoveExplanation,
    variant: Variant,
) -> ExplainedMove {
    let name = move_name(before, mv, variant);
    let judgement = explanation.judgement;
    ExplainedMove {
        verdict: ENGLISH.judged(&name.san, judgement),
        uci: name.uci,
        san: name.san,
        judgement: judgement.map(Into::into),
        remarks: remarks(&explanation.claims, variant),
    }
}

/// Why a position is as it is.
pub(crate) fn explanation(position: &Position, explained: Explained) -> Explanation {
    let Explained { last_move, position: remarks, threat } = explained;
    Explanation { last_move, position: remarks, threat, terms: terms(position) }
}

/// How a position is evaluated without a search.
fn terms(position: &Position) -> Terms {
    let explanation = eval::explain(position).in_centipawns(engine::wdl::centipawns);
    let mut items: Vec<_> = explanation.items.iter().filter(|item| item.value.here != 0).collect();
    items.sort_by_key(|item| Reverse(item.value.here.abs()));
    items.truncate(MAX_ITEMS);
    let [white, black] = [Color::White, Color::Black].map(Color::index);
    Terms {
        total: explanation.white_view,
        phase: f64::from(explanation.phase) / f64::from(eval::FULL_PHASE),
        groups: explanation
            .groups
            .iter()
            .map(|score| TermGroup {
                name: score.group.name(),
                white: score.sides[white].here,
                black: score.sides[black].here,
            })
            .collect(),
        items: items
            .into_iter()
            .map(|item| TermItem {
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
            .map(|piece| PieceValue {
                square: piece.square.to_string(),
                piece: piece.piece.to_char().to_string(),
                value: piece.value,
            })
            .collect(),
    }
}
