//! Games that are open: played, watched, reviewed.
//!
//! [`GameSessions`] has the [`GameSession`] of each open game. A session lets one change happen at a time; what a
//! change is and what follows from it is in [`LiveGame`]. Changes are written to the database and only then
//! shown, in tasks of their own, so that a connection lost in the middle leaves nothing half done.

mod actions;
mod live_game;
mod new_game;
mod observed_classic;
mod opponent;

pub(crate) use live_game::LiveGame;
#[cfg(test)]
pub(crate) use new_game::record as new_record;
pub(crate) use new_game::{NewGame, Seat, chess960_start, imported};

use crate::coaching;
use crate::error::{Code, Error, Result};
use crate::record::{GameKind, Record};
use crate::services::{Services, Visitor};
use crate::store::Access;
use crate::task;
use crate::wire::Remark;
use chess::Color;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The most games that are open at once.
const MAX_SESSIONS: usize = 10_000;

/// What a visitor does with a game.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Plays a move.
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
    /// Gives up, for a side or for the own one.
    Resign(Option<Color>),
    /// Wants another game.
    Rematch,
    /// Answers an offer.
    Answer(Offer, bool),
    /// Stops engines that play each other, or lets them play.
    Pause(bool),
    /// Takes the free seat, under a name.
    TakeSeat(Option<String>),
    /// Has a review now.
    Reviewed,
}

/// What can be offered to the other side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    /// To call it a draw.
    Draw,
    /// To take the last move back.
    Takeback,
    /// To play another game.
    Rematch,
}

/// What has come of an action.
#[derive(Debug)]
pub(crate) enum Done {
    /// It is done.
    Ok,
    /// Another game has begun.
    NewGame(String),
}

/// A connection as a game sees it.
pub(crate) trait Observer: Send + Sync {
    /// The game has changed.
    fn show(&self, game: &LiveGame, visitor: &str);
    /// An offer was declined.
    fn declined(&self, game: &str, offer: Offer);
    /// The game was deleted.
    fn gone(&self, game: &str);
}

/// An open game, for one change at a time.
pub(crate) struct GameSession {
    services: Arc<Services>,
    game: tokio::sync::Mutex<LiveGame>,
}

/// All open games.
#[derive(Default)]
pub(crate) struct GameSessions {
    open: Mutex<HashMap<String, Arc<GameSession>>>,
    /// Held while a game is read, so that no game is ever in two sessions.
    opening: tokio::sync::Mutex<()>,
}

impl GameSessions {
    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<GameSession>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &str) -> Option<Arc<GameSession>> {
        self.open().get(id).cloned()
    }

    /// The session of a game, opened if need be. Whether the visitor may see it is not asked here.
    ///
    /// # Errors
    /// When there is no such game.
    pub(crate) async fn get(&self, services: &Arc<Services>, id: &str) -> Result<Arc<GameSession>> {
        if let Some(session) = self.find(id) {
            return Ok(session);
        }
        let _opening = self.opening.lock().await;
        if let Some(session) = self.find(id) {
            return Ok(session);
        }
        let record = services.store.load(id).await?;
        if self.open().len() >= MAX_SESSIONS {
            self.sweep();
        }
        let mut open = self.open();
        if open.len() >= MAX_SESSIONS {
            return Err(Error::new(Code::Busy, "too many games are open"));
        }
        let session = GameSession::new(services, record);
        open.insert(id.to_owned(), Arc::clone(&session));
        Ok(session)
    }

    /// The session of a game, if the visitor may see it.
    ///
    /// # Errors
    /// When they may not, or there is no such game.
    pub(crate) async fn enter(
        &self,
        services: &Arc<Services>,
        id: &str,
        visitor: &str,
    ) -> Result<Arc<GameSession>> {
        match services.access(id, visitor).await? {
            Access::None | Access::Left => Err(Error::no_game()),
            Access::Watch | Access::Guest | Access::Play => self.get(services, id).await,
        }
    }

    /// Closes sessions that no connection uses.
    pub(crate) fn sweep(&self) {
        self.open().retain(|_, session| Arc::strong_count(session) > 1);
    }

    /// Closes all sessions: the server stops.
    pub(crate) async fn close_all(&self) {
        let sessions: Vec<Arc<GameSession>> = self.open().drain().map(|(_, session)| session).collect();
        for session in sessions {
            session.lock().await.stop();
        }
    }

    /// Shows a game that was changed elsewhere as it is kept now, if it is open.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn refresh(&self, services: &Services, id: &str) -> Result<()> {
        let Some(session) = self.find(id) else { return Ok(()) };
        let mut game = session.lock().await;
        game.take_over(services.store.load(id).await?);
        Ok(())
    }

    /// Closes the session of a game that was deleted, and notifies its watchers.
    pub(crate) async fn close(&self, id: &str) {
        let session = self.open().remove(id);
        if let Some(session) = session {
            session.lock().await.dismiss();
        }
    }
}

