//! Games as the server describes them, as far as a player in the terminal needs it. docs/api.md has the whole.

use chess::{Color, Game, Position};
use serde::Deserialize;
use std::time::Duration;

/// How a game stands.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct GameState {
    pub id: String,
    pub revision: i64,
    start: String,
    pub white: RemotePlayer,
    pub black: RemotePlayer,
    you: Option<String>,
    moves: Vec<RemoteMove>,
    clock: Option<RemoteClock>,
    pub outcome: Option<RemoteOutcome>,
    pub offers: Offers,
    /// The game that followed by rematch.
    pub next: Option<String>,
    links: Option<Links>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct RemotePlayer {
    pub name: String,
    pub present: bool,
    pub seated: bool,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct RemoteMove {
    uci: String,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct RemoteClock {
    white: u64,
    black: u64,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct RemoteOutcome {
    pub result: String,
    /// A clause.
    pub text: String,
}

/// Who waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct Offers {
    draw: Option<String>,
    takeback: Option<String>,
    rematch: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Links {
    invite: Option<String>,
}

fn color(name: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| name.eq_ignore_ascii_case(&color.to_string()))
}

impl Offers {
    /// What one side offers, as the server calls it.
    pub(crate) fn by(&self, side: Color) -> Option<&'static str> {
        [("draw", &self.draw), ("takeback", &self.takeback), ("rematch", &self.rematch)]
            .into_iter()
            .find(|(_, by)| by.as_deref().and_then(color) == Some(side))
            .map(|(name, _)| name)
    }
}

impl GameState {
    /// The side played here; both at one board are White's for a start.
    pub(crate) fn side(&self) -> Option<Color> {
        self.you.as_deref().and_then(|you| if you == "both" { Some(Color::White) } else { color(you) })
    }

    pub(crate) const fn player(&self, color: Color) -> &RemotePlayer {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// Whether the other state is older, or has nothing new but the time. Who comes and goes changes no revision.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        let is_same = || Self { clock: self.clock.clone(), ..other.clone() } == *self;
        self.id == other.id && (self.revision > other.revision || is_same())
    }

    /// The path of the invitation, while a seat is free.
    pub(crate) fn invitation(&self) -> Option<&str> {
        self.links.as_ref()?.invite.as_deref()
    }

    /// What both sides have left.
    pub(crate) fn clocks(&self) -> Option<[Duration; 2]> {
        self.clock.as_ref().map(|clock| [clock.white, clock.black].map(Duration::from_millis))
    }

    /// The game so far, if the server plays by the rules.
    pub(crate) fn game(&self) -> Option<Game> {
        let mut game = Game::from_position(Position::from_fen(&self.start).ok()?);
        for RemoteMove { uci } in &self.moves {
            let mv = game.position().parse_uci(uci).ok()?;
            game.replay(mv).ok()?;
        }
        Some(game)
    }
}
