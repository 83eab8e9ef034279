//! ChessBin: a 64-square board with attack boards, an evaluation that knows much about small things, and
//! alpha-beta at a fixed depth with one check extension and quiescence search.

mod evaluation;
mod replies;
mod search;
mod transposition;

pub use evaluation::evaluate;
pub use replies::{Replies, RepliesError};

use crate::boards::ClassicBoard;
use crate::boards::mailbox::{MailMove, Mailbox};
use crate::classic::colors_castled;
use crate::{Budget, Choice, Classic, Decision, Iteration, Source, Statistics, ThinkError, Watch};
use chess::{Game, Move};
use evaluation::KING;
use search::{INFINITY, Node, Search};
use transposition::TranspositionTable;

/// How hard it plays.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Level {
    /// Six plies.
    Medium,
    /// Seven plies.
    Hard,
}

impl Level {
    const fn depth(self) -> u32 {
        match self {
            Self::Medium => 6,
            Self::Hard => 7,
        }
    }
}

/// With so few moves at the root, one ply more is affordable.
const FEW_ROOT_MOVES: usize = 15;
/// The root moves are put in order by a search of this many plies before the deep one.
const SHALLOW_DEPTH: u32 = 3;

/// The program as a player.
pub struct ChessBin {
    level: Level,
    book: Replies,
    /// Replies of this game: a position met again needs no second thought.
    memory: Replies,
    table: TranspositionTable,
}

impl ChessBin {
    /// The level of choice, without a book: the document prints none.
    #[must_use]
    pub fn new(level: Level) -> Self {
        Self::with_book(level, Replies::default())
    }

    /// The level of choice, with a book of positions and replies.
    #[must_use]
    pub fn with_book(level: Level, book: Replies) -> Self {
        Self { level, book, memory: Replies::default(), table: TranspositionTable::new() }
    }

    /// A reply known from the book or from before, but none that repeats the position a third time.
    fn known_reply(&self, game: &Game) -> Option<Choice> {
        let book = self.book.get(game.position()).map(|mv| (mv, Source::Book));
        let (mv, source) =
            book.or_else(|| self.memory.get(game.position()).map(|mv| (mv, Source::Memory)))?;
        (!repeats_thrice(game, mv)).then(|| Choice::ready_made(mv, source))
    }
}

/// Whether a move brings about a position for the third time.
fn repeats_thrice(game: &Game, mv: Move) -> bool {
    let key = game.position().after(mv).key();
    game.keys().iter().filter(|&&earlier| earlier == key).count() >= 2
}

impl Classic for ChessBin {
    fn name(&self) -> &'static str {
        match self.level {
            Level::Medium => "chessbin:medium",
            Level::Hard => "chessbin:hard",
        }
    }

    fn think(&mut self, game: &Game, budget: &Budget<'_>) -> Result<Choice, ThinkError> {
        let mut board = Mailbox::set_up(game.position())?;
        colors_castled(game).for_each(|color| board.set_castled(color));
        if let Some(choice) = self.known_reply(game) {
            return Ok(choice);
        }
        self.table.age();
        let root = Node::new(board);
        let mut thought = Root {
            moves: root_moves(&root, game),
            search: Search {
                table: &mut self.table,
                watch: Watch::new(budget),
                statistics: Statistics::default(),
            },
        };
        if thought.moves.is_empty() {
            return Err(ThinkError::NoMoves);
        }
        let (best, depth) = thought.choose(budget.limit_depth(self.level.depth()));
        let mv = root.board.translate(best.mv);
        let statistics = thought.search.statistics;
        self.memory.learn(game.position(), mv);
        Ok(Choice {
            decision: Decision::Play(mv),
            score: best.score,
            depth,
            source: Source::Search,
            iterations: vec![Iteration { depth, best: Some(mv), score: best.score, statistics }],
        })
    }

    fn new_game(&mut self) {
        self.memory.clear();
        self.table = TranspositionTable::new();
    }
}

/// A legal move at the root, and the position after it.
struct RootMove {
    mv: MailMove,
    next: Node,
    /// For the side to move at the root.
    score: i32,
    repeats_thrice: bool,
}

/// What is returned of a root move.
#[derive(Copy, Clone)]
struct Best {
    mv: MailMove,
    score: i32,
}

/// All legal moves, the best by plain evaluation first.
fn root_moves(root: &Node, game: &Game) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = root
        .survey
        .moves
        .iter()
        .filter(|mv| mv.is_considered())
        .filter_map(|&mv| {
            let next = root.after(mv)?;
            let score = -next.evaluate();
            let repeats_thrice = repeats_thrice(game, root.board.translate(mv));
            Some(RootMove { mv, next, score, repeats_thrice })
        })
        .collect();
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
    moves
}

