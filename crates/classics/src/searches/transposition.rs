//! A transposition table: scores of positions already searched.

use super::{MATE, is_mate};

/// What a stored score says about the true one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of a position.
#[derive(Copy, Clone, Debug)]
pub(super) struct TtEntry<M> {
    depth: u32,
    score: i32,
    bound: Bound,
    pub best: Option<M>,
}

impl<M> TtEntry<M> {
    pub(super) const fn new(depth: u32, ply: u32, score: i32, bound: Bound, best: Option<M>) -> Self {
        Self { depth, score: from_root_to_here(score, ply), bound, best }
    }

    /// The score, if the entry is deep enough and settles a search with this window.
    pub(super) fn answer(&self, depth: u32, ply: u32, alpha: i32, beta: i32) -> Option<i32> {
        let score = from_here_to_root(self.score, ply);
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        (self.depth >= depth && settles).then_some(score)
    }

    /// What the true score is at least, if the entry says so.
    pub(super) fn at_least(&self, ply: u32) -> Option<i32> {
        (self.bound != Bound::AtMost).then(|| from_here_to_root(self.score, ply))
    }
}

/// Mates are counted from the root in the search but from the position in the table, where every path to
/// it shares them.
const fn from_root_to_here(score: i32, ply: u32) -> i32 {
    if is_mate(score) { score + score.signum() * ply as i32 } else { score }
}

const fn from_here_to_root(score: i32, ply: u32) -> i32 {
    if is_mate(score) { score - score.signum() * ply as i32 } else { score }
}

const _: () = assert!(from_here_to_root(from_root_to_here(MATE - 5, 3), 3) == MATE - 5);

/// One place for each remainder of the key; the deeper result stays.
pub(super) struct TranspositionTable<M> {
    places: Vec<Option<(u64, TtEntry<M>)>>,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table of two to this power entries, of which more than 2^26 are never made.
    pub(super) fn new(bits: u32) -> Self {
        Self { places: vec![None; 1 << bits.min(26)] }
    }

    fn place(&self, key: u64) -> usize {
        (key % self.places.len() as u64) as usize
    }

    pub(super) fn get(&self, key: u64) -> Option<TtEntry<M>> {
        self.places[self.place(key)].filter(|(stored, _)| *stored == key).map(|(_, entry)| entry)
    }

    pub(super) fn put(&mut self, key: u64, entry: TtEntry<M>) {
        let place = self.place(key);
        let keeps = self.places[place].is_some_and(|(stored, old)| stored != key && old.depth > entry.depth);
        if !keeps {
            self.places[place] = Some((key, entry));
        }
    }
}
