//! The server as a process: killed at any moment, it loses nothing that it has acknowledged.

#![allow(missing_docs)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

struct Server {
    process: Child,
    /// Kept open, as a terminal would be.
    _stdout: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    fn start_with(data: &Path, options: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gardez"))
            .args(["serve", "--port", "0", "--engines", "1", "--data"])
            .arg(data)
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().expect("its output"));
        stdout.read_line(&mut line).expect("a line");
        let port = line
            .trim()
            .strip_prefix("Gardez is at http://localhost:")
            .and_then(|rest| rest.strip_suffix('/'))
            .and_then(|port| port.parse().ok())
            .unwrap_or_else(|| panic!("an address in {line:?}"));
        Self { process, _stdout: stdout, port }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/api/v1{path}", self.port)
    }

    fn get(&self, path: &str) -> Value {
        ureq::get(self.url(path)).call().expect("an answer").body_mut().read_json().expect("JSON")
    }

    fn socket(&self) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
        let request =
            format!("ws://127.0.0.1:{}/api/v1/ws", self.port).into_client_request().expect("a request");
        tungstenite::client(request, stream).expect("a WebSocket").0
    }

    /// No time for anything: like `kill -9`, or the loss of power as far as the process is concerned.
    fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a request and waits for its answer.
fn ask(socket: &mut WebSocket<TcpStream>, request: &Value) -> Value {
    socket.send(Message::text(request.to_string())).expect("sent");
    loop {
        if let Message::Text(text) = socket.read().expect("a message") {
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["re"] == request["id"] {
                return message;
            }
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let data = tempfile::tempdir().expect("a directory");
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "f6"];
    let mut server = Server::start(data.path());
    let request = json!({"white": {"kind": "you"}, "black": {"kind": "you"}});
    let game: Value = ureq::post(server.url("/games"))
        .send_json(&request)
        .expect("a game")
        .body_mut()
        .read_json()
        .expect("JSON");
    let id = game["id"].as_str().expect("an id");
    // Killed after every few moves, in the middle of things.
    for (ply, mv) in moves.iter().enumerate() {
        let mut socket = server.socket();
        ask(&mut socket, &json!({"id": 1, "type": "watch", "game": id}));
        let answer = ask(&mut socket, &json!({"id": 2, "type": "move", "game": id, "ply": ply, "move": mv}));
        assert_eq!(answer["type"], "ok", "{mv}: {answer}");
        if ply % 4 == 2 {
            server.kill();
            server = Server::start(data.path());
            let state = server.get(&format!("/games/{id}"));
            let sans: Vec<&str> = state["moves"]
                .as_array()
                .expect("moves")
                .iter()
                .filter_map(|played| played["san"].as_str())
                .collect();
            assert_eq!(sans, moves[..=ply]);
        }
    }
    server.kill();
    let server = Server::start(data.path());
    let games = server.get("/games");
    assert_eq!((&games["total"], &games["games"][0]["plies"]), (&json!(1), &json!(moves.len())));
}

#[cfg(unix)]
#[test]
fn the_server_stops_in_good_order() {
    let data = tempfile::tempdir().expect("a directory");
    let mut server = Server::start(data.path());
    let mut socket = server.socket();
    let status = Command::new("kill").args(["-TERM", &server.process.id().to_string()]).status();
    assert!(status.expect("kill").success());
    let mut has_said_bye = false;
    while let Ok(message) = socket.read() {
        has_said_bye |= message.to_text().is_ok_and(|text| text.contains("\"bye\""));
    }
    assert!(has_said_bye);
    assert!(server.process.wait().expect("ended").success());
}

#[test]
fn only_one_server_uses_a_directory() {
    let data = tempfile::tempdir().expect("a directory");
    let _server = Server::start(data.path());
    let second = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["serve", "--port", "0", "--data"])
        .arg(data.path())
        .output()
        .expect("it ends");
    assert!(!second.status.success());
    let message = String::from_utf8_lossy(&second.stderr);
    assert!(message.contains("is in use by another server"), "{message}");
}

#[test]
fn a_taken_port_comes_with_the_way_out() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("its address").port();
    let data = tempfile::tempdir().expect("a directory");
    let output = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["serve", "--port", &port.to_string(), "--data"])
        .arg(data.path())
        .output()
        .expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("is in use") && message.contains(" make play"), "{message}");
}

#[test]
fn classics_play_from_books_by_choice() {
    let data = tempfile::tempdir().expect("a directory");
    let book = data.path().join("english.book");
    std::fs::write(&book, "1\n50 34 END\n").expect("written");
    let option = format!("javachess:mtdf:book={}", book.display());
    let server = Server::start_with(data.path(), &["--classic", &option]);
    let info = server.get("/info");
    let classics = info["classics"].as_array().expect("a list");
    let javachess = classics.iter().find(|classic| classic["id"] == "javachess:mtdf").expect("JavaChess");
    let description = javachess["description"].as_str().expect("a text");
    assert!(description.ends_with("; here from english.book"), "{description}");

    let request =
        json!({"white": {"kind": "classic", "classic": "javachess:mtdf"}, "black": {"kind": "you"}});
    let game: Value = ureq::post(server.url("/games"))
        .send_json(&request)
        .expect("a game")
        .body_mut()
        .read_json()
        .expect("JSON");
    let mut socket = server.socket();
    let mut message = ask(&mut socket, &json!({"id": 1, "type": "watch", "game": game["id"]}));
    while message["game"]["moves"].as_array().is_none_or(Vec::is_empty) {
        if let Message::Text(text) = socket.read().expect("a message") {
            message = serde_json::from_str(&text).expect("JSON");
        }
    }
    let state = &message["game"];
    assert_eq!(state["moves"][0]["san"], "c4");
    let search = state["search"].as_str().expect("what it did");
    assert!(search.starts_with("javachess:mtdf: c4, from its book"), "{search}");

    std::fs::write(&book, "1\n50 99 END\n").expect("written");
    let refused = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["serve", "--port", "0", "--classic", &option])
        .output()
        .expect("it ends");
    let reason = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && reason.contains("english.book: line 2: "), "{reason}");
}
