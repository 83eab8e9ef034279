//! A node of the tree, step by step.
//!
//! Each step says why it is there; docs/search.md lists them all with what they were measured to be worth.
//! Every heuristic can be switched off by its `use_` flag in [`super::params`].

use super::{Kind, Scout, Task, Worker};
use crate::MAX_PLY;
use crate::event::{Bound, Event};
use crate::history::Step;
use crate::picker::{Class, Context, Picker, score_quiet};
use crate::score::Score;
use crate::table::{Entry, Finding};
use arrayvec::ArrayVec;
use chess::{Move, Piece, Position, Role, see};
use tablebase::Wdl;

/// Moves tried at a node before the one that was best, to be told that they were not.
type Tried = ArrayVec<Move, 64>;

impl Worker {
    /// The score of a position for the side to move, within or beyond the window: fail-soft.
    ///
    /// `cut_node` is the expectation that the node fails high, which decides how much is risked on it.
    #[allow(clippy::too_many_arguments, clippy::too_many_lines)]
    pub(super) fn node<K: Kind>(
        &mut self,
        task: &Task,
        position: &Position,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        cut_node: bool,
    ) -> Score {
        // 1. At depth 0 only captures are played out.
        if depth <= 0 {
            return self.quiescence::<K::Child>(task, position, ply, alpha, beta);
        }
        self.enter_node(task);
        if self.stopped {
            return Score::DRAW;
        }
        let in_check = position.is_check();
        let excluded = self.frames[ply].excluded;
        if K::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }

