//! Tasks and time, where there are threads and where there are none.

pub(crate) use platform::{AbortHandle, sleep, spawn};

use crate::error::{Error, Result};
use tokio::sync::oneshot;

/// Does something to the end, even if the answer is not waited for any more.
///
/// # Errors
/// When it panicked.
pub(crate) async fn finish<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    spawn(async move {
        let _ = sender.send(work.await);
    });
    receiver.await.map_err(|_| Error::internal(&"a task has failed"))?
}

#[cfg(not(target_family = "wasm"))]
mod platform {
    pub(crate) use tokio::task::AbortHandle;
    pub(crate) use tokio::time::sleep;

    /// Does something in the background.
    pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        tokio::spawn(task).abort_handle()
    }
}

#[cfg(target_family = "wasm")]
mod platform {
    use gloo_timers::future::TimeoutFuture;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    use tokio::sync::{Notify, oneshot};
    use wasm_bindgen_futures::spawn_local;

    /// Ends a task.
    #[derive(Clone)]
    pub(crate) struct AbortHandle(Arc<Status>);

    #[derive(Default)]
    struct Status {
        abort: Notify,
        is_finished: AtomicBool,
    }

    impl AbortHandle {
        /// The task goes no further than it has come.
        pub(crate) fn abort(&self) {
            self.0.abort.notify_one();
        }

        /// Whether the task has ended.
        pub(crate) fn is_finished(&self) -> bool {
            self.0.is_finished.load(Ordering::Relaxed)
        }
    }

    /// Does something in the background.
    pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let status = Arc::<Status>::default();
        let handle = AbortHandle(Arc::clone(&status));
        spawn_local(async move {
            tokio::select! {
                biased;
                () = status.abort.notified() => {}
                () = task => {}
            }
            status.is_finished.store(true, Ordering::Relaxed);
        });
        handle
    }

    /// Waits. The browser's own future is bound to its thread, so another one is waited for.
    pub(crate) async fn sleep(time: Duration) {
        let (sender, receiver) = oneshot::channel();
        spawn_local(async move {
            // Timers of browsers count in 31 bits.
            let most = i32::MAX.unsigned_abs();
            TimeoutFuture::new(u32::try_from(time.as_millis()).unwrap_or(most).min(most)).await;
            let _ = sender.send(());
        });
        let _ = receiver.await;
    }
}
