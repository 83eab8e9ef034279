//! Engines as players: when they think, for how long, and how they answer offers.

use super::live_game::LiveGame;
use super::{GameSession, Offer};
use crate::analysis;
use crate::engines::{Choice, MoveJob, Owner, SeatedClassic};
use crate::error::{Code, Result};
use crate::record::{GameKind, Record};
use crate::task::{self, AbortHandle};
use chess::Color;
use engine::DrawPolicy;
use players::ClockFace;
use std::time::Duration;
use web_time::Instant;

/// Between engines no move comes sooner than this after the one before, or it could not be followed.
const SHOW_TIME: Duration = Duration::from_millis(700);
/// The least time that a person takes for a move, and the range above it.
const PACE: Duration = Duration::from_millis(700);
const PACE_RANGE_MS: u64 = 2500;
/// For the answer to an offer.
const OFFER_NODES: u64 = 60_000;
/// When there is no engine to be had.
const RETRY: Duration = Duration::from_millis(500);

/// Lets the engine of a side think, and then do what it has chosen. Aborting the task breaks it off.
pub(super) fn think(game: &LiveGame, color: Color, classic: Option<SeatedClassic>) -> Option<AbortHandle> {
    let (session, generation) = (game.session()?, game.generation());
    let turn = EngineTurn::new(game, color, classic);
    Some(task::spawn(async move {
        let choice = turn.think(&session).await;
        // In a task of its own, because this one is aborted when the player takes a move back.
        task::spawn(async move { session.lock().await.engine_chose(generation, color, choice).await });
    }))
}

/// Lets the engine answer an offer: whether it agrees to a draw depends on how it stands.
pub(super) fn consider_draw(game: &LiveGame, offered_by: Color) {
    let Some(session) = game.session() else { return };
    let (owner, generation) = (game.engine_owner(), game.generation());
    let position = game.record().game.clone();
    let move_number = position.position().fullmove_number();
    task::spawn(async move {
        let score = analysis::short_score(&session.services, &owner, position, OFFER_NODES).await;
        let agrees = score.is_ok_and(|score| {
            let mut policy = DrawPolicy::default();
            policy.note(score.viewed_by(!offered_by));
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

/// A move that an engine is to make.
struct EngineTurn {
    owner: Owner,
    record: Record,
    clocks: [Option<ClockFace>; 2],
    color: Color,
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
            record: record.clone(),
            clocks,
            color,
            classic,
            least: pace.max(show).min(affordable),
        }
    }

    fn job(&self) -> MoveJob {
        MoveJob {
            id: self.record.id.clone(),
            player: self.record.player(self.color).clone(),
            game: self.record.game.clone(),
            clocks: self.clocks,
            seed: self.record.seed,
            classic: self.classic.clone(),
        }
    }

    async fn think(self, session: &GameSession) -> Result<Choice> {
        let began = Instant::now();
        let choice = loop {
            match session.services.engines.choose(&self.owner, self.job()).await {
                Err(error) if matches!(error.code, Code::Busy | Code::TooMany) => task::sleep(RETRY).await,
                result => break result?,
            }
        };
        task::sleep(self.least.saturating_sub(began.elapsed())).await;
        Ok(choice)
    }
}

/// How long a person would take for this move: the same whenever the game is the same.
fn human_pace(seed: u64, ply: usize) -> Duration {
    let mixed = (seed ^ ply as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    // Openings go faster.
    let range = if ply < 12 { PACE_RANGE_MS / 3 } else { PACE_RANGE_MS };
    PACE + Duration::from_millis(mixed % range)
}
