//! Sorting more than memory holds: sorted runs in files, merged at the end.

use crate::{ExplorerError, at};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// That a position with this key was reached in a game, and which move was played there; 0 if none was.
///
/// Ordered by key, then by game.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Posting {
    pub(crate) key: u64,
    pub(crate) game: u32,
    pub(crate) mv: u16,
}

/// Bytes of a posting in a run.
const SIZE: usize = 14;

/// Sorts postings and writes them as a run.
pub(crate) fn write(path: &Path, mut postings: Vec<Posting>) -> Result<(), ExplorerError> {
    postings.sort_unstable();
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).map_err(at(path))?);
    for Posting { key, game, mv } in postings {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..12].copy_from_slice(&game.to_le_bytes());
        bytes[12..].copy_from_slice(&mv.to_le_bytes());
        file.write_all(&bytes).map_err(at(path))?;
    }
    file.flush().map_err(at(path))
}

/// The postings of all runs in order. Each run is removed when it is read.
pub(crate) struct Merge {
    runs: Vec<Run>,
    next: BinaryHeap<Reverse<(Posting, usize)>>,
}

struct Run {
    path: PathBuf,
    file: BufReader<File>,
}

impl Run {
    fn read(&mut self) -> Result<Option<Posting>, ExplorerError> {
        let mut bytes = [0; SIZE];
        match self.file.read_exact(&mut bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                fs::remove_file(&self.path).map_err(at(&self.path))?;
                return Ok(None);
            }
            Err(error) => return Err(at(&self.path)(error)),
        }
        Ok(Some(Posting {
            key: u64::from_le_bytes(std::array::from_fn(|index| bytes[index])),
            game: u32::from_le_bytes(std::array::from_fn(|index| bytes[8 + index])),
            mv: u16::from_le_bytes(std::array::from_fn(|index| bytes[12 + index])),
        }))
    }
}

impl Merge {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Result<Self, ExplorerError> {
        let mut merge = Self { runs: Vec::new(), next: BinaryHeap::new() };
        for path in paths {
            let file = BufReader::with_capacity(1 << 18, File::open(&path).map_err(at(&path))?);
            merge.runs.push(Run { path, file });
            merge.refill(merge.runs.len() - 1)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, run: usize) -> Result<(), ExplorerError> {
        if let Some(posting) = self.runs[run].read()? {
            self.next.push(Reverse((posting, run)));
        }
        Ok(())
    }

    pub(crate) fn next(&mut self) -> Result<Option<Posting>, ExplorerError> {
        let Some(Reverse((posting, run))) = self.next.pop() else { return Ok(None) };
        self.refill(run)?;
        Ok(Some(posting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::random::Random;

    #[test]
    fn runs_merge_into_one_order() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut random = Random::new(3);
        let mut all = Vec::new();
        let mut paths = Vec::new();
        for run in 0..5 {
            let postings: Vec<Posting> = (0..100 * run)
                .map(|_| Posting { key: random.below(50) as u64, game: random.below(1000) as u32, mv: 1 })
                .collect();
            all.extend(postings.iter().copied());
            paths.push(directory.path().join(run.to_string()));
            write(paths.last().expect("a path"), postings).expect("written");
        }
        all.sort_unstable();
        let mut merge = Merge::new(paths.clone()).expect("runs");
        let mut merged = Vec::new();
        while let Some(posting) = merge.next().expect("readable") {
            merged.push(posting);
        }
        assert_eq!(merged, all);
        assert!(paths.iter().all(|path| !path.exists()));
    }
}
