//! The search of both agents: alpha-beta helped by transposition and history tables, and a quiescence
//! search over captures and promotions that begins with a null move.

use super::evaluation::{evaluate, evaluate_quickly};
use super::memory::{Bound, HistoryTable, TranspositionTable, TtEntry};
use crate::boards::rays::{RayMove, piece_value};
use crate::boards::{ClassicBoard, Moves, Rays};
use crate::{Statistics, Watch};
use chess::Role;

/// Beyond every score but that of being mated at once.
pub(super) const MAX: i32 = 30_000;
/// About as much as all positional terms together.
const THRESHOLD: i32 = 200;

/// The tables that outlive a search.
pub(super) struct SearchTables {
    pub transpositions: TranspositionTable,
    pub history: HistoryTable,
    /// The move of the game, by which old entries are known.
    pub move_counter: u32,
}

impl SearchTables {
    pub(super) fn new() -> Self {
        Self { transpositions: TranspositionTable::new(), history: HistoryTable::new(), move_counter: 0 }
    }
}

/// A search under way. Scores are `None` when the budget is spent.
pub(super) struct Search<'a> {
    pub board: Rays,
    pub tables: &'a mut SearchTables,
    pub watch: Watch<'a>,
    pub statistics: Statistics,
    /// Whether quiescence search begins with the null move; off only to measure what it saves.
    pub null_move: bool,
}

impl Search<'_> {
    /// Searches every root move, and leaves in `best` the best of those searched with its score, or with
    /// a bound on it outside the window. Returns whether it came to the end.
    pub(super) fn root(
        &mut self,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        best: &mut Option<(RayMove, i32)>,
    ) -> bool {
        let lower = alpha;
        *best = None;
        for mv in self.sorted_moves() {
            if !self.board.make(mv) {
                continue;
            }
            let score = self.alpha_beta(depth.saturating_sub(1), 1, -beta, -alpha);
            self.board.unmake();
            let Some(score) = score.map(|score| -score) else { return false };
            if best.is_none_or(|(_, best)| score > best) {
                *best = Some((mv, score));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                self.tables.history.add(self.board.turn(), &mv);
                break;
            }
        }
        if let Some((_, score)) = *best {
            self.store(score, lower, beta, depth, 0);
        }
        true
    }

    fn sorted_moves(&self) -> Moves<RayMove> {
        let mut moves = Moves::new();
        self.board.generate(&mut moves);
        self.tables.history.sort(self.board.turn(), &mut moves);
        moves
    }

    fn alpha_beta(&mut self, depth: u32, ply: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.statistics.regular.visit(ply);
        if self.watch.visit() {
            return None;
        }
        if let Some(entry) = self.tables.transpositions.get(self.board.key()) {
            self.statistics.regular.recurring += 1;
            if entry.depth >= depth
                && let Some(score) = settle(&entry, ply, alpha, beta)
            {
                self.statistics.regular.table_hits += 1;
                return Some(score);
            }
        }
        if depth == 0 {
            return self.quiesce(0, ply, alpha, beta);
        }
        let lower = alpha;
        let mut best = None;
        for mv in self.sorted_moves() {
            if !self.board.make(mv) {
                continue;
            }
            let score = self.alpha_beta(depth - 1, ply + 1, -beta, -alpha);
            self.board.unmake();
            let score = -score?;
            best = best.max(Some(score));
            alpha = alpha.max(score);
            if alpha >= beta {
                self.tables.history.add(self.board.turn(), &mv);
                self.statistics.regular.cutoffs += 1;
                break;
            }
        }
        let Some(best) = best else {
            // A later mate is the lesser evil: the opponent may still miss it.
            return Some(if self.board.is_check() { ply as i32 - MAX } else { 0 });
        };
        self.store(best, lower, beta, depth, ply);
        Some(best)
    }

    /// Captures and promotions to whatever depth, `beyond` plies below the horizon already.
    fn quiesce(&mut self, beyond: u32, ply: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.statistics.quiescence.visit(beyond);
        if self.watch.visit() {
            return None;
        }
        if let Some(entry) = self.tables.transpositions.get(self.board.key()) {
            self.statistics.quiescence.recurring += 1;
            if let Some(score) = settle(&entry, ply, alpha, beta) {
                self.statistics.quiescence.table_hits += 1;
                return Some(score);
            }
        }
        let lower = alpha;
        // The null move: the side to move need not capture, so the position has at least its value
        // now. Material far outside the window makes the rest of the evaluation idle.
        let material = evaluate_quickly(&self.board);
        if self.null_move && material > beta + THRESHOLD {
            return Some(material);
        }
        let is_far_below = material < alpha - THRESHOLD;
        let standing = if is_far_below { material } else { evaluate(&self.board) };
        let mut best = self.null_move.then_some(standing);
        if let Some(score) = best {
            if score >= beta {
                return Some(score);
            }
            alpha = alpha.max(score);
        }
        let mut moves = Moves::new();
        self.board.generate(&mut moves);
        moves.retain(|mv| mv.is_noisy());
        self.tables.history.sort(self.board.turn(), &mut moves);
        let mut is_expanded = false;
        for mv in moves {
            if is_far_below && self.null_move && material + most_gain(&mv) < alpha - THRESHOLD {
                continue;
            }
            if !self.board.make(mv) {
                continue;
            }
            self.statistics.quiescence.expanded += u64::from(!is_expanded);
            is_expanded = true;
            let score = self.quiesce(beyond + 1, ply + 1, -beta, -alpha);
            self.board.unmake();
            let score = -score?;
            best = best.max(Some(score));
            alpha = alpha.max(score);
            if alpha >= beta {
                self.tables.history.add(self.board.turn(), &mv);
                self.statistics.quiescence.cutoffs += 1;
                break;
            }
        }
        let best = best.unwrap_or(standing);
        self.store(best, lower, beta, 0, ply);
        Some(best)
    }

    fn store(&mut self, score: i32, alpha: i32, beta: i32, depth: u32, ply: u32) {
        let bound = match score {
            _ if score >= beta => Bound::Lower,
            _ if score <= alpha => Bound::Upper,
            _ => Bound::Accurate,
        };
        let key = self.board.key();
        let SearchTables { transpositions, move_counter, .. } = &mut *self.tables;
        transpositions.put(key, from_root_to_here(score, ply), bound, depth, *move_counter);
    }
}

/// The most that a capture or promotion can add to the balance of material, where the leader's pawns at
/// best double the value of a piece.
fn most_gain(mv: &RayMove) -> i32 {
    let captured = mv.captured.map_or(0, |piece| piece_value(piece.role()));
    let promoted = mv.promotion.map_or(0, |role| piece_value(role) - piece_value(Role::Pawn));
    2 * (captured + promoted)
}

/// The score of an entry, if it settles a search with this window.
fn settle(entry: &TtEntry, ply: u32, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_here_to_root(entry.score, ply);
    let settles = match entry.bound {
        Bound::Accurate => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}

const fn is_mate(score: i32) -> bool {
    score.abs() > MAX - 1000
}

/// Mates are counted from the root in the search but from the position in the table.
const fn from_root_to_here(score: i32, ply: u32) -> i32 {
    if is_mate(score) { score + score.signum() * ply as i32 } else { score }
}

const fn from_here_to_root(score: i32, ply: u32) -> i32 {
    if is_mate(score) { score - score.signum() * ply as i32 } else { score }
}
