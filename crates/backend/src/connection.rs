//! A connection of a page: games, analysis and reviews as they happen.

use crate::analysis::{self, Findings, Question};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::game_review::Effort;
use crate::outbox::Outbox;
use crate::request;
use crate::reviews::Stage;
use crate::services::Visitor;
use crate::session::{Action, Done, GameSession};
use crate::task::{self, AbortHandle};
use crate::view;
use crate::wire::{API_VERSION, Command, Message, Request};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;

/// Games that one connection watches.
const MAX_GAMES: usize = 8;
/// Hints, analyses and reviews at once.
const MAX_TASKS: usize = 8;

/// A connection. What it has to send waits in its outbox.
pub struct Connection {
    backend: Arc<Backend>,
    visitor: Visitor,
    /// No other connection has this number.
    number: u64,
    outbox: Arc<Outbox>,
    sessions: HashMap<String, Arc<GameSession>>,
    /// What takes long; aborted when the connection ends.
    tasks: Vec<AbortHandle>,
    analysis: Option<AbortHandle>,
}

impl Connection {
    /// A connection that says hello.
    #[must_use]
    pub fn new(backend: &Arc<Backend>, visitor: &Visitor, number: u64) -> Self {
        let outbox = Arc::<Outbox>::default();
        outbox.push(None, Message::Hello { version: env!("CARGO_PKG_VERSION"), api: API_VERSION });
        Self {
            backend: Arc::clone(backend),
            visitor: Arc::clone(visitor),
            number,
            outbox,
            sessions: HashMap::new(),
            tasks: Vec::new(),
            analysis: None,
        }
    }

    /// What is to be sent.
    #[must_use]
    pub fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    /// Does what the page wants in a message.
    pub async fn hear(&mut self, text: &str) {
        match request::read_json::<Request>(text.as_bytes()) {
            Ok(Request { id, command }) => match self.obey(id, command).await {
                Ok(Some(message)) => self.outbox.answer(id, message),
                Ok(None) => {}
                Err(error) => self.outbox.refuse(Some(id), error),
            },
            Err(error) => self.refuse(text, error),
        }
    }

    /// Refuses a message without doing anything.
    pub fn refuse(&self, text: &str, error: Error) {
        self.outbox.refuse(id_of(text), error);
    }

    /// Ends the connection.
    pub async fn close(self) {
        for task in &self.tasks {
            task.abort();
        }
        for session in self.sessions.values() {
            session.unwatch(self.number).await;
        }
        let backend = Arc::clone(&self.backend);
        drop(self);
        backend.sweep();
    }

