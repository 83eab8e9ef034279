//! The helpers of alpha-beta that JavaChess's report speaks of but its program lacks, and what its table gains in depth.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, ratio};
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use classics::Budget;
use classics::boards::Ox88;
use classics::groundup::evaluate;
use classics::searches::{Method, search};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "helpers",
    title: "Killers, aspiration, singular extensions, checks in quiescence, and the table's gain in depth",
    measure,
};

/// Iterative deepening with history and a table of JavaChess's size.
const BASE: Method = Method::DEEPENING;
const HELPERS: [(&str, Method); 6] = [
    ("none", BASE),
    ("killers", Method { killers: true, ..BASE }),
    ("killers, without history", Method { killers: true, history: false, ..BASE }),
    ("aspiration, half a pawn", Method { aspiration: Some(50), ..BASE }),
    ("singular extensions", Method { singular: Some(50), ..BASE }),
    ("checks in quiescence, 2 plies", Method { quiescence_checks: 2, ..BASE }),
];
/// The places of the helpers in the list.
const KILLERS: usize = 1;
const ASPIRATION: usize = 3;
const SINGULAR: usize = 4;
const CHECKS: usize = 5;
/// The limit of JavaChess's report.
const EFFORT: u64 = 100_000;

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(1, 6, 12);
    let kinds = [
        (
            "middle game",
            positions::boards::<Ox88>(&positions::middle_games(bench, count)?),
            bench.pick(3, 5, 7),
        ),
        ("end game", positions::boards::<Ox88>(&positions::end_games(bench, count)?), bench.pick(4, 8, 10)),
    ];
    bench.plan(kinds.len() * (HELPERS.len() + 2));
    let mut table = ReportTable::new(
        &format!("{count} positions of each kind"),
        ["positions", "depth", "helper", "nodes", "times those without"],
    );
    let mut depths = ReportTable::new(
        &format!("Depth reached with {EFFORT} nodes"),
        ["positions", "without table", "with 2^17 entries", "gained"],
    );
    let (mut factors, mut gains) = (Vec::new(), Vec::new());
    for (kind, boards, depth) in &kinds {
        let mut by_helper = Vec::new();
        for (name, method) in &HELPERS {
            bench.step(&format!("{kind}, {name}"))?;
            let mut nodes = 0;
            for board in boards {
                nodes += bench.search(board, evaluate, method, *depth)?.nodes();
            }
            by_helper.push(nodes);
            let factor = ratio(nodes as f64, by_helper[0] as f64);
            table.row([(*kind).into(), (*depth).into(), (*name).into(), nodes.into(), Cell::Number(factor)]);
        }
        factors.push(
            by_helper.iter().map(|&nodes| ratio(nodes as f64, by_helper[0] as f64)).collect::<Vec<_>>(),
        );
        let without = mean_depth(bench, kind, boards, &Method { table_bits: None, ..BASE })?;
        let with = mean_depth(bench, kind, boards, &BASE)?;
        gains.push(with - without);
        depths.row([(*kind).into(), Cell::Number(without), Cell::Number(with), Cell::Number(with - without)]);
    }
    let factor =
        |helper: usize| format!("{:.2} middle game, {:.2} end game", factors[0][helper], factors[1][helper]);
    let claims = vec![
        Claim::new(
            "JavaChess",
            "plies gained by the table in the end game",
            "often 3-4",
            format!("{:.1}; {:.1} in the middle game", gains[1], gains[0]),
        ),
        Claim::new("JavaChess", "nodes with singular extensions", "about doubled", factor(SINGULAR)),
        Claim::new("JavaChess", "nodes with checks in quiescence", "a significant cost", factor(CHECKS)),
        Claim::new("JavaChess", "nodes with killers", "one reply refutes many moves", factor(KILLERS)),
        Claim::new(
            "JavaChess",
            "nodes with aspiration",
            "much faster if the guess is right",
            factor(ASPIRATION),
        ),
    ];
    let plot = Plot {
        title: "Nodes against those without the helper".to_owned(),
        x: Axis::of_names(HELPERS.iter().map(|(name, _)| (*name).to_owned())),
        y: Axis::linear("times"),
        series: kinds
            .iter()
            .zip(&factors)
            .map(|((kind, ..), factors)| Series::of_values(kind, factors.iter().copied()))
            .collect(),
    };
    Ok(Findings {
        method: "Ground Up's board and evaluation; iterative deepening alpha-beta with captures by MVV/LVA, history, \
                 quiescence and a table of 2^17 entries, with one helper more. A move is singular if all others are half a \
                 pawn worse in a search of half the depth."
            .to_owned(),
        claims,
        tables: vec![table, depths],
        plots: vec![plot],
    })
}

/// The depth completed with JavaChess's effort, on average.
fn mean_depth(
    bench: &mut Workbench<'_>,
    kind: &str,
    boards: &[Ox88],
    method: &Method,
) -> Result<f64, Interrupted> {
    const DEEPEST: u32 = 30;
    bench.step(&format!("{kind}, {EFFORT} nodes"))?;
    let mut depths = 0;
    for board in boards {
        let budget = Budget { nodes: Some(EFFORT), ..bench.budget() };
        depths += search(board, evaluate, method, DEEPEST, &budget).depth;
        bench.go_on()?;
    }
    Ok(ratio(f64::from(depths), boards.len() as f64))
}
