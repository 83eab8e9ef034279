//! How much of a search is quiescence search, and how deep it goes.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, percent};
use crate::workbench::{Interrupted, Workbench, sum};
use crate::{Experiment, positions};
use chess::{Game, Position};
use classics::chessbin::{ChessBin, Level};
use classics::groundup::GroundUp;
use classics::javachess::{Agent, Book, JavaChess};
use classics::{Classic, Statistics};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "quiescence",
    title: "Quiescence search: its share of the nodes and its depth",
    measure,
};

/// The limit of JavaChess's report.
const REPORTED_EFFORT: u64 = 100_000;

/// What thinking about some positions took.
struct Thoughts {
    whole: Statistics,
    /// The plies each quiescence search went at most, by position.
    beyond: Vec<u32>,
    /// The plies of full width, by position.
    depths: Vec<u32>,
}

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(1, 8, 16);
    let kinds = [
        ("middle game", positions::middle_games(bench, count)?),
        ("end game", positions::end_games(bench, count)?),
    ];
    bench.plan(3 * 2 * count);
    let depth = bench.pick(2, 4, 5);

    let mut table = ReportTable::new(
        &format!("{count} positions of each kind"),
        ["program", "positions", "depth", "nodes", "quiescence", "share", "deepest", "on average"],
    );
    let mut shares = Vec::new();
    let mut all = Vec::new();
    for (program, create, depth) in programs(depth) {
        let mut by_kind = Vec::new();
        for (kind, places) in &kinds {
            let thoughts = think(bench, program, create, places, depth)?;
            let (nodes, quiet) = (thoughts.whole.nodes(), thoughts.whole.quiescence.nodes);
            by_kind.push(percent(quiet, nodes));
            table.row([
                program.into(),
                (*kind).into(),
                Cell::Number(mean(&thoughts.depths)),
                nodes.into(),
                quiet.into(),
                Cell::Percent(percent(quiet, nodes)),
                thoughts.whole.quiescence.deepest.into(),
                Cell::Number(mean(&thoughts.beyond)),
            ]);
            all.push(thoughts);
        }
        shares.push((program, by_kind));
    }
    Ok(Findings {
        method: format!(
            "JavaChess with MTD(f) ends after the iteration that passes {REPORTED_EFFORT} nodes, the limit of its \
             report; ChessBin and Ground Up search {depth} plies. The depth of quiescence is counted from where it begins. \
             Positions at the horizon count as quiescence, as they do in the programs, with JavaChess for both parts."
        ),
        claims: claims(&shares, &all),
        tables: vec![table],
        plots: vec![Plot {
            title: "Share of quiescence search".to_owned(),
            x: Axis::of_names(shares.iter().map(|(program, _)| (*program).to_owned())),
            y: Axis::linear("percent of the nodes"),
            series: kinds
                .iter()
                .enumerate()
                .map(|(kind, (name, _))| {
                    Series::of_values(name, shares.iter().map(|(_, by_kind)| by_kind[kind]))
                })
                .collect(),
        }],
    })
}

type Create = fn() -> Box<dyn Classic>;

fn programs(depth: u32) -> [(&'static str, Create, Option<u32>); 3] {
    [
        (
            "JavaChess",
            || Box::new(JavaChess::with_book(Agent::Mtdf, Book::default()).with_effort(REPORTED_EFFORT)),
            None,
        ),
        ("ChessBin", || Box::new(ChessBin::new(Level::Medium)), Some(depth)),
        ("Ground Up", || Box::new(GroundUp::default()), Some(depth)),
    ]
}

/// The claims, from the thoughts of JavaChess and ChessBin in the middle game and in the end game.
fn claims(shares: &[(&str, Vec<f64>)], all: &[Thoughts]) -> Vec<Claim> {
    let share = |program: usize| {
        format!("{:.0} % middle game, {:.0} % end game", shares[program].1[0], shares[program].1[1])
    };
    let branching = |thoughts: &Thoughts| thoughts.whole.quiescence.branching();
    let depth = |thoughts: &Thoughts| format!("{:.1}", mean(&thoughts.depths));
    vec![
        Claim::new("JavaChess", "share of quiescence", "50-75 % in most positions", share(0)),
        Claim::new(
            "JavaChess",
            "depth of quiescence",
            "usually 6-8 plies",
            format!("{:.1} plies, {:.1} in end games", mean(&all[0].beyond), mean(&all[1].beyond)),
        ),
        Claim::new(
            "JavaChess",
            "branching of quiescence",
            "usually less than 2 on average",
            format!("{:.2}, {:.2} in end games", branching(&all[0]), branching(&all[1])),
        ),
        Claim::new("JavaChess", "full width, middle game", "typically 4 plies", depth(&all[0])),
        Claim::new("JavaChess", "full width, end game", "7 or 8 plies", depth(&all[1])),
        Claim::new("ChessBin", "share of quiescence", "at most 10-20 %", share(1)),
    ]
}

fn think(
    bench: &mut Workbench<'_>,
    name: &str,
    create: Create,
    places: &[Position],
    depth: Option<u32>,
) -> Result<Thoughts, Interrupted> {
    let mut thoughts = Thoughts { whole: Statistics::default(), beyond: Vec::new(), depths: Vec::new() };
    for (number, &place) in places.iter().enumerate() {
        bench.step(&format!("{name}, position {}", number + 1))?;
        let budget = classics::Budget { depth, ..bench.budget() };
        let Ok(choice) = create().think(&Game::from_position(place), &budget) else { continue };
        bench.go_on()?;
        let part = sum(choice.iterations.iter().map(|iteration| iteration.statistics));
        thoughts.beyond.push(part.quiescence.deepest);
        thoughts.depths.push(choice.depth);
        thoughts.whole = sum([thoughts.whole, part].into_iter());
    }
    Ok(thoughts)
}

fn mean(numbers: &[u32]) -> f64 {
    numbers.iter().copied().map(f64::from).sum::<f64>() / numbers.len().max(1) as f64
}
