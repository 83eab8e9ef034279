//! Solving puzzles: which ones, how well, and when again.

use crate::csv::{Columns, Row, RowError};
use repetition::{Card, Grade};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BinaryHeap};

/// Who has solved nothing yet is taken for this good.
const FIRST_RATING: f64 = 1200.0;
/// How far a puzzle moves the rating of who solves it, at first and later.
const STEP: [f64; 2] = [60.0, 20.0];
/// Puzzles after which the rating moves more slowly.
const SETTLED: u32 = 30;

/// What is known of a person who solves puzzles: how good, and when each puzzle is due again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Deck {
    /// The version of the format.
    version: u32,
    /// How hard puzzles are that are solved half the time.
    pub rating: f64,
    /// Puzzles that were tried for the first time.
    pub solved_new: u32,
    /// What is remembered of each puzzle, by its identifier.
    cards: BTreeMap<String, Card>,
}

impl Default for Deck {
    fn default() -> Self {
        Self { version: 1, rating: FIRST_RATING, solved_new: 0, cards: BTreeMap::new() }
    }
}

/// The puzzles of a session, those first that are due again, then new ones of about the right difficulty.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The puzzles.
    pub rows: Vec<Row>,
    /// How many of them come again.
    pub due: usize,
    /// How many more are due.
    pub left: usize,
}

impl Deck {
    /// Chooses no more than `count` puzzles of a file for a session, only those about a theme if one is given.
    ///
    /// # Errors
    /// When a line that is chosen is no puzzle.
    pub fn choose<'a>(
        &self,
        columns: &Columns,
        lines: impl Iterator<Item = &'a str>,
        theme: Option<&str>,
        count: usize,
        now: i64,
    ) -> Result<Choice, RowError> {
        let mut due: Vec<(i64, &str)> = Vec::new();
        // The new ones that fit best; the one that fits worst is on top.
        let mut new: BinaryHeap<(i64, &str)> = BinaryHeap::new();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let glance = columns.glance(line);
            if theme.is_some_and(|theme| !glance.themes.split_whitespace().any(|own| own == theme)) {
                continue;
            }
            match self.cards.get(glance.id) {
                Some(card) if card.is_due(now) => due.push((card.due, line)),
                Some(_) => {}
                None => {
                    let rating = glance.rating.map_or(FIRST_RATING, f64::from);
                    new.push(((rating - self.rating).abs() as i64, line));
                    if new.len() > count {
                        new.pop();
                    }
                }
            }
        }
        due.sort_unstable();
        let left = due.len().saturating_sub(count);
        due.truncate(count);
        let mut new = new.into_sorted_vec();
        new.truncate(count - due.len());
        let lines = due.iter().chain(&new).map(|(_, line)| *line);
        Ok(Choice {
            rows: lines.map(|line| columns.row(line)).collect::<Result<_, _>>()?,
            due: due.len(),
            left,
        })
    }

    /// Notes how a puzzle was solved, and returns when it comes again.
    pub fn record(&mut self, row: &Row, grade: Grade, now: i64) -> &Card {
        let is_new = !self.cards.contains_key(&row.id);
        if let (true, Some(rating)) = (is_new, row.rating) {
            // As after a game against the puzzle; one that was seen before says less.
            let expected = 1.0 / (1.0 + 10_f64.powf((f64::from(rating) - self.rating) / 400.0));
            let scored = if grade == Grade::Again { 0.0 } else { 1.0 };
            self.rating += STEP[usize::from(self.solved_new >= SETTLED)] * (scored - expected);
        }
        self.solved_new += u32::from(is_new);
        let card = self.cards.entry(row.id.clone()).or_insert_with(|| Card::new(now));
        *card = card.reviewed(now, grade);
        card
    }

    /// When the next puzzle that is not due yet comes again.
    #[must_use]
    pub fn next_due(&self, now: i64) -> Option<i64> {
        self.cards.values().map(|card| card.due).filter(|&due| due > now).min()
    }

    /// How many puzzles are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether no puzzle is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use repetition::DAY;

    const HEADING: &str = "PuzzleId,FEN,Moves,Rating,Themes";

    fn lines(ratings: &[i32]) -> Vec<String> {
        let line = |(number, rating): (usize, &i32)| {
            let theme = if number % 2 == 0 { "fork" } else { "pin" };
            format!("p{number},{},e2e4 e7e5,{rating},{theme} short", chess::START_FEN)
        };
        ratings.iter().enumerate().map(line).collect()
    }

    fn ids(choice: &Choice) -> Vec<&str> {
        choice.rows.iter().map(|row| row.id.as_str()).collect()
    }

    #[test]
    fn puzzles_come_again_when_they_are_due() {
        let columns = Columns::read(HEADING).expect("columns");
        let lines = lines(&[2000, 1250, 1100, 600]);
        let mut deck = Deck::default();
        let choose = |deck: &Deck, theme, count, now| {
            deck.choose(&columns, lines.iter().map(String::as_str), theme, count, now).expect("puzzles")
        };
        let first = choose(&deck, None, 2, 0);
        assert_eq!((ids(&first), first.due), (vec!["p1", "p2"], 0));
        assert_eq!(ids(&choose(&deck, Some("fork"), 5, 0)), ["p2", "p0"]);
        deck.record(&first.rows[0], Grade::Good, 0);
        deck.record(&first.rows[0], Grade::Good, 700);
        deck.record(&first.rows[1], Grade::Again, 800);
        // What was known comes in days, what was not in minutes.
        let soon = choose(&deck, None, 4, 1_000);
        assert_eq!((soon.rows[0].id.as_str(), soon.due, soon.rows.len()), ("p2", 1, 3));
        let later = choose(&deck, None, 1, 30 * DAY);
        assert_eq!((later.due, later.left), (1, 1));
        assert_eq!(deck.len(), 2);
    }

    #[test]
    fn ratings_follow_success() {
        let columns = Columns::read(HEADING).expect("columns");
        let rows: Vec<Row> =
            lines(&[1500, 900]).iter().map(|line| columns.row(line).expect("a puzzle")).collect();
        let mut deck = Deck::default();
        deck.record(&rows[0], Grade::Good, 0);
        let after_hard = deck.rating;
        assert!(after_hard > FIRST_RATING + 40.0, "{after_hard}");
        deck.record(&rows[0], Grade::Good, DAY);
        assert_eq!(deck.rating, after_hard, "a puzzle that comes again is no measure");
        deck.record(&rows[1], Grade::Again, DAY);
        assert!(deck.rating < after_hard - 40.0);
        let text = serde_json::to_string(&deck).expect("JSON");
        assert_eq!(serde_json::from_str::<Deck>(&text).expect("a deck"), deck);
    }
}
