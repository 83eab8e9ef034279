//! The search of one thread.
//!
//! `root` deepens iteration by iteration, `node` searches a position of the tree in numbered steps, `quiescence`
//! settles captures at its leaves. They share the [`Worker`]. What a node does is listed in `steps`; the longer
//! steps have files of their own, and all formulas are in `margins`, all numbers in `params`.

mod draws;
mod evaluation_cache;
mod learning;
mod margins;
mod mtdf;
mod node;
mod null_move;
pub(crate) mod params;
mod probcut;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod singular;
mod static_evaluation;
pub mod steps;
mod tablebases;
mod zugzwang;

use crate::MAX_PLY;
use crate::evaluation::Evaluation;
use crate::event::Bound;
use crate::handicap::Handicap;
use crate::history::{Histories, LastMoves, PieceTo};
use crate::picker::OrderingContext;
use crate::sampler::PositionSampler;
use crate::score::Score;
pub(crate) use crate::task::{Driver, Task};
use arrayvec::ArrayVec;
use chess::{Bitboard, Key, Move, Piece, Position, Role, attacks};
use evaluation_cache::EvaluationCache;
use params::Params;

/// A first move and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
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

/// An entry of the search stack: what the search remembers of each ply on the way to the present node.
#[derive(Copy, Clone, Default)]
struct StackEntry {
    /// The corrected static evaluation; none in check.
    evaluation: Option<i32>,
    /// The piece that moved from here and where to; none for a null move.
    piece_to: Option<PieceTo>,
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

/// Types of nodes as types of the language, so that the compiler removes what a node never does.
trait NodeType {
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// The type of the first child of a node on the principal variation.
    type Child: NodeType;
}

/// The root.
struct Root;
/// A node on the principal variation.
struct Pv;
/// A node off it, searched with a null window.
struct NonPv;
/// The root when MTD(f) searches it: a null window there too.
struct NonPvRoot;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}

impl NodeType for NonPvRoot {
    const PV: bool = false;
    const ROOT: bool = true;
    type Child = NonPv;
}

/// After this many nodes a thread publishes its counters and asks whether the search has to end.
const NODES_BETWEEN_CHECKS: u64 = 1024;

type PvLine = ArrayVec<Move, MAX_PLY>;

/// A searching thread: its histories and the state of its search.
pub(crate) struct Worker {
    id: usize,
    params: Params,
    evaluation: Evaluation,
    evaluation_cache: EvaluationCache,
    histories: Box<Histories>,
    stack: Box<[StackEntry]>,
    /// The principal variation from each ply on.
    pv: Box<[PvLine]>,
    /// Keys of all positions from the last irreversible move before the root to the present node.
    keys: Vec<Key>,
    nodes: u64,
    published_nodes: u64,
    /// Nodes that this thread may search before it asks for more.
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
    /// What collects positions for training.
    sampler: Option<PositionSampler>,
    /// The best score of each iteration so far.
    scores_by_depth: Vec<Score>,
    /// The static evaluation of the root, for want of anything better.
    first_guess: Score,
    stopped: bool,
}

impl Worker {
    /// A worker that has learnt nothing.
    #[must_use]
    pub(crate) fn new(id: usize, params: Params, evaluation: Evaluation) -> Self {
        Self {
            id,
            params,
            evaluation,
            evaluation_cache: EvaluationCache::new(),
            histories: Box::default(),
            stack: vec![StackEntry::default(); MAX_PLY + 8].into_boxed_slice(),
            pv: vec![PvLine::new(); MAX_PLY + 2].into_boxed_slice(),
            keys: Vec::with_capacity(1024),
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
            sampler: None,
            scores_by_depth: Vec::new(),
            first_guess: Score::DRAW,
            stopped: false,
        }
    }

    /// Forgets what was learnt in earlier games.
    pub(crate) fn forget(&mut self) {
        *self.histories = Histories::default();
    }

