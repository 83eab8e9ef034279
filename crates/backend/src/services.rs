//! What all parts of the backend share: where games are kept, and the engines.

use crate::engines::Engines;
use crate::error::Result;
use crate::rights::Rights;
use crate::store::{Access, Store};
use std::sync::Arc;

/// Who asks. On a server this is a hash of their cookie, so that the database holds no secrets of visitors.
pub type Visitor = Arc<str>;

/// The store, the engines, and whom they are for.
pub struct Services {
    /// Games and reviews.
    pub store: Arc<dyn Store>,
    /// Engines.
    pub engines: Box<dyn Engines>,
    /// Whose the games are, and how much may be kept.
    pub rights: Arc<dyn Rights>,
    /// Others can come to a game by its link.
    pub has_links: bool,
}

impl Services {
    /// What a visitor may do with a game.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn access(&self, game: &str, visitor: &str) -> Result<Access> {
        if self.rights.is_owner(visitor) { Ok(Access::Play) } else { self.store.access(game, visitor).await }
    }
}
