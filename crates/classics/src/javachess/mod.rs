//! JavaChess (F. D. Laramée, 2001): sets of squares, a material-minded evaluation of coarse grain, and
//! two search agents, one with a fixed depth and one with MTD(f).

mod book;
mod evaluation;
mod memory;
mod position_file;
mod search;
mod table;

pub use book::{Book, BookError};
pub use evaluation::{Terms, evaluate, material};
pub use position_file::{PositionFileError, read_position, write_position};
pub use table::Table;

use crate::boards::rays::RayMove;
use crate::boards::{ClassicBoard, Rays};
use crate::classic::colors_castled;
use crate::{Budget, Choice, Classic, Decision, Iteration, Source, Statistics, ThinkError, Watch};
use chess::random::Random;
use chess::{Game, Move, Position};
use search::{MAX, Search, SearchTables};

/// Which of the two agents thinks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Alpha-beta five plies deep below each move, without an opening book.
    AlphaBeta,
    /// MTD(f) from depth 2, ending after the iteration that passes 50,000 nodes, or at depth 15.
    Mtdf,
}

/// Five plies below each root move.
const ALPHA_BETA_DEPTH: u32 = 1 + 5;
const MTDF_FIRST_DEPTH: u32 = 2;
const MTDF_LAST_DEPTH: u32 = 15;
/// The source text's limit; the report speaks of 100,000.
const MTDF_NODES: u64 = 50_000;
/// Mated in three moves or less: time to resign.
const GIVE_UP: i32 = -MAX + GIVE_UP_PLIES;
const GIVE_UP_PLIES: i32 = 6;

/// The program as a player.
pub struct JavaChess {
    agent: Agent,
    book: Book,
    tables: SearchTables,
    random: Random,
    null_move: bool,
    effort: u64,
}

impl JavaChess {
    /// The agent of choice, with the built-in Ruy Lopez book.
    #[must_use]
    pub fn new(agent: Agent) -> Self {
        Self::with_book(agent, Book::ruy_lopez())
    }

    /// The agent of choice, with another opening book. Only the MTD(f) agent looks into it.
    #[must_use]
    pub fn with_book(agent: Agent, book: Book) -> Self {
        Self {
            agent,
            book,
            tables: SearchTables::new(),
            random: Random::new(SEED),
            null_move: true,
            effort: MTDF_NODES,
        }
    }

    /// Leaves out the null move of quiescence search, to measure what it saves.
    #[must_use]
    pub fn without_null_move(mut self) -> Self {
        self.null_move = false;
        self
    }

    /// Lets the MTD(f) agent begin another iteration until one passes this many nodes, as for problems, where
    /// its author gave it minutes.
    #[must_use]
    pub fn with_effort(mut self, nodes: u64) -> Self {
        self.effort = nodes;
        self
    }

    /// How it expects the game to end when it resigns: its best moves for both sides, up to the mate.
    pub fn continuation(&mut self, position: &Position) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        while line.len() < GIVE_UP_PLIES as usize
            && let Ok(mut board) = Rays::set_up(&position)
            && let Some(&first) = board.legal().first()
        {
            let (thoughts, board) = self.search(board, first, &Budget::default());
            let mv = board.translate(thoughts.best.0);
            line.push(mv);
            position.play(mv);
        }
        line
    }

    /// Searches as its agent does; `first` is what it plays if it finds nothing.
    fn search(&mut self, board: Rays, first: RayMove, budget: &Budget<'_>) -> (Thoughts, Rays) {
        self.maybe_forget();
        let mut search = Search {
            board,
            tables: &mut self.tables,
            watch: Watch::new(budget),
            statistics: Statistics::default(),
            null_move: self.null_move,
        };
        let mut thoughts = Thoughts { best: (first, 0), depth: 0, iterations: Vec::new() };
        match self.agent {
            Agent::AlphaBeta => thoughts.search_once(&mut search, budget.limit_depth(ALPHA_BETA_DEPTH)),
            Agent::Mtdf => thoughts.deepen(&mut search, budget.limit_depth(MTDF_LAST_DEPTH), self.effort),
        }
        (thoughts, search.board)
    }

    /// Old results would order moves by what mattered long ago, so the history is forgotten at random.
    fn maybe_forget(&mut self) {
        let chance = match self.agent {
            Agent::AlphaBeta => 4,
            Agent::Mtdf => 6,
        };
        if self.random.bits().is_multiple_of(chance) {
            self.tables.history.forget();
        }
    }
}

