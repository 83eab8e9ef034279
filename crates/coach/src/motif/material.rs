//! Material won and given: hanging, trapped and sacrificed pieces, removed defenders.

use super::{Finding, Motif};
use crate::facts::{
    attackers, attacks_from, balance, can_be_won, is_in_bad_spot, is_undefended, pins, value,
};
use crate::line::Line;
use chess::{Bitboard, Color, Position, Role, Square, attacks};

/// The first move takes an undefended piece, and that is not just a recapture.
pub(super) fn hanging_piece(line: &Line) -> Option<Finding> {
    let step = line.step(0)?;
    let captured = step.captured()?;
    if captured.role() == Role::Pawn || !is_undefended(step.before, step.to()) {
        return None;
    }
    if let Some(reply) = line.lead_in()
        && let Some(lost) = reply.captured()
        && reply.to() == step.to()
        && value(lost.role()) >= value(captured.role())
    {
        return None;
    }
    let kept = line
        .step(2)
        .is_none_or(|later| balance(later.after, step.mover()) >= balance(step.after, step.mover()));
    kept.then(|| Finding::new(Motif::HangingPiece, 0, step.to(), Bitboard::from(step.to())))
}

/// The first move wins by taking a defended piece or pawn that more pieces attack than defend.
pub(super) fn outnumbered(line: &Line) -> Option<Finding> {
    let step = line.step(0)?;
    step.captured()?;
    let is_recapture =
        line.lead_in().is_some_and(|reply| reply.to() == step.to() && reply.captured().is_some());
    let (attacks, defences) = crowd(step.before, step.to());
    (!is_recapture && defences > 0 && attacks > defences && can_be_won(step.before, step.to()))
        .then(|| Finding::new(Motif::Outnumbered, 0, step.to(), Bitboard::from(step.to())))
}

/// How many pieces attack the piece on a square and how many defend it, those behind others in the same line
/// included and those pinned to their king left out.
#[must_use]
pub(crate) fn crowd(position: &Position, square: Square) -> (u32, u32) {
    let Some(piece) = position.piece_on(square) else { return (0, 0) };
    let count = |side: Color| {
        let pinned: Bitboard = pins(position, side)
            .into_iter()
            .filter(|pin| pin.is_absolute && !attacks::line(pin.by, pin.pinned).has(square))
            .map(|pin| pin.pinned)
            .collect();
        let mut found = Bitboard::EMPTY;
        let mut occupied = position.occupied();
        loop {
            let attackers = position.attackers_to(square, occupied) & position.side(side) & occupied;
            let new = attackers & !pinned & !square.bitboard();
            if new.is_empty() {
                return found.count();
            }
            found |= new;
            occupied &= !new;
        }
    };
    (count(!piece.color()), count(piece.color()))
}

/// A piece falls that had no safe square, although it could try to leave.
pub(super) fn trapped_piece(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        let captured = step.captured()?;
        if captured.role() == Role::Pawn {
            return None;
        }
        let reply = line.previous(step)?;
        // Where the piece stood when it was trapped: it may have moved since, in vain.
        let square = if reply.to() == step.to() { reply.from() } else { step.to() };
        let first = line.previous(reply)?;
        is_trapped(first.after, square)
            .then(|| Finding::new(Motif::TrappedPiece, first.index, first.to(), Bitboard::from(square)))
    })
}

/// Whether the piece on a square, of the side to move, is attacked to its loss and loses on every square it can reach.
fn is_trapped(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    if position.is_check() || position.pinned().has(square) || matches!(piece.role(), Role::Pawn | Role::King)
    {
        return false;
    }
    is_in_bad_spot(position, square)
        && position.legal_moves().iter().filter(|mv| mv.from() == square).all(|&mv| {
            let gains = position.captured(mv).is_some_and(|taken| value(taken.role()) >= value(piece.role()));
            let after = position.after(mv);
            !gains && is_in_bad_spot(&after, mv.to())
        })
}

/// The hero has clearly less material after a reply than at the beginning.
pub(super) fn sacrifice(line: &Line) -> Option<Finding> {
    let hero = line.hero();
    let start = balance(line.start(), hero);
    let promoted_against = line.steps().any(|step| step.mover() != hero && step.mv.is_promotion());
    if promoted_against {
        return None;
    }
    line.hero_steps().skip(1).find_map(|step| {
        (balance(step.after, hero) - start <= -2).then(|| {
            let given = line.previous(step).map_or(step.to(), |reply| reply.to());
            Finding::new(Motif::Sacrifice, step.index - 2, given, Bitboard::from(given))
        })
    })
}

/// A defender is taken, and what it defended falls next.
pub(super) fn removal_of_defender(line: &Line) -> Option<Finding> {
    line.hero_steps().skip(1).find_map(|step| {
        let captured = step.captured()?;
        let reply = line.previous(step)?;
        let first = line.previous(reply)?;
        let defender = first.captured()?;
        let defended = attacks_from(first.before, first.to()).has(step.to());
        let was_there = first.before.piece_on(step.to()).is_some_and(|piece| piece == captured);
        (defended
            && was_there
            && reply.to() != step.to()
            && captured.role() != Role::Pawn
            && defender.role() != Role::King
            && first.to() != step.to()
            && !first.gives_check()
            && is_undefended(first.after, step.to())
            && attackers(first.before, step.to(), step.mover()).any())
        .then(|| Finding::new(Motif::RemovalOfDefender, first.index, first.to(), Bitboard::from(step.to())))
    })
}
