//! Pieces drawn away or drawn near, lines closed and opened.

use super::{Finding, Motif};
use crate::facts::{attackers, attacks_from, attacks_over, is_in_bad_spot, is_slider, is_undefended, value};
use crate::line::{Line, Step};
use chess::{Bitboard, Role, attacks};

/// A piece guards two things alone: it takes back the one, and the other falls.
pub(super) fn overload(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        step.captured()?;
        let reply = line.previous(step)?;
        let first = line.previous(reply)?;
        first.captured()?;
        let (one, other) = (first.to(), step.to());
        let duties = attacks_from(first.before, reply.from());
        let took_back = reply.to() == one && duties.has(one) && duties.has(other) && one != other;
        let alone = attackers(first.before, other, !step.mover()) == reply.from().bitboard();
        let left = !attacks_from(reply.after, reply.to()).has(other);
        let was_there = first.before.piece_on(other) == step.captured();
        (took_back && alone && left && was_there)
            .then(|| Finding::new(Motif::Overload, first.index, one, reply.from().bitboard()).with(other))
    })
}

/// A piece that guarded a square is drawn away from its duty, and the hero uses the square.
pub(super) fn deflection(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        let reply = line.previous(step)?;
        let lure = line.previous(reply)?;
        let uses = step.captured().is_some() || step.mv.is_promotion();
        let guarded = attacks_from(reply.before, reply.from()).has(step.to());
        let still_guards = attacks_from(reply.after, reply.to()).has(step.to());
        let offered = reply.to() == lure.to()
            && lure.captured().is_none_or(|taken| value(taken.role()) < value(lure.piece().role()));
        let was_forced = offered || lure.gives_check();
        let is_recapture = lure.to() == step.to() || reply.to() == step.to();
        (uses && guarded && !still_guards && was_forced && !is_recapture).then(|| {
            Finding::new(Motif::Deflection, lure.index, lure.to(), Bitboard::from(reply.from()))
                .with(step.to())
        })
    })
}

/// A king, queen or rook is drawn to a square where the hero's next move hits it.
pub(super) fn attraction(line: &Line) -> Option<Finding> {
    line.hero_steps().find_map(|offer| {
        let reply = line.step(offer.index + 1)?;
        let next = line.step(offer.index + 2)?;
        let drawn = reply.piece();
        if reply.to() != offer.to() || !matches!(drawn.role(), Role::King | Role::Queen | Role::Rook) {
            return None;
        }
        let hits = next.attacks().has(reply.to());
        let wins = match drawn.role() {
            Role::King => next.gives_check() && hits,
            _ => line.step(offer.index + 4).is_some_and(|later| later.to() == reply.to()) && hits,
        };
        wins.then(|| Finding::new(Motif::Attraction, offer.index, offer.to(), Bitboard::from(offer.to())))
    })
}

/// A piece stands between a defender and what it defends: the hero's, or one of the enemy's own that had to move there.
pub(super) fn interference(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        let captured = step.captured()?;
        let reply = line.previous(step)?;
        if captured.role() == Role::Pawn || reply.to() == step.to() || !is_undefended(step.before, step.to())
        {
            return None;
        }
        let by_hero = || line.previous(reply).filter(|first| cuts_off(*first, step));
        let by_enemy = || line.previous(reply).filter(|first| first.gives_check() && cuts_off(reply, step));
        let first = by_hero().or_else(by_enemy)?;
        Some(Finding::new(Motif::Interference, first.index, first.to(), Bitboard::from(step.to())))
    })
}

/// Whether a move closes the line of an enemy slider that defended what a later move takes.
fn cuts_off(blocking: Step<'_>, taking: Step<'_>) -> bool {
    let enemy = !taking.mover();
    let is_there = |square| blocking.before.piece_on(square) == taking.before.piece_on(square);
    is_there(taking.to())
        && attackers(blocking.before, taking.to(), enemy).into_iter().any(|defender| {
            is_there(defender)
                && blocking.before.piece_on(defender).is_some_and(|piece| is_slider(piece.role()))
                && attacks::between(defender, taking.to()).has(blocking.to())
        })
}

/// A piece vacates a square or a line for another piece, which uses it next.
pub(super) fn clearance(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        let reply = line.previous(step)?;
        let first = line.previous(reply)?;
        let piece = step.piece();
        let promotes = step.mv.is_promotion() && step.to() == first.from();
        if step.captured().is_some() || !(is_slider(piece.role()) || promotes) {
            return None;
        }
        let passes = attacks::between(step.from(), step.to()).has(first.from()) || step.to() == first.from();
        let was_open = attacks_over(first.before, step.from(), first.before.occupied()).has(step.to())
            && step.to() != first.from();
        let strikes = step.gives_check() || promotes || is_gain(step);
        // The first move is made to clear the way, not to take something, unless it gives itself up for that; and the
        // second is no mere continuation of a chase.
        let on_purpose = first.captured().is_none() || is_in_bad_spot(first.after, first.to());
        let is_chase = step.gives_check() && reply.piece().role() == Role::King;
        (passes
            && !was_open
            && strikes
            && on_purpose
            && !is_chase
            && !first.mv.is_promotion()
            && !step.before.is_check()
            && reply.to() != step.to()
            && first.to() != step.from()
            && !matches!(first.piece().role(), Role::King))
        .then(|| {
            Finding::new(Motif::Clearance, first.index, first.to(), Bitboard::from(first.from()))
                .with(step.from())
        })
    })
}

/// Whether the moved piece attacks something of more value than itself.
fn is_gain(step: Step<'_>) -> bool {
    (step.attacks() & step.after.side(!step.mover())).into_iter().any(|square| {
        step.after.piece_on(square).is_some_and(|target| value(target.role()) > value(step.piece().role()))
    })
}
