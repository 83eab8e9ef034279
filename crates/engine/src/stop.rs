//! Asking a search, or any other work, to end.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Asks work to end, from any thread. Clones are the same token; one token may end the searches of many
/// engines. Once stopped it stays so: work that has not begun yet then ends at once.
///
/// ```
/// use engine::StopToken;
///
/// let all = StopToken::new();
/// let one = all.child();
/// one.stop();
/// assert!(one.is_stopped() && !all.is_stopped());
/// let another = all.child();
/// all.stop();
/// assert!(another.is_stopped());
/// ```
#[derive(Clone, Default)]
pub struct StopToken(Arc<Inner>);

#[derive(Default)]
struct Inner {
    stopped: AtomicBool,
    condition: Option<Box<dyn Fn() -> bool + Send + Sync>>,
    parent: Option<StopToken>,
    listeners: Mutex<Listeners>,
}

type Callback = Arc<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct Listeners {
    last: u64,
    by_number: BTreeMap<u64, Callback>,
}

impl StopToken {
    /// A token that has not been stopped.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that stops with this one, and can be stopped alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Inner { parent: Some(self.clone()), ..Inner::default() }))
    }

    /// A token that stops with this one, or once a condition holds. Work asks for the condition together with
    /// its clock; what waits for [`on_stop`](Self::on_stop) is not woken by it.
    #[must_use]
    pub fn or_when(&self, condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let condition: Box<dyn Fn() -> bool + Send + Sync> = Box::new(condition);
        Self(Arc::new(Inner { parent: Some(self.clone()), condition: Some(condition), ..Inner::default() }))
    }

    /// Asks for the end.
    pub fn stop(&self) {
        self.0.stopped.store(true, Relaxed);
        let callbacks: Vec<Callback> = self.0.listeners().by_number.values().cloned().collect();
        for callback in callbacks {
            callback();
        }
    }

    /// Whether the end has been asked for.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.lineage().any(|token| {
            token.0.stopped.load(Relaxed) || token.0.condition.as_ref().is_some_and(|condition| condition())
        })
    }

    /// Calls back when the token is stopped, at once if it has been, until what is returned is dropped. For work
    /// that waits and cannot look. It may be called more than once, from any thread.
    pub fn on_stop(&self, callback: impl Fn() + Send + Sync + 'static) -> OnStop {
        let callback: Callback = Arc::new(callback);
        let places = self
            .lineage()
            .map(|token| {
                let mut listeners = token.0.listeners();
                listeners.last += 1;
                let number = listeners.last;
                listeners.by_number.insert(number, Arc::clone(&callback));
                (token.clone(), number)
            })
            .collect();
        // Whoever stops sets the flag before it looks for listeners, so one of the two sees the other.
        if self.is_stopped() {
            callback();
        }
        OnStop(places)
    }

    /// The token and those it stops with.
    fn lineage(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |token| token.0.parent.as_ref())
    }
}

impl Inner {
    fn listeners(&self) -> std::sync::MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens are equal when they are the same.
impl PartialEq for StopToken {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StopToken {}

impl fmt::Debug for StopToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StopToken").field(&self.is_stopped()).finish()
    }
}

/// Waits for a token to be stopped; dropping it ends that.
#[must_use = "the callback is forgotten when this is dropped"]
pub struct OnStop(Vec<(StopToken, u64)>);

impl Drop for OnStop {
    fn drop(&mut self) {
        for (token, number) in &self.0 {
            token.0.listeners().by_number.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn children_stop_with_their_parents_and_not_the_other_way_round() {
        let parent = StopToken::new();
        let (stopped, calls) = (parent.child().child(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&calls);
        let waiting = stopped.on_stop(move || {
            counted.fetch_add(1, Relaxed);
        });
        parent.child().stop();
        assert!(!parent.is_stopped() && !stopped.is_stopped());
        parent.stop();
        assert!(stopped.is_stopped());
        assert_eq!(calls.load(Relaxed), 1);
        drop(waiting);
        parent.stop();
        assert_eq!(calls.load(Relaxed), 1, "nothing is called after the drop");
        assert!(parent.0.listeners().by_number.is_empty());
    }

    #[test]
    fn a_stopped_token_calls_at_once() {
        let token = StopToken::new();
        token.stop();
        let called = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&called);
        let _waiting = token.child().on_stop(move || flag.store(true, Relaxed));
        assert!(called.load(Relaxed));
    }

    #[test]
    fn conditions_stop_what_depends_on_them() {
        let over = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&over);
        let token = StopToken::new();
        let conditional = token.or_when(move || asked.load(Relaxed));
        assert!(!conditional.is_stopped());
        over.store(true, Relaxed);
        assert!(conditional.child().is_stopped() && !token.is_stopped());
        assert_eq!(token, token.clone());
        assert_ne!(token, StopToken::new());
    }
}
