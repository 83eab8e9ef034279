//! Chance that can be repeated.

/// A generator of random numbers (`SplitMix64`): small, and the same on every machine for the same seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of the product is as even as the generator is for any bound met in practice.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
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
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut things: Vec<usize> = (0..100).collect();
        Random::new(7).shuffle(&mut things);
        assert_ne!(things, (0..100).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..100).collect::<Vec<_>>());
    }
}
