//! Static evaluations that were made before.
//!
//! A node that is pruned stores nothing in the transposition table, and nearly a fifth of all evaluations would be
//! made again. The cache changes no result: an evaluation depends on nothing but what the key stands for.

use chess::Key;

/// A mebibyte, which fits into the second-level cache of a core.
const SIZE: usize = 1 << 17;
/// The bits of an entry that hold the evaluation; the others are those of the key. The low bits of the key are the place
/// of the entry, so the whole key is compared.
const EVALUATION_BITS: u32 = 16;

const _: () = assert!(SIZE >= 1 << EVALUATION_BITS);

/// The evaluations of one thread. An empty entry would be taken for an evaluation of 0 by a key of zeros, which no
/// position has in practice.
pub(super) struct EvaluationCache(Box<[u64]>);

impl EvaluationCache {
    /// An empty cache.
    pub(super) fn new() -> Self {
        Self(vec![0; SIZE].into_boxed_slice())
    }

    /// The evaluation of the position with this key, made by `evaluate` if it is not known.
    #[inline]
    pub(super) fn get_or_insert(&mut self, key: Key, evaluate: impl FnOnce() -> i32) -> i32 {
        let entry = &mut self.0[key.0 as usize % SIZE];
        if *entry >> EVALUATION_BITS == key.0 >> EVALUATION_BITS {
            return i32::from(*entry as i16);
        }
        let evaluation = evaluate();
        debug_assert_eq!(i32::from(evaluation as i16), evaluation);
        *entry = key.0 >> EVALUATION_BITS << EVALUATION_BITS | u64::from(evaluation as u16);
        evaluation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_is_made_once() {
        let mut cache = EvaluationCache::new();
        let key = Key(0x1234_5678_9abc_def0);
        assert_eq!(cache.get_or_insert(key, || -321), -321);
        assert_eq!(cache.get_or_insert(key, || unreachable!("it is known")), -321);
    }

    #[test]
    fn no_other_key_has_it() {
        let mut cache = EvaluationCache::new();
        let key = Key(0x1234_5678_9abc_def0);
        cache.get_or_insert(key, || 5);
        for bit in 0..64 {
            let other = Key(key.0 ^ 1 << bit);
            assert_eq!(cache.get_or_insert(other, || 7), 7, "bit {bit}");
        }
    }
}