/// The habit of forgetting is random, but the same in every run.
const SEED: u64 = 31;

impl Classic for JavaChess {
    fn name(&self) -> &'static str {
        match self.agent {
            Agent::AlphaBeta => "javachess:alphabeta",
            Agent::Mtdf => "javachess:mtdf",
        }
    }

    fn think(&mut self, game: &Game, budget: &Budget<'_>) -> Result<Choice, ThinkError> {
        let mut board = Rays::set_up(game.position())?;
        colors_castled(game).for_each(|color| board.set_castled(color));
        let Some(first) = board.legal().first().copied() else { return Err(ThinkError::NoMoves) };
        self.tables.move_counter += 1;
        if self.agent == Agent::Mtdf
            && let Some(mv) = self.book.reply(game.position())
        {
            return Ok(Choice::ready_made(mv, Source::Book));
        }
        let (thoughts, board) = self.search(board, first, budget);
        Ok(thoughts.conclude(&board))
    }

    fn new_game(&mut self) {
        self.tables = SearchTables::new();
        self.random = Random::new(SEED);
    }
}

/// What has been found so far.
struct Thoughts {
    best: (RayMove, i32),
    depth: u32,
    iterations: Vec<Iteration>,
}

impl Thoughts {
    fn search_once(&mut self, search: &mut Search<'_>, depth: u32) {
        let mut best = None;
        if search.root(depth, -MAX, MAX, &mut best) {
            self.depth = depth;
        }
        self.best = best.unwrap_or(self.best);
        self.note(search, depth);
    }

    /// Iterative deepening over MTD(f). Each depth begins with the score of the one before.
    fn deepen(&mut self, search: &mut Search<'_>, last: u32, effort: u64) {
        for depth in MTDF_FIRST_DEPTH.min(last)..=last {
            search.statistics = Statistics::default();
            let found = mtdf(search, self.best.1, depth);
            if let Some(best) = found {
                self.best = best;
                self.depth = depth;
            }
            self.note(search, depth);
            if found.is_none() || search.statistics.nodes() > effort {
                return;
            }
        }
    }

    fn note(&mut self, search: &Search<'_>, depth: u32) {
        let (mv, score) = self.best;
        let best = Some(search.board.translate(mv));
        self.iterations.push(Iteration { depth, best, score, statistics: search.statistics });
    }

    fn conclude(self, board: &Rays) -> Choice {
        let (mv, score) = self.best;
        let decision = if score <= GIVE_UP { Decision::Resign } else { Decision::Play(board.translate(mv)) };
        let Self { depth, iterations, .. } = self;
        Choice { decision, score, depth, source: Source::Search, iterations }
    }
}

