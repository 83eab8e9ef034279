//! Pawns that go far, and moves of special kinds.

use super::{Finding, Motif};
use crate::line::{Line, Step};
use chess::{Bitboard, Role};

fn first(line: &Line, motif: Motif, holds: impl Fn(&Step<'_>) -> bool) -> Option<Finding> {
    let step = line.hero_steps().find(|step| holds(step))?;
    Some(Finding::new(motif, step.index, step.to(), Bitboard::EMPTY))
}

/// A pawn reaches the seventh rank or promotes.
pub(super) fn advanced_pawn(line: &Line) -> Option<Finding> {
    first(line, Motif::AdvancedPawn, |step| {
        let is_pawn = step.before.role(Role::Pawn).has(step.from());
        is_pawn && step.to().relative_to(step.mover()).rank().index() >= 6
    })
}

/// A pawn becomes a queen.
pub(super) fn promotion(line: &Line) -> Option<Finding> {
    first(line, Motif::Promotion, |step| step.mv.is_promotion())
}

/// A pawn becomes a lesser piece.
pub(super) fn under_promotion(line: &Line) -> Option<Finding> {
    first(line, Motif::UnderPromotion, |step| step.mv.promotes_to().is_some_and(|role| role != Role::Queen))
}

/// A pawn is taken en passant.
pub(super) fn en_passant(line: &Line) -> Option<Finding> {
    first(line, Motif::EnPassant, |step| step.mv.is_en_passant())
}

/// The king castles.
pub(super) fn castling(line: &Line) -> Option<Finding> {
    first(line, Motif::Castling, |step| step.mv.is_castling())
}
