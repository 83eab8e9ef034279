//! What a browser sends: bodies of requests, and messages over the WebSocket.

use backend::engines::{
    Admission, Choice, CoachAnswer, CoachJob, LineJob, MoveJob, OnLines, OnProgress, Owner, Priority,
    ReviewJob, Studied, StudyJob,
};
use backend::game_review::GameReview;
use backend::store::Pending;
use backend::{Backend, Connection, Engines, MemoryStore, OneOwner, Services, Visitor, read_json, wire};
use std::sync::Arc;

/// Engines that never answer.
struct Silent;

impl Engines for Silent {
    fn choose<'a>(&'a self, _: &'a Owner, _: MoveJob) -> Pending<'a, Choice> {
        Box::pin(std::future::pending())
    }

    fn best_line<'a>(&'a self, _: &'a Owner, _: Priority, _: LineJob) -> Pending<'a, Option<engine::Line>> {
        Box::pin(std::future::pending())
    }

    fn coach<'a>(&'a self, _: &'a Owner, _: CoachJob) -> Pending<'a, CoachAnswer> {
        Box::pin(std::future::pending())
    }

    fn study<'a>(&'a self, _: &'a Owner, _: StudyJob, _: OnLines) -> Pending<'a, Studied> {
        Box::pin(std::future::pending())
    }

    fn admit_review(&self, _: &Owner) -> backend::Result<Admission> {
        Ok(Box::new(()))
    }

    fn review<'a>(&'a self, _: &'a Owner, _: ReviewJob, _: OnProgress) -> Pending<'a, GameReview> {
        Box::pin(std::future::pending())
    }
}

fn new_backend() -> Arc<Backend> {
    Backend::new(Services {
        store: Arc::new(MemoryStore::default()),
        engines: Box::new(Silent),
        rights: Arc::new(OneOwner),
        has_links: true,
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(future)
}

/// The body of a request; the first byte says of which.
pub fn check_http(bytes: &[u8]) {
    let Some((kind, body)) = bytes.split_first() else { return };
    match kind % 6 {
        0 => {
            if let Ok(request) = read_json::<wire::NewGame>(body) {
                let (backend, visitor) = (new_backend(), Visitor::from("visitor"));
                block_on(async {
                    let Ok(game) = backend.create_game(&visitor, request).await else { return };
                    serde_json::to_string(&game).expect("JSON");
                    backend.game_pgn(&visitor, &game.id, true).await.expect("PGN");
                });
            }
        }
        1 => {
            if let Ok(request) = read_json::<wire::PositionRequest>(body)
                && let Ok(answer) = backend::position(&request)
            {
                serde_json::to_string(&answer).expect("JSON");
            }
        }
        2 => {
            if let Ok(request) = read_json::<wire::PgnText>(body) {
                serde_json::to_string(&backend::read_pgn(request)).expect("JSON");
            }
        }
        3 => {
            if let Ok(request) = read_json::<wire::PgnText>(body) {
                let import = backend::read_import(&request);
                let (backend, visitor) = (new_backend(), Visitor::from("visitor"));
                let answer = block_on(backend.import(&visitor, import));
                if let Ok(answer) = answer {
                    serde_json::to_string(&answer).expect("JSON");
                }
            }
        }
        4 => {
            if let Ok(request) = read_json::<wire::PgnWriteRequest>(body) {
                let _ = backend::write_pgn(&request);
            }
        }
        _ => {
            let _ = read_json::<wire::AnalyseRequest>(body);
            let _ = read_json::<wire::ExerciseAttempt>(body);
        }
    }
}

/// Messages in lines, about a game whose name stands for `GAME`.
pub fn check_websocket(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (backend, visitor) = (new_backend(), Visitor::from("visitor"));
    block_on(async {
        let request = read_json(br#"{"white":{"kind":"you"},"black":{"kind":"you"}}"#).expect("a request");
        let game = backend.create_game(&visitor, request).await.expect("a game");
        let mut connection = Connection::new(&backend, &visitor, 1);
        for line in text.lines().take(60) {
            connection.hear(&line.replace("GAME", &game.id)).await;
        }
        connection.close().await;
        // Whatever came, the game can be opened and written.
        let _ = backend.game_pgn(&visitor, &game.id, false).await;
    });
}
