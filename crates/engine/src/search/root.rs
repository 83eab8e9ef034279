//! Iterative deepening: every depth prepares the next, and there is always an answer.

use super::{Driver, Kind, Root, RootMove, Scout, Task, Worker};
use crate::MAX_PLY;
use crate::event::{Bound, Event, Line};
use crate::score::Score;
use crate::time::Certainty;
use chess::{Move, Position};

/// The root when MTD(f) searches it: a null window there too.
struct ScoutRoot;

impl Kind for ScoutRoot {
    const PV: bool = false;
    const ROOT: bool = true;
    type Child = Scout;
}

/// MTD(f) counts in steps of this many units: the coarser the scores, the fewer passes.
const MTDF_GRAIN: i32 = 8;
/// After so many passes the last bounds have to do.
const MTDF_PASSES: u32 = 24;

impl Worker {
    /// Searches until told to stop or out of depth. What was found is in [`Worker::root_moves`].
    pub fn search(&mut self, task: &Task) {
        self.search_to(task, task.limits.depth.unwrap_or(MAX_PLY as i32));
    }

    /// The same, but not beyond a depth.
    pub fn search_to(&mut self, task: &Task, depth: i32) {
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
                self.tell_lines(task);
                if self.is_done(task, &mut progress) {
                    break;
                }
            }
        }
        self.publish_counters(task);
        self.settle_scores();
    }

    /// Takes over a line that was proved elsewhere as the result of the search, and tells it.
    pub fn adopt_line(&mut self, task: &Task, line: &[Move], score: Score) {
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
        self.tell_lines(task);
    }

    fn prepare(&mut self, task: &Task) {
        self.keys.clear();
        self.keys.extend_from_slice(&task.history);
        self.root_keys = self.keys.len();
        self.frames.fill(super::Frame::default());
        self.nodes = 0;
        self.published_nodes = 0;
        self.tablebase_hits = 0;
        // One thread alone counts exactly; several together look at the sum now and then.
        self.node_limit = match task.limits.nodes {
            Some(nodes) if task.control.threads() == 1 => nodes.max(1),
            _ => u64::MAX,
        };
        self.root_moves = task.root_moves.iter().map(|&mv| RootMove::new(mv)).collect();
        self.line_index = 0;
        self.completed_depth = 0;
        self.selective_depth = 0;
        self.null_move_ban = 0;
        self.scores_by_depth.clear();
        self.stopped = false;
        self.grain = if task.driver == Driver::Mtdf { MTDF_GRAIN } else { 1 };
        self.handicap = task.handicap;
        self.evaluation.reset(&task.root);
        self.first_guess = if task.root.is_check() {
            Score::DRAW
        } else {
            Score::evaluation(self.raw_evaluation(&task.root))
        };
    }

    /// Searches with a narrow window around the last score, widened on the side where the score falls
    /// outside.
    fn aspiration(&mut self, task: &Task, depth: i32) {
        let previous = self.root_moves[self.line_index].previous;
        let mut window = self.params.aspiration_window;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if self.params.use_aspiration != 0 && depth >= 4 && !previous.is_decisive() {
            alpha = lower(previous, window);
            beta = upper(previous, window);
        }
        let mut fails_high = 0;
        loop {
            let reduced = (depth - fails_high.min(3)).max(1);
            let score = self.node::<Root>(task, &task.root, 0, alpha, beta, reduced, false);
            sort(&mut self.root_moves[self.line_index..]);
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
                self.tell_lines(task);
            }
            window += window * self.params.aspiration_growth / 64 + 1;
            if window > 2000 || score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// MTD(f): null-window searches close in on the score from both sides. The table makes searching again
    /// cheap; steps that grow make up for a bad first guess, and passes are counted, because an unstable
    /// search may never agree with itself.
    fn mtdf(&mut self, task: &Task, depth: i32) {
        let guess = self.mtdf_guess();
        let (mut lower, mut upper) = (-Score::INFINITE, Score::INFINITE);
        let mut beta = (guess + 1).min(Score::INFINITE);
        let mut step = MTDF_GRAIN;
        let mut last_failed_high = None;
        for _ in 0..MTDF_PASSES {
            let score = self.node::<ScoutRoot>(task, &task.root, 0, beta - 1, beta, depth, false);
            sort(&mut self.root_moves[self.line_index..]);
            if self.stopped {
                return;
            }
            let failed_high = score >= beta;
            if failed_high {
                lower = score;
            } else {
                upper = score;
            }
            if lower >= upper {
                break;
            }
            step = if last_failed_high == Some(failed_high) { step * 2 } else { MTDF_GRAIN };
            last_failed_high = Some(failed_high);
            beta = if failed_high {
                (score + 1 + (step - MTDF_GRAIN)).min(upper)
            } else {
                (score - (step - MTDF_GRAIN)).max(lower + 1)
            };
        }
        let line = self.line_from_table(task, self.root_moves[self.line_index].mv);
        let best = &mut self.root_moves[self.line_index];
        best.score = if lower == -Score::INFINITE { upper } else { lower };
        best.bound = Bound::Exact;
        best.line = line;
    }

    /// Odd and even depths tend to differ, so the score of two iterations back is the better guess.
    fn mtdf_guess(&mut self) -> Score {
        let best = &self.root_moves[self.line_index];
        let guess =
            if self.line_index == 0 { self.scores_by_depth.iter().rev().nth(1).copied() } else { None };
        let guess = guess.unwrap_or(best.previous);
        if guess == -Score::INFINITE { Score::DRAW } else { guess }
    }

    /// The line that the table's moves make, as long as they are legal and repeat nothing.
    fn line_from_table(&self, task: &Task, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let mut keys = self.keys.clone();
        keys.push(task.root.key());
        let mut position = task.root.after(first);
        while line.len() < MAX_PLY - 1 && !keys.contains(&position.key()) && position.halfmove_clock() < 100 {
            let Some(mv) = task.table.probe(position.key()).and_then(|entry| entry.mv) else { break };
            if !position.is_legal(mv) || position.is_insufficient_material() {
                break;
            }
            line.push(mv);
            keys.push(position.key());
            position.play(mv);
        }
        line
    }

    /// Tells the best lines as they stand.
    fn tell_lines(&self, task: &Task) {
        let lines = self.lines(task);
        task.control.tell(Event::Lines(lines, task.control.usage(&task.table)));
    }

    /// The best lines as they stand: those of this iteration, or of the one before where it has not got
    /// so far.
    #[must_use]
    pub fn lines(&self, task: &Task) -> Vec<Line> {
        let wanted = task.lines.min(self.root_moves.len());
        self.lines_of(task, &self.root_moves[..wanted])
    }

    /// The lines of some first moves, best first.
    #[must_use]
    pub fn lines_of(&self, task: &Task, moves: &[RootMove]) -> Vec<Line> {
        let mut lines: Vec<Line> = moves
            .iter()
            .map(|root| {
                let searched = root.score != -Score::INFINITE;
                let (mut score, bound) =
                    if searched { (root.score, root.bound) } else { (root.previous, Bound::Exact) };
                if score == -Score::INFINITE {
                    // Not even the first iteration got here: the evaluation is all there is.
                    score = self.first_guess;
                }
                Line {
                    rank: 0,
                    depth: if searched { self.root_depth } else { self.completed_depth }.max(1),
                    selective_depth: root.selective_depth.max(1),
                    score,
                    bound,
                    moves: complete_line(task, score, &root.line),
                }
            })
            .collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        for (index, line) in lines.iter_mut().enumerate() {
            line.rank = index + 1;
        }
        lines
    }

    /// Whether the iteration that has just ended is the last.
    fn is_done(&mut self, task: &Task, progress: &mut Progress) -> bool {
        let best = &self.root_moves[0];
        let certainty = progress.note(best, self.nodes);
        self.scores_by_depth.push(best.score);
        if task.limits.soft_nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        let Some(budget) = task.budget.filter(|_| !task.limits.infinite && !task.control.is_pondering())
        else {
            return false;
        };
        if budget.flexible && self.root_depth >= 6 {
            // Nothing to choose, or a mate that a deeper search will only confirm.
            let mate_is_certain =
                best.score.mate_plies().is_some_and(|plies| self.root_depth > plies.abs() + 8);
            if self.root_moves.len() == 1 || mate_is_certain {
                return true;
            }
        }
        // Time spent pondering was spent thinking.
        budget.is_enough(task.control.thinking_time(), &certainty)
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
    fn note(&mut self, best: &RootMove, nodes: u64) -> Certainty {
        if self.best == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.best = Some(best.mv);
            self.stable_iterations = 0;
        }
        self.scores.push(best.score);
        let earlier = self.scores[self.scores.len().saturating_sub(4)];
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

/// A mate is told with its whole line. Where the search cut it short, because the table knew the rest, the
/// table tells it, or it is proved again from there.
fn complete_line(task: &Task, score: Score, line: &[Move]) -> Vec<Move> {
    let mut moves = line.to_vec();
    let Some(plies) = score.mate_plies() else { return moves };
    let mut position: Position = task.root;
    for &mv in line {
        position.play(mv);
    }
    loop {
        let missing = (plies.unsigned_abs() as usize).saturating_sub(moves.len());
        if missing == 0 {
            return moves;
        }
        let known = task.table.probe(position.key()).and_then(|entry| {
            let distance = entry.score(0, position.halfmove_clock()).mate_plies()?;
            entry.mv.filter(|&mv| distance.unsigned_abs() as usize == missing && position.is_legal(mv))
        });
        let Some(mv) = known else {
            moves.extend(crate::mating::mating_line(&position, missing));
            return moves;
        };
        moves.push(mv);
        position.play(mv);
    }
}
