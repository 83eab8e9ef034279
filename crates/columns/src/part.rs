//! Files of games in parts, cut where a game begins.
//!
//! Part K of a file begins with the first game at or behind byte K times the size of the parts, and ends where the next
//! part begins. So a part can be found without reading those before it, and each game belongs to exactly one. A cut is
//! only made before a tag `Event` after an empty line, which is how databases write games; a file without such places
//! is one part.

use chess::Position;
use chess::pgn::{PgnFault, PgnGame, Reader, Visitor};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// The size of parts if nothing else is said: some two hundred games with clocks and evaluations.
pub const PART_BYTES: u64 = 1 << 18;

/// What a game begins with.
const EVENT: &[u8] = b"[Event \"";
/// Bytes that are searched at a time.
const CHUNK_BYTES: usize = 1 << 16;
/// An empty line before the tag.
const EMPTY_LINES: [&[u8]; 2] = [b"\n\n", b"\n\r\n"];
/// How far back it can begin.
const LOOK_BEHIND: usize = 3;

/// A file of games that is read part by part.
#[derive(Debug)]
pub struct Parts {
    file: File,
    bytes: u64,
    part_bytes: u64,
}

/// A part of a file, and what comes before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// Its bytes.
    pub range: Range<u64>,
    /// Games before it in the file.
    pub games_before: u64,
    /// Lines before it in the file.
    pub lines_before: u64,
}

/// How much there is in a part.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Games.
    pub games: u64,
    /// Lines.
    pub lines: u64,
}

impl Parts {
    /// Opens a file to be read in parts of about this size.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path, part_bytes: u64) -> io::Result<Self> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        Ok(Self { file, bytes, part_bytes: part_bytes.max(1) })
    }

    /// The size of the file.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The size that parts have, about.
    #[must_use]
    pub const fn part_bytes(&self) -> u64 {
        self.part_bytes
    }

    /// How many parts there are; some may be empty.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.bytes.div_ceil(self.part_bytes)
    }

    /// The bytes of a part. Empty if another part has the games that reach into it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn range(&mut self, index: u64) -> io::Result<Range<u64>> {
        let start = self.border(index)?;
        Ok(start..self.border(index.saturating_add(1))?)
    }

    /// Where a part begins.
    fn border(&mut self, index: u64) -> io::Result<u64> {
        let at = index.saturating_mul(self.part_bytes);
        if at == 0 || at >= self.bytes {
            return Ok(at.min(self.bytes));
        }
        let mut offset = at.saturating_sub(LOOK_BEHIND as u64);
        self.file.seek(SeekFrom::Start(offset))?;
        let mut window = Vec::with_capacity(2 * CHUNK_BYTES);
        loop {
            let read = (&mut self.file).take(CHUNK_BYTES as u64).read_to_end(&mut window)?;
            let least = usize::try_from(at.saturating_sub(offset)).unwrap_or(usize::MAX);
            if let Some(place) = find_event(&window, least) {
                return Ok(offset + place as u64);
            }
            if read == 0 {
                return Ok(self.bytes);
            }
            let kept = window.len().min(LOOK_BEHIND + EVENT.len() - 1);
            offset += (window.len() - kept) as u64;
            window.drain(..window.len() - kept);
        }
    }

    /// The games and lines of a range of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn size(&mut self, range: &Range<u64>) -> io::Result<Size> {
        let mut lines = LineCounter { source: self.slice(range)?, lines: 0 };
        let mut reader = Reader::new(&mut lines);
        let mut games = 0;
        while reader.visit_game(&mut Skip).map_err(|error| error.source)? {
            games += 1;
        }
        drop(reader);
        Ok(Size { games, lines: lines.lines })
    }

    /// The games of a part. Their faults have the numbers of games and lines in the whole file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn games(&mut self, part: &Part) -> io::Result<Vec<PgnGame>> {
        let Part { range, games_before, lines_before } = part;
        let renumbered = |fault: PgnFault| PgnFault {
            game: fault.game + games_before,
            line: fault.line + lines_before,
            ..fault
        };
        Reader::new(self.slice(range)?)
            .map(|game| {
                let mut game = game.map_err(|error| error.source)?;
                game.faults = std::mem::take(&mut game.faults).into_iter().map(renumbered).collect();
                Ok(game)
            })
            .collect()
    }

    fn slice(&mut self, range: &Range<u64>) -> io::Result<io::Take<&mut File>> {
        self.file.seek(SeekFrom::Start(range.start))?;
        Ok((&mut self.file).take(range.end.saturating_sub(range.start)))
    }
}

