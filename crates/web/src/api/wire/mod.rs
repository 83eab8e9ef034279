//! The shapes of the API, version 1: what goes over the wire, by subject.
//!
//! Only `api` knows them. `view` makes them from what the server knows, `request` reads them. docs/api.md
//! says how they are used. The page's types are generated from these ones into `web/src/generated/wire.ts`, comments
//! included; `typescript` says how.
//!
//! Scores and chances are always from White's view. Times are milliseconds; moments are milliseconds since
//! 1970. Moves are written as UCI does ("e2e4", "e7e8q", castling "e1g1"; in Chess960 "e1h1"). Where a client
//! sends a move, SAN is understood as well.

mod analysis;
mod game;
mod message;
mod pgn;
mod position;
mod review;
mod server;
#[cfg(test)]
mod typescript;

pub(super) use analysis::*;
pub(super) use game::*;
pub(super) use message::*;
pub(super) use pgn::*;
pub(super) use position::*;
pub(super) use review::*;
pub(super) use server::*;

/// The version of the API, which is part of its paths.
pub(super) const API_VERSION: u32 = 1;
