//! Play and analysis in the browser: an HTTP and WebSocket server around the engine.
//!
//! [`Server`] listens. `auth` decides who may use it, `api` is the API of docs/api.md and the only part that
//! knows its messages, `page` the files of the page. Each game that is open has a `session`; `store` keeps games
//! and reviews. The engines are in the `pool`, which shares them fairly; `analysis`, `reviews` and `exercises`
//! use it. `levels`, `openings`, `notation` and `pgn` adapt what other crates know.

#![forbid(unsafe_code)]

mod addresses;
mod analysis;
mod api;
mod app;
mod auth;
mod engine_slot;
mod error;
mod exercises;
mod fairness;
mod game_review;
mod levels;
mod networks;
mod notation;
mod openings;
mod page;
mod pgn;
mod pool;
mod random;
mod record;
mod reviews;
mod server;
mod services;
mod session;
mod store;

pub use addresses::addresses;
pub use error::{Code, Error};
pub use page::has_page;
pub use server::{Config, Server, StartError};
pub use store::OpenError;
