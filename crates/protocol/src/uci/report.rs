//! The engine's findings in the words of UCI.

use super::reply::{Bound, Info, Score};
use crate::host::{castling_style, walk};
use chess::{CastlingStyle, Move, Position};
use engine::{Line, Usage};

/// How the moves of one search are written, and what is reported of them.
#[derive(Debug)]
pub(super) struct Notation {
    pub(super) root: Position,
    style: CastlingStyle,
    show_wdl: bool,
}

impl Notation {
    pub(super) fn new(root: Position, chess960: bool, show_wdl: bool) -> Self {
        Self { root, style: castling_style(&root, chess960), show_wdl }
    }

    /// The moves of a line, as far as they are legal.
    pub(super) fn moves(&self, moves: &[Move]) -> Vec<String> {
        walk(&self.root, moves).map(|(before, mv)| before.to_uci(mv, self.style).to_string()).collect()
    }

    pub(super) fn line(&self, line: &Line, usage: &Usage) -> Info {
        Info {
            depth: Some(line.depth),
            selective_depth: u32::try_from(line.selective_depth).ok(),
            multi_pv: u32::try_from(line.rank).ok(),
            score: Some(score(line)),
            wdl: self.show_wdl.then(|| {
                let chances = line.score.chances();
                [chances.win, chances.draw, chances.loss]
            }),
            nodes: Some(usage.nodes),
            nodes_per_second: Some(usage.nodes_per_second()),
            hash_full: Some(usage.hash_full),
            tablebase_hits: Some(usage.tablebase_hits),
            time: Some(u64::try_from(usage.time.as_millis()).unwrap_or(u64::MAX)),
            pv: self.moves(&line.moves),
            ..Info::default()
        }
    }

    pub(super) fn current_move(&self, depth: i32, mv: Move, number: usize) -> Info {
        Info {
            depth: Some(depth),
            current_move: self.moves(&[mv]).pop(),
            current_move_number: u32::try_from(number).ok(),
            ..Info::default()
        }
    }
}

fn score(line: &Line) -> Score {
    let bound = match line.bound {
        engine::Bound::Exact => Bound::Exact,
        engine::Bound::Lower => Bound::Lower,
        engine::Bound::Upper => Bound::Upper,
    };
    Score { value: line.score.into(), bound }
}
