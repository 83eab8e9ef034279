//! What `gardez --version` prints: which program this is, and what it makes of the processor.

use chess::attacks::sliding;
use std::fmt::Write;

/// The version with commit, target, processor and network, a line each.
pub(crate) fn long() -> String {
    let mut text = format!(
        "{} (commit {}, {})",
        env!("CARGO_PKG_VERSION"),
        env!("GARDEZ_COMMIT"),
        env!("GARDEZ_TARGET")
    );
    let _ = write!(text, "\nprocessor: {}", processor());
    let _ = write!(text, "\nnetwork: {}", network());
    text
}

/// The ways this program takes on this processor, and what the processor could do besides.
pub(crate) fn processor() -> String {
    let features = features();
    let has = if features.is_empty() { String::new() } else { format!("; it has {}", features.join(", ")) };
    format!("network by {}, sliding attacks by {}{has}", nnue::Kernels::choose().name(), sliding::METHOD)
}

/// The network that is built in.
pub(crate) fn network() -> String {
    match nnue::embedded() {
        Some(network) => {
            let kind =
                if network.is_correction() { "corrects the handcrafted evaluation" } else { "stands alone" };
            format!("built in, {} neurons, {kind}", nnue::HIDDEN)
        }
        None => "none built in; the handcrafted evaluation plays".to_owned(),
    }
}

/// Extensions of the processor that matter to the engine.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let known = [
        ("POPCNT", std::arch::is_x86_feature_detected!("popcnt")),
        ("BMI2", std::arch::is_x86_feature_detected!("bmi2")),
        ("AVX2", std::arch::is_x86_feature_detected!("avx2")),
        ("AVX-512", std::arch::is_x86_feature_detected!("avx512bw")),
        ("VNNI", std::arch::is_x86_feature_detected!("avx512vnni")),
    ];
    known.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
