//! The transposition table: what earlier searches found out about a position.
//!
//! Shared by all threads without locks. An entry is one 64-bit word, so its parts always belong
//! together; the part of the key beside it may belong to another thread's write, which makes a rare wrong
//! hit like any collision of keys: the move is checked for legality before use, and the rest is an opinion.

use crate::event::Bound;
use crate::score::Score;
use chess::{Key, Move};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Entries that share a cache line, and from which a new one picks its victim.
const BUCKET_SIZE: usize = 5;

#[derive(Default)]
#[repr(C, align(64))]
struct Bucket {
    data: [AtomicU64; BUCKET_SIZE],
    keys: [AtomicU32; BUCKET_SIZE],
}

const _: () = assert!(size_of::<Bucket>() == 64);

/// Generations count modulo this, so that an entry knows its age in five bits.
const GENERATIONS: u8 = 32;

/// Buckets looked at to tell how full the table is: a thousand entries, because it is asked after every iteration.
const FULLNESS_SAMPLE: usize = 200;

/// An entry read from the table: a copy, perhaps stale.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that refuted the position. It may be illegal here.
    pub mv: Option<Move>,
    /// As stored; [`Entry::score`] counts it from the root.
    stored_score: i16,
    /// The static evaluation, if there was one.
    pub evaluation: Option<i32>,
    /// How deep the search was.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
    /// Whether the position has ever been on a principal variation.
    pub was_pv: bool,
    generation: u8,
}

impl Entry {
    /// The score, with distances counted from the root.
    #[must_use]
    pub fn score(&self, ply: usize, halfmove_clock: u16) -> Score {
        Score::from_table(self.stored_score, ply, halfmove_clock)
    }

    /// Whether the score decides a null-window search around `beta`: fails high or low for certain.
    #[must_use]
    pub fn decides(&self, score: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        }
    }
}

/// An evaluation that no evaluator gives: none was made, because of a check.
const NO_EVALUATION: i16 = i16::MIN;

/// Entries are kept for depths from here, below which only quiescence goes.
const DEPTH_OFFSET: i32 = 8;

mod layout {
    //! Where the parts of an entry lie in its word.
    pub const SCORE: u32 = 16;
    pub const EVALUATION: u32 = 32;
    pub const DEPTH: u32 = 48;
    pub const BOUND: u32 = 56;
    pub const PV: u32 = 58;
    pub const GENERATION: u32 = 59;
}

impl Entry {
    fn pack(&self) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let evaluation = self.evaluation.map_or(NO_EVALUATION, |units| units as i16);
        u64::from(self.mv.map_or(0, Move::to_bits))
            | u64::from(self.stored_score as u16) << layout::SCORE
            | u64::from(evaluation as u16) << layout::EVALUATION
            | u64::from((self.depth + DEPTH_OFFSET).clamp(0, 255) as u8) << layout::DEPTH
            | bound << layout::BOUND
            | u64::from(self.was_pv) << layout::PV
            | u64::from(self.generation) << layout::GENERATION
    }

    /// The entry in a word; none if nothing was ever stored there.
    fn unpack(word: u64) -> Option<Self> {
        let bound = match word >> layout::BOUND & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let evaluation = (word >> layout::EVALUATION) as i16;
        Some(Self {
            mv: Move::from_bits(word as u16),
            stored_score: (word >> layout::SCORE) as i16,
            evaluation: (evaluation != NO_EVALUATION).then_some(i32::from(evaluation)),
            depth: (word >> layout::DEPTH & 0xff) as i32 - DEPTH_OFFSET,
            bound,
            was_pv: word >> layout::PV & 1 != 0,
            generation: (word >> layout::GENERATION) as u8,
        })
    }
}

/// What a search wants to remember about a position.
#[derive(Copy, Clone, Debug)]
pub struct Finding {
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

/// The table.
pub struct Table {
    memory: memory::Buckets,
    generation: AtomicU8,
}

impl Table {
    /// A table of so many mebibytes.
    ///
    /// # Errors
    /// When the system has not so much memory to give.
    pub fn new(mebibytes: usize) -> Result<Self, std::io::Error> {
        let buckets = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        Ok(Self { memory: memory::Buckets::new(buckets)?, generation: AtomicU8::new(0) })
    }

