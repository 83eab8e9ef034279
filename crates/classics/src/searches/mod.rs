//! The searches of the documents as one small family over any board and evaluation, to be compared node
//! for node: minimax and negamax without pruning, alpha-beta with each of its helpers by choice, and
//! MTD(f).
//!
//! ```
//! use chess::Position;
//! use classics::Budget;
//! use classics::boards::{ClassicBoard, Ox88};
//! use classics::searches::{Method, search};
//!
//! let board = Ox88::set_up(&Position::startpos())?;
//! let plain = search(&board, classics::groundup::evaluate, &Method::NEGAMAX, 3, &Budget::default());
//! let pruned = search(&board, classics::groundup::evaluate, &Method::ALPHA_BETA, 3, &Budget::default());
//! assert_eq!(plain.score, pruned.score);
//! assert!(plain.nodes() > pruned.nodes());
//! # Ok::<(), classics::NotStandard>(())
//! ```

mod alphabeta;
mod mtdf;
mod ordering;
mod plain;
mod transposition;

pub use ordering::mvv_lva;

use crate::boards::mailbox::{MailMove, MailboxOf, Squares};
use crate::boards::{ClassicBoard, Moves, Ox88, Rays};
use crate::{Budget, Choice, Decision, Iteration, Source, Statistics, ThinkError, Watch};
use chess::{Color, Role};
use ordering::History;
use transposition::TranspositionTable;

/// The score of a mate on the spot; each ply before it costs one.
pub const MATE: i32 = 30_000;
/// Beyond every score.
pub const INFINITY: i32 = 32_000;

/// Whether a score is that of a mate some plies away.
#[must_use]
pub const fn is_mate(score: i32) -> bool {
    score.abs() > MATE - 1000
}

/// What a search asks of a board beyond making moves.
pub trait SearchBoard: ClassicBoard {
    /// The Zobrist key.
    fn key(&self) -> u64;

    /// The kinds of the piece taken and of the piece that takes it.
    fn capture(&self, mv: Self::Move) -> Option<(Role, Role)>;

    /// Captures and promotions only.
    fn generate_noisy(&self, moves: &mut Moves<Self::Move>);

    /// Where the move goes from and to, as two numbers below 64.
    fn squares(&self, mv: Self::Move) -> (usize, usize);

    /// The position with the other side to move.
    fn passed(&self) -> Self;

    /// Whether the side to move has more than king and pawns: without, having to move may be a misfortune.
    fn has_pieces(&self) -> bool;
}

impl SearchBoard for Ox88 {
    fn key(&self) -> u64 {
        self.key()
    }

    fn capture(&self, mv: Self::Move) -> Option<(Role, Role)> {
        Some((mv.captured()?.role(), self.mover(mv)?.role()))
    }

    fn generate_noisy(&self, moves: &mut Moves<Self::Move>) {
        self.generate_noisy(moves);
    }

    fn squares(&self, mv: Self::Move) -> (usize, usize) {
        (mv.from().square().index(), mv.to().square().index())
    }

    fn passed(&self) -> Self {
        self.passed()
    }

    fn has_pieces(&self) -> bool {
        self.pieces().any(|(piece, _)| piece.color() == self.turn() && is_officer(piece.role()))
    }
}

impl SearchBoard for Rays {
    fn key(&self) -> u64 {
        self.key()
    }

    fn capture(&self, mv: Self::Move) -> Option<(Role, Role)> {
        Some((mv.captured?.role(), mv.moving.role()))
    }

    fn generate_noisy(&self, moves: &mut Moves<Self::Move>) {
        self.generate(moves);
        moves.retain(|mv| mv.is_noisy());
    }

    fn squares(&self, mv: Self::Move) -> (usize, usize) {
        (mv.from as usize & 63, mv.to as usize & 63)
    }

    fn passed(&self) -> Self {
        self.passed()
    }

    fn has_pieces(&self) -> bool {
        let us = self.turn();
        self.side(us) != self.pieces(us, Role::Pawn) | self.pieces(us, Role::King)
    }
}

impl<S: Squares> SearchBoard for MailboxOf<S> {
    fn key(&self) -> u64 {
        self.key()
    }

    fn capture(&self, mv: MailMove) -> Option<(Role, Role)> {
        let attacker = self.man(mv.from)?.piece.role();
        let passed_by = attacker == Role::Pawn && self.en_passant() == Some(mv.to);
        let victim = self.man(mv.to).map(|man| man.piece.role()).or(passed_by.then_some(Role::Pawn));
        Some((victim?, attacker))
    }

    fn generate_noisy(&self, moves: &mut Moves<MailMove>) {
        self.generate(moves);
        moves.retain(|mv| mv.promotion.is_some() || self.capture(*mv).is_some());
    }

    fn squares(&self, mv: MailMove) -> (usize, usize) {
        (mv.from as usize & 63, mv.to as usize & 63)
    }

    fn passed(&self) -> Self {
        self.passed()
    }

    fn has_pieces(&self) -> bool {
        self.men().any(|(man, _)| man.piece.color() == self.turn() && is_officer(man.piece.role()))
    }
}

