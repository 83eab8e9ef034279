//! Whose the server is, and how much its visitors may keep.

use crate::networks::Networks;
use crate::quotas::Quotas;
use crate::store::Database;
use backend::store::Pending;
use backend::{Result, Rights, Visitor};
use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

/// The rights of visitors.
pub(crate) struct VisitorRights {
    /// Only browsers of this machine can connect, so all visitors are one owner.
    pub(crate) is_local: bool,
    /// Visitors who have shown the owner's token.
    pub(crate) owners: RwLock<HashSet<Visitor>>,
    /// How much may be kept.
    pub(crate) quotas: Quotas,
    /// What is kept.
    pub(crate) store: Arc<Database>,
    /// Where visitors come from.
    pub(crate) networks: Arc<Networks>,
}

impl VisitorRights {
    /// Knows the owners of the database.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn read_owners(&self) -> Result<()> {
        let owners = self.store.owners().await?.into_iter().map(Visitor::from);
        self.owners.write().unwrap_or_else(PoisonError::into_inner).extend(owners);
        Ok(())
    }
}

impl Rights for VisitorRights {
    fn is_owner(&self, visitor: &str) -> bool {
        self.is_local || self.owners.read().unwrap_or_else(PoisonError::into_inner).contains(visitor)
    }

    fn make_room<'a>(&'a self, visitor: &'a Visitor, games: u64, bytes: u64) -> Pending<'a, ()> {
        Box::pin(async move {
            self.quotas.check_disk()?;
            if self.is_owner(visitor) {
                return Ok(());
            }
            let used = match self.quotas.known_usage(visitor) {
                Some(used) => used,
                None => self.store.usage(visitor).await?,
            };
            self.quotas.take(visitor, self.networks.of(visitor), used, games, bytes)
        })
    }
}
