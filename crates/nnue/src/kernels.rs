//! The inner loops. Sums are added up in plain loops that the compiler makes vectors of; only the last layer
//! is written out, for AVX2 and for WebAssembly's vectors. Every path gives the same result to the last bit.

#![allow(unsafe_code)]

use crate::network::Sums;
use crate::{QA, SQUARE_SHIFT};

/// Which way the last layer goes in this build.
pub const PATH: &str = if cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
    "AVX2"
} else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
    "simd128"
} else {
    "portable"
};

/// Adds a row of weights.
#[inline]
pub(crate) fn add(sums: &mut Sums, row: &Sums) {
    for (sum, weight) in sums.0.iter_mut().zip(&row.0) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Subtracts a row of weights.
#[inline]
pub(crate) fn subtract(sums: &mut Sums, row: &Sums) {
    for (sum, weight) in sums.0.iter_mut().zip(&row.0) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// A quiet move: `to` is `from` plus one row minus another.
#[inline]
pub(crate) fn move_one(from: &Sums, to: &mut Sums, placed: &Sums, removed: &Sums) {
    let rows = placed.0.iter().zip(&removed.0);
    for ((to, from), (placed, removed)) in to.0.iter_mut().zip(&from.0).zip(rows) {
        *to = from.wrapping_add(*placed).wrapping_sub(*removed);
    }
}

/// A capture: `to` is `from` plus one row minus two others.
#[inline]
pub(crate) fn capture_one(from: &Sums, to: &mut Sums, placed: &Sums, removed: [&Sums; 2]) {
    let rows = placed.0.iter().zip(&removed[0].0).zip(&removed[1].0);
    for ((to, from), ((placed, first), second)) in to.0.iter_mut().zip(&from.0).zip(rows) {
        *to = from.wrapping_add(*placed).wrapping_sub(*first).wrapping_sub(*second);
    }
}

/// A sum, clipped and squared, in 15 bits.
#[inline]
pub(crate) fn activate(sum: i32) -> i32 {
    let clipped = sum.clamp(0, QA);
    (clipped * clipped) >> SQUARE_SHIFT
}

/// The sums, clipped and squared, times the weights of the last layer.
#[inline]
pub(crate) fn dot(sums: &Sums, weights: &Sums) -> i64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        // SAFETY: this is compiled only for targets that have AVX2.
        unsafe { avx2::dot(sums, weights) }
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    {
        simd128::dot(sums, weights)
    }
    #[cfg(not(any(
        all(target_arch = "x86_64", target_feature = "avx2"),
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    portable_dot(sums, weights)
}

#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "avx2"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
fn portable_dot(sums: &Sums, weights: &Sums) -> i64 {
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

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    use super::{QA, SQUARE_SHIFT, Sums};
    use crate::HIDDEN;
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
        _mm256_mulhi_epu16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_store_si256,
    };

    /// Numbers of 16 bits in a register.
    const LANES: usize = 16;

    #[repr(C, align(32))]
    struct Lanes([i32; LANES / 2]);

    /// Shifts to the left such that the upper half of a product of 32 bits is the square, less its lowest bits.
    const LEFT: i32 = 7;
    const _: () = assert!(QA << LEFT <= u16::MAX as i32 && (QA * QA) >> SQUARE_SHIFT <= i16::MAX as i32);

    /// A square fits into 15 bits, its product with a weight, which is at most 512, into 24. Each of the eight
    /// lanes adds up at most 1024 / 8 of those, which fit into 31.
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
                _mm256_slli_epi16::<LEFT>(clipped),
                _mm256_slli_epi16::<{ 16 - SQUARE_SHIFT - LEFT }>(clipped),
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

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use super::{QA, SQUARE_SHIFT, Sums};
    use crate::HIDDEN;
    use std::arch::wasm32::{
        i16x8_max, i16x8_min, i16x8_narrow_i32x4, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
        i32x4_extmul_high_i16x8, i32x4_extmul_low_i16x8, i32x4_extract_lane, i32x4_shr, i32x4_splat, v128,
        v128_load,
    };

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
            prop_assert_eq!(dot(&values, &weights), portable_dot(&values, &weights));
            prop_assert_eq!(dot(&near, &weights), portable_dot(&near, &weights));
        }

        #[test]
        fn fused_steps_are_the_single_steps(from in sums(-9000..=9000), rows in proptest::collection::vec(sums(-992..=992), 3)) {
            let mut steps = from;
            add(&mut steps, &rows[0]);
            subtract(&mut steps, &rows[1]);
            let mut to = Sums::ZERO;
            move_one(&from, &mut to, &rows[0], &rows[1]);
            prop_assert_eq!(to, steps);
            subtract(&mut steps, &rows[2]);
            capture_one(&from, &mut to, &rows[0], [&rows[1], &rows[2]]);
            prop_assert_eq!(to, steps);
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        for weight in [-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT] {
            let (sums, weights) = (Sums([i16::MAX; HIDDEN]), Sums([weight; HIDDEN]));
            let expected = i64::from(activate(QA)) * i64::from(weight) * HIDDEN as i64;
            assert_eq!(dot(&sums, &weights), expected);
            assert_eq!(portable_dot(&sums, &weights), expected);
        }
    }
}
