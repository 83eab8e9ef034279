//! The WebSocket part of the API: games, analysis and reviews as they happen.

use crate::analysis::{self, Question};
use crate::app::{Admission, App};
use crate::error::{Code, Error, Result};
use crate::guard::Peer;
use crate::house::Visitor;
use crate::outbox::Outbox;
use crate::reviews::Stage;
use crate::room::{Action, Done, Room};
use crate::server::stopped;
use crate::store::Access;
use crate::wire::{API_VERSION, Analysis, Command, Effort, Message, Request};
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
/// Who goes on after so many refused messages is put out.
const MAX_REFUSED: u32 = 200;
/// Games that one connection watches.
const MAX_GAMES: usize = 8;
/// Hints, analyses and reviews at once.
const MAX_TASKS: usize = 8;
/// The other side has to be heard of.
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// The longest that a message may take to be sent.
const SEND_TIME: Duration = Duration::from_secs(20);

/// Opens a WebSocket.
pub async fn open(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(Peer(peer)): Extension<Peer>,
    upgrade: std::result::Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return Error::bad_request(rejection).into_response(),
    };
    match app.admit(&visitor, peer) {
        Ok(admission) => upgrade
            .max_message_size(MAX_MESSAGE)
            .max_frame_size(MAX_MESSAGE)
            .on_upgrade(move |socket| Connection::new(app, admission).run(socket)),
        Err(error) => error.into_response(),
    }
}

/// So many messages, refilled as time goes by.
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
    rooms: HashMap<String, Arc<Room>>,
    /// What takes long; aborted when the connection ends.
    tasks: JoinSet<()>,
    analysis: Option<AbortHandle>,
    bucket: Bucket,
}

