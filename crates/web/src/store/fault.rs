//! What goes wrong in the database, or is found in it.

use backend::Error;

/// An error of the backend, which the errors of SQLite become too.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault(Error);

/// What a task of the database comes to.
pub(super) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// A fault of the server.
    pub(super) fn internal(cause: &dyn std::fmt::Display) -> Self {
        Self(Error::internal(&format!("database: {cause}")))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(&error)
    }
}
