//! The HTTP part of the API.

use super::socket;
use crate::addresses::addresses;
use crate::app::{App, LargeRequest};
use crate::auth;
use crate::networks::Network;
use crate::page;
use crate::refusal::{Answer, Refusal};
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post, put};
use axum::{Extension, Json, Router};
use backend::stored::StoredGame;
use backend::wire::{
    API_VERSION, AnalyseRequest, Analysis, ExerciseAttempt, ExerciseVerdict, ExercisesAnswer, ExercisesQuery,
    Explanation, ExportQuery, GameState, GamesAnswer, GamesQuery, Guest, ImportAnswer, Info, LinkAnswer,
    Login, NewGame, OptionsAnswer, PgnText, PgnWriteRequest, PositionAnswer, PositionRequest, Review,
};
use backend::{Code, Error, MAX_PGN_BYTES, Visitor, read_json};
use hyper::body::{Frame, SizeHint};
use serde::de::DeserializeOwned;
use std::pin::Pin;
use std::sync::Arc;
use std::task;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tower::ServiceBuilder;
use tower_http::compression::CompressionLayer;

/// The largest body of most requests.
const MAX_BODY: usize = 64 << 10;
/// The largest game that is uploaded.
const MAX_GAME_BODY: usize = 1 << 20;
/// How much of an export is sent at a time, and how much may wait.
const EXPORT_CHUNK: usize = 64 << 10;
const EXPORT_WAITING: usize = 2;
type Shared = State<Arc<App>>;
type Who = Extension<Visitor>;

/// All addresses of the server.
pub(crate) fn router(app: Arc<App>) -> Router {
    let large = || {
        ServiceBuilder::new()
            .layer(middleware::from_fn_with_state(Arc::clone(&app), admit_large))
            .layer(DefaultBodyLimit::max(MAX_PGN_BYTES + (MAX_PGN_BYTES >> 2)))
    };
    let upload = put(upload_game).layer(DefaultBodyLimit::max(MAX_GAME_BODY));
    let api = Router::new()
        .route("/info", get(info))
        .route("/options", get(options))
        .route("/login", post(log_in))
        .route("/logout", post(log_out))
        .route("/games", get(list_games).post(create_game))
        .route("/games.pgn", get(export_games))
        .route("/games/{id}", get(get_game).delete(delete_game).merge(upload))
        .route("/games/{id}/restore", post(restore_game))
        .route("/games/{id}/pgn", get(export_game))
        .route("/games/{id}/review", get(get_review))
        .route("/links/{token}", post(follow_link))
        .route("/import", post(import).layer(large()))
        .route("/position", post(position))
        .route("/explain", post(explain))
        .route("/analyse", post(analyse))
        .route("/pgn/read", post(read_pgn).layer(large()))
        .route("/pgn/write", post(write_pgn).layer(large()))
        .route("/exercises", get(list_exercises))
        .route("/exercises/check", post(check_exercise))
        .route("/ws", get(socket::open))
        .method_not_allowed_fallback(wrong_method)
        .fallback(not_found)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), require_password));
    Router::new()
        .nest(&format!("/api/v{API_VERSION}"), api)
        .route("/owner/{token}", get(claim))
        .fallback(page::serve)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(&app), auth::check_request))
        .with_state(app)
}

async fn not_found() -> Refusal {
    Error::new(Code::NotFound, "there is nothing at this address").into()
}

async fn wrong_method() -> Response {
    let error = Error::bad_request("this address does not know the method");
    (StatusCode::METHOD_NOT_ALLOWED, Json(error)).into_response()
}

