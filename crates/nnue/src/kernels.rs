//! The inner loops, for several kinds of processors. Sums are added up in plain loops that the compiler makes vectors
//! of; only the last layer is written out, for AVX2, AVX-512 and WebAssembly's vectors. Every path gives the same
//! result to the last bit, so that which one is taken can be left to the machine the program runs on.

#![allow(unsafe_code)]

use crate::network::Sums;
use crate::{QA, SQUARE_SHIFT};

/// The environment variable that names a path to take instead of the fastest, to compare them.
const VARIABLE: &str = "GARDEZ_SIMD";

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Path {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    Portable,
}

impl Path {
    /// From the fastest to the slowest.
    const ALL: &[Self] = &[
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Self::Simd128,
        Self::Portable,
    ];

    fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512bw"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => true,
            Self::Portable => true,
        }
    }
}

/// The inner loops for one kind of processor. There is such a value only where the processor has what it asks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Kernels(Path);

/// Calls a function of the path.
macro_rules! on_path {
    ($path:expr, $function:ident($($argument:expr),*)) => {
        match $path {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernels::available` makes this value only where the processor has AVX-512 BW.
            Path::Avx512 => unsafe { avx512::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernels::available` makes this value only where the processor has AVX2.
            Path::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128 => simd128::$function($($argument),*),
            Path::Portable => portable::$function($($argument),*),
        }
    };
}

impl Kernels {
    /// Those that this processor can run, the fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Path::ALL.iter().copied().filter(|path| path.is_available()).map(Self)
    }

    /// The fastest, or those that the environment variable `GARDEZ_SIMD` names if they are available.
    #[must_use]
    pub fn choose() -> Self {
        let wanted = std::env::var(VARIABLE).unwrap_or_default();
        Self::available()
            .find(|kernels| kernels.name().eq_ignore_ascii_case(&wanted))
            .or_else(|| Self::available().next())
            .unwrap_or(Self(Path::Portable))
    }

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => "AVX2",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128 => "simd128",
            Path::Portable => "portable",
        }
    }

    /// Adds a row of weights.
    #[inline]
    pub(crate) fn add(self, sums: &mut Sums, row: &Sums) {
        on_path!(self.0, add(sums, row));
    }

    /// Subtracts a row of weights.
    #[inline]
    pub(crate) fn subtract(self, sums: &mut Sums, row: &Sums) {
        on_path!(self.0, subtract(sums, row));
    }

    /// A quiet move: `to` is `from` plus one row minus another.
    #[inline]
    pub(crate) fn move_one(self, from: &Sums, to: &mut Sums, placed: &Sums, removed: &Sums) {
        on_path!(self.0, move_one(from, to, placed, removed));
    }

    /// A capture: `to` is `from` plus one row minus two others.
    #[inline]
    pub(crate) fn capture_one(self, from: &Sums, to: &mut Sums, placed: &Sums, removed: [&Sums; 2]) {
        on_path!(self.0, capture_one(from, to, placed, removed));
    }

    /// The sums, clipped and squared, times the weights of the last layer.
    #[inline]
    pub(crate) fn dot(self, sums: &Sums, weights: &Sums) -> i64 {
        on_path!(self.0, dot(sums, weights))
    }
}

/// A sum, clipped and squared, in 15 bits.
#[inline]
pub(crate) fn activate(sum: i32) -> i32 {
    let clipped = sum.clamp(0, QA);
    (clipped * clipped) >> SQUARE_SHIFT
}

/// Loops that the compiler makes vectors of, whatever it compiles for.
mod loops {
    use super::Sums;

