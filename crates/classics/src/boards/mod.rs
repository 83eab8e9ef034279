//! The boards of the classics: three ways to hold a position and find its moves, each with no help from
//! the rules library, so that they can vouch for it.
//!
//! | Board | Program | Idea |
//! |---|---|---|
//! | [`Mailbox`] | ChessBin | 64 squares, move lists made in advance, boards of attacked squares |
//! | [`Ox88`] | Piglet, Ground Up | 128 squares, half of them off the board, so that one test finds the edge |
//! | [`Rays`] | JavaChess | twelve sets of squares, and for every piece and square its rays |

pub(crate) mod lists;
pub mod mailbox;
pub mod ox88;
pub mod rays;

pub use mailbox::Mailbox;
pub use ox88::Ox88;
pub use rays::Rays;

use crate::NotStandard;
use arrayvec::ArrayVec;
use chess::{Color, Move, Position, Variant};
use std::str::FromStr;

/// Room for the moves of any position, those that leave the king in check included: nine queens have 27
/// each, two rooks 14, two bishops 13, two knights 8 and a king 8 and two ways to castle, and no pawn has
/// more than the queen it could become. (Ground Up's list of 218 holds the legal moves only.)
pub(crate) const MOST_MOVES: usize = 9 * 27 + 2 * (14 + 13 + 8) + 10;

/// A list of a board's own kind of moves.
pub type Moves<M> = ArrayVec<M, MOST_MOVES>;

/// A board that finds, makes and takes back its own moves.
pub trait ClassicBoard: Clone {
    /// How the program writes a move.
    type Move: Copy + PartialEq;

    /// Sets up a position of standard chess.
    ///
    /// # Errors
    /// When the castling rights are those of Chess960.
    fn set_up(position: &Position) -> Result<Self, NotStandard>;

    /// Whose move it is.
    fn turn(&self) -> Color;

    /// All moves by the rules of movement, those that leave the king in check too.
    fn generate(&self, moves: &mut Moves<Self::Move>);

    /// Makes a generated move, unless it leaves the own king in check. Returns whether it was made.
    fn make(&mut self, mv: Self::Move) -> bool;

    /// Takes the last move back; nothing without one.
    fn unmake(&mut self);

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;

    /// The move as the rules library writes it.
    fn translate(&self, mv: Self::Move) -> Move;

    /// The legal moves.
    fn legal(&mut self) -> Moves<Self::Move> {
        let mut moves = Moves::new();
        self.generate(&mut moves);
        moves.retain(|mv| {
            let is_legal = self.make(*mv);
            if is_legal {
                self.unmake();
            }
            is_legal
        });
        moves
    }

    /// How many legal move sequences of this length there are. Every move is made, the last ones too.
    fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Moves::new();
        self.generate(&mut moves);
        let mut nodes = 0;
        for mv in moves {
            if self.make(mv) {
                nodes += self.perft(depth - 1);
                self.unmake();
            }
        }
        nodes
    }
}

/// Refuses the castling rights of Chess960.
pub(crate) fn check_standard(position: &Position) -> Result<(), NotStandard> {
    match Variant::of(position) {
        Variant::Standard => Ok(()),
        Variant::Chess960 => Err(NotStandard),
    }
}

/// A board by its name, for the command line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BoardKind {
    /// [`Rays`].
    Rays,
    /// [`Ox88`].
    Ox88,
    /// [`Mailbox`].
    Mailbox,
}

impl BoardKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rays, Self::Ox88, Self::Mailbox];

    /// The name: `rays`, `0x88` or `mailbox`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rays => "rays",
            Self::Ox88 => "0x88",
            Self::Mailbox => "mailbox",
        }
    }

    /// The legal moves that the board finds, as the rules library writes them.
    ///
    /// # Errors
    /// When the castling rights are those of Chess960.
    pub fn legal_moves(self, position: &Position) -> Result<Vec<Move>, NotStandard> {
        match self {
            Self::Rays => legal_moves::<Rays>(position),
            Self::Ox88 => legal_moves::<Ox88>(position),
            Self::Mailbox => legal_moves::<Mailbox>(position),
        }
    }

    /// How many legal move sequences of this length the board finds.
    ///
    /// # Errors
    /// When the castling rights are those of Chess960.
    pub fn perft(self, position: &Position, depth: u32) -> Result<u64, NotStandard> {
        Ok(match self {
            Self::Rays => Rays::set_up(position)?.perft(depth),
            Self::Ox88 => Ox88::set_up(position)?.perft(depth),
            Self::Mailbox => Mailbox::set_up(position)?.perft(depth),
        })
    }
}

fn legal_moves<B: ClassicBoard>(position: &Position) -> Result<Vec<Move>, NotStandard> {
    let mut board = B::set_up(position)?;
    Ok(board.legal().into_iter().map(|mv| board.translate(mv)).collect())
}

/// There is no board of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no board is called {0:?}; there are rays, 0x88 and mailbox")]
pub struct UnknownBoard(String);

impl FromStr for BoardKind {
    type Err = UnknownBoard;

    fn from_str(text: &str) -> Result<Self, UnknownBoard> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| UnknownBoard(crate::quote(text)))
    }
}
