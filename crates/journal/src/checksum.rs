//! Noticing that a file has changed.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Length and FNV-1a checksum of a file, to notice that it has changed.
///
/// # Errors
/// When it cannot be read.
pub fn checksum(path: &Path) -> io::Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let (mut length, mut sum) = (0, 0xcbf2_9ce4_8422_2325_u64);
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok((length, sum));
        }
        length += count as u64;
        for byte in &buffer[..count] {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
