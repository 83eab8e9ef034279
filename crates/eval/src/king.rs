//! King safety: pawn cover and pawn storm, and the danger from pieces.

use crate::attack_maps::AttackMaps;
use crate::placement::Placement;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// The files around the king: its own and its neighbours, moved inwards at the rim.
fn files_around(king: Square) -> impl Iterator<Item = File> {
    let middle = king.file().index().clamp(1, 6);
    (middle - 1..=middle + 1).map(File::from_index)
}

/// The wing a king belongs to: four files, or the four in the middle.
fn wing(king: Square) -> Bitboard {
    const QUEENSIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    Bitboard(match king.file() {
        File::A | File::B | File::C => QUEENSIDE,
        File::D | File::E => QUEENSIDE << 2,
        File::F | File::G | File::H => QUEENSIDE << 4,
    })
}

/// Ranks as `us` counts them, from the first to the given one.
const fn ranks_up_to(us: Color, rank: Rank) -> Bitboard {
    let ranks = !0_u64 >> (56 - 8 * rank.index());
    match us {
        Color::White => Bitboard(ranks),
        Color::Black => Bitboard(ranks).flipped(),
    }
}

/// Adds the terms that pawns and kings alone decide.
pub(crate) fn evaluate_shelter<T: Tracer>(placement: &Placement, us: Color, scorer: &mut Scorer<T>) {
    let king = placement.king(us);
    let here = king.bitboard();
    let own = placement.pieces(us, Role::Pawn);
    let enemy = placement.pieces(!us, Role::Pawn);
    // Pawns behind the king neither cover nor threaten it.
    let behind = match king.rank().relative_to(us).index() {
        0 => Bitboard::EMPTY,
        rank => ranks_up_to(us, Rank::from_index(rank - 1)),
    };
    for file in files_around(king) {
        let squares = file.bitboard() & !behind;
        let rank_of = |pawn: Option<Square>| pawn.map_or(0, |pawn| pawn.rank().relative_to(us).index());
        let cover = nearest(us, own & squares);
        let storm = nearest(us, enemy & squares);
        let (cover_rank, storm_rank) = (rank_of(cover), rank_of(storm));
        let rim = file.index().min(7 - file.index());
        let cover_square = cover.map_or(file.bitboard(), Square::bitboard);
        scorer.add(us, Term::Shelter, 7 * rim + cover_rank, 1, cover_square);
        let storm_square = storm.map_or(Bitboard::EMPTY, Square::bitboard);
        if cover_rank > 0 && storm_rank == cover_rank + 1 {
            scorer.add(us, Term::StormBlocked, storm_rank, 1, storm_square);
        } else {
            scorer.add(us, Term::Storm, 7 * rim + storm_rank, 1, storm_square);
        }
    }
    let file = king.file().bitboard();
    match (own.intersects(file), enemy.intersects(file)) {
        (false, true) => scorer.each(us, Term::KingFile, 0, here),
        (true, false) => scorer.each(us, Term::KingFile, 1, here),
        (false, false) => scorer.each(us, Term::KingFile, 2, here),
        (true, true) => {}
    }
    if !(own | enemy).intersects(wing(king)) {
        scorer.each(us, Term::PawnlessWing, 0, here);
    }
    if let Some(distance) = (own | enemy).into_iter().map(|pawn| pawn.distance(king)).min() {
        scorer.add(us, Term::KingFromPawns, 0, i32::from(distance), here);
    }
}

/// The square of a set that is nearest to a side's first rank.
fn nearest(us: Color, squares: Bitboard) -> Option<Square> {
    match us {
        Color::White => squares.first(),
        Color::Black => squares.last(),
    }
}

/// Adds up the danger to a side's king, once all attacks are known.
#[inline(always)]
pub(crate) fn evaluate_danger<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    let them = !us;
    let king = placement.king(us);
    let here = king.bitboard();
    let weak = maps.all(them)
        & !maps.twice(us)
        & (!maps.all(us) | maps.by(us, Role::King) | maps.by(us, Role::Queen));
    scorer.endanger_each(us, Term::DangerBase, 0, here);
    scorer.endanger_each(us, Term::WeakRing, 0, weak & maps.king_ring(us));
    scorer.endanger_each(us, Term::PinnedPiece, 0, maps.pinned(us));
    let knights = placement.pieces(us, Role::Knight);
    scorer.endanger_each(us, Term::KnightDefender, 0, knights & maps.by(us, Role::King));
    if placement.pieces(them, Role::Queen).is_empty() {
        scorer.endanger_each(us, Term::NoQueen, 0, here);
    }

    let around = king.file().bitboard() | king.file().adjacent();
    let open_files = around & !spread_over_files(placement.pieces(us, Role::Pawn));
    scorer.endanger(us, Term::OpenFileNearKing, 0, open_files.count() as i32 / 8, open_files);

    // The half of the board a king on its first ranks worries about.
    let camp = wing(king) & ranks_up_to(us, Rank::Fifth);
    scorer.endanger_each(us, Term::WingAttack, 0, camp & maps.all(them));
    scorer.endanger_each(us, Term::WingAttack, 1, camp & maps.twice(them));
    scorer.endanger_each(us, Term::WingDefence, 0, camp & maps.all(us));

    // The own queen can only stop a check by being given up, so lines go through her.
    let occupied = placement.occupied() ^ placement.pieces(us, Role::Queen);
    let straight = attacks::rook(king, occupied);
    let diagonal = attacks::bishop(king, occupied);
    let safe = !placement.side(them) & (!maps.all(us) | (weak & maps.twice(them)));
    let mut unsafe_checks = Bitboard::EMPTY;
    for (role, lines) in [
        (Role::Knight, attacks::knight(king)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, straight | diagonal),
    ] {
        let checks = lines & maps.by(them, role) & !placement.side(them);
        // A queen check on a square where the own queen stands guard is only an exchange.
        let safe_checks = match role {
            Role::Queen => checks & safe & !maps.by(us, Role::Queen),
            _ => checks & safe,
        };
        if safe_checks.any() {
            let several = usize::from(safe_checks.more_than_one());
            scorer.endanger(us, Term::SafeCheck, (role.index() - 1) + 4 * several, 1, safe_checks);
        } else if role != Role::Queen {
            unsafe_checks |= checks;
        }
    }
    scorer.endanger_each(us, Term::UnsafeCheck, 0, unsafe_checks);
}

/// The whole files on which there is a square of the set.
fn spread_over_files(squares: Bitboard) -> Bitboard {
    let mut files = squares.0 | squares.0 >> 32;
    files |= files >> 16;
    files |= files >> 8;
    Bitboard((files & 0xff) * 0x0101_0101_0101_0101)
}
