//! Frames: the record of one game with its length and checksum.

use crate::checksum::crc32;
use crate::error::FileError;
use std::io::{self, Read};

/// Length and checksum.
pub(crate) const FRAME_START: usize = 8;

/// Longer than the record of any game that the fifty-move rule ends.
pub(crate) const MAX_RECORD: usize = 1 << 16;

/// A result, a position with two pieces, and no moves.
const MIN_RECORD: usize = 15;

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// What stands at the front of some bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Frame {
    /// A whole frame with a record of this length.
    Whole(usize),
    /// The bytes end before the frame does.
    Short,
    /// Length or checksum are wrong.
    Garbled,
}

impl Frame {
    pub(crate) fn at_front_of(bytes: &[u8]) -> Self {
        let Some((&length, rest)) = bytes.split_first_chunk::<4>() else { return Self::Short };
        let Some((&checksum, rest)) = rest.split_first_chunk::<4>() else { return Self::Short };
        let count = u32::from_le_bytes(length) as usize;
        if !(MIN_RECORD..=MAX_RECORD).contains(&count) {
            return Self::Garbled;
        }
        match rest.get(..count) {
            None => Self::Short,
            Some(record) if crc32(&[&length, record]) == u32::from_le_bytes(checksum) => Self::Whole(count),
            Some(_) => Self::Garbled,
        }
    }
}

/// Writes length and checksum in front of a record, for which [`FRAME_START`] bytes are reserved.
pub(crate) fn seal(frame: &mut [u8]) -> Result<(), FileError> {
    let count = frame.len() - FRAME_START;
    if count > MAX_RECORD {
        return Err(FileError::TooLong(count));
    }
    let length = (count as u32).to_le_bytes();
    let checksum = crc32(&[&length, &frame[FRAME_START..]]).to_le_bytes();
    frame[..4].copy_from_slice(&length);
    frame[4..FRAME_START].copy_from_slice(&checksum);
    Ok(())
}

/// The part of a source that is being looked at. Once the source has ended nothing more is read from it, even if it
/// has grown since.
#[derive(Debug)]
pub(crate) struct Window<R> {
    source: R,
    bytes: Vec<u8>,
    /// Where the bytes that are not yet consumed begin.
    start: usize,
    ended: bool,
}

impl<R: Read> Window<R> {
    pub(crate) const fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), start: 0, ended: false }
    }

    /// What comes next: a whole number of frames of any size at least, or everything up to the end.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Whether the window reaches to the end of the source.
    pub(crate) const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads until there is room for any frame, or the source ends.
    pub(crate) fn fill(&mut self) -> io::Result<()> {
        while !self.ended && self.bytes.len() - self.start < FRAME_START + MAX_RECORD {
            self.bytes.drain(..self.start);
            self.start = 0;
            let there = self.bytes.len();
            let read = self.source.by_ref().take(CHUNK as u64).read_to_end(&mut self.bytes)?;
            self.ended = read < CHUNK;
            debug_assert_eq!(self.bytes.len(), there + read);
        }
        Ok(())
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
        debug_assert!(self.start <= self.bytes.len());
    }

    /// Consumes everything before the next whole frame, or before the end if there is none. Returns the number of
    /// bytes and whether there is a frame.
    pub(crate) fn skip_to_whole_frame(&mut self) -> io::Result<(u64, bool)> {
        let mut skipped = 0;
        loop {
            self.fill()?;
            let bytes = self.bytes();
            // Where the longest frame could still begin; at the end of the source, everywhere.
            let decided = if self.ended { bytes.len() } else { bytes.len() - (FRAME_START + MAX_RECORD) + 1 };
            let found = (0..decided).find(|&at| matches!(Frame::at_front_of(&bytes[at..]), Frame::Whole(_)));
            let count = found.unwrap_or(decided);
            self.consume(count);
            skipped += count as u64;
            if found.is_some() || (self.ended && self.bytes().is_empty()) {
                return Ok((skipped, found.is_some()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(record: &[u8]) -> Vec<u8> {
        let mut frame = vec![0; FRAME_START];
        frame.extend(record);
        seal(&mut frame).unwrap();
        frame
    }

    #[test]
    fn a_frame_is_whole_short_or_garbled() {
        let whole = frame(&[7; 40]);
        assert_eq!(Frame::at_front_of(&whole), Frame::Whole(40));
        assert_eq!(Frame::at_front_of(&[&whole[..], &[1, 2, 3]].concat()), Frame::Whole(40));
        for cut in 0..whole.len() {
            assert_eq!(Frame::at_front_of(&whole[..cut]), Frame::Short, "cut at {cut}");
        }
        assert_eq!(Frame::at_front_of(&[0; 100]), Frame::Garbled);
    }

    #[test]
    fn a_whole_frame_is_found_behind_any_amount_of_garbage() {
        for garbage in [1, 100, MAX_RECORD, CHUNK - 20, CHUNK + MAX_RECORD, 3 * CHUNK + 1] {
            let bytes = [vec![3; garbage], frame(&[7; 40])].concat();
            let mut window = Window::new(&bytes[..]);
            assert_eq!(window.skip_to_whole_frame().unwrap(), (garbage as u64, true));
            assert_eq!(Frame::at_front_of(window.bytes()), Frame::Whole(40));
            let mut window = Window::new(&bytes[..garbage]);
            assert_eq!(window.skip_to_whole_frame().unwrap(), (garbage as u64, false));
        }
    }
}
