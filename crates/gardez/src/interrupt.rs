//! Ctrl-C: the first ends the work gracefully, the second ends the program at once.

use anyhow::{Context, Result};
use engine::StopToken;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a program that Ctrl-C has ended returns to a Unix shell.
const CODE: u8 = 130;
/// What one returns that was told to end (SIGTERM).
const TERMINATED: u8 = 143;

/// Calls a function at the first Ctrl-C. One call of this for each run of the program.
pub(crate) fn on_first(mut act: impl FnMut() + Send + 'static) -> Result<()> {
    let mut is_second = false;
    ctrlc::set_handler(move || {
        if is_second {
            std::process::exit(CODE.into());
        }
        is_second = true;
        act();
    })
    .context("cannot listen to Ctrl-C")
}

/// A flag that the first Ctrl-C sets.
pub(crate) fn flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let setter = Arc::clone(&flag);
    on_first(move || setter.store(true, Ordering::Relaxed))?;
    Ok(flag)
}

/// A token that the first Ctrl-C stops.
pub(crate) fn stop_token() -> Result<StopToken> {
    let token = StopToken::new();
    let on_interrupt = token.clone();
    on_first(move || on_interrupt.stop())?;
    Ok(token)
}

/// What a program returns that the signal to end has ended. Which of the signals it was is not known.
pub(crate) fn terminated() -> ExitCode {
    ExitCode::from(TERMINATED)
}

/// What the program returns when Ctrl-C has ended the work.
pub(crate) fn exit_code() -> ExitCode {
    ExitCode::from(CODE)
}