/// Why a connection ends.
enum End {
    /// The other side is gone.
    Gone,
    /// It is put out.
    Closed(u16, &'static str),
}

impl Connection {
    fn new(app: Arc<App>, admission: Admission) -> Self {
        Self {
            app,
            admission,
            outbox: Arc::default(),
            rooms: HashMap::new(),
            tasks: JoinSet::new(),
            analysis: None,
            bucket: Bucket::new(),
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        self.outbox.push(None, Message::Hello { version: env!("CARGO_PKG_VERSION"), api: API_VERSION });
        let end = self.talk(&mut socket).await;
        self.tasks.abort_all();
        for room in self.rooms.values() {
            room.unwatch(self.admission.number).await;
        }
        self.rooms.clear();
        self.app.rooms.sweep();
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
        if !self.app.guard.is_authorised(&self.admission.visitor) {
            self.outbox.refuse(id_of(text), Error::new(Code::Unauthorised, "a password is needed"));
            return;
        }
        match serde_json::from_str::<Request>(text) {
            Ok(Request { id, command }) => match self.obey(id, command).await {
                Ok(Some(message)) => self.outbox.answer(id, message),
                Ok(None) => {}
                Err(error) => self.outbox.refuse(Some(id), error),
            },
            Err(error) => self.outbox.refuse(id_of(text), Error::bad_request(error)),
        }
    }

    /// Does what the page wants. Returns the answer, unless it comes later.
    async fn obey(&mut self, id: u64, command: Command) -> Result<Option<Message>> {
        let action = match command {
            Command::Ping => return Ok(Some(Message::Pong)),
            Command::Watch { game } => return self.watch(id, game).await.map(|()| None),
            Command::Unwatch { game } => {
                if let Some(room) = self.rooms.remove(&game) {
                    room.unwatch(self.admission.number).await;
                }
                return Ok(Some(Message::Ok));
            }
            Command::Hint { game } => return self.hint(id, &game).map(|()| None),
            Command::Analyse(request) => {
                let question = Question::new(&request)?;
                return self.analyse(id, question).map(|()| None);
            }
            Command::Stop => {
                self.stop_analysis();
                return Ok(Some(Message::Ok));
            }
            Command::Review { game, effort } => {
                return self.review(id, &game, effort.unwrap_or_default()).await.map(|()| None);
            }
            Command::Cancel { game } => {
                self.may_play(&game).await?;
                self.app.reviews.cancel(&game);
                return Ok(Some(Message::Ok));
            }
            Command::Move { game, ply, r#move } => (game, Action::Move { ply, text: r#move }),
            Command::Takeback { game } => (game, Action::Takeback),
            Command::Draw { game } => (game, Action::Draw),
            Command::Claim { game } => (game, Action::Claim),
            Command::Resign { game, color } => (game, Action::Resign(color)),
            Command::Rematch { game } => (game, Action::Rematch),
            Command::Answer { game, to, accept } => (game, Action::Answer(to, accept)),
            Command::Pause { game, paused } => {
                self.may_play(&game).await?;
                (game, Action::Pause(paused))
            }
        };
        let (game, action) = action;
        let room = self.room(&game)?;
        let visitor = Arc::clone(&self.admission.visitor);
        match room.act(&visitor, action).await? {
            Done::Ok => Ok(Some(Message::Ok)),
            Done::NewGame(next) => {
                let room = self.app.rooms.enter(&self.app.house, &next, &visitor).await?;
                Ok(Some(Message::Game { game: Box::new(room.state(&visitor).await) }))
            }
        }
    }

    async fn may_play(&self, game: &str) -> Result<()> {
        match self.app.house.access(game, &self.admission.visitor).await? {
            Access::Play => Ok(()),
            Access::Watch => Err(Error::forbidden("you are watching this game, it is not yours")),
            Access::None => Err(Error::no_game()),
        }
    }

    fn room(&self, game: &str) -> Result<Arc<Room>> {
        self.rooms.get(game).cloned().ok_or_else(|| Error::illegal("watch the game first"))
    }

    async fn watch(&mut self, id: u64, game: String) -> Result<()> {
        if !self.rooms.contains_key(&game) && self.rooms.len() >= MAX_GAMES {
            return Err(Error::new(Code::TooMany, format!("a connection watches at most {MAX_GAMES} games")));
        }
        let visitor = &self.admission.visitor;
        let room = self.app.rooms.enter(&self.app.house, &game, visitor).await?;
        // The room may be another than before, if the game was deleted and restored meanwhile.
        let before = self.rooms.insert(game, Arc::clone(&room));
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &room)) {
            before.unwatch(self.admission.number).await;
        }
        room.watch(self.admission.number, visitor, &self.outbox, id).await;
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
        let room = self.room(game)?;
        let (visitor, outbox) = (Arc::clone(&self.admission.visitor), Arc::clone(&self.outbox));
        self.spawn(async move {
            match room.hint(&visitor).await {
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
            let (sender, mut receiver) = watch::channel(Analysis::default());
            let search = analysis::analyse(&app.house, &visitor, question, sender);
            let mut search = std::pin::pin!(search);
            loop {
                tokio::select! {
                    result = &mut search => {
                        match result {
                            Ok(analysis) => outbox.push_latest(ANALYSIS, Some(id), Message::Analysis { analysis }),
                            Err(error) => outbox.refuse(Some(id), error),
                        }
                        return;
                    }
                    Ok(()) = receiver.changed() => {
                        let analysis = receiver.borrow_and_update().clone();
                        outbox.push_latest(ANALYSIS, Some(id), Message::Analysis { analysis });
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
        let room = app.rooms.enter(&app.house, game, &visitor).await?;
        let record = room.record().await;
        let mut stages = app.reviews.follow(&app.house, &visitor, record, effort).await?;
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
                        let _ = room.act(&visitor, Action::Reviewed).await;
                        let message = Message::Review { review: Box::new((*review).clone()) };
                        // In place of progress that nobody has seen yet.
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

/// Analyses replace each other.
const ANALYSIS: &str = "analysis";

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
