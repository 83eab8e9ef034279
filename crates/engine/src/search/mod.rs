//! The search of one thread.
//!
//! `root` deepens iteration by iteration, `node` searches a position of the tree, `quiescence` settles
//! captures at its leaves. They share the [`Worker`].

mod node;
pub mod params;
mod quiescence;
mod root;

use crate::MAX_PLY;
use crate::control::Control;
use crate::evaluation::Evaluation;
use crate::event::Bound;
use crate::handicap::Handicap;
use crate::history::{Histories, Step};
use crate::limits::Limits;
use crate::picker::Context;
use crate::score::Score;
use crate::table::Table;
use crate::time::Budget;
use arrayvec::ArrayVec;
use chess::{Bitboard, Key, Move, Position, Role, attacks};
use params::Params;
use std::sync::Arc;
use tablebase::Tablebases;

/// How the root narrows down the score.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Principal variation search with aspiration windows.
    Pvs,
    /// MTD(f): null windows only.
    Mtdf,
}

/// Everything about one search that all threads need to know.
pub struct Task {
    /// Where the search begins.
    pub root: Position,
    /// Keys of the positions before it, oldest first, since the last irreversible move.
    pub history: Vec<Key>,
    /// The first moves to consider: all legal ones, unless fewer were asked for or tablebases rule some out.
    pub root_moves: Vec<Move>,
    /// What holds it back, below full strength.
    pub handicap: Option<Handicap>,
    /// What ends it.
    pub limits: Limits,
    /// What the clock allows.
    pub budget: Option<Budget>,
    /// How many lines are wanted.
    pub lines: usize,
    /// How the root narrows down the score.
    pub driver: Driver,
    /// What was learnt before.
    pub table: Arc<Table>,
    /// End game tables, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Least depth at which tables with the most men are asked.
    pub tablebase_depth: i32,
    /// The most men for which tables are asked; 0 when the root itself is in a table.
    pub tablebase_men: usize,
    /// Whether wins beyond fifty moves are draws.
    pub fifty_move_rule: bool,
    /// Stop flag, counters, clock.
    pub control: Arc<Control>,
}

/// A first move and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its score in this iteration; minus infinity until it has one.
    pub score: Score,
    /// Its score in the iteration before.
    pub previous: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The best line that begins with it.
    pub line: Vec<Move>,
    /// How many nodes went into it, all iterations together.
    pub nodes: u64,
    /// The longest line looked at below it.
    pub selective_depth: usize,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            bound: Bound::Exact,
            line: vec![mv],
            nodes: 0,
            selective_depth: 0,
        }
    }
}

/// What the search remembers of each ply on the way to the present node.
#[derive(Copy, Clone, Default)]
struct Frame {
    /// The corrected static evaluation; none in check.
    evaluation: Option<i32>,
    /// The piece that moved from here and where to; none for a null move.
    step: Option<Step>,
    /// The move, if it was a quiet one.
    quiet: Option<Move>,
    /// The squares the opponent attacked before it.
    threats: Bitboard,
    /// By how many plies the search after it is reduced.
    reduction: i32,
    /// A move left out, while the search asks whether it is the only good one.
    excluded: Option<Move>,
    /// How often the children of this node failed high lately.
    cutoffs: u32,
}

/// Kinds of nodes as types, so that the compiler sees what a node is.
trait Kind {
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// The kind of the first child of a node on the principal variation.
    type Child: Kind;
}

/// The root.
struct Root;
/// A node on the principal variation.
struct Pv;
/// A node off it, searched with a null window.
struct Scout;

impl Kind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl Kind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl Kind for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = Scout;
}

type PvLine = ArrayVec<Move, MAX_PLY>;