/// Begins a game.
///
/// # Errors
/// When the request makes no sense.
pub(crate) async fn create(
    services: &Arc<Services>,
    visitor: &Visitor,
    request: NewGame,
) -> Result<LiveGame> {
    let record = new_game::record(visitor, request)?;
    services.rights.make_room(visitor, 1, 0).await?;
    services.store.insert(vec![record.clone()], vec![visitor.to_string()]).await?;
    Ok(LiveGame::new(Arc::clone(services), Weak::new(), record))
}

impl GameSession {
    fn new(services: &Arc<Services>, record: Record) -> Arc<Self> {
        Arc::new_cyclic(|session| Self {
            services: Arc::clone(services),
            game: tokio::sync::Mutex::new(LiveGame::new(Arc::clone(services), Weak::clone(session), record)),
        })
    }

    /// The game, as soon as no other change is under way.
    pub(crate) async fn lock(&self) -> tokio::sync::MutexGuard<'_, LiveGame> {
        self.game.lock().await
    }

    /// Lets a connection watch, and hands the game to `then` before any other change.
    pub(crate) async fn watch<T>(
        &self,
        connection: u64,
        visitor: &Visitor,
        observer: Arc<dyn Observer>,
        then: impl FnOnce(&LiveGame) -> T,
    ) -> T {
        let mut game = self.lock().await;
        game.add_watcher(connection, visitor, observer);
        then(&game)
    }

    /// A connection watches no more.
    pub(crate) async fn unwatch(&self, connection: u64) {
        self.lock().await.remove_watcher(connection).await;
    }

    /// The game as it is kept.
    pub(crate) async fn record(&self) -> Record {
        self.lock().await.record().clone()
    }

    /// Does what a visitor wants, to the end, even if the connection is lost meanwhile.
    ///
    /// # Errors
    /// When it is not allowed or not possible.
    pub(crate) async fn act(self: &Arc<Self>, visitor: &Visitor, action: Action) -> Result<Done> {
        let (session, visitor) = (Arc::clone(self), Arc::clone(visitor));
        task::finish(async move { session.lock().await.perform(&visitor, action).await }).await
    }

    /// A hint in three steps at full strength, for those whose game it is.
    ///
    /// # Errors
    /// When it is another's game or one between people, it is over, or no engine is free.
    pub(crate) async fn hint(&self, visitor: &Visitor) -> Result<Vec<Remark>> {
        let Record { id, kind, game, .. } = self.record().await;
        match self.services.access(&id, visitor).await? {
            Access::Play | Access::Guest => {}
            Access::None | Access::Watch | Access::Left => return Err(actions::only_watching()),
        }
        if kind == GameKind::Friend {
            return Err(Error::forbidden("there are no hints in games between people"));
        }
        coaching::hint(&self.services, visitor, game).await
    }
}
