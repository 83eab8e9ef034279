//! What JavaScript does for the workers, and how its answers come back.
//!
//! A question has a number. JavaScript gets it with the question and calls [`answer`] with it later, so that no value of
//! JavaScript has to be kept here.

use backend::{Code, Error, Result};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;
use wasm_bindgen::prelude::wasm_bindgen;

/// The object `gardez` that the worker's script puts among the globals.
mod imports {
    use super::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        /// Stores something in the browser's database.
        #[wasm_bindgen(js_namespace = gardez)]
        pub(crate) fn save(number: u32, change: &str);

        /// Has an engine worker of a lane do a job.
        #[wasm_bindgen(js_namespace = gardez)]
        pub(crate) fn start(number: u32, lane: &str, job: &str);

        /// Ends a job: its answer is not wanted any more.
        #[wasm_bindgen(js_namespace = gardez)]
        pub(crate) fn cancel(number: u32);

        /// In an engine worker: what a job has found so far.
        #[wasm_bindgen(js_namespace = gardez)]
        pub(crate) fn report(text: &str);

        /// In an engine worker: whether the job is not wanted any more.
        #[wasm_bindgen(js_namespace = gardez, js_name = isStopped)]
        pub(crate) fn is_stopped() -> bool;

        /// Says what has gone wrong before the worker ends.
        #[wasm_bindgen(js_namespace = gardez)]
        pub(crate) fn fault(text: &str);
    }
}

pub(crate) use imports::{cancel, fault, is_stopped, report, save, start};

type Waiting = HashMap<u32, oneshot::Sender<Result<String>>>;

static WAITING: Mutex<Option<Waiting>> = Mutex::new(None);
static LAST: AtomicU32 = AtomicU32::new(0);

fn waiting() -> MutexGuard<'static, Option<Waiting>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks something of JavaScript, and where the answer will come.
pub(crate) fn ask(put: impl FnOnce(u32)) -> (u32, oneshot::Receiver<Result<String>>) {
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let (sender, receiver) = oneshot::channel();
    waiting().get_or_insert_default().insert(number, sender);
    put(number);
    (number, receiver)
}

/// The answer to a question; an error if there is one.
pub(crate) fn answer(number: u32, answer: Result<String>) {
    if let Some(sender) = waiting().as_mut().and_then(|waiting| waiting.remove(&number)) {
        let _ = sender.send(answer);
    }
}

/// The answer is not waited for any more.
pub(crate) fn forget(number: u32) {
    if let Some(waiting) = waiting().as_mut() {
        waiting.remove(&number);
    }
}

/// Waits for the answer.
pub(crate) async fn wait(receiver: oneshot::Receiver<Result<String>>) -> Result<String> {
    receiver.await.unwrap_or_else(|_| Err(Error::new(Code::Busy, "the worker has ended")))
}

/// Reports panics to JavaScript: after one the module cannot be used any more.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| fault(&info.to_string())));
}
