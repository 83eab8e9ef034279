//! The WebSocket part of the API: games, analysis and reviews as they happen.

use crate::app::{Admission, App};
use crate::networks::Network;
use crate::refusal::Refusal;
use crate::server::stopped;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade, close_code};
use axum::response::{IntoResponse, Response};
use backend::wire::Message;
use backend::{Code, Connection, Error, Rights, Visitor};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{MissedTickBehavior, interval, timeout};

/// The largest message.
const MAX_MESSAGE: usize = 64 << 10;
/// What a connection has of memory at least. Messages that are larger get more while they last.
const READ_BUFFER: usize = 4 << 10;
const WRITE_BUFFER: usize = 4 << 10;
/// Messages in the long run, and at once.
const MESSAGES_PER_SECOND: f64 = 20.0;
const BURST: f64 = 60.0;
/// A connection with more refused messages than this is closed.
const MAX_REFUSED: u32 = 200;
/// A client that sends nothing, not even answers to pings, for this time is gone.
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// The longest that a message may take to be sent.
const SEND_TIME: Duration = Duration::from_secs(20);

/// Opens a WebSocket.
pub(crate) async fn open(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(network): Extension<Network>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return Refusal(Error::bad_request("this address is for WebSockets")).into_response();
    };
    match app.admit(&visitor, network) {
        Ok(admission) => upgrade
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(WRITE_BUFFER)
            .max_message_size(MAX_MESSAGE)
            .max_frame_size(MAX_MESSAGE)
            .on_upgrade(move |socket| Conversation::new(app, admission).run(socket)),
        Err(error) => Refusal(error).into_response(),
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

/// A connection over a WebSocket, with the limits of the server.
struct Conversation {
    app: Arc<App>,
    admission: Admission,
    connection: Connection,
    bucket: Bucket,
}

/// Why a connection ends.
enum End {
    /// The client is gone.
    Gone,
    /// The server closes it.
    Closed(u16, &'static str),
}

impl Conversation {
    fn new(app: Arc<App>, admission: Admission) -> Self {
        let connection = Connection::new(&app.backend, &admission.visitor, admission.number);
        Self { app, admission, connection, bucket: Bucket::new() }
    }

    async fn run(mut self, mut socket: WebSocket) {
        let end = self.talk(&mut socket).await;
        self.connection.close().await;
        if let End::Closed(code, reason) = end {
            let frame = Frame::Close(Some(CloseFrame { code, reason: reason.into() }));
            let _ = timeout(Duration::from_secs(1), socket.send(frame)).await;
        }
    }

    async fn talk(&mut self, socket: &mut WebSocket) -> End {
        let outbox = Arc::clone(self.connection.outbox());
        let mut stopping = self.app.stopping.clone();
        let mut log_outs = self.app.auth.log_outs();
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
                    let is_admitted = self.count_frame();
                    match frame {
                        Frame::Text(text) => self.hear(&text, is_admitted).await,
                        Frame::Binary(_) => {
                            outbox.refuse(None, Error::bad_request("messages are text"));
                        }
                        Frame::Close(_) => return End::Gone,
                        Frame::Ping(_) | Frame::Pong(_) => {}
                    }
                    if self.bucket.refused > MAX_REFUSED {
                        return End::Closed(close_code::POLICY, "too many messages");
                    }
                }
                out = log_outs.recv() => {
                    let visitor = &self.admission.visitor;
                    if out.is_ok_and(|out| out == *visitor) || !self.app.auth.is_authorised(visitor) {
                        return End::Closed(close_code::POLICY, "logged out");
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

    /// Counts a message or ping, of this connection and of its network.
    fn count_frame(&mut self) -> backend::Result<()> {
        let what = "too many messages; slow down";
        if !self.bucket.take() {
            return Err(Error::retry(Code::TooMany, what, 1));
        }
        if self.app.rights.is_owner(&self.admission.visitor) {
            return Ok(());
        }
        self.app.messages.take(self.admission.network, 1, what).inspect_err(|_| self.bucket.refused += 1)
    }

    async fn hear(&mut self, text: &str, is_admitted: backend::Result<()>) {
        if let Err(error) = is_admitted {
            self.connection.refuse(text, error);
        } else if !self.app.auth.is_authorised(&self.admission.visitor) {
            self.connection.refuse(text, Error::new(Code::Unauthorised, "a password is needed"));
        } else {
            self.connection.hear(text).await;
        }
    }
}

async fn send(socket: &mut WebSocket, frame: Frame) -> Result<(), ()> {
    match timeout(SEND_TIME, socket.send(frame)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}
