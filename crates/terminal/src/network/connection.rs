//! The connection to a server on a thread of its own. When it breaks it is opened again; what was not answered by then
//! is sent again, which the server takes well.

use super::server::Server;
use super::state::GameState;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;
use tungstenite::{Error, Message, WebSocket};

/// How long the connection listens before it looks whether something is to be sent.
pub(super) const TURN: Duration = Duration::from_millis(50);
/// Between two attempts to connect again.
const RETRY: Duration = Duration::from_millis(500);

/// What comes from the server.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum News {
    State(Box<GameState>),
    /// A request was carried out.
    Done,
    /// A request was refused: a clause.
    Refused(String),
    /// The opponent declined an offer.
    Declined(String),
    /// The game was deleted.
    Gone,
    /// The connection is lost and will be opened again.
    Lost,
    /// It is there again.
    Back,
}

/// Carries requests, without their number, and news until the other ends of both are gone.
pub(super) fn work(
    server: &Server,
    game: String,
    requests: &Receiver<Value>,
    deliver: &dyn Fn(News) -> bool,
) {
    let mut outbox = Outbox { game, number: 0, unanswered: BTreeMap::new() };
    let mut is_lost = false;
    loop {
        let Ok(mut socket) = server.connect() else {
            if !std::mem::replace(&mut is_lost, true) && !deliver(News::Lost) {
                return;
            }
            // What is wanted meanwhile is kept until there is a connection.
            loop {
                match requests.try_recv() {
                    Ok(request) => drop(outbox.add(request)),
                    Err(TryRecvError::Disconnected) => return,
                    Err(TryRecvError::Empty) => break,
                }
            }
            std::thread::sleep(RETRY);
            continue;
        };
        if std::mem::take(&mut is_lost) && !deliver(News::Back) {
            return;
        }
        if converse(&mut socket, &mut outbox, requests, deliver).is_none() || !deliver(News::Lost) {
            let _ = socket.close(None);
            let _ = socket.flush();
            return;
        }
        is_lost = true;
    }
}

/// What the server has not answered yet, by number.
struct Outbox {
    game: String,
    number: u64,
    unanswered: BTreeMap<u64, Value>,
}

impl Outbox {
    /// Numbers a request and keeps it until it is answered.
    fn add(&mut self, mut request: Value) -> Value {
        self.number += 1;
        request["id"] = json!(self.number);
        request["game"] = json!(self.game);
        self.unanswered.insert(self.number, request.clone());
        request
    }

    /// Watches the game anew on every connection, so it need not be kept.
    fn watch(&mut self) -> Value {
        self.about_game("watch")
    }

    fn unwatch(&mut self) -> Value {
        self.about_game("unwatch")
    }

    /// Turns to another game.
    fn follow(&mut self, game: &str) -> Value {
        game.clone_into(&mut self.game);
        self.watch()
    }

    fn about_game(&mut self, kind: &str) -> Value {
        self.number += 1;
        json!({"id": self.number, "type": kind, "game": self.game})
    }
}

/// Talks until the connection breaks; nothing if there is no one left to talk for.
fn converse(
    socket: &mut WebSocket<TcpStream>,
    outbox: &mut Outbox,
    requests: &Receiver<Value>,
    deliver: &dyn Fn(News) -> bool,
) -> Option<()> {
    let watch = outbox.watch();
    if std::iter::once(&watch).chain(outbox.unanswered.values()).any(|request| send(socket, request).is_err())
    {
        return Some(());
    }
    loop {
        match requests.try_recv() {
            Ok(request) => {
                if send(socket, &outbox.add(request)).is_err() {
                    return Some(());
                }
            }
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        let message = match socket.read() {
            Ok(Message::Text(text)) => serde_json::from_str::<Value>(&text).unwrap_or_default(),
            Ok(_) => continue,
            Err(Error::Io(error))
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                continue;
            }
            Err(_) => return Some(()),
        };
        if let Some(answered) = message["re"].as_u64() {
            outbox.unanswered.remove(&answered);
        }
        let Some(news) = read(&message) else { continue };
        if let News::State(state) = &news {
            if state.id != outbox.game {
                continue;
            }
            // A rematch is another game, to be followed from now on.
            if let Some(next) = &state.next {
                let requests = [outbox.unwatch(), outbox.follow(next)];
                if requests.iter().any(|request| send(socket, request).is_err()) {
                    return Some(());
                }
            }
        }
        if !deliver(news) {
            return None;
        }
    }
}

fn send(socket: &mut WebSocket<TcpStream>, request: &Value) -> Result<(), Error> {
    socket.send(Message::text(request.to_string()))
}

/// What a message says, unless it is of no interest.
fn read(message: &Value) -> Option<News> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match message["type"].as_str()? {
        "game" => {
            serde_json::from_value(message["game"].clone()).ok().map(|state| News::State(Box::new(state)))
        }
        "error" => Some(News::Refused(text(&message["error"]["message"]))),
        "ok" => Some(News::Done),
        "declined" => Some(News::Declined(text(&message["offer"]))),
        "gone" => Some(News::Gone),
        _ => None,
    }
}
