//! A game as it is kept.

use crate::error::{Error, Result};
use crate::levels;
use crate::view;
use crate::wire::{ClockSetting, GameKind, VariantName, You};
use chess::{Color, Game, Outcome, Position, Variant};
use classics::ClassicSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Who sits at a side of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Player {
    /// A person: the visitor, once the seat is taken. In an imported game there is none.
    Person {
        /// What they call themselves.
        name: String,
        /// Who it is.
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
            Self::Level { id } => match levels::find(id).map(levels::info) {
                Ok(info) => match info.elo {
                    Some(elo) => format!("Gardez, {} ({elo})", info.name),
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
    /// Its name.
    pub id: String,
    /// Who plays.
    pub kind: GameKind,
    /// White and Black.
    pub players: [Player; 2],
    /// The moves and the end.
    pub game: Game,
    /// The setting of the clocks.
    pub clock: Option<ClockSetting>,
    /// What White and Black have left, in milliseconds.
    pub left: [u64; 2],
    /// Grows with every change.
    pub revision: i64,
    /// When it was created and changed last.
    pub created: i64,
    /// When it was changed last.
    pub updated: i64,
    /// The secret of those who may watch.
    pub watch_token: String,
    /// The secret of who may take the free seat.
    pub invite_token: Option<String>,
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

    /// Which sides a visitor plays.
    #[must_use]
    pub fn seats_of(&self, visitor: &str, at_home: bool) -> Option<You> {
        seats(self.kind, &self.players, visitor, at_home)
    }

    /// Takes moves back so that so many are left. What was declared afterwards is forgotten.
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

    /// The moves in coordinates.
    #[must_use]
    pub fn coordinates(&self) -> Vec<String> {
        let mut position = *self.game.start();
        let style = self.game.variant().castling_style();
        self.game
            .moves()
            .map(|mv| {
                let text = position.to_uci(mv, style).to_string();
                position.play(mv);
                text
            })
            .collect()
    }
}

/// Which sides a visitor plays, by who sits there. At home everybody may play on with what does not belong
/// to one browser alone.
#[must_use]
pub fn seats(kind: GameKind, players: &[Player; 2], visitor: &str, at_home: bool) -> Option<You> {
    if matches!(kind, GameKind::Imported | GameKind::Engines) {
        return None;
    }
    let sits = |color: Color| {
        let player = &players[color.index()];
        !player.is_engine() && (player.visitor() == Some(visitor) || at_home && kind != GameKind::Friend)
    };
    match (sits(Color::White), sits(Color::Black)) {
        (true, true) => Some(You::Both),
        (true, false) => Some(You::White),
        (false, true) => Some(You::Black),
        (false, false) => None,
    }
}

/// A game out of its stored parts.
///
/// # Errors
/// When the database holds what is no game.
pub fn restore_game(
    start: &str,
    variant: VariantName,
    moves: &[(String, Option<u64>)],
    end: Option<Outcome>,
) -> Result<Game> {
    let damaged =
        |what: &dyn std::fmt::Display| Error::internal(&format!("the stored game is damaged: {what}"));
    let start = Position::from_fen(start).map_err(|error| damaged(&error))?;
    let mut game = Game::with_variant(start, Variant::from(variant));
    for (text, clock) in moves {
        let mv = view::read_move(game.position(), text).map_err(|error| damaged(&error))?;
        game.replay(mv).map_err(|error| damaged(&error))?;
        if let Some(clock) = clock {
            game.set_clock(std::time::Duration::from_millis(*clock));
        }
    }
    if let Some(end) = end
        && !game.is_over()
    {
        game.end(end).map_err(|error| damaged(&error))?;
    }
    Ok(game)
}
