//! What must not be possible.

#![allow(missing_docs)]

mod support;

use chess::random::Random;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use support::{Settings, Socket, TestServer, Visitor, you};

/// A request by hand; returns status and the whole answer.
fn raw(port: u16, request: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer)
}

fn get(port: u16, path: &str, headers: &str) -> (u16, String) {
    raw(port, &format!("GET {path} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n"))
}

const UPGRADE: &str = "upgrade: websocket\r\nsec-websocket-version: 13\r\n\
     sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = TestServer::start(Settings::default());
    let port = server.port;
    let info = "/api/v1/info";
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), "chess.test".to_owned()] {
        assert_eq!(get(port, info, &format!("host: {host}\r\n")).0, 200, "{host}");
        let own = format!("host: {host}\r\norigin: http://{host}\r\n");
        assert_eq!(get(port, info, &own).0, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80"] {
        let (status, answer) = get(port, info, &format!("host: {host}\r\n"));
        assert_eq!(status, 403, "{host}");
        assert!(answer.contains("\"code\":\"forbidden\""));
    }
    assert_eq!(get(port, info, "").0, 400, "a host there must be");
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"] {
        let headers = format!("host: localhost:{port}\r\norigin: {origin}\r\n");
        assert_eq!(get(port, info, &headers).0, 403, "{origin}");
        let socket = format!("GET /api/v1/ws HTTP/1.1\r\n{headers}connection: upgrade\r\n{UPGRADE}\r\n");
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.write_all(socket.as_bytes()).expect("sent");
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("an answer");
        assert_eq!(&status, b"HTTP/1.1 403", "{origin}");
    }
}

#[test]
fn answers_have_headers_that_protect() {
    let server = TestServer::start(Settings::default());
    let host = format!("host: localhost:{}\r\n", server.port);
    for path in ["/", "/api/v1/info", "/join/token", "/nothing.png"] {
        let (_, answer) = get(server.port, path, &host);
        let head = answer.split("\r\n\r\n").next().expect("a head").to_ascii_lowercase();
        for header in [
            "content-security-policy: default-src 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-embedder-policy: require-corp",
        ] {
            assert!(head.contains(header), "{path}: {header} in {head}");
        }
    }
    let (_, answer) = get(server.port, "/api/v1/info", &host);
    assert!(answer.contains("HttpOnly; SameSite=Lax"), "{answer}");
    assert!(answer.contains("cache-control: no-store"), "{answer}");
}

#[test]
fn the_page_is_there_or_says_how_to_get_it() {
    let server = TestServer::start(Settings::default());
    let host = format!("host: localhost:{}\r\n", server.port);
    for path in ["/", "/join/token", "/analysis"] {
        let (status, answer) = get(server.port, path, &host);
        assert_eq!(status, 200);
        assert!(answer.contains("text/html"), "{path}");
    }
    assert_eq!(get(server.port, "/assets/none.js", &host).0, 404);
    assert_eq!(get(server.port, "/../Cargo.toml", &host).0, 404);
    assert_eq!(get(server.port, "/api/v2/info", &host).0, 404);
}

