//! What a larger transposition table saves.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, percent, saved};
use crate::workbench::{Interrupted, Workbench, sum};
use crate::{Experiment, positions};
use classics::boards::Ox88;
use classics::groundup::evaluate;
use classics::searches::Method;

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "tablesize", title: "Transposition tables of 2^12 to 2^22 entries", measure };

/// JavaChess's size, as a power of two.
const JAVACHESS: u32 = 17;

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let sizes: &[u32] =
        bench.pick(&[12, 17], &[12, 14, 16, 17, 18, 20, 22], &[12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]);
    let count = bench.pick(1, 4, 8);
    let kinds = [
        ("middle game", positions::middle_games(bench, count)?, bench.pick(3, 6, 7)),
        ("end game", positions::end_games(bench, count)?, bench.pick(4, 10, 12)),
    ];
    bench.plan(kinds.len() * (sizes.len() + 1));

    let mut table = ReportTable::new(
        &format!("{count} positions of each kind"),
        ["positions", "depth", "entries", "nodes", "saved", "found", "time"],
    );
    let mut series = Vec::new();
    let mut of_javachess = Vec::new();
    for (kind, places, depth) in &kinds {
        let boards: Vec<Ox88> = positions::boards(places);
        let mut points = Vec::new();
        let mut without = 0;
        for bits in std::iter::once(None).chain(sizes.iter().copied().map(Some)) {
            let entries = bits.map_or_else(|| "none".to_owned(), |bits| format!("2^{bits}"));
            bench.step(&format!("{kind}, {entries}"))?;
            let method = Method { table_bits: bits, ..Method::DEEPENING };
            let mut parts = Vec::new();
            let mut seconds = 0.0;
            for board in &boards {
                let effort = bench.search(board, evaluate, &method, *depth)?;
                seconds += effort.seconds;
                parts.push(effort.statistics);
            }
            let whole = sum(parts.into_iter());
            match bits {
                None => without = whole.nodes(),
                Some(bits) => points.push((f64::from(bits), whole.nodes() as f64)),
            }
            let saving = saved(whole.nodes(), without);
            if bits == Some(JAVACHESS) {
                of_javachess.push(saving);
            }
            table.row([
                (*kind).into(),
                (*depth).into(),
                entries.into(),
                whole.nodes().into(),
                Cell::Percent(saving),
                Cell::Percent(percent(whole.regular.recurring, whole.regular.nodes)),
                Cell::Seconds(seconds),
            ]);
        }
        series.push(Series::new(kind, points));
    }
    let claims = vec![Claim::new(
        "JavaChess",
        "nodes saved by its 2^17 entries",
        "extremely valuable in the end game",
        format!("{:.0} % middle game, {:.0} % end game", of_javachess[0], of_javachess[1]),
    )];
    Ok(Findings {
        method: "Iterative deepening alpha-beta with quiescence search over Ground Up's board and evaluation; the \
                 deeper result stays in its place. Found are nodes above the horizon whose position is in the table."
            .to_owned(),
        claims,
        tables: vec![table],
        plots: vec![Plot {
            title: "Nodes by size of the table".to_owned(),
            x: Axis::linear("entries, as a power of two"),
            y: Axis::logarithmic("nodes"),
            series,
        }],
    })
}