        if !K::ROOT {
            // 2. Draws by rule, and those that one move can force: the side to move has at least that.
            if self.is_draw(position, ply) {
                return self.draw_score();
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { Score::DRAW } else { Score::evaluation(self.raw_evaluation(position)) };
            }
            if alpha < Score::DRAW
                && self.params.use_upcoming_repetition != 0
                && position.can_repeat(&self.keys, |plies| plies < ply)
            {
                alpha = self.draw_score();
                if alpha >= beta {
                    return alpha;
                }
            }
            // 3. Mate distance: no line from here can beat a shorter mate found elsewhere.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. What the transposition table knows. It decides the node off the principal variation, unless
        // the fifty-move limit is near, where the way to a position matters. The search that leaves a
        // move out must not read an answer that includes it.
        let clock = position.halfmove_clock();
        let entry = if excluded.is_some() { None } else { task.table.probe(position.key()) };
        let table_move = if K::ROOT {
            self.root_moves[self.line_index..].first().map(|root| root.mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
        };
        if let Some(entry) = entry
            && !K::PV
            && !K::ROOT
            && self.params.use_table_cutoffs != 0
            && entry.depth >= depth
            && clock < 90
            && entry.decides(entry.score(ply, clock), beta)
        {
            let score = entry.score(ply, clock);
            if let Some(mv) = table_move.filter(|&mv| score >= beta && !position.is_noisy(mv)) {
                let context = self.context(position, ply);
                self.teach_quiet(position, &context, mv, self.bonus(depth));
            }
            return score;
        }
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);

        // 5. End game tables know the result; only how far a win is they do not.
        let mut best_possible = Score::INFINITE;
        let mut best = -Score::INFINITE;
        if !K::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = self.probe_tablebases(task, position, ply, depth)
        {
            let decides = match bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if decides {
                let finding = Finding { mv: None, score, evaluation: None, depth: depth + 6, bound, was_pv };
                task.table.store(position.key(), ply, &finding);
                return score;
            }
            if K::PV {
                if bound == Bound::Lower {
                    best = score;
                    alpha = alpha.max(score);
                } else {
                    best_possible = score;
                }
            }
        }

        // 6. The static evaluation, and whether it has risen since our last move.
        let mut raw = None;
        let mut evaluation = None;
        if !in_check {
            let units = match (excluded, entry.and_then(|entry| entry.evaluation)) {
                (Some(_), _) => None,
                (None, Some(units)) => Some(units),
                (None, None) => Some(self.raw_evaluation(position)),
            };
            raw = units;
            evaluation = match units {
                Some(units) => Some(self.corrected(position, ply, units)),
                // The search that leaves a move out has the evaluation from before.
                None => self.frames[ply].evaluation,
            };
        }
        self.frames[ply].evaluation = evaluation;
        let improving = self.is_improving(ply, evaluation);
        // The table's score is a better guess than the evaluation, if its bound allows.
        let guess = evaluation.map(|units| {
            let units = Score::evaluation(units);
            match entry {
                Some(entry) => {
                    let score = entry.score(ply, clock);
                    if !score.is_decisive() && entry.decides(score, units) { score } else { units }
                }
                None => units,
            }
        });
        self.frames[ply + 2].cutoffs = 0;
        if excluded.is_none() {
            self.learn_from_evaluation(position, ply);
            depth = self.depth_in_hindsight(ply, depth);
        }

        // 7. Internal iterative reduction: without a move from the table the ordering is poor, and the
        // node is searched again sooner than it seems; a shallower search finds that move cheaply.
        if self.params.use_iir != 0
            && depth >= self.params.iir_depth
            && (K::PV || cut_node)
            && excluded.is_none()
            && !K::ROOT
            && entry.is_none_or(|entry| entry.mv.is_none() || entry.depth + 4 < depth)
        {
            depth -= 1;
        }

        if let Some(guess) = guess
            && !K::PV
            && !K::ROOT
            && excluded.is_none()
        {
            // 8. Reverse futility: so far above beta that the rest of the depth will hardly undo it.
            if self.params.use_rfp != 0
                && depth <= self.params.rfp_depth
                && !guess.is_win()
                && !beta.is_loss()
                && guess - (self.params.rfp_margin * depth - i32::from(improving) * self.params.rfp_improving)
                    >= beta
            {
                return Score::evaluation((guess.units() + beta.units()) / 2);
            }

            // 9. Null move: if even passing keeps the score above beta, a real move will too. Not with
            // pawns alone, where having to move may be what loses.
            if self.params.use_null_move != 0
                && depth >= self.params.null_depth
                && guess >= beta
                && evaluation.is_some_and(|units| units + 20 * depth - 140 >= beta.units())
                && !beta.is_loss()
                && ply >= self.null_move_ban
                && ply > 0
                && self.frames[ply - 1].step.is_some()
                && position.has_pieces(position.turn())
                && let Some(score) = self.null_move(task, position, ply, guess, beta, depth, cut_node)
            {
                return score;
            }

            // 10. ProbCut: a search not much shallower was far above beta, as the table says,
            if self.params.use_table_probcut != 0
                && let Some(entry) = entry
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 4
                && !beta.is_decisive()
                && !entry.score(ply, clock).is_decisive()
                && entry.score(ply, clock) >= beta + self.params.table_probcut_margin
            {
                return beta + self.params.table_probcut_margin;
            }

            // or a good capture beats beta by a margin at reduced depth: then a full search will too.
            if self.params.use_probcut != 0
                && depth >= self.params.probcut_depth
                && !beta.is_decisive()
                && let Some(score) =
                    self.prob_cut(task, position, ply, beta, depth, cut_node, entry, table_move, raw)
            {
                return score;
            }
        }
        if self.stopped {
            return Score::DRAW;
        }

        let context = self.context(position, ply);
        self.frames[ply].threats = context.threats;
        // By how much the evaluation had to be corrected: where it errs, more is looked at.
        let correction = evaluation.zip(raw).map_or(0, |(units, raw)| (units - raw).abs());
        let mut picker = Picker::new(table_move);
        let original_alpha = alpha;
        let mut best_move = None;
        let mut tried_quiet = Tried::new();
        let mut tried_noisy = Tried::new();
        let mut number = 0;
        let mut overlooked = false;
        let tablebase_floor = best;

        while let Some((mv, class)) = picker.next(position, &self.histories, &context) {
            if Some(mv) == excluded {
                continue;
            }
            if K::ROOT && !self.root_moves[self.line_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            // A level below full strength does not notice every move.
            if !K::ROOT && !in_check && self.overlooks(position, ply, mv) {
                overlooked = true;
                continue;
            }
            number += 1;
            let quiet = !position.is_noisy(mv);
            let nodes_before = self.nodes;
            if K::ROOT && self.id == 0 {
                self.tell_current_move(task, mv, number);
            }
            let history = if quiet {
                score_quiet(position, &self.histories, &context, mv)
            } else {
                self.noisy_history(position, mv)
            };
            let mut reduction = self.params.reduction(quiet, depth, number);

            // 11. Near the leaves, moves that promise nothing are left out, as long as something holds.
            if !K::ROOT && !best.is_loss() && position.has_pieces(position.turn()) {
                let reduced_depth = (depth - reduction / 1024 + history / 16_384).max(0);
                if quiet {
                    // Late move pruning: enough quiet moves were tried.
                    if self.params.use_lmp != 0
                        && number as i32 > (self.params.lmp_base + depth * depth) / (2 - i32::from(improving))
                    {
                        picker.skip_quiets();
                    }
                    // Futility: the evaluation is too far below alpha for a quiet move to make up, unless
                    // it gives check.
                    if self.params.use_futility != 0
                        && reduced_depth <= self.params.futility_depth
                        && !in_check
                        && let Some(units) = evaluation
                        && Score::evaluation(
                            units
                                + self.params.futility_base
                                + self.params.futility_slope * reduced_depth
                                + self.params.futility_history * history / 1024,
                        ) <= alpha
                        && !alpha.is_win()
                        && class == Class::Quiet
                        && !position.gives_check(mv)
                    {
                        continue;
                    }
                    // History: it never worked.
                    if self.params.use_history_pruning != 0
                        && reduced_depth <= self.params.history_pruning_depth
                        && history < -self.params.history_pruning_slope * depth
                        && class == Class::Quiet
                    {
                        continue;
                    }
                }
                // The same for captures, with what they take.
                if !quiet
                    && self.params.use_capture_futility != 0
                    && reduced_depth <= self.params.capture_futility_depth
                    && !in_check
                    && class != Class::Table
                    && !mv.is_promotion()
                    && !alpha.is_win()
                    && let Some(units) = evaluation
                {
                    let victim = position.captured(mv).map_or(Role::Pawn, Piece::role);
                    let hope = units
                        + self.params.capture_futility_base
                        + self.params.capture_futility_slope * reduced_depth
                        + see::VALUES[victim.index()];
                    if Score::evaluation(hope) <= alpha && !position.gives_check(mv) {
                        continue;
                    }
                }
                // Exchanges that lose too much for the depth left.
                let allowed_loss = if quiet {
                    self.params.see_quiet_slope * reduced_depth * reduced_depth
                } else {
                    self.params.see_capture_slope * depth + history / 32
                };
                if self.params.use_see_pruning != 0
                    && class != Class::Table
                    && class != Class::GoodNoisy
                    && !position.see_ge(mv, -allowed_loss)
                {
                    continue;
                }
            }

            // 12. Singular extension: if without the table's move nothing comes near its score, it is the
            // only move, and deserves a deeper look.
            let mut extension = 0;
            if self.params.use_singular != 0
                && !K::ROOT
                && Some(mv) == table_move
                && excluded.is_none()
                && depth >= self.params.singular_depth
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = entry
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && !entry.score(ply, clock).is_decisive()
            {
                match self.singular::<K>(task, position, ply, beta, depth, cut_node, entry, mv, quiet) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                    Singular::Stopped => return Score::DRAW,
                }
            }

            // 13. Play it.
            let next = self.make(task, position, ply, mv);
            let gives_check = next.is_check();
            let new_depth = depth - 1 + extension;
            let mut score;

            // 14. Late move reductions: moves far down the list are searched less deep first, by how late
            // they come and how likely the node is to need them.
            if self.params.use_lmr != 0 && depth >= 2 && number > 1 + usize::from(K::ROOT) {
                let divisor = if quiet { self.params.lmr_history } else { self.params.lmr_noisy_history };
                reduction -= history * 1024 / divisor;
                if was_pv {
                    reduction -= self.params.lmr_pv + if K::PV { self.params.lmr_on_pv } else { 0 };
                }
                if cut_node {
                    reduction += self.params.lmr_cut_node;
                }
                if !improving {
                    reduction += self.params.lmr_not_improving;
                }
                if gives_check {
                    reduction -= self.params.lmr_check;
                }
                if table_move.is_some_and(|mv| position.is_noisy(mv)) {
                    reduction += self.params.lmr_table_noisy;
                }
                if self.frames[ply + 1].cutoffs > 3 {
                    reduction += self.params.lmr_cutoffs;
                }
                reduction -= correction * self.params.lmr_correction;
                let reduced =
                    (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth + i32::from(K::PV));
                self.frames[ply].reduction = new_depth - reduced;
                score = -self.node::<Scout>(task, &next, ply + 1, -(alpha + 1), -alpha, reduced, true);
                self.frames[ply].reduction = 0;
                if score > alpha && reduced < new_depth && !self.stopped {
                    // How much better than expected decides how deep the second look is.
                    let deeper = i32::from(score > best + self.params.deeper_margin + 2 * new_depth);
                    let shallower = i32::from(score < best + 8);
                    let second = new_depth + deeper - shallower;
                    if second > reduced {
                        score = -self.node::<Scout>(
                            task,
                            &next,
                            ply + 1,
                            -(alpha + 1),
                            -alpha,
                            second,
                            !cut_node,
                        );
                    }
                    if quiet && self.params.use_second_look_lessons != 0 && !self.stopped {
                        let bonus =
                            if score > alpha { self.bonus(new_depth) } else { -self.malus(new_depth) };
                        self.teach_continuations(&context, self.frames[ply].step, bonus);
                    }
                }
            } else if !K::PV || number > 1 {
                // 15. Principal variation search: all moves but the first only have to be refuted.
                score = -self.node::<Scout>(task, &next, ply + 1, -(alpha + 1), -alpha, new_depth, !cut_node);
            } else {
                score = -Score::INFINITE;
            }
            // 16. The first move, and any that was not refuted, gets the open window.
            if K::PV && (number == 1 || score > alpha) && !self.stopped {
                score = -self.node::<K::Child>(task, &next, ply + 1, -beta, -alpha, new_depth, false);
            }
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }

            if K::ROOT {
                self.note_root_move(mv, score, alpha, beta, number, self.nodes - nodes_before);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV && !K::ROOT {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    // After one improvement another is less likely.
                    if depth > 3 && depth < 12 && !score.is_decisive() {
                        depth -= 1;
                    }
                }
            }
            if Some(mv) != best_move {
                let _ = if quiet { tried_quiet.try_push(mv) } else { tried_noisy.try_push(mv) };
            }
        }

