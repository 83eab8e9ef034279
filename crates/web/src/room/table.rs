//! The state of a room: the game, who watches, what is offered.

use super::{Watcher, next_revision};
use crate::levels;
use crate::record::{Player, Record, now};
use crate::view;
use crate::wire::{
    ClockState, GameKind, GameState, Links, Message, Offers, PlayedMove, PlayerState, Side, You,
};
use chess::Color;
use classics::Classic;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::task::AbortHandle;

/// A classic between two of its moves.
pub type SeatedClassic = Arc<Mutex<Box<dyn Classic + Send>>>;

pub struct Table {
    pub record: Record,
    pub watchers: HashMap<u64, Watcher>,
    pub offers: Offers,
    pub is_paused: bool,
    /// Whose clock runs, and since when.
    pub running: Option<(Color, Instant)>,
    pub flag_timer: Option<AbortHandle>,
    /// The engine at work.
    pub thinking: Option<(Color, AbortHandle)>,
    /// Counts changes of the game, so that what was decided before one is not done after it.
    pub generation: u64,
    /// Classics remember what they thought before.
    pub classics: [Option<SeatedClassic>; 2],
    /// The moves as they are shown.
    moves: Vec<PlayedMove>,
}

impl Table {
    pub fn new(record: Record) -> Self {
        let mut table = Self {
            record,
            watchers: HashMap::new(),
            offers: Offers::default(),
            is_paused: false,
            running: None,
            flag_timer: None,
            thinking: None,
            generation: 0,
            classics: [None, None],
            moves: Vec::new(),
        };
        table.describe_moves(0);
        table
    }

    /// Takes over a changed game.
    pub fn take_over(&mut self, record: Record) {
        let kept =
            self.record.game.moves().zip(record.game.moves()).take_while(|(old, new)| old == new).count();
        self.record = record;
        self.generation += 1;
        self.describe_moves(kept);
    }

    /// Describes the moves again, from a ply on.
    fn describe_moves(&mut self, from: usize) {
        self.moves.truncate(from);
        let game = &self.record.game;
        for (ply, played) in game.plies().iter().enumerate().skip(from) {
            if let Some(before) = game.position_at(ply) {
                self.moves.push(PlayedMove {
                    mv: view::move_state(before, played.mv, game.variant()),
                    clock: played.clock.map(|clock| clock.as_millis() as u64),
                });
            }
        }
    }

    /// Something has changed that is not kept.
    pub fn touch(&mut self) {
        self.record.revision = next_revision(self.record.revision);
    }

    /// Whether nobody has yet to come.
    pub fn is_full(&self) -> bool {
        self.record.invite_token.is_none()
    }

    pub fn withdraw_offers(&mut self) {
        self.offers = Offers::default();
    }

    /// Whether somebody is there for whom clocks and engines run.
    pub fn is_attended(&self, at_home: bool) -> bool {
        let counts = |watcher: &Watcher| {
            self.record.kind == GameKind::Engines || self.record.seats_of(&watcher.visitor, at_home).is_some()
        };
        self.watchers.values().any(counts)
    }

    /// How many plies are left when a side takes its last move back; none if it has made no move.
    pub fn plies_after_takeback(&self, color: Color) -> Option<usize> {
        let game = &self.record.game;
        match self.record.kind {
            GameKind::Local => game.ply().checked_sub(1),
            GameKind::Engine | GameKind::Friend => (0..game.ply())
                .rev()
                .find(|&ply| game.position_at(ply).is_some_and(|before| before.turn() == color)),
            GameKind::Engines | GameKind::Imported => None,
        }
    }

    pub fn stop_engine(&mut self) {
        if let Some((_, task)) = self.thinking.take() {
            task.abort();
        }
    }

    /// Stops engine and clocks.
    pub fn stop(&mut self) {
        self.stop_engine();
        if let Some(timer) = self.flag_timer.take() {
            timer.abort();
        }
        self.running = None;
    }

