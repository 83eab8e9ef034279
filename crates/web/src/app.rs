//! The server as its requests see it.

use crate::auth::Auth;
use crate::limits::{Limits, Rate};
use crate::networks::{Network, Networks};
use crate::pool::Pool;
use crate::rights::VisitorRights;
use crate::store::Database;
use backend::{Backend, Code, Error, Result, Visitor};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, watch};

/// Large requests at once, of one network and of all, and when to try again. Each takes at most 128 MiB.
const LARGE_PER_NETWORK: usize = 2;
const LARGE: usize = 4;
const LARGE_SECONDS: u32 = 5;

/// When to try again to connect.
const SOCKET_SECONDS: u32 = 10;

/// Everything that requests need.
pub(crate) struct App {
    /// What the page talks to.
    pub(crate) backend: Arc<Backend>,
    /// Where it keeps everything.
    pub(crate) store: Arc<Database>,
    /// Its engines.
    pub(crate) pool: Arc<Pool>,
    /// Who may use the server.
    pub(crate) auth: Arc<Auth>,
    /// Where the server listens.
    pub(crate) address: SocketAddr,
    /// Where visitors come from.
    pub(crate) networks: Arc<Networks>,
    /// Whose the server is, and how much may be kept.
    pub(crate) rights: Arc<VisitorRights>,
    /// How often networks may ask.
    pub(crate) requests: Rate,
    /// How often they may send messages.
    pub(crate) messages: Rate,
    limits: Limits,
    /// Becomes true when the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    /// Reading large files keeps a core busy.
    heavy: Arc<Semaphore>,
    /// Large requests under way, by network.
    large: Arc<Mutex<HashMap<Network, usize>>>,
    sockets: Mutex<Sockets>,
    open_sockets: watch::Sender<usize>,
    connections: AtomicU64,
}

/// What the server is made of.
pub(crate) struct Parts {
    pub(crate) backend: Arc<Backend>,
    pub(crate) store: Arc<Database>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) networks: Arc<Networks>,
    pub(crate) rights: Arc<VisitorRights>,
    pub(crate) auth: Arc<Auth>,
    pub(crate) address: SocketAddr,
    pub(crate) limits: Limits,
}

impl App {
    /// Puts the parts together.
    #[must_use]
    pub(crate) fn new(parts: Parts, stopping: watch::Receiver<bool>) -> Arc<Self> {
        let Parts { backend, store, pool, networks, rights, auth, address, limits } = parts;
        Arc::new(Self {
            heavy: Arc::new(Semaphore::new(pool.engines())),
            backend,
            store,
            pool,
            networks,
            rights,
            requests: Rate::new(limits.requests, 60),
            messages: Rate::new(limits.messages, 60),
            limits,
            auth,
            address,
            stopping,
            large: Arc::default(),
            sockets: Mutex::default(),
            open_sockets: watch::Sender::new(0),
            connections: AtomicU64::new(0),
        })
    }

    /// Does something that takes long without an engine.
    ///
    /// # Errors
    /// When the work panicked.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let _permit =
            self.heavy.acquire().await.map_err(|_| Error::new(Code::Busy, "the server is stopping"))?;
        tokio::task::spawn_blocking(work).await.map_err(|error| Error::internal(&error))
    }

    /// Admits a large request.
    ///
    /// # Errors
    /// When there are too many.
    pub(crate) fn admit_large(&self, network: Network) -> Result<LargeRequest> {
        let mut large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        let at_network = large.get(&network).copied().unwrap_or(0);
        if at_network >= LARGE_PER_NETWORK {
            return Err(Error::retry(Code::TooMany, "wait for what you have sent before", LARGE_SECONDS));
        }
        if large.values().sum::<usize>() >= LARGE {
            return Err(Error::retry(Code::Busy, "too many large files at once", LARGE_SECONDS));
        }
        large.insert(network, at_network + 1);
        Ok(LargeRequest { large: Arc::clone(&self.large), network })
    }

    /// How much visitors may ask for.
    #[must_use]
    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Waits until no WebSocket is open.
    pub(crate) async fn all_sockets_closed(&self) {
        let _ = self.open_sockets.subscribe().wait_for(|open| *open == 0).await;
    }

    /// Admits a WebSocket, and gives it a number.
    ///
    /// # Errors
    /// When there are too many.
    pub(crate) fn admit(self: &Arc<Self>, visitor: &Visitor, network: Network) -> Result<Admission> {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |code: Code, message: &str| Err(Error::retry(code, message, SOCKET_SECONDS));
        if *self.open_sockets.borrow() as u64 >= self.limits.sockets {
            return full(Code::Busy, "too many connections");
        }
        // A client on this machine is its owner.
        let at_network = sockets.by_network.get(&network).copied().unwrap_or(0);
        if at_network as u64 >= self.limits.network_sockets && !network.is_this_machine() {
            return full(Code::TooMany, "too many connections from one network");
        }
        let own = sockets.by_visitor.get(visitor).copied().unwrap_or(0);
        if own as u64 >= self.limits.visitor_sockets {
            return full(Code::TooMany, "too many connections of one visitor");
        }
        sockets.by_network.insert(network, at_network + 1);
        sockets.by_visitor.insert(Arc::clone(visitor), own + 1);
        self.open_sockets.send_modify(|open| *open += 1);
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        Ok(Admission { app: Arc::clone(self), visitor: Arc::clone(visitor), network, number })
    }
}

/// A large request that was admitted; counted until it is dropped.
pub(crate) struct LargeRequest {
    large: Arc<Mutex<HashMap<Network, usize>>>,
    network: Network,
}

impl Drop for LargeRequest {
    fn drop(&mut self) {
        count_down(&mut self.large.lock().unwrap_or_else(PoisonError::into_inner), &self.network);
    }
}

/// How many WebSockets there are of each.
#[derive(Default)]
struct Sockets {
    by_network: HashMap<Network, usize>,
    by_visitor: HashMap<Visitor, usize>,
}

/// A WebSocket that was admitted; counted until it is dropped.
pub(crate) struct Admission {
    app: Arc<App>,
    /// Whose it is.
    pub(crate) visitor: Visitor,
    /// Where it comes from.
    pub(crate) network: Network,
    /// Its number, which no other connection has.
    pub(crate) number: u64,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut sockets = self.app.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        count_down(&mut sockets.by_network, &self.network);
        count_down(&mut sockets.by_visitor, &self.visitor);
        self.app.open_sockets.send_modify(|open| *open -= 1);
    }
}

/// Counts one less; what is not there any more is forgotten.
pub(crate) fn count_down<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}
