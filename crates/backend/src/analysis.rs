//! Searches for people who study a position, and short ones for engines that are offered a draw.

use crate::engines::{LineJob, Owner, Priority, StudyJob};
use crate::error::{Code, Error, Result};
use crate::services::Services;
use chess::pgn::EvalScore;
use chess::{Game, Position};
use engine::{Line, MAX_PLY, Usage};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use web_time::Instant;

/// The most lines that can be asked for.
pub(crate) const MAX_LINES: usize = 5;
/// No analysis takes longer.
const MAX_TIME: Duration = Duration::from_secs(600);
/// For the threat, which is looked at before the position itself.
const THREAT_NODES: u64 = 100_000;

/// What to search.
#[derive(Clone)]
pub(crate) struct Question {
    game: Game,
    lines: usize,
    wants_threat: bool,
    depth: Option<i32>,
    nodes: Option<u64>,
    time: Duration,
}

impl Question {
    /// One line of the position that a game stands at, until the time is over.
    pub(crate) fn new(game: Game) -> Self {
        Self { game, lines: 1, wants_threat: false, depth: None, nodes: None, time: MAX_TIME }
    }

    /// With this many lines.
    ///
    /// # Errors
    /// When these are none or too many.
    pub(crate) fn with_lines(mut self, lines: usize) -> Result<Self> {
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(Error::bad_request(format!("lines: from 1 to {MAX_LINES}")));
        }
        self.lines = lines;
        Ok(self)
    }

    /// With the threat of the side that has moved.
    #[must_use]
    pub(crate) fn with_threat(mut self, wants_threat: bool) -> Self {
        self.wants_threat = wants_threat;
        self
    }

    /// Ends at a depth, a number of nodes, or a time, whichever comes first.
    ///
    /// # Errors
    /// When one of them is no end.
    pub(crate) fn with_ends(
        mut self,
        depth: Option<i32>,
        nodes: Option<u64>,
        time: Option<Duration>,
    ) -> Result<Self> {
        if depth.is_some_and(|depth| !(1..MAX_PLY as i32).contains(&depth)) {
            return Err(Error::bad_request(format!("depth: from 1 to {}", MAX_PLY - 1)));
        }
        if nodes == Some(0) || time == Some(Duration::ZERO) {
            return Err(Error::bad_request("nodes and time: more than 0"));
        }
        (self.depth, self.nodes) = (depth, nodes);
        self.time = time.unwrap_or(MAX_TIME).min(MAX_TIME);
        Ok(self)
    }

    /// No longer than this; and if nothing else ends it, only `default` long.
    #[must_use]
    pub(crate) fn within(mut self, longest: Duration, default: Duration) -> Self {
        let has_end = self.depth.is_some() || self.nodes.is_some() || self.time < MAX_TIME;
        self.time = if has_end { self.time.min(longest) } else { default };
        self
    }
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    /// The game whose position is searched.
    pub(crate) game: Arc<Game>,
    /// The best lines.
    pub(crate) lines: Vec<Line>,
    /// The depth that all of them have.
    pub(crate) depth: i32,
    /// What it has cost.
    pub(crate) usage: Usage,
    /// How long it has taken.
    pub(crate) time: Duration,
    /// What the other side would do if it were its turn.
    pub(crate) threat: Option<Threat>,
    /// Whether the search has ended.
    pub(crate) is_done: bool,
}

impl Findings {
    /// Nothing yet.
    pub(crate) fn none(question: &Question) -> Self {
        Self {
            game: Arc::new(question.game.clone()),
            lines: Vec::new(),
            depth: 0,
            usage: Usage::default(),
            time: Duration::ZERO,
            threat: None,
            is_done: false,
        }
    }
}

/// A line of the side that is not to move.
#[derive(Clone, Debug)]
pub(crate) struct Threat {
    /// The position after a pass.
    pub(crate) position: Position,
    /// What would be played.
    pub(crate) line: Line,
}

