//! Listening, accepting connections, and stopping without losing anything.

use crate::api;
use crate::app::{App, Parts};
use crate::auth::{Auth, Peer};
use crate::engine_pool::EnginePool;
use crate::networks::Networks;
use crate::pool::Pool;
use crate::store::{Database, OpenError};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use backend::{Backend, Error, Services};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower::ServiceExt;

/// Connections of one address of the network. (A client on this machine is its owner.)
const CONNECTIONS_PER_ADDRESS: usize = 512;
/// The head of a request has to come within this time.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// What is under way may take this long when the server stops.
const STOP_TIME: Duration = Duration::from_secs(5);
/// How often unused sessions are closed and deleted games forgotten.
const SWEEP: Duration = Duration::from_secs(30);
const PURGE: Duration = Duration::from_secs(60 * 60);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub address: SocketAddr,
    /// Names under which the server may be asked for, besides addresses and `localhost`.
    pub names: Vec<String>,
    /// What visitors have to give before they may use the server.
    pub password: Option<String>,
    /// Where the database is.
    pub data: PathBuf,
    /// Engines at work at once; 0: as many as there are cores.
    pub engines: usize,
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
/// let config = Config {
///     address: ([127, 0, 0, 1], 8080).into(),
///     names: Vec::new(),
///     password: None,
///     data: "games".into(),
///     engines: 0,
/// };
/// let server = Server::start(config).await?;
/// println!("http://{}/", server.address());
/// // Serves until the given future is ready, here for ever.
/// server.run(std::future::pending()).await;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    stop: watch::Sender<bool>,
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
        let auth = Arc::new(Auth::new(config.names, config.password, &store).await?);
        let backend = Backend::new(Services {
            store: Arc::clone(&store) as Arc<dyn backend::Store>,
            engines: Box::new(EnginePool::new(&pool)),
            is_local: address.ip().is_loopback(),
            has_links: true,
        });
        let (stop, stopping) = watch::channel(false);
        Ok(Self {
            listener,
            address,
            app: App::new(Parts { backend, store, pool, networks, auth, address }, stopping),
            stop,
        })
    }

    /// Where it listens; the port is the real one if any was asked for.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is ready, and then ends what is under way.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let router = api::router(Arc::clone(&self.app));
        // Every connection holds a sender: when all are gone, so are the connections.
        let (open, mut all_gone) = mpsc::channel::<()>(1);
        let connections = Arc::new(Connections::default());
        let upkeep = tokio::spawn(upkeep(Arc::clone(&self.app)));
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
    }

    fn accept(
        &self,
        stream: TcpStream,
        peer: IpAddr,
        router: &Router,
        connections: &Arc<Connections>,
        open: mpsc::Sender<()>,
    ) {
        let Some(counted) = connections.admit(peer) else { return };
        // Moves are small and should not wait for more.
        let _ = stream.set_nodelay(true);
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
            }
        }
    }
}

/// How many connections are open, by address.
#[derive(Default)]
struct Connections(Mutex<HashMap<IpAddr, usize>>);

impl Connections {
    fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<OpenConnection> {
        let mut connections = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = connections.entry(peer).or_default();
        if *count >= CONNECTIONS_PER_ADDRESS && !peer.is_loopback() {
            return None;
        }
        *count += 1;
        Some(OpenConnection { connections: Arc::clone(self), peer })
    }
}

struct OpenConnection {
    connections: Arc<Connections>,
    peer: IpAddr,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut connections = self.connections.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = connections.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&self.peer);
            }
        }
    }
}

/// Waits until the server is to stop.
pub(crate) async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // Without a server there is nothing to wait for either.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
