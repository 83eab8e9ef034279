//! What goes wrong in the database, or is found in it.

use backend::Error;

/// An error of the backend, which the errors of SQLite become too.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault {
    error: Error,
    /// What has failed in the server; visitors are not told.
    cause: Option<String>,
}

/// What a task of the database comes to.
pub(super) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// A fault of the server.
    pub(super) fn internal(cause: &dyn std::fmt::Display) -> Self {
        let cause = cause.to_string();
        Self { error: Error::internal(&format!("database: {cause}")), cause: Some(cause) }
    }

    /// What has failed in the server.
    pub(super) fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { error, cause: None }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        fault.error
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(&error)
    }
}
