//! Who may use the server: names of hosts, origins of pages, cookies of visitors, the password.

use crate::app::App;
use crate::networks::Network;
use crate::refusal::Refusal;
use crate::store::Database;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use backend::{Code, Error, Result, Visitor, random};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// The name of the cookie.
const COOKIE_NAME: &str = "gardez";
/// As long as browsers keep cookies.
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;
/// Wrong passwords of one address at once, and how long it takes until one more may be tried.
const ATTEMPTS: u32 = 5;
const ATTEMPT_EVERY: Duration = Duration::from_secs(3);
/// Addresses remembered for that.
const MAX_ADDRESSES: usize = 10_000;
/// No answer takes longer; analyses end well before.
const LONGEST_REQUEST: Duration = Duration::from_secs(60);

/// The address of the client.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Decides who may use the server.
pub(crate) struct Auth {
    /// Names under which the server is known, besides its addresses.
    names: Vec<String>,
    password: Option<String>,
    authorised: RwLock<HashSet<Visitor>>,
    attempts: Mutex<HashMap<IpAddr, (u32, Instant)>>,
}

impl Auth {
    /// With the log-ins of the database, as far as the password is still the same.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn new(names: Vec<String>, password: Option<String>, store: &Database) -> Result<Self> {
        let mut authorised = HashSet::new();
        if let Some(password) = &password {
            for (visitor, stored) in store.logins().await? {
                if bool::from(proof(&visitor, password).as_slice().ct_eq(&stored)) {
                    authorised.insert(Visitor::from(visitor));
                }
            }
        }
        Ok(Self {
            names: names.into_iter().map(|name| name.to_ascii_lowercase()).collect(),
            password,
            authorised: RwLock::new(authorised),
            attempts: Mutex::default(),
        })
    }

    /// Whether a password is set.
    #[must_use]
    pub(crate) const fn asks_password(&self) -> bool {
        self.password.is_some()
    }

    /// Whether a visitor may use the server.
    #[must_use]
    pub(crate) fn is_authorised(&self, visitor: &str) -> bool {
        self.password.is_none()
            || self.authorised.read().unwrap_or_else(PoisonError::into_inner).contains(visitor)
    }

    /// Logs in a visitor who knows the password.
    ///
    /// # Errors
    /// When it is wrong, or too many wrong ones came from the address.
    pub(crate) async fn log_in(
        &self,
        store: &Database,
        visitor: &Visitor,
        peer: IpAddr,
        given: &str,
    ) -> Result<()> {
        let Some(password) = &self.password else { return Ok(()) };
        if !self.may_try(peer) {
            return Err(Error::new(Code::TooMany, "too many wrong passwords; wait a little"));
        }
        // The proofs have one length, so the time to compare them says nothing about the password.
        let expected = proof(visitor, password);
        if !bool::from(proof(visitor, given).as_slice().ct_eq(expected.as_slice())) {
            return Err(Error::new(Code::Unauthorised, "the password is wrong"));
        }
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).remove(&peer);
        store.save_login(visitor, expected.to_vec()).await?;
        self.authorised.write().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(visitor));
        Ok(())
    }

    /// Logs a visitor out.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn log_out(&self, store: &Database, visitor: &Visitor) -> Result<()> {
        self.authorised.write().unwrap_or_else(PoisonError::into_inner).remove(visitor);
        store.delete_login(visitor).await
    }

    /// Counts an attempt of an address, unless it has none left.
    fn may_try(&self, peer: IpAddr) -> bool {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        if attempts.len() >= MAX_ADDRESSES {
            attempts.retain(|_, (_, since)| since.elapsed() < ATTEMPT_EVERY * ATTEMPTS);
        }
        let (count, since) = attempts.entry(peer).or_insert((0, Instant::now()));
        let forgiven = (since.elapsed().as_millis() / ATTEMPT_EVERY.as_millis()) as u32;
        if forgiven > 0 {
            *count = count.saturating_sub(forgiven);
            *since = Instant::now();
        }
        *count += 1;
        *count <= ATTEMPTS
    }

    /// A browser says which name it asked for. A name that is not ours was made to point here by a foreign
    /// page, to get around the walls between sites. Addresses cannot be made to point elsewhere.
    fn knows_host(&self, host: &str) -> bool {
        let name = host_name(host).to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
        address.parse::<IpAddr>().is_ok() || name == "localhost" || self.names.contains(&name)
    }

    fn check_headers(&self, headers: &HeaderMap) -> Result<()> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(HOST).ok_or_else(|| Error::bad_request("the header Host is missing"))?;
        if !self.knows_host(host) {
            return Err(Error::forbidden(format!(
                "this server is not called {host:?}; give the name with --name if it should be"
            )));
        }
        match text(ORIGIN) {
            Some(origin) if !is_same_origin(origin, host) => {
                Err(Error::forbidden("pages of other sites may not use this server"))
            }
            _ => Ok(()),
        }
    }
}