/// Without the password only `info` and `login` answer. Caches are to keep nothing of the API.
async fn require_password(
    State(app): Shared,
    Extension(visitor): Who,
    request: Request,
    next: Next,
) -> Response {
    let is_open = matches!(request.uri().path(), "/info" | "/login");
    let mut response = if is_open || app.auth.is_authorised(&visitor) {
        next.run(request).await
    } else {
        Refusal(Error::new(Code::Unauthorised, "a password is needed")).into_response()
    };
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Large requests take memory, from their first byte to the last of the answer: there are few at once.
async fn admit_large(
    State(app): Shared,
    Extension(network): Extension<Network>,
    request: Request,
    next: Next,
) -> Response {
    match app.admit_large(network) {
        Ok(place) => {
            next.run(request).await.map(|body| axum::body::Body::new(HeldBody { body, _place: place }))
        }
        Err(error) => Refusal(error).into_response(),
    }
}

/// The body of an answer, with what is given back when it has been sent.
struct HeldBody {
    body: axum::body::Body,
    _place: LargeRequest,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> task::Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

/// A body of JSON, with errors like all others.
struct Body<T>(T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Answer<Self> {
        // Forms of other sites cannot send this type without asking first.
        let is_json =
            request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
                value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
            });
        if !is_json {
            return Err(Error::bad_request("the body must have the content type application/json").into());
        }
        let TimelyBytes(bytes) = TimelyBytes::from_request(request, app).await?;
        Ok(Self(read_json(&bytes)?))
    }
}

/// A body that came in time.
struct TimelyBytes(Bytes);

impl FromRequest<Arc<App>> for TimelyBytes {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Answer<Self> {
        let time = Duration::from_secs(app.limits().body_seconds);
        let bytes = timeout(time, Bytes::from_request(request, app))
            .await
            .map_err(|_| Error::new(Code::Timeout, "the body did not come in time"))?;
        let bytes = bytes.map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Error::new(Code::TooLarge, "the body is too large")
            } else {
                Error::bad_request("the body could not be read")
            }
        })?;
        Ok(Self(bytes))
    }
}

/// The query of an address, with errors like all others.
struct QueryOf<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Answer<Self> {
        let query = Query::try_from_uri(&parts.uri).map_err(|_| {
            Error::bad_request("the query has a value that docs/api.md does not know in this place")
        })?;
        Ok(Self(query.0))
    }
}

async fn info(State(app): Shared, Extension(visitor): Who) -> Json<Info> {
    let is_authorised = app.auth.is_authorised(&visitor);
    let addresses = if is_authorised { addresses(app.address) } else { Vec::new() };
    Json(app.backend.info(addresses, !app.rights.is_local, app.auth.asks_password(), is_authorised))
}

async fn options() -> Json<OptionsAnswer> {
    Json(backend::options())
}