/// A searching thread: its tables and the state of its search.
pub struct Worker {
    id: usize,
    params: Params,
    evaluation: Evaluation,
    histories: Box<Histories>,
    frames: Box<[Frame]>,
    lines: Box<[PvLine]>,
    /// Keys of all positions from the last irreversible move before the root to the present node.
    keys: Vec<Key>,
    /// How many of them lie before the root.
    root_keys: usize,
    nodes: u64,
    published_nodes: u64,
    node_limit: u64,
    tablebase_hits: u64,
    selective_depth: usize,
    root_depth: i32,
    root_moves: Vec<RootMove>,
    /// The line being searched, with several wanted; moves before it are taken.
    line_index: usize,
    completed_depth: i32,
    /// No null moves for this side above this ply while a null-move cutoff is verified.
    null_move_ban: usize,
    /// Evaluations are rounded to multiples of this.
    grain: i32,
    /// What holds the search back, below full strength.
    handicap: Option<Handicap>,
    /// The best score of each iteration so far.
    scores_by_depth: Vec<Score>,
    /// The static evaluation of the root, for want of anything better.
    first_guess: Score,
    stopped: bool,
}

impl Worker {
    /// A worker with empty tables.
    #[must_use]
    pub fn new(id: usize, params: Params, evaluation: Evaluation) -> Self {
        Self {
            id,
            params,
            evaluation,
            histories: Box::default(),
            frames: vec![Frame::default(); MAX_PLY + 8].into_boxed_slice(),
            lines: vec![PvLine::new(); MAX_PLY + 2].into_boxed_slice(),
            keys: Vec::with_capacity(1024),
            root_keys: 0,
            nodes: 0,
            published_nodes: 0,
            node_limit: u64::MAX,
            tablebase_hits: 0,
            selective_depth: 0,
            root_depth: 0,
            root_moves: Vec::new(),
            line_index: 0,
            completed_depth: 0,
            null_move_ban: 0,
            grain: 1,
            handicap: None,
            scores_by_depth: Vec::new(),
            first_guess: Score::DRAW,
            stopped: false,
        }
    }

    /// Forgets what was learnt in earlier games.
    pub fn forget(&mut self) {
        *self.histories = Histories::default();
    }

