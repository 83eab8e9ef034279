//! What goes wrong, as clients see it.

use serde::Serialize;

/// The kind of an error, for programs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ErrorCode"))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Not understood: JSON, field, FEN, PGN, move.
    BadRequest,
    /// Understood, but not possible now: illegal move, not your turn, game over.
    Illegal,
    /// A password is needed.
    Unauthorised,
    /// Not for this visitor, or from a foreign page.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// Too many bytes.
    TooLarge,
    /// Too often, or too much at once.
    TooMany,
    /// It took too long.
    Timeout,
    /// The server has all it can do; try again.
    Busy,
    /// A fault of the server.
    Internal,
}

/// An error as it is sent: the body of every HTTP answer that is not 2xx, and of `error` messages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ApiError"))]
#[error("{message}")]
pub struct Error {
    /// For programs.
    pub code: Code,
    /// For people: a clause without capital letter and full stop.
    pub message: String,
    /// After how many seconds it makes sense to try again, if it does.
    #[serde(rename = "retryAfter", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub retry_after: Option<u32>,
}

/// What a request comes to.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "texts and errors of any kind are given as they come")]
    pub fn new(code: Code, message: impl ToString) -> Self {
        Self { code, message: message.to_string(), retry_after: None }
    }

    /// Too much for now: `seconds` later it may be possible.
    #[must_use]
    pub fn retry(code: Code, message: impl ToString, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(code, message) }
    }

    /// Not understood.
    #[must_use]
    pub fn bad_request(message: impl ToString) -> Self {
        Self::new(Code::BadRequest, message)
    }

    /// Not possible now.
    #[must_use]
    pub fn illegal(message: impl ToString) -> Self {
        Self::new(Code::Illegal, message)
    }

    /// Not for this visitor.
    #[must_use]
    pub fn forbidden(message: impl ToString) -> Self {
        Self::new(Code::Forbidden, message)
    }

    /// There is no such game. Games of other visitors get the same answer, so that it cannot be tried out which
    /// games exist.
    #[must_use]
    pub fn no_game() -> Self {
        Self::new(Code::NotFound, "there is no such game")
    }

    /// A fault of ours. The log of a server says what; its client only learns that it happened. A browser has no log.
    #[must_use]
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!("{cause}");
        if cfg!(target_family = "wasm") {
            Self::new(Code::Internal, format!("something went wrong: {cause}"))
        } else {
            Self::new(Code::Internal, "something went wrong in the server; its log says what")
        }
    }
}
