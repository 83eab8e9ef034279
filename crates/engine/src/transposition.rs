//! The transposition table: what earlier searches found out about a position.
//!
//! Shared by all threads without locks. An entry is one 64-bit word, so its parts always belong
//! together; the part of the key stored with it may come from another thread's write. That is a rare false
//! hit like any collision of keys: the move is checked for legality before use, and the rest is an opinion.

use crate::event::Bound;
use crate::score::Score;
use chess::{Key, Move};
pub(crate) use memory::prefetch;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Entries that share a cache line, and from which a new one picks its victim.
const BUCKET_SIZE: usize = 5;

#[derive(Default)]
#[repr(C, align(64))]
struct Bucket {
    words: [AtomicU64; BUCKET_SIZE],
    keys: [AtomicU32; BUCKET_SIZE],
}

const _: () = assert!(size_of::<Bucket>() == 64);

/// Generations count modulo this, so that an entry knows its age in five bits.
const GENERATIONS: u8 = 32;

/// When a victim is chosen, each search that has passed since an entry was written counts as this many plies.
const AGE_WEIGHT: i32 = 4;

/// An inexact result replaces one of the same search about the same position unless it is this many plies
/// shallower.
const REPLACEMENT_DEPTH: i32 = 4;

/// Buckets looked at to estimate how full the table is: a thousand entries, because it is asked after every
/// iteration.
const FULLNESS_SAMPLE: usize = 200;

/// What was read from the table: a copy, perhaps stale.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The best move, or the one that refuted the position. It may be illegal here.
    pub mv: Option<Move>,
    /// The score, with distances counted from the root.
    pub score: Score,
    /// The static evaluation, if there was one.
    pub evaluation: Option<i32>,
    /// How deep the search was.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
    /// Whether the position has ever been on a principal variation.
    pub was_pv: bool,
}

impl TtEntry {
    /// Whether the score decides a null-window search around `beta`: fails high or low for certain.
    #[must_use]
    #[inline]
    pub(crate) fn decides(&self, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score < beta,
        }
    }
}

/// What a search wants to write about a position.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TtUpdate {
    /// The best or refuting move; the one stored before is kept if there is none.
    pub mv: Option<Move>,
    /// The score, with distances counted from the root.
    pub score: Score,
    /// The static evaluation.
    pub evaluation: Option<i32>,
    /// How deep the search was.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
    /// Whether the position is or was on a principal variation.
    pub was_pv: bool,
}

/// An evaluation that no evaluator gives: none was made, because of a check.
const NO_EVALUATION: i16 = i16::MIN;

/// Depths are stored with this added, because those of quiescence search may be negative.
const DEPTH_OFFSET: i32 = 8;

mod layout {
    //! Where the parts of an entry lie in its word.
    pub(super) const SCORE: u32 = 16;
    pub(super) const EVALUATION: u32 = 32;
    pub(super) const DEPTH: u32 = 48;
    pub(super) const BOUND: u32 = 56;
    pub(super) const PV: u32 = 58;
    pub(super) const GENERATION: u32 = 59;
}

/// An entry as it is stored.
#[derive(Copy, Clone)]
struct Word(u64);

impl Word {
    fn new(update: &TtUpdate, mv: Option<Move>, ply: usize, generation: u8) -> Self {
        let bound = match update.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let evaluation = update.evaluation.map_or(NO_EVALUATION, |units| units as i16);
        Self(
            u64::from(mv.map_or(0, Move::to_bits))
                | u64::from(update.score.to_tt(ply) as u16) << layout::SCORE
                | u64::from(evaluation as u16) << layout::EVALUATION
                | u64::from((update.depth + DEPTH_OFFSET).clamp(0, 255) as u8) << layout::DEPTH
                | bound << layout::BOUND
                | u64::from(update.was_pv) << layout::PV
                | u64::from(generation) << layout::GENERATION,
        )
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    fn depth(self) -> i32 {
        (self.0 >> layout::DEPTH & 0xff) as i32 - DEPTH_OFFSET
    }

    #[inline]
    fn generation(self) -> u8 {
        (self.0 >> layout::GENERATION) as u8
    }

    /// What the score means; none if nothing was ever stored here.
    #[inline]
    fn bound(self) -> Option<Bound> {
        match self.0 >> layout::BOUND & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.bound().is_none()
    }

    #[inline]
    fn read(self, ply: usize, halfmove_clock: u16) -> Option<TtEntry> {
        let evaluation = (self.0 >> layout::EVALUATION) as i16;
        Some(TtEntry {
            mv: self.mv(),
            score: Score::from_tt((self.0 >> layout::SCORE) as i16, ply, halfmove_clock),
            evaluation: (evaluation != NO_EVALUATION).then_some(i32::from(evaluation)),
            depth: self.depth(),
            bound: self.bound()?,
            was_pv: self.0 >> layout::PV & 1 != 0,
        })
    }
}

/// The transposition table.
pub(crate) struct TranspositionTable {
    memory: memory::Buckets,
    generation: AtomicU8,
    /// Whether a search may have written since the table was new or cleared.
    is_used: AtomicBool,
}

impl TranspositionTable {
    /// A table of this many mebibytes.
    ///
    /// # Errors
    /// When the system does not have that much memory to give.
    pub(crate) fn new(mebibytes: usize) -> Result<Self, std::io::Error> {
        let buckets = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        Ok(Self {
            memory: memory::Buckets::new(buckets)?,
            generation: AtomicU8::new(0),
            is_used: AtomicBool::new(false),
        })
    }

