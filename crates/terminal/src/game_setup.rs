//! How a game is set up.

use crate::command::GameCommand;
use crate::local_game::{Event, LocalGame};
use crate::participant::Participant;
use crate::player_thread::Reporter;
use crate::store::Store;
use chess::pgn::PgnGame;
use chess::{CHESS960_POSITIONS, FenReading, FenWarning, Game, Position, Setup, Variant};
use players::TimeControl;
use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    /// The start position of standard chess.
    Standard,
    /// A position, and what had to be repaired of it.
    Position(Box<FenReading>),
    /// A numbered start position of Chess960, or one drawn at random for each game.
    Chess960(Option<u16>),
}

/// Everything that is settled before a game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Where it begins.
    pub start: StartPosition,
    /// Who plays White and Black.
    pub participants: [Participant; 2],
    /// The clock, if there is one.
    pub clock: Option<TimeControl>,
    /// Whether programs give up when they are lost.
    pub programs_resign: bool,
}

/// What a view begins with.
#[derive(Debug)]
pub struct Session {
    /// How the game is set up.
    pub setup: GameSetup,
    /// Where games are kept, if they are.
    pub store: Option<Store>,
    /// The game that was left unfinished last time.
    pub unfinished: Option<PgnGame>,
    /// What is done first, such as loading a game.
    pub commands: Vec<GameCommand>,
}

impl Session {
    /// Starts the game. Returns it with what has happened already.
    pub(crate) fn start(self, reporter: Reporter, now: Instant) -> (LocalGame, Vec<Event>) {
        let mut local_game = LocalGame::new(self.setup, self.store, reporter);
        if let Some(pgn) = &self.unfinished {
            local_game.resume(pgn);
        }
        let mut events = Vec::new();
        // Programs wait until all commands are carried out.
        for command in self.commands {
            events.extend(local_game.execute(command, now));
        }
        events.extend(local_game.begin(now));
        (local_game, events)
    }
}

impl StartPosition {
    /// What had to be repaired of the position.
    #[must_use]
    pub fn warnings(&self) -> &[FenWarning] {
        match self {
            Self::Position(reading) => &reading.warnings,
            Self::Standard | Self::Chess960(_) => &[],
        }
    }

    /// A game that begins there.
    #[must_use]
    pub fn game(&self) -> Game {
        match self {
            Self::Standard => Game::new(),
            Self::Position(reading) => Game::from_position(reading.position),
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
            let game = StartPosition::Chess960(None).game();
            assert_eq!(game.variant(), Variant::Chess960);
            assert!(game.start().to_setup().chess960_number().is_some());
        }
        assert_eq!(StartPosition::Standard.game(), Game::new());
    }
}
