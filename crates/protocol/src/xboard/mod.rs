//! The protocol of XBoard and `WinBoard`, version 2, also known as the Chess Engine Communication Protocol.

mod command;
mod features;
mod reply;
mod session;
mod timing;

pub use command::{Command, CommandError};
pub use reply::{Audience, Details, FeatureValue, Reply, ReplyError, Thinking};
pub(crate) use session::Session;

#[cfg(test)]
mod session_tests;
