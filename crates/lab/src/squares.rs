//! What it costs to keep the board as eight rows of eight squares instead of 64 in a row.

use crate::generators::on_board;
use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series};
use crate::stopwatch::Stopwatch;
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::Position;
use classics::boards::mailbox::{Grid, MailboxOf, Row};

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "squares", title: "Eight rows of eight squares against 64 in a row", measure };

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let depth = bench.pick(2, 4, 5);
    let rounds = bench.pick(1, 3, 9);
    let mut places = vec![Position::startpos()];
    places.extend(Position::from_fen(positions::KIWIPETE));
    bench.plan(rounds);

    // In turns, so that a slow moment of the machine strikes both.
    let mut best = [f64::INFINITY; 2];
    let mut moves = [0; 2];
    let mut table = ReportTable::new(
        "Seconds for the same moves",
        ["round", "moves", "64 squares", "8x8", "8x8 slower by"],
    );
    for round in 0..rounds {
        bench.step(&format!("round {}", round + 1))?;
        let mut seconds = [0.0; 2];
        for (layout, count) in
            [on_board::<MailboxOf<Row>>, on_board::<MailboxOf<Grid>>].into_iter().enumerate()
        {
            moves[layout] = 0;
            let stopwatch = Stopwatch::start();
            for place in &places {
                moves[layout] += count(bench, place, depth)?;
            }
            seconds[layout] = stopwatch.seconds();
            best[layout] = best[layout].min(seconds[layout]);
        }
        table.row([
            (round as u64 + 1).into(),
            moves[0].into(),
            Cell::Seconds(seconds[0]),
            Cell::Seconds(seconds[1]),
            Cell::Percent(slower(seconds)),
        ]);
    }
    assert_eq!(moves[0], moves[1], "both boards find the same moves");

    let claims = vec![Claim::new(
        "ChessBin",
        "searching moves on an 8x8 board",
        "about 30 % slower",
        format!("{:+.1} %", slower(best)),
    )];
    let plot = Plot {
        title: "Moves a second of ChessBin's board".to_owned(),
        x: Axis::of_names(["64 squares", "8x8"].map(str::to_owned)),
        y: Axis::linear("moves a second"),
        series: vec![Series::of_values("best round", best.map(|seconds| moves[0] as f64 / seconds))],
    };
    Ok(Findings {
        method: format!(
            "ChessBin's board makes all move sequences of {depth} plies from the start position and a position full \
             of tactics, with either layout in turn; the best of {rounds} rounds counts."
        ),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

fn slower([row, grid]: [f64; 2]) -> f64 {
    (grid / row - 1.0) * 100.0
}
