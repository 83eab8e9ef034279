//! Which squares a piece attacks, and the lines between squares.
//!
//! Knights, kings, pawns and lines are tables of one lookup. Sliding pieces look up their attacks by the
//! pieces that stand in their way (see [`sliding`]). All tables are computed by the compiler.

#[cfg(any(test, not(fast_pext)))]
mod magics;
#[cfg(fast_pext)]
mod pext;
pub mod sliding;

use crate::{Bitboard, Color, Role, Square};
pub use sliding::{bishop, rook};

/// A direction as steps along files and ranks.
type Step = (i8, i8);

const ROOK_STEPS: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT_STEPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const PAWN_STEPS: [[Step; 2]; 2] = [[(-1, 1), (1, 1)], [(-1, -1), (1, -1)]];

const fn leaper_table<const N: usize>(steps: [Step; N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = Square::from_index(index).offset(steps[i].0, steps[i].1) {
                table[index] = table[index].with(to);
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The squares from `from` in one direction up to and including the first occupied one.
const fn ray(from: Square, step: Step, occupied: Bitboard) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let mut square = from;
    while let Some(next) = square.offset(step.0, step.1) {
        squares = squares.with(next);
        if occupied.has(next) {
            break;
        }
        square = next;
    }
    squares
}

/// Sliding attacks walked square by square: the slow truth behind the tables.
const fn walk(from: Square, steps: [Step; 4], occupied: Bitboard) -> Bitboard {
    let mut squares = 0;
    let mut i = 0;
    while i < 4 {
        squares |= ray(from, steps[i], occupied).0;
        i += 1;
    }
    Bitboard(squares)
}

static KNIGHT: [Bitboard; 64] = leaper_table(KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaper_table(KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaper_table(PAWN_STEPS[0]), leaper_table(PAWN_STEPS[1])];

const fn empty_board_table(steps: [Step; 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = walk(Square::from_index(index), steps, Bitboard::EMPTY);
        index += 1;
    }
    table
}

static ROOK_LINES: [Bitboard; 64] = empty_board_table(ROOK_STEPS);
static BISHOP_LINES: [Bitboard; 64] = empty_board_table(BISHOP_STEPS);

/// For two squares on one rank, file or diagonal: the squares between them, or with `whole_line` the
/// whole line through both.
const fn line_table(whole_line: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let origin = Square::from_index(from);
        let mut direction = 0;
        while direction < 8 {
            let step = KING_STEPS[direction];
            let backward = ray(origin, (-step.0, -step.1), Bitboard::EMPTY);
            let forward = ray(origin, step, Bitboard::EMPTY);
            let line = Bitboard(backward.0 | forward.0 | origin.bitboard().0);
            let mut between = Bitboard::EMPTY;
            let mut square = origin;
            while let Some(to) = square.offset(step.0, step.1) {
                table[from][to.index()] = if whole_line { line } else { between };
                between = between.with(to);
                square = to;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

static BETWEEN: [[Bitboard; 64]; 64] = line_table(false);
static LINE: [[Bitboard; 64]; 64] = line_table(true);

/// Squares a knight attacks.
#[must_use]
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king attacks.
#[must_use]
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a pawn of this colour attacks.
#[must_use]
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Squares a set of pawns of one colour attacks.
#[must_use]
#[inline]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    Bitboard(ahead.east().0 | ahead.west().0)
}

/// Squares a set of knights attacks.
#[must_use]
#[inline]
pub const fn knights(knights: Bitboard) -> Bitboard {
    let (east, west) = (knights.east(), knights.west());
    let (far_east, far_west) = (east.east(), west.west());
    let near = east.0 | west.0;
    let far = far_east.0 | far_west.0;
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// Squares a queen attacks over these occupied squares.
#[must_use]
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Squares a piece other than a pawn attacks over these occupied squares. (A pawn attacks none here: see
/// [`pawn`], which wants to know its colour.)
#[must_use]
#[inline]
pub fn of_piece(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Squares a piece other than a pawn attacks on an empty board, worked out and not looked up: for tables
/// that the compiler builds.
pub(crate) const fn on_empty_board(role: Role, square: Square) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => leaper_table(KNIGHT_STEPS)[square.index()],
        Role::Bishop => walk(square, BISHOP_STEPS, Bitboard::EMPTY),
        Role::Rook => walk(square, ROOK_STEPS, Bitboard::EMPTY),
        Role::Queen => {
            let straight = walk(square, ROOK_STEPS, Bitboard::EMPTY);
            Bitboard(straight.0 | walk(square, BISHOP_STEPS, Bitboard::EMPTY).0)
        }
        Role::King => leaper_table(KING_STEPS)[square.index()],
    }
}

/// Squares a rook attacks on an empty board.
#[must_use]
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square.index()]
}

/// Squares a bishop attacks on an empty board.
#[must_use]
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square.index()]
}

/// The squares strictly between two squares of one line; none if they share no line.
#[must_use]
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares; empty if they share none.
#[must_use]
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
