//! Which games are wanted.

use super::games::Seen;
use crate::positions;
use book::openings;
use chess::{Color, GameResult, Position, Role};
use std::str::FromStr;

/// What a game has to meet; all of it.
#[derive(clap::Args)]
#[command(next_help_heading = "Which games")]
pub(super) struct Criteria {
    /// Played by someone whose name contains this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// White's name contains this
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Black's name contains this
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Opening: the beginning of its ECO code, or part of its name
    #[arg(long, value_name = "ECO|NAME")]
    opening: Option<String>,
    /// Result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT")]
    result: Option<GameResult>,
    /// Played on this day or later: 2026, 2026.11 or 2026.11.18
    #[arg(long, value_name = "DATE")]
    since: Option<PartialDate>,
    /// Played on this day or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<PartialDate>,
    /// This position was reached
    #[arg(long, value_name = "FEN", value_parser = positions::read_position)]
    position: Option<Position>,
    /// This material was reached, with either colour: KRPKR is rook and pawn against rook
    #[arg(long, value_name = "PIECES")]
    material: Option<Material>,
    /// The games that do not meet the criteria instead
    #[arg(long)]
    invert: bool,
}

impl Criteria {
    /// Whether the tags decide already that a game is not wanted, or that its moves are of no interest.
    pub(super) fn is_met_by_tags(&self, game: &Seen) -> bool {
        let names = |name: &str, part: &Option<String>| {
            part.as_ref().is_none_or(|part| contains_ignoring_case(game.tag(name), part))
        };
        let is_player = self.player.as_ref().is_none_or(|part| {
            contains_ignoring_case(game.tag("White"), part) || contains_ignoring_case(game.tag("Black"), part)
        });
        is_player
            && names("White", &self.white)
            && names("Black", &self.black)
            && self.is_in_time(game.tag("Date"))
    }

    fn is_in_time(&self, date: &str) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Ok(date) = date.parse::<PartialDate>() else { return false };
        self.since.is_none_or(|since| date.last() >= since.first())
            && self.until.is_none_or(|until| date.first() <= until.last())
    }

    /// Whether positions have to be looked at.
    pub(super) fn looks_at_positions(&self) -> bool {
        self.position.is_some() || self.material.is_some() || self.opening.is_some()
    }

    /// Takes a position of the main line into account.
    pub(super) fn look_at(&self, position: &Position, game: &mut Seen) {
        if let Some(wanted) = &self.position {
            game.has_position |= position.key() == wanted.key();
        }
        if let Some(wanted) = &self.material {
            game.has_material |= wanted.is_on(position);
        }
        if self.opening.is_some() {
            game.opening = openings::name(position).or(game.opening);
        }
    }

    /// Whether a game that has been read is wanted.
    pub(super) fn is_met(&self, game: &Seen) -> bool {
        let is_met = self.is_met_by_tags(game)
            && self.result.is_none_or(|result| game.result() == result)
            && (self.position.is_none() || game.has_position)
            && (self.material.is_none() || game.has_material)
            && self.opening.as_ref().is_none_or(|opening| is_opening(game, opening));
        is_met != self.invert
    }

    pub(super) const fn is_inverted(&self) -> bool {
        self.invert
    }
}

fn contains_ignoring_case(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// By its moves if they are known, else by its tags.
fn is_opening(game: &Seen, wanted: &str) -> bool {
    let fits = |eco: &str, name: &str| {
        eco.get(..wanted.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(wanted))
            || contains_ignoring_case(name, wanted)
    };
    game.opening.is_some_and(|opening| fits(opening.eco, opening.name))
        || fits(game.tag("ECO"), game.tag("Opening"))
}

/// A date of which the end may not be known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct PartialDate {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl PartialDate {
    fn first(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(1), self.day.unwrap_or(1))
    }

    fn last(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(12), self.day.unwrap_or(31))
    }
}

impl FromStr for PartialDate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a date is written like 2026, 2026.11 or 2026.11.18";
        let mut parts = text.split(['.', '-', '/']);
        let year = parts.next().and_then(|year| year.parse().ok()).ok_or(WRONG)?;
        let mut part = |most: u8| match parts.next() {
            None => Ok(None),
            Some(unknown) if unknown.chars().all(|c| c == '?') => Ok(None),
            Some(number) => {
                number.parse().ok().filter(|number| (1..=most).contains(number)).map(Some).ok_or(WRONG)
            }
        };
        let (month, day) = (part(12)?, part(31)?);
        if parts.next().is_some() {
            return Err(WRONG);
        }
        Ok(Self { year, month, day: day.filter(|_| month.is_some()) })
    }
}

/// The pieces of two sides.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Material([Pieces; 2]);

/// How many pieces of each kind a side has.
type Pieces = [u8; 6];

impl Material {
    fn is_on(&self, position: &Position) -> bool {
        let pieces = |color| Role::ALL.map(|role| position.pieces(color, role).count() as u8);
        let [one, other] = self.0;
        let [white, black] = Color::ALL.map(pieces);
        (white, black) == (one, other) || (white, black) == (other, one)
    }
}

impl FromStr for Material {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "material is written like KRPKR: each side with its king first";
        let mut sides = text.trim().split(['K', 'k']);
        if sides.next() != Some("") {
            return Err(WRONG);
        }
        let mut side = || {
            let letters = sides.next().ok_or(WRONG)?;
            if letters.len() > 16 {
                return Err(WRONG);
            }
            let mut pieces = Pieces::default();
            pieces[Role::King.index()] = 1;
            for letter in letters.chars().filter(|c| !matches!(c, 'v' | '-' | ' ')) {
                let role = Role::from_char(letter).ok_or(WRONG)?;
                pieces[role.index()] += 1;
            }
            Ok::<Pieces, &str>(pieces)
        };
        let both = [side()?, side()?];
        if sides.next().is_some() || both.iter().any(|pieces| pieces.iter().sum::<u8>() > 16) {
            return Err(WRONG);
        }
        Ok(Self(both))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_may_be_known_in_part() {
        let date = |text: &str| text.parse::<PartialDate>();
        assert_eq!(date("2026.11.18").map(PartialDate::first), Ok((2026, 11, 18)));
        assert_eq!(date("2026.11.??").map(PartialDate::last), Ok((2026, 11, 31)));
        assert_eq!(date("1997").map(PartialDate::first), Ok((1997, 1, 1)));
        assert_eq!(date("1997.??.??").map(PartialDate::last), Ok((1997, 12, 31)));
        for wrong in ["", "????.??.??", "2026.13", "2026.1.32", "2026.1.1.1", "soon"] {
            assert!(date(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn material_counts_for_either_side() {
        let material: Material = "KRPvKR".parse().expect("material");
        for (fen, is_there) in [
            ("4k2r/8/8/8/8/8/4P3/4K2R w - - 0 1", true),
            ("4k2r/4p3/8/8/8/8/8/4K2R w - - 0 1", true),
            ("4k2r/4p3/8/8/8/8/4P3/4K2R w - - 0 1", false),
        ] {
            assert_eq!(material.is_on(&Position::from_fen(fen).expect("a position")), is_there, "{fen}");
        }
        let many = format!("KK{}", "Q".repeat(300));
        for wrong in ["", "K", "KRX", "KKK", "RKR", "RKRK", many.as_str()] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }
}