#[test]
fn a_password_keeps_others_out() {
    let limits = web::Limits { logins: 5, ..web::Limits::default() };
    let settings = || Settings {
        exposed: true,
        password: Some("Philidor".to_owned()),
        limits: limits.clone(),
        ..Settings::default()
    };
    let data = tempfile::tempdir().expect("a directory");
    let mut server = TestServer::start_in(data.path(), settings());
    let visitor = server.visitor();
    let (_, info) = visitor.get("/info");
    assert_eq!((&info["password"], &info["authorised"]), (&json!(true), &json!(false)));
    assert_eq!(visitor.get("/games").0, 401);
    assert_eq!(visitor.post("/games", &json!({"white": you(), "black": you()})).0, 401);
    assert_eq!(visitor.post("/login", &json!({"password": "philidor"})).0, 401);
    assert_eq!(visitor.post("/login", &json!({"password": "Philidor"})).0, 204);
    assert_eq!(visitor.get("/info").1["authorised"], true);
    let game = visitor.new_game(&json!({"white": you(), "black": you()}));
    visitor.socket().watch(&game["id"]);
    let stranger = server.visitor();
    assert_eq!(stranger.get("/games").0, 401, "each has to know it");
    server.stop();

    // Who was let in stays in, until the password changes.
    let mut server = TestServer::start_in(data.path(), settings());
    let mut again = Visitor::new(server.port);
    again.cookie.clone_from(&visitor.cookie);
    assert_eq!(again.get("/games").1["total"], 1);
    server.stop();
    let other = Settings { password: Some("Steinitz".to_owned()), ..settings() };
    let server = TestServer::start_in(data.path(), other);
    let mut again = Visitor::new(server.port);
    again.cookie.clone_from(&visitor.cookie);
    assert_eq!(again.get("/games").0, 401);
    // Guessing is slowed down.
    let guesses: Vec<u16> =
        (0..10).map(|guess| again.post("/login", &json!({"password": guess.to_string()})).0).collect();
    assert!(guesses.contains(&429), "{guesses:?}");
}

#[test]
fn bad_requests_are_answered_in_json() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let code = |answer: (u16, Value)| (answer.0, answer.1["code"].as_str().unwrap_or("").to_owned());
    let bad = |status: u16, word: &str| (status, word.to_owned());
    assert_eq!(code(visitor.get("/nothing")), bad(404, "not_found"));
    assert_eq!(code(visitor.get("/games/none")), bad(404, "not_found"));
    assert_eq!(code(visitor.get("/games?limit=many")), bad(400, "bad_request"));
    assert_eq!(code(visitor.get("/games?before=x")), bad(400, "bad_request"));
    assert_eq!(code(visitor.get("/login")), bad(405, "bad_request"));
    assert_eq!(code(visitor.post("/position", &json!({"fen": "x"}))), bad(400, "bad_request"));
    assert_eq!(code(visitor.post("/position", &json!({"moves": [1]}))), bad(400, "bad_request"));
    assert_eq!(code(visitor.post("/games", &json!({"white": 1}))), bad(400, "bad_request"));
    // Messages are for people: they name the field or the place, and show nothing of the parser.
    let message = |answer: (u16, Value)| answer.1["message"].as_str().unwrap_or("").to_owned();
    assert_eq!(message(visitor.post("/games", &json!({"white": you()}))), "the field black is missing");
    for answer in [visitor.get("/games?limit=many"), visitor.post("/position", &json!({"moves": [1]}))] {
        let message = message(answer);
        let is_plain =
            ["invalid", "expected", "deserialize", "0.."].iter().all(|word| !message.contains(word));
        assert!(is_plain && message.contains("docs/api.md"), "{message}");
    }
    let large = json!({"fen": "x".repeat(70_000)});
    assert_eq!(code(visitor.post("/position", &large)), bad(413, "too_large"));
    let port = server.port;
    let form = format!(
        "POST /api/v1/games HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\
         content-type: text/plain\r\ncontent-length: 2\r\n\r\n{{}}"
    );
    let (status, answer) = raw(port, &form);
    assert!(status == 400 && answer.contains("application/json"), "{answer}");
    assert_eq!(get(port, "/api/v1/ws", &format!("host: localhost:{port}\r\n")).0, 400);
}

#[test]
fn a_flood_of_messages_is_stemmed() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let mut socket = visitor.socket();
    let mut refused = 0;
    // Every message is answered, until the connection is closed.
    'flood: for _ in 0..10 {
        for id in 0..100 {
            if socket.try_send(&json!({"type": "ping", "id": id}).to_string()).is_err() {
                break;
            }
        }
        for _ in 0..100 {
            let Some(message) = socket.try_receive() else { break 'flood };
            refused += usize::from(message["error"]["code"] == "too_many");
        }
    }
    assert!(refused > 0, "some messages were refused");
    assert_eq!(socket.try_receive(), None, "and the connection closed");
    // Others are not concerned.
    let mut other = visitor.socket();
    assert_eq!(other.ask(json!({"type": "ping"}))["type"], "pong");
}

