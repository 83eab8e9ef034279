//! Gardez in the browser, without a server.
//!
//! The same module runs in two kinds of workers. A [`BrowserBackend`](browser_backend::BrowserBackend) is what the
//! page talks to: the backend of the server, with a store in the browser's database (`browser_store`) and engines that are
//! workers (`engine_workers`). An [`EngineWorker`](engine_worker::EngineWorker) does one job after the other; `job` is how jobs and
//! their answers are written on the way.
//!
//! `host` is what JavaScript does for both. Everything that crosses that border is JSON.

#![forbid(unsafe_code)]

pub mod bench;
pub mod browser_backend;
mod browser_store;
pub mod engine_worker;
mod engine_workers;
mod host;
mod job;
mod router;
