//! A Gardez server: invitations over HTTP, and the connection over which a game is played.

use super::state::GameState;
use players::TimeControl;
use serde_json::{Value, json};
use std::net::TcpStream;
use tungstenite::WebSocket;
use tungstenite::client::IntoClientRequest;

/// Why a server could not be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NetworkError {
    #[error("a link is http://SERVER/join/TOKEN or http://SERVER/watch/TOKEN, not '{0}'")]
    Link(String),
    #[error("a server is http://NAME:PORT, not '{0}'; links with https need a browser")]
    Address(String),
    #[error("{server} cannot be reached: {reason}")]
    Unreachable { server: String, reason: String },
    #[error("{server} refuses: {reason}")]
    Refused { server: String, reason: String },
    #[error("{server} does not speak as a Gardez server does: {reason}")]
    Foreign { server: String, reason: String },
}

/// Where a game is played.
#[derive(Clone, Debug)]
pub struct Server {
    /// Name and port.
    authority: String,
    agent: ureq::Agent,
    /// Names the visitor, to whom a seat belongs.
    cookie: String,
}

/// What is agreed before an invitation.
#[derive(Clone, Debug, Default)]
pub struct Invitation {
    /// An engine of the server to play against instead of a person: `level=8` or a classic.
    pub engine: Option<String>,
    /// Whether the one who invites plays Black.
    pub is_black: bool,
    /// The clock.
    pub clock: Option<TimeControl>,
    /// Position to start from.
    pub fen: Option<String>,
}

impl Server {
    /// The server at an address like `http://localhost:8080`.
    pub(super) fn at(address: &str) -> Result<Self, NetworkError> {
        let wrong = || NetworkError::Address(address.to_owned());
        if address.starts_with("https:") {
            return Err(wrong());
        }
        let authority = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
        if authority.is_empty() || !authority.chars().all(is_plain) {
            return Err(wrong());
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut server = Self { authority, agent, cookie: String::new() };
        let response =
            server.agent.get(server.url("/info")).call().map_err(|error| server.unreachable(&error))?;
        let cookie = response.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
        let cookie = cookie.and_then(|cookie| cookie.split(';').next());
        server.cookie = cookie.ok_or_else(|| server.foreign("it gives no cookie"))?.to_owned();
        Ok(server)
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/api/v1{path}", self.authority)
    }

    /// A path of the page as a link.
    pub(super) fn link(&self, path: &str) -> String {
        format!("http://{}{path}", self.authority)
    }

    fn unreachable(&self, error: &dyn std::error::Error) -> NetworkError {
        NetworkError::Unreachable { server: self.authority.clone(), reason: error.to_string() }
    }

    fn foreign(&self, reason: &str) -> NetworkError {
        NetworkError::Foreign { server: self.authority.clone(), reason: reason.to_owned() }
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, NetworkError> {
        let request = self.agent.post(self.url(path)).header("cookie", &self.cookie);
        let mut response = request.send_json(body).map_err(|error| self.unreachable(&error))?;
        let is_success = response.status().is_success();
        let answer: Value =
            response.body_mut().read_json().map_err(|error| self.foreign(&error.to_string()))?;
        if is_success {
            return Ok(answer);
        }
        let reason = answer["message"].as_str().unwrap_or("it does not say why").to_owned();
        Err(NetworkError::Refused { server: self.authority.clone(), reason })
    }

    fn state(&self, answer: Value) -> Result<GameState, NetworkError> {
        serde_json::from_value(answer).map_err(|error| self.foreign(&error.to_string()))
    }

    /// Takes the free seat of a game, or watches it.
    pub(super) fn join(&self, token: &str) -> Result<GameState, NetworkError> {
        let mut answer = self.post(&format!("/links/{token}"), &json!({}))?;
        self.state(answer["game"].take())
    }

    /// Opens a game and offers its other seat.
    pub(super) fn invite(&self, invitation: &Invitation) -> Result<GameState, NetworkError> {
        let other = match &invitation.engine {
            None => json!({"kind": "friend"}),
            Some(engine) => match engine.strip_prefix("level=") {
                Some(level) => json!({"kind": "level", "level": level}),
                None => json!({"kind": "classic", "classic": engine}),
            },
        };
        let seats = [json!({"kind": "you"}), other];
        let [white, black] =
            if invitation.is_black { [&seats[1], &seats[0]] } else { [&seats[0], &seats[1]] };
        let mut body = json!({"white": white, "black": black});
        if let Some(clock) = invitation.clock {
            let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            body["clock"] = json!({"initial": ms(clock.base), "increment": ms(clock.increment)});
        }
        if let Some(fen) = &invitation.fen {
            body["fen"] = json!(fen);
        }
        self.post("/games", &body).and_then(|answer| self.state(answer))
    }

    /// Opens the connection for playing.
    pub(super) fn connect(&self) -> Result<WebSocket<TcpStream>, NetworkError> {
        let stream = TcpStream::connect(&self.authority).map_err(|error| self.unreachable(&error))?;
        // Answers are waited for in short turns, so that there is time to send.
        stream.set_read_timeout(Some(super::connection::TURN)).map_err(|error| self.unreachable(&error))?;
        let url = format!("ws://{}/api/v1/ws", self.authority);
        let mut request = url.into_client_request().map_err(|error| self.unreachable(&error))?;
        let cookie = self.cookie.parse().map_err(|_| self.foreign("its cookie is none"))?;
        request.headers_mut().insert("cookie", cookie);
        let (socket, _) =
            tungstenite::client(request, stream).map_err(|error| self.foreign(&error.to_string()))?;
        Ok(socket)
    }
}

/// Server and token of a link.
pub(super) fn split_link(link: &str) -> Result<(&str, &str), NetworkError> {
    let wrong = || NetworkError::Link(link.to_owned());
    let (address, token) =
        link.trim().split_once("/join/").or_else(|| link.trim().split_once("/watch/")).ok_or_else(wrong)?;
    let is_token = !token.is_empty() && token.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if is_token { Ok((address, token)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_server_and_token() {
        let link = "http://localhost:8080/join/aB3-_";
        assert_eq!(split_link(link).ok(), Some(("http://localhost:8080", "aB3-_")));
        assert_eq!(split_link(" chess.local/watch/x ").ok(), Some(("chess.local", "x")));
        for link in ["", "http://localhost:8080/", "http://a/join/", "http://a/join/x/y", "http://a/join/x?y"]
        {
            assert!(matches!(split_link(link), Err(NetworkError::Link(_))), "{link}");
        }
        for address in ["https://a", "http://", "http://a b", "http://a/b"] {
            assert!(matches!(Server::at(address), Err(NetworkError::Address(_))), "{address}");
        }
    }
}
