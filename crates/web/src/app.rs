//! The server as its requests see it.

use crate::auth::Auth;
use crate::networks::Networks;
use crate::pool::Pool;
use crate::store::Database;
use backend::{Backend, Code, Error, Result, Visitor};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, watch};

/// WebSockets of one visitor, of one address in the network, and of all.
const SOCKETS_PER_VISITOR: usize = 16;
const SOCKETS_PER_ADDRESS: usize = 256;
const SOCKETS: usize = 4096;

/// Large requests at once, of one address and of all, and when to try again. Each takes at most 128 MiB.
const LARGE_PER_ADDRESS: usize = 2;
const LARGE: usize = 4;
const LARGE_SECONDS: u32 = 5;

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
    /// Becomes true when the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    /// Reading large files keeps a core busy.
    heavy: Arc<Semaphore>,
    /// Large requests under way, by address.
    large: Arc<Mutex<HashMap<IpAddr, usize>>>,
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
    pub(crate) auth: Arc<Auth>,
    pub(crate) address: SocketAddr,
}

impl App {
    /// Puts the parts together.
    #[must_use]
    pub(crate) fn new(parts: Parts, stopping: watch::Receiver<bool>) -> Arc<Self> {
        let Parts { backend, store, pool, networks, auth, address } = parts;
        Arc::new(Self {
            heavy: Arc::new(Semaphore::new(pool.engines())),
            backend,
            store,
            pool,
            networks,
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
    pub(crate) fn admit_large(&self, peer: IpAddr) -> Result<LargeRequest> {
        let mut large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        let at_address = large.get(&peer).copied().unwrap_or(0);
        if at_address >= LARGE_PER_ADDRESS {
            return Err(Error::retry(Code::TooMany, "wait for what you have sent before", LARGE_SECONDS));
        }
        if large.values().sum::<usize>() >= LARGE {
            return Err(Error::retry(Code::Busy, "too many large files at once", LARGE_SECONDS));
        }
        large.insert(peer, at_address + 1);
        Ok(LargeRequest { large: Arc::clone(&self.large), peer })
    }

    /// Waits until no WebSocket is open.
    pub(crate) async fn all_sockets_closed(&self) {
        let _ = self.open_sockets.subscribe().wait_for(|open| *open == 0).await;
    }

    /// Admits a WebSocket, and gives it a number.
    ///
    /// # Errors
    /// When there are too many.
    pub(crate) fn admit(self: &Arc<Self>, visitor: &Visitor, peer: IpAddr) -> Result<Admission> {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        if *self.open_sockets.borrow() >= SOCKETS {
            return Err(Error::new(Code::Busy, "too many connections"));
        }
        // A client on this machine is its owner.
        let at_address = sockets.by_address.get(&peer).copied().unwrap_or(0);
        if at_address >= SOCKETS_PER_ADDRESS && !peer.is_loopback() {
            return Err(Error::new(Code::TooMany, "too many connections from one address"));
        }
        let own = sockets.by_visitor.get(visitor).copied().unwrap_or(0);
        if own >= SOCKETS_PER_VISITOR {
            return Err(Error::new(Code::TooMany, "too many connections of one visitor"));
        }
        sockets.by_address.insert(peer, at_address + 1);
        sockets.by_visitor.insert(Arc::clone(visitor), own + 1);
        self.open_sockets.send_modify(|open| *open += 1);
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        Ok(Admission { app: Arc::clone(self), visitor: Arc::clone(visitor), peer, number })
    }
}

/// A large request that was admitted; counted until it is dropped.
pub(crate) struct LargeRequest {
    large: Arc<Mutex<HashMap<IpAddr, usize>>>,
    peer: IpAddr,
}

impl Drop for LargeRequest {
    fn drop(&mut self) {
        count_down(&mut self.large.lock().unwrap_or_else(PoisonError::into_inner), &self.peer);
    }
}

/// How many WebSockets there are of each.
#[derive(Default)]
struct Sockets {
    by_address: HashMap<IpAddr, usize>,
    by_visitor: HashMap<Visitor, usize>,
}

/// A WebSocket that was admitted; counted until it is dropped.
pub(crate) struct Admission {
    app: Arc<App>,
    /// Whose it is.
    pub(crate) visitor: Visitor,
    peer: IpAddr,
    /// Its number, which no other connection has.
    pub(crate) number: u64,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut sockets = self.app.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        count_down(&mut sockets.by_address, &self.peer);
        count_down(&mut sockets.by_visitor, &self.visitor);
        self.app.open_sockets.send_modify(|open| *open -= 1);
    }
}

fn count_down<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}
