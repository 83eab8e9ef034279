//! Ordering by a full evaluation of every move against ordering captures only.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, ratio};
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::Position;
use classics::boards::{Mailbox, Ox88, Rays};
use classics::searches::{Method, SearchBoard};
use classics::{chessbin, groundup, javachess};

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "evalorder", title: "Ordering by full evaluation against MVV/LVA", measure };

const FULL: Method = Method { quiescence: true, ..Method::FULL_EVALUATION };
const LIGHT: Method = Method { quiescence: true, ..Method::MVV_LVA };

/// Nodes and seconds, first of full evaluation, then of MVV/LVA.
type Pair = [(u64, f64); 2];

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let depth = bench.pick(2, 4, 5);
    let places = positions::middle_games(bench, bench.pick(1, 6, 10))?;
    bench.plan(3 * 2 * places.len());
    let judge = |board: &Mailbox| chessbin::evaluate(board, &board.survey());
    let programs = [
        ("ChessBin", compare(bench, "ChessBin", &places, judge, depth)?),
        ("JavaChess", compare::<Rays>(bench, "JavaChess", &places, javachess::evaluate, depth)?),
        ("Ground Up", compare::<Ox88>(bench, "Ground Up", &places, groundup::evaluate, depth)?),
    ];

    let mut table = ReportTable::new(
        &format!("{} middle games, depth {depth}", places.len()),
        [
            "board and evaluation",
            "nodes, full",
            "nodes, MVV/LVA",
            "more nodes",
            "most in one position",
            "time, full",
            "time, MVV/LVA",
            "less time",
        ],
    );
    let mut claims = Vec::new();
    for (name, pairs) in &programs {
        let total = |which: usize| {
            pairs
                .iter()
                .fold((0, 0.0), |sum: (u64, f64), pair| (sum.0 + pair[which].0, sum.1 + pair[which].1))
        };
        let (full, light) = (total(0), total(1));
        let more = more_nodes(&[full, light]);
        let most = pairs.iter().map(more_nodes).fold(f64::NEG_INFINITY, f64::max);
        let less_time = 100.0 - ratio(light.1, full.1) * 100.0;
        if *name == "ChessBin" {
            claims.push(Claim::new(
                "ChessBin",
                "nodes that MVV/LVA searches more",
                "up to 60 %",
                format!("{more:+.0} % in all, at most {most:+.0} %"),
            ));
            claims.push(Claim::new(
                "ChessBin",
                "time that MVV/LVA takes",
                "usually faster",
                format!("{:+.0} %, faster in {} of {}", -less_time, faster(pairs), pairs.len()),
            ));
        }
        table.row([
            (*name).into(),
            full.0.into(),
            light.0.into(),
            Cell::Percent(more),
            Cell::Percent(most),
            Cell::Seconds(full.1),
            Cell::Seconds(light.1),
            Cell::Percent(less_time),
        ]);
    }
    let names = programs.iter().map(|(name, _)| (*name).to_owned());
    let seconds = |which: usize| -> Vec<f64> {
        programs.iter().map(|(_, pairs)| pairs.iter().map(|pair| pair[which].1).sum()).collect()
    };
    let plot = Plot {
        title: "Time to the same depth".to_owned(),
        x: Axis::of_names(names),
        y: Axis::linear("seconds"),
        series: vec![
            Series::of_values("full evaluation", seconds(0)),
            Series::of_values("MVV/LVA", seconds(1)),
        ],
    };
    Ok(Findings {
        method: "Alpha-beta with quiescence search, the same for both orders; three boards with evaluations from slow \
                 to quick."
            .to_owned(),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

fn more_nodes([full, light]: &Pair) -> f64 {
    (ratio(light.0 as f64, full.0 as f64) - 1.0) * 100.0
}

fn faster(pairs: &[Pair]) -> usize {
    pairs.iter().filter(|[full, light]| light.1 < full.1).count()
}

fn compare<B: SearchBoard>(
    bench: &mut Workbench<'_>,
    name: &str,
    places: &[Position],
    evaluate: fn(&B) -> i32,
    depth: u32,
) -> Result<Vec<Pair>, Interrupted> {
    let mut pairs = Vec::new();
    for (number, board) in positions::boards::<B>(places).iter().enumerate() {
        bench.step(&format!("{name}, position {}, full evaluation", number + 1))?;
        let full = bench.search(board, evaluate, &FULL, depth)?;
        bench.step(&format!("{name}, position {}, MVV/LVA", number + 1))?;
        let light = bench.search(board, evaluate, &LIGHT, depth)?;
        assert_eq!(full.score, light.score, "the order never changes the score");
        pairs.push([(full.nodes(), full.seconds), (light.nodes(), light.seconds)]);
    }
    Ok(pairs)
}