    #[inline(always)]
    pub(super) fn add(sums: &mut Sums, row: &Sums) {
        for (sum, weight) in sums.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(sums: &mut Sums, row: &Sums) {
        for (sum, weight) in sums.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    #[inline(always)]
    pub(super) fn move_one(from: &Sums, to: &mut Sums, placed: &Sums, removed: &Sums) {
        let rows = placed.0.iter().zip(&removed.0);
        for ((to, from), (placed, removed)) in to.0.iter_mut().zip(&from.0).zip(rows) {
            *to = from.wrapping_add(*placed).wrapping_sub(*removed);
        }
    }

    #[inline(always)]
    pub(super) fn capture_one(from: &Sums, to: &mut Sums, placed: &Sums, removed: [&Sums; 2]) {
        let rows = placed.0.iter().zip(&removed[0].0).zip(&removed[1].0);
        for ((to, from), ((placed, first), second)) in to.0.iter_mut().zip(&from.0).zip(rows) {
            *to = from.wrapping_add(*placed).wrapping_sub(*first).wrapping_sub(*second);
        }
    }
}

/// The loops, compiled for processors that have a feature.
#[cfg(target_arch = "x86_64")]
macro_rules! loops_for {
    ($feature:literal) => {
        #[inline]
        #[target_feature(enable = $feature)]
        pub(super) fn add(sums: &mut Sums, row: &Sums) {
            super::loops::add(sums, row);
        }

        #[inline]
        #[target_feature(enable = $feature)]
        pub(super) fn subtract(sums: &mut Sums, row: &Sums) {
            super::loops::subtract(sums, row);
        }

        #[inline]
        #[target_feature(enable = $feature)]
        pub(super) fn move_one(from: &Sums, to: &mut Sums, placed: &Sums, removed: &Sums) {
            super::loops::move_one(from, to, placed, removed);
        }

        #[inline]
        #[target_feature(enable = $feature)]
        pub(super) fn capture_one(from: &Sums, to: &mut Sums, placed: &Sums, removed: [&Sums; 2]) {
            super::loops::capture_one(from, to, placed, removed);
        }
    };
}

mod portable {
    use super::{Sums, activate};

    pub(super) use super::loops::{add, capture_one, move_one, subtract};

    pub(super) fn dot(sums: &Sums, weights: &Sums) -> i64 {
        // Few enough products are added up in 32 bits that these suffice, so that the compiler makes vectors of it.
        const PART: usize = 64;
        let parts = sums.0.chunks(PART).zip(weights.0.chunks(PART));
        parts
            .map(|(sums, weights)| {
                let products = sums.iter().zip(weights);
                products.map(|(&sum, &weight)| activate(sum.into()) * i32::from(weight)).sum::<i32>()
            })
            .map(i64::from)
            .sum()
    }
}

/// Shifts to the left of a clipped sum and of its copy, such that the upper 16 bits of their product are its square, less
/// the lowest bits.
#[cfg(target_arch = "x86_64")]
const SHIFTS: (u32, u32) = (7, 16 - SQUARE_SHIFT as u32 - 7);

#[cfg(target_arch = "x86_64")]
const _: () = assert!(QA << SHIFTS.0 <= u16::MAX as i32 && (QA * QA) >> SQUARE_SHIFT <= i16::MAX as i32);

// A square fits into 15 bits, its product with a weight, which is at most 512, into 24. Each of the eight lanes of AVX2
// adds up at most 1024 / 8 of those, which fit into 31; the sixteen of AVX-512 half as many.

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{QA, SHIFTS, Sums};
    use crate::HIDDEN;
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
        _mm256_mulhi_epu16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_store_si256,
    };

    /// Numbers of 16 bits in a register.
    const LANES: usize = 16;

    #[repr(C, align(32))]
    struct Lanes([i32; LANES / 2]);

