//! Zobrist keys: a position as 64 bits, kept up to date move by move.

use crate::random::Random;
use crate::{Bitboard, Color, Piece, Role, Square};

/// A hash of a position or of a part of it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

impl Key {
    /// Adds or removes what another key stands for.
    #[inline]
    pub const fn toggle(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// The random numbers behind all keys.
struct Randoms {
    pieces: [[Key; 64]; Piece::COUNT],
    castling: [[Key; 8]; 2],
    en_passant: [Key; 8],
    black_to_move: Key,
}

const fn draw_randoms() -> Randoms {
    let mut random = Random::new(0x6761_7264_657a_2121);
    let mut randoms = Randoms {
        pieces: [[Key(0); 64]; Piece::COUNT],
        castling: [[Key(0); 8]; 2],
        en_passant: [Key(0); 8],
        black_to_move: Key(0),
    };
    let mut i = 0;
    while i < Piece::COUNT * 64 {
        randoms.pieces[i / 64][i % 64] = Key(random.bits());
        i += 1;
    }
    i = 0;
    while i < 16 {
        randoms.castling[i / 8][i % 8] = Key(random.bits());
        i += 1;
    }
    i = 0;
    while i < 8 {
        randoms.en_passant[i] = Key(random.bits());
        i += 1;
    }
    randoms.black_to_move = Key(random.bits());
    randoms
}

static RANDOMS: Randoms = draw_randoms();

/// The key of one piece on one square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> Key {
    RANDOMS.pieces[piece.index()][square.index()]
}

/// The key of what is not on the board: side to move, castling rights, en passant. Kept up to date by
/// toggling the state before a move and the state after it.
#[inline]
pub(crate) fn state(turn: Color, castling_rooks: Bitboard, en_passant: Option<Square>) -> Key {
    let mut key = castling(castling_rooks);
    key.toggle(turn_and_en_passant(turn, en_passant));
    key
}

/// The key of the side to move and of the en passant square.
#[inline]
pub(crate) fn turn_and_en_passant(turn: Color, en_passant: Option<Square>) -> Key {
    let mut key = match turn {
        Color::White => Key(0),
        Color::Black => RANDOMS.black_to_move,
    };
    if let Some(square) = en_passant {
        key.toggle(RANDOMS.en_passant[square.file().index()]);
    }
    key
}

/// The key of some castling rights.
#[inline]
pub(crate) fn castling(rooks: Bitboard) -> Key {
    let mut key = Key(0);
    for rook in rooks {
        key.toggle(RANDOMS.castling[rook.rank().index() >> 2][rook.file().index()]);
    }
    key
}

/// The key that a step of a piece between two squares changes, the side to move included: the same for
/// both directions.
#[inline]
pub(crate) const fn step(mover: Piece, one: Square, other: Square) -> Key {
    let mut key = RANDOMS.black_to_move;
    key.toggle(RANDOMS.pieces[mover.index()][one.index()]);
    key.toggle(RANDOMS.pieces[mover.index()][other.index()]);
    key
}

/// Keys of groups of pieces, which a search uses to file what it has learnt about like positions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PieceKeys {
    /// Pawns of both sides; then all other pieces, kings included, of White and of Black. Together they
    /// cover the board, so the key of all pieces is their sum.
    pub(crate) pawns_and_sides: [Key; 3],
    /// Knights and bishops; rooks and queens; pawns and kings (which are never used, but which spare a
    /// branch in every move).
    pub(crate) weights: [Key; 3],
}

/// Which key of each array of [`PieceKeys`] a piece belongs to.
const GROUPS: [(u8, u8); Piece::COUNT] = {
    let mut groups = [(0, 0); Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT {
        let piece = Piece::ALL[i];
        groups[i] = match piece.role() {
            Role::Pawn => (0, 2),
            Role::Knight | Role::Bishop => (1 + piece.color() as u8, 0),
            Role::Rook | Role::Queen => (1 + piece.color() as u8, 1),
            Role::King => (1 + piece.color() as u8, 2),
        };
        i += 1;
    }
    groups
};

impl PieceKeys {
    /// Puts a piece on a square or takes it off.
    #[inline]
    pub(crate) fn toggle(&mut self, what: Piece, square: Square) {
        let key = piece(what, square);
        let (side, weight) = GROUPS[what.index()];
        self.pawns_and_sides[side as usize].toggle(key);
        self.weights[weight as usize].toggle(key);
    }

    /// The key of every piece on the board.
    #[inline]
    pub(crate) const fn all(&self) -> Key {
        let [pawns, white, black] = self.pawns_and_sides;
        Key(pawns.0 ^ white.0 ^ black.0)
    }
}
