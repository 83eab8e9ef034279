//! The API of docs/api.md: the edge of the server.
//!
//! `http` answers requests, `socket` talks over WebSockets, `outbox` holds what a connection has yet to send.
//! `wire` has the shapes of what is sent. They go no further: `request` reads them into the types of the
//! server, and `view` makes them from these.

mod http;
mod outbox;
mod request;
mod socket;
mod view;
mod wire;

pub(crate) use http::router;