    loops_for!("avx2");

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn dot(sums: &Sums, weights: &Sums) -> i64 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
        let mut total = _mm256_setzero_si256();
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: `at` goes up to HIDDEN - LANES, so both stay within the arrays; these are aligned to 64
            // bytes, and so are all steps of LANES numbers to 32.
            let (sum, weight) = unsafe {
                (
                    _mm256_load_si256(sums.0.as_ptr().add(at).cast::<__m256i>()),
                    _mm256_load_si256(weights.0.as_ptr().add(at).cast::<__m256i>()),
                )
            };
            let clipped = _mm256_min_epi16(_mm256_max_epi16(sum, zero), one);
            let (left, right) = (
                _mm256_slli_epi16::<{ SHIFTS.0 as i32 }>(clipped),
                _mm256_slli_epi16::<{ SHIFTS.1 as i32 }>(clipped),
            );
            let squared = _mm256_mulhi_epu16(left, right);
            total = _mm256_add_epi32(total, _mm256_madd_epi16(squared, weight));
        }
        let mut lanes = Lanes([0; LANES / 2]);
        // SAFETY: `lanes` is as long as the register and aligned to 32 bytes.
        unsafe { _mm256_store_si256(lanes.0.as_mut_ptr().cast::<__m256i>(), total) };
        lanes.0.iter().map(|&lane| i64::from(lane)).sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{QA, SHIFTS, Sums};
    use crate::HIDDEN;
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16,
        _mm512_mulhi_epu16, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_slli_epi16, _mm512_store_si512,
    };

    /// Numbers of 16 bits in a register.
    const LANES: usize = 32;

    #[repr(C, align(64))]
    struct Lanes([i32; LANES / 2]);

    loops_for!("avx512bw");

    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(super) fn dot(sums: &Sums, weights: &Sums) -> i64 {
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
        let mut total = _mm512_setzero_si512();
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: `at` goes up to HIDDEN - LANES, so both stay within the arrays; these are aligned to 64
            // bytes, and so are all steps of LANES numbers.
            let (sum, weight) = unsafe {
                (
                    _mm512_load_si512(sums.0.as_ptr().add(at).cast::<__m512i>()),
                    _mm512_load_si512(weights.0.as_ptr().add(at).cast::<__m512i>()),
                )
            };
            let clipped = _mm512_min_epi16(_mm512_max_epi16(sum, zero), one);
            let (left, right) =
                (_mm512_slli_epi16::<{ SHIFTS.0 }>(clipped), _mm512_slli_epi16::<{ SHIFTS.1 }>(clipped));
            let squared = _mm512_mulhi_epu16(left, right);
            total = _mm512_add_epi32(total, _mm512_madd_epi16(squared, weight));
        }
        let mut lanes = Lanes([0; LANES / 2]);
        // SAFETY: `lanes` is as long as the register and aligned to 64 bytes.
        unsafe { _mm512_store_si512(lanes.0.as_mut_ptr().cast::<__m512i>(), total) };
        lanes.0.iter().map(|&lane| i64::from(lane)).sum()
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use super::{QA, SQUARE_SHIFT, Sums};
    use crate::HIDDEN;
    use std::arch::wasm32::{
        i16x8_max, i16x8_min, i16x8_narrow_i32x4, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
        i32x4_extmul_high_i16x8, i32x4_extmul_low_i16x8, i32x4_extract_lane, i32x4_shr, i32x4_splat, v128,
        v128_load,
    };

    pub(super) use super::loops::{add, capture_one, move_one, subtract};

    /// Numbers of 16 bits in a register.
    const LANES: usize = 8;

    // A product of a square and a weight has 24 bits; each of the four lanes adds up a quarter of them.
    const _: () = assert!(HIDDEN.is_multiple_of(LANES) && HIDDEN / 4 <= 1 << 7);

    pub(super) fn dot(sums: &Sums, weights: &Sums) -> i64 {
        let (zero, one) = (i16x8_splat(0), i16x8_splat(QA as i16));
        let mut total = i32x4_splat(0);
        for at in (0..HIDDEN).step_by(LANES) {
            // SAFETY: `at` goes up to HIDDEN - LANES, so both stay within the arrays.
            let (sum, weight) = unsafe {
                (
                    v128_load(sums.0.as_ptr().add(at).cast::<v128>()),
                    v128_load(weights.0.as_ptr().add(at).cast::<v128>()),
                )
            };
            let clipped = i16x8_min(i16x8_max(sum, zero), one);
            let low = i32x4_shr(i32x4_extmul_low_i16x8(clipped, clipped), SQUARE_SHIFT as u32);
            let high = i32x4_shr(i32x4_extmul_high_i16x8(clipped, clipped), SQUARE_SHIFT as u32);
            // A square has 15 bits, so that nothing is lost here.
            let squared = i16x8_narrow_i32x4(low, high);
            total = i32x4_add(total, i32x4_dot_i16x8(squared, weight));
        }
        let lanes = [
            i32x4_extract_lane::<0>(total),
            i32x4_extract_lane::<1>(total),
            i32x4_extract_lane::<2>(total),
            i32x4_extract_lane::<3>(total),
        ];
        lanes.into_iter().map(i64::from).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HIDDEN, MAX_OUTPUT_WEIGHT};
    use proptest::prelude::*;

    fn sums(range: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = Sums> {
        proptest::collection::vec(range, HIDDEN).prop_map(|values| {
            let mut sums = Sums::ZERO;
            sums.0.copy_from_slice(&values);
            sums
        })
    }

    proptest! {
        #[test]
        fn all_paths_agree(
            values in sums(i16::MIN..=i16::MAX),
            near in sums(-300..=900),
            weights in sums(-MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT),
        ) {
            for kernels in Kernels::available() {
                prop_assert_eq!(kernels.dot(&values, &weights), portable::dot(&values, &weights), "{}", kernels.name());
                prop_assert_eq!(kernels.dot(&near, &weights), portable::dot(&near, &weights), "{}", kernels.name());
            }
        }

        #[test]
        fn fused_steps_are_the_single_steps(from in sums(-9000..=9000), rows in proptest::collection::vec(sums(-992..=992), 3)) {
            let mut steps = from;
            portable::add(&mut steps, &rows[0]);
            portable::subtract(&mut steps, &rows[1]);
            let moved = steps;
            portable::subtract(&mut steps, &rows[2]);
            for kernels in Kernels::available() {
                let mut to = Sums::ZERO;
                kernels.move_one(&from, &mut to, &rows[0], &rows[1]);
                prop_assert_eq!(to, moved, "{}", kernels.name());
                kernels.capture_one(&from, &mut to, &rows[0], [&rows[1], &rows[2]]);
                prop_assert_eq!(to, steps, "{}", kernels.name());
                kernels.add(&mut to, &rows[2]);
                prop_assert_eq!(to, moved, "{}", kernels.name());
                kernels.subtract(&mut to, &rows[2]);
                prop_assert_eq!(to, steps, "{}", kernels.name());
            }
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        for weight in [-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT] {
            let (sums, weights) = (Sums([i16::MAX; HIDDEN]), Sums([weight; HIDDEN]));
            let expected = i64::from(activate(QA)) * i64::from(weight) * HIDDEN as i64;
            for kernels in Kernels::available() {
                assert_eq!(kernels.dot(&sums, &weights), expected, "{}", kernels.name());
            }
        }
    }

    #[test]
    fn the_portable_path_is_always_there() {
        assert_eq!(Kernels::available().last(), Some(Kernels(Path::Portable)));
    }
}