    /// The game is gone: stops everything and tells who watches.
    pub fn dismiss(&mut self, id: &str) {
        self.stop();
        for (_, watcher) in self.watchers.drain() {
            watcher.outbox.push(None, Message::Gone { game: id.to_owned() });
        }
    }

    /// Shows everybody how things stand.
    pub fn show_all(&self, at_home: bool) {
        for watcher in self.watchers.values() {
            watcher.outbox.push_game(self.state_for(&watcher.visitor, at_home));
        }
    }

    /// The state as a visitor sees it.
    pub fn state_for(&self, visitor: &str, at_home: bool) -> GameState {
        let record = &self.record;
        let you = record.seats_of(visitor, at_home);
        let position = view::position(&record.game);
        GameState {
            id: record.id.clone(),
            revision: record.revision,
            kind: record.kind,
            variant: record.game.variant().into(),
            created: record.created,
            updated: record.updated,
            start: record.game.start().to_fen(),
            white: self.player_state(Color::White, at_home),
            black: self.player_state(Color::Black, at_home),
            you,
            moves: self.moves.clone(),
            outcome: position.outcome.clone(),
            position,
            clock: self.clock_state(),
            thinking: self.thinking.as_ref().map(|(color, _)| Side::from(*color)),
            paused: self.is_paused,
            offers: self.offers,
            can_takeback: you.is_some_and(|you| self.can_take_back(you)),
            next: record.next.clone(),
            links: self.links(you),
            spectators: self.spectators(at_home),
            reviewed: record.reviewed,
            tags: record.tags.clone(),
        }
    }

    fn can_take_back(&self, you: You) -> bool {
        Color::ALL.into_iter().any(|color| you.plays(color) && self.plies_after_takeback(color).is_some())
    }

    fn links(&self, you: Option<You>) -> Option<Links> {
        let record = &self.record;
        let is_owner = you.is_some() || matches!(record.kind, GameKind::Engines | GameKind::Imported);
        is_owner.then(|| Links {
            invite: record.invite_token.as_ref().map(|token| format!("/join/{token}")),
            watch: format!("/watch/{}", record.watch_token),
        })
    }

    /// People who watch without playing, each once.
    fn spectators(&self, at_home: bool) -> usize {
        let watching = |watcher: &&Watcher| self.record.seats_of(&watcher.visitor, at_home).is_none();
        self.watchers
            .values()
            .filter(watching)
            .map(|watcher| &*watcher.visitor)
            .collect::<BTreeSet<_>>()
            .len()
    }

    fn player_state(&self, color: Color, at_home: bool) -> PlayerState {
        let player = self.record.player(color);
        let is_imported = self.record.kind == GameKind::Imported;
        let (kind, id, elo) = match player {
            Player::Person { .. } => ("person", None, None),
            Player::Level { id } => {
                ("level", Some(id.clone()), levels::find(id).ok().and_then(|level| levels::info(level).elo))
            }
            Player::Classic { id } => ("classic", Some(id.clone()), None),
        };
        let sits = |watcher: &Watcher| {
            self.record.seats_of(&watcher.visitor, at_home).is_some_and(|you| you.plays(color))
        };
        PlayerState {
            kind,
            name: player.name(),
            id,
            elo,
            present: player.is_engine() || self.watchers.values().any(sits),
            seated: is_imported || player.is_engine() || player.visitor().is_some(),
        }
    }

    fn clock_state(&self) -> Option<ClockState> {
        let setting = self.record.clock?;
        let left = |color: Color| {
            let left = self.record.left[color.index()];
            match self.running {
                Some((running, since)) if running == color => {
                    left.saturating_sub(since.elapsed().as_millis() as u64)
                }
                _ => left,
            }
        };
        Some(ClockState {
            initial: setting.initial,
            increment: setting.increment,
            white: left(Color::White),
            black: left(Color::Black),
            running: self.running.map(|(color, _)| color.into()),
            at: now(),
        })
    }
}
