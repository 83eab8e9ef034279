//! How many of the positions of a search have been met in it before.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series, percent};
use crate::workbench::{Interrupted, Workbench, sum};
use crate::{Experiment, positions};
use chess::{Game, Position};
use classics::Classic;
use classics::boards::{ClassicBoard, Moves, Ox88};
use classics::chessbin::{ChessBin, Level};
use classics::groundup::evaluate;
use classics::searches::{INFINITY, MATE, SearchBoard, mvv_lva};
use std::collections::HashSet;

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "recurrence", title: "Positions that recur within a search", measure };

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let depths = bench.pick(2..=3, 2..=6, 2..=7);
    let count = bench.pick(1, 5, 10);
    let kinds = [
        ("middle game", positions::middle_games(bench, count)?),
        ("end game", positions::end_games(bench, count)?),
    ];
    bench.plan(2 * (depths.clone().count() + count));

    let mut table = ReportTable::new(
        &format!("Alpha-beta without a table, {count} positions of each kind"),
        ["positions", "depth", "nodes", "met before", "share"],
    );
    let mut series = Vec::new();
    for (kind, places) in &kinds {
        let mut points = Vec::new();
        for depth in depths.clone() {
            bench.step(&format!("{kind}, depth {depth}"))?;
            let (mut nodes, mut recurring) = (0, 0);
            for board in positions::boards::<Ox88>(places) {
                let mut walk =
                    Walk { board, seen: HashSet::new(), nodes: 0, recurring: 0, stop: bench.stop() };
                walk.alpha_beta(depth, 0, -INFINITY, INFINITY).ok_or(Interrupted)?;
                nodes += walk.nodes;
                recurring += walk.recurring;
            }
            let share = percent(recurring, nodes);
            points.push((f64::from(depth), share));
            table.row([(*kind).into(), depth.into(), nodes.into(), recurring.into(), Cell::Percent(share)]);
        }
        series.push(Series::new(kind, points));
    }
    let (own_table, own) = chess_bins_own(bench, &kinds)?;
    let at = |series: &Series| {
        let (depth, share) = series.points.last().copied().unwrap_or_default();
        format!("{share:.0} % at depth {depth:.0}")
    };
    let claims = vec![
        Claim::new("ChessBin", "positions that recur, middle game", "15-20 %", at(&series[0])),
        Claim::new("ChessBin", "positions that recur, end game", "15-20 %", at(&series[1])),
        Claim::new(
            "ChessBin",
            "found in its own table",
            "15-20 %",
            format!("{:.0} % middle game, {:.0} % end game", own[0], own[1]),
        ),
    ];
    Ok(Findings {
        method: "Every position of the full-width search is noted, with captures first and no table that would spare \
                 any; ChessBin counts those that it finds in its table above the horizon."
            .to_owned(),
        claims,
        tables: vec![table, own_table],
        plots: vec![Plot {
            title: "Positions met before in the same search".to_owned(),
            x: Axis::linear("depth in plies"),
            y: Axis::linear("percent of the nodes"),
            series,
        }],
    })
}

fn chess_bins_own(
    bench: &mut Workbench<'_>,
    kinds: &[(&str, Vec<Position>); 2],
) -> Result<(ReportTable, [f64; 2]), Interrupted> {
    let depth = bench.pick(2, 5, 6);
    let mut table = ReportTable::new(
        &format!("ChessBin's own table, depth {depth}"),
        ["positions", "nodes above the horizon", "found", "share", "spared the search"],
    );
    let mut shares = [0.0; 2];
    for (share, (kind, places)) in shares.iter_mut().zip(kinds) {
        let mut parts = Vec::new();
        for (number, &place) in places.iter().enumerate() {
            bench.step(&format!("ChessBin, {kind} {}", number + 1))?;
            let budget = classics::Budget { depth: Some(depth), ..bench.budget() };
            let choice = ChessBin::new(Level::Medium).think(&Game::from_position(place), &budget);
            bench.go_on()?;
            parts.extend(choice.into_iter().flat_map(|choice| choice.iterations).map(|done| done.statistics));
        }
        let counts = sum(parts.into_iter()).regular;
        *share = percent(counts.recurring, counts.nodes);
        table.row([
            (*kind).into(),
            counts.nodes.into(),
            counts.recurring.into(),
            Cell::Percent(*share),
            Cell::Percent(percent(counts.table_hits, counts.nodes)),
        ]);
    }
    Ok((table, shares))
}

/// Plain alpha-beta that notes where it has been.
struct Walk<'a> {
    board: Ox88,
    seen: HashSet<u64>,
    nodes: u64,
    recurring: u64,
    stop: &'a dyn Fn() -> bool,
}

impl Walk<'_> {
    fn alpha_beta(&mut self, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        self.recurring += u64::from(!self.seen.insert(self.board.key()));
        if self.nodes.is_multiple_of(4096) && (self.stop)() {
            return None;
        }
        if depth == 0 {
            return Some(evaluate(&self.board));
        }
        let mut best = None;
        let mut moves = Moves::new();
        self.board.generate(&mut moves);
        moves.sort_by_key(|&mv| {
            std::cmp::Reverse(
                self.board.capture(mv).map_or(0, |(victim, attacker)| mvv_lva(victim, attacker)),
            )
        });
        for mv in moves {
            if !self.board.make(mv) {
                continue;
            }
            let score = self.alpha_beta(depth - 1, ply + 1, -beta, -alpha);
            self.board.unmake();
            best = best.max(Some(-score?));
            alpha = alpha.max(best.unwrap_or(alpha));
            if alpha >= beta {
                break;
            }
        }
        Some(best.unwrap_or_else(|| if self.board.is_check() { ply - MATE } else { 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use classics::searches::{Method, search};

    #[test]
    fn the_walk_is_alpha_beta() {
        let board = Ox88::set_up(&Position::from_fen(positions::KIWIPETE).unwrap()).unwrap();
        let found = search(&board, evaluate, &Method::MVV_LVA, 3, &classics::Budget::default());
        let mut walk = Walk { board, seen: HashSet::new(), nodes: 0, recurring: 0, stop: &|| false };
        assert_eq!(walk.alpha_beta(3, 0, -INFINITY, INFINITY), Some(found.score));
        assert_eq!(walk.nodes, found.nodes());
        assert_eq!(walk.seen.len() as u64, walk.nodes - walk.recurring);
    }
}
