//! What sliders do along their lines: pins, skewers, discovered attacks, x-rays.

use super::{Finding, Motif};
use crate::facts::{Pin, attackers, attacks_from, is_in_bad_spot, is_slider, is_undefended, pins, value};
use crate::line::{Line, Step};
use chess::{Bitboard, Role, Square, attacks};

/// After a move of the hero, a piece pinned to its king cannot do what it would: take, or run away.
pub(super) fn pin(line: &Line) -> Option<Finding> {
    hampering_pin(line, |pin| pin.is_absolute)
        .map(|(step, pin)| Finding::new(Motif::Pin, step, pin.by, pin.pinned.bitboard()))
}

/// The same for a piece that could move, at the cost of the more valuable one behind it.
pub(super) fn relative_pin(line: &Line) -> Option<Finding> {
    hampering_pin(line, |pin| !pin.is_absolute).map(|(step, pin)| {
        Finding::new(Motif::RelativePin, step, pin.by, pin.pinned.bitboard() | pin.target.bitboard())
    })
}

fn hampering_pin(line: &Line, is_wanted: impl Fn(&Pin) -> bool) -> Option<(usize, Pin)> {
    line.hero_steps().find_map(|step| {
        pins(step.after, !step.mover())
            .into_iter()
            .filter(&is_wanted)
            .find(|pin| {
                prevents_attack(step, pin.pinned, pin.by) || prevents_escape(step, pin.pinned, pin.by)
            })
            .map(|pin| (step.index, pin))
    })
}

/// Whether a pinned piece attacks something it would be good to take.
fn prevents_attack(step: Step<'_>, pinned: Square, by: Square) -> bool {
    let after = step.after;
    let Some(piece) = after.piece_on(pinned) else { return false };
    let off_the_line = attacks_from(after, pinned) & after.side(step.mover()) & !attacks::line(by, pinned);
    off_the_line.into_iter().any(|square| {
        let target = after.piece_on(square).map_or(0, |target| value(target.role()));
        target > value(piece.role()) || is_undefended(after, square)
    })
}

/// Whether a pinned piece is attacked along the line and would like to leave it.
fn prevents_escape(step: Step<'_>, pinned: Square, by: Square) -> bool {
    let after = step.after;
    let (Some(piece), Some(pinner)) = (after.piece_on(pinned), after.piece_on(by)) else { return false };
    if !attackers(after, pinned, step.mover()).has(by) {
        return false;
    }
    if value(piece.role()) > value(pinner.role()) {
        return true;
    }
    let can_take = attacks_from(after, pinned).has(by);
    is_undefended(after, pinned) && !can_take
}

/// A slider takes what stood behind a more valuable piece that had to move away.
pub(super) fn skewer(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        let captured = step.captured()?;
        let reply = line.previous(step)?;
        if !is_slider(step.piece().role()) || step.mv.is_promotion() || step.after.is_checkmate() {
            return None;
        }
        let way = attacks::between(step.from(), step.to());
        let fled = reply.piece();
        let was_in_front = way.has(reply.from()) && reply.to() != step.to();
        let attacked = attackers(reply.before, reply.from(), step.mover()).has(step.from());
        (was_in_front
            && attacked
            && value(fled.role()) > value(captured.role())
            && is_in_bad_spot(step.before, step.to()))
        .then(|| {
            Finding::new(
                Motif::Skewer,
                step.index - 2,
                step.from(),
                reply.from().bitboard() | step.to().bitboard(),
            )
        })
    })
}

/// A slider takes along a line that the hero's move before it opened.
pub(super) fn discovered_attack(line: &Line) -> Option<Finding> {
    discovered_check(line)
        .or_else(|| {
            line.hero_steps().skip(1).find_map(|step| {
                let reply = line.previous(step)?;
                let opened = line.previous(reply)?;
                step.captured()?;
                let way = attacks::between(step.from(), step.to());
                (way.has(opened.from())
                    && reply.to() != step.to()
                    && opened.to() != step.from()
                    && !opened.mv.is_castling())
                .then(|| {
                    Finding::new(Motif::DiscoveredAttack, opened.index, step.from(), step.to().bitboard())
                })
            })
        })
        .map(|finding| Finding { motif: Motif::DiscoveredAttack, ..finding })
}

/// A piece other than the one that moved gives check.
pub(super) fn discovered_check(line: &Line) -> Option<Finding> {
    line.hero_steps().find_map(|step| {
        let by = (step.after.checkers() & !step.to().bitboard()).first()?;
        (!step.mv.is_castling() && !step.mv.is_en_passant()).then(|| {
            let king = step.after.king(!step.mover()).bitboard();
            Finding::new(Motif::DiscoveredCheck, step.index, by, king)
        })
    })
}

/// Two pieces give check at once.
pub(super) fn double_check(line: &Line) -> Option<Finding> {
    line.hero_steps().find(|step| step.after.checkers().more_than_one()).map(|step| {
        let king = step.after.king(!step.mover()).bitboard();
        Finding::new(Motif::DoubleCheck, step.index, step.to(), king)
    })
}

/// A slider takes back through an enemy piece that stood in its line.
pub(super) fn x_ray(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        step.captured()?;
        let reply = line.previous(step)?;
        let first = line.previous(reply)?;
        let same_square = reply.to() == step.to() && first.to() == step.to();
        (same_square
            && is_slider(step.piece().role())
            && reply.piece().role() != Role::King
            && attacks::between(step.from(), step.to()).has(reply.from()))
        .then(|| Finding::new(Motif::XRay, step.index, step.from(), Bitboard::from(step.to())))
    })
}
