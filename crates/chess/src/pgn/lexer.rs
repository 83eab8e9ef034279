//! The words of PGN, taken from a window that slides over the file.

use super::encoding::Decoder;
use super::{MAX_GAME_BYTES, MAX_TOKEN_BYTES, MAX_WORD_BYTES, Nag, PgnFaultKind};
use crate::GameResult;
use std::io::{self, Read};

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

impl Token {
    /// The end of what is read.
    pub(super) const fn end(place: Place) -> Self {
        Self { kind: TokenKind::End, start: 0, end: 0, place }
    }
}

/// Why there is no token.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Something is wrong with the text; behind it comes the next token.
    Fault(PgnFaultKind),
    /// The file cannot be read any further.
    Io(io::Error),
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
    /// A comment that is closed by nothing but the next game.
    Unclosed {
        end: usize,
    },
    /// The number of bytes that are of no use. They are at least about as many as had to be looked at, so that
    /// rubbish takes no longer than sense.
    Wrong {
        kind: PgnFaultKind,
        length: usize,
    },
}

/// What is to be said and done about a token before the next one.
struct Remainder {
    place: Place,
    fault: PgnFaultKind,
    /// What ends the part of the token that did not fit.
    ending: Option<u8>,
}

pub(super) struct Lexer<R> {
    source: Decoder<R>,
    buffer: Box<[u8]>,
    cursor: usize,
    filled: usize,
    source_ended: bool,
    /// Where in the file the buffer begins.
    offset: u64,
    line: u64,
    /// Where in the file the current line begins.
    line_offset: u64,
    remainder: Option<Remainder>,
    /// Where in the file the last token begins.
    token_offset: u64,
    kept: Option<KeptText>,
}

/// The text of a game, for callers that want it as it is written.
#[derive(Default)]
struct KeptText {
    /// What has left the window.
    bytes: Vec<u8>,
    /// Where in the window the rest begins.
    from: usize,
}

