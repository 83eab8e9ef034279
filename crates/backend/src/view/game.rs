//! Games as clients see them.

use super::{outcome, position};
use crate::levels;
use crate::record::{GameKind, Player, Sides, now};
use crate::session::{LiveGame, Offer};
use crate::store::{GameSummary, LinkKind};
use crate::wire;
use chess::Color;
use std::time::Duration;

impl From<GameKind> for wire::GameKind {
    fn from(kind: GameKind) -> Self {
        match kind {
            GameKind::Engine => Self::Engine,
            GameKind::Friend => Self::Friend,
            GameKind::Local => Self::Local,
            GameKind::Engines => Self::Engines,
            GameKind::Imported => Self::Imported,
        }
    }
}

impl From<Sides> for wire::You {
    fn from(sides: Sides) -> Self {
        match sides {
            Sides::One(Color::White) => Self::White,
            Sides::One(Color::Black) => Self::Black,
            Sides::Both => Self::Both,
        }
    }
}

/// What is offered.
pub(crate) const fn offer(offer: Offer) -> wire::Offer {
    match offer {
        Offer::Draw => wire::Offer::Draw,
        Offer::Takeback => wire::Offer::Takeback,
        Offer::Rematch => wire::Offer::Rematch,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A game as a visitor sees it.
pub(crate) fn game_state(game: &LiveGame, visitor: &str) -> wire::GameState {
    let record = game.record();
    let sides = game.sides_of(visitor);
    let position = position(&record.game);
    let offered = |offer: Offer| game.offers().by(offer).map(Into::into);
    wire::GameState {
        id: record.id.clone(),
        revision: record.revision,
        kind: record.kind.into(),
        variant: record.game.variant().into(),
        created: record.created,
        updated: record.updated,
        start: record.game.start().to_fen(),
        white: player(game, Color::White),
        black: player(game, Color::Black),
        you: sides.map(Into::into),
        moves: game
            .moves()
            .iter()
            .map(|(mv, clock)| wire::PlayedMove { mv: mv.clone().into(), clock: clock.map(millis) })
            .collect(),
        outcome: position.outcome.clone(),
        position,
        clock: clock(game),
        thinking: game.thinking().map(Into::into),
        search: game.last_search(),
        paused: game.is_paused(),
        offers: wire::Offers {
            draw: offered(Offer::Draw),
            takeback: offered(Offer::Takeback),
            rematch: offered(Offer::Rematch),
        },
        can_takeback: sides.is_some_and(|sides| game.can_take_back(sides)),
        next: record.next.clone(),
        links: links(game, sides),
        spectators: game.spectators(),
        reviewed: record.reviewed,
        tags: record.tags.clone(),
    }
}

fn player(game: &LiveGame, color: Color) -> wire::Player {
    let record = game.record();
    let player = record.player(color);
    let (kind, id, elo) = match player {
        Player::Person { .. } => (wire::PlayerKind::Person, None, None),
        Player::Level { id } => {
            (wire::PlayerKind::Level, Some(id.clone()), levels::find(id).ok().and_then(levels::elo))
        }
        Player::Classic { id } => (wire::PlayerKind::Classic, Some(id.clone()), None),
    };
    wire::Player {
        kind,
        name: player.name(),
        id,
        elo,
        present: game.is_present(color),
        seated: record.kind == GameKind::Imported || player.is_engine() || player.visitor().is_some(),
    }
}

fn clock(game: &LiveGame) -> Option<wire::Clock> {
    let reading = game.clock()?;
    let left = |color: Color| millis(reading.left[color.index()]);
    Some(wire::Clock {
        initial: millis(reading.control.base),
        increment: millis(reading.control.increment),
        white: left(Color::White),
        black: left(Color::Black),
        running: reading.running.map(Into::into),
        at: now(),
    })
}

/// The links of a game, for its owners; none where others cannot come.
fn links(game: &LiveGame, sides: Option<Sides>) -> Option<wire::Links> {
    let record = game.record();
    let is_owner = sides.is_some() || matches!(record.kind, GameKind::Engines | GameKind::Imported);
    (is_owner && game.has_links()).then(|| wire::Links {
        invite: record.is_invite_open.then(|| format!("/join/{}", game.link_token(LinkKind::Invite))),
        watch: format!("/watch/{}", game.link_token(LinkKind::Watch)),
    })
}

/// A game of the list.
pub(crate) fn game_summary(game: GameSummary) -> wire::GameSummary {
    let [white, black] = game.names;
    wire::GameSummary {
        id: game.id,
        kind: game.kind.into(),
        variant: game.variant.into(),
        created: game.created,
        updated: game.updated,
        white,
        black,
        you: game.sides.map(Into::into),
        plies: game.plies,
        result: game.result.into(),
        outcome: game.outcome.map(outcome),
        opening: game.opening.map(|(eco, name)| wire::Opening { eco, name }),
        fen: game.fen,
        reviewed: game.is_reviewed,
    }
}
