//! Where pieces stand: squares by the wings of the kings, outposts, files, good and bad company.

use crate::attack_maps::AttackMaps;
use crate::pawns::PawnFacts;
use crate::placement::Placement;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// The tables of squares that serve a side.
///
/// The board is turned so that the own king is on the right wing; other tables serve when the enemy king
/// is on the other wing.
#[derive(Copy, Clone)]
pub(crate) struct PieceSquareTables {
    start: usize,
    turn: usize,
}

impl PieceSquareTables {
    #[inline(always)]
    pub(crate) fn of(placement: &Placement, us: Color) -> Self {
        let is_left = placement.is_king_left(us);
        let is_opposite = is_left != placement.is_king_left(!us);
        // Flips the board for Black and mirrors it for a king on the left.
        let flip = if us == Color::White { 0 } else { 56 };
        Self { start: usize::from(is_opposite) * 6 * 64, turn: flip ^ if is_left { 7 } else { 0 } }
    }

    /// Adds the value of the square on which a piece stands.
    #[inline(always)]
    pub(crate) fn add<T: Tracer>(self, us: Color, role: Role, square: Square, scorer: &mut Scorer<T>) {
        let index = self.start + role.index() * 64 + (square.index() ^ self.turn);
        scorer.add(us, Term::Placement, index, 1, square.bitboard());
    }
}

/// Squares in the enemy's half where a piece can settle: the fourth to the sixth rank.
const fn outpost_ranks(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_ffff_ff00_0000),
        Color::Black => Bitboard(0x0000_00ff_ffff_0000),
    }
}

#[inline(always)]
fn outposts(facts: &PawnFacts, us: Color) -> Bitboard {
    outpost_ranks(us) & !facts.reach[(!us).index()]
}

/// Terms that knights and bishops share.
#[inline(always)]
fn add_minor<T: Tracer>(
    placement: &Placement,
    us: Color,
    role: Role,
    square: Square,
    scorer: &mut Scorer<T>,
) {
    let here = square.bitboard();
    if placement.role(Role::Pawn).intersects(here.forward(us)) {
        scorer.each(us, Term::MinorBehindPawn, 0, here);
    }
    let distance = i32::from(placement.king(us).distance(square));
    scorer.add(us, Term::MinorFarFromKing, role.index() - 1, distance, here);
}

#[inline(always)]
pub(crate) fn evaluate_knight<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    facts: &PawnFacts,
    us: Color,
    square: Square,
    scorer: &mut Scorer<T>,
) {
    let here = square.bitboard();
    add_minor(placement, us, Role::Knight, square, scorer);
    let outposts = outposts(facts, us);
    if outposts.has(square) {
        scorer.each(us, Term::KnightOutpost, usize::from(maps.by(us, Role::Pawn).has(square)), here);
    } else if (attacks::knight(square) & !placement.side(us) & maps.by(us, Role::Pawn)).intersects(outposts) {
        scorer.each(us, Term::OutpostInReach, 0, here);
    }
}

/// The rim of the enemy's half: its outer files and its last two ranks.
const fn far_rim(us: Color) -> Bitboard {
    const OUTER_FILES: u64 = 0x8181_8181_8181_8181;
    match us {
        Color::White => Bitboard(OUTER_FILES << 32 | !0 << 48),
        Color::Black => Bitboard(OUTER_FILES >> 32 | !0 >> 48),
    }
}

/// Finds knights that have gone too far: every square they could go to is attacked. Needs all attacks.
#[inline(always)]
pub(crate) fn evaluate_trapped_knights<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    for square in placement.pieces(us, Role::Knight) & far_rim(us) {
        let ways_out = attacks::knight(square) & !placement.side(us) & !maps.all(!us);
        if ways_out.is_empty() {
            scorer.each(us, Term::TrappedKnight, 0, square.bitboard());
        }
    }
}

const LONG_DIAGONALS: [Bitboard; 2] = [Bitboard(0x8040_2010_0804_0201), Bitboard(0x0102_0408_1020_4080)];
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

