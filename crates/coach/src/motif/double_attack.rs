//! Forks.

use super::{Finding, Motif};
use crate::facts::{attacks_from, is_in_bad_spot, is_undefended, value};
use crate::line::{Line, Step};
use chess::{Bitboard, Role};

/// A piece that is not simply taken attacks two pieces, each of more value than itself or undefended.
pub(super) fn fork(line: &Line) -> Option<Finding> {
    let steps = line.hero_steps().filter(|&step| !line.is_last(step));
    steps
        .filter_map(|step| {
            forked(step).map(|targets| Finding::new(Motif::Fork, step.index, step.to(), targets))
        })
        .next()
}

fn forked(step: Step<'_>) -> Option<Bitboard> {
    let (after, to, piece) = (step.after, step.to(), step.piece());
    if piece.role() == Role::King || is_in_bad_spot(after, to) {
        return None;
    }
    let targets: Bitboard = (step.attacks() & after.side(!step.mover()) & !after.role(Role::Pawn))
        .into_iter()
        .filter(|&square| {
            let target = after.piece_on(square).map_or(0, |target| value(target.role()));
            let can_take_back = attacks_from(after, square).has(to);
            target > value(piece.role()) || (is_undefended(after, square) && !can_take_back)
        })
        .collect();
    targets.more_than_one().then_some(targets)
}
