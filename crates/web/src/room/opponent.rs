//! Engines as players: when they think, for how long, and how they answer offers.

use super::Room;
use super::table::{SeatedClassic, Table};
use crate::bench::Bench;
use crate::error::{Code, Error, Result};
use crate::levels;
use crate::pool::{Owner, Priority, Turn};
use crate::record::Player;
use crate::view;
use crate::wire::{GameKind, Message, Offer, Score};
use chess::{Color, Game, Move};
use classics::{Budget, ClassicSpec, Decision};
use engine::{Clock, Limits};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Full strength without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1500);
/// Classics know no clock; some would think for minutes.
const CLASSIC_TIME: Duration = Duration::from_secs(4);
/// Between engines no move comes sooner than this after the one before, or nobody could follow.
const SHOW_TIME: Duration = Duration::from_millis(700);
/// A person thinks at least so long, and up to so much longer.
const PACE: Duration = Duration::from_millis(700);
const PACE_RANGE_MS: u64 = 2500;
/// A hint, and what an engine thinks of an offer.
const HINT_NODES: u64 = 400_000;
const OFFER_NODES: u64 = 60_000;
/// An engine plays on for so many plies before it agrees to a draw.
const OPENING_PLIES: usize = 30;
/// When there is no engine to be had.
const RETRY: Duration = Duration::from_millis(500);

/// An engine's choice.
enum Choice {
    Move(Move),
    Resign,
}

impl Room {
    /// Lets an engine think if it is its turn; or stops it if nobody is there to see.
    pub(super) fn wake_engine(self: &Arc<Self>, table: &mut Table) {
        let game = &table.record.game;
        let color = game.position().turn();
        let is_due = table.record.player(color).is_engine()
            && table.record.kind != GameKind::Imported
            && !game.is_over()
            && !table.is_paused
            && table.is_attended(self.house.at_home);
        let is_at_work = table.thinking.as_ref().is_some_and(|(thinking, _)| *thinking == color);
        if is_due && is_at_work {
            return;
        }
        table.stop_engine();
        if !is_due {
            return;
        }
        let (room, generation) = (Arc::clone(self), table.generation);
        let turn = EngineTurn::new(table, color);
        let task = tokio::spawn(async move {
            let choice = turn.think(&room).await;
            // In a task of its own, because this one is aborted when the player takes a move back.
            tokio::spawn(async move { room.play_choice(generation, color, choice).await });
        });
        table.thinking = Some((color, task.abort_handle()));
    }

    async fn play_choice(self: Arc<Self>, generation: u64, color: Color, choice: Result<Choice>) {
        let mut table = self.table.lock().await;
        if table.generation != generation {
            return;
        }
        table.thinking = None;
        let played = match choice {
            Ok(Choice::Move(mv)) => self.play_move(&mut table, mv).await,
            Ok(Choice::Resign) => self
                .declare(&mut table, |record| record.game.resign(color).map(drop).map_err(Error::illegal))
                .await
                .map(drop),
            Err(error) => Err(error),
        };
        if let Err(error) = played {
            // It is tried again when somebody comes in, so that no game hangs for ever.
            tracing::warn!("the engine in game {}: {error}", self.id);
        }
    }

    /// Whether the engine agrees to a draw depends on how it stands.
    pub(super) fn let_engine_consider_draw(self: &Arc<Self>, table: &Table) {
        let Some(offered_by) = table.offers.draw.map(Color::from) else { return };
        let (room, generation) = (Arc::clone(self), table.generation);
        let game = table.record.game.clone();
        let owner = owner(table);
        tokio::spawn(async move {
            let score = if game.ply() < OPENING_PLIES {
                None
            } else {
                room.look(&owner, game, OFFER_NODES).await.ok().map(|look| look.score)
            };
            let engine_stands_better = match (score, !offered_by) {
                (None, _) => true,
                (Some(Score::Cp(cp)), Color::White) => cp > 0,
                (Some(Score::Cp(cp)), Color::Black) => cp < 0,
                (Some(Score::Mate(moves)), Color::White) => moves > 0,
                (Some(Score::Mate(moves)), Color::Black) => moves < 0,
            };
            let mut table = room.table.lock().await;
            if table.generation != generation || table.offers.draw != Some(offered_by.into()) {
                return;
            }
            if engine_stands_better {
                room.decline(&mut table, Offer::Draw);
            } else if let Err(error) = room.agree_draw(&mut table).await {
                tracing::warn!("an agreed draw: {error}");
            }
        });
    }

