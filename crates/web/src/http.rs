//! The HTTP part of the API.

use crate::analysis::{self, MAX_LINES, Question};
use crate::app::App;
use crate::error::{Code, Error, Result};
use crate::exercises;
use crate::explain;
use crate::guard::{self, Peer};
use crate::house::Visitor;
use crate::levels;
use crate::openings;
use crate::page;
use crate::pgn;
use crate::record::classic_name;
use crate::room::{self, Action};
use crate::socket;
use crate::store::Access;
use crate::view;
use crate::wire::{
    API_VERSION, AnalyseRequest, Analysis, ClassicInfo, ExerciseAttempt, ExerciseVerdict, ExercisesAnswer,
    Explanation, GameState, GamesAnswer, GamesQuery, ImportAnswer, Info, NewGame, PgnReadAnswer, PgnText,
    PgnWriteRequest, PositionAnswer, PositionRequest, Review,
};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use classics::ClassicSpec;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;

/// The largest body of most requests.
const MAX_BODY: usize = 64 << 10;
/// The longest analysis over HTTP, and the one without limits.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(30);
const DEFAULT_ANALYSIS: Duration = Duration::from_secs(1);

type Shared = State<Arc<App>>;
type Who = Extension<Visitor>;

/// All addresses of the server.
pub fn router(app: Arc<App>) -> Router {
    let large = || DefaultBodyLimit::max(pgn::MAX_BYTES + (pgn::MAX_BYTES >> 2));
    let api = Router::new()
        .route("/info", get(info))
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
        .fallback(nothing_here)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), ask_password));
    Router::new()
        .nest(&format!("/api/v{API_VERSION}"), api)
        .fallback(page::serve)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(&app.guard), guard::stand))
        .with_state(app)
}

async fn nothing_here() -> Error {
    Error::new(Code::NotFound, "there is nothing at this address")
}

async fn wrong_method() -> Response {
    let error = Error::bad_request("this address does not know the method");
    (StatusCode::METHOD_NOT_ALLOWED, Json(error)).into_response()
}

/// Only `info` and `login` answer those who have not said the password. Nothing of the API is to be kept by
/// caches.
async fn ask_password(State(app): Shared, Extension(visitor): Who, request: Request, next: Next) -> Response {
    let is_open = matches!(request.uri().path(), "/info" | "/login");
    let mut response = if is_open || app.guard.is_authorised(&visitor) {
        next.run(request).await
    } else {
        Error::new(Code::Unauthorised, "a password is needed").into_response()
    };
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
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
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Error::new(Code::TooLarge, "the body is too large")
            } else {
                Error::bad_request(rejection)
            }
        })?;
        serde_json::from_slice(&bytes).map(Self).map_err(Error::bad_request)
    }
}

/// The query of an address, with errors like all others.
struct Asked<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        Query::try_from_uri(&parts.uri).map(|Query(value)| Self(value)).map_err(Error::bad_request)
    }
}

async fn info(State(app): Shared, Extension(visitor): Who) -> Json<Info> {
    Json(Info {
        name: "Gardez",
        version: env!("CARGO_PKG_VERSION"),
        api: API_VERSION,
        exposed: !app.house.at_home,
        password: app.guard.asks_password(),
        authorised: app.guard.is_authorised(&visitor),
        levels: levels::list(),
        classics: ClassicSpec::ALL
            .into_iter()
            .map(|spec| ClassicInfo {
                id: spec.name(),
                name: classic_name(spec).to_owned(),
                description: spec.description().to_owned(),
            })
            .collect(),
        max_lines: MAX_LINES,
        max_pgn_bytes: pgn::MAX_BYTES,
        openings: openings::AVAILABLE,
    })
}

#[derive(Deserialize)]
struct Login {
    password: String,
}

