//! Two null moves: JavaChess's, which is the standing pat of its quiescence search, and today's, which passes
//! in the full-width search.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, saved};
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::{Game, Position};
use classics::boards::Ox88;
use classics::groundup;
use classics::javachess::{Agent, Book, JavaChess};
use classics::searches::Method;
use classics::{Budget, Classic};

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "nullmove", title: "Nodes saved by JavaChess's null move and by today's", measure };

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(1, 6, 12);
    let mut places = positions::middle_games(bench, count)?;
    places.extend(positions::end_games(bench, count)?);
    bench.plan(2 * places.len());

    let (standing, stand_pat) = stand_pat(bench, &places)?;
    let (passing, null_move) = todays(bench, &places)?;
    // The first half are middle games.
    let range = |savings: &[f64]| {
        let least = savings.iter().copied().fold(f64::INFINITY, f64::min);
        let most = savings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = savings.iter().sum::<f64>() / savings.len().max(1) as f64;
        format!("{mean:.0} % ({least:.0} to {most:.0} %)")
    };
    let measured = |savings: &[f64]| {
        let (middle, end) = savings.split_at(count.min(savings.len()));
        format!("middle games {}, end games {}", range(middle), range(end))
    };
    let claims = vec![
        Claim::new("JavaChess", "effort saved by its null move", "20-50 %", measured(&standing)),
        Claim::new("JavaChess", "nodes saved by today's null move", "not known there", measured(&passing)),
    ];
    let names = (1..=places.len()).map(|number| number.to_string());
    let plot = Plot {
        title: "Nodes saved, by position".to_owned(),
        x: Axis::of_names(names),
        y: Axis::linear("percent"),
        series: vec![
            Series::of_values("JavaChess's, standing pat", standing.iter().map(|saved| saved.max(0.0))),
            Series::of_values("today's, passing", passing.iter().map(|saved| saved.max(0.0))),
        ],
    };
    Ok(Findings {
        method: "JavaChess's alpha-beta agent with and without its null move at the same depth; principal variation \
                 search over Ground Up's board and evaluation with and without passing (two plies shallower). The first \
                 half of the positions are middle games, the others end games. Where exchanges without end were cut \
                 short, at least so much was saved."
            .to_owned(),
        claims,
        tables: vec![stand_pat, null_move],
        plots: vec![plot],
    })
}

/// JavaChess without standing pat has to capture on and on, so its nodes are limited; the saving is then at
/// least what is shown.
fn stand_pat(bench: &mut Workbench<'_>, places: &[Position]) -> Result<(Vec<f64>, ReportTable), Interrupted> {
    let depths = bench.pick([1, 2], [3, 6], [4, 6]);
    let limit = bench.pick(50_000, 5_000_000, 100_000_000);
    let mut table = ReportTable::new(
        "JavaChess, alpha-beta: standing pat",
        ["position", "depth", "nodes without", "nodes with", "saved"],
    );
    let mut savings = Vec::new();
    for (number, &place) in places.iter().enumerate() {
        bench.step(&format!("standing pat, position {}", number + 1))?;
        let depth = depths[usize::from(number >= places.len() / 2)];
        let game = Game::from_position(place);
        let nodes = |player: JavaChess| {
            let mut player = player;
            let budget = Budget { depth: Some(depth), nodes: Some(limit), ..bench.budget() };
            player.think(&game, &budget).map_or(0, |choice| choice.nodes())
        };
        let player = || JavaChess::with_book(Agent::AlphaBeta, Book::default());
        let (with, without) = (nodes(player()), nodes(player().without_null_move()));
        bench.go_on()?;
        savings.push(saved(with, without));
        let without = if without > limit {
            format!("over {}", crate::text::grouped(limit))
        } else {
            crate::text::grouped(without)
        };
        table.row([
            (number as u64 + 1).into(),
            depth.into(),
            without.into(),
            with.into(),
            Cell::Percent(savings[number]),
        ]);
    }
    Ok((savings, table))
}

fn todays(bench: &mut Workbench<'_>, places: &[Position]) -> Result<(Vec<f64>, ReportTable), Interrupted> {
    let depth = bench.pick(3, 7, 9);
    let mut table = ReportTable::new(
        &format!("Principal variation search, depth {depth}: passing"),
        ["position", "nodes without", "nodes with", "saved", "score without", "score with"],
    );
    let mut savings = Vec::new();
    for (number, board) in positions::boards::<Ox88>(places).iter().enumerate() {
        bench.step(&format!("passing, position {}", number + 1))?;
        let [without, with] = [Method::PVS, Method::NULL_MOVE].map(|method| {
            bench.search(board, groundup::evaluate, &Method { table_bits: Some(20), ..method }, depth)
        });
        let (without, with) = (without?, with?);
        savings.push(saved(with.nodes(), without.nodes()));
        table.row([
            (number as u64 + 1).into(),
            without.nodes().into(),
            with.nodes().into(),
            Cell::Percent(savings[number]),
            Cell::Text(without.score.to_string()),
            Cell::Text(with.score.to_string()),
        ]);
    }
    Ok((savings, table))
}