    /// The best move at full strength.
    ///
    /// # Errors
    /// When the game is over or no engine is to be had.
    pub async fn hint(self: &Arc<Self>, owner: &Owner) -> Result<Message> {
        let game = self.table.lock().await.record.game.clone();
        if let Some(outcome) = game.outcome() {
            return Err(Error::illegal(format!("the game is over: {outcome}")));
        }
        let look = self.look(owner, game, HINT_NODES).await?;
        let best = look.line.first().cloned().ok_or_else(|| Error::internal(&"a hint without a move"))?;
        Ok(Message::Hint { uci: best.uci, san: best.san, score: look.score, line: look.line })
    }

    async fn look(&self, owner: &Owner, game: Game, nodes: u64) -> Result<Look> {
        self.house
            .pool
            .run(owner, Priority::Move, move |bench, turn| look(bench, turn, &game, nodes))
            .await?
            .ok_or_else(|| Error::new(Code::Busy, "the engine was interrupted"))
    }
}

/// What a short search at full strength finds.
pub struct Look {
    /// From White's view.
    pub score: Score,
    /// How many per cent of the point White may expect.
    pub win: f64,
    /// The best line.
    pub line: Vec<crate::wire::MoveName>,
}

/// A short search at full strength.
pub fn look(bench: &mut Bench, turn: &Turn, game: &Game, nodes: u64) -> Option<Look> {
    bench.analyst.set_lines(1);
    let search = bench.analyst.search(game, Limits::nodes(nodes), None, turn, &mut |_, _| {});
    let line = search.outcome.lines.first()?;
    let position = game.position();
    let percent = review::judge::win_percent(line.score);
    Some(Look {
        score: view::score(line.score, position.turn()),
        win: if position.turn() == Color::White { percent } else { 100.0 - percent },
        line: view::line_moves(position, &line.moves, game.variant()),
    })
}

/// For whom the engine works: whoever watches, players first.
fn owner(table: &Table) -> Owner {
    let mut players = table.record.players.iter().filter_map(Player::visitor);
    let watches = |visitor: &str| table.watchers.values().any(|watcher| &*watcher.visitor == visitor);
    let player = players.find(|visitor| watches(visitor)).map(Owner::from);
    player
        .or_else(|| table.watchers.values().next().map(|watcher| Arc::clone(&watcher.visitor)))
        .unwrap_or_else(|| Owner::from(""))
}

/// Everything an engine needs to know to move.
struct EngineTurn {
    owner: Owner,
    player: Player,
    game: Game,
    clocks: [Option<Clock>; 2],
    seed: u64,
    classic: Option<SeatedClassic>,
    /// No move before so much time has passed.
    least: Duration,
}

impl EngineTurn {
    fn new(table: &mut Table, color: Color) -> Self {
        let record = &table.record;
        let player = record.player(color).clone();
        if let Player::Classic { id } = &player
            && table.classics[color.index()].is_none()
            && let Ok(spec) = id.parse::<ClassicSpec>()
        {
            table.classics[color.index()] = Some(Arc::new(Mutex::new(spec.create())));
        }
        let clocks = Color::ALL.map(|color| {
            record.clock.map(|setting| Clock {
                left_ms: i64::try_from(record.left[color.index()]).unwrap_or(i64::MAX),
                increment_ms: i64::try_from(setting.increment).unwrap_or(i64::MAX),
            })
        });
        let pace =
            if record.human_pace { human_pace(record.seed, record.game.ply()) } else { Duration::ZERO };
        let show = if record.kind == GameKind::Engines { SHOW_TIME } else { Duration::ZERO };
        // Nobody loses on time by being polite.
        let affordable = clocks[color.index()]
            .map_or(Duration::MAX, |clock| Duration::from_millis(clock.left_ms as u64 / 40));
        Self {
            owner: owner(table),
            player,
            game: record.game.clone(),
            clocks,
            seed: record.seed,
            classic: table.classics[color.index()].clone(),
            least: pace.max(show).min(affordable),
        }
    }

