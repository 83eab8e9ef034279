//! How a game is set up.

use crate::command::Order;
use crate::seat::Seat;
use crate::store::Store;
use crate::table::{Event, Table};
use crate::worker::Reporter;
use chess::pgn::PgnGame;
use chess::{CHESS960_POSITIONS, Game, Position, Setup, Variant};
use players::TimeControl;
use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start position of standard chess.
    Standard,
    /// A position.
    Position(Box<Position>),
    /// A numbered start position of Chess960, or one drawn at random for each game.
    Chess960(Option<u16>),
}

/// Everything that is agreed before a game.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where it begins.
    pub start: Start,
    /// Who plays White and Black.
    pub seats: [Seat; 2],
    /// The clock, if there is one.
    pub clock: Option<TimeControl>,
    /// Whether programs give up when they are lost.
    pub programs_resign: bool,
}

/// What a view begins with.
#[derive(Debug)]
pub struct Session {
    /// What is agreed.
    pub setting: Setting,
    /// Where games are kept, if they are.
    pub store: Option<Store>,
    /// The game that was broken off last time.
    pub unfinished: Option<PgnGame>,
    /// What is done first, as loading a game.
    pub orders: Vec<Order>,
}

impl Session {
    /// The table at which it is played, and what has happened there already.
    pub(crate) fn table(self, reporter: Reporter, now: Instant) -> (Table, Vec<Event>) {
        let mut table = Table::new(self.setting, self.store, reporter);
        if let Some(pgn) = &self.unfinished {
            table.resume(pgn);
        }
        let mut events = Vec::new();
        // Programs wait until everything is as it was ordered.
        for order in self.orders {
            events.extend(table.obey(order, now));
        }
        events.extend(table.begin(now));
        (table, events)
    }
}

impl Start {
    /// A game that begins there.
    #[must_use]
    pub fn game(&self) -> Game {
        match self {
            Self::Standard => Game::new(),
            Self::Position(position) => Game::from_position(**position),
            Self::Chess960(number) => {
                let number = number.unwrap_or_else(|| random(u64::from(CHESS960_POSITIONS)) as u16);
                let start = Setup::chess960(number).and_then(|setup| Position::from_setup(&setup).ok());
                Game::with_variant(start.unwrap_or_else(Position::startpos), Variant::Chess960)
            }
        }
    }
}

/// A number below `bound`. The standard library seeds its hash maps at random, and nothing here needs a better
/// source.
#[must_use]
pub fn random(bound: u64) -> u64 {
    RandomState::new().hash_one(()) % bound.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_start_positions_exist() {
        for _ in 0..100 {
            let game = Start::Chess960(None).game();
            assert_eq!(game.variant(), Variant::Chess960);
            assert!(game.start().to_setup().chess960_number().is_some());
        }
        assert_eq!(Start::Standard.game(), Game::new());
    }
}
