//! Test positions with known solutions.

use chess::pgn::EvalScore;
use chess::{Epd, EpdScore, Game, Move, Position, SanError};
use engine::{Engine, Event, Limits, Line, OptionError, SearchError, StopToken, Usage};
use players::Limit;
use serde::Serialize;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

/// What solves a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// One of the best moves (`bm`), if there are any, and none of the moves to avoid (`am`).
    Moves {
        /// The best moves.
        best: Vec<Move>,
        /// The moves to avoid.
        avoid: Vec<Move>,
    },
    /// A mate in this many moves or fewer (`dm`, or `ce +M2`).
    Mate(u32),
    /// Moves that bring points, as in the Strategic Test Suite.
    Points(Vec<(Move, u32)>),
}

/// A position to solve.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Its line in the file.
    pub line: usize,
    /// Its name, or its number when it has none.
    pub name: String,
    /// The position.
    pub position: Position,
    /// What solves it.
    pub goal: Goal,
}

/// Something in a file that had to be repaired or left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Remark {
    /// The line in the file.
    pub line: usize,
    /// What it is about.
    pub text: String,
}

/// The positions of a file, and what is wrong with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Suite {
    /// What can be solved.
    pub problems: Vec<Problem>,
    /// What had to be repaired or left out.
    pub remarks: Vec<Remark>,
}

impl Suite {
    /// Reads the text of an EPD file. What cannot be read is left out and remarked.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut suite = Self::default();
        for (line, epd) in Epd::parse_lines(text) {
            let mut remark = |text: String| suite.remarks.push(Remark { line, text });
            let epd = match epd {
                Ok(epd) => epd,
                Err(error) => {
                    remark(format!("left out: {error}"));
                    continue;
                }
            };
            for warning in &epd.warnings {
                remark(warning.to_string());
            }
            match goal_of(&epd, &mut remark) {
                Some(goal) => {
                    let number = suite.problems.len() + 1;
                    let name = epd.id().map_or_else(|| number.to_string(), str::to_owned);
                    suite.problems.push(Problem { line, name, position: epd.position, goal });
                }
                None => remark("left out: it says no solution (bm, am, dm, ce +M, or points)".to_owned()),
            }
        }
        suite
    }
}

/// Remarks in few words: those that say the same of many lines are given once.
#[must_use]
pub fn condense(remarks: &[Remark]) -> Vec<String> {
    // What a line quotes is its own; the rest is said of others too.
    let shape = |remark: &Remark| remark.text.split('"').step_by(2).collect::<Vec<_>>().join("...");
    let mut groups: Vec<(String, Vec<&Remark>)> = Vec::new();
    for remark in remarks {
        let shape = shape(remark);
        match groups.iter_mut().find(|(other, _)| *other == shape) {
            Some((_, group)) => group.push(remark),
            None => groups.push((shape, vec![remark])),
        }
    }
    let summarize = |(shape, group): (String, Vec<&Remark>)| match &group[..] {
        [] => shape,
        [Remark { line, text }] => format!("line {line}: {text}"),
        [first, .., last] => {
            format!("{} times from line {} to {}: {shape}", group.len(), first.line, last.line)
        }
    };
    groups.into_iter().map(summarize).collect()
}

/// What solves a position, the most exact demand first.
fn goal_of(epd: &Epd, remark: &mut impl FnMut(String)) -> Option<Goal> {
    if let Some(points) = points_of(epd, remark) {
        return Some(Goal::Points(points));
    }
    let from_score = || match epd.evaluation()? {
        EpdScore::Mate(moves) => u32::try_from(moves).ok(),
        EpdScore::Centipawns(_) => None,
    };
    if let Some(moves) = epd.direct_mate().or_else(from_score).filter(|&moves| moves > 0) {
        return Some(Goal::Mate(moves));
    }
    let mut moves = |opcode: &str| -> Vec<Move> {
        let texts = epd.operands(opcode).unwrap_or_default();
        let read = texts.iter().filter_map(|text| match read_move(&epd.position, text) {
            Ok(mv) => Some(mv),
            Err(error) => {
                remark(format!("{opcode} {text} is ignored: {error}"));
                None
            }
        });
        read.collect()
    };
    let (best, avoid) = (moves("bm"), moves("am"));
    (!best.is_empty() || !avoid.is_empty()).then_some(Goal::Moves { best, avoid })
}

