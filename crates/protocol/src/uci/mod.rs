//! The Universal Chess Interface.

mod command;
mod reply;
mod report;
mod session;

pub use command::{Command, CommandError, Go, Parsed, Start};
pub use reply::{Bound, Info, OptionKind, OptionReply, Reply, ReplyError, Score, Status, Value};
pub(crate) use session::Session;

#[cfg(test)]
mod session_tests;
