//! Mates as in Reinfeld's book, though of our own making: who finds them, and in what time.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series};
use crate::stopwatch::Stopwatch;
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::{Game, Move, Position};
use classics::chessbin::{ChessBin, Level};
use classics::javachess::{Agent, Book, JavaChess};
use classics::{Budget, Classic};
use engine::{Engine, Limits};
use mate::MateResult;

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "mates", title: "Mates in two to four: solved, and in what time", measure };

/// As many as JavaChess's author took from Reinfeld's book.
const PROBLEMS: usize = 25;
const LONGEST: u32 = 4;
const FEWEST_MEN: u32 = 10;
/// More than a proof of mate in four takes here, nearly always; what takes more is no problem of ours.
const PROOF_NODES: u64 = 300_000;
const PROOF_TABLE_BYTES: usize = 1 << 22;

/// A position with its shortest mate.
struct Problem {
    position: Position,
    moves: u32,
}

fn prove(position: &Position, longest: u32, stop: &dyn Fn() -> bool) -> MateResult {
    let limits = mate::Limits {
        nodes: Some(PROOF_NODES),
        stop,
        table_bytes: PROOF_TABLE_BYTES,
        ..mate::Limits::default()
    };
    mate::solve(position, longest, limits)
}

impl Problem {
    /// A position shortly before the end of a game that ends in mate, if the mate could be forced.
    fn from_game(game: &[Position], stop: &dyn Fn() -> bool) -> Option<Self> {
        game.last().filter(|last| last.is_checkmate())?;
        (2..=LONGEST).rev().find_map(|moves| {
            let position = *game.get(game.len().checked_sub(2 * moves as usize)?)?;
            if position.occupied().count() < FEWEST_MEN {
                return None;
            }
            match prove(&position, LONGEST, stop) {
                MateResult::Mate { moves: shortest, .. } if shortest >= 2 => {
                    Some(Self { position, moves: shortest })
                }
                _ => None,
            }
        })
    }

    /// Whether a move forces mate in as few moves as there are, or is mate.
    fn is_solved_by(&self, mv: Move, stop: &dyn Fn() -> bool) -> bool {
        let limits = mate::Limits { stop, table_bytes: PROOF_TABLE_BYTES, ..mate::Limits::default() };
        let result = mate::solve_mated(&self.position.after(mv), self.moves - 1, limits);
        matches!(result, MateResult::Mate { .. })
    }
}

fn make_problems(bench: &mut Workbench<'_>, count: usize) -> Result<Vec<Problem>, Interrupted> {
    let mut problems: Vec<Problem> = Vec::new();
    for number in 0.. {
        bench.go_on()?;
        if problems.len() == count || number > 100 * count as u64 {
            break;
        }
        let game: Vec<Position> = positions::game(bench.seed, number).collect();
        problems.extend(Problem::from_game(&game, bench.stop()));
    }
    Ok(problems)
}

/// A solver that looks for a move, given the problem and whom to ask whether to stop. The engine is kept from
/// problem to problem for the one who uses it.
type Solver = (&'static str, fn(&Problem, Budget<'_>, &mut Gardez) -> Option<Move>);

const SOLVERS: [Solver; 5] = [
    ("JavaChess, as it plays", |problem, budget, _| javachess(JavaChess::new(Agent::Mtdf), problem, budget)),
    ("JavaChess, given time", |problem, budget, _| {
        let effort = budget.nodes.unwrap_or(u64::MAX);
        javachess(JavaChess::with_book(Agent::Mtdf, Book::default()).with_effort(effort), problem, budget)
    }),
    ("ChessBin, medium", |problem, budget, _| {
        let choice = ChessBin::new(Level::Medium).think(&Game::from_position(problem.position), &budget);
        choice.ok()?.mv()
    }),
    ("Gardez, search", |problem, _, gardez| gardez.solve(problem)),
    ("Gardez, mate solver", |problem, budget, _| match prove(&problem.position, LONGEST, budget.stop) {
        MateResult::Mate { line, .. } => line.first().copied(),
        _ => None,
    }),
];

/// JavaChess counts nodes by its own rule: the last iteration comes to its end however many it takes.
fn javachess(mut player: JavaChess, problem: &Problem, budget: Budget<'_>) -> Option<Move> {
    let budget = Budget { nodes: None, ..budget };
    player.think(&Game::from_position(problem.position), &budget).ok()?.mv()
}

