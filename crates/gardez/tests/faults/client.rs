//! A server as a process, and players who note what it has acknowledged.

use chess::Game;
use chess::random::Random;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

pub struct Server {
    process: Child,
    /// Kept open, as a terminal would be.
    _stdout: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    /// Starts it; none if it has ended before it listened.
    pub fn start(data: &Path, prepare: impl FnOnce(&mut Command)) -> Option<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
        command.args(["serve", "--port", "0", "--engines", "1", "--data"]).arg(data);
        prepare(&mut command);
        let mut process =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().expect("its output"));
        stdout.read_line(&mut line).expect("a line");
        let port = line.trim().strip_prefix("Gardez is at http://localhost:");
        let port = port.and_then(|rest| rest.strip_suffix('/')).and_then(|port| port.parse().ok());
        let mut server = Self { process, _stdout: stdout, port: port.unwrap_or(0) };
        if port.is_none() {
            let words = server.wait();
            assert!(!words.contains("panicked"), "{words}");
            return None;
        }
        Some(server)
    }

    pub fn signal(&self, name: &str) {
        let status =
            Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status();
        // It may have ended by itself.
        status.expect("kill runs");
    }

    /// Waits for its end; returns what it has said.
    pub fn wait(&mut self) -> String {
        let mut words = String::new();
        if let Some(mut stderr) = self.process.stderr.take() {
            stderr.read_to_string(&mut words).expect("text");
        }
        self.process.wait().expect("ended");
        words
    }

    /// Stops it in good order, unless it has ended already.
    pub fn stop(&mut self) -> String {
        self.signal("TERM");
        self.wait()
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/api/v1{path}", self.port)
    }

    fn socket(&self) -> Option<WebSocket<TcpStream>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(120))).ok()?;
        let request = format!("ws://127.0.0.1:{}/api/v1/ws", self.port).into_client_request().ok()?;
        Some(tungstenite::client(request, stream).ok()?.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A client that plays both sides of a game, and knows how many moves the server has acknowledged.
pub struct Player {
    moves: Vec<String>,
    clock: Value,
    game: Option<String>,
    acknowledged: usize,
    was_refused: bool,
}

impl Player {
    /// Moves that are legal and otherwise random.
    pub fn new(seed: u64, moves: usize) -> Self {
        let (mut random, mut game) = (Random::new(seed), Game::default());
        let mut texts = Vec::new();
        while texts.len() < moves && !game.is_over() {
            let legal = game.position().legal_moves();
            let mv = legal[random.below(legal.len())];
            texts.push(game.position().san(mv).to_string());
            game.play(mv).expect("a legal move");
        }
        Self { moves: texts, clock: Value::Null, game: None, acknowledged: 0, was_refused: false }
    }

    pub fn with_clock(seed: u64, moves: usize) -> Self {
        Self { clock: json!({"initial": 60_000, "increment": 1000}), ..Self::new(seed, moves) }
    }

    pub fn acknowledged(&self) -> usize {
        self.acknowledged
    }

    /// Whether the server has answered a request with an error.
    pub fn was_refused(&self) -> bool {
        self.was_refused
    }

    /// Plays until the server fails or all is played.
    pub fn play(&mut self, server: &Server) {
        self.play_with(server, || {});
    }

    pub fn play_with(&mut self, server: &Server, on_move: impl Fn()) {
        if self.game.is_none() {
            let request = json!({"white": {"kind": "you"}, "black": {"kind": "you"}, "clock": self.clock});
            let Ok(mut answer) = ureq::post(server.url("/games")).send_json(&request) else {
                self.was_refused = true;
                return;
            };
            let Ok(game) = answer.body_mut().read_json::<Value>() else { return };
            self.game = Some(game["id"].as_str().expect("an id").to_owned());
        }
        let Some(mut socket) = server.socket() else { return };
        let Some(watched) = self.ask(&mut socket, &json!({"id": 1, "type": "watch", "game": self.game}))
        else {
            return;
        };
        // A move may be there although its acknowledgement was lost.
        let there = watched["game"]["moves"].as_array().map_or(0, Vec::len);
        for ply in there.max(self.acknowledged)..self.moves.len() {
            let mv = self.moves[ply].clone();
            let request = json!({"id": ply + 2, "type": "move", "game": self.game, "ply": ply, "move": mv});
            match self.ask(&mut socket, &request) {
                Some(answer) if answer["type"] == "ok" => self.acknowledged = ply + 1,
                Some(_) => {
                    self.was_refused = true;
                    return;
                }
                None => return,
            }
            on_move();
        }
    }

    /// The answer to a request, unless the connection breaks.
    fn ask(&self, socket: &mut WebSocket<TcpStream>, request: &Value) -> Option<Value> {
        socket.send(Message::text(request.to_string())).ok()?;
        loop {
            if let Message::Text(text) = socket.read().ok()? {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if message["re"] == request["id"] {
                    return Some(message);
                }
            }
        }
    }

    /// Everything acknowledged is there, and nothing that was not played.
    pub fn check(&self, server: &Server, what: &str) {
        let Some(game) = &self.game else { return };
        let answer = ureq::get(server.url(&format!("/games/{game}"))).call();
        let state: Value =
            answer.unwrap_or_else(|error| panic!("{what}: {error}")).body_mut().read_json().expect("JSON");
        let moves = state["moves"].as_array().expect("moves");
        let moves: Vec<&str> = moves.iter().filter_map(|played| played["san"].as_str()).collect();
        assert!(moves.len() >= self.acknowledged, "{what}: {} of {}", moves.len(), self.acknowledged);
        assert_eq!(moves, self.moves[..moves.len()], "{what}");
        assert!(
            state["outcome"].is_null() || moves.len() == self.moves.len(),
            "{what}: {}",
            state["outcome"]
        );
    }
}