async fn log_in(
    State(app): Shared,
    Extension(visitor): Who,
    Extension(network): Extension<Network>,
    Body(login): Body<Login>,
) -> Answer<StatusCode> {
    app.auth.log_in(&app.store, &visitor, network, login.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The link that makes a browser the owner's. It leads to the page.
async fn claim(State(app): Shared, Extension(visitor): Who, Path(token): Path<String>) -> Answer<Redirect> {
    app.auth.claim(&app.store, &app.rights, &visitor, &token).await?;
    Ok(Redirect::to("/"))
}

async fn log_out(State(app): Shared, Extension(visitor): Who) -> Answer<StatusCode> {
    app.auth.log_out(&app.store, &app.rights, &visitor).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn list_games(
    State(app): Shared,
    Extension(visitor): Who,
    QueryOf(query): QueryOf<GamesQuery>,
) -> Answer<Json<GamesAnswer>> {
    Ok(Json(app.backend.games(&visitor, query).await?))
}

async fn create_game(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<NewGame>,
) -> Answer<(StatusCode, Json<GameState>)> {
    Ok((StatusCode::CREATED, Json(app.backend.create_game(&visitor, request).await?)))
}

async fn get_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Answer<Json<GameState>> {
    Ok(Json(app.backend.game(&visitor, &id).await?))
}

async fn upload_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
    Body(game): Body<StoredGame>,
) -> Answer<StatusCode> {
    if id != game.id {
        return Err(Error::bad_request("the game has another identifier than the address").into());
    }
    app.backend.upload_game(&visitor, game).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    app.backend.delete_game(&visitor, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn restore_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Answer<Json<GameState>> {
    Ok(Json(app.backend.restore_game(&visitor, &id).await?))
}

fn pgn_file(name: &str, contents: impl IntoResponse) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let mut response = ([(CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], contents).into_response();
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

async fn export_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
    QueryOf(query): QueryOf<ExportQuery>,
) -> Answer<Response> {
    let text = app.backend.game_pgn(&visitor, &id, query.review).await?;
    Ok(pgn_file(&format!("gardez-{id}.pgn"), text))
}

async fn export_games(
    State(app): Shared,
    Extension(visitor): Who,
    QueryOf(query): QueryOf<GamesQuery>,
) -> Answer<Response> {
    let ids = app.backend.games_to_export(&visitor, query).await?;
    let (chunks, sent) = mpsc::channel(EXPORT_WAITING);
    tokio::spawn(async move {
        let mut text = String::new();
        for id in ids {
            text.push_str(&app.backend.exported_game(&id).await.unwrap_or_default());
            if text.len() >= EXPORT_CHUNK
                && chunks.send(Bytes::from(std::mem::take(&mut text))).await.is_err()
            {
                // The client is gone.
                return;
            }
        }
        let _ = chunks.send(Bytes::from(text)).await;
    });
    Ok(pgn_file(&backend::pgn_file_name(), axum::body::Body::new(StreamedBody(sent))))
}

/// A body that is sent while it is made.
struct StreamedBody(mpsc::Receiver<Bytes>);

impl HttpBody for StreamedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> task::Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.0.poll_recv(context).map(|chunk| chunk.map(|bytes| Ok(Frame::data(bytes))))
    }
}

async fn get_review(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Answer<Json<Review>> {
    Ok(Json(app.backend.review(&visitor, &id).await?))
}

async fn follow_link(
    State(app): Shared,
    Extension(visitor): Who,
    Path(token): Path<String>,
    TimelyBytes(body): TimelyBytes,
) -> Answer<Json<LinkAnswer>> {
    // Who only watches needs no name, and older clients send none.
    let guest: Guest = if body.is_empty() { Guest::default() } else { read_json(&body)? };
    Ok(Json(app.backend.follow_link(&visitor, &token, guest).await?))
}

async fn import(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<PgnText>,
) -> Answer<Json<ImportAnswer>> {
    let import = app.work(move || backend::read_import(&request)).await?;
    Ok(Json(app.backend.import(&visitor, import).await?))
}

async fn position(Body(request): Body<PositionRequest>) -> Answer<Json<PositionAnswer>> {
    Ok(Json(backend::position(&request)?))
}

async fn explain(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<PositionRequest>,
) -> Answer<Json<Explanation>> {
    Ok(Json(app.backend.explain(&visitor, &request).await?))
}

async fn analyse(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<AnalyseRequest>,
) -> Answer<Json<Analysis>> {
    Ok(Json(app.backend.analyse(&visitor, &request).await?))
}

async fn read_pgn(State(app): Shared, Body(request): Body<PgnText>) -> Answer<Response> {
    // Made into JSON there, because the trees take several times the room of it.
    Ok(app.work(move || Json(backend::read_pgn(request)).into_response()).await?)
}

async fn write_pgn(State(app): Shared, Body(request): Body<PgnWriteRequest>) -> Answer<Response> {
    let text = app.work(move || backend::write_pgn(&request)).await??;
    Ok(([(CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text).into_response())
}

async fn list_exercises(
    State(app): Shared,
    Extension(visitor): Who,
    QueryOf(query): QueryOf<ExercisesQuery>,
) -> Answer<Json<ExercisesAnswer>> {
    Ok(Json(app.backend.exercises(&visitor, &query).await?))
}

async fn check_exercise(
    State(app): Shared,
    Extension(visitor): Who,
    Body(attempt): Body<ExerciseAttempt>,
) -> Answer<Json<ExerciseVerdict>> {
    Ok(Json(app.backend.check_exercise(&visitor, &attempt).await?))
}
