//! Gardez in the browser, without a server.
//!
//! The same module runs in two kinds of workers. The [`Desk`](desk::Desk) is what the page talks to: the backend of the
//! server with a store in memory that the browser's database keeps (`shelf`), and engines that are workers
//! (`engine_workers`). An [`EngineWorker`](engine_worker::EngineWorker) does one job after the other; `job` is how jobs and
//! their answers are written on the way.
//!
//! `host` is what JavaScript does for both. Everything that crosses that border is JSON.

#![forbid(unsafe_code)]

pub mod bench;
pub mod desk;
pub mod engine_worker;
mod engine_workers;
mod host;
mod job;
mod kept;
mod router;
mod shelf;
