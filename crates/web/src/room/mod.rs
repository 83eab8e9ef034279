//! A game that somebody has open: its players, clocks and engines.
//!
//! Everything that changes a game goes through [`Room::act`], which lets one change happen at a time, writes
//! it to the database, and only then shows it to all who watch. It runs in a task of its own, so that a
//! connection lost in the middle leaves nothing half done.

mod clock;
mod new_game;
mod opponent;
mod table;

pub use new_game::imported;
pub use opponent::look;

use crate::error::{Code, Error, Result};
use crate::house::{House, Visitor};
use crate::outbox::Outbox;
use crate::record::{Player, Record, now};
use crate::store::Access;
use crate::view;
use crate::wire::{GameKind, GameState, Message, NewGame, Offer, Side};
use chess::Color;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use table::Table;

/// The most games that are open at once.
const MAX_ROOMS: usize = 10_000;

/// What a player does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Plays a move, the one after so many plies.
    Move {
        /// How many moves were played before.
        ply: usize,
        /// In coordinates or algebraic notation.
        text: String,
    },
    /// Wants a move back.
    Takeback,
    /// Offers a draw.
    Draw,
    /// Claims a draw.
    Claim,
    /// Gives up.
    Resign(Option<Side>),
    /// Wants another game.
    Rematch,
    /// Answers an offer.
    Answer(Offer, bool),
    /// Stops engines that play each other, or lets them go on.
    Pause(bool),
    /// Takes the free seat.
    TakeSeat,
    /// Has a review now.
    Reviewed,
}

/// What has come of it.
#[derive(Debug)]
pub enum Done {
    /// It is done.
    Ok,
    /// Another game has begun.
    NewGame(String),
}

/// Somebody who has the game open.
struct Watcher {
    visitor: Visitor,
    outbox: Arc<Outbox>,
}

/// A game that is open.
pub struct Room {
    id: String,
    house: Arc<House>,
    rooms: Arc<Rooms>,
    table: tokio::sync::Mutex<Table>,
}

/// All games that are open.
#[derive(Default)]
pub struct Rooms {
    open: Mutex<HashMap<String, Arc<Room>>>,
    /// Held while a game is read, so that no game is ever in two rooms.
    opening: tokio::sync::Mutex<()>,
}

impl Rooms {
    fn open_rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of a game, opened if need be. Whether the visitor may come in is not asked here.
    ///
    /// # Errors
    /// When there is no such game.
    pub async fn get(self: &Arc<Self>, house: &Arc<House>, id: &str) -> Result<Arc<Room>> {
        if let Some(room) = self.open_rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let _opening = self.opening.lock().await;
        if let Some(room) = self.open_rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let record = house.store.load(id).await?;
        self.open(house, record)
    }

    fn open(self: &Arc<Self>, house: &Arc<House>, record: Record) -> Result<Arc<Room>> {
        let id = record.id.clone();
        let room = Arc::new(Room {
            id: id.clone(),
            house: Arc::clone(house),
            rooms: Arc::clone(self),
            table: tokio::sync::Mutex::new(Table::new(record)),
        });
        let mut open = self.open_rooms();
        if open.len() >= MAX_ROOMS {
            drop(open);
            self.sweep();
            open = self.open_rooms();
            if open.len() >= MAX_ROOMS {
                return Err(Error::new(Code::Busy, "too many games are open"));
            }
        }
        open.insert(id, Arc::clone(&room));
        Ok(room)
    }

    /// The room of a game, if the visitor may see it.
    ///
    /// # Errors
    /// When they may not, or there is no such game.
    pub async fn enter(self: &Arc<Self>, house: &Arc<House>, id: &str, visitor: &str) -> Result<Arc<Room>> {
        match house.access(id, visitor).await? {
            Access::None => Err(Error::no_game()),
            Access::Watch | Access::Play => self.get(house, id).await,
        }
    }

    /// Begins a game.
    ///
    /// # Errors
    /// When the request makes no sense.
    pub async fn create(
        self: &Arc<Self>,
        house: &Arc<House>,
        visitor: &Visitor,
        request: &NewGame,
    ) -> Result<GameState> {
        let record = new_game::record(visitor, request)?;
        self.begin(house, record, vec![visitor.to_string()]).await.map(|record| {
            let table = Table::new(record);
            table.state_for(visitor, house.at_home)
        })
    }

    async fn begin(
        self: &Arc<Self>,
        house: &Arc<House>,
        record: Record,
        members: Vec<String>,
    ) -> Result<Record> {
        house.store.insert(record.clone(), members).await?;
        Ok(record)
    }

    /// Closes rooms that nobody is in.
    pub fn sweep(&self) {
        self.open_rooms().retain(|_, room| Arc::strong_count(room) > 1);
    }