    /// Takes another evaluation, and forgets what was learnt with the one before.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.forget();
    }

    /// Takes other search parameters.
    #[cfg(feature = "tuning")]
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// The first moves, best first, after a search.
    #[must_use]
    pub fn root_moves(&self) -> &[RootMove] {
        &self.root_moves
    }

    /// The last depth that was searched to the end.
    #[must_use]
    pub fn completed_depth(&self) -> i32 {
        self.completed_depth
    }

    /// Counts a node and finds out, now and then, whether the search has to end.
    #[inline]
    fn enter_node(&mut self, task: &Task) {
        self.nodes += 1;
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes & 1023 == 0 {
            self.publish_counters(task);
            if task.control.must_stop(task, self.id) {
                self.stopped = true;
            }
        }
    }

    fn publish_counters(&mut self, task: &Task) {
        task.control.add(self.nodes - self.published_nodes, self.tablebase_hits);
        self.published_nodes = self.nodes;
        self.tablebase_hits = 0;
    }

    /// Plays a move from a node at this ply. Inlined, so that the new position is made where it is
    /// wanted and not copied there.
    #[inline(always)]
    fn make(&mut self, task: &Task, position: &Position, ply: usize, mv: Move) -> Position {
        task.table.prefetch(position.likely_key_after(mv));
        let mut next = *position;
        let frame = &mut self.frames[ply];
        frame.step = position.piece_on(mv.from()).map(|piece| Step::new(piece, mv.to()));
        frame.quiet = (!position.is_noisy(mv)).then_some(mv);
        self.keys.push(position.key());
        self.evaluation.play(&mut next, mv);
        next
    }

    #[inline]
    fn unmake(&mut self) {
        self.keys.pop();
        self.evaluation.undo();
    }

    /// Whether the position is a draw by the rules that look back or at the material: a repetition within
    /// the search counts at once, because what was best the first time is best the second.
    fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmove_clock() >= 100 && (!position.is_check() || position.has_legal_move()) {
            return true;
        }
        position.is_insufficient_material() || self.is_repetition(position, ply)
    }

    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reach = self.keys.len().min(usize::from(position.halfmove_clock()));
        let key = position.key();
        let mut seen_before_root = false;
        for plies in (4..=reach).step_by(2) {
            if self.keys[self.keys.len() - plies] == key {
                // After the root once is enough; before it, the position must have been there twice.
                if plies < ply || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// A score near zero that differs from node to node, so that the search does not take all draws for
    /// the same and goes on looking for the better ones.
    fn draw_score(&self) -> Score {
        Score::evaluation((self.nodes & 2) as i32 - 1)
    }

    /// The static evaluation as it is, kept clear of certain scores.
    fn raw_evaluation(&mut self, position: &Position) -> i32 {
        let mut units = self.evaluation.evaluate(position);
        if let Some(handicap) = &self.handicap {
            units += handicap.misjudgement(position);
        }
        Score::evaluation(units / self.grain * self.grain).units()
    }

    /// The evaluation with what the search has learnt about its errors, and fading as fifty moves without
    /// progress come near.
    fn corrected(&self, position: &Position, ply: usize, raw: i32) -> i32 {
        let faded = raw * (220 - i32::from(position.halfmove_clock().min(100))) / 220;
        let correction = if self.params.use_corrections != 0 {
            let weight = self.params.move_correction_weight;
            self.histories.corrections.correction(position, self.last_steps(ply), weight)
                / self.params.correction_divisor
        } else {
            0
        };
        Score::evaluation(faded + correction).units()
    }

    /// Whether a level does not notice this move. Never at the root, nor in check, where one looks closely.
    #[inline]
    fn overlooks(&self, position: &Position, ply: usize, mv: Move) -> bool {
        self.handicap.is_some_and(|handicap| {
            let last = self.step_before(ply, 1);
            let takes_the_piece_that_moved = last.is_some_and(|step| step.to() == mv.to());
            handicap.overlooks(position, mv, takes_the_piece_that_moved)
        })
    }

    /// The step so many plies back.
    #[inline]
    fn step_before(&self, ply: usize, back: usize) -> Option<Step> {
        ply.checked_sub(back).and_then(|earlier| self.frames[earlier].step)
    }

    /// The last two steps, for the corrections of the evaluation.
    #[inline]
    fn last_steps(&self, ply: usize) -> [Option<Step>; 2] {
        if self.params.use_move_corrections == 0 {
            return [None; 2];
        }
        [1, 2].map(|back| self.step_before(ply, back))
    }

    /// What the move picker wants to know at this ply.
    fn context(&self, position: &Position, ply: usize) -> Context {
        let (threats, lesser_threats) = threats(position);
        Context {
            earlier: [1, 2, 4].map(|back| self.step_before(ply, back)),
            threats,
            lesser_threats,
            flight_bonus: if self.params.use_flight != 0 { self.params.flight_bonus } else { 0 },
            use_continuations: self.params.use_continuations != 0,
            use_pawn_history: self.params.use_pawn_history != 0,
            butterfly_weight: self.params.butterfly_weight,
            far_weight: self.params.far_weight,
            check_bonus: if self.params.use_checks_first != 0 { self.params.check_bonus } else { 0 },
        }
    }
}

/// The squares the side not to move attacks, and those it attacks with a piece that is worth less, by kind of
/// piece.
fn threats(position: &Position) -> (Bitboard, [Bitboard; 6]) {
    let them = !position.turn();
    let occupied = position.occupied();
    let by_pawns = attacks::pawns(them, position.pieces(them, Role::Pawn));
    let mut by_minors = by_pawns | attacks::knights(position.pieces(them, Role::Knight));
    for bishop in position.pieces(them, Role::Bishop) {
        by_minors |= attacks::bishop(bishop, occupied);
    }
    let mut by_rooks = by_minors;
    for rook in position.pieces(them, Role::Rook) {
        by_rooks |= attacks::rook(rook, occupied);
    }
    let mut all = by_rooks | attacks::king(position.king(them));
    for queen in position.pieces(them, Role::Queen) {
        all |= attacks::queen(queen, occupied);
    }
    (all, [Bitboard::EMPTY, by_pawns, by_pawns, by_minors, by_rooks, Bitboard::EMPTY])
}