        // What was overlooked may be what saves the game, so nothing is lost for certain.
        if overlooked && best.is_loss() {
            return evaluation.map_or(original_alpha, Score::evaluation);
        }

        // 17. No legal move: mate or stalemate. (With a move left out, only that nothing else holds.)
        if number == 0 {
            if excluded.is_some() {
                return alpha;
            }
            return if in_check { Score::mated_in(ply) } else { Score::DRAW };
        }
        if best == -Score::INFINITE || best < tablebase_floor {
            // Everything was left out as hopeless.
            best = original_alpha;
        }

        // 18. Histories learn from the move that refuted the node, and from those that did not.
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            self.learn_from_cutoff(position, &context, depth, mv, &tried_quiet, &tried_noisy);
        } else if best_move.is_none() && excluded.is_none() {
            self.learn_from_refutation(position, ply, depth);
        }
        if excluded.is_none() {
            best = self.softened(best, beta, depth);
        }
        if K::PV {
            best = best.min(best_possible);
        }

        // 19. Remember the result, and by how much the evaluation was wrong.
        if excluded.is_none() && !(K::ROOT && self.line_index > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if K::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let finding = Finding { mv: best_move, score: best, evaluation: raw, depth, bound, was_pv };
            task.table.store(position.key(), ply, &finding);
            if let Some(units) = evaluation
                && !best.is_decisive()
                && best_move.is_none_or(|mv| !position.is_noisy(mv))
                && !(bound == Bound::Lower && best.units() <= units)
                && !(bound == Bound::Upper && best.units() >= units)
            {
                let steps = self.last_steps(ply);
                self.histories.corrections.learn(position, steps, depth, best.units() - units);
            }
        }
        best
    }

    /// Whether the evaluation is better than it was at our last move, or the one before that when we
    /// were in check.
    fn is_improving(&self, ply: usize, evaluation: Option<i32>) -> bool {
        let before = |back: usize| ply.checked_sub(back).and_then(|earlier| self.frames[earlier].evaluation);
        match (evaluation, before(2).or_else(|| before(4))) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// What the tables say of a position with few men, as far as they may be asked.
    fn probe_tablebases(
        &mut self,
        task: &Task,
        position: &Position,
        ply: usize,
        depth: i32,
    ) -> Option<(Score, Bound)> {
        let tables = task.tablebases.as_ref()?;
        let men = position.occupied().count() as usize;
        let deep_enough = men < task.tablebase_men || depth >= task.tablebase_depth;
        if men > task.tablebase_men
            || !deep_enough
            || position.halfmove_clock() != 0
            || position.castling_rooks().any()
        {
            return None;
        }
        let wdl = tables.probe_wdl(position).ok()??;
        self.tablebase_hits += 1;
        Some(match (wdl, task.fifty_move_rule) {
            (Wdl::Win, _) | (Wdl::CursedWin, false) => (Score::tablebase_win(ply), Bound::Lower),
            (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => (Score::tablebase_loss(ply), Bound::Upper),
            (Wdl::CursedWin, true) => (Score::DRAW + 1, Bound::Exact),
            (Wdl::BlessedLoss, true) => (Score::DRAW - 1, Bound::Exact),
            (Wdl::Draw, _) => (Score::DRAW, Bound::Exact),
        })
    }

    /// Lets the opponent move twice. A cutoff at great depth is verified by a search without null moves,
    /// for fear of zugzwang.
    #[allow(clippy::too_many_arguments)]
    fn null_move(
        &mut self,
        task: &Task,
        position: &Position,
        ply: usize,
        guess: Score,
        beta: Score,
        depth: i32,
        cut_node: bool,
    ) -> Option<Score> {
        let reduction = self.params.null_base
            + depth / self.params.null_depth_divisor
            + ((guess - beta) / self.params.null_eval_divisor).min(3);
        self.frames[ply].step = None;
        self.frames[ply].quiet = None;
        self.keys.push(position.key());
        let mut next = *position;
        next.play_null();
        self.evaluation.play_null();
        task.table.prefetch(next.key());
        let score =
            -self.node::<Scout>(task, &next, ply + 1, -beta, -(beta - 1), depth - reduction, !cut_node);
        self.unmake();
        if self.stopped || score < beta {
            return None;
        }
        // A mate after passing is not proved.
        let score = if score.is_win() { beta } else { score };
        if self.null_move_ban > 0 || depth < self.params.null_verification_depth {
            return Some(score);
        }
        self.null_move_ban = ply + ((depth - reduction) * 3 / 4).max(1) as usize;
        let verified = self.node::<Scout>(task, position, ply, beta - 1, beta, depth - reduction, false);
        self.null_move_ban = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }

    #[allow(clippy::too_many_arguments)]
    fn prob_cut(
        &mut self,
        task: &Task,
        position: &Position,
        ply: usize,
        beta: Score,
        depth: i32,
        cut_node: bool,
        entry: Option<Entry>,
        table_move: Option<Move>,
        raw: Option<i32>,
    ) -> Option<Score> {
        let raised = beta + self.params.probcut_margin;
        let clock = position.halfmove_clock();
        if entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.score(ply, clock) < raised) {
            return None;
        }
        let evaluation = self.frames[ply].evaluation.unwrap_or(0);
        let table_move = table_move.filter(|&mv| position.is_noisy(mv));
        let mut picker = Picker::winning_captures(table_move, raised.units() - evaluation);
        let context = Context::default();
        while let Some((mv, _)) = picker.next(position, &self.histories, &context) {
            let next = self.make(task, position, ply, mv);
            let mut score = -self.quiescence::<Scout>(task, &next, ply + 1, -raised, -(raised - 1));
            if score >= raised && depth > 4 && !self.stopped {
                score =
                    -self.node::<Scout>(task, &next, ply + 1, -raised, -(raised - 1), depth - 4, !cut_node);
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= raised {
                let finding = Finding {
                    mv: Some(mv),
                    score,
                    evaluation: raw,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    was_pv: entry.is_some_and(|entry| entry.was_pv),
                };
                task.table.store(position.key(), ply, &finding);
                return Some(if score.is_decisive() { score } else { score - (raised - beta) });
            }
        }
        None
    }

    /// Searches the node without the table's move, to see whether that move stands alone.
    #[allow(clippy::too_many_arguments)]
    fn singular<K: Kind>(
        &mut self,
        task: &Task,
        position: &Position,
        ply: usize,
        beta: Score,
        depth: i32,
        cut_node: bool,
        entry: Entry,
        mv: Move,
        quiet: bool,
    ) -> Singular {
        let table_score = entry.score(ply, position.halfmove_clock());
        let singular_beta = table_score - self.params.singular_margin * depth / 16;
        self.frames[ply].excluded = Some(mv);
        let score = self.node::<Scout>(
            task,
            position,
            ply,
            singular_beta - 1,
            singular_beta,
            (depth - 1) / 2,
            cut_node,
        );
        self.frames[ply].excluded = None;
        if self.stopped {
            return Singular::Stopped;
        }
        if score < singular_beta {
            let shortfall = singular_beta - score;
            let double = shortfall > self.params.double_margin;
            let triple = double && quiet && shortfall > self.params.triple_margin;
            return Singular::Extend(1 + i32::from(double) + i32::from(triple));
        }
        // Multi-cut: another move beats beta as well, so the node surely fails high.
        if score >= beta && !score.is_decisive() && !K::PV {
            return Singular::Cut(score);
        }
        if table_score >= beta {
            // Several good moves: less depth for this one.
            return Singular::Extend(-2 + i32::from(K::PV));
        }
        Singular::Extend(if cut_node { -2 } else { 0 })
    }

    /// The bonus for a move that was good at this depth.
    fn bonus(&self, depth: i32) -> i32 {
        (self.params.bonus_slope * depth - self.params.bonus_offset).clamp(0, self.params.bonus_limit)
    }

    /// What moves that were not good lose.
    fn malus(&self, depth: i32) -> i32 {
        (self.params.malus_slope * depth - self.params.malus_offset).clamp(0, self.params.malus_limit)
    }

    fn noisy_history(&self, position: &Position, mv: Move) -> i32 {
        let captured = position.captured(mv).map_or(Role::King, Piece::role);
        position.piece_on(mv.from()).map_or(0, |piece| self.histories.captures.get(piece, mv.to(), captured))
    }

    fn learn_from_cutoff(
        &mut self,
        position: &Position,
        context: &Context,
        depth: i32,
        best: Move,
        tried_quiet: &Tried,
        tried_noisy: &Tried,
    ) {
        let (bonus, malus) = (self.bonus(depth), self.malus(depth));
        if position.is_noisy(best) {
            self.teach_noisy(position, best, bonus);
        } else {
            self.teach_quiet(position, context, best, bonus);
            for &mv in tried_quiet {
                self.teach_quiet(position, context, mv, -malus);
            }
        }
        for &mv in tried_noisy {
            self.teach_noisy(position, mv, -malus);
        }
    }

    /// A quiet move after which the evaluation is better than before was a good one, as far as that tells.
    fn learn_from_evaluation(&mut self, position: &Position, ply: usize) {
        if self.params.use_evaluation_lessons == 0 || ply == 0 {
            return;
        }
        let before = self.frames[ply - 1];
        if let (Some(mv), Some(sum)) = (before.quiet, self.evaluations_of_both(ply)) {
            let gain = (-sum).clamp(-100, 100) + self.params.evaluation_lesson_offset;
            let bonus = gain * self.params.evaluation_lesson_slope;
            self.histories.butterfly.learn(!position.turn(), before.threats, mv, bonus);
        }
    }

    /// A node without a good move praises the quiet move that led to it.
    fn learn_from_refutation(&mut self, position: &Position, ply: usize, depth: i32) {
        if self.params.use_refutation_lessons == 0 || ply == 0 {
            return;
        }
        let before = self.frames[ply - 1];
        if let (Some(mv), Some(step)) = (before.quiet, before.step) {
            let bonus = self.bonus(depth) * self.params.refutation_lesson / 100;
            self.histories.butterfly.learn(!position.turn(), before.threats, mv, bonus);
            for earlier in [2, 3, 5].map(|back| self.step_before(ply, back)).into_iter().flatten() {
                self.histories.continuations.learn(earlier, step, bonus);
            }
        }
    }

    /// The evaluation here and the one of the opponent before the last move, together: what that move lost.
    fn evaluations_of_both(&self, ply: usize) -> Option<i32> {
        let before = self.frames[ply.checked_sub(1)?].evaluation?;
        Some(self.frames[ply].evaluation? + before)
    }

    /// Corrects a reduction of the move before, now that the evaluation after it is known: a ply more if it
    /// was reduced much and lost nothing, a ply less if it lost a lot.
    fn depth_in_hindsight(&self, ply: usize, depth: i32) -> i32 {
        if self.params.use_hindsight == 0 || ply == 0 {
            return depth;
        }
        match (self.frames[ply - 1].reduction, self.evaluations_of_both(ply)) {
            (3.., Some(sum)) if sum <= 0 => depth + 1,
            (1.., Some(sum)) if depth >= 2 && sum > self.params.hindsight_margin => depth - 1,
            _ => depth,
        }
    }

    fn teach_quiet(&mut self, position: &Position, context: &Context, mv: Move, bonus: i32) {
        let Some(piece) = position.piece_on(mv.from()) else { return };
        let step = Step::new(piece, mv.to());
        self.histories.butterfly.learn(position.turn(), context.threats, mv, bonus);
        self.histories.pawns.learn(position.pawn_key(), step, bonus);
        self.teach_continuations(context, Some(step), bonus);
    }

    fn teach_continuations(&mut self, context: &Context, step: Option<Step>, bonus: i32) {
        let Some(step) = step else { return };
        for earlier in context.earlier.into_iter().flatten() {
            self.histories.continuations.learn(earlier, step, bonus);
        }
    }

    fn teach_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let captured = position.captured(mv).map_or(Role::King, Piece::role);
        if let Some(piece) = position.piece_on(mv.from()) {
            self.histories.captures.learn(piece, mv.to(), captured, bonus);
        }
    }

    /// The best line from this ply: a move and the best line after it.
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        let rest = &below[0][..below[0].len().min(MAX_PLY - 1)];
        let _ = here[ply].try_extend_from_slice(rest);
    }

    /// Keeps what was found out about a first move.
    fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        alpha: Score,
        beta: Score,
        number: usize,
        nodes: u64,
    ) {
        let selective_depth = self.selective_depth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number == 1 || score > alpha {
            root.score = score;
            root.selective_depth = selective_depth;
            root.bound = if score >= beta {
                Bound::Lower
            } else if score <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(&self.lines[1]);
        } else {
            // Not better than the best: its true score is unknown, and it keeps its place in the order.
            root.score = -Score::INFINITE;
        }
    }

    /// In a long search, tells which first move is being searched.
    fn tell_current_move(&self, task: &Task, mv: Move, number: usize) {
        if task.control.is_long_search() {
            task.control.tell(Event::CurrentMove {
                depth: self.root_depth,
                mv,
                number: number + self.line_index,
            });
        }
    }
}

enum Singular {
    /// Search the move so many plies deeper (or less deep).
    Extend(i32),
    /// The node fails high without it.
    Cut(Score),
    /// The search was stopped.
    Stopped,
}
