//! Play and analysis in the browser: an HTTP and WebSocket server around the engine.
//!
//! [`Server`] listens. `auth` decides who may use it, `api` is the API of docs/api.md, `page` the files of the page.
//! What the API says is the work of `backend`; here are the `store` that keeps its games and reviews, and the engines
//! of the `pool`, which shares them fairly.

#![forbid(unsafe_code)]

mod addresses;
mod api;
mod app;
mod auth;
mod engine_pool;
mod fairness;
mod limits;
mod networks;
mod page;
mod password;
mod pool;
mod proxy;
mod quotas;
mod refusal;
mod rights;
mod server;
mod store;
mod write_timeout;

pub use addresses::addresses;
pub use backend::{ClassicBooks, Code, Error};
pub use limits::{LimitError, Limits};
pub use page::has_page;
pub use proxy::{ProxyError, TrustedProxy};
pub use server::{Config, Server, StartError};
pub use store::{
    BackupError, CheckReport, OpenError, Recovery, Unsaved, backup, check_games, recover, restore,
};
