//! Recognising that a single move would repeat an earlier position, from the difference of two keys.
//!
//! All moves of pieces that can go there and back are few enough (3668) to be found by the key they
//! change, in a cuckoo hash table: each has two places, and one lookup in each decides. Idea: Marcel van
//! Kervinck.

use crate::{Key, Position, Square, attacks, key};
use std::sync::LazyLock;

const SIZE: usize = 8192;

#[derive(Copy, Clone, Default)]
struct Entry {
    key: Key,
    squares: Option<(Square, Square)>,
}

struct Table(Box<[Entry]>);

const fn first_place(key: Key) -> usize {
    key.0 as usize % SIZE
}

const fn second_place(key: Key) -> usize {
    (key.0 >> 16) as usize % SIZE
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::build);

impl Table {
    fn build() -> Self {
        let mut table = Self(vec![Entry::default(); SIZE].into_boxed_slice());
        for (mv_key, from, to) in key::reversible_steps() {
            table.insert(Entry { key: mv_key, squares: Some((from, to)) });
        }
        table
    }

    /// Puts an entry in its first place; whoever is there moves to its other one, and so on.
    fn insert(&mut self, mut entry: Entry) {
        let mut place = first_place(entry.key);
        loop {
            std::mem::swap(&mut self.0[place], &mut entry);
            if entry.squares.is_none() {
                return;
            }
            let (first, second) = (first_place(entry.key), second_place(entry.key));
            place = if place == first { second } else { first };
        }
    }

    fn find(&self, key: Key) -> Option<(Square, Square)> {
        [first_place(key), second_place(key)]
            .into_iter()
            .map(|place| &self.0[place])
            .find(|entry| entry.key == key)
            .and_then(|entry| entry.squares)
    }
}

impl Position {
    /// Whether the side to move can repeat an earlier position with one reversible move.
    ///
    /// `keys` are the keys of the positions before this one, oldest first; only those since the last
    /// irreversible move count. `is_repeatable` decides, by how many plies ago a position was, whether
    /// going back to it counts.
    #[must_use]
    pub fn can_repeat(&self, keys: &[Key], is_repeatable: impl Fn(usize) -> bool) -> bool {
        let reach = keys.len().min(usize::from(self.halfmove_clock()));
        // Three plies ago is the latest position that one move of ours can bring back.
        (3..=reach).step_by(2).any(|plies| {
            let mut difference = self.key();
            difference.toggle(keys[keys.len() - plies]);
            TABLE.find(difference).is_some_and(|(from, to)| {
                !attacks::between(from, to).intersects(self.occupied())
                    && (self.side(self.turn()).has(from) || self.side(self.turn()).has(to))
                    && is_repeatable(plies)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;

    #[test]
    fn every_reversible_step_is_found() {
        let steps: Vec<_> = key::reversible_steps().collect();
        assert_eq!(steps.len(), 3668);
        for (key, from, to) in steps {
            assert_eq!(TABLE.find(key), Some((from, to)));
        }
        assert_eq!(TABLE.find(key::piece(Piece::WhitePawn, Square::E2)), None);
    }

    #[test]
    fn a_knight_going_home_repeats() {
        let mut position = Position::startpos();
        let mut keys = Vec::new();
        for text in ["g1f3", "g8f6", "f3g1"] {
            keys.push(position.key());
            position.play(position.parse_uci(text).unwrap());
        }
        assert!(position.can_repeat(&keys, |_| true), "Ng8 brings the start position back");
        assert!(!position.can_repeat(&keys, |plies| plies > 3));
        keys.push(position.key());
        position.play(position.parse_uci("b8c6").unwrap());
        assert!(!position.can_repeat(&keys, |_| true));
    }
}
