//! What all parts of the server share: the database and the engines.

use crate::error::Result;
use crate::networks::Networks;
use crate::pool::Pool;
use crate::store::{Access, Store};
use std::sync::Arc;

/// The visitor of a request: a hash of their cookie, so that the database holds no secrets of visitors.
pub(crate) type Visitor = Arc<str>;

/// The database, the engines, and whom they are for.
pub(crate) struct Services {
    /// Games and reviews.
    pub(crate) store: Store,
    /// Engines.
    pub(crate) pool: Pool,
    /// Where visitors come from.
    pub(crate) networks: Arc<Networks>,
    /// Only this machine can connect, so all visitors are one owner.
    pub(crate) is_local: bool,
}

impl Services {
    /// What a visitor may do with a game.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn access(&self, game: &str, visitor: &str) -> Result<Access> {
        if self.is_local { Ok(Access::Play) } else { self.store.access(game, visitor).await }
    }
}
