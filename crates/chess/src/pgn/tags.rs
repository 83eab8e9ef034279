//! The tags of a game.

use crate::GameResult;
use std::borrow::Cow;

/// The seven tags that every game has, in their order, and what is written when nothing is known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tags of a game: first the seven of the roster, which are always there, then all others as they
/// came.
///
/// `FEN` and `SetUp` are not among them: they are the [start](super::PgnGame::start) of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags(Vec<(String, String)>);

impl Default for Tags {
    fn default() -> Self {
        Self(ROSTER.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec())
    }
}

impl Tags {
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|&(own, _)| own == name).map(|(_, value)| value)
    }

    /// Sets a tag, in its old place or behind all others.
    ///
    /// Names are letters, digits and underscores: other characters are left out, and a name without any
    /// sets nothing. Control characters in a value become blanks, and a `Result` that is none becomes `*`.
    /// `FEN` and `SetUp` are left alone, since they follow from the start position.
    pub fn set(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&c| c.is_ascii() && is_name_byte(c as u8)).collect();
        if matches!(name.as_str(), "" | "FEN" | "SetUp") {
            return;
        }
        let value = match name.as_str() {
            "Result" => value.parse::<GameResult>().unwrap_or_default().to_string(),
            _ => value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        };
        match self.0.iter_mut().find(|(own, _)| *own == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// All names and values, the roster first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn result(&self) -> GameResult {
        self.get("Result").and_then(|text| text.parse().ok()).unwrap_or_default()
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Splits the inside of a tag's brackets, up to the closing quotation mark, into name and raw value.
pub(super) fn split(tag: &[u8]) -> Option<(&[u8], &[u8])> {
    let tag = tag.trim_ascii_start();
    let quote = tag.iter().position(|&byte| byte == b'"')?;
    let name = tag[..quote].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(|&byte| is_name_byte(byte));
    is_name.then_some((name, &tag[quote + 1..]))
}

/// Bytes as text: UTF-8, or else Latin-1.
#[inline]
pub(super) fn decode<'a>(bytes: &'a [u8], scratch: &'a mut String) -> &'a str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => {
            scratch.clear();
            scratch.extend(bytes.iter().copied().map(char::from));
            scratch
        }
    }
}

/// The raw value of a tag as text, without the backslashes that escape.
#[inline]
pub(super) fn value<'a>(raw: &'a [u8], scratch: &'a mut String) -> &'a str {
    if !raw.contains(&b'\\') {
        return decode(raw, scratch);
    }
    let mut unescaped = String::with_capacity(raw.len());
    let mut chars = decode(raw, scratch).chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|&next| c == '\\' && matches!(next, '"' | '\\'));
        unescaped.push(escaped.unwrap_or(c));
    }
    *scratch = unescaped;
    scratch
}

/// A value as a tag's quotation marks can hold it.
pub(super) fn escape(value: &str) -> Cow<'_, str> {
    if value.contains(['"', '\\']) {
        value.replace('\\', "\\\\").replace('"', "\\\"").into()
    } else {
        value.into()
    }
}

/// Whether the rules here are those of a variant.
pub(super) fn is_known_variant(name: &str) -> bool {
    matches!(plain(name).as_str(), "" | "standard" | "chess" | "normal" | "fromposition" | "shuffle")
        || is_chess960(name)
}

/// Whether a variant is Chess960 or double Fischer random, under one of their many names.
pub(super) fn is_chess960(name: &str) -> bool {
    matches!(
        plain(name).as_str(),
        "chess960"
            | "960"
            | "frc"
            | "dfrc"
            | "fischerandom"
            | "fischerrandom"
            | "fischerrandomchess"
            | "doublefischerrandom"
            | "freestyle"
    )
}

/// Letters and digits alone, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
