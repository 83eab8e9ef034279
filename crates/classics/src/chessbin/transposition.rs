//! ChessBin's transposition table: one place for each remainder of the key, and a flag that protects
//! entries as long as they have been of use.

/// What a stored score says about the true one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum NodeType {
    Exact,
    /// The true score is at most this.
    Alpha,
    /// The true score is at least this.
    Beta,
}

#[derive(Copy, Clone, Debug)]
struct TtEntry {
    hash: u64,
    depth: u32,
    score: i32,
    node_type: NodeType,
    /// Whether it may be replaced.
    ancient: bool,
}

pub(super) struct TranspositionTable(Vec<Option<TtEntry>>);

impl TranspositionTable {
    /// The document names no size; this one is ours.
    const SIZE: usize = 1 << 18;

    pub(super) fn new() -> Self {
        Self(vec![None; Self::SIZE])
    }

    const fn place(hash: u64) -> usize {
        (hash % Self::SIZE as u64) as usize
    }

    /// Whether the position is known, and its score if that settles a search of this depth and window.
    /// An entry that does so is protected until the next search.
    pub(super) fn look_up(&mut self, hash: u64, depth: u32, alpha: i32, beta: i32) -> (bool, Option<i32>) {
        let Some(entry) = self.0[Self::place(hash)].as_mut().filter(|entry| entry.hash == hash) else {
            return (false, None);
        };
        let settles = entry.depth >= depth
            && match entry.node_type {
                NodeType::Exact => true,
                NodeType::Alpha => entry.score <= alpha,
                NodeType::Beta => entry.score >= beta,
            };
        if settles {
            entry.ancient = false;
        }
        (true, settles.then_some(entry.score))
    }

    /// Stores a score, unless the place is taken by an entry that was of use in this search. A deeper
    /// result for the same position is welcome anyway.
    pub(super) fn store(&mut self, hash: u64, depth: u32, score: i32, node_type: NodeType) {
        let place = &mut self.0[Self::place(hash)];
        let keeps = place.is_some_and(|old| !old.ancient && (old.hash != hash || old.depth > depth));
        if !keeps {
            *place = Some(TtEntry { hash, depth, score, node_type, ancient: true });
        }
    }

    /// After every search all entries become replaceable again.
    pub(super) fn age(&mut self) {
        for entry in self.0.iter_mut().flatten() {
            entry.ancient = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_use_are_protected_for_one_search() {
        let mut table = TranspositionTable::new();
        let (here, same_place) = (5, 5 + TranspositionTable::SIZE as u64);
        table.store(here, 2, 40, NodeType::Exact);
        assert_eq!(table.look_up(here, 3, -1, 1), (true, None), "not deep enough");
        assert_eq!(table.look_up(here, 2, -1, 1), (true, Some(40)));
        table.store(same_place, 6, 0, NodeType::Exact);
        assert_eq!(table.look_up(same_place, 1, -1, 1), (false, None));
        table.age();
        table.store(same_place, 1, 10, NodeType::Beta);
        assert_eq!(table.look_up(same_place, 1, 0, 10), (true, Some(10)));
        assert_eq!(table.look_up(same_place, 1, 0, 11), (true, None), "at least 10 may be 11 too");
    }
}
