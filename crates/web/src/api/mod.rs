//! The API of docs/api.md: the edge of the server. `http` answers requests, `socket` talks over WebSockets; what they
//! say is the work of `backend`.

mod http;
mod socket;

pub(crate) use http::router;
