//! Requests with one answer.

use crate::analysis::{self, Findings, MAX_LINES};
use crate::coaching;
use crate::error::{Code, Error, Result};
use crate::exercises;
use crate::levels::Level;
use crate::pgn::{self, Fault};
use crate::record::Record;
use crate::request::{read_game, read_game_and_warnings, read_new_game, read_question, read_tree};
use crate::reviews::Reviews;
use crate::services::{Services, Visitor};
use crate::session::{self, Action, GameSession, GameSessions, Seat};
use crate::store::{Access, LinkKind};
use crate::stored::StoredGame;
use crate::upload;
use crate::view;
use crate::wire;
use classics::ClassicSpec;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The longest analysis with one answer, and the one without limits.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(30);
const DEFAULT_ANALYSIS: Duration = Duration::from_secs(1);

/// Everything behind the page.
pub struct Backend {
    pub(crate) services: Arc<Services>,
    pub(crate) sessions: Arc<GameSessions>,
    pub(crate) reviews: Arc<Reviews>,
}

impl Backend {
    /// Puts the parts together.
    #[must_use]
    pub fn new(services: Services) -> Arc<Self> {
        Arc::new(Self { services: Arc::new(services), sessions: Arc::default(), reviews: Arc::default() })
    }

    fn is_owner(&self, visitor: &Visitor) -> bool {
        self.services.rights.is_owner(visitor)
    }

    /// Closes games that no connection uses.
    pub fn sweep(&self) {
        self.sessions.sweep();
    }

    /// Closes all games: the end.
    pub async fn close(&self) {
        self.sessions.close_all().await;
    }