/// Closes in on the score with windows of no width. The move is that of the last search that failed
/// high: one that fails low has only shown that no move is any better.
fn mtdf(search: &mut Search<'_>, guess: i32, depth: u32) -> Option<(RayMove, i32)> {
    let (mut lower, mut upper) = (-MAX, MAX);
    let mut estimate = guess;
    let mut best = None;
    while lower < upper {
        let beta = if estimate == lower { estimate + 1 } else { estimate };
        let mut found = None;
        if !search.root(depth, beta - 1, beta, &mut found) {
            return None;
        }
        let (mv, score) = found?;
        estimate = score;
        if score < beta {
            upper = score;
            best = best.or(Some(mv));
        } else {
            lower = score;
            best = Some(mv);
        }
    }
    best.map(|mv| (mv, estimate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str) -> Game {
        Game::from_position(Position::from_fen(fen).unwrap())
    }

    fn think(agent: Agent, fen: &str, depth: u32) -> Choice {
        let mut player = JavaChess::with_book(agent, Book::default());
        player.think(&game(fen), &Budget::with_depth(depth)).unwrap()
    }

    #[test]
    fn both_agents_agree_on_the_score() {
        for fen in [
            chess::START_FEN,
            "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let scores = [Agent::AlphaBeta, Agent::Mtdf].map(|agent| think(agent, fen, 2).score);
            assert_eq!(scores[0], scores[1], "{fen}");
        }
    }

    #[test]
    fn both_agents_mate() {
        let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        for agent in [Agent::AlphaBeta, Agent::Mtdf] {
            let choice = think(agent, fen, 3);
            assert!(game(fen).position().after(choice.mv().unwrap()).is_checkmate(), "{agent:?}");
            assert_eq!(choice.score, MAX - 1);
        }
    }

    #[test]
    fn resigns_when_mated_within_three_moves() {
        // White threatens nothing less than Ra8 mate, and Black has only king moves to delay it.
        let lost = "7k/R7/1R6/8/8/8/8/K7 b - - 0 1";
        for agent in [Agent::AlphaBeta, Agent::Mtdf] {
            let choice = think(agent, lost, 4);
            assert_eq!(choice.decision, Decision::Resign, "{agent:?}");
            assert!(choice.score <= GIVE_UP);
        }
        assert!(think(Agent::Mtdf, "7k/8/1R6/8/8/8/8/K7 b - - 0 1", 2).mv().is_some());
    }

    #[test]
    fn deepening_ends_after_the_iteration_that_passes_the_limit() {
        let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";
        let choice = think(Agent::Mtdf, fen, 15);
        let (last, earlier) = choice.iterations.split_last().unwrap();
        assert!(last.statistics.nodes() > MTDF_NODES);
        assert!(earlier.iter().all(|iteration| iteration.statistics.nodes() <= MTDF_NODES));
        assert_eq!(choice.iterations[0].depth, 2);
        assert!(last.statistics.quiescence.nodes > 0 && last.statistics.regular.cutoffs > 0);
    }

    #[test]
    fn a_stopped_search_plays_the_best_so_far() {
        // Moves of the queen come first, so that the capture is known when time is up.
        let fen = "4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1";
        let full = think(Agent::AlphaBeta, fen, 5);
        let mut player = JavaChess::with_book(Agent::AlphaBeta, Book::default());
        let budget = Budget { nodes: Some(full.nodes() - 1), ..Budget::with_depth(5) };
        let stopped = player.think(&game(fen), &budget).unwrap();
        assert_eq!((stopped.mv(), stopped.depth), (full.mv(), 0));
    }

    #[test]
    fn only_the_second_agent_has_a_book() {
        let start = Game::new();
        let by_book = JavaChess::new(Agent::Mtdf).think(&start, &Budget::default()).unwrap();
        assert_eq!((by_book.source, by_book.depth), (Source::Book, 0));
        let by_search = JavaChess::new(Agent::AlphaBeta).think(&start, &Budget::with_depth(2)).unwrap();
        assert_eq!(by_search.source, Source::Search);
    }

    #[test]
    fn the_null_move_saves_nodes() {
        let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";
        let with = think(Agent::AlphaBeta, fen, 2).nodes();
        let mut without = JavaChess::with_book(Agent::AlphaBeta, Book::default()).without_null_move();
        let budget = Budget { depth: Some(2), nodes: Some(with), ..Budget::default() };
        assert!(without.think(&game(fen), &budget).unwrap().depth < 2, "not done with as many nodes");
    }
}
