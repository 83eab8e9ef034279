//! MTD(f) against alpha-beta and principal variation search, with evaluations of coarser and coarser grain.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, percent};
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use classics::boards::Ox88;
use classics::groundup::evaluate;
use classics::searches::Method;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "mtdf",
    title: "MTD(f) against alpha-beta and PVS at equal depth, by grain of the evaluation",
    measure,
};

const GRAINS: [i32; 5] = [1, 2, 4, 8, 16];
const METHODS: [(&str, Method); 3] =
    [("alpha-beta", Method::DEEPENING), ("PVS", Method::PVS), ("MTD(f)", Method::MTDF)];

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(1, 5, 10);
    let middle = positions::boards::<Ox88>(&positions::middle_games(bench, count)?);
    let end = positions::boards::<Ox88>(&positions::end_games(bench, count)?);
    let depths = bench.pick([3, 4], [6, 9], [7, 11]);
    bench.plan(GRAINS.len() * METHODS.len());

    let mut table = ReportTable::new(
        &format!("{count} middle games at depth {}, {count} end games at depth {}", depths[0], depths[1]),
        [
            "grain",
            "alpha-beta",
            "PVS",
            "MTD(f)",
            "PVS to alpha-beta",
            "MTD(f) to alpha-beta",
            "time of MTD(f)",
        ],
    );
    let mut points = [const { Vec::new() }; 3];
    let mut parts = Vec::new();
    for grain in GRAINS {
        let mut nodes = [0; 3];
        let mut seconds = 0.0;
        for (place, (name, method)) in METHODS.into_iter().enumerate() {
            bench.step(&format!("{name}, grain {grain}"))?;
            let method = Method { grain, table_bits: Some(20), ..method };
            seconds = 0.0;
            for (boards, depth) in [(&middle, depths[0]), (&end, depths[1])] {
                for board in boards {
                    let effort = bench.search(board, evaluate, &method, depth)?;
                    nodes[place] += effort.nodes();
                    seconds += effort.seconds;
                }
            }
            points[place].push((f64::from(grain), nodes[place] as f64));
        }
        let [alpha_beta, pvs, mtdf] = nodes;
        parts.push((grain, percent(mtdf, alpha_beta)));
        table.row([
            (grain as u64).into(),
            alpha_beta.into(),
            pvs.into(),
            mtdf.into(),
            Cell::Percent(percent(pvs, alpha_beta)),
            Cell::Percent(percent(mtdf, alpha_beta)),
            Cell::Seconds(seconds),
        ]);
    }
    let finest = points[2][0].1;
    let by_grain = |grain: i32| parts.iter().find(|part| part.0 == grain).map_or(0.0, |part| part.1);
    let coarse = points[2][3].1 / finest * 100.0;
    let claims = vec![
        Claim::new(
            "JavaChess",
            "MTD(f) against iterative alpha-beta",
            "efficient, the gain not spectacular",
            format!("{:.0} % of its nodes at grain 1, {:.0} % at grain 8", by_grain(1), by_grain(8)),
        ),
        Claim::new(
            "JavaChess",
            "MTD(f) with a coarser evaluation",
            "converges faster (grain 8)",
            format!("{coarse:.0} % of the nodes at grain 1"),
        ),
    ];
    let series =
        METHODS.into_iter().zip(points).map(|((name, _), points)| Series::new(name, points)).collect();
    Ok(Findings {
        method: "Ground Up's board and evaluation rounded down to the grain, iterative deepening, history, quiescence \
                 search and a table of 2^20 entries for all three. Scores agree but for what deeper entries of the table \
                 let slip in."
            .to_owned(),
        claims,
        tables: vec![table],
        plots: vec![Plot {
            title: "Nodes at equal depth".to_owned(),
            x: Axis::logarithmic("grain of the evaluation, hundredths of a pawn"),
            y: Axis::linear("nodes"),
            series,
        }],
    })
}
