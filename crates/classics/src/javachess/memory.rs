//! What JavaChess remembers while it searches: the transposition table and the history table.

use crate::boards::rays::RayMove;
use chess::Color;

/// What a stored score says about the true one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Accurate,
    Upper,
    Lower,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct TtEntry {
    lock: u32,
    /// The move of the game in which it was stored.
    time_stamp: u32,
    pub depth: u32,
    pub score: i32,
    pub bound: Bound,
}

/// The transposition table: a key finds the place, an independent lock says whose it is.
pub(super) struct TranspositionTable {
    entries: Vec<Option<TtEntry>>,
}

impl TranspositionTable {
    /// 2^17, as much as the author's computer could hold.
    pub(super) const SIZE: usize = 1 << 17;

    pub(super) fn new() -> Self {
        Self { entries: vec![None; Self::SIZE] }
    }

    /// The upper half of the number is the key, the lower half the lock.
    const fn key_and_lock(position: u64) -> (usize, u32) {
        ((position >> 32) as usize % Self::SIZE, position as u32)
    }

    pub(super) fn get(&self, position: u64) -> Option<TtEntry> {
        let (key, lock) = Self::key_and_lock(position);
        self.entries[key].filter(|entry| entry.lock == lock)
    }

    /// Stores a score unless that would erase a deeper one of the same move of the game.
    pub(super) fn put(&mut self, position: u64, score: i32, bound: Bound, depth: u32, time_stamp: u32) {
        let (key, lock) = Self::key_and_lock(position);
        let keeps = self.entries[key].is_some_and(|old| old.depth > depth && old.time_stamp >= time_stamp);
        if !keeps {
            self.entries[key] = Some(TtEntry { lock, time_stamp, depth, score, bound });
        }
    }
}

/// How many cutoffs each move of each side has caused, by its squares: what has refuted one bad move is
/// likely to refute the next.
pub(super) struct HistoryTable(Box<[[[u32; 64]; 64]; 2]>);

impl HistoryTable {
    pub(super) fn new() -> Self {
        Self(Box::new([[[0; 64]; 64]; 2]))
    }

    fn count(&self, side: Color, mv: &RayMove) -> u32 {
        self.0[side.index()][mv.from as usize & 63][mv.to as usize & 63]
    }

    pub(super) fn add(&mut self, side: Color, mv: &RayMove) {
        let count = &mut self.0[side.index()][mv.from as usize & 63][mv.to as usize & 63];
        *count = count.saturating_add(1);
    }

    /// The most effective first; equals stay as generated.
    pub(super) fn sort(&self, side: Color, moves: &mut [RayMove]) {
        moves.sort_by_key(|mv| std::cmp::Reverse(self.count(side, mv)));
    }

    pub(super) fn forget(&mut self) {
        *self.0 = [[[0; 64]; 64]; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let mut table = TranspositionTable::new();
        let (here, same_place) = (7 << 32 | 1, 7 << 32 | 2);
        table.put(here, 50, Bound::Accurate, 4, 1);
        table.put(same_place, 60, Bound::Lower, 3, 1);
        assert_eq!(table.get(here).unwrap().score, 50, "a shallower result of the same move yields");
        table.put(same_place, 60, Bound::Lower, 4, 1);
        assert!(table.get(here).is_none(), "of equal depths the latest stays");
        table.put(here, 70, Bound::Upper, 0, 2);
        assert_eq!(table.get(here).unwrap().bound, Bound::Upper, "a later move replaces anything");
        assert!(table.get(same_place).is_none(), "the lock distinguishes positions");
    }
}
