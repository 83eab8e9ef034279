//! Going through a game with the engine.

use crate::judge::Judgement;
use crate::report::{self, Finding, Review};
use chess::pgn::PgnGame;
use chess::{Game, GameResult};
use engine::{Bound, Engine, Event, Limits, Line, OptionError, Score, SearchError, StopToken};
use std::ops::ControlFlow;

/// Before a move is called an error, both positions are searched again with this many times the nodes.
const SECOND_LOOK: u64 = 4;
/// Lines that the second look compares, to find all good answers.
const SECOND_LOOK_LINES: usize = 3;

/// How thoroughly games are reviewed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Nodes for each position.
    pub nodes: u64,
    /// No deeper than this.
    pub depth: Option<i32>,
    /// Options of the engine by name, from its one table.
    pub options: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { nodes: 20_000, depth: None, options: Vec::new() }
    }
}

/// How far a review has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions judged.
    pub done: usize,
    /// Positions of the game. When all are done, the errors are still looked at again.
    pub total: usize,
}

/// Why there is no review.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReviewError {
    /// It was not wanted any more.
    #[error("the review was cancelled")]
    Cancelled,
    /// The engine failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Called before every search and whenever one has found something: shows the progress of the review and says
/// whether to continue.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Reviews one game after the other, each as if it were the first.
///
/// ```
/// use chess::pgn::Reader;
/// use review::{Judgement, Reviewer, Settings};
/// use std::ops::ControlFlow;
///
/// let game = Reader::new("1. f3 e5 2. g4 Qh4# 0-1".as_bytes()).next().unwrap()?;
/// let mut reviewer = Reviewer::new(Settings { nodes: 1000, ..Settings::default() })?;
/// let review = reviewer.review_pgn(&game, &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(review.moves[2].judgement, Some(Judgement::Blunder));
/// assert_eq!(review.moves[3].judgement, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer {
    engine: Engine,
    settings: Settings,
    stop: StopToken,
}

/// How closely a position was looked at.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd)]
enum Look {
    First,
    Second,
    SecondWithLines,
}

impl Reviewer {
    /// An engine with these settings. It searches with one thread, whatever they say: otherwise two
    /// reviews of a game would differ.
    ///
    /// # Errors
    /// When an option does not exist or its value does not fit.
    pub fn new(settings: Settings) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        for (name, value) in &settings.options {
            engine.set_option(name, value)?;
        }
        engine.configure(|settings| {
            settings.threads = 1;
            settings.analyse_mode = true;
        })?;
        Ok(Self { engine, settings, stop: StopToken::new() })
    }

    /// The same, but every review ends when the token is stopped.
    #[must_use]
    pub fn until(self, stop: &StopToken) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// Reviews a recorded game, without its variations, up to a passed move if there is one.
    ///
    /// # Errors
    /// When `watch` or the token ends it, or the engine fails.
    pub fn review_pgn(&mut self, pgn: &PgnGame, watch: Watch<'_>) -> Result<Review, ReviewError> {
        self.review(&pgn.playable(), pgn.result(), watch)
    }

    /// Reviews the moves played in a game that had, or has, this result.
    ///
    /// # Errors
    /// When `watch` or the token ends it, or the engine fails.
    pub fn review(
        &mut self,
        game: &Game,
        result: GameResult,
        watch: Watch<'_>,
    ) -> Result<Review, ReviewError> {
        self.engine.new_game();
        let mut game = game.clone();
        let last = game.ply();
        let total = last + 1;
        let mut findings: Vec<Finding> = vec![Vec::new(); total];
        // Backwards, because the table then knows already what the move played leads to.
        for ply in (0..total).rev() {
            let progress = Progress { done: last - ply, total };
            game.goto(ply);
            findings[ply] = self.look(&game, ply == last, Look::First, &mut || watch(progress))?;
        }
        let mut proceed = || watch(Progress { done: total, total });
        game.goto(last);
        self.look_again(&mut game, &mut findings, &mut proceed)?;
        game.goto(last);
        Ok(Review::new(&game, result, &findings))
    }

    /// Makes sure of every error. New findings may make errors of the moves next to them, so this is
    /// repeated until nothing changes; no position is searched more than three times.
    fn look_again(
        &mut self,
        game: &mut Game,
        findings: &mut [Finding],
        proceed: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), ReviewError> {
        let moves: Vec<_> = game.moves().collect();
        let mut looks = vec![Look::First; findings.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (ply, &mv) in moves.iter().enumerate().rev() {
                let loss = report::loss_of(mv, &findings[ply], &findings[ply + 1]);
                if Judgement::of_loss(loss).is_none() || looks[ply] == Look::SecondWithLines {
                    continue;
                }
                for (ply, wanted) in [(ply + 1, Look::Second), (ply, Look::SecondWithLines)] {
                    if looks[ply] < wanted {
                        game.goto(ply);
                        findings[ply] = self.look(game, ply == moves.len(), wanted, proceed)?;
                        looks[ply] = wanted;
                    }
                }
                changed = true;
            }
        }
        Ok(())
    }

    /// Judges the position that the game is at.
    fn look(
        &mut self,
        game: &Game,
        is_last: bool,
        look: Look,
        proceed: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Finding, ReviewError> {
        // A draw that ended the game is one, whatever could still have been played.
        let drawn =
            game.outcome().or_else(|| game.claimable()).is_some_and(|outcome| outcome.winner.is_none());
        if is_last && drawn {
            let score = Score::DRAW;
            let bound = Bound::Exact;
            return Ok(vec![Line { rank: 1, depth: 0, selective_depth: 0, score, bound, moves: Vec::new() }]);
        }
        let Settings { nodes, depth, .. } = self.settings;
        let nodes = if look == Look::First { nodes } else { nodes.saturating_mul(SECOND_LOOK) };
        let lines = if look == Look::SecondWithLines { SECOND_LOOK_LINES } else { 1 };
        self.engine.set_lines(lines);
        if proceed().is_break() {
            return Err(ReviewError::Cancelled);
        }
        let stop = self.stop.child();
        let limits = Limits { nodes: Some(nodes), depth, ..Limits::default() }.until(&stop);
        let mut completed = None;
        let outcome = self.engine.search(game, limits, |event| {
            if let Event::Lines(lines, _) = event
                && lines.iter().all(|line| line.bound == Bound::Exact)
            {
                completed = Some(lines);
            }
            if proceed().is_break() {
                stop.stop();
            }
        })?;
        if stop.is_stopped() {
            return Err(ReviewError::Cancelled);
        }
        // The last iteration counts that was completed: where the nodes end in the middle of one, scores are
        // bounds, or of different depths.
        let mut lines = completed.unwrap_or(outcome.lines);
        lines.sort_by_key(|line| line.rank);
        Ok(lines)
    }
}
