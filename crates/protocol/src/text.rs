//! Reading lines word by word.

/// The longest piece of foreign text that an answer repeats.
const QUOTED_CHARS: usize = 60;
/// The longest complaint.
const MESSAGE_CHARS: usize = 400;

/// The beginning of a foreign text, safe to print within a line.
pub(crate) fn quote(text: &str) -> String {
    beginning(text, QUOTED_CHARS)
}

/// A text that may repeat foreign text, made safe to print as a line.
pub(crate) fn message(text: &str) -> String {
    beginning(text, MESSAGE_CHARS)
}

fn beginning(text: &str, longest: usize) -> String {
    let mut chars = text.chars();
    let mut shown: String =
        chars.by_ref().take(longest).map(|c| if c.is_control() { '?' } else { c }).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// A line as words, of which the rest can be had as it stands.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn of(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// What has not been read yet, without white space around it.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self.rest.split_once(char::is_whitespace).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        Some(word)
    }
}

/// A whole number, brought into the range of its type if it lies beyond.
pub(crate) fn number<T>(text: &str, least: T, largest: T) -> Option<T>
where
    T: TryFrom<i128> + Copy,
    i128: From<T>,
{
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let end = if text.starts_with('-') { i128::MIN } else { i128::MAX };
    let value = text.parse().unwrap_or(end).clamp(i128::from(least), i128::from(largest));
    T::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_follows_them() {
        let mut words = Words::of("  setoption \t name  Debug  Log \r\n");
        assert_eq!(words.next(), Some("setoption"));
        assert_eq!(words.peek(), Some("name"));
        assert_eq!(words.next(), Some("name"));
        assert_eq!(words.rest(), "Debug  Log");
        assert_eq!(words.by_ref().count(), 2);
        assert_eq!(words.next(), None);
        assert_eq!(Words::of(" \t ").next(), None);
    }

    #[test]
    fn numbers_too_large_become_the_largest() {
        assert_eq!(number("12", 0u64, u64::MAX), Some(12));
        assert_eq!(number("-12", 0u64, u64::MAX), Some(0));
        assert_eq!(number(&"9".repeat(100), i64::MIN, i64::MAX), Some(i64::MAX));
        assert_eq!(number(&format!("-{}", "9".repeat(100)), i64::MIN, i64::MAX), Some(i64::MIN));
        for text in ["", "-", "1e3", "0x10", "1.5", "--1", "½"] {
            assert_eq!(number(text, 0i32, 9), None, "{text}");
        }
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quote("go\u{7}\u{1b}home"), "go??home");
        assert!(quote(&"x".repeat(1_000_000)).len() < 100);
    }
}
