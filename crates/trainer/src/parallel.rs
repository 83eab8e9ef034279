//! Work in pieces on several threads, with the results in order.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does something with each piece of at most `size` items and returns the results in the order of the pieces.
/// Which thread does which piece is left to chance, so what is done must not depend on it.
pub(crate) fn map_chunks<T: Sync, R: Send>(
    items: &[T],
    size: usize,
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let chunks: Vec<&[T]> = items.chunks(size).collect();
    if threads <= 1 || chunks.len() <= 1 {
        return chunks.into_iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(index) else { return done };
            done.push((index, work(chunk)));
        }
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.min(chunks.len())).map(|_| scope.spawn(take)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let sums = map_chunks(&items, 30, threads, |chunk| chunk.iter().sum::<u32>());
            assert_eq!(sums.len(), 34);
            assert_eq!(sums[0], (0..30).sum());
            assert_eq!(sums[33], (990..1000).sum());
        }
        assert!(map_chunks(&[0_u8; 0], 5, 3, |_| ()).is_empty());
    }
}
