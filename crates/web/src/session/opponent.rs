//! Engines as players: when they think, for how long, and how they answer offers.

use super::live_game::LiveGame;
use super::{GameSession, Offer};
use crate::analysis;
use crate::engine_slot::EngineSlot;
use crate::error::{Code, Error, Result};
use crate::levels;
use crate::pool::{Owner, Priority, Turn};
use crate::record::{GameKind, Player};
use chess::{Color, Game, Move};
use classics::{Budget, Classic, Decision};
use engine::{DrawPolicy, Level, Limits};
use players::{ClockFace, Limit};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::AbortHandle;

/// Full strength without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1500);
/// Classics know no clock; some would think for minutes.
const CLASSIC_TIME: Duration = Duration::from_secs(4);
/// Between engines no move comes sooner than this after the one before, or it could not be followed.
const SHOW_TIME: Duration = Duration::from_millis(700);
/// The least time that a person takes for a move, and the range above it.
const PACE: Duration = Duration::from_millis(700);
const PACE_RANGE_MS: u64 = 2500;
/// For the answer to an offer.
const OFFER_NODES: u64 = 60_000;
/// When there is no engine to be had.
const RETRY: Duration = Duration::from_millis(500);

/// A classic between two of its moves.
pub(super) type SeatedClassic = Arc<Mutex<Box<dyn Classic + Send>>>;

/// An engine's choice.
pub(super) enum Choice {
    /// Plays this.
    Move(Move),
    /// Gives up.
    Resign,
}

/// Lets the engine of a side think, and then do what it has chosen. Aborting the task breaks it off.
pub(super) fn think(game: &LiveGame, color: Color, classic: Option<SeatedClassic>) -> Option<AbortHandle> {
    let (session, generation) = (game.session()?, game.generation());
    let turn = EngineTurn::new(game, color, classic);
    let task = tokio::spawn(async move {
        let choice = turn.think(&session).await;
        // In a task of its own, because this one is aborted when the player takes a move back.
        tokio::spawn(async move { session.lock().await.engine_chose(generation, color, choice).await });
    });
    Some(task.abort_handle())
}

/// Lets the engine answer an offer: whether it agrees to a draw depends on how it stands.
pub(super) fn consider_draw(game: &LiveGame, offered_by: Color) {
    let Some(session) = game.session() else { return };
    let (owner, generation) = (game.engine_owner(), game.generation());
    let position = game.record().game.clone();
    let move_number = position.position().fullmove_number();
    tokio::spawn(async move {
        let best = analysis::best_line(&session.services, &owner, position, OFFER_NODES).await;
        let agrees = best.is_ok_and(|best| {
            let mut policy = DrawPolicy::default();
            policy.note(best.score.viewed_by(!offered_by));
            policy.accepts(move_number)
        });
        let mut game = session.lock().await;
        if game.generation() != generation || game.offers().by(Offer::Draw) != Some(offered_by) {
            return;
        }
        if !agrees {
            game.decline(Offer::Draw);
        } else if let Err(error) = game.agree_draw().await {
            tracing::warn!("an agreed draw: {error}");
        }
    });
}

/// Everything an engine needs to know to move.
struct EngineTurn {
    owner: Owner,
    player: Player,
    game: Game,
    clocks: [Option<ClockFace>; 2],
    seed: u64,
    classic: Option<SeatedClassic>,
    /// No move before this time has passed.
    least: Duration,
}

impl EngineTurn {
    fn new(game: &LiveGame, color: Color, classic: Option<SeatedClassic>) -> Self {
        let record = game.record();
        let now = Instant::now();
        let clocks = Color::ALL.map(|color| record.clock.as_ref()?.face(color, now));
        let pace =
            if record.human_pace { human_pace(record.seed, record.game.ply()) } else { Duration::ZERO };
        let show = if record.kind == GameKind::Engines { SHOW_TIME } else { Duration::ZERO };
        // No game is lost on time by a polite pause.
        let affordable = clocks[color.index()].map_or(Duration::MAX, |face| face.left / 40);
        Self {
            owner: game.engine_owner(),
            player: record.player(color).clone(),
            game: record.game.clone(),
            clocks,
            seed: record.seed,
            classic,
            least: pace.max(show).min(affordable),
        }
    }

    async fn think(self, session: &GameSession) -> Result<Choice> {
        let began = Instant::now();
        let least = self.least;
        let owner = Arc::clone(&self.owner);
        let turn = Arc::new(self);
        let choice = loop {
            let this = Arc::clone(&turn);
            let work = move |slot: &mut EngineSlot, turn: &Turn| this.choose(slot, turn);
            match session.services.pool.run(&owner, Priority::Move, work).await {
                Err(error) if matches!(error.code, Code::Busy | Code::TooMany) => {
                    tokio::time::sleep(RETRY).await;
                }
                result => break result?,
            }
        }?;
        tokio::time::sleep(least.saturating_sub(began.elapsed())).await;
        Ok(choice)
    }

    fn choose(&self, slot: &mut EngineSlot, turn: &Turn) -> Result<Choice> {
        match &self.player {
            Player::Level { id } => self.choose_by_level(slot, turn, levels::find(id)?),
            Player::Classic { .. } => self.choose_by_classic(turn),
            Player::Person { .. } => Err(Error::internal(&"a person is no engine")),
        }
    }

    fn choose_by_level(&self, slot: &mut EngineSlot, turn: &Turn, level: Level) -> Result<Choice> {
        // Levels below full strength are limited by nodes, whatever the clock says.
        let limits = match level {
            Level::Full if self.clocks == [None, None] => Limits::move_time(MOVE_TIME),
            Level::Full => self.turn(Limit::default()).search_limits(),
            Level::Elo(_) => Limits::default(),
        };
        let best = slot.play_at(level, self.seed, &self.game, limits, turn);
        best.map(Choice::Move).ok_or_else(|| Error::internal(&"the engine found no move"))
    }

    fn choose_by_classic(&self, turn: &Turn) -> Result<Choice> {
        let classic = self.classic.as_ref().ok_or_else(|| Error::internal(&"there is no such classic"))?;
        let began = Instant::now();
        let limit = Limit { move_time: Some(CLASSIC_TIME), ..Limit::default() };
        let time = players::time_for_classic(&self.turn(limit)).unwrap_or(CLASSIC_TIME);
        let stop = || turn.is_over() || began.elapsed() >= time;
        let budget = Budget { stop: &stop, ..Budget::default() };
        let mut classic = classic.lock().unwrap_or_else(PoisonError::into_inner);
        let choice = classic.think(&self.game, &budget).map_err(|error| Error::internal(&error))?;
        Ok(match choice.decision {
            Decision::Play(mv) => Choice::Move(mv),
            Decision::Resign => Choice::Resign,
        })
    }

    fn turn(&self, limit: Limit) -> players::Turn<'_> {
        players::Turn { game: &self.game, limit, clocks: self.clocks, patience: Duration::MAX }
    }
}

/// How long a person would take for this move: the same whenever the game is the same.
fn human_pace(seed: u64, ply: usize) -> Duration {
    let mixed = (seed ^ ply as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    // Openings go faster.
    let range = if ply < 12 { PACE_RANGE_MS / 3 } else { PACE_RANGE_MS };
    PACE + Duration::from_millis(mixed % range)
}
