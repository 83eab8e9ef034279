//! Moves a second of each board.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, ratio};
use crate::stopwatch::Stopwatch;
use crate::text::short;
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::{Position, perft};
use classics::boards::{ClassicBoard, Mailbox, Ox88, Rays};

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "generators", title: "Moves a second of each board", measure };

/// Counts the move sequences of a length; in parts, so that it can be interrupted.
type Count = fn(&Workbench<'_>, &Position, u32) -> Result<u64, Interrupted>;

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let depth = bench.pick(2, 4, 5);
    let rounds = bench.pick(1, 3, 5);
    // The last ply is one more where it is counted and not played, or there would be nothing to measure.
    let counters: [(&str, &str, Count, u32); 5] = [
        ("bitboard, last ply counted", "Gardez", counted_at_once, 1),
        ("bitboard, every move played", "Gardez", played, 0),
        ("rays", "JavaChess", on_board::<Rays>, 0),
        ("0x88", "Piglet, Ground Up", on_board::<Ox88>, 0),
        ("mailbox", "ChessBin", on_board::<Mailbox>, 0),
    ];
    let mut places = vec![Position::startpos()];
    places.extend(Position::from_fen(positions::KIWIPETE));
    places.extend(positions::middle_games(bench, 1)?);

    bench.plan(counters.len());
    let mut table = ReportTable::new(
        "Legal moves made, and the best of all rounds",
        ["board", "program", "moves", "time", "million a second"],
    );
    let mut speeds = Vec::new();
    for (name, program, count, more) in counters {
        bench.step(name)?;
        let mut best = (0, f64::INFINITY);
        for _ in 0..rounds {
            let stopwatch = Stopwatch::start();
            let mut moves = 0;
            for place in &places {
                moves += count(bench, place, depth + more)?;
            }
            let seconds = stopwatch.seconds();
            if seconds < best.1 {
                best = (moves, seconds);
            }
        }
        let speed = ratio(best.0 as f64, best.1) / 1e6;
        table.row([name.into(), program.into(), best.0.into(), Cell::Seconds(best.1), Cell::Number(speed)]);
        speeds.push(speed);
    }

    let claims = vec![Claim::new(
        "Ground Up",
        "moves generated a second on 0x88",
        "about 11 million",
        format!("{} million", short(speeds[3])),
    )];
    let plot = Plot {
        title: "Moves a second".to_owned(),
        x: Axis::of_names(["bitboard, counted", "bitboard", "rays", "0x88", "mailbox"].map(str::to_owned)),
        y: Axis::logarithmic("millions a second"),
        series: vec![Series::of_values("measured", speeds)],
    };
    Ok(Findings {
        method: format!(
            "All move sequences of {depth} plies are made from the start position, a position full of tactics and \
             a middle game, one thread, {rounds} rounds."
        ),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

fn counted_at_once(bench: &Workbench<'_>, position: &Position, depth: u32) -> Result<u64, Interrupted> {
    let mut count = 0;
    for mv in position.legal_moves() {
        bench.go_on()?;
        count += perft::perft(&position.after(mv), depth - 1);
    }
    Ok(count)
}

fn played(bench: &Workbench<'_>, position: &Position, depth: u32) -> Result<u64, Interrupted> {
    fn play(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        position.legal_moves().into_iter().map(|mv| play(&position.after(mv), depth - 1)).sum()
    }
    let mut count = 0;
    for mv in position.legal_moves() {
        bench.go_on()?;
        count += play(&position.after(mv), depth - 1);
    }
    Ok(count)
}

/// Counts on one of the classic boards.
pub(crate) fn on_board<B: ClassicBoard>(
    bench: &Workbench<'_>,
    position: &Position,
    depth: u32,
) -> Result<u64, Interrupted> {
    let Ok(mut board) = B::set_up(position) else { return Ok(0) };
    let mut count = 0;
    for mv in board.legal() {
        bench.go_on()?;
        if board.make(mv) {
            count += board.perft(depth - 1);
            board.unmake();
        }
    }
    Ok(count)
}
