//! The results so far.

use crate::record::{Effort, GameReport};
use crate::stats::elo::Estimate;
use crate::stats::{Pairs, Tally};
use std::collections::HashMap;

/// What two opponents did to each other, seen by the first.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Encounter {
    /// Single games.
    pub tally: Tally,
    /// Complete pairs.
    pub pairs: Pairs,
}

impl Encounter {
    /// What it says about their strength: by pairs if every game has its counterpart, else by games.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        if 2 * self.pairs.count() + 1 >= self.tally.games() {
            Estimate::of_pairs(&self.pairs).or_else(|| Estimate::of_games(&self.tally))
        } else {
            Estimate::of_games(&self.tally)
        }
    }

    fn reversed(self) -> Self {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        Self { tally: self.tally.reversed(), pairs }
    }
}

/// The results of all games played.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    games: Vec<GameReport>,
    encounters: HashMap<(usize, usize), Encounter>,
    /// Half points, for the first of the two opponents, of pairs with one game played.
    half_pairs: HashMap<usize, u8>,
    effort: HashMap<usize, Effort>,
}

impl Standings {
    /// Adds a game.
    pub fn add(&mut self, game: GameReport) {
        let [white, black] = game.players;
        let key = (white.min(black), white.max(black));
        let half_points = if white == key.0 { game.white_half_points } else { 2 - game.white_half_points };
        let encounter = self.encounters.entry(key).or_default();
        encounter.tally.add(half_points);
        match self.half_pairs.remove(&game.pair) {
            Some(other) => encounter.pairs.add(half_points + other),
            None => {
                self.half_pairs.insert(game.pair, half_points);
            }
        }
        for (player, effort) in game.players.into_iter().zip(&game.effort) {
            self.effort.entry(player).or_default().add(effort);
        }
        self.games.push(game);
    }

    /// The games, in the order they were finished.
    #[must_use]
    pub fn games(&self) -> &[GameReport] {
        &self.games
    }

    /// What two players did to each other, seen by the first.
    #[must_use]
    pub fn encounter(&self, first: usize, second: usize) -> Encounter {
        let key = (first.min(second), first.max(second));
        let encounter = self.encounters.get(&key).copied().unwrap_or_default();
        if first == key.0 { encounter } else { encounter.reversed() }
    }

    /// All encounters, each seen by the player with the lower number.
    pub fn encounters(&self) -> impl Iterator<Item = ((usize, usize), Encounter)> {
        self.encounters.iter().map(|(&key, &encounter)| (key, encounter))
    }

    /// All games of a player.
    #[must_use]
    pub fn tally(&self, player: usize) -> Tally {
        let mut sum = Tally::default();
        for ((first, second), encounter) in self.encounters() {
            let tally = match player {
                _ if player == first => encounter.tally,
                _ if player == second => encounter.tally.reversed(),
                _ => continue,
            };
            sum.wins += tally.wins;
            sum.draws += tally.draws;
            sum.losses += tally.losses;
        }
        sum
    }

    /// What a player used in all its games.
    #[must_use]
    pub fn effort(&self, player: usize) -> Effort {
        self.effort.get(&player).copied().unwrap_or_default()
    }

    /// How many incidents a player has caused.
    #[must_use]
    pub fn incidents(&self, player: usize) -> usize {
        let of_player =
            |game: &&GameReport| game.incident.as_ref().is_some_and(|incident| incident.player == player);
        self.games.iter().filter(of_player).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize, pair: usize, white: usize, white_half_points: u8) -> GameReport {
        GameReport {
            number,
            pair,
            players: [white, 1 - white],
            white_half_points,
            ending: String::new(),
            plies: 1,
            effort: [Effort { moves: 1, nodes: 10, seconds: 2.0, depths: 3, seconds_left: 6.0 }; 2],
            incident: None,
        }
    }

    #[test]
    fn pairs_count_when_both_games_are_there() {
        let mut standings = Standings::default();
        standings.add(game(0, 0, 0, 2));
        assert_eq!(standings.effort(0).clock_used(), Some(0.25));
        standings.add(game(3, 1, 1, 0));
        assert_eq!(standings.encounter(0, 1).pairs, Pairs::default());
        standings.add(game(1, 0, 1, 1));
        standings.add(game(2, 1, 0, 2));
        let encounter = standings.encounter(0, 1);
        assert_eq!(encounter.pairs, Pairs([0, 0, 0, 1, 1]));
        assert_eq!(encounter.tally, Tally { wins: 3, draws: 1, losses: 0 });
        assert_eq!(standings.encounter(1, 0).pairs, Pairs([1, 1, 0, 0, 0]));
        assert_eq!(standings.tally(1), Tally { wins: 0, draws: 1, losses: 3 });
        assert_eq!(standings.effort(0).nodes_per_second(), 5.0);
        assert_eq!(standings.effort(0).moves, 4);
    }
}