    /// Shows a game that was changed elsewhere as the store has it now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn refresh(&self, id: &str) -> Result<()> {
        self.sessions.refresh(&self.services, id).await
    }

    /// Takes a game from the screen that was deleted elsewhere.
    pub async fn dismiss(&self, id: &str) {
        self.sessions.close(id).await;
    }

    /// What there is to play with.
    #[must_use]
    pub fn info(
        &self,
        addresses: Vec<String>,
        is_exposed: bool,
        asks_password: bool,
        is_authorised: bool,
    ) -> wire::Info {
        wire::Info {
            name: "Gardez",
            version: env!("CARGO_PKG_VERSION"),
            api: wire::API_VERSION,
            exposed: is_exposed,
            addresses,
            password: asks_password,
            authorised: is_authorised,
            levels: Level::ALL.into_iter().map(view::level).collect(),
            classics: ClassicSpec::ALL
                .into_iter()
                .map(|spec| view::classic(spec, self.services.engines.books()))
                .collect(),
            max_lines: MAX_LINES,
            max_pgn_bytes: pgn::MAX_BYTES,
            openings: true,
            links: self.services.has_links,
        }
    }

    /// A page of the list of games.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn games(&self, visitor: &Visitor, query: wire::GamesQuery) -> Result<wire::GamesAnswer> {
        let listing = self.services.store.list(visitor, self.is_owner(visitor), query.into()).await?;
        Ok(wire::GamesAnswer {
            games: listing.games.into_iter().map(view::game_summary).collect(),
            next: listing.next,
            total: listing.total,
        })
    }

    /// Begins a game.
    ///
    /// # Errors
    /// When the request makes no sense, or the store fails.
    pub async fn create_game(&self, visitor: &Visitor, request: wire::NewGame) -> Result<wire::GameState> {
        let request = read_new_game(request)?;
        if !self.services.has_links && request.seats.iter().any(|seat| matches!(seat, Seat::Friend(_))) {
            return Err(Error::illegal("playing by link needs a server; two people can share this board"));
        }
        let game = session::create(&self.services, visitor, request).await?;
        Ok(view::game_state(&game, visitor))
    }

    /// How a game stands.
    ///
    /// # Errors
    /// When there is none that the visitor may see.
    pub async fn game(&self, visitor: &Visitor, id: &str) -> Result<wire::GameState> {
        let session = self.sessions.enter(&self.services, id, visitor).await?;
        Ok(state(&session, visitor).await)
    }

    /// Takes over a game that was played on a visitor's device. Sent again, it is not there twice.
    ///
    /// # Errors
    /// When it makes no sense, there is no room, or the game here has gone on differently.
    pub async fn upload_game(&self, visitor: &Visitor, game: StoredGame) -> Result<()> {
        upload::take(self, visitor, game).await
    }

    /// Whether the visitor plays in the game.
    pub(crate) async fn check_player(&self, visitor: &Visitor, id: &str) -> Result<()> {
        match self.services.access(id, visitor).await? {
            Access::Play | Access::Guest => Ok(()),
            Access::Watch => Err(not_yours()),
            Access::None | Access::Left => Err(Error::no_game()),
        }
    }

    /// Deletes a game. A guest only puts it out of sight: it is another's too.
    ///
    /// # Errors
    /// When it is not the visitor's.
    pub async fn delete_game(&self, visitor: &Visitor, id: &str) -> Result<()> {
        match self.services.access(id, visitor).await? {
            Access::Play => {
                self.services.store.set_deleted(id, true).await?;
                self.sessions.close(id).await;
                Ok(())
            }
            Access::Guest => self.services.store.set_left(id, visitor, true).await,
            Access::Watch => Err(not_yours()),
            Access::None | Access::Left => Err(Error::no_game()),
        }
    }

    /// Takes a deletion back.
    ///
    /// # Errors
    /// When it is too late, or the game is not the visitor's.
    pub async fn restore_game(&self, visitor: &Visitor, id: &str) -> Result<wire::GameState> {
        match self.services.access(id, visitor).await? {
            Access::Play => self.services.store.set_deleted(id, false).await?,
            Access::Left => self.services.store.set_left(id, visitor, false).await?,
            Access::Guest | Access::Watch | Access::None => return Err(Error::no_game()),
        }
        let session = self.sessions.get(&self.services, id).await?;
        Ok(state(&session, visitor).await)
    }

    /// A game as PGN, with its review if it is wanted and there is one.
    ///
    /// # Errors
    /// When there is no game that the visitor may see.
    pub async fn game_pgn(&self, visitor: &Visitor, id: &str, wants_review: bool) -> Result<String> {
        let session = self.sessions.enter(&self.services, id, visitor).await?;
        let mut game = pgn::of_record(&session.record().await);
        if wants_review && let Some(review) = self.services.store.load_review(id).await? {
            pgn::annotate(&mut game, &review);
        }
        Ok(game.to_string())
    }

    /// All games that fit, as PGN.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn games_pgn(&self, visitor: &Visitor, query: wire::GamesQuery) -> Result<String> {
        let mut text = String::new();
        for id in self.games_to_export(visitor, query).await? {
            text.push_str(&self.exported_game(&id).await.unwrap_or_default());
        }
        Ok(text)
    }

    /// The names of all games that fit, for those who export them one by one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn games_to_export(&self, visitor: &Visitor, query: wire::GamesQuery) -> Result<Vec<String>> {
        self.services.store.list_ids(visitor, self.is_owner(visitor), query.into()).await
    }

    /// One of these games as PGN; none if it was deleted meanwhile.
    pub async fn exported_game(&self, id: &str) -> Option<String> {
        let record = self.services.store.load(id).await.ok()?;
        Some(format!("{}\n", pgn::of_record(&record)))
    }

    /// The review of a game.
    ///
    /// # Errors
    /// When there is none.
    pub async fn review(&self, visitor: &Visitor, id: &str) -> Result<wire::Review> {
        self.sessions.enter(&self.services, id, visitor).await?;
        let review = self.services.store.load_review(id).await?;
        let review =
            review.ok_or_else(|| Error::new(Code::NotFound, "the game has not been reviewed yet"))?;
        Ok(view::review(&review))
    }

    /// Takes the free seat of a game, or watches it.
    ///
    /// # Errors
    /// When the link is not valid any more.
    pub async fn follow_link(
        &self,
        visitor: &Visitor,
        token: &str,
        guest: wire::Guest,
    ) -> Result<wire::LinkAnswer> {
        let (id, kind) = self.services.store.find_link(token).await?;
        let session = self.sessions.get(&self.services, &id).await?;
        match kind {
            LinkKind::Invite => {
                session.act(visitor, Action::TakeSeat(guest.name)).await?;
            }
            LinkKind::Watch => self.services.store.join(&id, visitor, Access::Watch).await?,
        }
        Ok(wire::LinkAnswer { game: state(&session, visitor).await })
    }

    /// Keeps the games of a PGN.
    ///
    /// # Errors
    /// When there is no room, or the store fails.
    pub async fn import(&self, visitor: &Visitor, import: Import) -> Result<wire::ImportAnswer> {
        let Import { records, faults } = import;
        let ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
        let bytes: usize = records.iter().filter_map(|record| record.pgn.as_ref()).map(String::len).sum();
        self.services.rights.make_room(visitor, records.len() as u64, bytes as u64).await?;
        let store = &self.services.store;
        store.insert(records, vec![visitor.to_string()]).await?;
        let mut games = Vec::with_capacity(ids.len());
        for id in ids {
            let summary = store.summary(&id, visitor, self.is_owner(visitor)).await?;
            games.push(view::game_summary(summary));
        }
        Ok(wire::ImportAnswer { games, errors: faults.into_iter().map(view::import_error).collect() })
    }

    /// A short analysis.
    ///
    /// # Errors
    /// When the request makes no sense, or no engine is free.
    pub async fn analyse(&self, visitor: &Visitor, request: &wire::AnalyseRequest) -> Result<wire::Analysis> {
        let question = read_question(request)?.within(LONGEST_ANALYSIS, DEFAULT_ANALYSIS);
        let (sender, _receiver) = watch::channel(Findings::none(&question));
        let findings = analysis::analyse(&self.services, visitor, question, sender).await?;
        Ok(view::analysis(&findings))
    }

    /// What the coach says of a position and its last move, and how it is evaluated.
    ///
    /// # Errors
    /// When the position or a move is not legal, or no engine is free.
    pub async fn explain(
        &self,
        visitor: &Visitor,
        request: &wire::PositionRequest,
    ) -> Result<wire::Explanation> {
        let game = read_game(request)?;
        let position = *game.position();
        let explained = coaching::explain(&self.services, visitor, game).await?;
        Ok(view::explanation(&position, explained))
    }

    /// Mistakes to solve again.
    ///
    /// # Errors
    /// When there is no such game.
    pub async fn exercises(
        &self,
        visitor: &Visitor,
        query: &wire::ExercisesQuery,
    ) -> Result<wire::ExercisesAnswer> {
        let exercises = exercises::list(self, visitor, query.game.as_deref(), query.unsolved).await?;
        Ok(wire::ExercisesAnswer { exercises: exercises.into_iter().map(view::exercise).collect() })
    }

    /// Judges an attempt.
    ///
    /// # Errors
    /// When there is no such exercise, or the move is illegal.
    pub async fn check_exercise(
        &self,
        visitor: &Visitor,
        attempt: &wire::ExerciseAttempt,
    ) -> Result<wire::ExerciseVerdict> {
        let checked = exercises::check(self, visitor, &attempt.game, attempt.ply, &attempt.r#move).await?;
        Ok(view::exercise_verdict(&checked))
    }
}

