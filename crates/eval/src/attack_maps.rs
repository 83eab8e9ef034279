//! Which squares each side attacks, worked out once and used by all terms.

use crate::placement::Placement;
use chess::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// The attacks of both sides, and what follows from pawns and kings alone.
pub(crate) struct AttackMaps {
    by_role: [[Bitboard; 6]; 2],
    all: [Bitboard; 2],
    twice: [Bitboard; 2],
    pinned: [Bitboard; 2],
    mobility_area: [Bitboard; 2],
    king_ring: [Bitboard; 2],
}

/// The second and third rank as a side sees them.
const fn home_ranks(color: Color) -> Bitboard {
    Bitboard(Rank::Second.relative_to(color).bitboard().0 | Rank::Third.relative_to(color).bitboard().0)
}

impl AttackMaps {
    /// The attacks of pawns and kings; pieces are added one by one.
    #[inline]
    pub(crate) fn new(placement: &Placement) -> Self {
        let mut maps = Self {
            by_role: [[Bitboard::EMPTY; 6]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            pinned: [Bitboard::EMPTY; 2],
            mobility_area: [Bitboard::EMPTY; 2],
            king_ring: [Bitboard::EMPTY; 2],
        };
        for us in Color::ALL {
            let i = us.index();
            let pawns = placement.pieces(us, Role::Pawn);
            let ahead = pawns.forward(us);
            let (east, west) = (ahead.east(), ahead.west());
            let king = placement.king(us);
            let king_attacks = attacks::king(king);
            maps.by_role[i][Role::Pawn.index()] = east | west;
            maps.by_role[i][Role::King.index()] = king_attacks;
            maps.all[i] = east | west | king_attacks;
            maps.twice[i] = (east & west) | ((east | west) & king_attacks);
            maps.king_ring[i] = king_ring(king) & !(east & west);
            maps.pinned[i] = pinned(placement, us);
        }
        for us in Color::ALL {
            let pawns = placement.pieces(us, Role::Pawn);
            let held_up = pawns & (placement.occupied().forward(!us) | home_ranks(us));
            let busy = held_up | placement.pieces(us, Role::King);
            maps.mobility_area[us.index()] = !(busy | maps.by(!us, Role::Pawn));
        }
        maps
    }

    /// Adds the attacks of one piece.
    #[inline(always)]
    pub(crate) fn add(&mut self, color: Color, role: Role, squares: Bitboard) {
        let i = color.index();
        self.by_role[i][role.index()] |= squares;
        self.twice[i] |= self.all[i] & squares;
        self.all[i] |= squares;
    }

    /// Squares the pieces of one kind attack.
    #[inline(always)]
    pub(crate) const fn by(&self, color: Color, role: Role) -> Bitboard {
        self.by_role[color.index()][role.index()]
    }

    /// Squares a side attacks.
    #[inline(always)]
    pub(crate) const fn all(&self, color: Color) -> Bitboard {
        self.all[color.index()]
    }

    /// Squares a side attacks at least twice.
    #[inline(always)]
    pub(crate) const fn twice(&self, color: Color) -> Bitboard {
        self.twice[color.index()]
    }

    /// Pieces of a side that shield their king from an attack.
    #[inline(always)]
    pub(crate) const fn pinned(&self, color: Color) -> Bitboard {
        self.pinned[color.index()]
    }

    /// Squares that count for the mobility of a side's pieces.
    #[inline(always)]
    pub(crate) const fn mobility_area(&self, color: Color) -> Bitboard {
        self.mobility_area[color.index()]
    }

    /// The squares around a side's king that matter for its safety, but for those two of its pawns guard.
    #[inline(always)]
    pub(crate) const fn king_ring(&self, color: Color) -> Bitboard {
        self.king_ring[color.index()]
    }
}

/// Nine squares around the king, moved inwards when it stands on the rim so that there are always nine.
fn king_ring(king: Square) -> Bitboard {
    let file = File::from_index(king.file().index().clamp(1, 6));
    let rank = Rank::from_index(king.rank().index().clamp(1, 6));
    let centre = Square::new(file, rank);
    attacks::king(centre) | centre.bitboard()
}

/// The pieces of a side that alone stand between their king and an enemy slider.
#[inline]
fn pinned(placement: &Placement, us: Color) -> Bitboard {
    let king = placement.king(us);
    let queens = placement.role(Role::Queen);
    let snipers = placement.side(!us)
        & ((attacks::rook_lines(king) & (placement.role(Role::Rook) | queens))
            | (attacks::bishop_lines(king) & (placement.role(Role::Bishop) | queens)));
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers {
        let shield = attacks::between(king, sniper) & placement.occupied();
        if !shield.more_than_one() {
            pinned |= shield & placement.side(us);
        }
    }
    pinned
}