fn read_move(position: &Position, text: &str) -> Result<Move, SanError> {
    position.parse_uci(text).or_else(|_| position.parse_san(text))
}

/// The points of the Strategic Test Suite: `c0 "f5=10, Be5=2"` or `c8 "10 2"; c9 "f7f5 b2e5"`.
fn points_of(epd: &Epd, remark: &mut impl FnMut(String)) -> Option<Vec<(Move, u32)>> {
    let listed: Vec<(String, u32)> = match (epd.comment(8), epd.comment(9)) {
        (Some(points), Some(moves)) => {
            let points = points.split_whitespace().map(|points| points.parse().ok());
            let pairs = moves.split_whitespace().zip(points);
            pairs.map(|(mv, points)| Some((mv.to_owned(), points?))).collect::<Option<_>>()?
        }
        _ => epd
            .comment(0)?
            .split(',')
            .map(|part| {
                let (mv, points) = part.split_once('=')?;
                // A promotion has an equals sign of its own.
                let (mv, points) = match points.rsplit_once('=') {
                    Some((piece, points)) => (format!("{mv}={piece}"), points),
                    None => (mv.to_owned(), points),
                };
                Some((mv.trim().to_owned(), points.trim().parse().ok()?))
            })
            .collect::<Option<_>>()?,
    };
    let mut read = Vec::new();
    for (text, points) in listed {
        match read_move(&epd.position, &text) {
            Ok(mv) => read.push((mv, points)),
            Err(error) => remark(format!("{points} points for {text} are ignored: {error}")),
        }
    }
    (!read.is_empty()).then_some(read)
}

impl Goal {
    /// The most points.
    #[must_use]
    pub fn full_points(&self) -> u32 {
        match self {
            Self::Points(moves) => moves.iter().map(|&(_, points)| points).max().unwrap_or(0),
            Self::Moves { .. } | Self::Mate(_) => 1,
        }
    }

    /// The points of a move and what the engine thinks of it.
    #[must_use]
    pub fn points(&self, mv: Move, score: EvalScore) -> u32 {
        match self {
            Self::Points(moves) => {
                moves.iter().find(|&&(listed, _)| listed == mv).map_or(0, |&(_, points)| points)
            }
            Self::Moves { best, avoid } => {
                u32::from((best.is_empty() || best.contains(&mv)) && !avoid.contains(&mv))
            }
            Self::Mate(moves) => {
                let is_mate = |found| (1..=i64::from(*moves)).contains(&i64::from(found));
                u32::from(matches!(score, EvalScore::Mate(found) if is_mate(found)))
            }
        }
    }
}

/// When a solution was found that was kept to the end.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Found {
    /// Seconds from the start of the search.
    pub seconds: f64,
    /// Positions visited until then.
    pub nodes: u64,
    /// The depth of the search.
    pub depth: i32,
}

/// What became of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Attempt {
    /// The line in the file.
    pub line: usize,
    /// The name of the position.
    pub name: String,
    /// The position.
    pub fen: String,
    /// The points it brought.
    pub points: u32,
    /// The most it could have brought.
    pub full_points: u32,
    /// The move chosen.
    pub best: String,
    /// What the engine thought of it.
    pub score: String,
    /// The depth of the last iteration.
    pub depth: i32,
    /// Positions visited.
    pub nodes: u64,
    /// Seconds used.
    pub seconds: f64,
    /// When the final solution was found, if the position was solved.
    pub found: Option<Found>,
}

impl Attempt {
    /// Whether it brought all points.
    #[must_use]
    pub const fn is_solved(&self) -> bool {
        self.points == self.full_points
    }
}