/// The engine.
struct Gardez {
    engine: Engine,
}

impl Gardez {
    const NODES: u64 = 200_000;

    fn new() -> Self {
        Self { engine: Engine::new() }
    }

    fn solve(&mut self, problem: &Problem) -> Option<Move> {
        self.engine.new_game();
        let game = Game::from_position(problem.position);
        self.engine.search(&game, Limits::nodes(Self::NODES), |_| {}).ok()?.best
    }
}

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(2, PROBLEMS, 4 * PROBLEMS);
    let effort = bench.pick(20_000, 1_000_000, 50_000_000);
    bench.plan(1 + count * SOLVERS.len());
    bench.step("making problems")?;
    let problems = make_problems(bench, count)?;

    let lengths: Vec<u32> = (2..=LONGEST).collect();
    let mut table = ReportTable::new(
        &format!("{} problems", problems.len()),
        ["solver", "solved", "in 2", "in 3", "in 4", "time in all", "longest"],
    );
    let mut claims = Vec::new();
    let mut mean_by_solver = Vec::new();
    let mut gardez = Gardez::new();
    for (name, solver) in SOLVERS {
        let (mut seconds, mut slowest) = (0.0, 0.0_f64);
        let mut solved = vec![0_u64; lengths.len()];
        for (number, problem) in problems.iter().enumerate() {
            bench.step(&format!("{name}, problem {}", number + 1))?;
            let stopwatch = Stopwatch::start();
            let answer = solver(problem, Budget { nodes: Some(effort), ..bench.budget() }, &mut gardez);
            let time = stopwatch.seconds();
            bench.go_on()?;
            seconds += time;
            slowest = slowest.max(time);
            if answer.is_some_and(|mv| problem.is_solved_by(mv, bench.stop())) {
                solved[problem.moves as usize - 2] += 1;
            }
        }
        let total: u64 = solved.iter().sum();
        let of = |place: usize| {
            let all = problems.iter().filter(|problem| problem.moves == lengths[place]).count();
            Cell::Text(format!("{}/{all}", solved[place]))
        };
        table.row([
            name.into(),
            Cell::Text(format!("{total}/{}", problems.len())),
            of(0),
            of(1),
            of(2),
            Cell::Seconds(seconds),
            Cell::Seconds(slowest),
        ]);
        if name == "JavaChess, given time" {
            claims.push(Claim::new(
                "JavaChess",
                "mates solved (its author's from Reinfeld, ours by seed)",
                "25 of 25",
                format!("{total} of {}", problems.len()),
            ));
            claims.push(Claim::new(
                "JavaChess",
                "time for a mate",
                "most in seconds, all within 5 minutes",
                format!("{:.2} s on average, {slowest:.1} s at most", seconds / problems.len().max(1) as f64),
            ));
        }
        mean_by_solver.push(seconds / problems.len().max(1) as f64);
    }
    let plot = Plot {
        title: "Time for a mate, on average".to_owned(),
        x: Axis::of_names(
            ["JavaChess", "given time", "ChessBin", "Gardez", "mate solver"].map(str::to_owned),
        ),
        y: Axis::logarithmic("seconds"),
        series: vec![Series::of_values("seconds", mean_by_solver)],
    };
    Ok(Findings {
        method: format!(
            "Positions before the end of games played by seed, with at least {FEWEST_MEN} men, whose shortest mate the \
             mate solver has proved. Solved is a move that keeps the shortest mate. Given time, JavaChess begins another \
             iteration until one passes {effort} nodes; Gardez searches 200,000 nodes."
        ),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;

    #[test]
    fn problems_have_a_solution_that_the_solver_finds() {
        let mut bench = Workbench::quiet(Scale::Tiny, 1);
        let problems = make_problems(&mut bench, 3).unwrap();
        assert_eq!(problems.len(), 3);
        for problem in &problems {
            assert!((2..=LONGEST).contains(&problem.moves));
            let MateResult::Mate { line, .. } = prove(&problem.position, LONGEST, &|| false) else {
                panic!("{} has no mate", problem.position.to_fen());
            };
            assert!(problem.is_solved_by(line[0], &|| false));
            let solutions = problem
                .position
                .legal_moves()
                .into_iter()
                .filter(|mv| problem.is_solved_by(*mv, &|| false))
                .count();
            assert!(solutions < problem.position.legal_moves().len(), "not every move mates");
        }
    }
}