const fn is_officer(role: Role) -> bool {
    !matches!(role, Role::Pawn | Role::King)
}

/// How the tree is walked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// White looks for the largest score, Black for the smallest; every move is searched.
    Minimax,
    /// The same with one rule for both, since what is good for one is bad for the other.
    Negamax,
    /// Moves that cannot change the result are left out.
    AlphaBeta,
    /// Alpha-beta that only asks of every move after the first whether it is any better, and searches it
    /// again if so: principal variation search.
    Pvs,
    /// Alpha-beta asked again and again whether the score is above a guess. Wants a table.
    Mtdf,
}

/// Which moves alpha-beta tries first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ordering {
    /// As the board generates them.
    Generated,
    /// The most valuable victim first, taken by the least valuable attacker.
    MvvLva,
    /// By the full evaluation after each move.
    FullEvaluation,
}

/// A search put together from parts. Minimax and negamax use none of alpha-beta's helpers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// How the tree is walked.
    pub algorithm: Algorithm,
    /// Which moves come first, above the horizon.
    pub ordering: Ordering,
    /// Whether moves that caused cutoffs elsewhere come before other quiet ones.
    pub history: bool,
    /// Whether the last two quiet moves that caused a cutoff at the same ply come right after the captures: killers.
    pub killers: bool,
    /// Whether captures and promotions are searched on beyond the horizon.
    pub quiescence: bool,
    /// The plies of quiescence search in which checks and the answers to them are looked at, too.
    pub quiescence_checks: u32,
    /// Whether quiescence search may stand pat, JavaChess's null move, rather than having to capture.
    pub stand_pat: bool,
    /// Whether one check at the horizon of each line is searched a ply deeper.
    pub check_extension: bool,
    /// Whether a move that is better by this margin than all others, in a search of half the depth, is searched a ply deeper.
    pub singular: Option<i32>,
    /// Whether a side that stands well may pass; if even that is too good by a search shallower by this many
    /// plies, the position is left. This is the null move of today, not JavaChess's.
    pub null_move: Option<u32>,
    /// Entries of the transposition table as a power of two.
    pub table_bits: Option<u32>,
    /// Whether depths are searched one after the other, the best move so far first.
    pub deepening: bool,
    /// Whether an iteration begins with a window this wide on either side of the last score.
    pub aspiration: Option<i32>,
    /// Scores are rounded down to multiples of this.
    pub grain: i32,
}

impl Method {
    /// Minimax without pruning.
    pub const MINIMAX: Self = Self {
        algorithm: Algorithm::Minimax,
        ordering: Ordering::Generated,
        history: false,
        killers: false,
        quiescence: false,
        quiescence_checks: 0,
        stand_pat: true,
        check_extension: false,
        singular: None,
        null_move: None,
        table_bits: None,
        deepening: false,
        aspiration: None,
        grain: 1,
    };
    /// Negamax without pruning.
    pub const NEGAMAX: Self = Self { algorithm: Algorithm::Negamax, ..Self::MINIMAX };
    /// Alpha-beta, moves as generated.
    pub const ALPHA_BETA: Self = Self { algorithm: Algorithm::AlphaBeta, ..Self::MINIMAX };
    /// Alpha-beta, captures first.
    pub const MVV_LVA: Self = Self { ordering: Ordering::MvvLva, ..Self::ALPHA_BETA };
    /// Alpha-beta, every move evaluated before any is searched.
    pub const FULL_EVALUATION: Self = Self { ordering: Ordering::FullEvaluation, ..Self::ALPHA_BETA };
    /// Alpha-beta, captures first and then by history.
    pub const HISTORY: Self = Self { history: true, ..Self::MVV_LVA };
    /// The same with quiescence search.
    pub const QUIESCENCE: Self = Self { quiescence: true, ..Self::HISTORY };
    /// The same with one check extension a line.
    pub const CHECK_EXTENSION: Self = Self { check_extension: true, ..Self::QUIESCENCE };
    /// Quiescence with a transposition table of JavaChess's size.
    pub const TABLE: Self = Self { table_bits: Some(17), ..Self::QUIESCENCE };
    /// The same, depth by depth.
    pub const DEEPENING: Self = Self { deepening: true, ..Self::TABLE };
    /// Principal variation search, depth by depth.
    pub const PVS: Self = Self { algorithm: Algorithm::Pvs, ..Self::DEEPENING };
    /// The same with today's null move.
    pub const NULL_MOVE: Self = Self { null_move: Some(2), ..Self::PVS };
    /// MTD(f), depth by depth.
    pub const MTDF: Self = Self { algorithm: Algorithm::Mtdf, ..Self::DEEPENING };

