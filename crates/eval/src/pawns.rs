//! Pawn structure, and everything else that pawns and kings decide between them.
//!
//! Pawns and kings seldom move, so the result is remembered by the key of the pawns and the squares of the
//! kings.

use crate::king;
use crate::pieces::PieceSquareTables;
use crate::placement::Placement;
use crate::score::Score;
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, Key, Role, Square, attacks};

/// What other terms want to know about the pawns.
#[derive(Copy, Clone, Default)]
pub(crate) struct PawnFacts {
    /// White's pawn terms minus Black's.
    pub(crate) score: Score,
    pub(crate) passed: [Bitboard; 2],
    /// The squares the pawns of a side attack or may attack after advancing.
    pub(crate) reach: [Bitboard; 2],
}

/// The squares ahead of each square on its file.
static AHEAD: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while index < 64 {
        let file = 0x0101_0101_0101_0101 << (index % 8);
        table[0][index] = Bitboard(if index < 56 { file & (!0 << (8 * (index / 8 + 1))) } else { 0 });
        table[1][index] = Bitboard(file & ((1 << (8 * (index / 8))) - 1));
        index += 1;
    }
    table
};

/// The squares ahead of a square on its file.
#[inline]
pub(crate) fn ahead(color: Color, square: Square) -> Bitboard {
    AHEAD[color.index()][square.index()]
}

/// The squares ahead on the neighbouring files: enemy pawns there guard the way.
#[inline]
pub(crate) fn ahead_on_next_files(color: Color, square: Square) -> Bitboard {
    let ahead = ahead(color, square);
    ahead.east() | ahead.west()
}

/// A set of squares and all squares ahead of them.
#[inline]
pub(crate) fn fill_forward(color: Color, squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    match color {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
        }
    }
    Bitboard(fill)
}

/// The squares the pawns of a side attack or may attack after advancing.
#[inline]
fn reach(placement: &Placement, us: Color) -> Bitboard {
    fill_forward(us, attacks::pawns(us, placement.pieces(us, Role::Pawn)))
}

/// Adds all terms of pawns and kings to the scorer.
pub(crate) fn evaluate<T: Tracer>(placement: &Placement, scorer: &mut Scorer<T>) -> PawnFacts {
    let before = scorer.linear;
    let mut facts = PawnFacts::default();
    for us in Color::ALL {
        let pawns = placement.pieces(us, Role::Pawn);
        facts.reach[us.index()] = reach(placement, us);
        let tables = PieceSquareTables::of(placement, us);
        for square in pawns {
            tables.add(us, Role::Pawn, square, scorer);
            if evaluate_pawn(placement, us, square, scorer) {
                facts.passed[us.index()] |= square.bitboard();
            }
        }
        tables.add(us, Role::King, placement.king(us), scorer);
        king::evaluate_shelter(placement, us, scorer);
    }
    facts.score = scorer.linear - before;
    facts
}

/// Adds the terms of one pawn. Says whether it is passed.
fn evaluate_pawn<T: Tracer>(
    placement: &Placement,
    us: Color,
    square: Square,
    scorer: &mut Scorer<T>,
) -> bool {
    let own = placement.pieces(us, Role::Pawn);
    let enemy = placement.pieces(!us, Role::Pawn);
    let here = square.bitboard();
    let stop = square.forward(us);
    // The row of weights by rank begins with the second rank, where pawns begin.
    let rank = square.rank().relative_to(us).index() - 1;
    let (ahead, next_files) = (ahead(us, square), ahead_on_next_files(us, square));
    let neighbours = own & square.file().adjacent();
    let helpers = neighbours & !next_files;
    let guards = enemy & next_files;
    let is_opposed = enemy.intersects(ahead);
    let open = usize::from(!is_opposed);

    let is_rear_of_two = own.intersects(ahead);
    if is_rear_of_two {
        scorer.each(us, Term::Doubled, usize::from(!own.has(stop)), here);
    }
    if neighbours.is_empty() {
        scorer.each(us, Term::Isolated, open, here);
    } else if helpers.is_empty() && (enemy.has(stop) || enemy.intersects(attacks::pawn(us, stop))) {
        scorer.each(us, Term::Backward, open, here);
    }
    let supporters = own & attacks::pawn(!us, square);
    if supporters.any() {
        scorer.each(us, Term::Supported, rank, here);
    }
    if neighbours.intersects(square.rank().bitboard()) {
        scorer.each(us, Term::Phalanx, rank, here);
    }

    let is_passed = !is_opposed && !is_rear_of_two && guards.is_empty();
    if is_passed {
        scorer.each(us, Term::Passed, rank, here);
        let steps = rank as i32 - 1;
        if steps > 0 {
            let distance = |color| usize::from(placement.king(color).distance(stop));
            scorer.add(us, Term::PassedOwnKing, distance(us), steps, here);
            scorer.add(us, Term::PassedEnemyKing, distance(!us), steps, here);
        }
    } else if !is_opposed && !is_rear_of_two && helpers.count() >= guards.count() {
        scorer.each(us, Term::Candidate, rank, here);
    }
    is_passed
}

/// What is remembered of a pawn structure, four to a cache line: the rest follows from it in no time.
#[derive(Copy, Clone, Default)]
struct PawnCacheEntry {
    /// Where it is found is the other part of the key.
    key: u32,
    score: Score,
    passed: Bitboard,
}

/// Remembers pawn structures.
#[derive(Clone)]
pub(crate) struct PawnCache(Box<[PawnCacheEntry]>);

impl PawnCache {
    const BITS: u32 = 14;

    pub(crate) fn new() -> Self {
        Self(vec![PawnCacheEntry::default(); 1 << Self::BITS].into_boxed_slice())
    }

    /// The facts about the pawns and kings of a placement whose pawns have this key.
    #[inline]
    pub(crate) fn get(&mut self, placement: &Placement, pawns: Key) -> PawnFacts {
        // Kings count from one, so that a pawnless placement does not match an empty slot.
        let kings = placement.king(Color::White).index() * 64 + placement.king(Color::Black).index() + 1;
        let key = pawns.0 ^ (kings as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.0[(key >> (64 - Self::BITS)) as usize];
        if entry.key != key as u32 {
            let facts = evaluate(placement, &mut Scorer::new(()));
            *entry = PawnCacheEntry {
                key: key as u32,
                score: facts.score,
                passed: facts.passed[0] | facts.passed[1],
            };
        }
        PawnFacts {
            score: entry.score,
            passed: Color::ALL.map(|us| entry.passed & placement.side(us)),
            reach: Color::ALL.map(|us| reach(placement, us)),
        }
    }
}
