//! What every classic player has in common.

use chess::{Color, Game, Move};

/// One of the old programs, sitting at the board.
///
/// A classic keeps between moves what its original kept: tables, history, replies it remembers.
pub trait Classic {
    /// The name of the program and its setting, as [`ClassicSpec`](crate::ClassicSpec) writes it.
    fn name(&self) -> &'static str;

    /// Chooses a move in the position at which the game stands.
    ///
    /// Each program has its own depth or effort; the budget can only make it think less.
    ///
    /// # Errors
    /// When there is nothing to choose, or the game is not one of standard chess.
    fn think(&mut self, game: &Game, budget: &Budget<'_>) -> Result<Choice, ThinkError>;

    /// Forgets everything learnt in the games before.
    fn new_game(&mut self);
}

/// How much a classic may think at most.
#[derive(Copy, Clone)]
pub struct Budget<'a> {
    /// Plies of full-width search, if fewer than the program's own number.
    pub depth: Option<u32>,
    /// Nodes, quiescence included.
    pub nodes: Option<u64>,
    /// Asked now and then; once it says yes, the best move so far is played.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Self { depth: None, nodes: None, stop: &|| false }
    }
}

impl Budget<'_> {
    /// No more than this many plies.
    #[must_use]
    pub fn with_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// The depth to search where the program itself would search this many plies.
    #[must_use]
    pub(crate) fn limit_depth(&self, own: u32) -> u32 {
        self.depth.map_or(own, |depth| depth.min(own).max(1))
    }
}

/// Watches a [`Budget`] while nodes are counted.
pub struct Watch<'a> {
    budget: Budget<'a>,
    nodes: u64,
    stopped: bool,
}

impl<'a> Watch<'a> {
    /// Asking whether to stop may be slow, so it is done once in this many nodes.
    const POLL: u64 = 1024;

    /// Begins to watch.
    #[must_use]
    pub fn new(budget: &Budget<'a>) -> Self {
        Self { budget: *budget, nodes: 0, stopped: false }
    }

    /// Counts a node. Returns whether the search has to end.
    pub(crate) fn visit(&mut self) -> bool {
        self.nodes += 1;
        if !self.stopped {
            self.stopped = self.budget.nodes.is_some_and(|limit| self.nodes > limit)
                || self.nodes.is_multiple_of(Self::POLL) && (self.budget.stop)();
        }
        self.stopped
    }

    /// Whether the search has to end.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }
}

/// What a classic does in its turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It plays a legal move.
    Play(Move),
    /// It gives the game up.
    Resign,
}

/// Where a choice comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The opening book.
    Book,
    /// The reply given when the position stood before.
    Memory,
    /// The search.
    Search,
}

/// A decision and what led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move, or resignation.
    pub decision: Decision,
    /// What the program thinks of the position, in hundredths of a pawn for the side to move. Mates are
    /// near the program's own largest number.
    pub score: i32,
    /// Plies searched in full width; 0 without a search.
    pub depth: u32,
    /// Where it comes from.
    pub source: Source,
    /// What each iteration of the search did; a program without iterations has one.
    pub iterations: Vec<Iteration>,
}

impl Choice {
    /// A move played without a search.
    #[must_use]
    pub(crate) const fn ready_made(mv: Move, source: Source) -> Self {
        Self { decision: Decision::Play(mv), score: 0, depth: 0, source, iterations: Vec::new() }
    }

    /// The move, unless the program resigns.
    #[must_use]
    pub const fn mv(&self) -> Option<Move> {
        match self.decision {
            Decision::Play(mv) => Some(mv),
            Decision::Resign => None,
        }
    }

    /// All nodes of all iterations.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.statistics.nodes()).sum()
    }
}

/// One iteration of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Plies searched in full width.
    pub depth: u32,
    /// The best move found.
    pub best: Option<Move>,
    /// Its score for the side to move.
    pub score: i32,
    /// The work it took.
    pub statistics: Statistics,
}

/// The work of a search: its full-width part and its quiescence part.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The full-width search.
    pub regular: Counts,
    /// The quiescence search below it.
    pub quiescence: Counts,
}

impl Statistics {
    /// Nodes of both parts.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.regular.nodes + self.quiescence.nodes
    }
}

/// What is counted in each part of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions visited.
    pub nodes: u64,
    /// Positions found in the transposition table, whether their entry helped or not.
    pub recurring: u64,
    /// Positions whose entry in the table spared the search.
    pub table_hits: u64,
    /// Positions left early because a move was too good.
    pub cutoffs: u64,
    /// Positions where quiescence began.
    pub begun: u64,
    /// Positions of quiescence from which at least one move was searched.
    pub expanded: u64,
    /// The farthest that this part went: from the root, or from where quiescence began.
    pub deepest: u32,
}

impl Counts {
    /// Counts a node at this ply.
    pub(crate) fn visit(&mut self, ply: u32) {
        self.nodes += 1;
        self.begun += u64::from(ply == 0);
        self.deepest = self.deepest.max(ply);
    }

    /// How many moves were searched from a position from which any was, on average.
    #[must_use]
    pub fn branching(&self) -> f64 {
        (self.nodes - self.begun.min(self.nodes)) as f64 / self.expanded.max(1) as f64
    }
}

/// Why a classic could not choose.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ThinkError {
    /// The game is over.
    #[error("there is no legal move to choose from")]
    NoMoves,
    /// The position has castling rights of Chess960.
    #[error(transparent)]
    NotStandard(#[from] NotStandard),
}

/// The classics know how to castle in standard chess only.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the classics play standard chess only: these castling rights are of Chess960")]
pub struct NotStandard;

/// The colours that have castled in the game, which evaluations reward but no position shows.
pub(crate) fn colors_castled(game: &Game) -> impl Iterator<Item = Color> {
    let first = game.start().turn();
    game.moves()
        .enumerate()
        .filter(|(_, mv)| mv.is_castling())
        .map(move |(ply, _)| if ply % 2 == 0 { first } else { !first })
}
