//! The handcrafted evaluation.
//!
//! A scorer adds up terms while a tracer may watch: play passes a tracer that compiles away, [`trace()`]
//! one that counts weights for the tuner, and [`explain()`] makes named items of the same records. All
//! weights are in `weights.rs`, all terms in the list in `terms.rs`.
//!
//! Values are in units of the engine, not in centipawns: `engine::wdl` converts them.
//!
//! # Examples
//! ```
//! use eval::{Evaluator, explain};
//!
//! let position = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
//! assert!(Evaluator::new().evaluate(&position) > 500, "White has a queen more");
//! assert!(explain(&position).in_words().starts_with("White is winning"));
//! # Ok::<(), chess::FenError>(())
//! ```

#![forbid(unsafe_code)]

mod attack_maps;
mod baseline;
mod endgame;
mod explain;
mod king;
mod kpk;
mod material;
mod mobility;
mod passed;
mod pawns;
mod pieces;
mod placement;
mod score;
mod scorer;
mod space;
mod terms;
mod threats;
mod trace;
mod weights;

pub use baseline::baseline;
pub use endgame::Ending;
pub use explain::{Explanation, GroupScore, Item, PieceValue, Status, TermScore, Value, explain};

pub use score::{FULL_PHASE, FULL_SCALE, S};
pub use terms::{Group, Kind, Term, WEIGHT_COUNT, Weights, weights_source, weights_table};
pub use trace::{Coefficient, Trace, trace};
pub use weights::WEIGHTS;

use attack_maps::AttackMaps;
use chess::{Bitboard, Color, Key, Position};
use material::{Balance, BalanceCache, Counts};
use pawns::{PawnCache, PawnFacts};
use placement::Placement;
use score::Sums;
use scorer::{Scorer, Tracer};

/// No evaluation goes beyond this, so that mate scores have room above.
pub const MAX_EVALUATION: i32 = 10_000;

/// Evaluates positions. Each thread has its own, since it remembers pawn structures and balances of
/// material.
#[derive(Clone)]
pub struct Evaluator {
    caches: Caches,
}

#[derive(Clone)]
pub(crate) struct Caches {
    pawns: PawnCache,
    balances: BalanceCache,
}

/// Computes the tables that are otherwise computed when first needed, which takes some milliseconds, so that a
/// search need not stop for it.
pub fn prepare() {
    kpk::prepare();
}

impl Default for Evaluator {
    fn default() -> Self {
        Self { caches: Caches { pawns: PawnCache::new(), balances: BalanceCache::new() } }
    }
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of the position for the side to move, in units, within [`MAX_EVALUATION`].
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.judge(position).0
    }

    /// The same, and whether the ending is known, so that there is nothing to add.
    pub fn judge(&mut self, position: &Position) -> (i32, bool) {
        let placement = Placement::new(position);
        let evaluated = evaluate_placement(&placement, Some((&mut self.caches, position.pawn_key())), ());
        let value = evaluated.value(&placement);
        let value = if position.turn() == Color::White { value } else { -value };
        (value, evaluated.exact().is_some())
    }

    /// The value that another evaluation gave the position, for the side to move, put right by what is known about endings:
    /// a known ending has its own value, and a lead that cannot be won with is none.
    pub fn with_known_endings(&mut self, position: &Position, value: i32) -> i32 {
        let placement = Placement::new(position);
        let balance = self.caches.balances.get(Counts::of(&placement));
        if let Some(known) = balance.ending.value(&placement, &balance) {
            return if position.turn() == Color::White { known } else { -known };
        }
        let strong = if value > 0 { position.turn() } else { !position.turn() };
        value * endgame::certain_scale(&placement, &balance, strong) / FULL_SCALE
    }
}

/// The result of all terms, before phase and scale make one number of it.
pub(crate) enum Evaluated {
    /// The ending is known.
    Known { balance: Balance, value: i32 },
    /// The terms have judged.
    Judged { balance: Balance, facts: PawnFacts, sums: Sums },
}

impl Evaluated {
    /// The value from White's view.
    #[inline]
    pub(crate) fn value(&self, placement: &Placement) -> i32 {
        match self {
            Self::Known { value, .. } => *value,
            Self::Judged { balance, facts, sums } => {
                sums.total(balance.phase, |strong| endgame::scale(placement, balance, facts, strong))
            }
        }
    }

    pub(crate) fn phase(&self) -> i32 {
        match self {
            Self::Known { balance, .. } | Self::Judged { balance, .. } => balance.phase,
        }
    }

    /// The value from White's view if the ending is known.
    pub(crate) fn exact(&self) -> Option<i32> {
        match self {
            Self::Known { value, .. } => Some(*value),
            Self::Judged { .. } => None,
        }
    }
}

/// Adds up all terms. Without caches, a tracer sees every one of them.
#[inline]
pub(crate) fn evaluate_placement<T: Tracer>(
    placement: &Placement,
    caches: Option<(&mut Caches, Key)>,
    tracer: T,
) -> Evaluated {
    let mut scorer = Scorer::new(tracer);
    let counts = Counts::of(placement);
    let (balance, facts) = match caches {
        Some((caches, key)) => {
            let balance = caches.balances.get(counts);
            if let Some(value) = balance.ending.value(placement, &balance) {
                return Evaluated::Known { balance, value };
            }
            let facts = caches.pawns.get(placement, key);
            scorer.linear += balance.score + facts.score;
            (balance, facts)
        }
        None => {
            let balance = Balance::judge(counts, &mut scorer);
            if let Some(value) = balance.ending.value(placement, &balance) {
                return Evaluated::Known { balance, value };
            }
            (balance, pawns::evaluate(placement, &mut scorer))
        }
    };

    let mut maps = AttackMaps::new(placement);
    mobility::evaluate(placement, &mut maps, &facts, Color::White, &mut scorer);
    mobility::evaluate(placement, &mut maps, &facts, Color::Black, &mut scorer);
    mobility::evaluate_queens(placement, &mut maps, Color::White, &mut scorer);
    mobility::evaluate_queens(placement, &mut maps, Color::Black, &mut scorer);
    evaluate_with_maps(placement, &maps, &facts, Color::White, &mut scorer);
    evaluate_with_maps(placement, &maps, &facts, Color::Black, &mut scorer);
    space::evaluate_initiative(placement, &facts, &mut scorer);
    scorer.add(placement.turn(), Term::Tempo, 0, 1, Bitboard::EMPTY);
    Evaluated::Judged { balance, facts, sums: scorer.sums() }
}

/// The terms of one side that need the attacks of both.
#[inline(always)]
fn evaluate_with_maps<T: Tracer>(
    placement: &Placement,
    maps: &AttackMaps,
    facts: &PawnFacts,
    us: Color,
    scorer: &mut Scorer<T>,
) {
    pieces::evaluate_trapped_knights(placement, maps, us, scorer);
    king::evaluate_danger(placement, maps, us, scorer);
    threats::evaluate(placement, maps, us, scorer);
    passed::evaluate(placement, maps, facts, us, scorer);
    space::evaluate(placement, maps, us, scorer);
}
