//! The instructions Rust has no safe names for.

/// The bits of `value` under `mask`, packed together at the low end.
#[inline]
#[allow(unsafe_code)]
pub(super) fn extract_bits(value: u64, mask: u64) -> u64 {
    // SAFETY: `fast_pext` is set by the build script only when the target has BMI2, which is all the
    // intrinsic asks for.
    unsafe { std::arch::x86_64::_pext_u64(value, mask) }
}

/// The low bits of `value`, spread over the places under `mask`.
#[inline]
#[allow(unsafe_code)]
pub(super) fn deposit_bits(value: u64, mask: u64) -> u64 {
    // SAFETY: `fast_pext` is set only when the target has BMI2, to which this intrinsic belongs too.
    unsafe { std::arch::x86_64::_pdep_u64(value, mask) }
}
