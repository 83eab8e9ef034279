//! Gardez at full strength, which gives hints and analysis whoever plays.

use crate::player_thread::{Report, Reporter, RequestId};
use crate::words;
use chess::pgn::EvalScore;
use chess::{Color, Game, Move, Position};
use engine::{Engine, Event, Limits, Line, StopToken};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

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
        Self { score: line.score.for_white(turn), depth: line.depth, moves: line.moves.clone() }
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
const LINES: usize = 3;
const HINT_NODES: u64 = 400_000;
const ANALYSIS_NODES: u64 = 1_000_000;

impl Effort {
    const fn lines(self) -> usize {
        match self {
            Self::Hint => 1,
            Self::Analysis | Self::Watch => LINES,
        }
    }

    fn limits(self) -> Limits {
        match self {
            Self::Hint => Limits::nodes(HINT_NODES),
            Self::Analysis => Limits::nodes(ANALYSIS_NODES),
            Self::Watch => Limits { infinite: true, ..Limits::default() },
        }
    }
}

/// What the analyst is to think about.
struct Question {
    id: RequestId,
    game: Game,
    effort: Effort,
    stop: StopToken,
}

/// The analyst, on a thread of its own. Dropping it ends its search.
pub(crate) struct Analyst {
    reporter: Reporter,
    /// Taken when it is to end.
    questions: Option<Sender<Question>>,
    thread: Option<JoinHandle<()>>,
    /// Ends the search for the last question.
    token: StopToken,
}

impl Analyst {
    /// An analyst that answers to `reporter`.
    pub(crate) fn new(reporter: Reporter) -> Self {
        let (sender, questions) = mpsc::channel();
        let answers = reporter.clone();
        let thread = std::thread::Builder::new()
            .name("analyst".to_owned())
            .spawn(move || analyse(&questions, &answers))
            .ok();
        Self { reporter, questions: Some(sender), thread, token: StopToken::new() }
    }

    /// Begins to think about a game. What it thought about before is dropped.
    pub(crate) fn ask(&mut self, id: RequestId, game: &Game, effort: Effort) {
        self.stop();
        self.token = StopToken::new();
        let question = Question { id, game: game.clone(), effort, stop: self.token.clone() };
        let asked = self.questions.as_ref().is_some_and(|questions| questions.send(question).is_ok());
        if !asked {
            (self.reporter)(Report::Analysed(id, AnalysisUpdate { lines: Vec::new(), is_final: true }));
        }
    }

    /// Stops thinking.
    pub(crate) fn stop(&self) {
        self.token.stop();
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.stop();
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn analyse(questions: &Receiver<Question>, reporter: &Reporter) {
    let mut engine = Engine::new();
    for Question { id, game, effort, stop } in questions {
        let turn = game.position().turn();
        let report = |lines: &[Line], is_final| {
            let lines = lines.iter().map(|line| AnalysisLine::new(line, turn)).collect();
            reporter(Report::Analysed(id, AnalysisUpdate { lines, is_final }));
        };
        engine.set_lines(effort.lines());
        let outcome = engine.search(&game, effort.limits().until(&stop), |event| {
            if let Event::Lines(lines, _) = event {
                report(&lines, false);
            }
        });
        report(&outcome.unwrap_or_default().lines, true);
    }
}