/// How positions are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// What may be used for a position.
    pub limit: Limit,
    /// Options of the engine.
    pub options: Vec<(String, String)>,
    /// Positions at a time.
    pub concurrency: NonZeroUsize,
    /// A solution held for this many iterations is enough.
    pub enough: Option<usize>,
    /// Mates are to be proved by the search for mates.
    pub prove_mates: bool,
}

/// Why positions could not be tried.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SuiteError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Solves all positions. Every attempt is reported to `observe` with its place among the problems. Returns
/// the attempts in the order of the problems; fewer when `stop` was given.
///
/// # Errors
/// When the engine does not take its options, or a search fails.
pub fn solve(
    problems: &[Problem],
    settings: &Settings,
    stop: &StopToken,
    mut observe: impl FnMut(usize, &Attempt),
) -> Result<Vec<Attempt>, SuiteError> {
    // Faulty options are known before any thread starts.
    Solver::new(settings, stop)?;
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..problems.len()).collect());
    let (sender, results) = mpsc::channel();
    let mut attempts: Vec<Option<Attempt>> = vec![None; problems.len()];
    thread::scope(|scope| {
        for _ in 0..settings.concurrency.get().min(problems.len()) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                let Ok(mut solver) = Solver::new(settings, stop) else { return };
                while let Some(index) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                    let attempt = match solver.solve(&problems[index]) {
                        Ok(None) => return,
                        Ok(Some(attempt)) => Ok(attempt),
                        Err(error) => Err(error),
                    };
                    if sender.send((index, attempt)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, attempt) in results {
            let attempt = attempt?;
            observe(index, &attempt);
            attempts[index] = Some(attempt);
        }
        Ok::<(), SuiteError>(())
    })?;
    Ok(attempts.into_iter().flatten().collect())
}

/// An engine that solves one position after the other.
struct Solver<'a> {
    settings: &'a Settings,
    stop: &'a StopToken,
    engine: Engine,
}

impl<'a> Solver<'a> {
    fn new(settings: &'a Settings, stop: &'a StopToken) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        for (name, value) in &settings.options {
            engine.set_option(name, value)?;
        }
        Ok(Self { settings, stop, engine })
    }

    /// Solves a position; none if it is to end before.
    fn solve(&mut self, problem: &Problem) -> Result<Option<Attempt>, SuiteError> {
        self.engine.new_game();
        let limit = self.settings.limit;
        let mate = match problem.goal {
            Goal::Mate(moves) if self.settings.prove_mates => i32::try_from(moves).ok(),
            _ => None,
        };
        // Ends with all others, or when a solution has been held for long enough.
        let stop = self.stop.child();
        let limits = Limits {
            move_time: limit.move_time,
            depth: limit.depth.map(|depth| i32::try_from(depth).unwrap_or(i32::MAX)),
            nodes: limit.nodes,
            mate,
            ..Limits::default()
        }
        .until(&stop);
        let mut tracker = SolutionTracker { goal: &problem.goal, points: 0, found: None, held: 0 };
        let enough = self.settings.enough;
        let outcome = self.engine.search(&Game::from_position(problem.position), limits, |event| {
            let Event::Lines(lines, usage) = event else { return };
            if let Some(line) = lines.first() {
                tracker.follow(line, &usage);
            }
            if enough.is_some_and(|enough| tracker.held >= enough) {
                stop.stop();
            }
        })?;
        let (Some(line), Some(best)) = (outcome.lines.first(), outcome.best) else { return Ok(None) };
        if self.stop.is_stopped() {
            return Ok(None);
        }
        Ok(Some(tracker.conclude(problem, line, best, &outcome.usage)))
    }
}

/// What the search thought in the course of time.
struct SolutionTracker<'a> {
    goal: &'a Goal,
    /// The points of the move thought best now.
    points: u32,
    /// Since when it has been thought so.
    found: Option<Found>,
    /// For how many iterations all points have been held.
    held: usize,
}