    /// Begins a new search: what is stored before counts as old.
    pub fn new_search(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    /// Forgets everything, with so many threads at once.
    pub fn clear(&self, threads: usize) {
        let buckets = self.memory.as_slice();
        let clear = |part: &[Bucket]| {
            for bucket in part {
                // Keys too: one that is left would draw its entry to another place than in an empty table,
                // and the next game would not be as if it were the first.
                for (key, word) in bucket.keys.iter().zip(&bucket.data) {
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
        // tell the entries apart.
        &buckets[((u128::from(key.0) * buckets.len() as u128) >> 64) as usize]
    }

    /// Asks the processor to fetch what will be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        memory::prefetch(self.bucket(key));
    }

    /// What is known about a position.
    #[must_use]
    #[inline]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        let bucket = self.bucket(key);
        let index = bucket.keys.iter().position(|stored| stored.load(Relaxed) == key.0 as u32)?;
        Entry::unpack(bucket.data[index].load(Relaxed))
    }

    /// Remembers what was found out about a position.
    pub fn store(&self, key: Key, ply: usize, finding: &Finding) {
        let bucket = self.bucket(key);
        let short_key = key.0 as u32;
        let mut victim = 0;
        let mut least_worth = i32::MAX;
        let mut known = None;
        for index in 0..BUCKET_SIZE {
            let entry = Entry::unpack(bucket.data[index].load(Relaxed));
            if bucket.keys[index].load(Relaxed) == short_key {
                (victim, known) = (index, entry);
                break;
            }
            let worth = entry.map_or(i32::MIN, |entry| entry.depth - 4 * self.age(entry.generation));
            if worth < least_worth {
                (victim, least_worth) = (index, worth);
            }
        }
        // A shallow result does not push out a deep one of the same search about the same position,
        // unless it is exact.
        if let Some(old) = known
            && finding.bound != Bound::Exact
            && self.age(old.generation) == 0
            && finding.depth + 4 < old.depth
        {
            return;
        }
        let entry = Entry {
            mv: finding.mv.or(known.and_then(|old| old.mv)),
            stored_score: finding.score.to_table(ply),
            evaluation: finding.evaluation,
            depth: finding.depth,
            bound: finding.bound,
            was_pv: finding.was_pv,
            generation: self.generation(),
        };
        bucket.keys[victim].store(short_key, Relaxed);
        bucket.data[victim].store(entry.pack(), Relaxed);
    }

    /// How many searches ago an entry was written.
    fn age(&self, generation: u8) -> i32 {
        i32::from((GENERATIONS + self.generation() - generation) % GENERATIONS)
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let sample = &self.memory.as_slice()[..FULLNESS_SAMPLE.min(self.memory.as_slice().len())];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.data)
            .filter_map(|word| Entry::unpack(word.load(Relaxed)))
            .filter(|entry| entry.generation == self.generation())
            .count();
        (used * 1000 / (sample.len() * BUCKET_SIZE)) as u32
    }
}

/// The memory of the table: pages that the system gives zeroed and only when touched, large ones where it
/// has them, so that a table of many gigabytes is there at once.
#[allow(unsafe_code)]
mod memory {
    use super::Bucket;
    use memmap2::MmapMut;

    pub(super) struct Buckets {
        map: MmapMut,
        count: usize,
    }

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
            // SAFETY: the mapping holds `count` buckets' worth of bytes, starts on a page and so on a
            // multiple of 64, is never handed out otherwise, and lives as long as `self`. A bucket is
            // made of atomic integers, for which every pattern of bits is valid.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
        }
    }

    #[inline]
    pub(super) fn prefetch(bucket: &Bucket) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching reads nothing and changes nothing; any address is allowed, and this one
        // is a reference's.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn finding(depth: i32, units: i32) -> Finding {
        Finding {
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
        let table = Table::new(1).unwrap();
        for number in 0..100_000_u64 {
            table.store(Key(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 0, &finding(3, 5));
        }
        table.clear(2);
        let is_empty = |bucket: &Bucket| {
            let is_zero = |word: &AtomicU64| word.load(Relaxed) == 0;
            bucket.keys.iter().all(|key| key.load(Relaxed) == 0) && bucket.data.iter().all(is_zero)
        };
        assert!(table.memory.as_slice().iter().all(is_empty));
        assert_eq!(table.generation(), 0);
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = Table::new(1).unwrap();
        let key = Key(0x1234_5678_9abc_def0);
        assert_eq!(table.probe(key), None);
        for (depth, units, evaluation) in [(0, 0, None), (7, -321, Some(12)), (-1, 31_000, Some(-3000))] {
            let stored = Finding { evaluation, bound: Bound::Exact, ..finding(depth, units) };
            table.store(key, 0, &stored);
            let found = table.probe(key).unwrap();
            assert_eq!(found.mv, stored.mv);
            assert_eq!(found.score(0, 0), stored.score);
            assert_eq!(found.evaluation, evaluation);
            assert_eq!((found.depth, found.bound, found.was_pv), (depth, Bound::Exact, true));
        }
    }

    #[test]
    fn a_fail_low_keeps_the_old_move() {
        let table = Table::new(1).unwrap();
        let key = Key(99);
        table.store(key, 0, &finding(5, 10));
        table.store(key, 0, &Finding { mv: None, bound: Bound::Upper, ..finding(6, 5) });
        let found = table.probe(key).unwrap();
        assert_eq!(found.mv, finding(0, 0).mv);
        assert_eq!(found.depth, 6);
    }

    #[test]
    fn shallow_and_old_entries_make_room_first() {
        let table = Table::new(1).unwrap();
        // Keys that differ in the low bits share a bucket.
        let keys: Vec<Key> = (1..=6).map(Key).collect();
        table.store(keys[0], 0, &finding(30, 0));
        table.new_search();
        for (i, &key) in keys[1..5].iter().enumerate() {
            table.store(key, 0, &finding(25 + i as i32, 0));
        }
        table.store(keys[5], 0, &finding(1, 0));
        assert!(table.probe(keys[1]).is_none(), "the shallowest of the new ones goes");
        assert!(table.probe(keys[0]).is_some(), "a deep old one is worth more");
        for _ in 0..3 {
            table.new_search();
        }
        table.store(keys[1], 0, &finding(1, 0));
        assert!(table.probe(keys[5]).is_none());
    }

    #[test]
    fn clearing_forgets_everything() {
        let table = Table::new(1).unwrap();
        for key in 0..5000u64 {
            table.store(Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 0, &finding(3, 1));
        }
        assert!(table.fullness() > 0);
        table.clear(3);
        assert_eq!(table.fullness(), 0);
        assert_eq!(table.probe(Key(0x9e37_79b9_7f4a_7c15)), None);
    }
}
