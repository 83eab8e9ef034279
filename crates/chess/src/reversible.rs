//! Recognising that a single move would repeat an earlier position, from the difference of two keys.
//!
//! All moves of pieces that can go there and back are few enough (3668) to be found by the key they
//! change, in a cuckoo hash table: each has two places, and one lookup in each decides. Idea: Marcel van
//! Kervinck.

use crate::{Key, Piece, Position, Square, attacks, key};

const SIZE: usize = 8192;

#[derive(Copy, Clone)]
struct Step {
    key: Key,
    squares: Option<(Square, Square)>,
}

const NOTHING: Step = Step { key: Key(0), squares: None };

const fn first_place(key: Key) -> usize {
    key.0 as usize % SIZE
}

const fn second_place(key: Key) -> usize {
    (key.0 >> 16) as usize % SIZE
}

#[allow(long_running_const_eval)]
static STEPS: [Step; SIZE] = build();

const fn build() -> [Step; SIZE] {
    let mut table = [NOTHING; SIZE];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mover = Piece::ALL[piece];
        let mut from = 0;
        while from < Square::COUNT {
            let one = Square::from_index(from);
            let targets = attacks::on_empty_board(mover.role(), one);
            // Each pair of squares once.
            let mut to = from + 1;
            while to < Square::COUNT {
                let other = Square::from_index(to);
                if targets.has(other) {
                    let step = Step { key: key::step(mover, one, other), squares: Some((one, other)) };
                    insert(&mut table, step);
                }
                to += 1;
            }
            from += 1;
        }
        piece += 1;
    }
    table
}

/// Puts a step in its first place; whichever is there moves to its other one, and so on.
const fn insert(table: &mut [Step; SIZE], mut step: Step) {
    let mut place = first_place(step.key);
    loop {
        let evicted = table[place];
        table[place] = step;
        if evicted.squares.is_none() {
            return;
        }
        step = evicted;
        let first = first_place(step.key);
        place = if place == first { second_place(step.key) } else { first };
    }
}

fn find(key: Key) -> Option<(Square, Square)> {
    [first_place(key), second_place(key)]
        .into_iter()
        .map(|place| &STEPS[place])
        .find(|step| step.key == key)
        .and_then(|step| step.squares)
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
            find(difference).is_some_and(|(from, to)| {
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
    use crate::{Bitboard, Role};

    #[test]
    fn every_reversible_step_is_found() {
        let mut steps = 0;
        for mover in Piece::ALL.into_iter().filter(|piece| piece.role() != Role::Pawn) {
            for from in Square::all() {
                for to in
                    attacks::of_piece(mover.role(), from, Bitboard::EMPTY).into_iter().filter(|&to| to > from)
                {
                    assert_eq!(find(key::step(mover, from, to)), Some((from, to)), "{mover:?} {from} {to}");
                    steps += 1;
                }
            }
        }
        assert_eq!(steps, 3668);
        assert_eq!(find(key::step(Piece::WhitePawn, Square::E2, Square::E4)), None);
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
