//! The shapes of the API, version 1: what goes over the wire, by subject.
//!
//! Only the shells around the backend know them too. `view` makes them from what it knows, `request` reads them. docs/api.md
//! says how they are used. The page's types are generated from these ones into `web/src/generated/wire.ts`, comments
//! included; `typescript` says how.
//!
//! Scores and chances are always from White's view. Times are milliseconds; moments are milliseconds since
//! 1970. Moves are written as UCI does ("e2e4", "e7e8q", castling "e1g1"; in Chess960 "e1h1"). Where a client
//! sends a move, SAN is understood as well.

#![allow(missing_docs, reason = "docs/api.md says what they mean, and most names say it themselves")]

mod analysis;
mod coach;
mod game;
mod message;
mod pgn;
mod position;
mod review;
mod server;
#[cfg(test)]
mod typescript;

pub use analysis::*;
pub use coach::*;
pub use game::*;
pub use message::*;
pub use pgn::*;
pub use position::*;
pub use review::*;
pub use server::*;

/// The version of the API, which is part of its paths.
pub const API_VERSION: u32 = 1;