impl KeptText {
    fn push(&mut self, bytes: &[u8]) {
        // One byte too many says that it is not all.
        let room = (MAX_GAME_BYTES as usize + 1).saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl<R: Read> Lexer<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source: Decoder::new(source),
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            cursor: 0,
            filled: 0,
            source_ended: false,
            offset: 0,
            line: 1,
            line_offset: 0,
            remainder: None,
            token_offset: 0,
            kept: None,
        }
    }

    /// From now on keeps the text of games.
    pub(crate) fn keep_text(&mut self) {
        self.kept = Some(KeptText { from: self.cursor, ..KeptText::default() });
    }

    /// Begins the text of a game with the last token.
    pub(crate) fn begin_text(&mut self) {
        let from = self.window_index(self.token_offset);
        if let Some(kept) = &mut self.kept {
            kept.bytes.clear();
            kept.from = from;
        }
    }

    /// Takes the text of a game, which ends here or before the last token. The next begins there.
    pub(crate) fn take_text(&mut self, before_last_token: bool, text: &mut Vec<u8>) {
        let end = if before_last_token { self.window_index(self.token_offset) } else { self.cursor };
        if let Some(kept) = &mut self.kept {
            kept.push(&self.buffer[kept.from.min(end)..end]);
            text.clear();
            std::mem::swap(&mut kept.bytes, text);
            kept.from = end;
        }
    }

    /// Where in the window a place of the file is.
    fn window_index(&self, offset: u64) -> usize {
        (offset.saturating_sub(self.offset) as usize).min(self.cursor)
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

    /// The next token. After a fault the same bytes are not read again.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token, (Place, Trouble)> {
        if self.remainder.is_some() {
            self.finish_remainder()?;
        }
        self.skip_space().map_err(|error| (self.place(), Trouble::Io(error)))?;
        let place = self.place();
        self.token_offset = self.position();
        loop {
            let window = &self.buffer[self.cursor..self.filled];
            match scan(window, self.source_ended) {
                Scan::Token { kind, start, end, length } => {
                    let token = Token { kind, start: self.cursor + start, end: self.cursor + end, place };
                    self.consume(length, kind);
                    return Ok(token);
                }
                Scan::Unfinished if window.len() >= MAX_TOKEN_BYTES => return self.cut_off(place),
                Scan::Unfinished => self.refill().map_err(|error| (place, Trouble::Io(error)))?,
                Scan::Unclosed { end } => {
                    let fault = PgnFaultKind::UnclosedComment;
                    self.remainder = Some(Remainder { place, fault, ending: None });
                    let (start, kind) = (self.cursor + 1, TokenKind::Comment);
                    let token = Token { kind, start, end: self.cursor + end, place };
                    self.consume(end, kind);
                    return Ok(token);
                }
                Scan::Wrong { kind, length } => {
                    self.consume(length, TokenKind::Comment);
                    return Err((place, Trouble::Fault(kind)));
                }
            }
        }
    }

    /// As much of a long tag or comment as is kept. The fault comes after it.
    #[cold]
    fn cut_off(&mut self, place: Place) -> Result<Token, (Place, Trouble)> {
        let fault = PgnFaultKind::TooLong { limit: MAX_TOKEN_BYTES };
        let (kind, ending) = match self.buffer[self.cursor] {
            b'[' => (TokenKind::Tag, b'\n'),
            b'{' => (TokenKind::Comment, b'}'),
            b';' => (TokenKind::Comment, b'\n'),
            _ => {
                self.consume(MAX_TOKEN_BYTES, TokenKind::Comment);
                return Err((place, Trouble::Fault(fault)));
            }
        };
        let start = self.cursor + 1;
        let mut end = self.cursor + MAX_TOKEN_BYTES - 1;
        while self.buffer[end] & 0xc0 == 0x80 && end > start {
            end -= 1;
        }
        self.consume(end - self.cursor, kind);
        self.remainder = Some(Remainder { place, fault, ending: Some(ending) });
        Ok(Token { kind, start, end, place })
    }

    /// Skips what did not fit into the last token, and says what was wrong with it.
    #[cold]
    fn finish_remainder(&mut self) -> Result<(), (Place, Trouble)> {
        let Some(Remainder { place, fault, ending }) = self.remainder.take() else { return Ok(()) };
        if let Some(ending) = ending {
            self.skip_behind(ending).map_err(|error| (place, Trouble::Io(error)))?;
        }
        Err((place, Trouble::Fault(fault)))
    }

    /// Skips up to a byte and that too, or to the tags of the next game.
    fn skip_behind(&mut self, ending: u8) -> io::Result<()> {
        loop {
            let window = &self.buffer[self.cursor..self.filled];
            let found = window.iter().position(|&byte| byte == ending).map(|index| index + 1);
            let reach = found.unwrap_or(window.len());
            if let Some(next_game) = find_next_game(&window[..reach]) {
                self.consume(next_game, TokenKind::Comment);
                return Ok(());
            }
            // The beginning of the next game may lie across the end of the window.
            let kept = if found.is_none() && !self.source_ended { NEXT_GAME.len().min(reach) } else { 0 };
            self.consume(reach - kept, TokenKind::Comment);
            if found.is_some() || self.source_ended {
                return Ok(());
            }
            self.refill()?;
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
    fn skip_space(&mut self) -> io::Result<()> {
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
    fn at_byte_order_mark(&mut self) -> io::Result<bool> {
        while self.filled - self.cursor < 3 && !self.source_ended {
            self.refill()?;
        }
        Ok(self.buffer[self.cursor..self.filled].starts_with(b"\xef\xbb\xbf"))
    }

    #[cold]
    fn skip_line(&mut self) -> io::Result<()> {
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
    fn refill(&mut self) -> io::Result<()> {
        if let Some(kept) = &mut self.kept {
            kept.push(&self.buffer[kept.from.min(self.cursor)..self.cursor]);
            kept.from = 0;
        }
        self.buffer.copy_within(self.cursor..self.filled, 0);
        self.offset += self.cursor as u64;
        self.filled -= self.cursor;
        self.cursor = 0;
        let enough = (2 * self.filled).clamp(1, BUFFER_BYTES);
        while self.filled < enough && !self.source_ended {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.source_ended = true,
                Ok(count) => self.filled += count.min(BUFFER_BYTES - self.filled),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
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
        // Where the sign for a half begins.
        0xc2 => scan_result_or_word(window, at_end),
        _ if IN_WORD[first as usize] => scan_word(window, at_end),
        b'[' => scan_tag(window, at_end),
        b'{' => scan_comment(window, at_end),
        b';' => scan_line_comment(window, at_end),
        b'(' => single(TokenKind::Open, 1),
        b')' => single(TokenKind::Close, 1),
        b'*' => single(TokenKind::Result(GameResult::Unfinished), 1),
        b'$' => scan_nag(window, at_end),
        _ => {
            let length = window.iter().take_while(|&&byte| byte == first).count();
            Scan::Wrong { kind: PgnFaultKind::Character { character: char::from(first) }, length }
        }
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
    let kind = PgnFaultKind::TooLong { limit: MAX_WORD_BYTES };
    Scan::Wrong { kind, length: MAX_WORD_BYTES }
}

fn result(text: &[u8]) -> Option<GameResult> {
    match text {
        b"1-0" => Some(GameResult::WhiteWins),
        b"0-1" => Some(GameResult::BlackWins),
        b"1/2-1/2" | b"1/2" => Some(GameResult::Draw),
        _ if text.is_ascii() => None,
        _ => match std::str::from_utf8(text).ok()?.replace(['–', '—', '−'], "-").as_str() {
            "1-0" => Some(GameResult::WhiteWins),
            "0-1" => Some(GameResult::BlackWins),
            "½-½" | "½" | "1/2-1/2" => Some(GameResult::Draw),
            _ => None,
        },
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
        Some(b'-' | b'/') => scan_result_or_word(window, at_end),
        // Where dashes begin that are none of ASCII; and figurines, which belong to a move.
        Some(0xe2) => match scan_result_or_word(window, at_end) {
            Scan::Token { kind: TokenKind::Word, .. } if window[0] != b'0' => {
                single(TokenKind::Number, digits)
            }
            scan => scan,
        },
        _ => single(TokenKind::Number, digits),
    }
}

fn scan_result_or_word(window: &[u8], at_end: bool) -> Scan {
    match scan_word(window, at_end) {
        Scan::Token { length, .. } => match result(&window[..length]) {
            Some(result) => single(TokenKind::Result(result), length),
            None => single(TokenKind::Word, length),
        },
        unfinished_or_wrong => unfinished_or_wrong,
    }
}

fn scan_nag(window: &[u8], at_end: bool) -> Scan {
    let Some(digits) = run(&window[1..], at_end, |byte| byte.is_ascii_digit()) else {
        return Scan::Unfinished;
    };
    let number = std::str::from_utf8(&window[1..=digits]).ok().and_then(|text| text.parse().ok());
    match number {
        Some(number) => single(TokenKind::Nag(Nag(number)), digits + 1),
        None => Scan::Wrong { kind: PgnFaultKind::Nag, length: digits + 1 },
    }
}

/// The first line of the next game, which no comment is meant to contain.
const NEXT_GAME: &[u8] = b"\n[Event \"";

fn find_next_game(text: &[u8]) -> Option<usize> {
    (0..text.len()).find(|&index| text[index] == b'\n' && text[index..].starts_with(NEXT_GAME))
}

fn scan_comment(window: &[u8], at_end: bool) -> Scan {
    let closing = window.iter().position(|&byte| byte == b'}');
    if let Some(next_game) = find_next_game(&window[..closing.unwrap_or(window.len())]) {
        return Scan::Unclosed { end: next_game };
    }
    let Some(mut end) = closing else {
        return if at_end { Scan::Unclosed { end: window.len() } } else { Scan::Unfinished };
    };
    if window[1..end].contains(&b'{') {
        match matching_brace(window, at_end) {
            Matching::Found(index) => end = index,
            Matching::None => {}
            Matching::Unfinished => return Scan::Unfinished,
        }
    }
    Scan::Token { kind: TokenKind::Comment, start: 1, end, length: end + 1 }
}

/// Where a comment with braces in it ends.
enum Matching {
    Found(usize),
    /// Not within this game: then the first closing brace ends it, as the standard says.
    None,
    Unfinished,
}

/// Finds the brace that closes a comment in which others are opened and closed.
#[cold]
fn matching_brace(window: &[u8], at_end: bool) -> Matching {
    let limited = &window[..window.len().min(MAX_TOKEN_BYTES - 1)];
    let mut depth = 0_usize;
    for (index, &byte) in limited.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Matching::Found(index),
            b'}' => depth -= 1,
            b'\n' if limited[index..].starts_with(NEXT_GAME) => return Matching::None,
            _ => {}
        }
    }
    if at_end || limited.len() < window.len() { Matching::None } else { Matching::Unfinished }
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
    match window {
        [b'['] if !at_end => return Scan::Unfinished,
        [b'[', b'%', ..] => return scan_bare_command(window, at_end),
        _ => {}
    }
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

/// A command such as `[%eval 0.3]` without the braces of a comment around it.
fn scan_bare_command(window: &[u8], at_end: bool) -> Scan {
    match run(window, at_end, |byte| !matches!(byte, b']' | b'\n')) {
        None => Scan::Unfinished,
        Some(end) if window.get(end) == Some(&b']') => single(TokenKind::Comment, end + 1),
        Some(_) => wrong_tag(window),
    }
}

/// A faulty tag is done with at its bracket if no value has begun, else at the end of its line.
#[cold]
fn wrong_tag(window: &[u8]) -> Scan {
    let line = window.iter().position(|&byte| byte == b'\n').unwrap_or(window.len());
    let bracket = window[..line].iter().position(|&byte| matches!(byte, b'"' | b']'));
    let length = match bracket {
        Some(index) if window[index] == b']' => index + 1,
        _ => line,
    };
    Scan::Wrong { kind: PgnFaultKind::Tag, length: length.max(1) }
}