impl Part {
    /// The part that follows, with this range.
    #[must_use]
    pub const fn followed_by(&self, size: Size, range: Range<u64>) -> Self {
        Self {
            range,
            games_before: self.games_before + size.games,
            lines_before: self.lines_before + size.lines,
        }
    }
}

/// The first place in a window, not before this one, where a game begins after an empty line.
fn find_event(window: &[u8], least: usize) -> Option<usize> {
    let begins = |place: &usize| {
        window[*place..].starts_with(EVENT)
            && EMPTY_LINES.iter().any(|empty| window[..*place].ends_with(empty))
    };
    (least..window.len()).filter(|&place| window[place] == EVENT[0]).find(begins)
}

/// Counts the ends of lines that go through it.
struct LineCounter<R> {
    source: R,
    lines: u64,
}

impl<R: Read> Read for LineCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.lines += buffer[..count].iter().filter(|&&byte| byte == b'\n').count() as u64;
        Ok(count)
    }
}

/// Looks at no moves.
struct Skip;

impl Visitor for Skip {
    fn begin_moves(&mut self, _start: &Position) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// Games of different lengths, with what looks like a game within a comment.
    fn text(line_end: &str) -> String {
        let mut text = String::new();
        for number in 1..=60 {
            let comment = "{a [Event \"within\"] of a comment} ".repeat(number % 7);
            let _ = write!(text, "[Event \"{number}\"]\n[White \"A\"]\n\n1. e4 {comment}e5 2. Ke3 *\n\n");
        }
        text.replace('\n', line_end)
    }

    #[test]
    fn every_game_belongs_to_one_part_whatever_their_size() {
        for line_end in ["\n", "\r\n"] {
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), text(line_end)).expect("a file to write to");
            let mut whole = Parts::open(file.path(), u64::MAX).expect("a file");
            let range = whole.range(0).expect("readable");
            assert_eq!((whole.count(), range.clone()), (1, 0..whole.bytes()));
            let all = whole.games(&Part { range, ..Part::default() }).expect("readable");
            assert_eq!(all.len(), 60);
            assert_eq!(all[59].faults.len(), 1, "the king's move is illegal");
            for part_bytes in [1, 7, 64, 100, 1000, 70_000] {
                let mut parts = Parts::open(file.path(), part_bytes).expect("a file");
                let (mut games, mut part, mut end) = (Vec::new(), Part::default(), 0);
                let mut size = Size::default();
                for index in 0..parts.count() {
                    let range = parts.range(index).expect("readable");
                    assert_eq!(range.start, end);
                    end = range.end;
                    part = part.followed_by(size, range);
                    size = parts.size(&part.range).expect("readable");
                    let read = parts.games(&part).expect("readable");
                    assert_eq!(read.len() as u64, size.games);
                    games.extend(read);
                }
                assert_eq!(end, parts.bytes());
                assert!(games == all, "parts of {part_bytes} bytes");
            }
        }
    }

    #[test]
    fn a_file_without_places_to_cut_is_one_part() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "1. e4 *\n1. d4 *\n".repeat(100)).expect("a file to write to");
        let mut parts = Parts::open(file.path(), 50).expect("a file");
        assert_eq!(parts.range(0).expect("readable"), 0..parts.bytes());
        assert!(parts.range(1).expect("readable").is_empty());
        std::fs::write(file.path(), "").expect("a file to write to");
        assert_eq!(Parts::open(file.path(), 50).expect("a file").count(), 0);
    }
}