impl SolutionTracker<'_> {
    fn follow(&mut self, line: &Line, usage: &Usage) {
        let Some(&mv) = line.moves.first() else { return };
        self.note(self.goal.points(mv, line.score.to_eval()), line.depth, usage);
    }

    fn note(&mut self, points: u32, depth: i32, usage: &Usage) {
        if points != self.points || self.found.is_none() {
            self.points = points;
            self.held = 0;
            self.found = Some(Found { seconds: usage.time.as_secs_f64(), nodes: usage.nodes, depth });
        }
        if points == self.goal.full_points() {
            self.held += 1;
        }
    }

    fn conclude(mut self, problem: &Problem, line: &Line, best: Move, usage: &Usage) -> Attempt {
        let score = line.score.to_eval();
        self.note(self.goal.points(best, score), line.depth, usage);
        let full_points = self.goal.full_points();
        Attempt {
            line: problem.line,
            name: problem.name.clone(),
            fen: problem.position.to_fen(),
            points: self.points,
            full_points,
            best: problem.position.san(best).to_string(),
            score: match score {
                EvalScore::Mate(moves) => format!("#{moves}"),
                EvalScore::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            },
            depth: line.depth,
            nodes: usage.nodes,
            seconds: usage.time.as_secs_f64(),
            found: self.found.filter(|_| self.points == full_points),
        }
    }
}

/// The result of a suite.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SuiteReport {
    /// Positions solved.
    pub solved: usize,
    /// Positions tried.
    pub tried: usize,
    /// Points gained.
    pub points: u32,
    /// Points there were.
    pub full_points: u32,
    /// What had to be repaired or left out.
    pub remarks: Vec<Remark>,
    /// Each position.
    pub attempts: Vec<Attempt>,
}

