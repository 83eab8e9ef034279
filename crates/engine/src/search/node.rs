//! A node of the tree, in numbered steps.
//!
//! Each step has the name the field uses and says why it is there. [`super::steps`] lists them all with the flags
//! that switch them off. Steps 10 to 13 and 15 to 18 are in `pruning.rs`, 20 to 22 in `reductions.rs`.

use super::learning::TriedMoves;
use super::margins;
use super::singular::Singular;
use super::tablebases::ProbeResult;
use super::{NodeType, Task, Worker};
use crate::event::Bound;
use crate::picker::{MoveKind, MovePicker};
use crate::score::Score;
use crate::transposition::{TtEntry, TtUpdate};
use chess::{Move, Position};

/// A node as its parent asks for it.
#[derive(Copy, Clone)]
pub(super) struct Node<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) position: &'a Position,
    /// Its distance from the root.
    pub(super) ply: usize,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: i32,
    /// The expectation that the node fails high, which decides how much is risked on it.
    pub(super) cut_node: bool,
}

impl Node<'_> {
    /// The node after a move. The window is given as this side sees it.
    #[inline(always)]
    pub(super) fn child<'b>(
        &'b self,
        position: &'b Position,
        (alpha, beta): (Score, Score),
        depth: i32,
        cut_node: bool,
    ) -> Node<'b> {
        Node { task: self.task, position, ply: self.ply + 1, alpha: -beta, beta: -alpha, depth, cut_node }
    }

    /// The same node with a null window below this beta.
    #[inline(always)]
    pub(super) fn with_null_window(&self, beta: Score, depth: i32, cut_node: bool) -> Self {
        Self { alpha: beta - 1, beta, depth, cut_node, ..*self }
    }
}

/// What is known of a node before its moves are tried.
pub(super) struct Facts {
    pub(super) tt_entry: Option<TtEntry>,
    pub(super) tt_move: Option<Move>,
    /// Whether the node is or was on a principal variation.
    pub(super) was_pv: bool,
    /// The static evaluation before correction; none in check.
    pub(super) raw: Option<i32>,
    /// The corrected static evaluation; none in check.
    pub(super) evaluation: Option<i32>,
    /// Whether it has risen since our last move.
    pub(super) improving: bool,
}

/// A move that is being considered.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) kind: MoveKind,
    pub(super) quiet: bool,
    /// How many moves of the node were considered, this one included.
    pub(super) number: usize,
    pub(super) history: i32,
    /// The basic late move reduction, in 1024ths of a ply.
    pub(super) reduction: i32,
}

impl Worker {
    /// The score of a position for the side to move, within or beyond the window: fail-soft.
    pub(super) fn search_node<N: NodeType>(&mut self, mut node: Node<'_>) -> Score {
        let Node { task, position, ply, cut_node, .. } = node;

        // 1. Quiescence search: at depth 0 only captures are played out.
        if node.depth <= 0 {
            return self.quiescence::<N::Child>(node);
        }
        self.enter_node::<N>(task, ply);
        if self.stopped {
            return Score::DRAW;
        }
        let in_check = position.is_check();
        let excluded = self.stack[ply].excluded;

        if !N::ROOT {
            // 2. Draws: by the rules, and by upcoming repetition, which the side to move can force.
            if let Some(score) = self.final_score(position, ply) {
                return score;
            }
            if node.alpha < Score::DRAW
                && self.params.use_upcoming_repetition
                && position.can_repeat(&self.keys, |plies| plies < ply)
            {
                node.alpha = self.draw_score();
                if node.alpha >= node.beta {
                    return node.alpha;
                }
            }
            // 3. Mate distance pruning: no line from here can beat a shorter mate found elsewhere.
            node.alpha = node.alpha.max(Score::mated_in(ply));
            node.beta = node.beta.min(Score::mate_in(ply + 1));
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }

        // 4. Transposition table cutoff: the position was searched before. Not near the fifty-move limit, where the
        // way to a position matters. The search that excludes a move must not read an answer that includes it.
        let clock = position.halfmove_clock();
        let tt_entry = if excluded.is_some() { None } else { task.tt.probe(position.key(), ply, clock) };
        let tt_move = if N::ROOT {
            self.root_moves[self.line_index..].first().map(|root| root.mv)
        } else {
            tt_entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
        };
        if let Some(entry) = tt_entry
            && !N::PV
            && !N::ROOT
            && self.params.use_tt_cutoffs
            && entry.depth >= node.depth
            && i32::from(clock) < self.params.tt_cutoff_clock
            && entry.decides(node.beta)
        {
            if let Some(mv) = tt_move.filter(|&mv| entry.score >= node.beta && !position.is_noisy(mv)) {
                self.learn_from_tt_cutoff(&node, mv);
            }
            return entry.score;
        }
        let was_pv = N::PV || tt_entry.is_some_and(|entry| entry.was_pv);

        // 5. Tablebase probe: the result is known; only how far a win is may not be.
        let mut best = -Score::INFINITE;
        let mut best_possible = Score::INFINITE;
        if !N::ROOT && excluded.is_none() {
            match self.probe_tablebases(&node, was_pv) {
                ProbeResult::Cutoff(score) => return score,
                ProbeResult::AtLeast(score) if N::PV => {
                    best = score;
                    node.alpha = node.alpha.max(score);
                }
                ProbeResult::AtMost(score) if N::PV => best_possible = score,
                ProbeResult::Nothing | ProbeResult::AtLeast(_) | ProbeResult::AtMost(_) => {}
            }
        }

        // 6. Static evaluation, with correction history: what the pruning steps compare with.
        let (raw, evaluation) = self.static_evaluation(&node, in_check, tt_entry);
        let improving = self.is_improving(ply, evaluation);
        self.stack[ply + 2].cutoffs = 0;
        let facts = Facts { tt_entry, tt_move, was_pv, raw, evaluation, improving };

        if excluded.is_none() {
            // 7. Eval-difference history: a quiet move after which the evaluation is better was a good one.
            self.learn_from_eval_difference(position, ply);
            // 8. Hindsight: the reduction of the move before is reconsidered, now that the evaluation is known.
            node.depth = self.depth_in_hindsight(ply, node.depth);
        }

        // 9. Internal iterative reduction: without a move from the transposition table the ordering is poor; a
        // shallower search finds one cheaply.
        if self.params.use_iir
            && node.depth >= self.params.iir_depth
            && (N::PV || cut_node)
            && excluded.is_none()
            && !N::ROOT
            && tt_entry
                .is_none_or(|entry| entry.mv.is_none() || entry.depth + self.params.iir_tt_depth < node.depth)
        {
            node.depth -= 1;
        }

        // 10 to 13. Reverse futility pruning, null move pruning, small ProbCut, ProbCut.
        if !N::PV
            && !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, &facts)
        {
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }

