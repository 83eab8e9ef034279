//! Random numbers that are the same on every machine, with every version of the program, and in const
//! evaluation.

/// A small generator of random numbers: `SplitMix64` (Vigna).
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
    /// A generator with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A stream of its own for every pair of seed and index, so that game *i* does not depend on the games
    /// before it.
    #[must_use]
    pub const fn stream(seed: u64, index: u64) -> Self {
        Self::new(mix(mix(seed.wrapping_add(STEP)) ^ index.wrapping_mul(STEP)))
    }

    /// Sixty-four random bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below `bound`; 0 if there is none.
    pub const fn below(&mut self, bound: usize) -> usize {
        // The high half of the product is as even as the generator is for any bound met in practice.
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// Brings things into a random order.
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
    fn the_first_numbers_are_those_published_for_the_seed() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn streams_repeat_and_differ() {
        let first = |seed, index| Random::stream(seed, index).bits();
        assert_eq!(first(1, 2), first(1, 2));
        let streams = [first(0, 0), first(0, 1), first(1, 0), first(1, 1), first(2, 1), first(1, 2)];
        for (i, bits) in streams.iter().enumerate() {
            assert!(!streams[..i].contains(bits));
        }
    }

    #[test]
    fn every_number_below_the_bound_comes_about_as_often() {
        let mut random = Random::stream(7, 0);
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
        Random::stream(3, 3).shuffle(&mut things);
        assert_ne!(things, (0..100).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..100).collect::<Vec<_>>());
    }
}