    async fn think(self, room: &Room) -> Result<Choice> {
        let began = Instant::now();
        let least = self.least;
        let owner = Arc::clone(&self.owner);
        let turn = Arc::new(self);
        let choice = loop {
            let this = Arc::clone(&turn);
            let work = move |bench: &mut Bench, turn: &Turn| this.choose(bench, turn);
            match room.house.pool.run(&owner, Priority::Move, work).await {
                Err(error) if matches!(error.code, Code::Busy | Code::TooMany) => {
                    tokio::time::sleep(RETRY).await;
                }
                result => break result?,
            }
        }?;
        tokio::time::sleep(least.saturating_sub(began.elapsed())).await;
        Ok(choice)
    }

    fn choose(&self, bench: &mut Bench, turn: &Turn) -> Result<Choice> {
        match &self.player {
            Player::Level { id } => self.choose_by_level(bench, turn, id),
            Player::Classic { .. } => self.choose_by_classic(turn),
            Player::Person { .. } => Err(Error::internal(&"a person is no engine")),
        }
    }

    fn choose_by_level(&self, bench: &mut Bench, turn: &Turn, id: &str) -> Result<Choice> {
        let level = levels::find(id)?;
        let is_timed = !levels::is_limited(level);
        let desk = if is_timed { &mut bench.analyst } else { &mut bench.player };
        desk.set_lines(1);
        levels::set(&mut desk.engine, level, self.seed, self.game.ply());
        let limits = match (is_timed, self.clocks) {
            (true, [None, None]) => Limits::move_time(MOVE_TIME),
            (true, clocks) => Limits { clocks, ..Limits::default() },
            (false, _) => Limits::default(),
        };
        let search = desk.search(&self.game, limits, None, turn, &mut |_, _| {});
        levels::unset(&mut desk.engine);
        let best = search.outcome.best.ok_or_else(|| Error::internal(&"the engine found no move"))?;
        Ok(Choice::Move(best))
    }

    fn choose_by_classic(&self, turn: &Turn) -> Result<Choice> {
        let classic = self.classic.as_ref().ok_or_else(|| Error::internal(&"there is no such classic"))?;
        let began = Instant::now();
        let clock = self.clocks[self.game.position().turn().index()];
        let time = clock.map_or(CLASSIC_TIME, |clock| {
            let share = clock.left_ms / 30 + clock.increment_ms / 2;
            Duration::from_millis(share.min(clock.left_ms / 2).max(1) as u64).min(CLASSIC_TIME)
        });
        let stop = || turn.is_over() || began.elapsed() >= time;
        let budget = Budget { stop: &stop, ..Budget::default() };
        let mut classic = classic.lock().unwrap_or_else(PoisonError::into_inner);
        let choice = classic.think(&self.game, &budget).map_err(|error| Error::internal(&error))?;
        Ok(match choice.decision {
            Decision::Play(mv) => Choice::Move(mv),
            Decision::Resign => Choice::Resign,
        })
    }
}

/// How long a person would take for this move: the same whenever the game is the same.
fn human_pace(seed: u64, ply: usize) -> Duration {
    let mixed = (seed ^ ply as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    // Openings go faster.
    let range = if ply < 12 { PACE_RANGE_MS / 3 } else { PACE_RANGE_MS };
    PACE + Duration::from_millis(mixed % range)
}
