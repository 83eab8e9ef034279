//! Comments, and the clocks and evaluations that programs put into them.

use crate::Color;
use std::fmt;
use std::time::Duration;

/// A comment: a text, and what `[%eval]`, `[%clk]` and `[%emt]` in it say. Other commands of that kind
/// stay in the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    /// What is written for people, with single blanks and no line ends.
    pub text: String,
    /// How a program judges the position after the move.
    pub eval: Option<Eval>,
    /// What the player's clock shows after the move.
    pub clock: Option<Duration>,
    /// How long the player has thought about the move.
    pub elapsed: Option<Duration>,
}

/// A program's judgement, seen from White.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Eval {
    /// The judgement.
    pub score: EvalScore,
    /// How many half-moves deep the program has looked.
    pub depth: Option<u16>,
}

/// A number of centipawns or of moves, seen from White.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum EvalScore {
    /// An advantage in hundredths of a pawn.
    Centipawns(i32),
    /// Mate in N moves; negative if Black mates.
    Mate(i32),
}

impl EvalScore {
    /// A score from White's view as a side sees it, or the other way round.
    #[must_use]
    pub const fn viewed_by(self, side: Color) -> Self {
        match (side, self) {
            (Color::White, score) => score,
            (Color::Black, Self::Centipawns(value)) => Self::Centipawns(value.saturating_neg()),
            (Color::Black, Self::Mate(moves)) => Self::Mate(moves.saturating_neg()),
        }
    }
}

impl Comment {
    /// A comment of text alone.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self { text: join_words(text), ..Self::default() }
    }

    /// Takes a comment apart. Of several commands of one kind the first counts; a faulty one is text.
    #[must_use]
    pub fn parse(source: &str) -> Self {
        let mut comment = Self::default();
        if !source.contains("[%") {
            comment.text = join_words(source);
            return comment;
        }
        let mut text = String::with_capacity(source.len());
        let mut rest = source;
        while let Some(start) = rest.find("[%") {
            let Some(length) = rest[start..].find(']') else { break };
            text.push_str(&rest[..start]);
            let command = &rest[start..=start + length];
            // The blank keeps the words around the command apart.
            text.push_str(if comment.take_command(command) { " " } else { command });
            rest = &rest[start + length + 1..];
        }
        text.push_str(rest);
        comment.text = join_words(&text);
        comment
    }

    fn take_command(&mut self, command: &str) -> bool {
        let inside = &command[2..command.len() - 1];
        let Some((name, value)) = inside.split_once(|c: char| c.is_ascii_whitespace()) else { return false };
        let value = value.trim();
        match name {
            "eval" => fill(&mut self.eval, parse_eval(value)),
            "clk" => fill(&mut self.clock, parse_clock(value)),
            "emt" => fill(&mut self.elapsed, parse_clock(value)),
            _ => false,
        }
    }
}

fn fill<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    if place.is_some() || value.is_none() {
        return false;
    }
    *place = value;
    true
}

fn join_words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// `0.25`, `-1.5`, `#3` or `#-3`, perhaps with a depth behind a comma.
fn parse_eval(text: &str) -> Option<Eval> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(parse_digits(depth.trim())?.try_into().ok()?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => {
            let (negative, digits) = split_sign(moves);
            EvalScore::Mate(signed(negative, parse_digits(digits)?)?)
        }
        None => {
            let (negative, digits) = split_sign(score);
            let (pawns, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
            let pawns = if pawns.is_empty() { 0 } else { parse_digits(pawns)? };
            let centipawns = pawns.checked_mul(100)?.checked_add(parse_fraction(fraction, 2)?)?;
            EvalScore::Centipawns(signed(negative, centipawns)?)
        }
    };
    Some(Eval { score, depth })
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn signed(negative: bool, value: u32) -> Option<i32> {
    let value = i32::try_from(value).ok()?;
    Some(if negative { -value } else { value })
}

/// Digits only: no sign, no blank.
fn parse_digits(text: &str) -> Option<u32> {
    let all_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| text.parse().ok()).flatten()
}

/// The first digits behind a decimal point, padded to N digits; the others are cut off.
fn parse_fraction(text: &str, digits: usize) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    parse_digits(&format!("{:0<digits$}", &text[..text.len().min(digits)]))
}

