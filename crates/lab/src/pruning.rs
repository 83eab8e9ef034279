//! Alpha-beta against a search of every move.

use crate::Experiment;
use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, ratio};
use crate::text::{grouped, short};
use crate::workbench::{Interrupted, Workbench};
use chess::{Position, perft};
use classics::boards::Ox88;
use classics::groundup::evaluate;
use classics::searches::Method;

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "pruning", title: "Alpha-beta against a search without pruning", measure };

/// The depth of Ground Up's test.
const DOCUMENT_DEPTH: u32 = 7;

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let deepest_plain = bench.pick(3, 6, DOCUMENT_DEPTH);
    let deepest = bench.pick(3, DOCUMENT_DEPTH, DOCUMENT_DEPTH);
    let start = Position::startpos();
    let [board] = &crate::positions::boards::<Ox88>(&[start])[..] else { return Err(Interrupted) };

    bench.plan((deepest + deepest_plain) as usize);
    let mut table = ReportTable::new(
        "From the start position",
        ["depth", "nodes, all", "nodes, pruned", "factor", "time, all", "time, pruned", "factor of time"],
    );
    let (mut all, mut pruned_nodes) = (Vec::new(), Vec::new());
    let (mut last_time_factor, mut last_node_factor) = (0.0, 0.0);
    // Seconds of the deepest searches: pruned, and without pruning with its nodes.
    let (mut pruned_seconds, mut plain_effort) = (0.0, (0.0, 1.0));
    let mut tree = 1;
    for depth in 1..=deepest {
        bench.step(&format!("alpha-beta, depth {depth}"))?;
        let pruned = bench.search(board, evaluate, &Method::ALPHA_BETA, depth)?;
        let plain = if depth <= deepest_plain {
            bench.step(&format!("no pruning, depth {depth}"))?;
            Some(bench.search(board, evaluate, &Method::NEGAMAX, depth)?)
        } else {
            None
        };
        // Every legal sequence of moves is a node, which the rules alone can count.
        tree += leaves(bench, &start, depth)?;
        if let Some(plain) = &plain {
            assert_eq!(plain.score, pruned.score, "pruning never changes the score");
            assert_eq!(plain.nodes(), tree, "every move sequence is searched");
            last_time_factor = ratio(plain.seconds, pruned.seconds);
            plain_effort = (plain.seconds, plain.nodes() as f64);
        }
        pruned_seconds = pruned.seconds;
        last_node_factor = ratio(tree as f64, pruned.nodes() as f64);
        table.row([
            depth.into(),
            tree.into(),
            pruned.nodes().into(),
            Cell::Number(last_node_factor),
            plain.as_ref().map_or(Cell::Empty, |plain| Cell::Seconds(plain.seconds)),
            Cell::Seconds(pruned.seconds),
            plain.as_ref().map_or(Cell::Empty, |_| Cell::Number(last_time_factor)),
        ]);
        all.push((f64::from(depth), tree as f64));
        pruned_nodes.push((f64::from(depth), pruned.nodes() as f64));
    }

    let plain_seconds = tree as f64 * ratio(plain_effort.0, plain_effort.1);
    let how = if deepest_plain < deepest { ", estimated by nodes" } else { "" };
    let hint = if deepest_plain < DOCUMENT_DEPTH { "; depth 7 unpruned with --deep" } else { "" };
    let claims = vec![
        Claim::new(
            "Ground Up",
            "time saved by pruning at depth 7",
            "a factor of almost 500 (1259.4 s to 2.6 s)",
            format!("{} at depth {deepest_plain}{hint}", short(last_time_factor)),
        ),
        Claim::new(
            "Ground Up",
            "time without pruning at depth 7",
            "1259.4 s",
            format!("{plain_seconds:.1} s at depth {deepest}{how}"),
        ),
        Claim::new(
            "Ground Up",
            "time with pruning at depth 7",
            "2.6 s",
            format!("{pruned_seconds:.1} s at depth {deepest}"),
        ),
        Claim::new(
            "Ground Up",
            &format!("nodes saved by pruning at depth {deepest}"),
            "not given",
            format!(
                "{} ({} to {})",
                short(last_node_factor),
                grouped(tree),
                grouped(pruned_nodes.last().map_or(0, |last| last.1 as u64))
            ),
        ),
    ];
    let plot = Plot {
        title: "Nodes from the start position".to_owned(),
        x: Axis::linear("depth in plies"),
        y: Axis::logarithmic("nodes"),
        series: vec![Series::new("every move", all), Series::new("alpha-beta", pruned_nodes)],
    };
    Ok(Findings {
        method: "Ground Up's board and evaluation, moves as they are generated, no quiescence search. The nodes \
                 without pruning are all legal move sequences, so that they are known even where the search itself would take too long for the \
                 search."
            .to_owned(),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

fn leaves(bench: &Workbench<'_>, position: &Position, depth: u32) -> Result<u64, Interrupted> {
    let mut count = 0;
    for (_, after) in position.legal_moves().into_iter().map(|mv| (mv, position.after(mv))) {
        bench.go_on()?;
        count += perft::perft(&after, depth - 1);
    }
    Ok(count)
}
