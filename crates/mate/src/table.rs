//! The memory of settled positions.

use chess::{Key, Move};

/// What is known of a position: the shortest mate, or that there is none up to some distance.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Known {
    /// The attacker mates in this many moves and no fewer. Mates on the board are not kept.
    pub mate_in: Option<u8>,
    /// The attacker has no mate in this many moves or fewer.
    pub none_up_to: u8,
    /// The move that mates, or the one that prevented the mate at the last try.
    pub best: Option<Move>,
}

impl Known {
    /// The bytes from the lowest: mate (0 for none), distance without mate, and two for the move.
    fn pack(self) -> u64 {
        let mate_in = u64::from(self.mate_in.unwrap_or(0));
        let best = u64::from(self.best.map_or(0, Move::to_bits));
        mate_in | u64::from(self.none_up_to) << 8 | best << 16
    }

    fn unpack(data: u64) -> Self {
        Self {
            mate_in: Some(data as u8).filter(|&moves| moves > 0),
            none_up_to: (data >> 8) as u8,
            best: Move::from_bits((data >> 16) as u16),
        }
    }

    /// How much work went into it, roughly.
    fn depth(self) -> u8 {
        self.none_up_to.max(self.mate_in.unwrap_or(0))
    }
}

const SLOTS: usize = 4;

/// The key of a position and what is known of it. Plain integers, so that the system hands out the memory
/// of a large table as zeros, page by page as they are needed.
type Slot = [u64; 2];

/// A hash table of fixed size in which deep results outlast shallow ones.
pub(crate) struct ProofTable {
    slots: Vec<Slot>,
    buckets: usize,
}

impl ProofTable {
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (SLOTS * size_of::<Slot>())).max(1);
        Self { slots: vec![[0; 2]; buckets * SLOTS], buckets }
    }

    #[inline]
    fn bucket(&self, key: Key) -> usize {
        // The high half of the product spreads the keys evenly over any number of buckets.
        ((u128::from(key.0) * self.buckets as u128) >> 64) as usize * SLOTS
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> Known {
        let start = self.bucket(key);
        self.slots[start..start + SLOTS]
            .iter()
            .find(|slot| slot[0] == key.0)
            .map_or(Known::default(), |slot| Known::unpack(slot[1]))
    }

    #[inline]
    pub(crate) fn put(&mut self, key: Key, known: Known) {
        let start = self.bucket(key);
        let bucket = &mut self.slots[start..start + SLOTS];
        let place = bucket
            .iter()
            .position(|slot| slot[0] == key.0)
            .or_else(|| (0..SLOTS).min_by_key(|&index| Known::unpack(bucket[index][1]).depth()));
        if let Some(place) = place {
            bucket[place] = [key.0, known.pack()];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn none_up_to(moves: u8) -> Known {
        Known { none_up_to: moves, ..Known::default() }
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let mv = Move::normal(Square::from_index(12), Square::from_index(28));
        let mut table = ProofTable::new(1 << 12);
        for (key, known) in [
            (1, Known { mate_in: Some(3), none_up_to: 2, best: Some(mv) }),
            (u64::MAX, Known { mate_in: None, none_up_to: 100, best: None }),
        ] {
            assert_eq!(table.get(Key(key)), Known::default());
            table.put(Key(key), known);
            assert_eq!(table.get(Key(key)), known);
        }
    }

    #[test]
    fn deep_results_outlast_shallow_ones() {
        let mut table = ProofTable::new(0);
        for key in 1..=SLOTS as u64 {
            table.put(Key(key), none_up_to(key as u8));
        }
        table.put(Key(99), none_up_to(1));
        assert_eq!(table.get(Key(1)), Known::default());
        assert_eq!(table.get(Key(99)), none_up_to(1));
        assert_eq!(table.get(Key(SLOTS as u64)), none_up_to(SLOTS as u8));
    }
}
