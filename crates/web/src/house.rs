//! What all parts of the server share.

use crate::error::Result;
use crate::pool::Pool;
use crate::store::{Access, Store};

/// The visitor of a request: a hash of their cookie, so that the database holds no secrets of theirs.
pub type Visitor = std::sync::Arc<str>;

/// The database, the engines, and whom they are for.
pub struct House {
    /// Games and reviews.
    pub store: Store,
    /// Engines.
    pub pool: Pool,
    /// Only this machine can connect, so all visitors are one owner.
    pub at_home: bool,
}

impl House {
    /// What a visitor may do with a game.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn access(&self, game: &str, visitor: &str) -> Result<Access> {
        if self.at_home { Ok(Access::Play) } else { self.store.access(game, visitor).await }
    }
}
