//! The HTTP part of the API.

use super::request::{read_game, read_json, read_new_game, read_question, read_tree};
use super::socket;
use super::view;
use super::wire::{
    API_VERSION, AnalyseRequest, Analysis, ExerciseAttempt, ExerciseVerdict, ExercisesAnswer, ExercisesQuery,
    Explanation, ExportQuery, GameState, GamesAnswer, GamesQuery, Guest, ImportAnswer, Info, LinkAnswer,
    Login, NewGame, OptionsAnswer, PgnReadAnswer, PgnText, PgnWriteRequest, PositionAnswer, PositionRequest,
    Review,
};
use crate::addresses::addresses;
use crate::analysis::{self, Findings, MAX_LINES};
use crate::app::{App, LargeRequest};
use crate::auth::{self, Peer};
use crate::error::{Code, Error, Result};
use crate::exercises;
use crate::levels::Level;
use crate::page;
use crate::pgn::{self, Fault};
use crate::services::Visitor;
use crate::session::{self, Action, GameSession};
use crate::store::Access;
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use classics::ClassicSpec;
use hyper::body::{Frame, SizeHint};
use serde::de::DeserializeOwned;
use std::pin::Pin;
use std::sync::Arc;
use std::task;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;
use tower::ServiceBuilder;
use tower_http::compression::CompressionLayer;

/// The largest body of most requests.
const MAX_BODY: usize = 64 << 10;
/// A body has to come within this time.
const BODY_TIME: Duration = Duration::from_secs(30);
/// The longest analysis over HTTP, and the one without limits.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(30);
const DEFAULT_ANALYSIS: Duration = Duration::from_secs(1);

type Shared = State<Arc<App>>;
type Who = Extension<Visitor>;

/// All addresses of the server.
pub(crate) fn router(app: Arc<App>) -> Router {
    let large = || {
        ServiceBuilder::new()
            .layer(middleware::from_fn_with_state(Arc::clone(&app), admit_large))
            .layer(DefaultBodyLimit::max(pgn::MAX_BYTES + (pgn::MAX_BYTES >> 2)))
    };
    let api = Router::new()
        .route("/info", get(info))
        .route("/options", get(options))
        .route("/login", post(log_in))
        .route("/logout", post(log_out))
        .route("/games", get(list_games).post(create_game))
        .route("/games.pgn", get(export_games))
        .route("/games/{id}", get(get_game).delete(delete_game))
        .route("/games/{id}/restore", post(restore_game))
        .route("/games/{id}/pgn", get(export_game))
        .route("/games/{id}/review", get(get_review))
        .route("/links/{token}", post(follow_link))
        .route("/import", post(import).layer(large()))
        .route("/position", post(position))
        .route("/explain", post(explain_position))
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
        .fallback(page::serve)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(&app), auth::check_request))
        .with_state(app)
}

async fn not_found() -> Error {
    Error::new(Code::NotFound, "there is nothing at this address")
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
        Error::new(Code::Unauthorised, "a password is needed").into_response()
    };
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Large requests take memory, from their first byte to the last of the answer: there are few at once.
async fn admit_large(
    State(app): Shared,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    match app.admit_large(peer) {
        Ok(place) => {
            next.run(request).await.map(|body| axum::body::Body::new(HeldBody { body, _place: place }))
        }
        Err(error) => error.into_response(),
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
    ) -> task::Poll<Option<std::result::Result<Frame<Bytes>, axum::Error>>> {
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

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        // Forms of other sites cannot send this type without asking first.
        let is_json =
            request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
                value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
            });
        if !is_json {
            return Err(Error::bad_request("the body must have the content type application/json"));
        }
        let bytes = timeout(BODY_TIME, Bytes::from_request(request, state))
            .await
            .map_err(|_| Error::new(Code::Timeout, "the body did not come in time"))?;
        let bytes = bytes.map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Error::new(Code::TooLarge, "the body is too large")
            } else {
                Error::bad_request("the body could not be read")
            }
        })?;
        read_json(&bytes).map(Self)
    }
}

/// The query of an address, with errors like all others.
struct QueryOf<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        Query::try_from_uri(&parts.uri).map(|Query(value)| Self(value)).map_err(|_| {
            Error::bad_request("the query has a value that docs/api.md does not know in this place")
        })
    }
}

