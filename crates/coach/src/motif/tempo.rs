//! What the order and calm of moves is about: intermezzo, quiet and defensive moves.

use super::{Finding, Motif};
use crate::facts::attackers;
use crate::line::{Line, Step};
use chess::{Bitboard, Role};

/// The hero takes something that could be taken a move earlier, after putting in a move that had to be answered.
pub(super) fn intermezzo(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        step.captured()?;
        let reply = line.previous(step)?;
        let between = line.previous(reply)?;
        let cause = line.previous(between)?;
        let target = step.to();
        let could_before = attackers(between.before, target, step.mover()).has(step.from())
            && between.before.is_legal(step.mv);
        (could_before
            && cause.to() == target
            && cause.captured().is_some()
            && between.to() != target
            && reply.to() != target
            && !attackers(between.before, between.to(), !step.mover()).has(target))
        .then(|| Finding::new(Motif::Intermezzo, between.index, between.to(), Bitboard::from(target)))
    })
}

/// A move before the last that neither checks nor takes nor attacks anything, and yet the line wins.
pub(super) fn quiet_move(line: &Line) -> Option<Finding> {
    line.hero_steps()
        .filter(|&step| !line.is_last(step))
        .find(|&step| is_calm(step) && step.piece().role() != Role::King && !step.before.is_check())
        .map(|step| Finding::new(Motif::QuietMove, step.index, step.to(), Bitboard::EMPTY))
}

/// The right way out of check, or a calm move at the end of the line; chosen among several moves in either case.
pub(super) fn defensive_move(line: &Line) -> Option<Finding> {
    let had_a_choice = |step: &Step<'_>| step.before.count_legal_moves() >= 3;
    let is_calm_so_far =
        |step: &Step<'_>| step.captured().is_none() && !step.gives_check() && had_a_choice(step);
    let escape = line.hero_steps().take_while(is_calm_so_far).find(|step| step.before.is_check());
    let last = || line.hero_steps().next_back().filter(|&step| is_calm(step) && had_a_choice(&step));
    let step = escape.or_else(last)?;
    Some(Finding::new(Motif::DefensiveMove, step.index, step.to(), Bitboard::EMPTY))
}

/// Whether a move neither checks nor takes nor attacks anything, and pushes no pawn far.
fn is_calm(step: Step<'_>) -> bool {
    let piece = step.piece();
    let far_pawn = piece.role() == Role::Pawn && step.to().relative_to(step.mover()).rank().index() >= 5;
    let attacks_something = step.attacks().intersects(step.after.side(!step.mover()));
    step.captured().is_none()
        && !step.gives_check()
        && !step.mv.is_promotion()
        && !far_pawn
        && !attacks_something
}
