//! Passed pawns among the pieces: what stands in their way, and who sees it.

use crate::attack_maps::AttackMaps;
use crate::pawns::{PawnFacts, ahead};
use crate::placement::Placement;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, Rank, Role, Square, attacks};

/// Adds what the pieces make of a side's passed pawns.
#[inline(always)]
pub(crate) fn evaluate<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    facts: &PawnFacts,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    let them = !us;
    let occupied = placement.occupied();
    let rooks = placement.role(Role::Rook);
    for square in facts.passed[us.index()] {
        let rank = square.rank().relative_to(us).index() - 1;
        let here = square.bitboard();
        let stop = square.forward(us);
        let path = ahead(us, square);

        let mut enemy_control = maps.all(them);
        for rook in ahead(them, square) & rooks {
            if attacks::between(rook, square).intersects(occupied) {
                continue;
            }
            if placement.side(us).has(rook) {
                scorer.add(us, Term::RookBehindPasser, 0, 1, rook.bitboard());
            } else {
                scorer.add(them, Term::RookBehindPasser, 1, 1, rook.bitboard());
                // It follows the pawn, so every step is under its eyes.
                enemy_control |= path;
            }
        }

        if placement.side(them).has(stop) {
            scorer.each(us, Term::PassedBlocked, rank, here);
        } else if !occupied.has(stop) {
            if !path.intersects(occupied | enemy_control) {
                scorer.each(us, Term::PassedFree, rank, here);
            }
            if !enemy_control.has(stop) {
                scorer.each(us, Term::PassedSafeStep, rank, here);
            }
            if maps.all(us).has(stop) {
                scorer.each(us, Term::PassedSupportedStep, rank, here);
            }
        }
        if placement.officers(them).is_empty() && is_unstoppable(placement, us, square, path) {
            scorer.each(us, Term::Unstoppable, 0, here);
        }
    }
}

/// Whether a passed pawn outruns a bare king, or its own king clears the way for it.
fn is_unstoppable(placement: &Placement, us: Color, square: Square, path: Bitboard) -> bool {
    let can_be_taken = placement.turn() != us && attacks::king(placement.king(!us)).has(square);
    if can_be_taken || path.intersects(placement.occupied()) {
        return false;
    }
    let promotion = Square::new(square.file(), Rank::Eighth.relative_to(us));
    // A pawn at home saves a move by its double step.
    let steps = square.distance(promotion).min(5);
    let tempo = u8::from(placement.turn() != us);
    if placement.king(!us).distance(promotion) > steps + tempo {
        return true;
    }
    // The own king next to the promotion square or one ahead on a neighbouring file guards all that is left.
    let king = placement.king(us);
    let guarded = attacks::king(king) | king.bitboard();
    path & !guarded == Bitboard::EMPTY && king.file() != square.file()
}