/// `1:02:03`, `2:03` or `3`, with a fraction of a second or not.
fn parse_clock(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut seconds: u64 = 0;
    for (index, part) in whole.split(':').enumerate() {
        let number = parse_digits(part)?;
        if index > 2 || (index > 0 && number > 59) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(number.into())?;
    }
    let millis = parse_fraction(fraction, 3)?;
    Some(Duration::from_secs(seconds) + Duration::from_millis(millis.into()))
}

struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => write!(f, ".{}", format!("{millis:03}").trim_end_matches('0')),
        }
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            EvalScore::Mate(moves) => write!(f, "#{moves}")?,
            EvalScore::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                let value = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)?;
            }
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

/// The comment without its braces.
impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, part: fmt::Arguments<'_>| {
            write!(f, "{separator}{part}")?;
            separator = " ";
            Ok(())
        };
        if let Some(eval) = self.eval {
            part(f, format_args!("[%eval {eval}]"))?;
        }
        if let Some(clock) = self.clock {
            part(f, format_args!("[%clk {}]", Clock(clock)))?;
        }
        if let Some(elapsed) = self.elapsed {
            part(f, format_args!("[%emt {}]", Clock(elapsed)))?;
        }
        if !self.text.is_empty() {
            part(f, format_args!("{}", self.text))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_sees_the_opposite() {
        for score in [EvalScore::Centipawns(35), EvalScore::Mate(-2), EvalScore::Centipawns(i32::MIN + 1)] {
            assert_eq!(score.viewed_by(Color::White), score);
            assert_eq!(score.viewed_by(Color::Black).viewed_by(Color::Black), score);
        }
        assert_eq!(EvalScore::Mate(3).viewed_by(Color::Black), EvalScore::Mate(-3));
    }

    #[test]
    fn finds_clocks_and_evaluations() {
        let comment = Comment::parse(" [%eval -1.25,18] [%clk 1:02:03.4]good [%csl Ga1]\n move [%emt 0:07] ");
        let eval = Eval { score: EvalScore::Centipawns(-125), depth: Some(18) };
        assert_eq!(comment.eval, Some(eval));
        assert_eq!(comment.clock, Some(Duration::from_millis(3_723_400)));
        assert_eq!(comment.elapsed, Some(Duration::from_secs(7)));
        assert_eq!(comment.text, "good [%csl Ga1] move");
        assert_eq!(
            comment.to_string(),
            "[%eval -1.25,18] [%clk 1:02:03.4] [%emt 0:00:07] good [%csl Ga1] move"
        );
    }

    #[test]
    fn reads_every_kind_of_score() {
        let score = |text: &str| Comment::parse(&format!("[%eval {text}]")).eval.map(|eval| eval.score);
        assert_eq!(score("0.17"), Some(EvalScore::Centipawns(17)));
        assert_eq!(score("-0.05"), Some(EvalScore::Centipawns(-5)));
        assert_eq!(score("+2"), Some(EvalScore::Centipawns(200)));
        assert_eq!(score("1.5"), Some(EvalScore::Centipawns(150)));
        assert_eq!(score(".5"), Some(EvalScore::Centipawns(50)));
        assert_eq!(score("#5"), Some(EvalScore::Mate(5)));
        assert_eq!(score("#-12"), Some(EvalScore::Mate(-12)));
    }

    #[test]
    fn faulty_commands_stay_in_the_text() {
        for text in [
            "[%eval]",
            "[%eval x]",
            "[%eval 1.2.3]",
            "[%eval 99999999999]",
            "[%eval --1]",
            "[%eval #]",
            "[%clk 1:99]",
            "[%clk 1:2:3:4]",
            "[%clk -1]",
            "[%clk 0:00:0x]",
            "[%",
            "[%]",
            "[%clk 0:01",
            "[%é]",
            "[%eval 1,x]",
        ] {
            assert_eq!(Comment::parse(text), Comment { text: text.into(), ..Comment::default() });
        }
        let twice = Comment::parse("[%clk 0:01] [%clk 0:02]");
        assert_eq!(twice.clock, Some(Duration::from_secs(1)));
        assert_eq!(twice.text, "[%clk 0:02]");
    }
}
