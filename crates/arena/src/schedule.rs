//! Who plays whom, in which order.

use std::fmt;

/// How the players of a tournament meet.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player against every other.
    #[default]
    RoundRobin,
    /// The first against each of the others.
    Gauntlet,
    /// Every player against the next two of the list, which goes by strength.
    Ladder,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Ladder => "ladder",
        })
    }
}

/// A game to be played.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: usize,
    /// The pair of games with reversed colours it belongs to, from 0.
    pub pair: usize,
    /// Which opening; both games of a pair have the same.
    pub round: usize,
    /// The player of White.
    pub white: usize,
    /// The player of Black.
    pub black: usize,
}

/// All games of a tournament. In each round every two opponents play one opening with both colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    opponents: Vec<(usize, usize)>,
    games: usize,
}

impl Schedule {
    /// A schedule for this number of players, with this number of games between every two opponents.
    #[must_use]
    pub fn new(format: Format, players: usize, games_each: usize) -> Self {
        let opponents: Vec<(usize, usize)> = match format {
            Format::RoundRobin => (0..players)
                .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
                .collect(),
            Format::Ladder => (0..players)
                .flat_map(|first| (first + 1..players.min(first + 3)).map(move |second| (first, second)))
                .collect(),
            Format::Gauntlet => (1..players).map(|second| (0, second)).collect(),
        };
        Self { games: opponents.len() * games_each, opponents }
    }

    /// How many games there are.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// The game of a number.
    #[must_use]
    pub fn fixture(&self, number: usize) -> Option<Fixture> {
        if number >= self.games {
            return None;
        }
        let pairs = self.opponents.len();
        let round_size = 2 * pairs;
        let (round, within) = (number / round_size, number % round_size);
        // The last round may be a half one, when the number of games is odd.
        let full_rounds = self.games / round_size;
        let (encounter, reversed) =
            if round < full_rounds { (within / 2, within % 2 == 1) } else { (within, false) };
        let (first, second) = self.opponents[encounter];
        let (white, black) = if reversed { (second, first) } else { (first, second) };
        Some(Fixture { number, pair: round * pairs + encounter, round, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn fixtures(schedule: &Schedule) -> Vec<Fixture> {
        (0..schedule.games()).filter_map(|number| schedule.fixture(number)).collect()
    }

    #[test]
    fn a_match_alternates_colours_on_each_opening() {
        let games = fixtures(&Schedule::new(Format::RoundRobin, 2, 4));
        let seats: Vec<_> =
            games.iter().map(|game| (game.round, game.pair, game.white, game.black)).collect();
        assert_eq!(seats, [(0, 0, 0, 1), (0, 0, 1, 0), (1, 1, 0, 1), (1, 1, 1, 0)]);
    }

    #[test]
    fn a_round_robin_is_fair() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 6);
        let mut seats = HashMap::new();
        let mut pairs: HashMap<usize, Vec<Fixture>> = HashMap::new();
        for game in fixtures(&schedule) {
            *seats.entry((game.white, game.black)).or_insert(0) += 1;
            pairs.entry(game.pair).or_default().push(game);
        }
        assert_eq!(schedule.games(), 36);
        assert_eq!(seats.len(), 12);
        assert!(seats.values().all(|&games| games == 3));
        for pair in pairs.values() {
            assert_eq!(pair.len(), 2);
            assert_eq!(
                (pair[0].white, pair[0].black, pair[0].round),
                (pair[1].black, pair[1].white, pair[1].round)
            );
        }
    }

    #[test]
    fn a_gauntlet_is_one_against_all() {
        let games = fixtures(&Schedule::new(Format::Gauntlet, 4, 2));
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|game| game.white == 0 || game.black == 0));
    }

    #[test]
    fn a_ladder_has_neighbours() {
        let games = fixtures(&Schedule::new(Format::Ladder, 4, 2));
        let pairs: Vec<_> = games.iter().step_by(2).map(|game| (game.white, game.black)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
    }

    #[test]
    fn an_odd_number_of_games_ends_in_half_a_round() {
        let schedule = Schedule::new(Format::RoundRobin, 3, 3);
        let games = fixtures(&schedule);
        assert_eq!(games.len(), 9);
        let last: Vec<_> = games[6..].iter().map(|game| (game.white, game.black, game.round)).collect();
        assert_eq!(last, [(0, 1, 1), (0, 2, 1), (1, 2, 1)]);
        assert_eq!(Schedule::new(Format::RoundRobin, 1, 3).fixture(0), None);
        assert_eq!(schedule.fixture(9), None);
    }
}
