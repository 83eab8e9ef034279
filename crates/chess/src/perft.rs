//! Counting the positions of the move tree, the classic test of move generation.

use crate::{All, Board, Color, Key, Move, Position};
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many legal move sequences of this length there are. The last move is counted, not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match (depth, position.turn()) {
        (0, _) => 1,
        (_, Color::White) => count::<true>(position.board(), depth),
        (_, Color::Black) => count::<false>(position.board(), depth),
    }
}

/// The same for each first move apart.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let count = |mv| if depth == 0 { 0 } else { perft(&position.after(mv), depth - 1) };
    position.legal_moves().into_iter().map(|mv| (mv, count(mv))).collect()
}

fn count<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    match (depth, WHITE) {
        (..=1, _) => u64::from(board.count_moves::<WHITE>()),
        // Most positions are the last but one; they get a loop of their own without a further call.
        (2, true) => sum_over_moves::<true>(board, |next| u64::from(next.count_moves::<false>())),
        (2, false) => sum_over_moves::<false>(board, |next| u64::from(next.count_moves::<true>())),
        (_, true) => sum_over_moves::<true>(board, |next| count::<false>(next, depth - 1)),
        (_, false) => sum_over_moves::<false>(board, |next| count::<true>(next, depth - 1)),
    }
}

/// Adds up what `each` says of the boards after all legal moves.
#[inline]
fn sum_over_moves<const WHITE: bool>(board: &Board, each: impl Fn(&Board) -> u64) -> u64 {
    let mut sum = 0;
    board.for_each_piece_move::<WHITE>(|role, mv| {
        let mut next = *board;
        next.play::<WHITE>(role, mv);
        sum += each(&next);
    });
    sum
}

/// The same as [`perft`], with counts looked up in a table and left there. Threads may share the table.
/// A count that no 64 bits hold stops at [`u64::MAX`].
#[must_use]
pub fn perft_with(table: &PerftTable, position: &Position, depth: u32) -> u64 {
    // Below, counting is quicker than fetching a count from memory.
    const LEAST_DEPTH: u32 = 2;
    if depth < LEAST_DEPTH {
        return perft(position, depth);
    }
    let key = key_at_depth(position, depth);
    if let Some(nodes) = table.get(key) {
        return nodes;
    }
    let mut nodes = 0u64;
    position.for_each_move::<All>(|mv| {
        nodes = nodes.saturating_add(perft_with(table, &position.after(mv), depth - 1));
    });
    table.put(key, nodes);
    nodes
}

/// The key of a position and of the depth it is counted to.
fn key_at_depth(position: &Position, depth: u32) -> Key {
    let spread = u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Key(position.key().0 ^ spread)
}

/// Counts that [`perft_with`] has found, for when it meets the same position again.
///
/// Nothing is locked. An entry holds its key combined with its count, so that one half written by
/// one thread matches no key that another asks for.
#[derive(Debug)]
pub struct PerftTable {
    buckets: Vec<Bucket>,
}

/// Two entries with one place: the first keeps the largest count, the second the latest.
#[derive(Debug, Default)]
struct Bucket([PerftEntry; 2]);

#[derive(Debug, Default)]
struct PerftEntry {
    key_and_nodes: AtomicU64,
    nodes: AtomicU64,
}

impl PerftEntry {
    /// The count for a key. Zero counts as empty: a position without moves needs no entry.
    fn get(&self, key: Key) -> Option<u64> {
        let nodes = self.nodes.load(Ordering::Relaxed);
        let matches = self.key_and_nodes.load(Ordering::Relaxed) ^ nodes == key.0;
        (matches && nodes != 0).then_some(nodes)
    }

    fn put(&self, key: Key, nodes: u64) {
        self.key_and_nodes.store(key.0 ^ nodes, Ordering::Relaxed);
        self.nodes.store(nodes, Ordering::Relaxed);
    }
}

impl PerftTable {
    /// A table of at most `megabytes` MiB.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let len = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(len)?;
        buckets.resize_with(len, Bucket::default);
        Ok(Self { buckets })
    }

    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    fn get(&self, key: Key) -> Option<u64> {
        self.bucket(key).0.iter().find_map(|entry| entry.get(key))
    }

    fn put(&self, key: Key, nodes: u64) {
        let Bucket([largest, latest]) = self.bucket(key);
        if nodes >= largest.nodes.load(Ordering::Relaxed) {
            largest.put(key, nodes);
        } else {
            latest.put(key, nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn a_table_of_any_size_changes_no_count() {
        let position = Position::from_fen(KIWIPETE).expect("a legal position");
        for megabytes in [0, 1, 16] {
            let table = PerftTable::new(megabytes).expect("memory");
            // The second time finds the counts of the first.
            for _ in 0..2 {
                for depth in 0..=3 {
                    assert_eq!(
                        perft_with(&table, &position, depth),
                        perft(&position, depth),
                        "depth {depth}"
                    );
                }
            }
        }
    }

    #[test]
    fn threads_share_a_table() {
        let position = Position::from_fen(KIWIPETE).expect("a legal position");
        let table = PerftTable::new(0).expect("memory");
        std::thread::scope(|scope| {
            let counts: Vec<_> = (0..4).map(|_| scope.spawn(|| perft_with(&table, &position, 3))).collect();
            for count in counts {
                assert_eq!(count.join().expect("no panic"), 97_862);
            }
        });
    }

    #[test]
    fn a_position_without_moves_has_no_future() {
        let mate = Position::from_fen("R6k/8/6K1/8/8/8/8/8 b - - 0 1").expect("a legal position");
        let table = PerftTable::new(1).expect("memory");
        for depth in 1..5 {
            assert_eq!(perft_with(&table, &mate, depth), 0);
            assert_eq!(perft(&mate, depth), 0);
        }
        assert_eq!(perft_with(&table, &mate, 0), 1);
    }

    #[test]
    fn impossible_memory_is_an_error() {
        assert!(PerftTable::new(usize::MAX).is_err());
    }

    #[test]
    fn divide_adds_up() {
        let start = Position::startpos();
        let total: u64 = divide(&start, 3).into_iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(total, perft(&start, 3));
        assert_eq!(divide(&start, 1).len(), 20);
    }
}
