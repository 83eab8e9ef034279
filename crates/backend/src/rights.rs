//! Whose the games are, and how much visitors may keep, as the backend sees it.

use crate::services::Visitor;
use crate::store::Pending;

/// What visitors are allowed.
pub trait Rights: Send + Sync {
    /// Whether all games belong to a visitor.
    fn is_owner(&self, visitor: &str) -> bool;

    /// Whether a visitor may keep this many more games with this many bytes, which then count as kept.
    fn make_room<'a>(&'a self, visitor: &'a Visitor, games: u64, bytes: u64) -> Pending<'a, ()>;
}

/// Every visitor is the one owner, who may keep whatever there is room for.
pub struct OneOwner;

impl Rights for OneOwner {
    fn is_owner(&self, _visitor: &str) -> bool {
        true
    }

    fn make_room<'a>(&'a self, _visitor: &'a Visitor, _games: u64, _bytes: u64) -> Pending<'a, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
}
