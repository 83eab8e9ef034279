//! What the page talks to: games that are open, analysis, reviews, exercises, and the messages about them.
//!
//! The server (`web`) and the worker in the browser (`wasm`) are shells around it. They bring what differs: how
//! messages come and go, where games are kept ([`Store`]), where engines run ([`Engines`]), and what visitors are allowed
//! ([`Rights`]). [`Backend`] answers requests with one answer, a [`Connection`] everything live.
//!
//! `wire` has the shapes of the messages. They go no further: `request` reads them into the types of the backend,
//! and `view` makes them from these. Each game that is open has a `session`. `levels`, `openings`, `notation` and
//! `pgn` adapt what other crates know, and `task` what differs between threads and browsers.

#![forbid(unsafe_code)]

mod analysis;
mod backend;
mod classic_books;
mod coaching;
pub mod codes;
mod connection;
mod engine_slot;
pub mod engines;
mod error;
mod exercises;
pub mod game_review;
mod levels;
mod memory;
pub mod notation;
pub mod openings;
mod outbox;
mod pgn;
pub mod random;
pub mod record;
mod request;
mod reviews;
mod rights;
mod services;
mod session;
pub mod store;
pub mod stored;
mod task;
mod upload;
mod view;
pub mod wire;

pub use backend::{Backend, Import, options, position, read_import, read_pgn, write_pgn};
pub use classic_books::ClassicBooks;
pub use connection::Connection;
pub use engine_slot::EngineSlot;
pub use engines::Engines;
pub use error::{Code, Error, Result};
pub use memory::MemoryStore;
pub use outbox::{Outbox, Overfull};
pub use pgn::{MAX_BYTES as MAX_PGN_BYTES, file_name as pgn_file_name};
pub use request::read_json;
pub use rights::{OneOwner, Rights};
pub use services::{Services, Visitor};
pub use store::Store;
