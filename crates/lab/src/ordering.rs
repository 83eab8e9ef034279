//! What trying the better moves first saves.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, percent, ratio, saved};
use crate::text::short;
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::perft;
use classics::boards::Ox88;
use classics::groundup::evaluate;
use classics::searches::Method;

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "ordering", title: "What the order of moves saves", measure };

/// None with quiescence search, so that all search the same tree.
const METHODS: [(&str, Method); 5] = [
    ("as generated", Method::ALPHA_BETA),
    ("MVV/LVA", Method::MVV_LVA),
    ("MVV/LVA and history", Method::HISTORY),
    ("full evaluation", Method::FULL_EVALUATION),
    ("iterative deepening, table", Method { quiescence: false, ..Method::DEEPENING }),
];

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let deepest = bench.pick(2, 5, 6);
    let places = positions::openings_and_middle_games(bench, bench.pick(2, 5, 10))?;
    let boards: Vec<Ox88> = positions::boards(&places);
    bench.plan(METHODS.len() * deepest as usize);

    let mut table = ReportTable::new(
        &format!("All {} positions, depth {deepest}", places.len()),
        ["order", "nodes", "saved", "time", "of the whole tree", "times the perfect order"],
    );
    let (mut tree, mut perfect) = (0, 0.0);
    for place in &places {
        bench.go_on()?;
        let leaves = perft::perft(place, deepest);
        tree += leaves;
        perfect += 2.0 * (leaves as f64).sqrt();
    }
    let mut series = Vec::new();
    let mut by_method = Vec::new();
    for (name, method) in METHODS {
        let mut points = Vec::new();
        let mut last = (0, 0.0);
        for depth in 1..=deepest {
            bench.step(&format!("{name}, depth {depth}"))?;
            last = (0, 0.0);
            for board in &boards {
                let effort = bench.search(board, evaluate, &method, depth)?;
                last = (last.0 + effort.nodes(), last.1 + effort.seconds);
            }
            points.push((f64::from(depth), last.0 as f64));
        }
        series.push(Series::new(name, points));
        by_method.push(last.0);
        table.row([
            name.into(),
            last.0.into(),
            Cell::Percent(saved(last.0, by_method[0])),
            Cell::Seconds(last.1),
            Cell::Percent(percent(last.0, tree)),
            Cell::Number(ratio(last.0 as f64, perfect)),
        ]);
    }
    let best = by_method.iter().copied().min().unwrap_or(0);
    let claims = vec![
        Claim::new(
            "JavaChess",
            "the best order visits",
            "about 2 √N of N positions",
            format!("{} times 2 √N", short(ratio(best as f64, perfect))),
        ),
        Claim::new(
            "Ground Up",
            "ordering makes pruning save still more",
            "expected, not tried",
            format!("{:.1} % of the nodes saved", saved(best, by_method[0])),
        ),
    ];
    let plot = Plot {
        title: format!("Nodes of alpha-beta in {} positions", places.len()),
        x: Axis::linear("depth in plies"),
        y: Axis::logarithmic("nodes"),
        series,
    };
    Ok(Findings {
        method: "Ground Up's board and evaluation, no quiescence search. N are the positions at full depth, all of \
                 them; the start position and middle games by seed."
            .to_owned(),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}