#[inline(always)]
pub(crate) fn evaluate_bishop<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    facts: &PawnFacts,
    us: Color,
    square: Square,
    scorer: &mut Scorer<T>,
) {
    let here = square.bitboard();
    add_minor(placement, us, Role::Bishop, square, scorer);
    if outposts(facts, us).has(square) {
        scorer.each(us, Term::BishopOutpost, usize::from(maps.by(us, Role::Pawn).has(square)), here);
    }

    let colour = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let pawns = placement.pieces(us, Role::Pawn) & colour;
    let fixed = pawns & placement.side(!us).forward(!us);
    scorer.add(us, Term::BadBishop, 0, pawns.count() as i32, here);
    scorer.add(us, Term::BadBishop, 1, fixed.count() as i32, here);

    for diagonal in LONG_DIAGONALS {
        if diagonal.has(square) {
            let seen = attacks::bishop(square, placement.role(Role::Pawn)).with(square) & diagonal & CENTRE;
            if seen.more_than_one() {
                scorer.each(us, Term::LongDiagonal, 0, here);
            }
        }
    }
    if let Some(kind) = bishop_trap(placement, us, square) {
        scorer.each(us, Term::TrappedBishop, kind, here);
    }
}

/// Which way a bishop is trapped: by a pawn that closes its way back from the rim, or by the own centre pawn
/// at home that cannot move.
#[inline(always)]
fn bishop_trap(placement: &Placement, us: Color, square: Square) -> Option<usize> {
    let seen = square.relative_to(us);
    let towards_centre = if square.file() < File::E { 1 } else { -1 };
    match seen {
        Square::A7 | Square::H7 | Square::A6 | Square::H6 => {
            let exit = seen.offset(towards_centre, -1)?.relative_to(us);
            let is_shut = placement.pieces(!us, Role::Pawn).has(exit);
            is_shut.then_some(usize::from(seen.rank() == Rank::Sixth))
        }
        Square::C1 | Square::F1 => {
            let pawn = seen.offset(towards_centre, 1)?.relative_to(us);
            let is_shut =
                placement.pieces(us, Role::Pawn).has(pawn) && placement.occupied().has(pawn.forward(us));
            is_shut.then_some(2)
        }
        _ => None,
    }
}

/// A rook with no more squares than these may be shut in.
const CRAMPED: usize = 3;

#[inline(always)]
pub(crate) fn evaluate_rook<T: Tracer>(
    placement: &Placement,
    us: Color,
    square: Square,
    safe: usize,
    scorer: &mut Scorer<T>,
) {
    let here = square.bitboard();
    let file = square.file().bitboard();
    let pawns = placement.role(Role::Pawn);
    if !file.intersects(pawns & placement.side(us)) {
        scorer.each(us, Term::RookFile, usize::from(!file.intersects(pawns)), here);
    } else if safe <= CRAMPED && is_shut_in_by_king(placement, us, square) {
        scorer.each(us, Term::TrappedRook, 0, here);
    }
    if rules_seventh(placement, us, square) {
        scorer.each(us, Term::Seventh, 0, here);
    }
}

/// Whether the king stands between the rook and the centre, as after a king's walk without castling.
#[inline(always)]
fn is_shut_in_by_king(placement: &Placement, us: Color, rook: Square) -> bool {
    let king = placement.king(us);
    let (king_file, rook_file) = (king.file(), rook.file());
    let is_beyond = match king_file {
        File::E => false,
        file if file < File::E => rook_file < king_file,
        _ => rook_file > king_file,
    };
    is_beyond && king.rank().relative_to(us) == Rank::First && rook.rank().relative_to(us) <= Rank::Second
}

/// Whether a piece on the seventh rank finds pawns there or holds the king on the last.
#[inline(always)]
fn rules_seventh(placement: &Placement, us: Color, square: Square) -> bool {
    let seventh = Rank::Seventh.relative_to(us);
    square.rank() == seventh
        && (placement.king(!us).rank().relative_to(us) == Rank::Eighth
            || placement.pieces(!us, Role::Pawn).intersects(seventh.bitboard()))
}

#[inline(always)]
pub(crate) fn evaluate_queen<T: Tracer>(
    placement: &Placement,
    us: Color,
    square: Square,
    scorer: &mut Scorer<T>,
) {
    let here = square.bitboard();
    if rules_seventh(placement, us, square) {
        scorer.each(us, Term::Seventh, 1, here);
    }
    let snipers = placement.side(!us)
        & ((attacks::rook_lines(square) & placement.role(Role::Rook))
            | (attacks::bishop_lines(square) & placement.role(Role::Bishop)));
    let is_xrayed = snipers.into_iter().any(|sniper| {
        let shield = attacks::between(square, sniper) & placement.occupied();
        shield.any() && !shield.more_than_one()
    });
    if is_xrayed {
        scorer.each(us, Term::QueenXrayed, 0, here);
    }
}
