//! Requests with one answer, by the addresses that the server has (docs/api.md).

use backend::wire::{ExportQuery, GamesQuery};
use backend::{Backend, Code, Error, Result, Visitor, read_json};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Answers a request, with JSON or with PGN.
///
/// # Errors
/// When it is refused.
pub(crate) async fn answer(
    backend: &Backend,
    visitor: &Visitor,
    method: &str,
    address: &str,
    body: &str,
) -> Result<String> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match (method, parts.as_slice()) {
        ("GET", ["info"]) => json(&backend.info(Vec::new(), false, false, true)),
        ("GET", ["options"]) => json(&backend::options()),
        ("GET", ["games"]) => json(&backend.games(visitor, read_query(query)?).await?),
        ("POST", ["games"]) => json(&backend.create_game(visitor, read_body(body)?).await?),
        ("GET", ["games.pgn"]) => backend.games_pgn(visitor, read_query::<GamesQuery>(query)?).await,
        ("GET", ["games", id]) => json(&backend.game(visitor, id).await?),
        ("DELETE", ["games", id]) => backend.delete_game(visitor, id).await.map(|()| String::new()),
        ("POST", ["games", id, "restore"]) => json(&backend.restore_game(visitor, id).await?),
        ("GET", ["games", id, "pgn"]) => {
            backend.game_pgn(visitor, id, read_query::<ExportQuery>(query)?.review).await
        }
        ("GET", ["games", id, "review"]) => json(&backend.review(visitor, id).await?),
        ("POST", ["links", token]) => json(&backend.follow_link(visitor, token, read_body(body)?).await?),
        ("POST", ["import"]) => {
            json(&backend.import(visitor, backend::read_import(&read_body(body)?)).await?)
        }
        ("POST", ["position"]) => json(&backend::position(&read_body(body)?)?),
        ("POST", ["explain"]) => json(&backend.explain(visitor, &read_body(body)?).await?),
        ("POST", ["analyse"]) => json(&backend.analyse(visitor, &read_body(body)?).await?),
        ("POST", ["pgn", "read"]) => json(&backend::read_pgn(read_body(body)?)),
        ("POST", ["pgn", "write"]) => backend::write_pgn(&read_body(body)?),
        ("GET", ["exercises"]) => json(&backend.exercises(visitor, &read_query(query)?).await?),
        ("POST", ["exercises", "check"]) => json(&backend.check_exercise(visitor, &read_body(body)?).await?),
        _ => Err(Error::new(Code::NotFound, "only a server can do this")),
    }
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::internal(&error))
}

fn read_body<T: DeserializeOwned>(body: &str) -> Result<T> {
    read_json(body.as_bytes())
}

fn read_query<T: DeserializeOwned>(query: &str) -> Result<T> {
    serde_urlencoded::from_str(query).map_err(Error::bad_request)
}
