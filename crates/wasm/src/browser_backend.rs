//! What the page talks to.

use crate::browser_store::{BrowserStore, Change, OWNER};
use crate::engine_worker::in_json;
use crate::engine_workers::{EngineWorkers, worker_ended};
use crate::host;
use crate::job::from_json;
use crate::router;
use backend::{Backend, Connection, Error, OneOwner, Outbox, Services, Visitor};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wasm_bindgen::prelude::wasm_bindgen;

/// A connection, and what it has yet to send.
#[derive(Clone)]
struct OpenConnection {
    connection: Arc<tokio::sync::Mutex<Option<Connection>>>,
    outbox: Arc<Outbox>,
}

/// The backend of a page that has no server.
#[wasm_bindgen]
pub struct BrowserBackend {
    backend: Arc<Backend>,
    store: Arc<BrowserStore>,
    workers: EngineWorkers,
    visitor: Visitor,
    connections: Mutex<HashMap<u32, OpenConnection>>,
}

impl Default for BrowserBackend {
    fn default() -> Self {
        Self::new()
    }
}

impl BrowserBackend {
    fn connections(&self) -> MutexGuard<'_, HashMap<u32, OpenConnection>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connection(&self, number: u32) -> Option<OpenConnection> {
        self.connections().get(&number).cloned()
    }
}

#[wasm_bindgen]
impl BrowserBackend {
    /// A backend without any games yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        host::report_panics();
        let (store, workers) = (Arc::<BrowserStore>::default(), EngineWorkers::default());
        let backend = Backend::new(Services {
            store: Arc::clone(&store) as Arc<dyn backend::Store>,
            engines: Box::new(workers.clone()),
            rights: Arc::new(OneOwner),
            has_links: false,
        });
        Self { backend, store, workers, visitor: Visitor::from(OWNER), connections: Mutex::default() }
    }

    /// Takes over what the browser has stored: a change in JSON. Returns whether it could be read; what cannot be read stays
    /// where it is.
    #[must_use]
    pub fn load(&self, change: &str) -> bool {
        from_json::<Change>(change).and_then(|change| self.store.load_change(change)).is_ok()
    }

    /// Another page has stored something: takes it over and shows the game, if it is open.
    pub async fn refresh(&self, change: String) {
        let Ok(change) = from_json::<Change>(&change) else { return };
        let ids: Vec<(String, bool)> = match &change {
            Change::Games(games) => games.iter().map(|game| (game.id.clone(), game.deleted)).collect(),
            Change::Review(_) | Change::Solved(..) => Vec::new(),
        };
        if self.store.load_change(change).is_err() {
            return;
        }
        for (id, is_deleted) in ids {
            if is_deleted {
                self.backend.dismiss(&id).await;
            } else {
                let _ = self.backend.refresh(&id).await;
            }
        }
    }

    /// Answers a request.
    ///
    /// # Errors
    /// Says in JSON why it is refused.
    pub async fn request(&self, method: String, address: String, body: String) -> Result<String, String> {
        let answer = router::answer(&self.backend, &self.visitor, &method, &address, &body).await;
        answer.map_err(|error| in_json(&error))
    }

    /// Opens a connection of this number.
    pub fn connect(&self, number: u32) {
        let connection = Connection::new(&self.backend, &self.visitor, number.into());
        let outbox = Arc::clone(connection.outbox());
        let connection = Arc::new(tokio::sync::Mutex::new(Some(connection)));
        self.connections().insert(number, OpenConnection { connection, outbox });
    }

    /// Does what a message over a connection wants.
    pub async fn receive(&self, number: u32, text: String) {
        let Some(open) = self.connection(number) else { return };
        if let Some(connection) = open.connection.lock().await.as_mut() {
            connection.hear(&text).await;
        }
    }

    /// Waits for what a connection has to send.
    pub async fn messages(&self, number: u32) -> Vec<String> {
        match self.connection(number) {
            Some(open) => open.outbox.take().await.unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Closes a connection.
    pub async fn disconnect(&self, number: u32) {
        let open = self.connections().remove(&number);
        let Some(open) = open else { return };
        let connection = open.connection.lock().await.take();
        if let Some(connection) = connection {
            connection.close().await;
        }
    }

    /// The answer to a question of this number: to a change that was to be stored, or to a job.
    pub fn answer(&self, number: u32, text: String) {
        host::answer(number, Ok(text));
    }

    /// A change cannot be stored.
    #[wasm_bindgen(js_name = refuseChange)]
    pub fn refuse_change(&self, number: u32, reason: &str) {
        host::answer(number, Err(Error::internal(&reason)));
    }

    /// A job was refused, for a reason in JSON; or its worker has ended, and is started again.
    #[wasm_bindgen(js_name = refuseJob)]
    pub fn refuse_job(&self, number: u32, reason: &str, is_worker_gone: bool) {
        let error = if is_worker_gone { worker_ended(reason) } else { Error::internal(&reason) };
        host::answer(number, Err(error));
    }

    /// What a job has found so far.
    pub fn report(&self, number: u32, text: &str) {
        self.workers.report(number, text);
    }
}
