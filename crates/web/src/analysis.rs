//! Searches for people who study a position.

use crate::bench::Bench;
use crate::error::{Error, Result};
use crate::house::House;
use crate::pool::{Owner, Priority, Turn};
use crate::view;
use crate::wire::{AnalyseRequest, Analysis, Line};
use chess::{Game, Position};
use engine::{Limits, MAX_PLY, Usage};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The most lines that can be asked for.
pub const MAX_LINES: usize = 5;
/// No analysis takes longer.
const MAX_TIME: Duration = Duration::from_secs(600);
/// For the threat, which is looked at before the position itself.
const THREAT_NODES: u64 = 100_000;

/// What to search, read from a request.
#[derive(Clone)]
pub struct Question {
    game: Game,
    lines: usize,
    threat: bool,
    limits: Limits,
    time: Duration,
}

impl Question {
    /// Reads a request.
    ///
    /// # Errors
    /// When something in it is out of range.
    pub fn new(request: &AnalyseRequest) -> Result<Self> {
        let lines = request.lines.unwrap_or(1);
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(Error::bad_request(format!("lines: from 1 to {MAX_LINES}")));
        }
        if request.depth.is_some_and(|depth| !(1..MAX_PLY as i32).contains(&depth)) {
            return Err(Error::bad_request(format!("depth: from 1 to {}", MAX_PLY - 1)));
        }
        if request.nodes == Some(0) || request.time == Some(0) {
            return Err(Error::bad_request("nodes and time: more than 0"));
        }
        Ok(Self {
            game: view::read_game(&request.position)?,
            lines,
            threat: request.threat,
            limits: Limits { depth: request.depth, nodes: request.nodes, ..Limits::default() },
            time: request.time.map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME),
        })
    }

    /// No longer than this; and if nothing else ends it, only `default` long.
    #[must_use]
    pub fn within(mut self, longest: Duration, default: Duration) -> Self {
        let has_end = self.limits.depth.is_some() || self.limits.nodes.is_some() || self.time < MAX_TIME;
        self.time = if has_end { self.time.min(longest) } else { default };
        self
    }
}

/// Searches, telling what it finds through the channel, and returns the last of it. It may take several
/// turns at an engine; dropping the future ends the search.
///
/// # Errors
/// When no engine is to be had.
pub async fn analyse(
    house: &House,
    owner: &Owner,
    question: Question,
    sender: watch::Sender<Analysis>,
) -> Result<Analysis> {
    let question = Arc::new(question);
    let began = Instant::now();
    let mut threat = None;
    if question.threat
        && let Some(game) = game_after_pass(&question.game)
    {
        threat = house
            .pool
            .run(owner, Priority::Study, move |bench, turn| find_threat(bench, turn, &game))
            .await?;
    }
    let sender = Arc::new(sender);
    loop {
        let slice = Slice {
            question: Arc::clone(&question),
            sender: Arc::clone(&sender),
            threat: threat.clone(),
            began,
        };
        let is_done =
            house.pool.run(owner, Priority::Study, move |bench, turn| slice.search(bench, turn)).await?;
        if is_done || began.elapsed() >= question.time {
            break;
        }
    }
    sender.send_modify(|analysis| analysis.done = true);
    let last = sender.borrow().clone();
    Ok(last)
}

/// The game as if the side to move had passed; not in check, where that would be no chess.
fn game_after_pass(game: &Game) -> Option<Game> {
    let mut position: Position = *game.position();
    if position.is_check() || game.is_over() {
        return None;
    }
    position.play_null();
    position.has_legal_move().then(|| Game::with_variant(position, game.variant()))
}

fn find_threat(bench: &mut Bench, turn: &Turn, game: &Game) -> Option<Line> {
    bench.analyst.set_lines(1);
    let search = bench.analyst.search(game, Limits::nodes(THREAT_NODES), None, turn, &mut |_, _| {});
    let line = search.outcome.lines.first()?;
    Some(view::engine_line(line, game.position(), game.variant()))
}

/// One turn of an analysis.
struct Slice {
    question: Arc<Question>,
    sender: Arc<watch::Sender<Analysis>>,
    threat: Option<Line>,
    began: Instant,
}

impl Slice {
    /// Searches until the end or the end of the turn. Returns whether it was the end.
    fn search(&self, bench: &mut Bench, turn: &Turn) -> bool {
        let Question { game, lines, limits, time, .. } = &*self.question;
        let left = time.saturating_sub(self.began.elapsed());
        bench.analyst.set_lines(*lines);
        let search = bench.analyst.search(game, limits.clone(), Some(left), turn, &mut |lines, usage| {
            self.tell(lines, usage);
        });
        self.tell(&search.outcome.lines, &search.outcome.usage);
        !search.is_interrupted
    }

    /// Tells what was found, unless an earlier turn has looked deeper already.
    fn tell(&self, lines: &[engine::Line], usage: &Usage) {
        let depth = lines.iter().map(|line| line.depth).min().unwrap_or(0);
        let known = self.sender.borrow().depth;
        if lines.is_empty() || depth < known {
            return;
        }
        let game = &self.question.game;
        self.sender.send_replace(Analysis {
            fen: game.position().to_fen(),
            lines: lines
                .iter()
                .map(|line| view::engine_line(line, game.position(), game.variant()))
                .collect(),
            depth,
            nodes: usage.nodes,
            nps: usage.nodes_per_second(),
            time: self.began.elapsed().as_millis() as u64,
            threat: self.threat.clone(),
            done: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::PositionRequest;

    fn request(lines: usize) -> AnalyseRequest {
        AnalyseRequest {
            lines: Some(lines),
            position: PositionRequest::default(),
            ..AnalyseRequest::default()
        }
    }

    #[test]
    fn ranges_are_checked() {
        assert!(Question::new(&request(5)).is_ok());
        assert!(Question::new(&request(6)).is_err());
        assert!(Question::new(&request(0)).is_err());
        assert!(Question::new(&AnalyseRequest { depth: Some(0), ..request(1) }).is_err());
        assert!(Question::new(&AnalyseRequest { nodes: Some(0), ..request(1) }).is_err());
    }

    #[test]
    fn only_what_has_an_end_may_take_long() {
        let second = Duration::from_secs(1);
        let within = |request: &AnalyseRequest| {
            Question::new(request).expect("a question").within(30 * second, second).time
        };
        assert_eq!(within(&request(1)), second);
        assert_eq!(within(&AnalyseRequest { depth: Some(3), ..request(1) }), 30 * second);
        assert_eq!(within(&AnalyseRequest { time: Some(5000), ..request(1) }), 5 * second);
        assert_eq!(within(&AnalyseRequest { time: Some(99_000), ..request(1) }), 30 * second);
    }
}