    /// The family by name, from the plainest to the most elaborate.
    pub const FAMILY: [(&'static str, Self); 13] = [
        ("minimax", Self::MINIMAX),
        ("negamax", Self::NEGAMAX),
        ("alpha-beta", Self::ALPHA_BETA),
        ("alpha-beta, full evaluation ordering", Self::FULL_EVALUATION),
        ("alpha-beta, MVV/LVA", Self::MVV_LVA),
        ("alpha-beta, MVV/LVA, history", Self::HISTORY),
        ("with quiescence", Self::QUIESCENCE),
        ("with check extension", Self::CHECK_EXTENSION),
        ("with table", Self::TABLE),
        ("iterative deepening", Self::DEEPENING),
        ("principal variation search", Self::PVS),
        ("with null move", Self::NULL_MOVE),
        ("MTD(f)", Self::MTDF),
    ];
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<M> {
    /// The best move, unless there is none.
    pub best: Option<M>,
    /// Its score for the side to move.
    pub score: i32,
    /// The depth searched to its end; 0 if not even the first was.
    pub depth: u32,
    /// Each iteration; one without iterative deepening.
    pub iterations: Vec<Iteration>,
}

impl<M> Found<M> {
    /// The nodes of all iterations.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.statistics.nodes()).sum()
    }

    /// The choice of a player who searched this board. A search stopped before it found anything plays
    /// the first legal move.
    pub(crate) fn into_choice<B: ClassicBoard<Move = M>>(self, mut board: B) -> Result<Choice, ThinkError> {
        let best = self.best.or_else(|| board.legal().into_iter().next()).ok_or(ThinkError::NoMoves)?;
        Ok(Choice {
            decision: Decision::Play(board.translate(best)),
            score: self.score,
            depth: self.depth,
            source: Source::Search,
            iterations: self.iterations,
        })
    }
}

/// Searches a position to a depth. `evaluate` judges a quiet position for the side to move.
pub fn search<B: SearchBoard>(
    board: &B,
    evaluate: fn(&B) -> i32,
    method: &Method,
    depth: u32,
    budget: &Budget<'_>,
) -> Found<B::Move> {
    let mut searcher = Searcher {
        board: board.clone(),
        evaluate,
        method: *method,
        watch: Watch::new(budget),
        statistics: Statistics::default(),
        history: History::new(),
        killers: Vec::new(),
        table: method.table_bits.map(TranspositionTable::new),
        root_best: None,
    };
    let depth = budget.limit_depth(depth);
    let first = if method.deepening { 1 } else { depth };
    let mut found = Found { best: None, score: 0, depth: 0, iterations: Vec::new() };
    for depth in first..=depth {
        searcher.statistics = Statistics::default();
        let score = searcher.iterate(depth, found.score);
        found.best = searcher.root_best.map(|(mv, _)| mv).or(found.best);
        if let Some(score) = score {
            found.score = score;
            found.depth = depth;
        } else if let Some((_, score)) = searcher.root_best {
            found.score = score;
        }
        found.iterations.push(Iteration {
            depth,
            best: found.best.map(|mv| board.translate(mv)),
            score: found.score,
            statistics: searcher.statistics,
        });
        if score.is_none() {
            break;
        }
    }
    found
}

/// A search under way. Its functions return `None` when the budget is spent.
struct Searcher<'a, B: SearchBoard> {
    board: B,
    evaluate: fn(&B) -> i32,
    method: Method,
    watch: Watch<'a>,
    statistics: Statistics,
    history: History,
    /// By ply, the later one first.
    killers: Vec<[Option<B::Move>; 2]>,
    table: Option<TranspositionTable<B::Move>>,
    /// The best move at the root and its score.
    root_best: Option<(B::Move, i32)>,
}

impl<B: SearchBoard> Searcher<'_, B> {
    fn iterate(&mut self, depth: u32, guess: i32) -> Option<i32> {
        match self.method.algorithm {
            Algorithm::Minimax => {
                let score = self.minimax(depth, 0)?;
                Some(if self.board.turn() == Color::White { score } else { -score })
            }
            Algorithm::Negamax => self.negamax(depth, 0),
            Algorithm::AlphaBeta | Algorithm::Pvs => {
                if let Some(width) = self.method.aspiration.filter(|_| self.method.deepening && depth > 1) {
                    let (alpha, beta) = (guess - width, guess + width);
                    let score = self.alpha_beta(depth, 0, alpha, beta, false)?;
                    if alpha < score && score < beta {
                        return Some(score);
                    }
                }
                self.alpha_beta(depth, 0, -INFINITY, INFINITY, false)
            }
            Algorithm::Mtdf => self.mtdf(depth, guess),
        }
    }

    /// The evaluation for the side to move, rounded to the grain.
    fn judge(&self) -> i32 {
        let score = (self.evaluate)(&self.board);
        score - score.rem_euclid(self.method.grain.max(1))
    }

    /// The score where the side to move has no legal move.
    fn end_of_game(&self, ply: u32) -> i32 {
        if self.board.is_check() { ply as i32 - MATE } else { 0 }
    }

    fn generate(&self) -> Moves<B::Move> {
        let mut moves = Moves::new();
        self.board.generate(&mut moves);
        moves
    }

    fn visit_regular(&mut self, ply: u32) -> Option<()> {
        self.statistics.regular.visit(ply);
        (!self.watch.visit()).then_some(())
    }
}

#[cfg(test)]
mod tests;
