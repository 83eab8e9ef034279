//! Time as experiments measure it.

use std::fs;
use std::time::Instant;

/// Measures the processor time of the program where the system reports it (Linux does), so that other work on
/// the machine does not count; elsewhere the time on the clock.
pub(crate) struct Stopwatch {
    processor: Option<u64>,
    clock: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { processor: processor_nanos(), clock: Instant::now() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        let by_processor =
            self.processor.zip(processor_nanos()).map(|(start, now)| now.saturating_sub(start));
        // The system counts in steps; what is shorter than one is left to the clock.
        match by_processor {
            Some(nanos) if nanos > 0 => nanos as f64 / 1e9,
            _ => self.clock.elapsed().as_secs_f64(),
        }
    }
}

/// What the threads of this program that are alive have used so far.
fn processor_nanos() -> Option<u64> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    threads.map(|thread| used_by(&fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?)).sum()
}

/// The first of three numbers is the time on the processor.
fn used_by(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_first_number() {
        assert_eq!(used_by("696919 71132 1\n"), Some(696_919));
        assert_eq!(used_by("-"), None);
        assert_eq!(used_by(""), None);
    }

    #[test]
    fn work_takes_time() {
        let stopwatch = Stopwatch::start();
        let sum = (0..1_000_000_u64).fold(0, |sum, number| std::hint::black_box(sum ^ number));
        assert!(stopwatch.seconds() > 0.0, "{sum}");
    }
}
