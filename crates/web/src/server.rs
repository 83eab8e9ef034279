//! Listening, accepting connections, and stopping without losing anything.

use crate::api;
use crate::app::{App, Parts, count_down};
use crate::auth::{Admittance, Auth, Peer};
use crate::engine_pool::EnginePool;
use crate::limits::Limits;
use crate::networks::{Network, Networks};
use crate::pool::Pool;
use crate::proxy::TrustedProxy;
use crate::quotas::Quotas;
use crate::rights::VisitorRights;
use crate::store::{self, Database, OpenError, Unsaved};
use crate::write_timeout::WriteTimeout;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use backend::{Backend, ClassicBooks, Error, Services};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower::ServiceExt;

/// The head of a request has to come within this time.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// What is under way may take this long when the server stops.
const STOP_TIME: Duration = Duration::from_secs(5);
/// How often unused sessions are closed and deleted games forgotten.
const SWEEP: Duration = Duration::from_secs(30);
const PURGE: Duration = Duration::from_secs(60 * 60);
/// How often the database is copied, and how many copies are kept unless that is set.
const BACKUP: Duration = Duration::from_secs(24 * 60 * 60);
const BACKUPS: usize = 7;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub address: SocketAddr,
    /// Names of this machine under which the server may be asked for, besides addresses and `localhost`.
    pub own_names: Vec<String>,
    /// Other names, such as that of a proxy. With one of them, a browser on this machine is no longer the owner.
    pub names: Vec<String>,
    /// Proxies whose word about clients is believed.
    pub proxies: Vec<TrustedProxy>,
    /// Make a new token with which a browser becomes the owner's.
    pub new_owner_token: bool,
    /// How much visitors may ask for and keep.
    pub limits: Limits,
    /// What visitors have to give before they may use the server.
    pub password: Option<String>,
    /// Where the database is.
    pub data: PathBuf,
    /// Automatic copies of the database that are kept; 0: none are made.
    pub backups: usize,
    /// Engines at work at once; 0: as many as there are cores.
    pub engines: usize,
    /// Opening books of the classics.
    pub books: ClassicBooks,
}

impl Config {
    /// A server without names, proxies and password, with all cores and the usual limits.
    #[must_use]
    pub fn new(address: SocketAddr, data: PathBuf) -> Self {
        Self {
            address,
            own_names: Vec::new(),
            names: Vec::new(),
            proxies: Vec::new(),
            new_owner_token: false,
            limits: Limits::default(),
            password: None,
            data,
            backups: BACKUPS,
            engines: 0,
            books: ClassicBooks::default(),
        }
    }
}

/// Why the server cannot be started.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StartError {
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("port {} of {} is in use by another program", .0.port(), .0.ip())]
    PortTaken(SocketAddr),
    #[error(transparent)]
    Store(#[from] OpenError),
    #[error("cannot start the engines: {0}")]
    Engines(std::io::Error),
    #[error(transparent)]
    Other(#[from] Error),
}

/// A server that listens.
///
/// ```no_run
/// use web::{Config, Server};
///
/// # async fn serve() -> Result<(), web::StartError> {
/// let config = Config::new(([127, 0, 0, 1], 8080).into(), "games".into());
/// let server = Server::start(config).await?;
/// println!("http://{}/", server.address());
/// // Serves until the given future is ready, here for ever.
/// let _ = server.run(std::future::pending()).await;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    stop: watch::Sender<bool>,
    owner_token: Option<String>,
    data: PathBuf,
    backups: usize,
}

