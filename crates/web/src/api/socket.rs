//! The WebSocket part of the API: games, analysis and reviews as they happen.

use super::outbox::Outbox;
use super::request;
use super::view;
use super::wire::{API_VERSION, Command, Message, Request};
use crate::analysis::{self, Findings, Question};
use crate::app::{Admission, App};
use crate::auth::Peer;
use crate::error::{Code, Error, Result};
use crate::game_review::Effort;
use crate::reviews::Stage;
use crate::server::stopped;
use crate::services::Visitor;
use crate::session::{Action, Done, GameSession};
use crate::store::Access;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade, close_code};
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval, timeout};

/// The largest message.
const MAX_MESSAGE: usize = 64 << 10;
/// Messages in the long run, and at once.
const MESSAGES_PER_SECOND: f64 = 20.0;
const BURST: f64 = 60.0;
/// A connection with more refused messages than this is closed.
const MAX_REFUSED: u32 = 200;
/// Games that one connection watches.
const MAX_GAMES: usize = 8;
/// Hints, analyses and reviews at once.
const MAX_TASKS: usize = 8;
/// A client that sends nothing, not even answers to pings, for this time is gone.
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// The longest that a message may take to be sent.
const SEND_TIME: Duration = Duration::from_secs(20);

/// Opens a WebSocket.
pub(crate) async fn open(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(Peer(peer)): Extension<Peer>,
    upgrade: std::result::Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return Error::bad_request("this address is for WebSockets").into_response();
    };
    match app.admit(&visitor, peer) {
        Ok(admission) => upgrade
            .max_message_size(MAX_MESSAGE)
            .max_frame_size(MAX_MESSAGE)
            .on_upgrade(move |socket| Connection::new(app, admission).run(socket)),
        Err(error) => error.into_response(),
    }
}

/// A token bucket: each message takes a token, and tokens come back with time.
struct Bucket {
    tokens: f64,
    filled: Instant,
    refused: u32,
}

impl Bucket {
    fn new() -> Self {
        Self { tokens: BURST, filled: Instant::now(), refused: 0 }
    }

    fn take(&mut self) -> bool {
        let seconds = self.filled.elapsed().as_secs_f64();
        self.filled = Instant::now();
        self.tokens = (self.tokens + seconds * MESSAGES_PER_SECOND).min(BURST);
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        } else {
            self.refused += 1;
        }
        has_one
    }
}

struct Connection {
    app: Arc<App>,
    admission: Admission,
    outbox: Arc<Outbox>,
    sessions: HashMap<String, Arc<GameSession>>,
    /// What takes long; aborted when the connection ends.
    tasks: JoinSet<()>,
    analysis: Option<AbortHandle>,
    bucket: Bucket,
}

/// Why a connection ends.
enum End {
    /// The client is gone.
    Gone,
    /// The server closes it.
    Closed(u16, &'static str),
}

impl Connection {
    fn new(app: Arc<App>, admission: Admission) -> Self {
        Self {
            app,
            admission,
            outbox: Arc::default(),
            sessions: HashMap::new(),
            tasks: JoinSet::new(),
            analysis: None,
            bucket: Bucket::new(),
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        self.outbox.push(None, Message::Hello { version: env!("CARGO_PKG_VERSION"), api: API_VERSION });
        let end = self.talk(&mut socket).await;
        self.tasks.abort_all();
        for session in self.sessions.values() {
            session.unwatch(self.admission.number).await;
        }
        self.sessions.clear();
        self.app.sessions.sweep();
        if let End::Closed(code, reason) = end {
            let frame = Frame::Close(Some(CloseFrame { code, reason: reason.into() }));
            let _ = timeout(Duration::from_secs(1), socket.send(frame)).await;
        }
    }

    async fn talk(&mut self, socket: &mut WebSocket) -> End {
        let outbox = Arc::clone(&self.outbox);
        let mut stopping = self.app.stopping.clone();
        let mut pings = interval(PING_EVERY);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                texts = outbox.take() => {
                    let Ok(texts) = texts else { return End::Closed(close_code::POLICY, "not reading") };
                    for text in texts {
                        if send(socket, Frame::Text(text.into())).await.is_err() {
                            return End::Gone;
                        }
                    }
                }
                frame = socket.recv() => {
                    let Some(Ok(frame)) = frame else { return End::Gone };
                    heard = Instant::now();
                    match frame {
                        Frame::Text(text) => self.hear(&text).await,
                        Frame::Binary(_) => {
                            self.outbox.refuse(None, Error::bad_request("messages are text"));
                            self.bucket.take();
                        }
                        Frame::Close(_) => return End::Gone,
                        Frame::Ping(_) | Frame::Pong(_) => {}
                    }
                    if self.bucket.refused > MAX_REFUSED {
                        return End::Closed(close_code::POLICY, "too many messages");
                    }
                }
                _ = pings.tick() => {
                    if heard.elapsed() > SILENCE {
                        return End::Closed(close_code::AWAY, "no answer to pings");
                    }
                    if send(socket, Frame::Ping(Default::default())).await.is_err() {
                        return End::Gone;
                    }
                }
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => {}
                () = stopped(&mut stopping) => {
                    outbox.push(None, Message::Bye);
                    for text in outbox.take().await.unwrap_or_default() {
                        if send(socket, Frame::Text(text.into())).await.is_err() {
                            return End::Gone;
                        }
                    }
                    return End::Closed(close_code::AWAY, "the server stops");
                }
            }
        }
    }

