//! Levels of play: a target rating becomes a handicap.
//!
//! A weaker level searches fewer nodes, misjudges positions by a little more, and overlooks more moves that
//! are not on the board yet. All three follow from the rating alone, by the table of `STAGES`, which games
//! between the levels have calibrated (`gardez calibrate`, docs/levels.md).

use crate::handicap::Handicap;
use std::fmt;
use std::str::FromStr;

/// How strong the engine plays.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// About as strong as a player of this rating, from [`Level::MIN_ELO`] to [`Level::MAX_ELO`].
    Elo(u16),
    /// As strong as it can.
    #[default]
    Full,
}

/// A handicap and the rating it was measured to have.
struct Stage {
    elo: u16,
    nodes: u64,
    noise: i32,
    blindness: u32,
}

const fn stage(elo: u16, nodes: u64, noise: i32, blindness: u32) -> Stage {
    Stage { elo, nodes, noise, blindness }
}

/// The levels of the list from the weakest to the strongest, and one above them; ratings in between are
/// interpolated.
const STAGES: &[Stage] = &[
    stage(500, 1, 212, 800),
    stage(580, 1, 186, 590),
    stage(660, 5, 160, 390),
    stage(740, 11, 144, 308),
    stage(820, 22, 128, 245),
    stage(900, 36, 116, 198),
    stage(970, 50, 106, 165),
    stage(1050, 66, 97, 132),
    stage(1130, 88, 87, 103),
    stage(1210, 125, 78, 77),
    stage(1290, 185, 69, 57),
    stage(1370, 260, 61, 44),
    stage(1450, 380, 53, 32),
    stage(1530, 520, 46, 23),
    stage(1610, 680, 41, 16),
    stage(1690, 860, 37, 11),
    stage(1770, 1_100, 34, 7),
    stage(1840, 1_390, 31, 4),
    stage(1920, 1_800, 28, 1),
    stage(2000, 2_400, 25, 0),
    stage(2080, 3_200, 22, 0),
    stage(2160, 4_200, 19, 0),
    stage(2240, 5_570, 17, 0),
    stage(2800, 100_000, 3, 0),
];

/// The name of each level on the list, the last being full strength.
const NAMES: [&str; Level::COUNT] = [
    "Newcomer",
    "Beginner",
    "Learner",
    "Casual player",
    "Park bench",
    "Kitchen table",
    "School team",
    "Café player",
    "Weekend player",
    "Club novice",
    "Club player",
    "Strong club player",
    "Team captain",
    "Club champion",
    "City champion",
    "Regional champion",
    "Expert",
    "Candidate master",
    "National master",
    "FIDE master",
    "International master",
    "Grandmaster",
    "World class",
    "Full strength",
];

/// From this rating on a level knows how to mate a lone king with a queen or a rook.
pub(crate) const TECHNIQUE_ELO: u16 = 800;

impl Level {
    /// The least rating there is a level for.
    pub const MIN_ELO: u16 = STAGES[0].elo;
    /// The highest one, short of full strength.
    pub const MAX_ELO: u16 = STAGES[STAGES.len() - 1].elo;
    /// How many levels are on the list.
    pub const COUNT: usize = 24;
    /// The largest value of the option `Skill Level`, which is full strength, as in other engines.
    pub const MAX_SKILL: usize = 20;
    /// The levels people choose from: number 1 is the first, the last is full strength.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Full; Self::COUNT];
        let mut index = 0;
        while index + 1 < Self::COUNT {
            all[index] = Self::Elo(STAGES[index].elo);
            index += 1;
        }
        all
    };

    /// The level of a rating, brought into the range there is.
    #[must_use]
    pub fn of_elo(elo: i64) -> Self {
        let elo = elo.clamp(i64::from(Self::MIN_ELO), i64::from(Self::MAX_ELO));
        Self::Elo(u16::try_from(elo).unwrap_or(Self::MAX_ELO))
    }

    /// The level of this number on the list; 0 counts as 1.
    #[must_use]
    pub fn of_number(number: usize) -> Self {
        Self::ALL[number.clamp(1, Self::COUNT) - 1]
    }

    /// The level of a value of `Skill Level`, from 1 to [`Level::MAX_SKILL`]; 0 counts as 1.
    #[must_use]
    pub fn of_skill(skill: usize) -> Self {
        let steps = Self::MAX_SKILL - 1;
        let above_first = skill.clamp(1, Self::MAX_SKILL) - 1;
        Self::of_number(1 + (above_first * (Self::COUNT - 1) + steps / 2) / steps)
    }

    /// The number on the list: that of the level itself, or of the next weaker one.
    #[must_use]
    pub fn number(self) -> usize {
        Self::ALL.iter().rposition(|&level| level <= self).map_or(1, |index| index + 1)
    }

    /// What to call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self.number() - 1]
    }

    /// The rating aimed at; none at full strength.
    #[must_use]
    pub const fn elo(self) -> Option<u16> {
        match self {
            Self::Elo(elo) => Some(elo),
            Self::Full => None,
        }
    }

    /// What holds the engine back; none at full strength.
    #[must_use]
    pub fn handicap(self, game_seed: u64) -> Option<Handicap> {
        let elo = self.elo()?.clamp(Self::MIN_ELO, Self::MAX_ELO);
        let upper = STAGES.iter().position(|stage| stage.elo >= elo).unwrap_or(STAGES.len() - 1).max(1);
        let (below, above) = (&STAGES[upper - 1], &STAGES[upper]);
        let (part, whole) = (i64::from(elo - below.elo), i64::from(above.elo - below.elo));
        let between = |low: i64, high: i64| low + (high - low) * part / whole;
        Some(Handicap {
            nodes: between(below.nodes as i64, above.nodes as i64).unsigned_abs(),
            noise: between(i64::from(below.noise), i64::from(above.noise)) as i32,
            blindness: between(i64::from(below.blindness), i64::from(above.blindness)) as u32,
            knows_technique: elo >= TECHNIQUE_ELO,
            seed: game_seed,
        })
    }
}