    /// Does what the page wants. Returns the answer, unless it comes later.
    async fn obey(&mut self, id: u64, command: Command) -> Result<Option<Message>> {
        let action = match command {
            Command::Ping => return Ok(Some(Message::Pong)),
            Command::Watch { game } => return self.watch(id, game).await.map(|()| None),
            Command::Unwatch { game } => {
                if let Some(session) = self.sessions.remove(&game) {
                    session.unwatch(self.number).await;
                }
                return Ok(Some(Message::Ok));
            }
            Command::Hint { game } => return self.hint(id, &game).map(|()| None),
            Command::Analyse(request) => {
                let question = request::read_question(&request)?;
                return self.analyse(id, question).map(|()| None);
            }
            Command::Stop => {
                self.stop_analysis();
                return Ok(Some(Message::Ok));
            }
            Command::Review { game, effort } => {
                return self.review(id, &game, effort.unwrap_or_default().into()).await.map(|()| None);
            }
            Command::Cancel { game } => {
                self.backend.check_player(&self.visitor, &game).await?;
                self.backend.reviews.cancel(&game);
                return Ok(Some(Message::Ok));
            }
            Command::Move { game, ply, r#move } => (game, Action::Move { ply, text: r#move }),
            Command::Takeback { game } => (game, Action::Takeback),
            Command::Draw { game } => (game, Action::Draw),
            Command::Claim { game } => (game, Action::Claim),
            Command::Resign { game, color } => (game, Action::Resign(color.map(Into::into))),
            Command::Rematch { game } => (game, Action::Rematch),
            Command::Answer { game, to, accept } => (game, Action::Answer(to.into(), accept)),
            Command::Pause { game, paused } => {
                self.backend.check_player(&self.visitor, &game).await?;
                (game, Action::Pause(paused))
            }
        };
        let (game, action) = action;
        let session = self.watched(&game)?;
        let visitor = Arc::clone(&self.visitor);
        match session.act(&visitor, action).await? {
            Done::Ok => Ok(Some(Message::Ok)),
            Done::NewGame(next) => {
                let session = self.backend.sessions.enter(&self.backend.services, &next, &visitor).await?;
                let game = view::game_state(&*session.lock().await, &visitor);
                Ok(Some(Message::Game { game: Box::new(game) }))
            }
        }
    }

    /// The session of a game that this connection watches.
    fn watched(&self, game: &str) -> Result<Arc<GameSession>> {
        self.sessions.get(game).cloned().ok_or_else(|| Error::illegal("watch the game first"))
    }

    async fn watch(&mut self, id: u64, game: String) -> Result<()> {
        if !self.sessions.contains_key(&game) && self.sessions.len() >= MAX_GAMES {
            return Err(Error::new(Code::TooMany, format!("a connection watches at most {MAX_GAMES} games")));
        }
        let visitor = &self.visitor;
        let session = self.backend.sessions.enter(&self.backend.services, &game, visitor).await?;
        // The session may be another than before, if the game was deleted and restored meanwhile.
        let before = self.sessions.insert(game, Arc::clone(&session));
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &session)) {
            before.unwatch(self.number).await;
        }
        let outbox = Arc::clone(&self.outbox);
        let state = session.watch(self.number, visitor, outbox, |game| view::game_state(game, visitor)).await;
        self.outbox.answer(id, Message::Game { game: Box::new(state) });
        Ok(())
    }

    fn spawn(&mut self, work: impl Future<Output = ()> + Send + 'static) -> Result<AbortHandle> {
        self.tasks.retain(|task| !task.is_finished());
        if self.tasks.len() >= MAX_TASKS {
            return Err(Error::new(Code::TooMany, "wait for what is under way"));
        }
        let task = task::spawn(work);
        self.tasks.push(task.clone());
        Ok(task)
    }

    fn hint(&mut self, id: u64, game: &str) -> Result<()> {
        let session = self.watched(game)?;
        let (visitor, outbox) = (Arc::clone(&self.visitor), Arc::clone(&self.outbox));
        self.spawn(async move {
            let hint = session.hint(&visitor).await.and_then(view::hint);
            match hint {
                Ok(hint) => outbox.answer(id, hint),
                Err(error) => outbox.refuse(Some(id), error),
            }
        })?;
        Ok(())
    }

    fn stop_analysis(&mut self) {
        if let Some(analysis) = self.analysis.take() {
            analysis.abort();
        }
    }

    fn analyse(&mut self, id: u64, question: Question) -> Result<()> {
        self.stop_analysis();
        let (backend, visitor) = (Arc::clone(&self.backend), Arc::clone(&self.visitor));
        let outbox = Arc::clone(&self.outbox);
        let handle = self.spawn(async move {
            let (sender, mut receiver) = watch::channel(Findings::none(&question));
            let search = analysis::analyse(&backend.services, &visitor, question, sender);
            let mut search = std::pin::pin!(search);
            loop {
                tokio::select! {
                    result = &mut search => {
                        match result {
                            Ok(findings) => push_analysis(&outbox, id, &findings),
                            Err(error) => outbox.refuse(Some(id), error),
                        }
                        return;
                    }
                    Ok(()) = receiver.changed() => {
                        let findings = receiver.borrow_and_update().clone();
                        push_analysis(&outbox, id, &findings);
                    }
                }
            }
        })?;
        self.analysis = Some(handle);
        Ok(())
    }

    async fn review(&mut self, id: u64, game: &str, effort: Effort) -> Result<()> {
        let visitor = Arc::clone(&self.visitor);
        let backend = Arc::clone(&self.backend);
        let session = backend.sessions.enter(&backend.services, game, &visitor).await?;
        let record = session.record().await;
        let mut stages = backend.reviews.follow(&backend.services, &visitor, record, effort).await?;
        let (outbox, game) = (Arc::clone(&self.outbox), game.to_owned());
        // Each request has news of its own.
        let key = format!("review {id}");
        self.spawn(async move {
            loop {
                let stage = stages.borrow_and_update().clone();
                match stage {
                    Stage::Progress(done, total) => {
                        let message = Message::Reviewing { game: game.clone(), done, total };
                        outbox.push_latest(&key, Some(id), message);
                    }
                    Stage::Done(review) => {
                        let _ = session.act(&visitor, Action::Reviewed).await;
                        let message = Message::Review { review: Box::new(view::review(&review)) };
                        // In place of progress that was not sent yet.
                        return outbox.push_latest(&key, Some(id), message);
                    }
                    Stage::Failed(error) => return outbox.refuse(Some(id), error),
                }
                if stages.changed().await.is_err() {
                    return outbox.refuse(Some(id), Error::new(Code::Busy, "the review has ended"));
                }
            }
        })?;
        Ok(())
    }
}

/// Sends what a search has found, in place of what it had found before.
fn push_analysis(outbox: &Outbox, id: u64, findings: &Findings) {
    let analysis = view::analysis(findings);
    outbox.push_latest("analysis", Some(id), Message::Analysis { analysis });
}

/// The number of a message that is otherwise not understood.
fn id_of(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Id {
        id: u64,
    }
    serde_json::from_str::<Id>(text).ok().map(|message| message.id)
}
