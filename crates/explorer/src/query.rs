//! Questions and answers.

use crate::ExplorerError;
use crate::entry::{Day, GameEntry, Speed};
use crate::store::{Explorer, Reached};
use chess::{Color, GameResult, Move, Position};
use std::collections::HashMap;

/// Which games count; what is not given does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Played by someone whose name contains this, in small or large letters.
    pub player: Option<String>,
    /// With this colour, if a player is given.
    pub color: Option<Color>,
    /// The players' mean rating is at least this.
    pub least_rating: Option<u32>,
    /// It is at most this.
    pub most_rating: Option<u32>,
    /// Played on this day or later.
    pub since: Option<Day>,
    /// Played on this day or earlier.
    pub until: Option<Day>,
    /// With this much time.
    pub speed: Option<Speed>,
}

/// A filter that knows the numbers of the players it asks for.
struct Prepared<'a> {
    filter: &'a Filter,
    /// Whether each player is wanted, if any is asked for.
    wanted: Option<Vec<bool>>,
}

impl Prepared<'_> {
    fn passes(&self, entry: &GameEntry) -> bool {
        let Filter { color, least_rating, most_rating, since, until, speed, .. } = self.filter;
        let is_wanted = |color: Color| {
            let number = entry.players[color.index()] as usize;
            self.wanted.as_ref().is_none_or(|wanted| wanted.get(number) == Some(&true))
        };
        let has_player = match color {
            Some(color) => is_wanted(*color),
            None => is_wanted(Color::White) || is_wanted(Color::Black),
        };
        let rating = entry.mean_rating();
        has_player
            && least_rating.is_none_or(|least| rating.is_some_and(|rating| rating >= least))
            && most_rating.is_none_or(|most| rating.is_some_and(|rating| rating <= most))
            && since.is_none_or(|since| entry.day.is_some_and(|day| day.end() >= since))
            && until.is_none_or(|until| entry.day.is_some_and(|day| day <= until.end()))
            && speed.is_none_or(|speed| entry.speed == speed)
    }
}

/// How games ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Games, unfinished ones included.
    pub games: u32,
    /// Won by White.
    pub white: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by Black.
    pub black: u32,
}

impl Results {
    fn add(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::WhiteWins => self.white += 1,
            GameResult::BlackWins => self.black += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Unfinished => {}
        }
    }
}

/// A move and the games in which it was played.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MoveStatistics {
    /// The move.
    pub mv: Move,
    /// How the games with it ended.
    pub results: Results,
    /// The mean rating of their players, where it is known.
    pub rating: Option<u32>,
    /// When it was last played.
    pub last: Option<Day>,
    /// Games that reached the position after it, by this move or another way.
    pub reached: u32,
}

/// A game of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameHead {
    /// Its number in the index, from 0.
    pub number: u32,
    /// The names of White and Black.
    pub players: [String; 2],
    /// Their ratings, where known.
    pub ratings: [Option<u16>; 2],
    /// When it was played.
    pub day: Option<Day>,
    /// How it ended.
    pub result: GameResult,
    /// How much time there was.
    pub speed: Speed,
    /// What was played in the position, if anything.
    pub mv: Option<Move>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// How the games that reached it ended.
    pub results: Results,
    /// The moves, the most frequent first.
    pub moves: Vec<MoveStatistics>,
    /// Games that reached it: the best rated first, then the latest.
    pub games: Vec<GameHead>,
}

/// Counts the games of one move.
#[derive(Default)]
struct Tally {
    results: Results,
    ratings: u64,
    rated: u32,
    last: Option<Day>,
}

impl Explorer {
    /// What was played in a position, in the games that count, and no more than some of these games.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn ask(&self, position: &Position, filter: &Filter, games: usize) -> Result<Answer, ExplorerError> {
        let prepared = self.prepare(filter);
        let counting = self.counting(position, &prepared)?;
        let mut results = Results::default();
        let mut tallies: HashMap<Move, Tally> = HashMap::new();
        for (reached, entry) in &counting {
            results.add(entry.result);
            let Some(mv) = reached.mv else { continue };
            let tally = tallies.entry(mv).or_default();
            tally.results.add(entry.result);
            tally.last = tally.last.max(entry.day);
            if let Some(rating) = entry.mean_rating() {
                tally.ratings += u64::from(rating);
                tally.rated += 1;
            }
        }
        let mut moves = Vec::new();
        // Two positions may share a key, hardly ever, and a file may be damaged.
        for (mv, tally) in tallies.into_iter().filter(|&(mv, _)| position.is_legal(mv)) {
            let after = position.after(mv);
            let reached = match *filter == Filter::default() {
                true => self.count(&after)?,
                false => self.counting(&after, &prepared)?.len() as u64,
            };
            let rating = tally.ratings.checked_div(tally.rated.into()).map(|rating| rating as u32);
            // The position after the last half-move that is indexed is not.
            let reached = (reached as u32).max(tally.results.games);
            moves.push(MoveStatistics { mv, results: tally.results, rating, last: tally.last, reached });
        }
        moves.sort_by_key(|found| (std::cmp::Reverse(found.results.games), found.mv.to_bits()));
        Ok(Answer { results, moves, games: self.heads(counting, games) })
    }

    fn prepare<'a>(&self, filter: &'a Filter) -> Prepared<'a> {
        let wanted = filter.player.as_ref().map(|part| {
            let part = part.to_lowercase();
            self.players().iter().map(|name| name.to_lowercase().contains(&part)).collect()
        });
        Prepared { filter, wanted }
    }

    /// The games that reached a position and count.
    fn counting(
        &self,
        position: &Position,
        filter: &Prepared<'_>,
    ) -> Result<Vec<(Reached, GameEntry)>, ExplorerError> {
        let reached = self.reached(position)?;
        let entries = self.entries(&reached)?;
        Ok(reached.into_iter().zip(entries).filter(|(_, entry)| filter.passes(entry)).collect())
    }

    fn heads(&self, mut games: Vec<(Reached, GameEntry)>, count: usize) -> Vec<GameHead> {
        let order = |(reached, entry): &(Reached, GameEntry)| {
            std::cmp::Reverse((entry.mean_rating(), entry.day, reached.game))
        };
        if games.len() > count && count > 0 {
            games.select_nth_unstable_by_key(count - 1, order);
        }
        games.truncate(count);
        games.sort_unstable_by_key(order);
        games.into_iter().map(|(reached, entry)| self.head_of(reached, &entry)).collect()
    }

    fn head_of(&self, reached: Reached, entry: &GameEntry) -> GameHead {
        GameHead {
            number: reached.game,
            players: entry.players.map(|number| self.player(number).to_owned()),
            ratings: entry.ratings.map(|rating| Some(rating).filter(|&rating| rating > 0)),
            day: entry.day,
            result: entry.result,
            speed: entry.speed,
            mv: reached.mv,
        }
    }

    /// Who played a game, by its number, and how it ended.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn head(&self, number: u32) -> Result<GameHead, ExplorerError> {
        Ok(self.head_of(Reached { game: number, mv: None }, &self.entry(number)?))
    }
}
