//! The words of PGN, taken from a window that slides over the file.

use super::{MAX_TOKEN_BYTES, MAX_WORD_BYTES, Nag, PgnErrorKind};
use crate::GameResult;
use std::io::Read;

/// Room for the longest token twice over, so that the rest of the window is seldom moved.
const BUFFER_BYTES: usize = 2 * MAX_TOKEN_BYTES;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// The inside of the brackets.
    Tag,
    /// A move, or a sign of annotation.
    Word,
    Number,
    Nag(Nag),
    Comment,
    Open,
    Close,
    Result(GameResult),
    End,
}

/// A place in the file, counted from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub line: u64,
    pub column: u64,
}

/// A token; its text stays in the window until the next one is asked for.
#[derive(Copy, Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    start: usize,
    end: usize,
    pub place: Place,
}

/// What the window begins with.
enum Scan {
    Token {
        kind: TokenKind,
        start: usize,
        end: usize,
        length: usize,
    },
    /// The window ends too early to decide.
    Unfinished,
    /// The number of bytes that are of no use. They are at least about as many as had to be looked at, so that
    /// rubbish takes no longer than sense.
    Wrong {
        kind: PgnErrorKind,
        length: usize,
    },
}

pub(super) struct Lexer<R> {
    source: R,
    buffer: Box<[u8]>,
    cursor: usize,
    filled: usize,
    source_ended: bool,
    /// Where in the file the buffer begins.
    offset: u64,
    line: u64,
    /// Where in the file the current line begins.
    line_offset: u64,
}

impl<R: Read> Lexer<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            cursor: 0,
            filled: 0,
            source_ended: false,
            offset: 0,
            line: 1,
            line_offset: 0,
        }
    }

    /// How many bytes of the file have been read.
    pub(crate) fn position(&self) -> u64 {
        self.offset + self.cursor as u64
    }

    pub(crate) fn place(&self) -> Place {
        Place { line: self.line, column: self.position() - self.line_offset + 1 }
    }

    #[inline]
    pub(crate) fn text(&self, token: Token) -> &[u8] {
        &self.buffer[token.start..token.end]
    }

    /// The next token. After an error the same bytes are not read again.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token, (Place, PgnErrorKind)> {
        self.skip_space().map_err(|error| (self.place(), error.into()))?;
        let place = self.place();
        loop {
            let window = &self.buffer[self.cursor..self.filled];
            match scan(window, self.source_ended) {
                Scan::Token { kind, start, end, length } => {
                    let token = Token { kind, start: self.cursor + start, end: self.cursor + end, place };
                    self.consume(length, kind);
                    return Ok(token);
                }
                Scan::Unfinished if window.len() >= MAX_TOKEN_BYTES => {
                    self.consume(MAX_TOKEN_BYTES, TokenKind::Comment);
                    return Err((place, PgnErrorKind::TooLong { limit: MAX_TOKEN_BYTES }));
                }
                Scan::Unfinished => self.refill().map_err(|error| (place, error.into()))?,
                Scan::Wrong { kind, length } => {
                    self.consume(length, TokenKind::Comment);
                    return Err((place, kind));
                }
            }
        }
    }

    #[inline]
    fn consume(&mut self, length: usize, kind: TokenKind) {
        if matches!(kind, TokenKind::Comment | TokenKind::Tag) {
            for index in self.cursor..self.cursor + length {
                if self.buffer[index] == b'\n' {
                    self.begin_line(index + 1);
                }
            }
        }
        self.cursor += length;
    }

    #[inline]
    fn begin_line(&mut self, index: usize) {
        self.line += 1;
        self.line_offset = self.offset + index as u64;
    }

    /// Skips blanks, line ends, byte order marks, and lines that `%` hides.
    #[inline]
    fn skip_space(&mut self) -> std::io::Result<()> {
        loop {
            while let Some(&byte) = self.buffer[..self.filled].get(self.cursor) {
                match byte {
                    b'\n' => self.begin_line(self.cursor + 1),
                    b' ' | b'\r' | b'\t' | 0x0b | 0x0c | CONTROL_Z => {}
                    b'%' if self.position() == self.line_offset => {
                        self.skip_line()?;
                        continue;
                    }
                    0xef if self.at_byte_order_mark()? => {
                        self.cursor += 3;
                        if self.position() == self.line_offset + 3 {
                            self.line_offset += 3;
                        }
                        continue;
                    }
                    _ => return Ok(()),
                }
                self.cursor += 1;
            }
            if self.source_ended {
                return Ok(());
            }
            self.refill()?;
        }
    }

    #[cold]
    fn at_byte_order_mark(&mut self) -> std::io::Result<bool> {
        while self.filled - self.cursor < 3 && !self.source_ended {
            self.refill()?;
        }
        Ok(self.buffer[self.cursor..self.filled].starts_with(b"\xef\xbb\xbf"))
    }

    #[cold]
    fn skip_line(&mut self) -> std::io::Result<()> {
        loop {
            let window = &self.buffer[self.cursor..self.filled];
            if let Some(length) = window.iter().position(|&byte| byte == b'\n') {
                self.cursor += length;
                return Ok(());
            }
            self.cursor = self.filled;
            if self.source_ended {
                return Ok(());
            }
            self.refill()?;
        }
    }

    /// Moves what is left to the front of the buffer and reads on behind it. Reads at least as much
    /// again, so that a source of small pieces does not make long tokens quadratic.
    #[cold]
    fn refill(&mut self) -> std::io::Result<()> {
        self.buffer.copy_within(self.cursor..self.filled, 0);
        self.offset += self.cursor as u64;
        self.filled -= self.cursor;
        self.cursor = 0;
        let enough = (2 * self.filled).clamp(1, BUFFER_BYTES);
        while self.filled < enough && !self.source_ended {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.source_ended = true,
                Ok(count) => self.filled += count.min(BUFFER_BYTES - self.filled),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.source_ended = true;
                    self.filled = 0;
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// Old systems end text files with it.
const CONTROL_Z: u8 = 0x1a;

/// The bytes that words are made of. Foreign letters are among them, so that an error can show the word.
static IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(
            byte as u8,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'#' | b'=' | b':' | b'-' | b'_' | b'/' | b'.'
                | b'!' | b'?' | b'@' | 0x80..
        );
        byte += 1;
    }
    table
};

