//! The encoding of a file: UTF-16 with a byte order mark is read as UTF-8, everything else as it is.

use std::io::{self, Read};

/// Bytes of UTF-16 that are read at a time.
const CHUNK_BYTES: usize = 4096;

/// What the first two bytes say.
enum Encoding {
    Unknown,
    Plain,
    Utf16(fn([u8; 2]) -> u16),
}

/// A source whose UTF-16, if it is that, comes out as UTF-8.
pub(super) struct Decoder<R> {
    source: R,
    encoding: Encoding,
    /// Bytes that are to be handed out before others.
    ready: Vec<u8>,
    handed_out: usize,
    /// Half a unit, or half a pair of units, from the last chunk.
    half_unit: Option<u8>,
    half_pair: Option<u16>,
}

impl<R: Read> Decoder<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            encoding: Encoding::Unknown,
            ready: Vec::new(),
            handed_out: 0,
            half_unit: None,
            half_pair: None,
        }
    }

    #[cold]
    fn look_at_mark(&mut self) -> io::Result<()> {
        let mut mark = [0; 2];
        let mut length = 0;
        while length < 2 {
            match self.source.read(&mut mark[length..]) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.encoding = match mark {
            [0xff, 0xfe] => Encoding::Utf16(u16::from_le_bytes),
            [0xfe, 0xff] => Encoding::Utf16(u16::from_be_bytes),
            _ => {
                self.ready.extend(&mark[..length]);
                Encoding::Plain
            }
        };
        Ok(())
    }

    #[cold]
    fn decode_chunk(&mut self, unit_of: fn([u8; 2]) -> u16) -> io::Result<()> {
        self.ready.clear();
        self.handed_out = 0;
        let mut chunk = [0; CHUNK_BYTES];
        while self.ready.is_empty() {
            let count = self.source.read(&mut chunk)?;
            let bytes = self.half_unit.take().into_iter().chain(chunk[..count].iter().copied());
            let bytes: Vec<u8> = bytes.collect();
            let pairs = bytes.chunks_exact(2);
            self.half_unit = pairs.remainder().first().copied().filter(|_| count > 0);
            let mut units: Vec<u16> = self.half_pair.take().into_iter().collect();
            units.extend(pairs.map(|pair| unit_of([pair[0], pair[1]])));
            if count > 0 && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
                self.half_pair = units.pop();
            }
            let text: String =
                char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            self.ready.extend(text.bytes());
            if count == 0 {
                break;
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Encoding::Unknown = self.encoding {
            self.look_at_mark()?;
        }
        if self.handed_out == self.ready.len() {
            match self.encoding {
                Encoding::Utf16(unit_of) => self.decode_chunk(unit_of)?,
                Encoding::Plain | Encoding::Unknown => return self.source.read(buffer),
            }
        }
        let waiting = &self.ready[self.handed_out..];
        let count = waiting.len().min(buffer.len());
        buffer[..count].copy_from_slice(&waiting[..count]);
        self.handed_out += count;
        Ok(count)
    }
}
