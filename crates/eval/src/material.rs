//! Material: the value of the pieces by their number, alone and together.
//!
//! All of it follows from how many pieces of each kind there are, so it is worked out once for each
//! balance of material and remembered.

use crate::endgame::Ending;
use crate::placement::Placement;
use crate::score::{FULL_PHASE, Score};
use crate::scorer::{Scorer, Tracer};
use crate::terms::Term;
use chess::{Bitboard, Color, Role};

/// How many pawns, knights, bishops, rooks and queens each side has.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts([[u8; 5]; 2]);

/// The weight of each kind in the phase of the game.
const PHASE: [i32; 5] = [0, 1, 1, 2, 4];

/// Rough values in pawns, for the judgement of end games.
const PIECE_VALUES: [i32; 5] = [0, 3, 3, 5, 9];

impl Counts {
    #[inline]
    pub(crate) fn of(placement: &Placement) -> Self {
        let mut counts = [[0; 5]; 2];
        for color in Color::ALL {
            for (role, count) in counts[color.index()].iter_mut().enumerate() {
                *count = placement.pieces(color, Role::ALL[role]).count() as u8;
            }
        }
        Self(counts)
    }

    #[inline]
    pub(crate) const fn get(self, color: Color, role: Role) -> i32 {
        self.0[color.index()][role.index()] as i32
    }

    /// The counts of one side, pawns first.
    pub(crate) const fn side(self, color: Color) -> [u8; 5] {
        self.0[color.index()]
    }

    /// All counts in one number; none exceeds ten.
    #[inline]
    fn signature(self) -> u64 {
        self.0.iter().flatten().fold(1, |signature, &count| signature << 4 | u64::from(count))
    }

    /// The value of a side's pieces in pawns, the pawns themselves left out.
    pub(crate) fn officers_value(self, color: Color) -> i32 {
        (1..5).map(|role| PIECE_VALUES[role] * i32::from(self.0[color.index()][role])).sum()
    }

    /// How much of the middle game is left.
    fn phase(self) -> i32 {
        let phase: i32 =
            self.0.iter().flat_map(|side| (0..5).map(|role| PHASE[role] * i32::from(side[role]))).sum();
        phase.min(FULL_PHASE)
    }
}

/// What follows from the counts alone.
#[derive(Copy, Clone)]
pub(crate) struct Balance {
    signature: u64,
    pub(crate) counts: Counts,
    pub(crate) score: Score,
    pub(crate) phase: i32,
    pub(crate) ending: Ending,
}

impl Balance {
    /// Judges the counts and adds their value to the score.
    pub(crate) fn judge<T: Tracer>(counts: Counts, scorer: &mut Scorer<T>) -> Self {
        let before = scorer.linear;
        for color in Color::ALL {
            add_side(counts, color, scorer);
        }
        Self {
            signature: counts.signature(),
            counts,
            score: scorer.linear - before,
            phase: counts.phase(),
            ending: Ending::of(counts),
        }
    }
}

fn add_side<T: Tracer>(counts: Counts, us: Color, scorer: &mut Scorer<T>) {
    let [own, enemy] = [us, !us].map(|color| counts.side(color).map(i32::from));
    let nowhere = Bitboard::EMPTY;
    for (role, &count) in own.iter().enumerate() {
        scorer.add(us, Term::Material, role, count, nowhere);
    }
    if own[Role::Bishop.index()] > 1 {
        scorer.add(us, Term::BishopPair, 0, 1, nowhere);
    }
    for (index, role) in [Role::Knight, Role::Rook, Role::Queen].into_iter().enumerate() {
        scorer.add(us, Term::SameKind, index, (own[role.index()] - 1).max(0), nowhere);
    }
    let mut pair = 0;
    for role in 1..5 {
        for smaller in 0..role {
            scorer.add(us, Term::OwnPairs, pair, own[role] * own[smaller], nowhere);
            scorer.add(us, Term::EnemyPairs, pair, own[role] * enemy[smaller], nowhere);
            pair += 1;
        }
    }
}

/// Remembers balances.
#[derive(Clone)]
pub(crate) struct BalanceCache(Box<[Balance]>);

impl BalanceCache {
    const BITS: u32 = 10;

    pub(crate) fn new() -> Self {
        let empty = Balance::judge(Counts::default(), &mut Scorer::new(()));
        Self(vec![empty; 1 << Self::BITS].into_boxed_slice())
    }

    #[inline]
    pub(crate) fn get(&mut self, counts: Counts) -> Balance {
        let signature = counts.signature();
        let slot = signature.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
        let entry = &mut self.0[slot as usize];
        if entry.signature != signature {
            *entry = Balance::judge(counts, &mut Scorer::new(()));
        }
        *entry
    }
}
