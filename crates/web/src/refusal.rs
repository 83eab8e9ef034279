//! Errors as HTTP answers.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use backend::{Code, Error};

/// An error on its way to a client.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) Error);

/// What a request over HTTP comes to.
pub(crate) type Answer<T> = Result<T, Refusal>;

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let retry_after = self.0.retry_after;
        let mut response = (status(self.0.code), Json(self.0)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

const fn status(code: Code) -> StatusCode {
    match code {
        Code::BadRequest => StatusCode::BAD_REQUEST,
        Code::Illegal => StatusCode::CONFLICT,
        Code::Unauthorised => StatusCode::UNAUTHORIZED,
        Code::Forbidden => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Code::Timeout => StatusCode::REQUEST_TIMEOUT,
        Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