struct Root<'a> {
    moves: Vec<RootMove>,
    search: Search<'a>,
}

impl Root<'_> {
    /// An instant mate if there is one; else a shallow search for the order, then the deep one.
    fn choose(&mut self, depth: u32) -> (Best, u32) {
        if let Some(mate) = self.moves.iter().find(|mv| mv.next.is_mate()) {
            return (Best { mv: mate.mv, score: KING + 1 }, 1);
        }
        let mut best = Best { mv: self.moves[0].mv, score: self.moves[0].score };
        let depth = if self.moves.len() <= FEW_ROOT_MOVES { depth + 1 } else { depth };
        let mut reached = 0;
        for depth in [SHALLOW_DEPTH.min(depth), depth] {
            if depth <= reached || self.search.watch.is_stopped() {
                continue;
            }
            let is_complete = self.search_all(depth, &mut best);
            if is_complete {
                reached = depth;
            }
        }
        (best, reached)
    }

    /// Searches every root move to a depth and sorts them by score. Returns whether it came to the end;
    /// if not, the best move is the best of those searched.
    fn search_all(&mut self, depth: u32, best: &mut Best) -> bool {
        let mut alpha = -INFINITY;
        for root_move in &mut self.moves {
            let score = if root_move.repeats_thrice {
                Some(0)
            } else {
                self.search
                    .alpha_beta(&root_move.next, depth - 1, 1, -INFINITY, -alpha, false)
                    .map(|score| -score)
            };
            let Some(score) = score else { return false };
            root_move.score = score;
            if score > alpha {
                alpha = score;
                *best = Best { mv: root_move.mv, score };
            }
        }
        self.moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn game(fen: &str) -> Game {
        Game::from_position(Position::from_fen(fen).unwrap())
    }

    fn think(game: &Game, depth: u32) -> Choice {
        ChessBin::new(Level::Medium).think(game, &Budget::with_depth(depth)).unwrap()
    }

    #[test]
    fn mates_at_once() {
        let game = game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        let choice = think(&game, 6);
        assert!(game.position().after(choice.mv().unwrap()).is_checkmate());
        assert_eq!((choice.depth, choice.nodes()), (1, 0));
    }

    #[test]
    fn few_root_moves_are_searched_a_ply_deeper() {
        assert_eq!(think(&game("7k/8/8/8/8/8/5PPP/6K1 w - - 0 1"), 3).depth, 4);
        assert_eq!(think(&Game::new(), 3).depth, 3);
        assert_eq!((Level::Medium.depth(), Level::Hard.depth()), (6, 7));
    }

    #[test]
    fn remembers_its_replies_until_the_next_game() {
        let game = Game::new();
        let mut player = ChessBin::new(Level::Medium);
        let first = player.think(&game, &Budget::with_depth(2)).unwrap();
        let again = player.think(&game, &Budget::with_depth(2)).unwrap();
        assert_eq!((again.mv(), again.source), (first.mv(), Source::Memory));
        player.new_game();
        assert_eq!(player.think(&game, &Budget::with_depth(2)).unwrap().source, Source::Search);
    }

    #[test]
    fn plays_from_its_book() {
        let after = "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1";
        let book = Replies::parse(&format!("{}; {after}", chess::START_FEN)).unwrap();
        let choice = ChessBin::with_book(Level::Hard, book).think(&Game::new(), &Budget::default()).unwrap();
        assert_eq!(choice.source, Source::Book);
        assert_eq!(choice.mv(), Position::startpos().parse_uci("c2c4").ok());
    }

    #[test]
    fn a_third_repetition_counts_as_a_draw() {
        // A queen up, White would not want to see the position a third time.
        let mut game = game("6k1/8/8/8/8/8/8/1Q4K1 w - - 0 1");
        for mv in ["g1h1", "g8h8", "h1g1", "h8g8", "g1h1", "g8h8", "h1g1", "h8g8"] {
            let mv = game.position().parse_uci(mv).unwrap();
            game.replay(mv).unwrap();
        }
        let choice = think(&game, 2);
        assert!(!repeats_thrice(&game, choice.mv().unwrap()));
    }

    #[test]
    fn a_stopped_search_plays_the_best_so_far() {
        let budget = Budget { nodes: Some(10), ..Budget::default() };
        let choice = ChessBin::new(Level::Hard).think(&Game::new(), &budget).unwrap();
        assert!(Position::startpos().is_legal(choice.mv().unwrap()));
        assert_eq!(choice.depth, 0);
    }
}