#[test]
fn connections_of_a_visitor_are_counted() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let sockets: Vec<Socket> = (0..16).map(|_| visitor.socket()).collect();
    let request = format!(
        "GET /api/v1/ws HTTP/1.1\r\nhost: localhost:{}\r\nconnection: upgrade\r\ncookie: {}\r\n{UPGRADE}\r\n",
        server.port, visitor.cookie
    );
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("an answer");
    assert_eq!(&status, b"HTTP/1.1 429");
    drop(sockets);
}

/// Small changes of good messages, and pure nonsense, from a generator that always gives the same.
struct Nonsense(Random);

impl Nonsense {
    fn number(&mut self, below: usize) -> usize {
        self.0.below(below)
    }

    fn value(&mut self, game: &Value) -> Value {
        match self.number(12) {
            0 => Value::Null,
            1 => json!(-1),
            2 => json!(u64::MAX),
            3 => json!(1e300),
            4 => json!(""),
            5 => json!("e2e4"),
            6 => json!("\u{0}\u{fffd}💥"),
            7 => json!([[[[]]]]),
            8 => json!({"kind": "you", "fen": {}}),
            9 => game.clone(),
            10 => json!(true),
            _ => json!("8/8/8/8/8/8/8/8 w - - 0 1"),
        }
    }

    fn message(&mut self, game: &Value) -> String {
        const TYPES: [&str; 18] = [
            "watch", "unwatch", "move", "takeback", "draw", "claim", "resign", "rematch", "answer", "hint",
            "pause", "analyse", "stop", "review", "cancel", "ping", "hello", "",
        ];
        const FIELDS: [&str; 14] = [
            "game", "ply", "move", "color", "to", "accept", "paused", "fen", "moves", "lines", "depth",
            "nodes", "effort", "time",
        ];
        let mut message = json!({
            "id": 1_000_000 + self.number(1000), "type": TYPES[self.number(TYPES.len())], "game": game, "ply": 0,
            "move": "e4", "to": "draw", "accept": true, "paused": false, "depth": 1, "effort": "quick",
        });
        for _ in 0..self.number(3) {
            message[FIELDS[self.number(FIELDS.len())]] = self.value(game);
        }
        let mut text = message.to_string().into_bytes();
        for _ in 0..[0, 0, 0, 1, 5][self.number(5)] {
            let index = self.number(text.len());
            match self.number(3) {
                0 => text[index] = b" {}[]\":,0x\\"[self.number(11)],
                1 => text.truncate(index + 1),
                _ => drop(text.remove(index)),
            }
            if text.is_empty() {
                text.push(b'{');
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

#[test]
fn no_message_does_harm() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let mut nonsense = Nonsense(Random::new(20_250_101));
    for _ in 0..30 {
        let game = visitor.new_game(&json!({"white": you(), "black": you()}));
        let mut socket = visitor.socket();
        socket.watch(&game["id"]);
        // As many as a connection may send at once.
        for _ in 0..50 {
            let message = nonsense.message(&game["id"]);
            socket.send_text(&message);
        }
        assert_eq!(socket.ask(json!({"type": "ping"}))["type"], "pong");
        let internal = socket.news.iter().find(|message| message["error"]["code"] == "internal");
        assert_eq!(internal, None);
    }
    for path in [
        "/games",
        "/position",
        "/explain",
        "/analyse",
        "/pgn/read",
        "/pgn/write",
        "/exercises/check",
        "/import",
    ] {
        for _ in 0..30 {
            let body: Value = serde_json::from_str(&nonsense.message(&json!("x"))).unwrap_or_default();
            let (status, answer) = visitor.post(path, &body);
            assert!(status < 500, "{path} {body}: {answer}");
        }
    }
}
