//! Who may use the server: names of hosts, origins of pages, cookies of visitors, the password.

use crate::app::App;
use crate::limits::Rate;
use crate::networks::Network;
use crate::password::{self, PasswordKey, old_proof};
use crate::proxy::{self, Origin, TrustedProxy};
use crate::refusal::Refusal;
use crate::rights::VisitorRights;
use crate::store::Database;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use backend::{Code, Error, Result, Rights, Visitor, random};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use subtle::ConstantTimeEq;
use tokio::sync::{Semaphore, broadcast};
use tokio::time::timeout;

/// The name of the cookie.
const COOKIE_NAME: &str = "gardez";
/// As long as browsers keep cookies.
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;
/// Passwords that are hashed at once; each takes 19 MiB.
const HASHING: usize = 2;
/// The longest wait for that.
const HASHING_TIME: Duration = Duration::from_secs(10);
/// The setting with the hash of the owner's token.
const OWNER_TOKEN: &str = "owner-token";
/// Log-outs that a connection may be late to hear of.
const LOG_OUTS: usize = 256;
/// No answer takes longer; analyses end well before.
const LONGEST_REQUEST: Duration = Duration::from_secs(60);

/// The address that a connection comes from: of the client, or of a proxy.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Decides who may use the server.
pub(crate) struct Auth {
    /// Names under which the server is known, besides its addresses.
    names: Vec<String>,
    proxies: Vec<TrustedProxy>,
    password: Option<PasswordKey>,
    authorised: RwLock<HashSet<Visitor>>,
    /// Visitors who have known the password. Wrong passwords of others do not count against them.
    known: RwLock<HashSet<Visitor>>,
    wrong_of_networks: Rate,
    wrong_of_known: Rate<Visitor>,
    hashing: Semaphore,
    log_outs: broadcast::Sender<Visitor>,
}

/// Who may use the server, as it is started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Admittance {
    /// Names under which the server is known, besides its addresses.
    pub(crate) names: Vec<String>,
    /// Whose word about clients is believed.
    pub(crate) proxies: Vec<TrustedProxy>,
    /// What visitors have to give.
    pub(crate) password: Option<String>,
    /// Wrong passwords of a network in an hour.
    pub(crate) wrong_passwords: u64,
}