async fn info(State(app): Shared, Extension(visitor): Who) -> Json<Info> {
    let authorised = app.auth.is_authorised(&visitor);
    Json(Info {
        name: "Gardez",
        version: env!("CARGO_PKG_VERSION"),
        api: API_VERSION,
        exposed: !app.services.is_local,
        addresses: if authorised { addresses(app.address) } else { Vec::new() },
        password: app.auth.asks_password(),
        authorised,
        levels: Level::ALL.into_iter().map(view::level).collect(),
        classics: ClassicSpec::ALL.into_iter().map(view::classic).collect(),
        max_lines: MAX_LINES,
        max_pgn_bytes: pgn::MAX_BYTES,
        openings: true,
    })
}

async fn options() -> Json<OptionsAnswer> {
    Json(OptionsAnswer { options: engine::options::TABLE.iter().map(view::engine_option).collect() })
}

async fn log_in(
    State(app): Shared,
    Extension(visitor): Who,
    Extension(Peer(peer)): Extension<Peer>,
    Body(login): Body<Login>,
) -> Result<StatusCode> {
    app.auth.log_in(&app.services, &visitor, peer, &login.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn log_out(State(app): Shared, Extension(visitor): Who) -> Result<StatusCode> {
    app.auth.log_out(&app.services, &visitor).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn list_games(
    State(app): Shared,
    Extension(visitor): Who,
    QueryOf(query): QueryOf<GamesQuery>,
) -> Result<Json<GamesAnswer>> {
    let listing = app.services.store.list(&visitor, app.services.is_local, query.into()).await?;
    Ok(Json(GamesAnswer {
        games: listing.games.into_iter().map(view::game_summary).collect(),
        next: listing.next,
        total: listing.total,
    }))
}

async fn create_game(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<NewGame>,
) -> Result<(StatusCode, Json<GameState>)> {
    let game = session::create(&app.services, &visitor, read_new_game(request)?).await?;
    Ok((StatusCode::CREATED, Json(view::game_state(&game, &visitor))))
}

async fn get_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Result<Json<GameState>> {
    let session = app.sessions.enter(&app.services, &id, &visitor).await?;
    Ok(Json(state(&session, &visitor).await))
}

async fn state(session: &GameSession, visitor: &Visitor) -> GameState {
    view::game_state(&*session.lock().await, visitor)
}

/// Whether the game belongs to the visitor.
async fn check_owner(app: &App, id: &str, visitor: &Visitor) -> Result<()> {
    match app.services.access(id, visitor).await? {
        Access::Play => Ok(()),
        Access::Watch => Err(Error::forbidden("you are watching this game, it is not yours")),
        Access::None => Err(Error::no_game()),
    }
}

async fn delete_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    check_owner(&app, &id, &visitor).await?;
    app.services.store.set_deleted(&id, true).await?;
    app.sessions.close(&id).await;
    Ok(StatusCode::NO_CONTENT)
}

async fn restore_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Result<Json<GameState>> {
    check_owner(&app, &id, &visitor).await?;
    app.services.store.set_deleted(&id, false).await?;
    let session = app.sessions.get(&app.services, &id).await?;
    Ok(Json(state(&session, &visitor).await))
}

fn pgn_file(name: &str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let mut response = ([(CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text).into_response();
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
) -> Result<Response> {
    let session = app.sessions.enter(&app.services, &id, &visitor).await?;
    let mut game = pgn::of_record(&session.record().await);
    if query.review
        && let Some(review) = app.services.store.load_review(&id).await?
    {
        pgn::annotate(&mut game, &review);
    }
    Ok(pgn_file(&format!("gardez-{id}.pgn"), game.to_string()))
}

async fn export_games(
    State(app): Shared,
    Extension(visitor): Who,
    QueryOf(query): QueryOf<GamesQuery>,
) -> Result<Response> {
    let ids = app.services.store.list_ids(&visitor, app.services.is_local, query.into()).await?;
    let mut text = String::new();
    for id in ids {
        // One that is deleted meanwhile is left out.
        if let Ok(record) = app.services.store.load(&id).await {
            text.push_str(&pgn::of_record(&record).to_string());
            text.push('\n');
        }
    }
    Ok(pgn_file(&pgn::file_name(), text))
}

async fn get_review(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Result<Json<Review>> {
    app.sessions.enter(&app.services, &id, &visitor).await?;
    let review = app.services.store.load_review(&id).await?;
    let review = review.ok_or_else(|| Error::new(Code::NotFound, "the game has not been reviewed yet"))?;
    Ok(Json(view::review(&review)))
}

async fn follow_link(
    State(app): Shared,
    Extension(visitor): Who,
    Path(token): Path<String>,
    body: Bytes,
) -> Result<Json<LinkAnswer>> {
    // Who only watches needs no name, and older clients send none.
    let Guest { name } = if body.is_empty() { Guest::default() } else { read_json(&body)? };
    let id = app.services.store.find_link(&token).await?;
    let session = app.sessions.get(&app.services, &id).await?;
    if session.record().await.invite_token.as_deref() == Some(&*token) {
        session.act(&visitor, Action::TakeSeat(name)).await?;
    } else {
        app.services.store.join(&id, &visitor, Access::Watch).await?;
    }
    Ok(Json(LinkAnswer { game: state(&session, &visitor).await }))
}

async fn import(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<PgnText>,
) -> Result<Json<ImportAnswer>> {
    let (records, mut faults) = app
        .work(move || {
            let (games, mut faults) = pgn::read(&request.pgn, pgn::IMPORT);
            let mut records = Vec::with_capacity(games.len());
            for (number, game) in (1..).zip(&games) {
                match session::imported(game) {
                    Ok(record) => records.push(record),
                    Err(error) => faults.push(Fault::of_game(number, error.message)),
                }
            }
            (records, faults)
        })
        .await?;
    if records.is_empty() && faults.is_empty() {
        faults.push(Fault { line: 1, column: 1, ..Fault::of_game(1, "there is no game in it") });
    }
    let ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
    let store = &app.services.store;
    store.insert_all(records, vec![visitor.to_string()]).await?;
    let mut games = Vec::with_capacity(ids.len());
    for id in ids {
        games.push(view::game_summary(store.summary(&id, &visitor, app.services.is_local).await?));
    }
    Ok(Json(ImportAnswer { games, errors: faults.into_iter().map(view::import_error).collect() }))
}

async fn position(Body(request): Body<PositionRequest>) -> Result<Json<PositionAnswer>> {
    Ok(Json(view::position_answer(&read_game(&request)?)))
}

async fn explain_position(Body(request): Body<PositionRequest>) -> Result<Json<Explanation>> {
    Ok(Json(view::explain(read_game(&request)?.position())))
}

async fn analyse(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<AnalyseRequest>,
) -> Result<Json<Analysis>> {
    let question = read_question(&request)?.within(LONGEST_ANALYSIS, DEFAULT_ANALYSIS);
    let (sender, _receiver) = watch::channel(Findings::none(&question));
    let findings = analysis::analyse(&app.services, &visitor, question, sender).await?;
    Ok(Json(view::analysis(&findings)))
}

async fn read_pgn(State(app): Shared, Body(request): Body<PgnText>) -> Result<Response> {
    // Made into JSON there, because the trees take several times the room of it.
    app.work(move || {
        let (games, faults) = pgn::read(&request.pgn, pgn::TREES);
        let answer = PgnReadAnswer {
            games: games.iter().map(view::tree).collect(),
            errors: faults.into_iter().map(view::import_error).collect(),
        };
        drop((request, games));
        Json(answer).into_response()
    })
    .await
}

async fn write_pgn(State(app): Shared, Body(request): Body<PgnWriteRequest>) -> Result<Response> {
    let text = app.work(move || read_tree(&request).map(|game| game.to_string())).await??;
    Ok(([(CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text).into_response())
}

async fn list_exercises(
    State(app): Shared,
    Extension(visitor): Who,
    QueryOf(query): QueryOf<ExercisesQuery>,
) -> Result<Json<ExercisesAnswer>> {
    let exercises = exercises::list(&app, &visitor, query.game.as_deref(), query.unsolved).await?;
    Ok(Json(ExercisesAnswer { exercises: exercises.into_iter().map(view::exercise).collect() }))
}

async fn check_exercise(
    State(app): Shared,
    Extension(visitor): Who,
    Body(attempt): Body<ExerciseAttempt>,
) -> Result<Json<ExerciseVerdict>> {
    let ExerciseAttempt { game, ply, r#move } = attempt;
    let checked = exercises::check(&app, &visitor, &game, ply, &r#move).await?;
    Ok(Json(view::exercise_verdict(&checked)))
}
