//! Gardez at full strength, which gives hints, reasons and analysis whoever plays.

use crate::player_thread::{Report, Reporter, RequestId};
use crate::words;
use chess::pgn::EvalScore;
use chess::{Color, Game, Move, Position, Square};
use coach::{Catalogue, Claim, Coach, Fact};
use engine::{Engine, Event, Limits, Line, StopToken};
use std::error::Error;
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

/// What the coach answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Advice {
    /// A hint: what to look at, the idea, the move.
    Hint(Vec<HintStep>),
    /// Sentences.
    Words(String),
}

/// A step of a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HintStep {
    /// What it says.
    pub text: String,
    /// The piece to look at.
    pub square: Option<Square>,
    /// The move, in the last step.
    pub mv: Option<Move>,
}

impl HintStep {
    fn new(claim: &Claim, catalogue: &Catalogue) -> Self {
        let square = match &claim.fact {
            Fact::LookAt { man } => Some(man.square),
            _ => None,
        };
        let mv = claim.variation().and_then(|line| line.moves.first().copied());
        Self { text: catalogue.sentence(claim), square, mv }
    }
}

/// What the coach is asked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum CoachQuestion {
    /// A good move, in steps.
    Hint,
    /// Why this move would be good or bad; without one, why the last move was.
    Why(Option<Move>),
    /// What the opponent threatens.
    Threat,
}

/// What the analyst is asked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// What the coach knows.
    Coach(CoachQuestion),
    /// The best lines after some thought.
    Analysis,
    /// Lines until it is stopped.
    Watch,
}

/// How many lines an analysis shows.
const LINES: usize = 3;
const ANALYSIS_NODES: u64 = 1_000_000;
/// For each position that the coach looks at.
const COACH_NODES: u64 = 100_000;

/// What the analyst is to think about.
struct Question {
    id: RequestId,
    game: Game,
    asked: Asked,
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
    pub(crate) fn ask(&mut self, id: RequestId, game: &Game, asked: Asked) {
        self.stop();
        self.token = StopToken::new();
        let question = Question { id, game: game.clone(), asked, stop: self.token.clone() };
        let is_asked = self.questions.as_ref().is_some_and(|questions| questions.send(question).is_ok());
        if !is_asked {
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
    let mut coach = None;
    for Question { id, game, asked, stop } in questions {
        let limits = match asked {
            Asked::Analysis => Limits::nodes(ANALYSIS_NODES),
            Asked::Watch => Limits { infinite: true, ..Limits::default() },
            Asked::Coach(question) => {
                let advice = advise(&mut coach, question, &game, &stop)
                    .unwrap_or_else(|error| Advice::Words(format!("The coach has no answer: {error}.")));
                reporter(Report::Advised(id, advice));
                continue;
            }
        };
        let turn = game.position().turn();
        let report = |lines: &[Line], is_final| {
            let lines = lines.iter().map(|line| AnalysisLine::new(line, turn)).collect();
            reporter(Report::Analysed(id, AnalysisUpdate { lines, is_final }));
        };
        engine.set_lines(LINES);
        let outcome = engine.search(&game, limits.until(&stop), |event| {
            if let Event::Lines(lines, _) = event {
                report(&lines, false);
            }
        });
        report(&outcome.unwrap_or_default().lines, true);
    }
}

/// Asks the coach, who comes when first asked.
fn advise(
    place: &mut Option<Coach>,
    question: CoachQuestion,
    game: &Game,
    stop: &StopToken,
) -> Result<Advice, Box<dyn Error>> {
    let coach = match place.take() {
        Some(coach) => coach,
        None => Coach::new(COACH_NODES)?,
    };
    let coach = place.insert(coach.until(stop));
    let catalogue = Catalogue::english();
    Ok(match question {
        CoachQuestion::Hint => {
            let steps = coach.hint(game)?;
            Advice::Hint(steps.iter().map(|claim| HintStep::new(claim, &catalogue)).collect())
        }
        CoachQuestion::Threat => {
            let threat = coach.threat(game)?.map(|claim| catalogue.sentence(&claim));
            Advice::Words(threat.unwrap_or_else(|| "There is no threat at once.".to_owned()))
        }
        CoachQuestion::Why(Some(mv)) => Advice::Words(why(coach, &catalogue, game, mv)?),
        CoachQuestion::Why(None) => {
            let mut before = game.clone();
            Advice::Words(match game.last_move() {
                Some(mv) if before.goto(game.ply() - 1) => why(coach, &catalogue, &before, mv)?,
                _ => catalogue.paragraph(&coach.position(game)?),
            })
        }
    })
}

fn why(
    coach: &mut Coach,
    catalogue: &Catalogue,
    game: &Game,
    mv: Move,
) -> Result<String, engine::SearchError> {
    let explanation = coach.mv(game, mv)?;
    Ok(catalogue.judged_move(&game.position().san(mv).to_string(), &explanation))
}