impl Auth {
    /// With the log-ins of the database, as far as the password is still the same.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn new(
        admittance: Admittance,
        store: &Database,
        rights: &VisitorRights,
    ) -> Result<Self> {
        let Admittance { names, proxies, password, wrong_passwords } = admittance;
        let mut authorised = HashSet::new();
        let mut password_key = None;
        if let Some(password) = password {
            let salt = match store.setting("password-salt").await?.and_then(|salt| salt.try_into().ok()) {
                Some(salt) => salt,
                None => {
                    let salt: [u8; password::SALT] = random::bytes()?;
                    store.set_setting("password-salt", salt.to_vec()).await?;
                    salt
                }
            };
            let key = PasswordKey::new(&password, salt)?;
            for (visitor, stored) in store.logins().await? {
                if bool::from(key.proof(&visitor).as_slice().ct_eq(&stored)) {
                    authorised.insert(Visitor::from(visitor));
                } else if bool::from(old_proof(&visitor, &password).as_slice().ct_eq(&stored)) {
                    store.save_login(&visitor, key.proof(&visitor).to_vec()).await?;
                    authorised.insert(Visitor::from(visitor));
                } else {
                    store.delete_login(&visitor).await?;
                }
            }
            // Owners need no password.
            authorised.extend(read(&rights.owners).iter().cloned());
            password_key = Some(key);
        }
        Ok(Self {
            names: names.into_iter().map(|name| name.to_ascii_lowercase()).collect(),
            proxies,
            password: password_key,
            known: RwLock::new(authorised.clone()),
            authorised: RwLock::new(authorised),
            wrong_of_networks: Rate::new(wrong_passwords, 3600),
            wrong_of_known: Rate::new(wrong_passwords, 3600),
            hashing: Semaphore::new(HASHING),
            log_outs: broadcast::Sender::new(LOG_OUTS),
        })
    }

    /// Whether a password is set.
    #[must_use]
    pub(crate) const fn asks_password(&self) -> bool {
        self.password.is_some()
    }

    /// Whether an address is that of a trusted proxy.
    #[must_use]
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|proxy| proxy.contains(address))
    }

    /// Whether a visitor may use the server.
    #[must_use]
    pub(crate) fn is_authorised(&self, visitor: &str) -> bool {
        self.password.is_none() || read(&self.authorised).contains(visitor)
    }

    /// Logs in a visitor who knows the password.
    ///
    /// # Errors
    /// When it is wrong, or too many wrong ones came from the network.
    pub(crate) async fn log_in(
        &self,
        store: &Database,
        visitor: &Visitor,
        network: Network,
        given: String,
    ) -> Result<()> {
        let Some(key) = &self.password else { return Ok(()) };
        let is_known = read(&self.known).contains(visitor);
        let what = "too many wrong passwords; wait a little";
        if is_known {
            self.wrong_of_known.take_of(Arc::clone(visitor), 1, what)?;
        } else {
            self.wrong_of_networks.take_of(network, 1, what)?;
        }
        let busy = || Error::retry(Code::Busy, "too many log-ins at once", 5);
        let _place = timeout(HASHING_TIME, self.hashing.acquire()).await.map_err(|_| busy())?;
        let salt = key.salt();
        let made = tokio::task::spawn_blocking(move || PasswordKey::new(&given, salt)).await;
        if !key.is_same(&made.map_err(|error| Error::internal(&error))??) {
            return Err(Error::new(Code::Unauthorised, "the password is wrong"));
        }
        if is_known {
            self.wrong_of_known.give_back(visitor, 1);
        } else {
            self.wrong_of_networks.give_back(&network, 1);
        }
        store.save_login(visitor, key.proof(visitor).to_vec()).await?;
        self.admit(visitor);
        Ok(())
    }

    fn admit(&self, visitor: &Visitor) {
        for set in [&self.authorised, &self.known] {
            set.write().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(visitor));
        }
    }

    /// Logs a visitor out, and ends their connections.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn log_out(
        &self,
        store: &Database,
        rights: &VisitorRights,
        visitor: &Visitor,
    ) -> Result<()> {
        for set in [&self.authorised, &rights.owners] {
            set.write().unwrap_or_else(PoisonError::into_inner).remove(visitor);
        }
        // No connection may be open to hear it.
        let _ = self.log_outs.send(Arc::clone(visitor));
        store.delete_login(visitor).await?;
        store.delete_owner(visitor).await
    }

    /// Tells of visitors who have logged out.
    #[must_use]
    pub(crate) fn log_outs(&self) -> broadcast::Receiver<Visitor> {
        self.log_outs.subscribe()
    }

    /// Makes a visitor the owner who shows the owner's token. A password is not asked for.
    ///
    /// # Errors
    /// When the token is not the one.
    pub(crate) async fn claim(
        &self,
        store: &Database,
        rights: &VisitorRights,
        visitor: &Visitor,
        token: &str,
    ) -> Result<()> {
        let expected = store.setting(OWNER_TOKEN).await?.unwrap_or_default();
        if !bool::from(token_hash(token).as_slice().ct_eq(&expected)) {
            return Err(Error::forbidden("this is not the owner's token"));
        }
        if let Some(key) = &self.password {
            store.save_login(visitor, key.proof(visitor).to_vec()).await?;
        }
        store.save_owner(visitor).await?;
        self.admit(visitor);
        rights.owners.write().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(visitor));
        Ok(())
    }

    /// Makes a new token for the owner. Whoever was the owner before is it no more.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn new_owner_token(store: &Database) -> Result<String> {
        let token = random::secret()?;
        store.renew_owner(OWNER_TOKEN, token_hash(&token).to_vec()).await?;
        Ok(token)
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

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// What is kept of the owner's token, which is too long to be guessed.
fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
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
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    // The secrets of links stand in addresses.
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    // With the line above it isolates the page, which then may share memory with its workers.
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Comes before everything else: checks where the request comes from and how many there are, finds its visitor, and
/// sets the headers of the answer.
pub(crate) async fn check_request(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let origin = proxy::origin(&app.auth.proxies, peer, request.headers());
    let checked = match app.auth.check_headers(request.headers()) {
        Ok(()) if origin.is_untold && peer.is_loopback() => Err(Error::forbidden(
            "a proxy has passed this on; start the server with --trusted-proxy and its address",
        )),
        checked => checked,
    };
    let answered = match checked {
        Ok(()) => answer(&app, origin, request, next).await,
        Err(error) => Err(error),
    };
    let mut response = answered.unwrap_or_else(|error| Refusal(error).into_response());
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Lets a request through for its visitor.
async fn answer(app: &App, origin: Origin, mut request: Request, next: Next) -> Result<Response> {
    let network = Network::of(origin.address);
    let known = secret_in(request.headers()).map(str::to_owned);
    let secret = known.clone().map_or_else(random::secret, Ok)?;
    let visitor = visitor_of(&secret);
    if !app.rights.is_owner(&visitor) {
        app.requests.take(network, 1, "too many requests; slow down")?;
    }
    app.networks.note(&visitor, network);
    request.extensions_mut().insert(visitor);
    request.extensions_mut().insert(network);
    let answer = timeout(LONGEST_REQUEST, next.run(request)).await;
    let mut response = answer.map_err(|_| Error::new(Code::Timeout, "the answer took too long"))?;
    // What public caches may keep must not carry the cookie of one visitor.
    let is_public = response.headers_mut().remove("x-public").is_some();
    if known.is_none() && !is_public {
        set_cookie(&mut response, &secret, origin.is_secure);
    }
    Ok(response)
}

fn set_cookie(response: &mut Response, secret: &str, is_secure: bool) {
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie =
        format!("{COOKIE_NAME}={secret}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}");
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
            proxies: Vec::new(),
            password: None,
            authorised: RwLock::default(),
            known: RwLock::default(),
            wrong_of_networks: Rate::new(1, 1),
            wrong_of_known: Rate::new(1, 1),
            hashing: Semaphore::new(1),
            log_outs: broadcast::Sender::new(1),
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
}
