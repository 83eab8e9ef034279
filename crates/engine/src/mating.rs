//! Mates that are proved, not only found: the `go mate` of the protocols, and the ends of lines that the
//! search cut short.

use crate::event::Event;
use crate::score::Score;
use crate::search::Worker;
use crate::task::Task;
use chess::{Move, Position};
use mate::MateResult;

/// Nodes that showing a line may cost: some milliseconds, because a clock may be running.
const SHOW_NODES: u64 = 3_000;
/// Memory that it may cost.
const SHOW_BYTES: usize = 128 << 10;
/// Without a mate, a search of this depth still finds a move to play.
const CONSOLATION_DEPTH: i32 = 8;

/// The moves from here to a mate known to be this many plies away; empty if it cannot be shown cheaply.
pub(crate) fn mating_line(position: &Position, plies: usize) -> Vec<Move> {
    let limits =
        || mate::Limits { nodes: Some(SHOW_NODES), table_bytes: SHOW_BYTES, ..mate::Limits::default() };
    let result = if plies % 2 == 1 {
        mate::solve(position, plies.div_ceil(2) as u32, limits())
    } else {
        mate::solve_mated(position, plies as u32 / 2, limits())
    };
    match result {
        MateResult::Mate { line, .. } => line,
        MateResult::NoMate { .. } | MateResult::Stopped { .. } => Vec::new(),
    }
}

/// Proves the shortest mate in at most this many moves, or that there is none; a negative number asks
/// whether the side to move is mated.
pub(crate) fn search(worker: &mut Worker, task: &Task<'_>, moves: i32) {
    let stop = || task.control.must_stop(task, 0);
    let limits = mate::Limits {
        nodes: task.limits.nodes,
        stop: &stop,
        root_moves: Some(&task.root_moves),
        ..mate::Limits::default()
    };
    let result = if moves >= 0 {
        mate::solve(&task.root, moves.unsigned_abs(), limits)
    } else {
        mate::solve_mated(&task.root, moves.unsigned_abs(), limits)
    };
    match result {
        MateResult::Mate { line, nodes, .. } => {
            task.control.add(nodes, 0);
            let score = if moves >= 0 { Score::mate_in(line.len()) } else { Score::mated_in(line.len()) };
            worker.adopt_line(task, &line, score);
        }
        MateResult::NoMate { up_to, nodes } => {
            task.control.add(nodes, 0);
            task.report(Event::Note(format!("no mate in {up_to}")));
            worker.search_to(task, CONSOLATION_DEPTH);
        }
        MateResult::Stopped { proved_none_up_to, nodes } => {
            task.control.add(nodes, 0);
            task.report(Event::Note(format!("no mate in {proved_none_up_to}, the rest is open")));
            worker.search_to(task, 1);
        }
    }
}
