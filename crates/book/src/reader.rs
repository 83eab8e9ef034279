//! Reading Polyglot files: sixteen bytes an entry, everything with the largest byte first.

use crate::book::BookEntry;
use crate::{BookFault, MoveCode};
use std::io::{self, Read, Write};

/// The size of an entry: key, move, weight, and four bytes for programs that learn.
const ENTRY_BYTES: usize = 16;

/// The most entries, which take a gibibyte.
const MAX_ENTRIES: usize = 1 << 26;

/// Refuses a file by its length, before anything of it is read.
pub(crate) const fn check_length(bytes: u64) -> Result<(), BookFault> {
    if bytes / ENTRY_BYTES as u64 > MAX_ENTRIES as u64 {
        return Err(BookFault::TooLong { limit: MAX_ENTRIES });
    }
    Ok(())
}

/// Reads all entries and checks them.
pub(crate) fn read(mut source: impl Read) -> Result<Vec<BookEntry>, BookFault> {
    let mut entries: Vec<BookEntry> = Vec::new();
    let mut bytes = [0; ENTRY_BYTES];
    loop {
        let number = entries.len() + 1;
        match fill(&mut source, &mut bytes).map_err(BookFault::Unreadable)? {
            0 if entries.is_empty() => return Err(BookFault::Empty),
            0 => return Ok(entries),
            ENTRY_BYTES => {}
            torn => return Err(BookFault::Torn { entry: number, bytes: torn }),
        }
        if entries.len() == MAX_ENTRIES {
            return Err(BookFault::TooLong { limit: MAX_ENTRIES });
        }
        let entry = decode(&bytes);
        let previous = entries.last().map_or(0, |last| last.key);
        if entry.key < previous {
            return Err(BookFault::Unsorted { entry: number, key: entry.key, previous });
        }
        // Some programs put words about the book under the key 0, which no position has.
        if entry.key != 0 && !entry.code.is_possible() {
            return Err(BookFault::NoMove { entry: number, code: entry.code.0 });
        }
        entries.push(entry);
    }
}

/// Reads until the bytes are full or the source ends, and returns how many there are.
fn fill(source: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match source.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn decode(bytes: &[u8; ENTRY_BYTES]) -> BookEntry {
    let [key @ .., c0, c1, w0, w1, _, _, _, _] = *bytes;
    BookEntry {
        key: u64::from_be_bytes(key),
        code: MoveCode(u16::from_be_bytes([c0, c1])),
        weight: u16::from_be_bytes([w0, w1]),
    }
}

/// Writes entries as they are.
pub(crate) fn write(entries: &[BookEntry], mut target: impl Write) -> io::Result<()> {
    for entry in entries {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&entry.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&entry.code.0.to_be_bytes());
        bytes[10..12].copy_from_slice(&entry.weight.to_be_bytes());
        target.write_all(&bytes)?;
    }
    target.flush()
}
