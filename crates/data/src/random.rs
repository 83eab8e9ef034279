//! Random numbers that are the same on every machine and with every version of the program.

/// A small generator with a stream of its own for every pair of seed and index, so that game *i* does not
/// depend on the games before it. (The mixing is that of `SplitMix64`.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random {
    state: u64,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Random {
    /// The stream of this seed and index.
    #[must_use]
    pub const fn new(seed: u64, index: u64) -> Self {
        Self { state: mix(mix(seed.wrapping_add(STEP)) ^ index.wrapping_mul(STEP)) }
    }

    /// Sixty-four random bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below `bound`; 0 if there is none.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// Puts things in random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let first = |seed, index| Random::new(seed, index).bits();
        assert_eq!(first(1, 2), first(1, 2));
        let streams = [first(0, 0), first(0, 1), first(1, 0), first(1, 1), first(2, 1), first(1, 2)];
        for (i, bits) in streams.iter().enumerate() {
            assert!(!streams[..i].contains(bits));
        }
    }

    #[test]
    fn every_number_below_the_bound_comes_about_as_often() {
        let mut random = Random::new(7, 0);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut things: Vec<u32> = (0..100).collect();
        Random::new(3, 3).shuffle(&mut things);
        assert_ne!(things, (0..100).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..100).collect::<Vec<_>>());
    }
}