    /// Closes all rooms: the server stops.
    pub async fn close_all(&self) {
        let rooms: Vec<Arc<Room>> = self.open_rooms().drain().map(|(_, room)| room).collect();
        for room in rooms {
            room.table.lock().await.stop();
        }
    }

    /// Forgets a game that was deleted, and tells who has it open.
    pub async fn close(&self, id: &str) {
        let room = self.open_rooms().remove(id);
        if let Some(room) = room {
            room.table.lock().await.dismiss(id);
        }
    }
}

impl Room {
    /// Lets a connection watch, and answers its request with the state.
    pub async fn watch(self: &Arc<Self>, connection: u64, visitor: &Visitor, outbox: &Arc<Outbox>, re: u64) {
        let mut table = self.table.lock().await;
        let watcher = Watcher { visitor: Arc::clone(visitor), outbox: Arc::clone(outbox) };
        table.watchers.insert(connection, watcher);
        table.touch();
        self.settle(&mut table);
        let game = Box::new(table.state_for(visitor, self.house.at_home));
        outbox.answer(re, Message::Game { game });
    }

    /// A connection watches no more. When all have gone, clocks and engines stand still.
    pub async fn unwatch(self: &Arc<Self>, connection: u64) {
        let mut table = self.table.lock().await;
        if table.watchers.remove(&connection).is_none() {
            return;
        }
        table.touch();
        self.settle(&mut table);
        if table.watchers.is_empty() && table.record.clock.is_some() {
            let record = table.record.clone();
            let plies = record.game.ply();
            if let Err(error) = self.house.store.save(record, plies).await {
                tracing::warn!("the clocks of {} were not saved: {error}", self.id);
            }
        }
    }

    /// The state for a visitor.
    pub async fn state(&self, visitor: &str) -> GameState {
        self.table.lock().await.state_for(visitor, self.house.at_home)
    }

    /// The game as it is kept.
    pub async fn record(&self) -> Record {
        self.table.lock().await.record.clone()
    }

    /// Does what a player wants, to the end, even if the player is gone meanwhile.
    ///
    /// # Errors
    /// When it is not allowed or not possible.
    pub async fn act(self: &Arc<Self>, visitor: &Visitor, action: Action) -> Result<Done> {
        let (room, visitor) = (Arc::clone(self), Arc::clone(visitor));
        let task = tokio::spawn(async move { room.perform(&visitor, action).await });
        task.await.unwrap_or_else(|error| Err(Error::internal(&error)))
    }

    async fn perform(self: &Arc<Self>, visitor: &Visitor, action: Action) -> Result<Done> {
        let mut table = self.table.lock().await;
        let you = table.record.seats_of(visitor, self.house.at_home);
        match action {
            Action::TakeSeat => return self.take_seat(&mut table, visitor).await,
            Action::Reviewed => {
                table.record.reviewed = true;
                table.touch();
                self.settle(&mut table);
                return Ok(Done::Ok);
            }
            Action::Pause(paused) if table.record.kind == GameKind::Engines => {
                table.is_paused = paused;
                table.touch();
                self.settle(&mut table);
                return Ok(Done::Ok);
            }
            Action::Rematch if table.record.kind == GameKind::Engines => {
                return self.rematch(&mut table, visitor).await;
            }
            _ => {}
        }
        let you = you.ok_or_else(|| Error::forbidden("you are watching this game, not playing it"))?;
        let turn = table.record.game.position().turn();
        // At one board it is whoever has the move who speaks.
        let color = [turn, !turn].into_iter().find(|&color| you.plays(color)).unwrap_or(turn);
        match action {
            Action::Move { ply, text } => self.play(&mut table, you, ply, &text).await,
            Action::Takeback => self.take_back(&mut table, color).await,
            Action::Draw => self.offer_draw(&mut table, color).await,
            Action::Claim => {
                if !you.plays(turn) {
                    return Err(Error::illegal("only the side to move can claim a draw"));
                }
                self.declare(&mut table, |record| record.game.claim_draw().map(drop).map_err(Error::illegal))
                    .await
            }
            Action::Resign(side) => {
                let loser = side.map_or(color, Color::from);
                if !you.plays(loser) {
                    return Err(Error::forbidden("you can resign for your own side only"));
                }
                self.declare(&mut table, |record| record.game.resign(loser).map(drop).map_err(Error::illegal))
                    .await
            }
            Action::Rematch => self.offer_rematch(&mut table, visitor, color).await,
            Action::Answer(offer, accept) => self.answer(&mut table, visitor, color, offer, accept).await,
            Action::Pause(_) => Err(Error::illegal("only games between engines can be paused")),
            Action::TakeSeat | Action::Reviewed => Ok(Done::Ok),
        }
    }