/// `1200` or `full`, which can be read again.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elo(elo) => write!(f, "{elo}"),
            Self::Full => f.write_str("full"),
        }
    }
}

/// A text names no level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a level is a number from 1 to {count}, a rating from {min} to {max}, or full; not '{text}'\n{levels}",
    count = Level::COUNT, min = Level::MIN_ELO, max = Level::MAX_ELO, levels = list())]
pub struct LevelError {
    /// What was given.
    pub text: String,
}

/// The levels for people, one on a line.
#[must_use]
pub fn list() -> String {
    let line = |level: &Level| {
        let rating = level.elo().map_or_else(|| "full".to_owned(), |elo| elo.to_string());
        format!("{:3}  {rating:>4}  {}", level.number(), level.name())
    };
    Level::ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("full") {
            return Ok(Self::Full);
        }
        match text.parse::<u16>() {
            Ok(number @ 1..) if usize::from(number) <= Self::COUNT => Ok(Self::of_number(number.into())),
            Ok(elo @ Self::MIN_ELO..=Self::MAX_ELO) => Ok(Self::Elo(elo)),
            _ => Err(LevelError { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handicap(level: Level) -> Handicap {
        level.handicap(1).unwrap_or_else(|| panic!("{level} is full strength"))
    }

    #[test]
    fn every_level_is_held_back_less_than_the_one_below() {
        for pair in Level::ALL[..Level::COUNT - 1].windows(2) {
            let (weaker, stronger) = (handicap(pair[0]), handicap(pair[1]));
            assert!(pair[0] < pair[1]);
            assert!(weaker.nodes <= stronger.nodes, "{pair:?}");
            assert!(weaker.noise > stronger.noise, "{pair:?}");
            assert!(weaker.blindness >= stronger.blindness, "{pair:?}");
        }
        assert_eq!(Level::Full.handicap(1), None);
    }

    #[test]
    fn stages_follow_each_other() {
        for pair in STAGES.windows(2) {
            assert!(pair[0].elo < pair[1].elo && pair[0].nodes <= pair[1].nodes);
            assert!(pair[0].noise >= pair[1].noise && pair[0].blindness >= pair[1].blindness);
        }
        for elo in Level::MIN_ELO..Level::MAX_ELO {
            let (here, next) = (handicap(Level::Elo(elo)), handicap(Level::Elo(elo + 1)));
            assert!(here.nodes <= next.nodes && here.noise >= next.noise, "{elo}");
            assert!(here.blindness >= next.blindness, "{elo}");
        }
        assert_eq!(handicap(Level::Elo(1)), handicap(Level::Elo(Level::MIN_ELO)));
        assert_eq!(handicap(Level::Elo(9999)), handicap(Level::Elo(Level::MAX_ELO)));
    }

    #[test]
    fn levels_have_numbers_and_names() {
        for (index, &level) in Level::ALL.iter().enumerate() {
            assert_eq!(level.number(), index + 1);
            assert_eq!(Level::of_number(index + 1), level);
            assert_eq!((index + 1).to_string().parse(), Ok(level));
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(NAMES.iter().filter(|&&name| name == level.name()).count(), 1);
        }
        assert_eq!(Level::of_number(0), Level::ALL[0]);
        assert_eq!(Level::Elo(Level::MIN_ELO).number(), 1);
        assert_eq!(Level::Elo(Level::MAX_ELO).number(), Level::COUNT - 1);
    }

    #[test]
    fn levels_are_read() {
        assert_eq!("1500".parse(), Ok(Level::Elo(1500)));
        assert_eq!(" FULL ".parse(), Ok(Level::Full));
        for text in ["0", "25", "499", "9000", "-1", "easy", ""] {
            let message = text.parse::<Level>().map_err(|error| error.to_string()).expect_err(text);
            assert!(message.contains(&format!("not '{text}'")), "{message}");
            assert!(message.contains("Club player") && message.contains("Full strength"), "{message}");
        }
    }
}
