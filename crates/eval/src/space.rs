//! Space behind the own pawns, and the initiative in the end game.

use crate::attack_maps::AttackMaps;
use crate::pawns::{PawnFacts, fill_forward};
use crate::placement::Placement;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Color, Rank, Role};

const CENTRE_FILES: u64 = 0x3c3c_3c3c_3c3c_3c3c;
const WING: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// Adds the room a side has for its pieces: safe squares on the second to fourth rank of the centre files,
/// those behind an own pawn twice. It matters the more pieces there are to share it.
#[inline(always)]
pub(crate) fn evaluate<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    let pieces = placement.officers(us).count() as i32;
    if pieces < 3 {
        return;
    }
    let home = chess::Bitboard(match us {
        Color::White => CENTRE_FILES & 0x0000_0000_ffff_ff00,
        Color::Black => CENTRE_FILES & 0x00ff_ffff_0000_0000,
    });
    let pawns = placement.pieces(us, Role::Pawn);
    let safe = home & !pawns & !maps.by(!us, Role::Pawn);
    let behind = fill_forward(!us, pawns.forward(!us));
    let room = safe.count() + (safe & behind & !maps.all(!us)).count();
    scorer.add(us, Term::Space, 0, room as i32 * pieces / 4, safe);
}

/// Adds up what lets the better side make progress in the end game.
#[inline(always)]
pub(crate) fn evaluate_initiative<T: Tracer>(
    placement: &Placement,
    facts: &PawnFacts,
    scorer: &mut Scorer<T>,
) {
    let pawns = placement.role(Role::Pawn);
    let (white, black) = (placement.king(Color::White), placement.king(Color::Black));
    let both_wings = pawns.0 & WING != 0 && pawns.0 & !WING != 0;
    let passed = facts.passed[0] | facts.passed[1];
    let is_infiltrated = white.rank() > Rank::Fourth || black.rank() < Rank::Fifth;
    let apart = i32::from(white.file().index().abs_diff(black.file().index()) as u8)
        - i32::from(white.rank().index().abs_diff(black.rank().index()) as u8);
    let only_pawns = (placement.officers(Color::White) | placement.officers(Color::Black)).is_empty();
    let is_hardly_winnable = passed.is_empty() && apart < 0 && !both_wings;

    scorer.press(0, 1);
    scorer.press(1, passed.count() as i32);
    scorer.press(2, pawns.count() as i32);
    scorer.press(3, i32::from(both_wings));
    scorer.press(4, i32::from(is_infiltrated));
    scorer.press(5, apart);
    scorer.press(6, i32::from(only_pawns));
    scorer.press(7, i32::from(is_hardly_winnable));
}
