//! What is kept of a game, next to its moves.

use chess::GameResult;
use std::fmt;
use std::str::FromStr;

/// A day, of which month and day may be unknown; they are 0 then.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Day(u32);

impl Day {
    /// The last day that this may be: what a search *until* a day asks for.
    #[must_use]
    pub const fn end(self) -> Self {
        let (year, month, day) = self.parts();
        let month = if month == 0 { 12 } else { month };
        let day = if day == 0 { 31 } else { day };
        Self(year * 10_000 + month * 100 + day)
    }

    const fn parts(self) -> (u32, u32, u32) {
        (self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }

    fn from_code(code: u32) -> Option<Self> {
        (code != 0).then_some(Self(code))
    }
}

/// As PGN writes it: `2026.11.18`, `2026.11.??`.
impl FromStr for Day {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a date is written like 2026, 2026.11 or 2026.11.18";
        let mut parts = text.trim().split(['.', '-', '/']);
        let year: u32 = parts.next().and_then(|year| year.parse().ok()).ok_or(WRONG)?;
        let mut part = |most: u32| match parts.next() {
            None => Ok(0),
            Some(unknown) if unknown.chars().all(|c| c == '?') => Ok(0),
            Some(number) => number.parse().ok().filter(|number| (1..=most).contains(number)).ok_or(WRONG),
        };
        let (month, day) = (part(12)?, part(31)?);
        if parts.next().is_some() || !(1..=9999).contains(&year) {
            return Err(WRONG);
        }
        let day = if month == 0 { 0 } else { day };
        Ok(Self(year * 10_000 + month * 100 + day))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}")?;
        for part in [month, day] {
            if part == 0 { f.write_str(".??")? } else { write!(f, ".{part:02}")? }
        }
        Ok(())
    }
}

/// How much time the players had.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Speed {
    /// Not known.
    Unknown,
    /// Less than three minutes for forty moves.
    Bullet,
    /// Less than eight.
    Blitz,
    /// Less than twenty-five.
    Rapid,
    /// More.
    Classical,
    /// Days for a move.
    Correspondence,
}

impl Speed {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Unknown, Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    /// What the tag `TimeControl` says.
    #[must_use]
    pub fn of_time_control(text: &str) -> Self {
        // Of several periods the first counts; `40/5400` is a number of moves and seconds.
        let first = text.trim().split(':').next().unwrap_or_default();
        let (moves, time) = first.split_once('/').map_or((None, first), |(moves, time)| (Some(moves), time));
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (Ok(base), Ok(increment)) = (base.parse::<f64>(), increment.parse::<f64>()) else {
            return Self::Unknown;
        };
        if moves == Some("1") && base >= 86_400.0 {
            return Self::Correspondence;
        }
        match base + 40.0 * increment {
            ..180.0 => Self::Bullet,
            ..480.0 => Self::Blitz,
            ..1500.0 => Self::Rapid,
            _ => Self::Classical,
        }
    }

    /// Its name in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
}

impl FromStr for Speed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|speed| speed.name().eq_ignore_ascii_case(text.trim()));
        named.ok_or("a time control is bullet, blitz, rapid, classical, correspondence or unknown")
    }
}

/// A game in `games.bin`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameEntry {
    /// Places of the players in `players.txt`, White first.
    pub(crate) players: [u32; 2],
    /// Ratings; 0 if not known.
    pub(crate) ratings: [u16; 2],
    /// When it was played.
    pub(crate) day: Option<Day>,
    pub(crate) result: GameResult,
    pub(crate) speed: Speed,
    /// Half-moves.
    pub(crate) plies: u16,
    /// Where start and moves begin in `moves.bin`.
    pub(crate) offset: u64,
}

const RESULTS: [GameResult; 4] =
    [GameResult::Unfinished, GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];

impl GameEntry {
    /// Bytes of an entry.
    pub(crate) const SIZE: usize = 28;

    pub(crate) fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let result = RESULTS.iter().position(|&result| result == self.result).unwrap_or_default() as u8;
        bytes[0..4].copy_from_slice(&self.players[0].to_le_bytes());
        bytes[4..8].copy_from_slice(&self.players[1].to_le_bytes());
        bytes[8..10].copy_from_slice(&self.ratings[0].to_le_bytes());
        bytes[10..12].copy_from_slice(&self.ratings[1].to_le_bytes());
        bytes[12..16].copy_from_slice(&self.day.map_or(0, |day| day.0).to_le_bytes());
        bytes[16] = result;
        bytes[17] = self.speed as u8;
        bytes[18..20].copy_from_slice(&self.plies.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.offset.to_le_bytes());
        bytes
    }

    /// Reads an entry; one that is damaged becomes a game of which less is known.
    pub(crate) fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        let u32_at = |place: usize| u32::from_le_bytes(std::array::from_fn(|index| bytes[place + index]));
        let u16_at = |place: usize| u16::from_le_bytes(std::array::from_fn(|index| bytes[place + index]));
        Self {
            players: [u32_at(0), u32_at(4)],
            ratings: [u16_at(8), u16_at(10)],
            day: Day::from_code(u32_at(12)),
            result: RESULTS.get(usize::from(bytes[16])).copied().unwrap_or_default(),
            speed: Speed::ALL.get(usize::from(bytes[17])).copied().unwrap_or(Speed::Unknown),
            plies: u16_at(18),
            offset: u64::from_le_bytes(std::array::from_fn(|index| bytes[20 + index])),
        }
    }

    /// The mean of the ratings that are known.
    pub(crate) fn mean_rating(&self) -> Option<u32> {
        let known = self.ratings.iter().filter(|&&rating| rating > 0).count() as u32;
        (known > 0).then(|| self.ratings.iter().map(|&rating| u32::from(rating)).sum::<u32>() / known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let entry = GameEntry {
            players: [7, u32::MAX],
            ratings: [2012, 0],
            day: "2026.11".parse().ok(),
            result: GameResult::Draw,
            speed: Speed::Rapid,
            plies: 83,
            offset: 1 << 40,
        };
        assert_eq!(GameEntry::from_bytes(&entry.to_bytes()), entry);
        assert_eq!(entry.mean_rating(), Some(2012));
    }

    #[test]
    fn days_may_be_known_in_part() {
        let day = |text: &str| text.parse::<Day>();
        assert_eq!(day("2026.11.18").map(|day| day.to_string()), Ok("2026.11.18".to_owned()));
        assert_eq!(day("1997.??.??").map(|day| day.to_string()), Ok("1997.??.??".to_owned()));
        assert!(day("1997") < day("1997.02") && day("1997.02.28") < day("1997.02").map(Day::end));
        for wrong in ["", "????.??.??", "2026.13", "2026.1.32", "2026.1.1.1", "soon"] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_controls_have_speeds() {
        for (text, speed) in [
            ("60+0", Speed::Bullet),
            ("180+2", Speed::Blitz),
            ("600", Speed::Rapid),
            ("40/5400+30:1800+30", Speed::Classical),
            ("1/259200", Speed::Correspondence),
            ("-", Speed::Unknown),
            ("?", Speed::Unknown),
        ] {
            assert_eq!(Speed::of_time_control(text), speed, "{text}");
        }
    }
}
