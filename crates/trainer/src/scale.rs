//! How many units make how much of a chance.

use crate::loss::probability;
use rayon::prelude::*;

const CHUNK: usize = 4096;
const SMALLEST: f64 = 10.0;
const LARGEST: f64 = 2_000.0;
const STEPS: usize = 40;

/// The scale under which values best predict how games ended: the one with the least squared difference between
/// `probability(value, scale)` and White's points. Found by golden section.
#[must_use]
pub(crate) fn fit_scale(pairs: &[(f32, f32)]) -> f32 {
    let loss = |scale: f64| -> f64 {
        let sums = pairs.par_chunks(CHUNK).map(|pairs| -> f64 {
            pairs
                .iter()
                .map(|&(value, points)| f64::from(probability(value, scale as f32) - points).powi(2))
                .sum()
        });
        // Added up in order: sums of real numbers depend on it.
        sums.collect::<Vec<_>>().iter().sum()
    };
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (SMALLEST, LARGEST);
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut losses = inner.map(loss);
    for _ in 0..STEPS {
        if losses[0] < losses[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            losses = [loss(inner[0]), losses[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            losses = [losses[1], loss(inner[1])];
        }
    }
    f64::midpoint(low, high) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::random::Random;

    #[test]
    fn the_scale_behind_results_is_found() {
        for scale in [60.0, 150.0, 400.0] {
            let mut random = Random::stream(1, scale as u64);
            let pairs: Vec<(f32, f32)> = (0..40_000)
                .map(|_| {
                    let value = random.below(1200) as f32 - 600.0;
                    let wins = (random.below(1 << 24) as f32) < probability(value, scale) * (1 << 24) as f32;
                    (value, if wins { 1.0 } else { 0.0 })
                })
                .collect();
            let fitted = fit_scale(&pairs);
            assert!((fitted / scale - 1.0).abs() < 0.05, "{fitted} for {scale}");
            assert_eq!(fitted.to_bits(), crate::with_threads(3, || fit_scale(&pairs)).unwrap().to_bits());
        }
    }
}
