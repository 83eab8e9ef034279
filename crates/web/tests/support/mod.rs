//! A server on a free port, and visitors with cookies who talk to it.

#![allow(dead_code, unreachable_pub, missing_docs)]

use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};
use web::{Config, Limits, Server, Unsaved};

/// Long enough for the slowest machine; nothing waits that long if all is well.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct TestServer {
    pub port: u16,
    pub owner_token: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), Unsaved>>>,
    _data: Option<TempDir>,
}

pub struct Settings {
    pub exposed: bool,
    pub password: Option<String>,
    pub engines: usize,
    /// Clients are those of the header `x-forwarded-for`.
    pub behind_proxy: bool,
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self { exposed: false, password: None, engines: 2, behind_proxy: false, limits: Limits::default() }
    }
}

impl TestServer {
    pub fn start(settings: Settings) -> Self {
        let data = tempfile::tempdir().expect("a directory");
        let mut server = Self::start_in(data.path(), settings);
        server._data = Some(data);
        server
    }

    pub fn start_in(data: &Path, settings: Settings) -> Self {
        let ip = if settings.exposed { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let config = Config {
            own_names: vec!["chess.test".to_owned()],
            password: settings.password,
            engines: settings.engines,
            limits: settings.limits,
            proxies: settings
                .behind_proxy
                .then(|| "127.0.0.1".parse().expect("an address"))
                .into_iter()
                .collect(),
            ..Config::new(SocketAddr::new(IpAddr::V4(ip), 0), data.to_owned())
        };
        Self::start_with(config)
    }

    pub fn start_with(config: Config) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (sender, port) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async {
                let server = Server::start(config).await.expect("a server");
                let token = server.owner_token().map(str::to_owned);
                sender.send((server.address().port(), token)).expect("the test waits");
                server.run(async { drop(stopped.await) }).await
            })
        });
        let (port, owner_token) = port.recv().expect("the server starts");
        Self { port, owner_token, stop: Some(stop), thread: Some(thread), _data: None }
    }

    pub fn stop(&mut self) {
        assert_eq!(self.stop_and_report(), None);
    }

    /// Stops it; returns what could not be saved.
    pub fn stop_and_report(&mut self) -> Option<Unsaved> {
        self.stop = None;
        self.thread.take()?.join().expect("the server ends well").err()
    }

    pub fn visitor(&self) -> Visitor {
        Visitor::new(self.port)
    }

    /// A visitor who has been here before.
    pub fn visitor_with(&self, cookie: &str) -> Visitor {
        let mut visitor = self.visitor();
        cookie.clone_into(&mut visitor.cookie);
        visitor
    }

    /// A visitor of whom the proxy says where they come from.
    pub fn visitor_from(&self, address: &str) -> Visitor {
        Visitor { address: Some(address.to_owned()), ..self.visitor() }
    }

    fn fresh(&self, headers: &[(&str, &str)]) -> ureq::http::Response<ureq::Body> {
        let agent = agent();
        let mut request = agent.get(format!("http://127.0.0.1:{}/api/v1/info", self.port));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.call().expect("an answer")
    }

    /// The status that a browser without a cookie gets.
    pub fn fresh_status(&self, headers: &[(&str, &str)]) -> u16 {
        self.fresh(headers).status().as_u16()
    }

    /// The cookie that it gets.
    pub fn fresh_cookie(&self, headers: &[(&str, &str)]) -> String {
        self.fresh(headers).headers()["set-cookie"].to_str().expect("text").to_owned()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A browser, so to speak.
pub struct Visitor {
    port: u16,
    agent: ureq::Agent,
    pub cookie: String,
    address: Option<String>,
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE))
        .build()
        .into()
}

impl Visitor {
    pub fn new(port: u16) -> Self {
        let mut visitor = Self { port, agent: agent(), cookie: String::new(), address: None };
        let response = visitor.agent.get(visitor.url("/info")).call().expect("info");
        let cookie = response.headers().get("set-cookie").expect("a cookie").to_str().expect("text");
        visitor.cookie = cookie.split(';').next().expect("a cookie").to_owned();
        visitor
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/api/v1{path}", self.port)
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        self.get_with(path, &[])
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> (u16, Value) {
        let mut request = self.as_visitor(self.agent.get(self.url(path)));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.call().expect("an answer"))
    }

    fn as_visitor<B>(&self, mut request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        if let Some(address) = &self.address {
            request = request.header("x-forwarded-for", address);
        }
        request.header("cookie", &self.cookie)
    }

    /// Follows the owner's link; returns the status.
    pub fn claim(&self, token: &str) -> u16 {
        let request = self.agent.get(format!("http://127.0.0.1:{}/owner/{token}", self.port));
        self.as_visitor(request).call().expect("an answer").status().as_u16()
    }

    pub fn get_text(&self, path: &str) -> String {
        let mut response =
            self.agent.get(self.url(path)).header("cookie", &self.cookie).call().expect("an answer");
        assert_eq!(response.status(), 200);
        response.body_mut().read_to_string().expect("text")
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let response = self.as_visitor(self.agent.post(self.url(path))).send_json(body);
        answer(response.expect("an answer"))
    }

    /// Posts a text that may be no JSON.
    pub fn post_raw(&self, path: &str, body: &str) -> (u16, Value) {
        let request = self.agent.post(self.url(path)).header("cookie", &self.cookie);
        answer(request.header("content-type", "application/json").send(body).expect("an answer"))
    }