    /// Changes the game: writes it from a ply on, and then takes it over.
    async fn change(
        self: &Arc<Self>,
        table: &mut Table,
        from_ply: usize,
        edit: impl FnOnce(&mut Record) -> Result<()>,
    ) -> Result<()> {
        let mut record = table.record.clone();
        edit(&mut record)?;
        record.revision = next_revision(record.revision);
        record.updated = now();
        self.house.store.save(record.clone(), from_ply).await?;
        table.take_over(record);
        Ok(())
    }

    /// After anything has changed: clocks, engines, and everybody's view.
    fn settle(self: &Arc<Self>, table: &mut Table) {
        let at_home = self.house.at_home;
        table.run_clock(at_home);
        self.set_flag_timer(table);
        self.wake_engine(table);
        table.show_all(at_home);
    }

    async fn play(
        self: &Arc<Self>,
        table: &mut Table,
        you: crate::wire::You,
        ply: usize,
        text: &str,
    ) -> Result<Done> {
        let played = table.record.game.ply();
        if ply < played {
            // Sent again after a lost connection: if it is there already, all is well.
            let before = table.record.game.position_at(ply);
            let known = table.record.game.plies()[ply].mv;
            return match before.map(|before| view::read_move(before, text)) {
                Some(Ok(mv)) if mv == known => Ok(Done::Ok),
                _ => Err(Error::illegal(format!("another move was played after {ply} plies"))),
            };
        }
        if ply > played {
            return Err(Error::illegal(format!("the game stands at {played} plies, not at {ply}")));
        }
        if let Some(outcome) = table.record.game.outcome() {
            return Err(Error::illegal(format!("the game is over: {outcome}")));
        }
        if !you.plays(table.record.game.position().turn()) {
            return Err(Error::illegal("it is not your turn"));
        }
        if !table.is_full() {
            return Err(Error::illegal("the other player has not come yet"));
        }
        let mv = view::read_move(table.record.game.position(), text)?;
        self.play_move(table, mv).await?;
        Ok(Done::Ok)
    }

    /// Plays a legal move of whoever has the turn, unless their time is over.
    async fn play_move(self: &Arc<Self>, table: &mut Table, mv: chess::Move) -> Result<()> {
        let color = table.record.game.position().turn();
        if table.charge(color) {
            self.flag(table, color).await?;
            return Err(Error::illegal("your time has run out"));
        }
        let left = table.left_after_move(color);
        let ply = table.record.game.ply();
        self.change(table, ply, |record| {
            record.game.play(mv).map_err(Error::illegal)?;
            if let Some(left) = left {
                record.left[color.index()] = left;
                record.game.set_clock(std::time::Duration::from_millis(left));
            }
            Ok(())
        })
        .await?;
        table.withdraw_offers();
        self.settle(table);
        Ok(())
    }

    /// Ends the game without a move.
    async fn declare(
        self: &Arc<Self>,
        table: &mut Table,
        end: impl FnOnce(&mut Record) -> Result<()>,
    ) -> Result<Done> {
        let color = table.record.game.position().turn();
        table.charge(color);
        let ply = table.record.game.ply();
        self.change(table, ply, end).await?;
        table.withdraw_offers();
        self.settle(table);
        Ok(Done::Ok)
    }

    async fn flag(self: &Arc<Self>, table: &mut Table, loser: Color) -> Result<()> {
        self.declare(table, |record| record.game.flag(loser).map(drop).map_err(Error::illegal))
            .await
            .map(drop)
    }

    async fn take_back(self: &Arc<Self>, table: &mut Table, color: Color) -> Result<Done> {
        let Some(plies) = table.plies_after_takeback(color) else {
            return Err(Error::illegal("there is no move of yours to take back"));
        };
        if table.record.kind == GameKind::Friend {
            table.offers.takeback = Some(color.into());
            table.touch();
            self.settle(table);
            return Ok(Done::Ok);
        }
        self.go_back(table, plies).await
    }

    async fn go_back(self: &Arc<Self>, table: &mut Table, plies: usize) -> Result<Done> {
        table.stop_engine();
        self.change(table, plies, |record| {
            record.truncate(plies);
            if let Some(clock) = record.clock {
                for color in Color::ALL {
                    let noted = record.game.clock(color).map(|left| left.as_millis() as u64);
                    record.left[color.index()] = noted.unwrap_or(clock.initial);
                }
            }
            Ok(())
        })
        .await?;
        table.withdraw_offers();
        self.settle(table);
        Ok(Done::Ok)
    }