async fn log_in(
    State(app): Shared,
    Extension(visitor): Who,
    Extension(Peer(peer)): Extension<Peer>,
    Body(login): Body<Login>,
) -> Result<StatusCode> {
    app.guard.log_in(&app.house, &visitor, peer, &login.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn log_out(State(app): Shared, Extension(visitor): Who) -> Result<StatusCode> {
    app.guard.log_out(&app.house, &visitor).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn list_games(
    State(app): Shared,
    Extension(visitor): Who,
    Asked(query): Asked<GamesQuery>,
) -> Result<Json<GamesAnswer>> {
    let listing = app.house.store.list(&visitor, app.house.at_home, query).await?;
    Ok(Json(GamesAnswer { games: listing.games, next: listing.next, total: listing.total }))
}

async fn create_game(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<NewGame>,
) -> Result<(StatusCode, Json<GameState>)> {
    let game = app.rooms.create(&app.house, &visitor, &request).await?;
    Ok((StatusCode::CREATED, Json(game)))
}

async fn get_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Result<Json<GameState>> {
    let room = app.rooms.enter(&app.house, &id, &visitor).await?;
    Ok(Json(room.state(&visitor).await))
}

async fn own_game(app: &App, id: &str, visitor: &Visitor) -> Result<()> {
    match app.house.access(id, visitor).await? {
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
    own_game(&app, &id, &visitor).await?;
    app.house.store.set_deleted(&id, true).await?;
    app.rooms.close(&id).await;
    Ok(StatusCode::NO_CONTENT)
}

async fn restore_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
) -> Result<Json<GameState>> {
    own_game(&app, &id, &visitor).await?;
    app.house.store.set_deleted(&id, false).await?;
    let room = app.rooms.get(&app.house, &id).await?;
    Ok(Json(room.state(&visitor).await))
}

fn pgn_file(name: &str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let mut response = ([(CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text).into_response();
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

#[derive(Deserialize)]
struct ExportQuery {
    #[serde(default)]
    review: bool,
}

async fn export_game(
    State(app): Shared,
    Extension(visitor): Who,
    Path(id): Path<String>,
    Asked(query): Asked<ExportQuery>,
) -> Result<Response> {
    let room = app.rooms.enter(&app.house, &id, &visitor).await?;
    let mut game = pgn::of_record(&room.record().await);
    if query.review
        && let Some(stored) = app.house.store.load_review(&id).await?
    {
        pgn::annotate(&mut game, &stored.review);
    }
    Ok(pgn_file(&format!("gardez-{id}.pgn"), game.to_string()))
}

async fn export_games(
    State(app): Shared,
    Extension(visitor): Who,
    Asked(query): Asked<GamesQuery>,
) -> Result<Response> {
    let ids = app.house.store.list_ids(&visitor, app.house.at_home, query).await?;
    let mut text = String::new();
    for id in ids {
        // One that is deleted meanwhile is left out.
        if let Ok(record) = app.house.store.load(&id).await {
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
    app.rooms.enter(&app.house, &id, &visitor).await?;
    let stored = app.house.store.load_review(&id).await?;
    let stored = stored.ok_or_else(|| Error::new(Code::NotFound, "the game has not been reviewed yet"))?;
    Ok(Json(stored.review))
}

#[derive(serde::Serialize)]
struct LinkAnswer {
    game: GameState,
}

async fn follow_link(
    State(app): Shared,
    Extension(visitor): Who,
    Path(token): Path<String>,
) -> Result<Json<LinkAnswer>> {
    let id = app.house.store.find_link(&token).await?;
    let room = app.rooms.get(&app.house, &id).await?;
    if room.record().await.invite_token.as_deref() == Some(&*token) {
        room.act(&visitor, Action::TakeSeat).await?;
    } else {
        app.house.store.join(&id, &visitor, Access::Watch).await?;
    }
    Ok(Json(LinkAnswer { game: room.state(&visitor).await }))
}

async fn import(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<PgnText>,
) -> Result<Json<ImportAnswer>> {
    let (records, mut errors) = app
        .work(move || {
            let (games, mut errors) = pgn::read(&request.pgn, pgn::MAX_GAMES);
            let mut records = Vec::with_capacity(games.len());
            for (index, game) in games.iter().enumerate() {
                match room::imported(game) {
                    Ok(record) => records.push(record),
                    Err(error) => errors.push(crate::wire::PgnFault {
                        game: index as u64 + 1,
                        line: 0,
                        column: 0,
                        message: error.message,
                    }),
                }
            }
            (records, errors)
        })
        .await?;
    if records.is_empty() && errors.is_empty() {
        errors.push(crate::wire::PgnFault {
            game: 1,
            line: 1,
            column: 1,
            message: "there is no game in it".to_owned(),
        });
    }
    let ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
    app.house.store.insert_all(records, vec![visitor.to_string()]).await?;
    let mut games = Vec::with_capacity(ids.len());
    for id in ids {
        games.push(app.house.store.summary(&id, &visitor, app.house.at_home).await?);
    }
    Ok(Json(ImportAnswer { games, errors }))
}

async fn position(Body(request): Body<PositionRequest>) -> Result<Json<PositionAnswer>> {
    Ok(Json(view::position_answer(&view::read_game(&request)?)))
}

async fn explain_position(Body(request): Body<PositionRequest>) -> Result<Json<Explanation>> {
    Ok(Json(explain::explain(view::read_game(&request)?.position())))
}

async fn analyse(
    State(app): Shared,
    Extension(visitor): Who,
    Body(request): Body<AnalyseRequest>,
) -> Result<Json<Analysis>> {
    let question = Question::new(&request)?.within(LONGEST_ANALYSIS, DEFAULT_ANALYSIS);
    let (sender, _receiver) = watch::channel(Analysis::default());
    Ok(Json(analysis::analyse(&app.house, &visitor, question, sender).await?))
}

async fn read_pgn(State(app): Shared, Body(request): Body<PgnText>) -> Result<Json<PgnReadAnswer>> {
    app.work(move || {
        let (games, errors) = pgn::read(&request.pgn, pgn::MAX_TREES);
        Json(PgnReadAnswer { games: games.iter().map(pgn::tree).collect(), errors })
    })
    .await
}

async fn write_pgn(State(app): Shared, Body(request): Body<PgnWriteRequest>) -> Result<Response> {
    let text = app.work(move || pgn::write(&request)).await??;
    Ok(([(CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text).into_response())
}

#[derive(Deserialize)]
struct ExercisesQuery {
    game: Option<String>,
    #[serde(default)]
    unsolved: bool,
}

async fn list_exercises(
    State(app): Shared,
    Extension(visitor): Who,
    Asked(query): Asked<ExercisesQuery>,
) -> Result<Json<ExercisesAnswer>> {
    let exercises = exercises::list(&app, &visitor, query.game.as_deref(), query.unsolved).await?;
    Ok(Json(ExercisesAnswer { exercises }))
}

async fn check_exercise(
    State(app): Shared,
    Extension(visitor): Who,
    Body(attempt): Body<ExerciseAttempt>,
) -> Result<Json<ExerciseVerdict>> {
    Ok(Json(exercises::check(&app, &visitor, &attempt).await?))
}