impl Server {
    /// Opens the database, starts the engines and listens.
    ///
    /// # Errors
    /// When one of these is not possible.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let failed = |source: std::io::Error| match source.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortTaken(config.address),
            _ => StartError::Listen { address: config.address, source },
        };
        let listener = TcpListener::bind(config.address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let engines = if config.engines == 0 { cores } else { config.engines };
        let store = Arc::new(Database::open(&config.data)?);
        let networks = Arc::new(Networks::default());
        let pool = Arc::new(Pool::new(engines, Arc::clone(&networks)).map_err(StartError::Engines)?);
        store.purge().await?;
        // Behind a proxy everybody comes from this machine.
        let is_local = address.ip().is_loopback() && config.names.is_empty() && config.proxies.is_empty();
        let rights = Arc::new(VisitorRights {
            is_local,
            owners: RwLock::default(),
            quotas: Quotas::new(&config.limits, &config.data),
            store: Arc::clone(&store),
            networks: Arc::clone(&networks),
        });
        let mut owner_token = None;
        if config.new_owner_token {
            owner_token = Some(Auth::new_owner_token(&store).await?);
        }
        rights.read_owners().await?;
        let admittance = Admittance {
            names: [config.names, config.own_names].concat(),
            proxies: config.proxies,
            password: config.password,
            wrong_passwords: config.limits.logins,
        };
        let auth = Arc::new(Auth::new(admittance, &store, &rights).await?);
        let backend = Backend::new(Services {
            store: Arc::clone(&store) as Arc<dyn backend::Store>,
            engines: Box::new(EnginePool::new(&pool, config.books, &config.limits)),
            rights: Arc::clone(&rights) as Arc<dyn backend::Rights>,
            has_links: true,
        });
        let (stop, stopping) = watch::channel(false);
        let limits = config.limits;
        let parts = Parts { backend, store, pool, networks, rights, auth, address, limits };
        let app = App::new(parts, stopping);
        Ok(Self { listener, address, app, stop, owner_token, data: config.data, backups: config.backups })
    }

    /// The owner's token, if a new one was asked for. The server keeps only its hash.
    #[must_use]
    pub fn owner_token(&self) -> Option<&str> {
        self.owner_token.as_deref()
    }

    /// Where it listens; the port is the real one if any was asked for.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is ready, and then ends what is under way.
    ///
    /// # Errors
    /// When changes could not be written while it ran. Who wanted them has got an error, and the games are as they
    /// were before.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), Unsaved> {
        let router = api::router(Arc::clone(&self.app));
        // Every connection holds a sender: when all are gone, so are the connections.
        let (open, mut all_gone) = mpsc::channel::<()>(1);
        let connections =
            Arc::new(Connections { limit: self.app.limits().connections, ..Default::default() });
        let upkeep = tokio::spawn(upkeep(Arc::clone(&self.app)));
        let copies = tokio::spawn(keep_copies(Arc::clone(&self.app), self.data.clone(), self.backups));
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => self.accept(stream, peer.ip(), &router, &connections, open.clone()),
                    Err(error) => {
                        // Out of file descriptors, most likely: other connections have to end first.
                        tracing::warn!("a connection was not accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
        upkeep.abort();
        copies.abort();
        let _ = self.stop.send(true);
        self.app.pool.close();
        self.app.backend.close().await;
        drop(open);
        let ended = async {
            all_gone.recv().await;
            self.app.all_sockets_closed().await;
        };
        if tokio::time::timeout(STOP_TIME, ended).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        self.app.store.unsaved().map_or(Ok(()), Err)
    }

    fn accept(
        &self,
        stream: TcpStream,
        peer: IpAddr,
        router: &Router,
        connections: &Arc<Connections>,
        open: mpsc::Sender<()>,
    ) {
        let counted = connections.admit(Network::of(peer), self.app.auth.is_proxy(peer));
        let Some(counted) = counted else { return };
        // Moves are small and should not wait for more.
        let _ = stream.set_nodelay(true);
        let stream = WriteTimeout::new(stream, Duration::from_secs(self.app.limits().write_seconds));
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut stopping = self.app.stopping.clone();
        tokio::spawn(async move {
            let _held = (counted, open);
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = stopped(&mut stopping) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!("a connection: {error}");
            }
        });
    }
}

async fn upkeep(app: Arc<App>) {
    let mut sweeps = tokio::time::interval(SWEEP);
    let mut purges = tokio::time::interval(PURGE);
    loop {
        tokio::select! {
            _ = sweeps.tick() => app.backend.sweep(),
            _ = purges.tick() => {
                if let Err(error) = app.store.purge().await {
                    tracing::warn!("deleted games: {error}");
                }
                app.rights.quotas.recount();
            }
        }
    }
}

/// Copies the database once a day.
async fn keep_copies(app: Arc<App>, data: PathBuf, keep: usize) {
    let mut looks = tokio::time::interval(PURGE);
    loop {
        looks.tick().await;
        if let Err(error) = app.rights.quotas.check_copy() {
            tracing::warn!("the games were not copied: {}", error.message);
            continue;
        }
        let data = data.clone();
        let copied = tokio::task::spawn_blocking(move || store::keep_copies(&data, keep, BACKUP)).await;
        match copied {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("the games were not copied: {error}"),
            Err(error) => tracing::warn!("the games were not copied: {error}"),
        }
    }
}

/// How many connections are open, by network.
#[derive(Default)]
struct Connections {
    open: Mutex<HashMap<Network, usize>>,
    limit: u64,
}

impl Connections {
    /// Proxies bring those of many, and a client on this machine is its owner.
    fn admit(self: &Arc<Self>, network: Network, is_proxy: bool) -> Option<OpenConnection> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(network).or_default();
        if *count as u64 >= self.limit && !is_proxy && !network.is_this_machine() {
            return None;
        }
        *count += 1;
        Some(OpenConnection { connections: Arc::clone(self), network })
    }
}

struct OpenConnection {
    connections: Arc<Connections>,
    network: Network,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        count_down(&mut open, &self.network);
    }
}

/// Waits until the server is to stop.
pub(crate) async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // Without a server there is nothing to wait for either.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
