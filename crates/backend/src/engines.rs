//! The engines as the backend sees them: what it asks of them is plain data, so that they may be threads of this
//! process or workers of a browser. Each job says itself how an [`EngineSlot`] does it.

use crate::classic_books::ClassicBooks;
pub use crate::coaching::{CoachAnswer, CoachJob, CoachQuestion};
use crate::engine_slot::EngineSlot;
use crate::error::{Code, Error, Result};
use crate::game_review::{Effort, GameReview};
use crate::levels;
use crate::record::Player;
use crate::store::Pending;
use chess::{Color, Game, GameResult, Move};
use classics::{Budget, Classic, Decision};
use engine::{Level, Limits, Line, Usage};
use players::{ClockFace, Limit};
use review::{Reviewer, Settings};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// Full strength without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1500);
/// Classics know no clock; some would think for minutes.
const CLASSIC_TIME: Duration = Duration::from_secs(4);

/// Who has asked: fairness is between these.
pub type Owner = Arc<str>;

/// How long work takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Priority {
    /// A move or a hint, which a visitor waits for.
    Move,
    /// Analysis and review, which can be broken off and taken up again.
    Study,
}

/// A turn at an engine, asked again and again whether it is over.
#[derive(Clone)]
pub struct Turn(Arc<dyn Fn() -> bool + Send + Sync>);

impl Turn {
    /// A turn that lasts until this holds.
    #[must_use]
    pub fn until(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_over))
    }

    /// Whether to end now.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (self.0)()
    }
}

/// What a search has found so far.
pub type OnLines = Box<dyn FnMut(&[Line], &Usage) + Send>;
/// How many positions of how many a review has judged; says whether to continue.
pub type OnProgress = Box<dyn FnMut(usize, usize) -> bool + Send>;

/// Room for a review.
pub type Admission = Box<dyn Any + Send>;

/// The engines. Dropping an answer that is yet to come ends the work.
pub trait Engines: Send + Sync {
    /// The books that classics play from.
    fn books(&self) -> &ClassicBooks {
        ClassicBooks::NONE
    }

    /// Chooses a move.
    fn choose<'a>(&'a self, owner: &'a Owner, job: MoveJob) -> Pending<'a, Choice>;

    /// Finds the best line; none if the work was broken off.
    fn best_line<'a>(
        &'a self,
        owner: &'a Owner,
        priority: Priority,
        job: LineJob,
    ) -> Pending<'a, Option<Line>>;

    /// Asks the coach.
    fn coach<'a>(&'a self, owner: &'a Owner, job: CoachJob) -> Pending<'a, CoachAnswer>;

    /// Studies a position for one turn.
    fn study<'a>(&'a self, owner: &'a Owner, job: StudyJob, on_lines: OnLines) -> Pending<'a, Studied>;

    /// Makes room for a review, until what is returned is dropped.
    ///
    /// # Errors
    /// When there are too many already.
    fn admit_review(&self, owner: &Owner) -> Result<Admission>;

    /// Reviews a game.
    fn review<'a>(
        &'a self,
        owner: &'a Owner,
        job: ReviewJob,
        on_progress: OnProgress,
    ) -> Pending<'a, GameReview>;
}

/// A classic between two of its moves.
pub type SeatedClassic = Arc<Mutex<Box<dyn Classic + Send>>>;

/// An engine's choice.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Plays this.
    Move(Move),
    /// Gives up.
    Resign,
}

/// A move to be chosen, and everything an engine needs to know for it.
pub struct MoveJob {
    /// Which game.
    pub id: String,
    /// Which engine.
    pub player: Player,
    /// The game so far.
    pub game: Game,
    /// What the clocks show.
    pub clocks: [Option<ClockFace>; 2],
    /// Where the errors of levels come from.
    pub seed: u64,
    /// The classic that plays, with what it remembers.
    pub classic: Option<SeatedClassic>,
}

impl MoveJob {
    /// The side that the engine plays.
    #[must_use]
    pub fn color(&self) -> Color {
        self.game.position().turn()
    }

    /// Chooses.
    ///
    /// # Errors
    /// When there is no such engine, or it finds no move.
    pub fn run(&self, slot: &mut EngineSlot, turn: &Turn) -> Result<Choice> {
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

/// The best line of a position, to be found by a short search at full strength.
pub struct LineJob {
    /// The game whose position it is.
    pub game: Game,
    /// How long to search.
    pub nodes: u64,
    /// Without what the engine remembers of other searches, which shortens lines.
    pub is_fresh: bool,
}

impl LineJob {
    /// Searches.
    pub fn run(&self, slot: &mut EngineSlot, turn: &Turn) -> Option<Line> {
        if self.is_fresh {
            return slot.fresh_line(&self.game, self.nodes, turn);
        }
        slot.set_lines(1);
        let search = slot.search(&self.game, Limits::nodes(self.nodes), None, turn, &mut |_, _| {});
        search.outcome.lines.into_iter().next()
    }
}

/// A position to be studied.
pub struct StudyJob {
    /// The game whose position it is.
    pub game: Game,
    /// How many lines to find.
    pub lines: usize,
    /// No deeper than this.
    pub depth: Option<i32>,
    /// No more nodes than these.
    pub nodes: Option<u64>,
    /// No longer than this.
    pub time: Duration,
}

impl StudyJob {
    /// Searches until an end or the end of the turn.
    pub fn run(&self, slot: &mut EngineSlot, turn: &Turn, on_lines: &mut OnLines) -> Studied {
        slot.set_lines(self.lines);
        let limits = Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() };
        let search = slot.search(&self.game, limits, Some(self.time), turn, on_lines);
        let outcome = search.outcome;
        Studied { lines: outcome.lines, usage: outcome.usage, is_interrupted: search.is_interrupted }
    }
}

/// What a turn of study has found.
#[derive(Clone, Debug)]
pub struct Studied {
    /// The best lines.
    pub lines: Vec<Line>,
    /// What it has cost.
    pub usage: Usage,
    /// The turn was over before the study was.
    pub is_interrupted: bool,
}

/// A game to be reviewed.
pub struct ReviewJob {
    /// Its identifier.
    pub id: String,
    /// The game.
    pub game: Game,
    /// How it ended.
    pub result: GameResult,
    /// How thorough to be.
    pub effort: Effort,
}

impl ReviewJob {
    /// Reviews the game, with an engine of its own.
    ///
    /// # Errors
    /// When `proceed` says no, or the engine fails.
    pub fn run(&self, proceed: &mut dyn FnMut(usize, usize) -> bool) -> Result<GameReview> {
        let settings = Settings { nodes: self.effort.nodes(), ..Settings::default() };
        let mut reviewer = Reviewer::new(settings).map_err(|error| Error::internal(&error))?;
        let mut watch = |progress: review::Progress| {
            if proceed(progress.done, progress.total) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let review = reviewer
            .review(&self.game, self.result, &mut watch)
            .map_err(|_| Error::new(Code::Illegal, "the review was cancelled"))?;
        Ok(GameReview::new(&self.id, self.effort, &review))
    }
}