/// Searches, reporting what it finds through the channel, and returns the last of it. It may take several
/// turns at an engine; dropping the future ends the search.
///
/// # Errors
/// When no engine is free, or it fails.
pub(crate) async fn analyse(
    services: &Services,
    owner: &Owner,
    question: Question,
    sender: watch::Sender<Findings>,
) -> Result<Findings> {
    let began = Instant::now();
    let mut threat = None;
    if question.wants_threat
        && let Some(game) = game_after_pass(&question.game)
    {
        let position = *game.position();
        let job = LineJob { game, nodes: THREAT_NODES, is_fresh: false };
        let line = services.engines.best_line(owner, Priority::Study, job).await?;
        threat = line.map(|line| Threat { position, line });
    }
    let progress = Arc::new(AnalysisProgress { sender, threat, began });
    loop {
        let job = StudyJob {
            game: question.game.clone(),
            lines: question.lines,
            depth: question.depth,
            nodes: question.nodes,
            time: question.time.saturating_sub(began.elapsed()),
        };
        let reports = Arc::clone(&progress);
        let on_lines = Box::new(move |lines: &[Line], usage: &Usage| reports.report(lines, usage));
        let studied = services.engines.study(owner, job, on_lines).await?;
        progress.report(&studied.lines, &studied.usage);
        if !studied.is_interrupted || began.elapsed() >= question.time {
            break;
        }
    }
    progress.sender.send_modify(|findings| findings.is_done = true);
    let last = progress.sender.borrow().clone();
    Ok(last)
}

/// The game as if the side to move had passed; not in check, where no side may pass.
fn game_after_pass(game: &Game) -> Option<Game> {
    let mut position: Position = *game.position();
    if position.is_check() || game.is_over() {
        return None;
    }
    position.play_null();
    position.has_legal_move().then(|| Game::with_variant(position, game.variant()))
}

/// What an analysis has found, in all of its turns.
struct AnalysisProgress {
    sender: watch::Sender<Findings>,
    threat: Option<Threat>,
    began: Instant,
}

impl AnalysisProgress {
    /// Reports what was found, unless an earlier turn has looked deeper already.
    fn report(&self, lines: &[Line], usage: &Usage) {
        let depth = lines.iter().map(|line| line.depth).min().unwrap_or(0);
        let known = self.sender.borrow().depth;
        if lines.is_empty() || depth < known {
            return;
        }
        self.sender.send_modify(|findings| {
            findings.lines = lines.to_vec();
            findings.depth = depth;
            findings.usage = *usage;
            findings.time = self.began.elapsed();
            findings.threat.clone_from(&self.threat);
        });
    }
}

/// How a short search at full strength judges a position, from White's view.
///
/// # Errors
/// When no engine is free, or it fails.
pub(crate) async fn short_score(
    services: &Services,
    owner: &Owner,
    game: Game,
    nodes: u64,
) -> Result<EvalScore> {
    let turn = game.position().turn();
    let job = LineJob { game, nodes, is_fresh: false };
    let line = services.engines.best_line(owner, Priority::Move, job).await?;
    let line = line.ok_or_else(|| Error::new(Code::Busy, "the engine was interrupted"))?;
    Ok(line.score.for_white(turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question::new(Game::new())
    }

    #[test]
    fn ranges_are_checked() {
        assert!(question().with_lines(5).is_ok());
        assert!(question().with_lines(6).is_err());
        assert!(question().with_lines(0).is_err());
        assert!(question().with_ends(Some(0), None, None).is_err());
        assert!(question().with_ends(None, Some(0), None).is_err());
    }

    #[test]
    fn only_what_has_an_end_may_take_long() {
        let second = Duration::from_secs(1);
        let within = |depth: Option<i32>, time: Option<Duration>| {
            let question = question().with_ends(depth, None, time).expect("a question");
            question.within(30 * second, second).time
        };
        assert_eq!(within(None, None), second);
        assert_eq!(within(Some(3), None), 30 * second);
        assert_eq!(within(None, Some(5 * second)), 5 * second);
        assert_eq!(within(None, Some(99 * second)), 30 * second);
    }
}