    async fn hear(&mut self, text: &str) {
        if !self.bucket.take() {
            let error = Error::new(Code::TooMany, "too many messages; slow down");
            self.outbox.refuse(id_of(text), error);
            return;
        }
        if !self.app.auth.is_authorised(&self.admission.visitor) {
            self.outbox.refuse(id_of(text), Error::new(Code::Unauthorised, "a password is needed"));
            return;
        }
        match request::read_json::<Request>(text.as_bytes()) {
            Ok(Request { id, command }) => match self.obey(id, command).await {
                Ok(Some(message)) => self.outbox.answer(id, message),
                Ok(None) => {}
                Err(error) => self.outbox.refuse(Some(id), error),
            },
            Err(error) => self.outbox.refuse(id_of(text), error),
        }
    }

    /// Does what the page wants. Returns the answer, unless it comes later.
    async fn obey(&mut self, id: u64, command: Command) -> Result<Option<Message>> {
        let action = match command {
            Command::Ping => return Ok(Some(Message::Pong)),
            Command::Watch { game } => return self.watch(id, game).await.map(|()| None),
            Command::Unwatch { game } => {
                if let Some(session) = self.sessions.remove(&game) {
                    session.unwatch(self.admission.number).await;
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
                self.may_play(&game).await?;
                self.app.reviews.cancel(&self.app.services, &game);
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
                self.may_play(&game).await?;
                (game, Action::Pause(paused))
            }
        };
        let (game, action) = action;
        let session = self.watched(&game)?;
        let visitor = Arc::clone(&self.admission.visitor);
        match session.act(&visitor, action).await? {
            Done::Ok => Ok(Some(Message::Ok)),
            Done::NewGame(next) => {
                let session = self.app.sessions.enter(&self.app.services, &next, &visitor).await?;
                let game = view::game_state(&*session.lock().await, &visitor);
                Ok(Some(Message::Game { game: Box::new(game) }))
            }
        }
    }

    async fn may_play(&self, game: &str) -> Result<()> {
        match self.app.services.access(game, &self.admission.visitor).await? {
            Access::Play => Ok(()),
            Access::Watch => Err(Error::forbidden("you are watching this game, it is not yours")),
            Access::None => Err(Error::no_game()),
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
        let visitor = &self.admission.visitor;
        let session = self.app.sessions.enter(&self.app.services, &game, visitor).await?;
        // The session may be another than before, if the game was deleted and restored meanwhile.
        let before = self.sessions.insert(game, Arc::clone(&session));
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &session)) {
            before.unwatch(self.admission.number).await;
        }
        let outbox = Arc::clone(&self.outbox);
        let state = session
            .watch(self.admission.number, visitor, outbox, |game| view::game_state(game, visitor))
            .await;
        self.outbox.answer(id, Message::Game { game: Box::new(state) });
        Ok(())
    }

    fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) -> Result<AbortHandle> {
        while self.tasks.try_join_next().is_some() {}
        if self.tasks.len() >= MAX_TASKS {
            return Err(Error::new(Code::TooMany, "wait for what is under way"));
        }
        Ok(self.tasks.spawn(task))
    }

    fn hint(&mut self, id: u64, game: &str) -> Result<()> {
        let session = self.watched(game)?;
        let (visitor, outbox) = (Arc::clone(&self.admission.visitor), Arc::clone(&self.outbox));
        self.spawn(async move {
            let hint = session.hint(&visitor).await.and_then(|(game, best)| view::hint(&game, &best));
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
        let (app, visitor) = (Arc::clone(&self.app), Arc::clone(&self.admission.visitor));
        let outbox = Arc::clone(&self.outbox);
        let handle = self.spawn(async move {
            let (sender, mut receiver) = watch::channel(Findings::none(&question));
            let search = analysis::analyse(&app.services, &visitor, question, sender);
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
        let visitor = Arc::clone(&self.admission.visitor);
        let app = Arc::clone(&self.app);
        let session = app.sessions.enter(&app.services, game, &visitor).await?;
        let record = session.record().await;
        let mut stages = app.reviews.follow(&app.services, &visitor, record, effort).await?;
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

async fn send(socket: &mut WebSocket, frame: Frame) -> std::result::Result<(), ()> {
    match timeout(SEND_TIME, socket.send(frame)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}

/// The number of a message that is otherwise not understood.
fn id_of(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Id {
        id: u64,
    }
    serde_json::from_str::<Id>(text).ok().map(|message| message.id)
}
