//! Work that takes time, and errors on their way to Python.

use engine::StopToken;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long Ctrl-C may have to wait.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// An argument is wrong.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Something here is wrong.
pub(crate) fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Ctrl-C, if it has been pressed.
#[allow(clippy::redundant_closure_for_method_calls)] // The method alone is not general enough.
fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Does work on another thread without Python's lock. Ctrl-C stops the token, waits for the work to end, and is raised.
/// A panic of the work is an error.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &StopToken,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped at the end, by a panic too, which wakes the other side.
                let _done = done;
                work()
            });
            let mut interruption = None;
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if interruption.is_none()
                    && let Err(error) = signals()
                {
                    interruption = Some(error);
                    stop.stop();
                }
            }
            let result = worker.join().map_err(|_| failed("a defect of Gardez: the work has panicked"));
            interruption.map_or(result, Err)
        })
    })
}