#[inline]
fn scan(window: &[u8], at_end: bool) -> Scan {
    let Some(&first) = window.first() else {
        return if at_end { single(TokenKind::End, 0) } else { Scan::Unfinished };
    };
    match first {
        b'0'..=b'9' => scan_number(window, at_end),
        _ if IN_WORD[first as usize] => scan_word(window, at_end),
        b'[' => scan_tag(window, at_end),
        b'{' => scan_comment(window, at_end),
        b';' => scan_line_comment(window, at_end),
        b'(' => single(TokenKind::Open, 1),
        b')' => single(TokenKind::Close, 1),
        b'*' => single(TokenKind::Result(GameResult::Unfinished), 1),
        b'$' => scan_nag(window, at_end),
        _ => Scan::Wrong { kind: PgnErrorKind::Character { character: char::from(first) }, length: 1 },
    }
}

fn single(kind: TokenKind, length: usize) -> Scan {
    Scan::Token { kind, start: 0, end: length, length }
}

/// The length of the beginning that satisfies a condition, unless the window ends within it.
#[inline]
fn run(window: &[u8], at_end: bool, condition: impl Fn(u8) -> bool) -> Option<usize> {
    let length = window.iter().position(|&byte| !condition(byte));
    length.or(at_end.then_some(window.len()))
}

#[inline]
fn scan_word(window: &[u8], at_end: bool) -> Scan {
    let limited = &window[..window.len().min(MAX_WORD_BYTES + 1)];
    let Some(length) = run(limited, at_end, |byte| IN_WORD[byte as usize]) else {
        return if limited.len() > MAX_WORD_BYTES { word_too_long() } else { Scan::Unfinished };
    };
    if length > MAX_WORD_BYTES {
        return word_too_long();
    }
    match &window[length..] {
        // A promotion written e8(Q), not a variation.
        [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] => single(TokenKind::Word, length + 3),
        [b'('] | [b'(', _] if !at_end => Scan::Unfinished,
        _ => single(TokenKind::Word, length),
    }
}

#[cold]
fn word_too_long() -> Scan {
    let kind = PgnErrorKind::TooLong { limit: MAX_WORD_BYTES };
    Scan::Wrong { kind, length: MAX_WORD_BYTES }
}

