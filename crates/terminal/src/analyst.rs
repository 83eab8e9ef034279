//! Gardez at full strength, which gives hints and analysis whoever plays.

use crate::player_thread::{Report, Reporter, RequestId};
use crate::words;
use chess::pgn::EvalScore;
use chess::{Color, Game, Move, Position};
use engine::{Engine, Event, Limits, Line, ReportedScore};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the analyst thinks so far.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisUpdate {
    /// The best lines, best first.
    pub lines: Vec<AnalysisLine>,
    /// Whether this is the last word.
    pub is_final: bool,
}

/// A line of play and its score.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisLine {
    /// Seen from White.
    pub score: EvalScore,
    /// Full plies searched.
    pub depth: i32,
    /// The moves, at least one unless the game is over.
    pub moves: Vec<Move>,
}

impl AnalysisLine {
    fn new(line: &Line, turn: Color) -> Self {
        let sign = if turn == Color::White { 1 } else { -1 };
        let score = match line.score.to_reported() {
            ReportedScore::Mate(moves) => EvalScore::Mate(sign * moves),
            ReportedScore::Units(units) => EvalScore::Centipawns(sign * engine::wdl::centipawns(units)),
        };
        Self { score, depth: line.depth, moves: line.moves.clone() }
    }

    /// The line in words, at most `moves` of them.
    pub fn text(&self, position: &Position, moves: usize) -> String {
        let moves = words::numbered(position, self.moves.iter().copied().take(moves)).join(" ");
        format!("{} depth {}: {moves}", words::score(self.score), self.depth)
    }
}

/// How long the analyst thinks and how much it reports.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// One good move, soon.
    Hint,
    /// The best lines after some thought.
    Analysis,
    /// Lines until it is stopped.
    Watch,
}

/// How many lines an analysis shows.
const LINES: &str = "3";
const HINT_NODES: u64 = 400_000;
const ANALYSIS_NODES: u64 = 1_000_000;

/// The analyst. Dropping it ends its search.
pub(crate) struct Analyst {
    engine: Engine,
    id: Arc<AtomicU64>,
    turn: Arc<AtomicU64>,
}

impl Analyst {
    /// An analyst that answers to `reporter`.
    pub(crate) fn new(reporter: Reporter) -> Self {
        let id = Arc::new(AtomicU64::new(0));
        let turn = Arc::new(AtomicU64::new(0));
        let (current, mover) = (Arc::clone(&id), Arc::clone(&turn));
        let engine = Engine::new(Arc::new(move |event| {
            let (lines, is_final) = match &event {
                Event::Lines(lines, _) => (lines, false),
                Event::Finished(outcome) => (&outcome.lines, true),
                Event::Note(_) | Event::CurrentMove { .. } => return,
            };
            let turn = Color::ALL[mover.load(Ordering::Relaxed) as usize & 1];
            let lines = lines.iter().map(|line| AnalysisLine::new(line, turn)).collect();
            let id = RequestId(current.load(Ordering::Relaxed));
            reporter(Report::Analysed(id, AnalysisUpdate { lines, is_final }));
        }));
        Self { engine, id, turn }
    }

    /// Begins to think about a game. What it thought about before is dropped.
    pub(crate) fn ask(&mut self, id: RequestId, game: &Game, effort: Effort) {
        self.stop();
        self.id.store(id.0, Ordering::Relaxed);
        self.turn.store(game.position().turn().index() as u64, Ordering::Relaxed);
        self.engine.set_game(game);
        let lines = if effort == Effort::Hint { "1" } else { LINES };
        let set = self.engine.set_option("MultiPV", lines);
        debug_assert_eq!(set, Ok(()));
        self.engine.go(match effort {
            Effort::Hint => Limits::nodes(HINT_NODES),
            Effort::Analysis => Limits::nodes(ANALYSIS_NODES),
            Effort::Watch => Limits { infinite: true, ..Limits::default() },
        });
    }

    /// Stops thinking.
    pub(crate) fn stop(&self) {
        self.engine.stop();
        self.engine.wait();
    }
}
