//! Play and analysis in the browser: an HTTP and WebSocket server around the engine.
//!
//! [`Server`] listens. `guard` decides who may come in, `http` and `socket` are the API (docs/api.md; its
//! shapes are in `wire`), `page` the files of the page. Games that somebody has open are in a `room` each;
//! `store` keeps them. The engines are in the `pool`, which shares them fairly; `analysis`, `reviews` and
//! `exercises` use it. `levels`, `openings` and `explain` adapt what other crates know.

#![forbid(unsafe_code)]

mod analysis;
mod app;
mod bench;
mod error;
mod exercises;
mod explain;
mod guard;
mod house;
mod http;
mod levels;
mod openings;
mod outbox;
mod page;
mod pgn;
mod pool;
mod random;
mod record;
mod reviews;
mod room;
mod server;
mod socket;
mod store;
mod view;
mod wire;

pub use error::{Code, Error};
pub use server::{Config, Server, StartError};
pub use store::OpenError;
