//! A game as it is kept.

use crate::error::{Error, Result};
use crate::levels;
use crate::notation;
use chess::{Color, Game, GameResult, Outcome, Position, Variant};
use classics::ClassicSpec;
use players::{Clock, TimeControl};
use std::collections::BTreeMap;
use std::time::Duration;
use web_time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// What kind of game it is, by who plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GameKind {
    /// A visitor against an engine.
    Engine,
    /// Two visitors, one of them by invitation.
    Friend,
    /// Two people at one board.
    Local,
    /// Engines only.
    Engines,
    /// Read from PGN, not played here.
    Imported,
}

/// Which sides a visitor plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sides {
    /// This one.
    One(Color),
    /// Two people at one board.
    Both,
}

impl Sides {
    /// Whether the visitor moves these pieces.
    #[must_use]
    pub fn plays(self, color: Color) -> bool {
        match self {
            Self::One(side) => side == color,
            Self::Both => true,
        }
    }
}

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person.
    Person {
        /// What they call themselves.
        name: String,
        /// Whose seat it is; none while an invitation waits, and in an imported game.
        visitor: Option<String>,
    },
    /// The engine at a level.
    Level {
        /// The name of the level.
        id: String,
    },
    /// A classic.
    Classic {
        /// Its name.
        id: String,
    },
}

impl Player {
    /// What to call the player.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Person { name, .. } => name.clone(),
            Self::Level { id } => match levels::find(id) {
                Ok(level) => match level.elo() {
                    Some(elo) => format!("Gardez, {} ({elo})", level.name()),
                    None => "Gardez".to_owned(),
                },
                Err(_) => format!("Gardez {id}"),
            },
            Self::Classic { id } => match id.parse::<ClassicSpec>() {
                Ok(spec) => classic_name(spec).to_owned(),
                Err(_) => id.clone(),
            },
        }
    }

    /// Whether an engine plays.
    #[must_use]
    pub const fn is_engine(&self) -> bool {
        !matches!(self, Self::Person { .. })
    }

    /// The visitor in the seat.
    #[must_use]
    pub fn visitor(&self) -> Option<&str> {
        match self {
            Self::Person { visitor, .. } => visitor.as_deref(),
            Self::Level { .. } | Self::Classic { .. } => None,
        }
    }
}

/// The name of a classic, without what its description says beyond that.
#[must_use]
pub fn classic_name(spec: ClassicSpec) -> &'static str {
    spec.description().split_once(':').map_or(spec.name(), |(name, _)| name)
}

/// Everything about a game that outlives the server.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its identifier, part of its address.
    pub id: String,
    /// Who plays.
    pub kind: GameKind,
    /// White and Black.
    pub players: [Player; 2],
    /// The moves and the end.
    pub game: Game,
    /// The clock, if there is one. It stands in a game that is not open.
    pub clock: Option<Clock>,
    /// Grows with every change.
    pub revision: i64,
    /// When it was created.
    pub created: i64,
    /// When it was changed last.
    pub updated: i64,
    /// A seat is free for whoever has the link to it.
    pub is_invite_open: bool,
    /// The game that followed by rematch.
    pub next: Option<String>,
    /// Engines take their time.
    pub human_pace: bool,
    /// Where the errors of levels come from.
    pub seed: u64,
    /// PGN tags of an imported game.
    pub tags: BTreeMap<String, String>,
    /// The text of an imported game.
    pub pgn: Option<String>,
    /// Whether there is a review.
    pub reviewed: bool,
}

impl Record {
    /// The player of a colour.
    #[must_use]
    pub fn player(&self, color: Color) -> &Player {
        &self.players[color.index()]
    }

    /// The time control, which is the same for both sides.
    #[must_use]
    pub fn time_control(&self) -> Option<TimeControl> {
        self.clock.as_ref().and_then(|clock| clock.control(Color::White))
    }

    /// Which sides a visitor plays.
    #[must_use]
    pub fn seats_of(&self, visitor: &str, is_owner: bool) -> Option<Sides> {
        seats(self.kind, &self.players, visitor, is_owner)
    }

    /// The result. An imported game has that of its tags, whatever the last position says.
    #[must_use]
    pub fn result(&self) -> GameResult {
        match (self.kind, self.tags.get("Result")) {
            (GameKind::Imported, Some(result)) => result.parse().unwrap_or_default(),
            _ => GameResult::of(self.game.outcome()),
        }
    }

    /// Takes moves back until `plies` are left. What was declared afterwards is forgotten.
    pub fn truncate(&mut self, plies: usize) {
        let mut game = Game::with_variant(*self.game.start(), self.game.variant());
        for ply in &self.game.plies()[..plies.min(self.game.ply())] {
            if game.replay(ply.mv).is_ok()
                && let Some(clock) = ply.clock
            {
                game.set_clock(clock);
            }
        }
        self.game = game;
    }
}

/// Which sides a visitor plays. On a server that only this machine can reach, every browser may continue all
/// games but those by invitation.
#[must_use]
pub fn seats(kind: GameKind, players: &[Player; 2], visitor: &str, is_owner: bool) -> Option<Sides> {
    if matches!(kind, GameKind::Imported | GameKind::Engines) {
        return None;
    }
    let sits = |color: Color| {
        let player = &players[color.index()];
        !player.is_engine() && (player.visitor() == Some(visitor) || is_owner && kind != GameKind::Friend)
    };
    match (sits(Color::White), sits(Color::Black)) {
        (true, true) => Some(Sides::Both),
        (true, false) => Some(Sides::One(Color::White)),
        (false, true) => Some(Sides::One(Color::Black)),
        (false, false) => None,
    }
}

/// A game out of its stored parts.
///
/// # Errors
/// When the stored parts make no game.
pub fn restore_game(
    start: &str,
    variant: Variant,
    moves: &[(String, Option<Duration>)],
    end: Option<Outcome>,
) -> Result<Game> {
    let damaged =
        |what: &dyn std::fmt::Display| Error::internal(&format!("the stored game is damaged: {what}"));
    let start = Position::from_fen(start).map_err(|error| damaged(&error))?;
    let mut game = Game::with_variant(start, variant);
    for (text, clock) in moves {
        let mv = notation::read_move(game.position(), text).map_err(|error| damaged(&error))?;
        game.replay(mv).map_err(|error| damaged(&error))?;
        if let Some(clock) = clock {
            game.set_clock(*clock);
        }
    }
    if let Some(end) = end
        && !game.is_over()
    {
        game.end(end).map_err(|error| damaged(&error))?;
    }
    Ok(game)
}
