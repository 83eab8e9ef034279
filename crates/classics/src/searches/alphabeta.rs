//! Alpha-beta and the quiescence search below it.

use super::transposition::{Bound, TtEntry};
use super::{Algorithm, INFINITY, SearchBoard, Searcher, is_mate};
use crate::boards::Moves;

impl<B: SearchBoard> Searcher<'_, B> {
    /// The score for the side to move if it lies between `alpha` and `beta`; else a bound on that side.
    /// `extended` says that this line has had its check extension.
    pub(super) fn alpha_beta(
        &mut self,
        mut depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        mut extended: bool,
    ) -> Option<i32> {
        if depth == 0 && self.method.check_extension && !extended && self.board.is_check() {
            depth = 1;
            extended = true;
        }
        if depth == 0 && self.method.quiescence {
            return self.quiesce(0, ply, alpha, beta);
        }
        self.visit_regular(ply)?;
        if depth == 0 {
            return Some(self.judge());
        }

        let entry = self.table.as_ref().and_then(|table| table.get(self.board.key()));
        if let Some(entry) = &entry {
            self.statistics.regular.recurring += 1;
            if ply > 0
                && let Some(score) = entry.answer(depth, ply, alpha, beta)
            {
                self.statistics.regular.table_hits += 1;
                return Some(score);
            }
        }
        let first = if ply == 0 && self.method.deepening {
            self.root_best.map(|(mv, _)| mv)
        } else {
            entry.and_then(|entry| entry.best)
        };

        if ply > 0
            && let Some(score) = self.pass(depth, ply, beta, extended)?
        {
            return Some(score);
        }

        let singular = match entry {
            Some(entry) if ply > 0 => self.singular_move(&entry, depth, ply, extended)?,
            _ => None,
        };

        let lower = alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut moves = self.generate();
        self.order(&mut moves, first, ply);
        for mv in moves {
            if !self.board.make(mv) {
                continue;
            }
            let scouts = self.method.algorithm == Algorithm::Pvs && best_move.is_some();
            let next_depth = if singular == Some(mv) { depth } else { depth - 1 };
            let score = self.search_move(next_depth, ply + 1, (alpha, beta), extended, scouts);
            self.board.unmake();
            let score = score?;
            if score <= best {
                continue;
            }
            best = score;
            best_move = Some(mv);
            if ply == 0 {
                self.root_best = Some((mv, score));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                self.statistics.regular.cutoffs += 1;
                self.history.reward(&self.board, mv);
                self.note_killer(ply, mv);
                break;
            }
        }
        if best_move.is_none() {
            return Some(self.end_of_game(ply));
        }
        if let Some(table) = &mut self.table {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= lower => Bound::AtMost,
                _ => Bound::Exact,
            };
            table.put(self.board.key(), TtEntry::new(depth, ply, best, bound, best_move));
        }
        Some(best)
    }

    /// Searches the position after a move, for the side that made it. A scout first asks whether the move is
    /// any better than `alpha` at all.
    fn search_move(
        &mut self,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
        extended: bool,
        scouts: bool,
    ) -> Option<i32> {
        if scouts {
            let score = -self.alpha_beta(depth, ply, -alpha - 1, -alpha, extended)?;
            if score <= alpha || score >= beta {
                return Some(score);
            }
        }
        Some(-self.alpha_beta(depth, ply, -beta, -alpha, extended)?)
    }

    /// The move of the table, if a search of half the depth finds every other one worse by the margin.
    fn singular_move(
        &mut self,
        entry: &TtEntry<B::Move>,
        depth: u32,
        ply: u32,
        extended: bool,
    ) -> Option<Option<B::Move>> {
        const LEAST_DEPTH: u32 = 3;
        // A line is not extended for ever.
        const MOST_PLIES: u32 = 24;
        let (Some(margin), Some(first)) = (self.method.singular, entry.best) else { return Some(None) };
        let Some(score) = entry.at_least(ply) else { return Some(None) };
        if depth < LEAST_DEPTH || ply > MOST_PLIES || is_mate(score) {
            return Some(None);
        }
        let bound = score - margin;
        for mv in self.generate() {
            if mv == first || !self.board.make(mv) {
                continue;
            }
            let other = self.alpha_beta(depth / 2, ply + 1, -bound, 1 - bound, extended);
            self.board.unmake();
            if -other? >= bound {
                return Some(None);
            }
        }
        Some(Some(first))
    }

    /// The null move: the bound it proves, if passing is allowed and still too good for the opponent.
    /// Where the evaluation says so the opponent has no reason to pass in turn.
    fn pass(&mut self, depth: u32, ply: u32, beta: i32, extended: bool) -> Option<Option<i32>> {
        let Some(reduction) = self.method.null_move else { return Some(None) };
        let allowed = depth > reduction
            && !is_mate(beta)
            && beta < INFINITY
            && self.judge() >= beta
            && !self.board.is_check()
            && self.board.has_pieces();
        if !allowed {
            return Some(None);
        }
        let passed = self.board.passed();
        let before = std::mem::replace(&mut self.board, passed);
        let score = self.alpha_beta(depth - 1 - reduction, ply + 1, -beta, 1 - beta, extended);
        self.board = before;
        // A mate threatened by two moves in a row proves none.
        Some((-score? >= beta).then_some(beta))
    }

    /// Continues with captures and promotions until there are no good ones.
    fn quiesce(&mut self, beyond: u32, ply: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.statistics.quiescence.visit(beyond);
        if self.watch.visit() {
            return None;
        }
        let with_checks = beyond < self.method.quiescence_checks;
        // Who is in check has to answer it, by whatever move.
        let answers_check = beyond <= self.method.quiescence_checks
            && self.method.quiescence_checks > 0
            && self.board.is_check();
        let mut best = -INFINITY;
        if self.method.stand_pat && !answers_check {
            best = self.judge();
            if best >= beta {
                self.statistics.quiescence.cutoffs += 1;
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        let mut moves = Moves::new();
        self.board.generate_noisy(&mut moves);
        self.order_captures(&mut moves);
        let noisy = moves.len();
        if with_checks || answers_check {
            let quiet: Vec<_> = self.generate().into_iter().filter(|mv| !moves.contains(mv)).collect();
            moves.extend(quiet);
        }
        let mut is_expanded = false;
        for (index, mv) in moves.into_iter().enumerate() {
            if !self.board.make(mv) {
                continue;
            }
            if index >= noisy && !answers_check && !self.board.is_check() {
                self.board.unmake();
                continue;
            }
            self.statistics.quiescence.expanded += u64::from(!is_expanded);
            is_expanded = true;
            let score = self.quiesce(beyond + 1, ply + 1, -beta, -alpha);
            self.board.unmake();
            best = best.max(-score?);
            alpha = alpha.max(best);
            if alpha >= beta {
                self.statistics.quiescence.cutoffs += 1;
                break;
            }
        }
        if answers_check && !is_expanded {
            return Some(self.end_of_game(ply));
        }
        // Without standing pat, a position without captures still has to be judged.
        Some(if best == -INFINITY { self.judge() } else { best })
    }
}
