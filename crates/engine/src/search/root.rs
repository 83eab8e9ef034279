//! Iterative deepening: every depth prepares the next, and there is always an answer.

use super::node::Node;
use super::params::Values;
use super::{Driver, NodeType, Root, RootMove, StackEntry, Task, Worker};
use crate::MAX_PLY;
use crate::event::Bound;
use crate::score::Score;
use crate::time::Certainty;
use chess::Move;

impl Worker {
    /// Searches until told to stop or out of depth. What was found is in [`Worker::root_moves`].
    pub(crate) fn search(&mut self, task: &Task<'_>) {
        self.search_to(task, task.limits.depth.unwrap_or(MAX_PLY as i32));
    }

    /// The same, but not beyond a depth.
    pub(crate) fn search_to(&mut self, task: &Task<'_>, depth: i32) {
        self.prepare(task);
        let mut progress = Progress::default();
        let last_depth = depth.clamp(1, MAX_PLY as i32 - 1);
        for depth in 1..=last_depth {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous = root.score;
            }
            for line_index in 0..task.lines.min(self.root_moves.len()) {
                self.line_index = line_index;
                self.selective_depth = 0;
                match task.driver {
                    Driver::Pvs => self.aspiration(task, depth),
                    Driver::Mtdf => self.mtdf(task, depth),
                }
                if self.stopped {
                    break;
                }
                sort(&mut self.root_moves[..=line_index]);
            }
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            if self.id == 0 {
                self.publish_counters(task);
                self.report_lines(task);
                if self.is_done(task, &mut progress) {
                    break;
                }
            }
        }
        self.publish_counters(task);
        self.settle_scores();
    }

    /// Takes over a line that was proved elsewhere as the result of the search, and reports it.
    pub(crate) fn adopt_line(&mut self, task: &Task<'_>, line: &[Move], score: Score) {
        self.prepare(task);
        let first = self.root_moves.iter_mut().find(|root| line.first() == Some(&root.mv));
        if let Some(root) = first {
            root.score = score;
            root.line = line.to_vec();
            root.selective_depth = line.len();
        }
        sort(&mut self.root_moves);
        self.root_depth = line.len() as i32;
        self.completed_depth = self.root_depth;
        self.report_lines(task);
    }

    fn prepare(&mut self, task: &Task<'_>) {
        self.keys.clear();
        self.keys.extend_from_slice(&task.history);
        self.stack.fill(StackEntry::default());
        self.nodes = 0;
        self.published_nodes = 0;
        self.tablebase_hits = 0;
        self.node_limit = task.limits.nodes.map_or(u64::MAX, |limit| task.control.grant_nodes(limit));
        self.root_moves = task.root_moves.iter().map(|&mv| RootMove::new(mv)).collect();
        self.line_index = 0;
        self.completed_depth = 0;
        self.selective_depth = 0;
        self.null_move_ban = 0;
        self.scores_by_depth.clear();
        self.stopped = false;
        self.grain = if task.driver == Driver::Mtdf { self.params.mtdf_grain } else { 1 };
        self.handicap = task.handicap;
        self.sampler.clone_from(&task.limits.sampler);
        self.evaluation.reset(&task.root);
        self.first_guess = if task.root.is_check() {
            Score::DRAW
        } else {
            Score::evaluation(self.raw_evaluation(&task.root))
        };
    }

    /// Searches with a narrow window around the last score, widened on the side where the score falls
    /// outside.
    fn aspiration(&mut self, task: &Task<'_>, depth: i32) {
        let previous = self.root_moves[self.line_index].previous;
        let mut window = self.params.aspiration_window;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if self.params.use_aspiration && depth >= self.params.aspiration_depth && !previous.is_decisive() {
            alpha = lower(previous, window);
            beta = upper(previous, window);
        }
        let mut fails_high = 0;
        loop {
            let reduced = (depth - fails_high.min(self.params.aspiration_reduction)).max(1);
            let score = self.search_root::<Root>(task, alpha, beta, reduced);
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = Score::evaluation((alpha.units() + beta.units()) / 2).max(alpha + 1);
                alpha = lower(score, window);
                fails_high = 0;
            } else if score >= beta {
                beta = upper(score, window);
                fails_high += 1;
            } else {
                return;
            }
            if self.id == 0 && task.control.is_long_search() {
                self.publish_counters(task);
                self.report_lines(task);
            }
            window += window * self.params.aspiration_growth / 64 + 1;
            if window > self.params.aspiration_limit || score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Searches the first moves that are not taken by lines before, and sorts them.
    pub(super) fn search_root<N: NodeType>(
        &mut self,
        task: &Task<'_>,
        alpha: Score,
        beta: Score,
        depth: i32,
    ) -> Score {
        let root = Node { task, position: &task.root, ply: 0, alpha, beta, depth, cut_node: false };
        let score = self.search_node::<N>(root);
        sort(&mut self.root_moves[self.line_index..]);
        score
    }

    /// Whether a first move is to be searched: it was asked for, and is not taken by a line before.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.line_index..].iter().any(|root| root.mv == mv)
    }

    /// Keeps what was found out about a first move, the window being what it was before.
    pub(super) fn note_root_move(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        score: Score,
        number: usize,
        nodes_before: u64,
    ) {
        let &Node { alpha, beta, .. } = node;
        let nodes = self.nodes - nodes_before;
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
            root.line.extend_from_slice(&self.pv[1]);
        } else {
            // Not better than the best: its true score is unknown, and it keeps its place in the order.
            root.score = -Score::INFINITE;
        }
    }

    /// The principal variation from this ply: a move and the principal variation after it.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        let rest = &below[0][..below[0].len().min(MAX_PLY - 1)];
        let _ = here[ply].try_extend_from_slice(rest);
    }

    /// Whether the iteration that has just ended is the last.
    fn is_done(&mut self, task: &Task<'_>, progress: &mut Progress) -> bool {
        let best = &self.root_moves[0];
        let certainty = progress.note(&self.params, best, self.nodes);
        self.scores_by_depth.push(best.score);
        if task.limits.soft_nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        let Some(budget) = task.budget.filter(|_| !task.limits.infinite && !task.control.is_pondering())
        else {
            return false;
        };
        if budget.flexible && self.root_depth >= self.params.time_early_end_depth {
            // Nothing to choose, or a mate that a deeper search will only confirm.
            let confirmation = self.params.time_mate_confirmation;
            let mate_is_certain =
                best.score.mate_plies().is_some_and(|plies| self.root_depth > plies.abs() + confirmation);
            if self.root_moves.len() == 1 || mate_is_certain {
                return true;
            }
        }
        // Time spent pondering was spent thinking.
        budget.is_enough(&self.params, task.control.thinking_time(), &certainty)
    }

    /// Moves that the last, unfinished iteration did not reach keep what they had.
    fn settle_scores(&mut self) {
        for root in &mut self.root_moves {
            if root.score == -Score::INFINITE {
                root.score = root.previous;
                root.bound = Bound::Exact;
            }
        }
    }
}

/// What the iterations so far say about how sure the search is.
#[derive(Default)]
struct Progress {
    best: Option<Move>,
    stable_iterations: u32,
    scores: Vec<Score>,
}

impl Progress {
    fn note(&mut self, values: &Values, best: &RootMove, nodes: u64) -> Certainty {
        if self.best == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.best = Some(best.mv);
            self.stable_iterations = 0;
        }
        self.scores.push(best.score);
        let back = values.time_trend_iterations as usize;
        let earlier = self.scores[self.scores.len().saturating_sub(1 + back)];
        let drop = if earlier.is_decisive() || best.score.is_decisive() { 0 } else { earlier - best.score };
        Certainty {
            stable_iterations: self.stable_iterations,
            best_move_share: best.nodes as f64 / nodes.max(1) as f64,
            score_drop: drop,
        }
    }
}

/// Best first; moves without a new score keep their order.
fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse(root.score));
}

fn lower(score: Score, window: i32) -> Score {
    (score - window).max(-Score::INFINITE)
}

fn upper(score: Score, window: i32) -> Score {
    (score + window).min(Score::INFINITE)
}