    /// Begins a new search: what was stored before counts as old.
    pub(crate) fn new_search(&self) {
        self.is_used.store(true, Relaxed);
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    /// Forgets everything, with this many threads at once. A table that no search has used is left alone: it would cost the
    /// time, and the memory, of all its pages.
    pub(crate) fn clear(&self, threads: usize) {
        if !self.is_used.swap(false, Relaxed) {
            return;
        }
        let buckets = self.memory.as_slice();
        let clear = |part: &[Bucket]| {
            for bucket in part {
                // Keys too: one that is left would draw its entry to another place than in an empty table,
                // and the next game would not be as if it were the first.
                for (key, word) in bucket.keys.iter().zip(&bucket.words) {
                    key.store(0, Relaxed);
                    word.store(0, Relaxed);
                }
            }
        };
        if threads <= 1 {
            clear(buckets);
        } else {
            std::thread::scope(|scope| {
                for part in buckets.chunks(buckets.len().div_ceil(threads)) {
                    scope.spawn(move || clear(part));
                }
            });
        }
        self.generation.store(0, Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        let buckets = self.memory.as_slice();
        // The high bits of the key choose the bucket, whatever the number of buckets; the low ones
        // distinguish the entries.
        &buckets[((u128::from(key.0) * buckets.len() as u128) >> 64) as usize]
    }

    /// Asks the processor to fetch what will be looked up soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// What is known about a position at this ply.
    #[must_use]
    #[inline]
    pub(crate) fn probe(&self, key: Key, ply: usize, halfmove_clock: u16) -> Option<TtEntry> {
        let bucket = self.bucket(key);
        let index = bucket.keys.iter().position(|stored| stored.load(Relaxed) == key.0 as u32)?;
        Word(bucket.words[index].load(Relaxed)).read(ply, halfmove_clock)
    }

    /// Stores what was found out about a position at this ply.
    pub(crate) fn store(&self, key: Key, ply: usize, update: &TtUpdate) {
        let bucket = self.bucket(key);
        let short_key = key.0 as u32;
        let mut victim = 0;
        let mut least_value = i32::MAX;
        let mut known = None;
        for index in 0..BUCKET_SIZE {
            let word = Word(bucket.words[index].load(Relaxed));
            if bucket.keys[index].load(Relaxed) == short_key {
                victim = index;
                known = (!word.is_empty()).then_some(word);
                break;
            }
            let value = if word.is_empty() { i32::MIN } else { word.depth() - AGE_WEIGHT * self.age(word) };
            if value < least_value {
                (victim, least_value) = (index, value);
            }
        }
        if let Some(old) = known
            && update.bound != Bound::Exact
            && self.age(old) == 0
            && update.depth + REPLACEMENT_DEPTH < old.depth()
        {
            return;
        }
        let mv = update.mv.or_else(|| known.and_then(Word::mv));
        bucket.keys[victim].store(short_key, Relaxed);
        bucket.words[victim].store(Word::new(update, mv, ply, self.generation()).0, Relaxed);
    }

    /// How many searches ago an entry was written.
    #[inline]
    fn age(&self, word: Word) -> i32 {
        i32::from((GENERATIONS + self.generation() - word.generation()) % GENERATIONS)
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    #[must_use]
    pub(crate) fn fullness(&self) -> u32 {
        let sample = &self.memory.as_slice()[..FULLNESS_SAMPLE.min(self.memory.as_slice().len())];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.words)
            .map(|word| Word(word.load(Relaxed)))
            .filter(|word| !word.is_empty() && word.generation() == self.generation())
            .count();
        (used * 1000 / (sample.len() * BUCKET_SIZE)) as u32
    }
}

/// The memory of the table: pages that the system gives zeroed and only when touched, large ones where it
/// has them, so that a table of many gigabytes is there at once. WebAssembly has no such pages.
#[allow(unsafe_code)]
mod memory {
    use super::Bucket;
    #[cfg(not(target_family = "wasm"))]
    use memmap2::MmapMut;

    #[cfg(not(target_family = "wasm"))]
    pub(super) struct Buckets {
        map: MmapMut,
        count: usize,
    }

    #[cfg(not(target_family = "wasm"))]
    impl Buckets {
        pub(super) fn new(count: usize) -> Result<Self, std::io::Error> {
            let map = MmapMut::map_anon(count * size_of::<Bucket>())?;
            // Without large pages it works all the same.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(Self { map, count })
        }

        #[inline]
        pub(super) fn as_slice(&self) -> &[Bucket] {
            // SAFETY: the mapping holds `count` buckets of bytes, starts on a page and so on a
            // multiple of 64, is never handed out otherwise, and lives as long as `self`. A bucket is
            // made of atomic integers, for which every pattern of bits is valid.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
        }
    }

    #[cfg(target_family = "wasm")]
    pub(super) struct Buckets(Vec<Bucket>);

    #[cfg(target_family = "wasm")]
    impl Buckets {
        pub(super) fn new(count: usize) -> Result<Self, std::io::Error> {
            let mut buckets = Vec::new();
            buckets.try_reserve_exact(count).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
            buckets.resize_with(count, Bucket::default);
            Ok(Self(buckets))
        }

        #[inline]
        pub(super) fn as_slice(&self) -> &[Bucket] {
            &self.0
        }
    }

    /// Asks the processor to fetch the cache line of something that will be read soon.
    #[inline]
    pub(crate) fn prefetch<T>(soon: &T) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching reads nothing and changes nothing; any address is allowed, and this one
        // is a reference's.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = soon;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn update(depth: i32, units: i32) -> TtUpdate {
        TtUpdate {
            mv: Some(Move::normal(Square::E2, Square::E4)),
            score: Score::evaluation(units),
            evaluation: Some(-units),
            depth,
            bound: Bound::Lower,
            was_pv: true,
        }
    }

    #[test]
    fn a_cleared_table_is_like_a_new_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.new_search();
        for number in 0..100_000_u64 {
            table.store(Key(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 0, &update(3, 5));
        }
        table.clear(2);
        let is_empty = |bucket: &Bucket| {
            let is_zero = |word: &AtomicU64| word.load(Relaxed) == 0;
            bucket.keys.iter().all(|key| key.load(Relaxed) == 0) && bucket.words.iter().all(is_zero)
        };
        assert!(table.memory.as_slice().iter().all(is_empty));
        assert_eq!(table.generation(), 0);
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = TranspositionTable::new(1).unwrap();
        let key = Key(0x1234_5678_9abc_def0);
        assert_eq!(table.probe(key, 0, 0), None);
        for (depth, units, evaluation) in [(0, 0, None), (7, -321, Some(12)), (-1, 31_000, Some(-3000))] {
            let stored = TtUpdate { evaluation, bound: Bound::Exact, ..update(depth, units) };
            table.store(key, 0, &stored);
            let found = table.probe(key, 0, 0).unwrap();
            assert_eq!(found.mv, stored.mv);
            assert_eq!(found.score, stored.score);
            assert_eq!(found.evaluation, evaluation);
            assert_eq!((found.depth, found.bound, found.was_pv), (depth, Bound::Exact, true));
        }
    }

    #[test]
    fn a_fail_low_keeps_the_old_move() {
        let table = TranspositionTable::new(1).unwrap();
        let key = Key(99);
        table.store(key, 0, &update(5, 10));
        table.store(key, 0, &TtUpdate { mv: None, bound: Bound::Upper, ..update(6, 5) });
        let found = table.probe(key, 0, 0).unwrap();
        assert_eq!(found.mv, update(0, 0).mv);
        assert_eq!(found.depth, 6);
    }

    #[test]
    fn shallow_and_old_entries_make_room_first() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys that differ in the low bits share a bucket.
        let keys: Vec<Key> = (1..=6).map(Key).collect();
        table.store(keys[0], 0, &update(30, 0));
        table.new_search();
        for (i, &key) in keys[1..5].iter().enumerate() {
            table.store(key, 0, &update(25 + i as i32, 0));
        }
        table.store(keys[5], 0, &update(1, 0));
        assert!(table.probe(keys[1], 0, 0).is_none(), "the shallowest of the new ones goes");
        assert!(table.probe(keys[0], 0, 0).is_some(), "a deep old one is kept");
        for _ in 0..3 {
            table.new_search();
        }
        table.store(keys[1], 0, &update(1, 0));
        assert!(table.probe(keys[5], 0, 0).is_none());
    }

    #[test]
    fn clearing_forgets_everything() {
        let table = TranspositionTable::new(1).unwrap();
        table.new_search();
        for key in 0..5000u64 {
            table.store(Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 0, &update(3, 1));
        }
        assert!(table.fullness() > 0);
        table.clear(3);
        assert_eq!(table.fullness(), 0);
        assert_eq!(table.probe(Key(0x9e37_79b9_7f4a_7c15), 0, 0), None);
    }
}
