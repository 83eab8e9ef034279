//! The attacks of knights, bishops, rooks and queens, and how far each piece can go.

use crate::attack_maps::AttackMaps;
use crate::pawns::PawnFacts;
use crate::pieces::{self, PieceSquareTables};
use crate::placement::Placement;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, Role, Square, attacks};

/// Works out the attacks of a side's knights, bishops and rooks and adds all terms that need them one by one.
#[inline(always)]
pub(crate) fn evaluate<T: Tracer>(
    placement: &Placement,
    maps: &mut AttackMaps,
    facts: &PawnFacts,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    // Pieces that move alike work together through each other.
    let past_queens = placement.occupied() ^ placement.role(Role::Queen);
    let past_rooks = past_queens ^ placement.pieces(us, Role::Rook);
    let area = maps.mobility_area(us);
    let tables = PieceSquareTables::of(placement, us);

    for square in placement.pieces(us, Role::Knight) {
        tables.add(us, Role::Knight, square, scorer);
        let attacked = attacks::knight(square);
        let safe = add_piece(placement, maps, us, Role::Knight, square, attacked, area, scorer);
        scorer.add(us, Term::KnightMobility, safe, 1, square.bitboard());
        pieces::evaluate_knight(placement, maps, facts, us, square, scorer);
    }
    for square in placement.pieces(us, Role::Bishop) {
        tables.add(us, Role::Bishop, square, scorer);
        let attacked = attacks::bishop(square, past_queens);
        let safe = add_piece(placement, maps, us, Role::Bishop, square, attacked, area, scorer);
        scorer.add(us, Term::BishopMobility, safe, 1, square.bitboard());
        pieces::evaluate_bishop(placement, maps, facts, us, square, scorer);
    }
    for square in placement.pieces(us, Role::Rook) {
        tables.add(us, Role::Rook, square, scorer);
        let attacked = attacks::rook(square, past_rooks);
        let safe = add_piece(placement, maps, us, Role::Rook, square, attacked, area, scorer);
        scorer.add(us, Term::RookMobility, safe, 1, square.bitboard());
        pieces::evaluate_rook(placement, us, square, safe, scorer);
    }
}

/// The same for queens, once the lesser pieces of both sides are on the maps: a queen goes nowhere where
/// one of them can take her.
#[inline(always)]
pub(crate) fn evaluate_queens<T: Tracer>(
    placement: &Placement,
    maps: &mut AttackMaps,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    let occupied = placement.occupied();
    let lesser = maps.by(!us, Role::Knight) | maps.by(!us, Role::Bishop) | maps.by(!us, Role::Rook);
    let area = maps.mobility_area(us) & !lesser;
    let tables = PieceSquareTables::of(placement, us);
    for square in placement.pieces(us, Role::Queen) {
        tables.add(us, Role::Queen, square, scorer);
        let attacked = attacks::queen(square, occupied);
        let safe = add_piece(placement, maps, us, Role::Queen, square, attacked, area, scorer);
        scorer.add(us, Term::QueenMobility, safe, 1, square.bitboard());
        pieces::evaluate_queen(placement, us, square, scorer);
    }
}

/// Enters the attacks of a piece on the maps and in the danger to the enemy king. Returns the number of
/// safe squares it can go to.
#[inline(always)]
#[expect(clippy::too_many_arguments)]
fn add_piece<T: Tracer>(
    placement: &Placement,
    maps: &mut AttackMaps,
    us: Color,
    role: Role,
    square: Square,
    attacked: Bitboard,
    area: Bitboard,
    scorer: &mut Scorer<T>,
) -> usize {
    let here = square.bitboard();
    let reachable = if maps.pinned(us).has(square) {
        attacked & attacks::line(placement.king(us), square)
    } else {
        attacked
    };
    maps.add(us, role, reachable);
    if reachable.intersects(maps.king_ring(!us)) {
        scorer.endanger(!us, Term::RingAttacker, role.index() - 1, 1, here);
        let next_to_king = reachable & maps.by(!us, Role::King);
        scorer.endanger(!us, Term::RingAttack, 0, next_to_king.count() as i32, here);
    }
    (reachable & area).count() as usize
}
