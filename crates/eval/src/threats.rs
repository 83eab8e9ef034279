//! Threats: what is attacked, by whom, and what could be attacked next.

use crate::attack_maps::AttackMaps;
use crate::placement::Placement;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, Rank, Role, attacks};

/// Adds a side's threats against the enemy's pieces.
#[inline(always)]
pub(crate) fn evaluate<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    let them = !us;
    let enemies = placement.side(them);
    let enemy_pawns = placement.pieces(them, Role::Pawn);
    let enemy_officers = placement.officers(them);

    // Held by a pawn, or by more pieces than attack it.
    let held = maps.by(them, Role::Pawn) | (maps.twice(them) & !maps.twice(us));
    let weak = enemies & !held & maps.all(us);

    let by_minor = maps.by(us, Role::Knight) | maps.by(us, Role::Bishop);
    let heavy = placement.role(Role::Rook) | placement.role(Role::Queen);
    add_victims(placement, us, Term::ThreatByMinor, by_minor & enemies & (weak | heavy), scorer);
    let by_rook = maps.by(us, Role::Rook);
    let queens = placement.role(Role::Queen);
    add_victims(placement, us, Term::ThreatByRook, by_rook & enemies & (weak | queens), scorer);
    let by_king = weak & maps.by(us, Role::King);
    if by_king.any() {
        scorer.add(us, Term::ThreatByKing, 0, 1, by_king);
    }
    let hanging = weak & (!maps.all(them) | (enemy_officers & maps.twice(us)));
    scorer.each(us, Term::Hanging, 0, hanging & enemy_pawns);
    scorer.each(us, Term::Hanging, 1, hanging & enemy_officers);

    let safe = !maps.all(them) | maps.all(us);
    let own_pawns = placement.pieces(us, Role::Pawn);
    let by_pawn = attacks::pawns(us, own_pawns & safe) & enemy_officers;
    if by_pawn.any() {
        for (index, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
            scorer.each(us, Term::ThreatByPawn, index, by_pawn & placement.role(role));
        }
    }
    let pushes = pawn_pushes(own_pawns, us, placement.occupied()) & safe & !maps.by(them, Role::Pawn);
    let by_push = attacks::pawns(us, pushes) & enemy_officers & !maps.by(us, Role::Pawn);
    scorer.each(us, Term::ThreatByPush, 0, by_push);

    let restricted = maps.all(them) & !held & !maps.by(them, Role::Pawn) & maps.all(us);
    scorer.add(us, Term::Restricted, 0, restricted.count() as i32, Bitboard::EMPTY);

    if let Some(queen) = placement.pieces(them, Role::Queen).single() {
        let reachable = maps.mobility_area(us) & !own_pawns & !held;
        let by_knight = attacks::knight(queen) & maps.by(us, Role::Knight) & reachable;
        scorer.each(us, Term::ThreatOnQueen, 0, by_knight);
        let occupied = placement.occupied();
        let by_slider = (attacks::bishop(queen, occupied) & maps.by(us, Role::Bishop))
            | (attacks::rook(queen, occupied) & maps.by(us, Role::Rook));
        scorer.each(us, Term::ThreatOnQueen, 1, by_slider & reachable & maps.twice(us));
    }
}

#[inline(always)]
fn add_victims<T: Tracer>(
    placement: &Placement,
    us: Color,
    term: Term,
    victims: Bitboard,
    scorer: &mut Scorer<T>,
) {
    if victims.is_empty() {
        return;
    }
    for (index, &role) in Role::ALL[..5].iter().enumerate() {
        scorer.each(us, term, index, victims & placement.role(role));
    }
}

/// Where pawns can go by one step or two.
#[inline(always)]
fn pawn_pushes(pawns: Bitboard, us: Color, occupied: Bitboard) -> Bitboard {
    let single = pawns.forward(us) & !occupied;
    let double = (single & Rank::Third.relative_to(us).bitboard()).forward(us) & !occupied;
    single | double
}