fn not_yours() -> Error {
    Error::forbidden("you are watching this game, it is not yours")
}

async fn state(session: &GameSession, visitor: &Visitor) -> wire::GameState {
    view::game_state(&*session.lock().await, visitor)
}

/// The options of the engine.
#[must_use]
pub fn options() -> wire::OptionsAnswer {
    wire::OptionsAnswer { options: engine::options::TABLE.iter().map(view::engine_option).collect() }
}

/// Plays moves and describes the position after them.
///
/// # Errors
/// When the position or a move is not legal.
pub fn position(request: &wire::PositionRequest) -> Result<wire::PositionAnswer> {
    let (game, warnings) = read_game_and_warnings(request)?;
    Ok(view::position_answer(&game, &warnings))
}

/// The games of a text as trees.
#[must_use]
pub fn read_pgn(text: wire::PgnText) -> wire::PgnReadAnswer {
    let (games, faults) = pgn::read(&text.pgn, pgn::TREES);
    drop(text);
    wire::PgnReadAnswer {
        games: games.iter().map(view::tree).collect(),
        errors: faults.into_iter().map(view::import_error).collect(),
    }
}

/// A tree as PGN.
///
/// # Errors
/// When a move is illegal.
pub fn write_pgn(request: &wire::PgnWriteRequest) -> Result<String> {
    Ok(read_tree(request)?.to_string())
}

/// Games that were read, to be kept.
pub struct Import {
    records: Vec<Record>,
    faults: Vec<Fault>,
}

/// Reads the games of a PGN. This may take a while.
#[must_use]
pub fn read_import(text: &wire::PgnText) -> Import {
    let (games, mut faults) = pgn::read(&text.pgn, pgn::IMPORT);
    let mut records = Vec::with_capacity(games.len());
    for (number, game) in (1..).zip(&games) {
        match session::imported(game) {
            Ok(record) => records.push(record),
            Err(error) => faults.push(Fault::of_game(number, error.message)),
        }
    }
    if records.is_empty() && faults.is_empty() {
        faults.push(Fault { line: 1, column: 1, ..Fault::of_game(1, "there is no game in it") });
    }
    Import { records, faults }
}