fn result(text: &[u8]) -> Option<GameResult> {
    match text {
        b"1-0" => Some(GameResult::WhiteWins),
        b"0-1" => Some(GameResult::BlackWins),
        b"1/2-1/2" | b"1/2" => Some(GameResult::Draw),
        _ => None,
    }
}

/// A move number with its dots, a result, or castling with zeros.
#[inline]
fn scan_number(window: &[u8], at_end: bool) -> Scan {
    let Some(digits) = run(window, at_end, |byte| byte.is_ascii_digit()) else { return Scan::Unfinished };
    match window.get(digits) {
        Some(b'.') => match run(&window[digits..], at_end, |byte| byte == b'.') {
            Some(dots) => single(TokenKind::Number, digits + dots),
            None => Scan::Unfinished,
        },
        Some(b'-' | b'/') => match scan_word(window, at_end) {
            Scan::Token { length, .. } => match result(&window[..length]) {
                Some(result) => single(TokenKind::Result(result), length),
                None => single(TokenKind::Word, length),
            },
            unfinished_or_wrong => unfinished_or_wrong,
        },
        _ => single(TokenKind::Number, digits),
    }
}

fn scan_nag(window: &[u8], at_end: bool) -> Scan {
    let Some(digits) = run(&window[1..], at_end, |byte| byte.is_ascii_digit()) else {
        return Scan::Unfinished;
    };
    let number = std::str::from_utf8(&window[1..=digits]).ok().and_then(|text| text.parse().ok());
    match number {
        Some(number) => single(TokenKind::Nag(Nag(number)), digits + 1),
        None => Scan::Wrong { kind: PgnErrorKind::Nag, length: digits + 1 },
    }
}

/// The first line of the next game, which no comment is meant to contain.
const NEXT_GAME: &[u8] = b"\n[Event \"";

fn scan_comment(window: &[u8], at_end: bool) -> Scan {
    let closing = window.iter().position(|&byte| byte == b'}');
    if closing.is_none() && !at_end {
        return Scan::Unfinished;
    }
    let end = closing.unwrap_or(window.len());
    let next_game = (0..end).find(|&index| window[index] == b'\n' && window[index..].starts_with(NEXT_GAME));
    match (next_game, closing) {
        (None, Some(end)) => Scan::Token { kind: TokenKind::Comment, start: 1, end, length: end + 1 },
        _ => Scan::Wrong { kind: PgnErrorKind::UnclosedComment, length: next_game.unwrap_or(end) },
    }
}

fn scan_line_comment(window: &[u8], at_end: bool) -> Scan {
    match run(window, at_end, |byte| byte != b'\n') {
        Some(end) => Scan::Token { kind: TokenKind::Comment, start: 1, end, length: end },
        None => Scan::Unfinished,
    }
}

/// The longest name of a tag with the blanks around it.
const MAX_TAG_NAME_BYTES: usize = 256;

/// A tag with its brackets. A quotation mark ends the value only where the bracket follows, since many
/// programs forget to escape those within.
fn scan_tag(window: &[u8], at_end: bool) -> Scan {
    let name = &window[..window.len().min(MAX_TAG_NAME_BYTES)];
    let opening = match name.iter().position(|&byte| matches!(byte, b'"' | b']')) {
        Some(index) if window[index] == b'"' => index,
        None if !at_end && name.len() < MAX_TAG_NAME_BYTES => return Scan::Unfinished,
        _ => return wrong_tag(window),
    };
    let mut index = opening + 1;
    loop {
        match window[index.min(window.len())..] {
            [] | [b'\\'] if !at_end => return Scan::Unfinished,
            [] | [b'\n', ..] => return wrong_tag(window),
            [b'\\', b'"' | b'\\', ..] => index += 2,
            [b'"', ref rest @ ..] => {
                let Some(blanks) = run(rest, at_end, |byte| matches!(byte, b' ' | b'\t')) else {
                    return Scan::Unfinished;
                };
                if rest.get(blanks) == Some(&b']') {
                    let length = index + 1 + blanks + 1;
                    return Scan::Token { kind: TokenKind::Tag, start: 1, end: index, length };
                }
                index += 1;
            }
            _ => index += 1,
        }
    }
}

/// A faulty tag is done with at the end of its line.
#[cold]
fn wrong_tag(window: &[u8]) -> Scan {
    let line = window.iter().position(|&byte| byte == b'\n');
    Scan::Wrong { kind: PgnErrorKind::Tag, length: line.unwrap_or(window.len()) }
}