    /// Takes another evaluation, and forgets what was learnt with the one before.
    pub(crate) fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.evaluation_cache = EvaluationCache::new();
        self.forget();
    }

    /// Starts anew after a panic, whose traces may be anywhere.
    pub(crate) fn renew(&mut self) {
        *self = Self::new(self.id, self.params.clone(), self.evaluation.renewed());
    }

    /// Takes other search parameters.
    #[cfg(feature = "tuning")]
    pub(crate) fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// The first moves, best first, after a search.
    #[must_use]
    pub(crate) fn root_moves(&self) -> &[RootMove] {
        &self.root_moves
    }

    /// The last depth that was searched to the end.
    #[must_use]
    pub(crate) fn completed_depth(&self) -> i32 {
        self.completed_depth
    }

    /// Counts a node and finds out, now and then, whether the search has to end.
    #[inline]
    fn enter_node<N: NodeType>(&mut self, task: &Task<'_>, ply: usize) {
        self.nodes += 1;
        if self.nodes >= self.node_limit {
            self.take_more_nodes(task);
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.publish_counters(task);
            if task.control.must_stop(task, self.id) {
                self.stopped = true;
            }
        }
        if N::PV {
            self.pv[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
    }

    /// At the node limit of this thread: takes another share of the search's limit, or stops.
    #[cold]
    fn take_more_nodes(&mut self, task: &Task<'_>) {
        let more = task.limits.nodes.map_or(0, |limit| task.control.grant_nodes(limit));
        self.node_limit += more;
        self.stopped |= more == 0;
    }

    fn publish_counters(&mut self, task: &Task<'_>) {
        task.control.add(self.nodes - self.published_nodes, self.tablebase_hits);
        self.published_nodes = self.nodes;
        self.tablebase_hits = 0;
    }

    /// Plays a move from a node at this ply. Inlined, so that the new position is made where it is
    /// wanted and not copied there.
    #[inline(always)]
    fn make(&mut self, task: &Task<'_>, position: &Position, ply: usize, mv: Move) -> Position {
        task.tt.prefetch(position.likely_key_after(mv));
        let mut next = *position;
        let entry = &mut self.stack[ply];
        entry.piece_to = PieceTo::of(position, mv);
        entry.quiet = (!position.is_noisy(mv)).then_some(mv);
        self.keys.push(position.key());
        self.evaluation.play(&mut next, mv);
        self.histories.correction.prefetch(&next);
        next
    }

    #[inline]
    fn unmake(&mut self) {
        self.keys.pop();
        self.evaluation.undo();
    }

    /// Whether a level does not notice this move. Never at the root, nor in check, where one looks closely.
    #[inline]
    fn overlooks(&self, position: &Position, ply: usize, mv: Move) -> bool {
        self.handicap.is_some_and(|handicap| {
            let last = self.move_before(ply, 1);
            let recaptures = last.is_some_and(|last| last.to() == mv.to());
            handicap.overlooks(position, mv, recaptures)
        })
    }

    /// The move this many plies back.
    #[inline]
    fn move_before(&self, ply: usize, back: usize) -> Option<PieceTo> {
        ply.checked_sub(back).and_then(|earlier| self.stack[earlier].piece_to)
    }

    /// The last two moves, for the corrections of the evaluation.
    #[inline]
    fn last_moves(&self, ply: usize) -> LastMoves {
        if !self.params.use_continuation_correction {
            return [None; 2];
        }
        [1, 2].map(|back| self.move_before(ply, back))
    }

    /// What the move picker needs to order the quiet moves at this ply.
    fn ordering_context(&self, position: &Position, ply: usize) -> OrderingContext {
        let (threats, lesser_threats) = threats(position);
        let previous = [1, 2, 4].map(|back| self.move_before(ply, back));
        OrderingContext { previous, threats, lesser_threats }
    }
}

/// The kind of piece a capture or promotion takes; a pawn, if nothing stands on the destination.
#[inline]
fn victim(position: &Position, mv: Move) -> Role {
    position.captured(mv).map_or(Role::Pawn, Piece::role)
}

/// The squares the side not to move attacks, and those it attacks with a lesser piece, by kind of piece.
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
