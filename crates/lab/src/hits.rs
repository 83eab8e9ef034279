//! How often JavaChess's transposition table has the answer.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, percent};
use crate::workbench::{Interrupted, Workbench, sum};
use crate::{Experiment, positions};
use chess::{Game, Position};
use classics::javachess::{Agent, Book, JavaChess};
use classics::{Classic, Statistics};

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "hits", title: "Answers from JavaChess's table in middle game and end game", measure };

/// The limit of JavaChess's report.
const REPORTED_EFFORT: u64 = 100_000;

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(1, 5, 12);
    let plies = bench.pick(2, 6, 20);
    let effort = bench.pick(2_000, REPORTED_EFFORT, REPORTED_EFFORT);
    let kinds = [
        ("middle game", positions::middle_games(bench, count)?),
        ("end game", positions::end_games(bench, count)?),
    ];
    bench.plan(2 * count * plies);

    let mut table = ReportTable::new(
        &format!("{count} games of each kind, {plies} plies"),
        ["positions", "nodes", "answered", "full width", "answered", "quiescence", "answered"],
    );
    let mut shares = Vec::new();
    for (kind, places) in &kinds {
        let mut parts = Vec::new();
        for (number, &place) in places.iter().enumerate() {
            play(bench, &format!("{kind} {}", number + 1), place, plies, effort, &mut parts)?;
        }
        let whole = sum(parts.into_iter());
        let hits = whole.regular.table_hits + whole.quiescence.table_hits;
        let share = percent(hits, whole.nodes());
        let regular = percent(whole.regular.table_hits, whole.regular.nodes);
        table.row([
            (*kind).into(),
            whole.nodes().into(),
            Cell::Percent(share),
            whole.regular.nodes.into(),
            Cell::Percent(regular),
            whole.quiescence.nodes.into(),
            Cell::Percent(percent(whole.quiescence.table_hits, whole.quiescence.nodes)),
        ]);
        shares.push((share, regular));
    }
    let measured = |(share, regular): (f64, f64)| format!("{share:.0} %; {regular:.0} % at full width");
    let claims = vec![
        Claim::new("JavaChess", "positions answered, middle game", "about 10 %", measured(shares[0])),
        Claim::new(
            "JavaChess",
            "positions answered, end game",
            "over 75 %, sometimes 90 %",
            measured(shares[1]),
        ),
    ];
    let plot = Plot {
        title: "Positions answered by JavaChess's table".to_owned(),
        x: Axis::of_names(kinds.iter().map(|(kind, _)| (*kind).to_owned())),
        y: Axis::linear("percent"),
        series: vec![
            Series::of_values("all nodes", shares.iter().map(|share| share.0)),
            Series::of_values("full width", shares.iter().map(|share| share.1)),
        ],
    };
    Ok(Findings {
        method: format!(
            "JavaChess's MTD(f) agent plays on against itself, each side with a table of its own of 2^17 entries that \
             it keeps from move to move, and {effort} nodes a move. Answered are nodes whose entry spares the search."
        ),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

/// Plays on from a position and notes what every search did.
fn play(
    bench: &mut Workbench<'_>,
    name: &str,
    start: Position,
    plies: usize,
    effort: u64,
    parts: &mut Vec<Statistics>,
) -> Result<(), Interrupted> {
    let mut game = Game::from_position(start);
    let mut players = [0, 1].map(|_| JavaChess::with_book(Agent::Mtdf, Book::default()).with_effort(effort));
    for ply in 0..plies {
        bench.step(&format!("{name}, move {}", ply + 1))?;
        if game.is_over() {
            continue;
        }
        let Ok(choice) = players[ply % 2].think(&game, &bench.budget()) else { continue };
        bench.go_on()?;
        parts.extend(choice.iterations.iter().map(|iteration| iteration.statistics));
        if choice.mv().is_none_or(|mv| game.play(mv).is_err()) {
            break;
        }
    }
    Ok(())
}