    pub fn post_text(&self, path: &str, body: &Value) -> String {
        let mut response = self
            .agent
            .post(self.url(path))
            .header("cookie", &self.cookie)
            .send_json(body)
            .expect("an answer");
        response.body_mut().read_to_string().expect("text")
    }

    pub fn put(&self, path: &str, body: &Value) -> u16 {
        let response = self.as_visitor(self.agent.put(self.url(path))).send_json(body);
        response.expect("an answer").status().as_u16()
    }

    pub fn delete(&self, path: &str) -> u16 {
        let response = self.agent.delete(self.url(path)).header("cookie", &self.cookie).call();
        response.expect("an answer").status().as_u16()
    }

    pub fn new_game(&self, request: &Value) -> Value {
        let (status, game) = self.post("/games", request);
        assert_eq!(status, 201, "{game}");
        game
    }

    pub fn socket(&self) -> Socket {
        Socket::open(self.port, &self.cookie)
    }

    /// A WebSocket of which the proxy says where it comes from.
    pub fn socket_from(&self, address: &str) -> Socket {
        Socket::open_from(self.port, &self.cookie, Some(address))
    }
}

fn answer(mut response: ureq::http::Response<ureq::Body>) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.body_mut().read_to_string().expect("text");
    let value = if text.is_empty() { Value::Null } else { serde_json::from_str(&text).expect("JSON") };
    (status, value)
}

pub struct Socket {
    socket: WebSocket<TcpStream>,
    next_id: u64,
    /// News that came while something else was waited for.
    pub news: Vec<Value>,
}

impl Socket {
    pub fn open(port: u16, cookie: &str) -> Self {
        Self::open_from(port, cookie, None)
    }

    fn open_from(port: u16, cookie: &str, address: Option<&str>) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let url = format!("ws://127.0.0.1:{port}/api/v1/ws");
        let mut request = url.into_client_request().expect("a request");
        if !cookie.is_empty() {
            request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
        }
        if let Some(address) = address {
            request.headers_mut().insert("x-forwarded-for", address.parse().expect("a header"));
        }
        let (socket, _) = tungstenite::client(request, stream).expect("a WebSocket");
        let mut socket = Self { socket, next_id: 1, news: Vec::new() };
        assert_eq!(socket.receive()["type"], "hello");
        socket
    }

    pub fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("sent");
    }

    pub fn ping(&mut self) {
        self.socket.send(Message::Ping(Default::default())).expect("sent");
    }

    /// Sends a text, unless the connection has ended.
    pub fn try_send(&mut self, text: &str) -> Result<(), tungstenite::Error> {
        self.socket.send(Message::text(text))
    }

    /// Sends a request and returns its number.
    pub fn send(&mut self, mut request: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        request["id"] = json!(id);
        self.send_text(&request.to_string());
        id
    }

    /// The next message, whatever it is; nothing when the connection has ended.
    pub fn try_receive(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(_))
                | Err(
                    tungstenite::Error::ConnectionClosed
                    | tungstenite::Error::AlreadyClosed
                    | tungstenite::Error::Protocol(_),
                ) => return None,
                Ok(other) => panic!("an odd message: {other}"),
                Err(tungstenite::Error::Io(error)) if error.kind() != std::io::ErrorKind::WouldBlock => {
                    return None;
                }
                Err(error) => panic!("no message came: {error}"),
            }
        }
    }

    pub fn receive(&mut self) -> Value {
        self.try_receive().expect("the connection is open")
    }

    /// The first message, of those kept or to come, that fits.
    pub fn wait_for(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.news.iter().position(&fits) {
            return self.news.remove(index);
        }
        loop {
            let message = self.receive();
            if fits(&message) {
                return message;
            }
            self.news.push(message);
        }
    }

    /// The answer to a request; news are kept.
    pub fn ask(&mut self, request: Value) -> Value {
        let id = self.send(request);
        self.wait_for(|message| message["re"] == id)
    }

    pub fn ask_ok(&mut self, request: Value) {
        let shown = request.to_string();
        let answer = self.ask(request);
        assert_eq!(answer["type"], "ok", "{shown}: {answer}");
    }

    pub fn ask_error(&mut self, request: Value) -> String {
        let shown = request.to_string();
        let answer = self.ask(request);
        assert_eq!(answer["type"], "error", "{shown}: {answer}");
        answer["error"]["code"].as_str().expect("a code").to_owned()
    }

    pub fn watch(&mut self, game: &Value) -> Value {
        let answer = self.ask(json!({"type": "watch", "game": game}));
        assert_eq!(answer["type"], "game", "{answer}");
        answer["game"].clone()
    }

    pub fn play(&mut self, game: &Value, ply: usize, mv: &str) {
        self.ask_ok(json!({"type": "move", "game": game, "ply": ply, "move": mv}));
    }

    /// The first state of the game that fits; older ones are dropped.
    pub fn state(&mut self, game: &Value, fits: impl Fn(&Value) -> bool) -> Value {
        self.wait_for(|message| {
            message["type"] == "game" && &message["game"]["id"] == game && fits(&message["game"])
        })["game"]
            .clone()
    }
}

/// How many moves a state has.
pub fn plies(state: &Value) -> usize {
    state["moves"].as_array().map_or(0, Vec::len)
}

pub fn you() -> Value {
    json!({"kind": "you"})
}

pub fn full() -> Value {
    json!({"kind": "level", "level": "full"})
}
