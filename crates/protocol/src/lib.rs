//! UCI and XBoard.
//!
//! Messages are types that can be read and written in both directions, so that the same code serves an
//! engine and a program that plays engines against each other. Sessions are state machines between the
//! messages and the engine; [`run`] connects one to a pair of streams.

#![forbid(unsafe_code)]

mod backend;
mod console;
mod host;
mod output;
mod reader;
mod report;
#[cfg(test)]
mod testing;
mod text;
pub mod uci;
pub mod xboard;

pub use backend::Backend;
pub use console::run;
pub use host::{Clock, Explainer, Extras, Job};

/// The name the engine gives to interfaces.
pub const ENGINE_NAME: &str = concat!("Gardez ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const ENGINE_AUTHOR: &str = "the Gardez authors";