impl SuiteReport {
    /// The report of all attempts.
    #[must_use]
    pub fn new(attempts: Vec<Attempt>, remarks: Vec<Remark>) -> Self {
        Self {
            solved: attempts.iter().filter(|attempt| attempt.is_solved()).count(),
            tried: attempts.len(),
            points: attempts.iter().map(|attempt| attempt.points).sum(),
            full_points: attempts.iter().map(|attempt| attempt.full_points).sum(),
            remarks,
            attempts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(line: &str) -> Suite {
        Suite::parse(line)
    }

    fn goal(line: &str) -> Goal {
        let suite = suite(line);
        assert_eq!(suite.problems.len(), 1, "{:?}", suite.remarks);
        suite.problems[0].goal.clone()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn every_kind_of_goal() {
        let position = Position::startpos();
        let mv = |text: &str| position.parse_san(text).expect("legal");
        assert_eq!(
            goal(&format!("{START} bm e4 d4; am a4;")),
            Goal::Moves { best: vec![mv("e4"), mv("d4")], avoid: vec![mv("a4")] }
        );
        assert_eq!(goal(&format!("{START} dm 3;")), Goal::Mate(3));
        assert_eq!(goal(&format!("{START} bm e2-e4; ce +M2;")), Goal::Mate(2));
        let points = Goal::Points(vec![(mv("e4"), 10), (mv("Nf3"), 4)]);
        assert_eq!(goal(&format!("{START} bm e4; c0 \"e4=10, Nf3=4\";")), points);
        assert_eq!(goal(&format!("{START} bm e4; c8 \"10 4\"; c9 \"e2e4 g1f3\";")), points);
        // A comment that is none of these is only a comment.
        assert!(matches!(goal(&format!("{START} bm e4; c0 \"the best move\";")), Goal::Moves { .. }));
        let promotion = "8/P7/8/8/8/8/8/k1K5 w - - bm a8=Q; c0 \"a8=Q=10, a8=R=3\";";
        assert_eq!(goal(promotion).full_points(), 10);
    }

    #[test]
    fn points() {
        let position = Position::startpos();
        let mv = |text: &str| position.parse_san(text).expect("legal");
        let level = EvalScore::Centipawns(0);
        let avoid = goal(&format!("{START} am a4;"));
        assert_eq!((avoid.points(mv("a4"), level), avoid.points(mv("e4"), level)), (0, 1));
        let mate = Goal::Mate(2);
        for (score, points) in [
            (EvalScore::Mate(2), 1),
            (EvalScore::Mate(1), 1),
            (EvalScore::Mate(3), 0),
            (EvalScore::Mate(-1), 0),
            (level, 0),
        ] {
            assert_eq!(mate.points(mv("e4"), score), points, "{score:?}");
        }
        let sts = goal(&format!("{START} c0 \"e4=10, Nf3=4\";"));
        assert_eq!([mv("e4"), mv("Nf3"), mv("a3")].map(|mv| sts.points(mv, level)), [10, 4, 0]);
    }

    #[test]
    fn what_cannot_be_read_is_remarked() {
        // Two knights can go to e5.
        let line = "r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP1N1PP1/R2Q1RK1 b kq - bm Nh6; am Ne5;";
        let found = suite(line);
        assert!(
            matches!(&found.problems[0].goal, Goal::Moves { best, avoid } if best.len() == 1 && avoid.is_empty())
        );
        assert!(found.remarks[0].text.starts_with("am Ne5 is ignored: "), "{:?}", found.remarks);
        let nothing = suite(&format!("{START} id \"no task\";\nnonsense\n"));
        assert!(nothing.problems.is_empty());
        let lines: Vec<_> = nothing.remarks.iter().map(|remark| (remark.line, &remark.text[..8])).collect();
        assert_eq!(lines, [(1, "left out"), (2, "left out")]);
    }

    #[test]
    fn remarks_are_given_once() {
        let remark = |line, text: &str| Remark { line, text: text.to_owned() };
        let remarks = [
            remark(1, "quotes around \"BK.01\" added"),
            remark(2, "quotes around \"BK.02\" added"),
            remark(2, "a \"NUL\" byte"),
            remark(5, "quotes around \"BK.05\" added"),
        ];
        assert_eq!(
            condense(&remarks),
            ["3 times from line 1 to 5: quotes around ... added", "line 2: a \"NUL\" byte"]
        );
    }

    #[test]
    fn a_solution_counts_from_when_it_was_held() {
        let goal = Goal::Mate(1);
        let mut tracker = SolutionTracker { goal: &goal, points: 0, found: None, held: 0 };
        let usage = |nodes| Usage { nodes, ..Usage::default() };
        for (points, nodes) in [(0, 1), (1, 2), (0, 3), (1, 4), (1, 5)] {
            tracker.note(points, 1, &usage(nodes));
        }
        assert_eq!(tracker.found.map(|found| found.nodes), Some(4));
        assert_eq!(tracker.held, 2);
    }

    #[test]
    fn simple_mates_are_solved() {
        let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1; id \"back rank\";\n\
                    6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"the same\";\n\
                    6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8; id \"the opposite\";\n";
        let suite = Suite::parse(text);
        let settings = Settings {
            limit: "depth=5".parse().expect("a limit"),
            options: vec![("Hash".to_owned(), "1".to_owned())],
            concurrency: NonZeroUsize::new(2).expect("not zero"),
            enough: None,
            prove_mates: false,
        };
        let mut seen = Vec::new();
        let attempts = solve(&suite.problems, &settings, &StopToken::new(), |index, _| seen.push(index));
        let report = SuiteReport::new(attempts.expect("good options"), suite.remarks);
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2]);
        assert_eq!((report.solved, report.tried, report.points, report.full_points), (2, 3, 2, 3));
        assert_eq!(report.attempts[0].score, "#1");
        assert!(report.attempts[1].found.is_some() && report.attempts[2].found.is_none());
        let stopped = StopToken::new();
        stopped.stop();
        assert_eq!(solve(&suite.problems, &settings, &stopped, |_, _| {}).map(|all| all.len()), Ok(0));
        let faulty = Settings { options: vec![("Colour".to_owned(), "red".to_owned())], ..settings };
        assert!(solve(&suite.problems, &faulty, &StopToken::new(), |_, _| {}).is_err());
    }
}