        let context = self.ordering_context(position, ply);
        self.stack[ply].threats = context.threats;
        let mut picker = MovePicker::new(tt_move);
        let original_alpha = node.alpha;
        let tablebase_floor = best;
        let mut best_move = None;
        let mut tried = TriedMoves::default();
        let mut number = 0;
        let mut overlooked = false;

        while let Some((mv, kind)) = picker.next(position, &self.histories, &self.params, &context) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            // A level below full strength does not notice every move.
            if !N::ROOT && !in_check && self.overlooks(position, ply, mv) {
                overlooked = true;
                continue;
            }
            number += 1;
            let nodes_before = self.nodes;
            if N::ROOT && self.id == 0 {
                self.report_current_move(task, mv, number);
            }
            let quiet = !position.is_noisy(mv);
            let history = self.history_of(position, &context, mv, quiet);
            let reduction = self.params.reduction(quiet, node.depth, number);
            let candidate = Candidate { mv, kind, quiet, number, history, reduction };

            // Near the leaves, moves that promise nothing are left out, as long as something holds.
            if !N::ROOT && !best.is_loss() && position.has_pieces(position.turn()) {
                // 14. Late move pruning: enough quiet moves were tried; this one is the last.
                if quiet
                    && self.params.use_lmp
                    && number as i32 > margins::late_move_count(&self.params, node.depth, improving)
                {
                    picker.skip_quiets();
                }
                // 15 to 18. Futility pruning, history pruning, capture futility pruning, SEE pruning.
                if self.prunes_move(&node, &facts, &candidate) {
                    continue;
                }
            }

            // 19. Singular extension: if without the transposition table's move nothing comes near its score, it is
            // the only move, and deserves a deeper look.
            let mut extension = 0;
            if self.params.use_singular
                && !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && let Some(entry) = tt_entry
                && self.may_be_singular(&node, entry)
            {
                match self.singular_search::<N>(&node, entry, mv, quiet) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return score,
                    Singular::Stopped => return Score::DRAW,
                }
            }

            // 20 to 22. Make the move, late move reductions, principal variation search.
            let score = self.search_move::<N>(&node, &facts, &context, &candidate, extension, best);
            if self.stopped {
                return Score::DRAW;
            }

            // 23. Alpha and beta: a better move raises alpha, and one that reaches beta ends the node.
            if N::ROOT {
                self.note_root_move(&node, mv, score, number, nodes_before);
            }
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.extend_pv(ply, mv);
                    }
                    if score >= node.beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    node.alpha = score;
                    // After one improvement another is less likely.
                    if node.depth >= self.params.alpha_raise_least_depth
                        && node.depth <= self.params.alpha_raise_largest_depth
                        && !score.is_decisive()
                    {
                        node.depth -= 1;
                    }
                }
            }
            if Some(mv) != best_move {
                tried.push(mv, quiet);
            }
        }

        // What was overlooked may be what saves the game, so nothing is lost for certain.
        if overlooked && best.is_loss() {
            return evaluation.map_or(original_alpha, Score::evaluation);
        }

        // 24. Checkmate and stalemate: no legal move. (With a move excluded, only that nothing else holds.)
        if number == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => node.alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            };
        }
        if best == -Score::INFINITE || best < tablebase_floor {
            // Everything was pruned as hopeless.
            best = original_alpha;
        }

        // 25. History updates: from the move that refuted the node and those that did not.
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            self.learn_from_cutoff(&node, &context, mv, &tried);
        } else if best_move.is_none() && excluded.is_none() {
            self.learn_from_fail_low(&node);
        }

        // 26. Fail firm: a score beyond beta is blended with beta, the more the less depth there was behind it.
        if excluded.is_none() {
            best = self.fail_firm(best, node.beta, node.depth);
        }
        if N::PV {
            best = best.min(best_possible);
        }

        // 27. Store the result, and learn by how much the evaluation was wrong.
        if excluded.is_none() && !(N::ROOT && self.line_index > 0) {
            let bound = if best >= node.beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let depth = node.depth;
            let update = TtUpdate { mv: best_move, score: best, evaluation: raw, depth, bound, was_pv };
            task.tt.store(position.key(), ply, &update);
            self.learn_from_result(&node, evaluation, &update);
        }
        best
    }
}
