//! Decides between PEXT and magic multiplication for the sliding attacks (`cfg(fast_pext)`).
//!
//! BMI2 alone is not enough: AMD before Zen 3 has the instruction in microcode, tens of times slower
//! than a multiplication. `GARDEZ_PEXT=0` or `=1` overrides the choice.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(fast_pext)");
    println!("cargo::rerun-if-env-changed=GARDEZ_PEXT");
    println!("cargo::rerun-if-changed=build.rs");

    let target_features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let target_has_bmi2 = target_features.split(',').any(|feature| feature == "bmi2");
    let wanted = match std::env::var("GARDEZ_PEXT").as_deref() {
        Ok("0") => false,
        Ok("1") => true,
        _ => !host_has_slow_pext(),
    };
    if target_has_bmi2 && wanted {
        println!("cargo::rustc-cfg=fast_pext");
    }
}

/// AMD families 0x15 to 0x18: Excavator, Zen, Zen+ and Zen 2.
#[cfg(target_arch = "x86_64")]
fn host_has_slow_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    is_amd && (0x15..=0x18).contains(&family)
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_slow_pext() -> bool {
    true
}