    async fn offer_draw(self: &Arc<Self>, table: &mut Table, color: Color) -> Result<Done> {
        if let Some(outcome) = table.record.game.outcome() {
            return Err(Error::illegal(format!("the game is over: {outcome}")));
        }
        match table.record.kind {
            GameKind::Local => self.agree_draw(table).await,
            _ if table.offers.draw == Some((!color).into()) => self.agree_draw(table).await,
            _ => {
                table.offers.draw = Some(color.into());
                table.touch();
                self.settle(table);
                if table.record.player(!color).is_engine() {
                    self.let_engine_consider_draw(table);
                }
                Ok(Done::Ok)
            }
        }
    }

    async fn agree_draw(self: &Arc<Self>, table: &mut Table) -> Result<Done> {
        self.declare(table, |record| record.game.agree_draw().map(drop).map_err(Error::illegal)).await
    }

    async fn answer(
        self: &Arc<Self>,
        table: &mut Table,
        visitor: &Visitor,
        color: Color,
        offer: Offer,
        accept: bool,
    ) -> Result<Done> {
        let from = match offer {
            Offer::Draw => table.offers.draw,
            Offer::Takeback => table.offers.takeback,
            Offer::Rematch => table.offers.rematch,
        };
        if from != Some((!color).into()) {
            return Err(Error::illegal("there is no such offer"));
        }
        match (offer, accept) {
            (Offer::Draw, true) => self.agree_draw(table).await,
            (Offer::Takeback, true) => match table.plies_after_takeback(!color) {
                Some(plies) => self.go_back(table, plies).await,
                None => Err(Error::illegal("there is no move to take back")),
            },
            (Offer::Rematch, true) => self.rematch(table, visitor).await,
            (_, false) => {
                self.decline(table, offer);
                Ok(Done::Ok)
            }
        }
    }

    fn decline(self: &Arc<Self>, table: &mut Table, offer: Offer) {
        match offer {
            Offer::Draw => table.offers.draw = None,
            Offer::Takeback => table.offers.takeback = None,
            Offer::Rematch => table.offers.rematch = None,
        }
        for watcher in table.watchers.values() {
            watcher.outbox.push(None, Message::Declined { game: self.id.clone(), offer });
        }
        table.touch();
        self.settle(table);
    }

    async fn offer_rematch(
        self: &Arc<Self>,
        table: &mut Table,
        visitor: &Visitor,
        color: Color,
    ) -> Result<Done> {
        if !table.record.game.is_over() {
            return Err(Error::illegal("the game is not over yet"));
        }
        let needs_consent =
            table.record.kind == GameKind::Friend && table.offers.rematch != Some((!color).into());
        if !needs_consent || table.record.next.is_some() {
            return self.rematch(table, visitor).await;
        }
        table.offers.rematch = Some(color.into());
        table.touch();
        self.settle(table);
        Ok(Done::Ok)
    }

    /// Begins the next game, colours changed; once only, however often it is asked for.
    async fn rematch(self: &Arc<Self>, table: &mut Table, visitor: &Visitor) -> Result<Done> {
        if let Some(next) = &table.record.next {
            return Ok(Done::NewGame(next.clone()));
        }
        let record = new_game::rematch(&table.record)?;
        let mut members: Vec<String> =
            record.players.iter().filter_map(|player| player.visitor().map(str::to_owned)).collect();
        members.push(visitor.to_string());
        let next = self.rooms.begin(&self.house, record, members).await?.id;
        let ply = table.record.game.ply();
        self.change(table, ply, |record| {
            record.next = Some(next.clone());
            Ok(())
        })
        .await?;
        table.withdraw_offers();
        self.settle(table);
        Ok(Done::NewGame(next))
    }

    /// Gives the free seat to who has the invitation.
    async fn take_seat(self: &Arc<Self>, table: &mut Table, visitor: &Visitor) -> Result<Done> {
        let is_free = |player: &Player| matches!(player, Player::Person { visitor: None, .. });
        let free = Color::ALL.into_iter().find(|&color| is_free(table.record.player(color)));
        let Some(color) = free.filter(|_| table.record.invite_token.is_some()) else {
            return Err(Error::illegal("the invitation has been taken already"));
        };
        if table.record.player(!color).visitor() == Some(&**visitor) {
            // The host looked at the own link.
            return Ok(Done::Ok);
        }
        self.house.store.join(&self.id, visitor, Access::Play).await?;
        let ply = table.record.game.ply();
        self.change(table, ply, |record| {
            if let Player::Person { visitor: seat, .. } = &mut record.players[color.index()] {
                *seat = Some(visitor.to_string());
            }
            record.invite_token = None;
            Ok(())
        })
        .await?;
        self.settle(table);
        Ok(Done::Ok)
    }
}

/// Revisions grow, after a restart of the server too.
fn next_revision(last: i64) -> i64 {
    now().max(last.saturating_add(1))
}
