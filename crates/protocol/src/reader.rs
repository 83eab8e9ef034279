//! The way in: lines of bounded length, whatever bytes they are made of.

use std::io::{self, BufRead};

/// The longest line that is read. The moves of the longest games take a few kilobytes.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// One line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// Without its end; bytes that are no UTF-8 are replaced.
    Text(String),
    /// A line longer than [`MAX_LINE`], dropped.
    TooLong,
}

/// Reads a line; none at the end of the input. A line without an end is one too.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let at_end = buffer.is_empty();
        let newline = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..newline.unwrap_or(buffer.len())];
        too_long |= bytes.len() + part.len() > MAX_LINE;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(newline.is_some());
        input.consume(used);
        if too_long && (at_end || newline.is_some()) {
            return Ok(Some(Line::TooLong));
        }
        if newline.is_some() || at_end && !bytes.is_empty() {
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
            return Ok(Some(Line::Text(String::from_utf8_lossy(&bytes).into_owned())));
        }
        if at_end {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(input: impl Read, buffer: usize) -> Vec<Line> {
        let mut input = BufReader::with_capacity(buffer, input);
        std::iter::from_fn(|| read_line(&mut input).expect("memory can be read")).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_end_in_every_way() {
        let expected = [text("uci"), text(""), text("go depth 1"), text("qu")];
        for buffer in [1, 2, 3, 1000] {
            assert_eq!(lines(&b"uci\r\n\ngo depth 1\nqu"[..], buffer), expected);
        }
        assert_eq!(lines(&b""[..], 10), []);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lines(&b"\xff\xfe uci\n"[..], 10), [text("\u{fffd}\u{fffd} uci")]);
    }

    #[test]
    fn endless_lines_are_dropped() {
        let long = io::repeat(b'x').take(MAX_LINE as u64 * 3);
        let then = &b"\nuci\n"[..];
        assert_eq!(lines(long.chain(then), 4096), [Line::TooLong, text("uci")]);
        assert_eq!(lines(io::repeat(b'x').take(MAX_LINE as u64 + 1), 4096), [Line::TooLong]);
        let longest = lines(io::repeat(b'x').take(MAX_LINE as u64), 4096);
        assert!(matches!(&longest[..], [Line::Text(text)] if text.len() == MAX_LINE));
    }
}