/// The name without the port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

fn is_same_origin(origin: &str, host: &str) -> bool {
    let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    place.is_some_and(|place| place.eq_ignore_ascii_case(host))
}

/// What is kept of a password: nothing that could be used by another visitor.
fn proof(visitor: &str, password: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"gardez log-in\0");
    hasher.update(visitor.as_bytes());
    hasher.update(b"\0");
    hasher.update(password.as_bytes());
    hasher.finalize().into()
}

/// The visitor of a secret.
fn visitor_of(secret: &str) -> Visitor {
    let digest: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
    let mut name = String::with_capacity(32);
    for byte in &digest[..16] {
        let _ = write!(name, "{byte:02x}");
    }
    name.into()
}

fn secret_in(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, secret)| secret)
        .filter(|secret| {
            (20..=64).contains(&secret.len()) && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// What the page may load: nothing but what the server itself has.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    // The secrets of links stand in addresses.
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Comes before everything else: checks the headers of the request, finds its visitor, and sets the headers
/// of the answer.
pub(crate) async fn check_request(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match app.auth.check_headers(request.headers()) {
        Err(error) => Refusal(error).into_response(),
        Ok(()) => {
            let known = secret_in(request.headers()).map(str::to_owned);
            match known.clone().map_or_else(random::secret, Ok) {
                Err(error) => Refusal(error).into_response(),
                Ok(secret) => {
                    let visitor = visitor_of(&secret);
                    app.networks.note(&visitor, Network::of(peer));
                    request.extensions_mut().insert(visitor);
                    let answer = tokio::time::timeout(LONGEST_REQUEST, next.run(request)).await;
                    let mut response = answer.unwrap_or_else(|_| {
                        Refusal(Error::new(Code::Timeout, "the answer took too long")).into_response()
                    });
                    // What public caches may keep must not carry the cookie of one visitor.
                    let is_public = response.headers().contains_key("x-public");
                    response.headers_mut().remove("x-public");
                    if known.is_none() && !is_public {
                        set_cookie(&mut response, &secret);
                    }
                    response
                }
            }
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

fn set_cookie(response: &mut Response, secret: &str) {
    let cookie = format!("{COOKIE_NAME}={secret}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth() -> Auth {
        Auth {
            names: vec!["chess.local".to_owned()],
            password: Some("secret".to_owned()),
            authorised: RwLock::default(),
            attempts: Mutex::default(),
        }
    }

    #[test]
    fn only_own_names_and_addresses_are_known() {
        for host in
            ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "192.168.1.7", "Chess.Local:80", "[::1]"]
        {
            assert!(auth().knows_host(host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:8080", "127.0.0.1.evil.example", "", ":8080"] {
            assert!(!auth().knows_host(host), "{host}");
        }
    }

    #[test]
    fn origins_must_be_the_host_itself() {
        assert!(is_same_origin("http://localhost:8080", "localhost:8080"));
        assert!(is_same_origin("https://chess.local", "chess.local"));
        for origin in
            ["http://localhost:9090", "http://evil.example", "null", "", "file://", "localhost:8080"]
        {
            assert!(!is_same_origin(origin, "localhost:8080"), "{origin}");
        }
    }

    #[test]
    fn cookies_are_read_with_care() {
        let with = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, HeaderValue::from_str(text).expect("a header"));
            secret_in(&headers).map(str::to_owned)
        };
        let secret = "abcdefghjkmnpqrstuvwxyz023";
        assert_eq!(with(&format!("other=1; gardez={secret}")), Some(secret.to_owned()));
        assert_eq!(with("gardez=short"), None);
        assert_eq!(with(&format!("gardez={}", "x".repeat(1000))), None);
        assert_eq!(with("gardez=abc!defghjkmnpqrstuvwxyz02"), None);
        assert_eq!(with("nonsense"), None);
    }

    #[test]
    fn guessing_passwords_takes_long() {
        let auth = auth();
        let peer = IpAddr::from([10, 0, 0, 1]);
        assert!((0..ATTEMPTS).all(|_| auth.may_try(peer)));
        assert!(!auth.may_try(peer));
        assert!(auth.may_try(IpAddr::from([10, 0, 0, 2])));
    }

    #[test]
    fn proofs_depend_on_visitor_and_password() {
        assert_eq!(proof("a", "b"), proof("a", "b"));
        assert_ne!(proof("a", "b"), proof("b", "b"));
        assert_ne!(proof("a", "b"), proof("a", "c"));
    }
}
