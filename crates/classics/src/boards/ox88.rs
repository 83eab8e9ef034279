//! The 0x88 board of Piglet and Ground Up, and Piglet's moves of 32 bits.
//!
//! Two boards side by side in 128 bytes: rank in the high half of the index, file in the low half. A step
//! over any edge sets bit 3 or bit 7, so `index & 0x88` says at once that a square is off the board.

use super::{ClassicBoard, Moves, check_standard};
use crate::NotStandard;
use crate::zobrist::Zobrist;
use chess::{CastlingSide, Color, File, Move, Piece, Position, Rank, Role, Square};

/// A square as rank × 16 + file: a1 is 0, a2 16, h8 119.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(u8);

impl Index {
    /// The index of a square.
    #[must_use]
    pub const fn new(square: Square) -> Self {
        Self((square.rank() as u8) << 4 | square.file() as u8)
    }

    /// The square; for indices on the board only.
    #[must_use]
    pub const fn square(self) -> Square {
        Square::new(File::from_index(self.file()), Rank::from_index(self.rank()))
    }

    /// 0 for the a-file.
    #[must_use]
    pub const fn file(self) -> usize {
        (self.0 & 7) as usize
    }

    /// 0 for the first rank.
    #[must_use]
    pub const fn rank(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// The index as a number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Whether the index is on the board, by the test that gives the board its name.
    #[must_use]
    pub(crate) const fn is_on_board(self) -> bool {
        self.0 & 0x88 == 0
    }

    /// The square a step away, if it is on the board.
    #[must_use]
    const fn step(self, by: i8) -> Option<Self> {
        let to = Self(self.0.wrapping_add_signed(by));
        if to.is_on_board() { Some(to) } else { None }
    }

    const fn place(self) -> usize {
        (self.0 & 0x7f) as usize
    }

    fn all() -> impl Iterator<Item = Self> {
        (0..8).flat_map(|rank| (0..8).map(move |file| Self(rank << 4 | file)))
    }
}

/// What stands on a square, in one byte as Ground Up has it: 1 to 6 for pawn to king, 8 for Black, 16 for
/// White, 0 for nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Man(u8);

impl Man {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// The byte of a piece.
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self(color_bit(color) | (role as u8 + 1))
    }

    /// The byte.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    const fn is_none(self) -> bool {
        self.0 == 0
    }

    const fn is(self, color: Color) -> bool {
        self.0 & color_bit(color) != 0
    }

    /// The piece, if there is one.
    #[must_use]
    pub const fn piece(self) -> Option<Piece> {
        if self.is_none() {
            return None;
        }
        let color = if self.0 & 8 != 0 { Color::Black } else { Color::White };
        Some(Piece::new(color, Role::ALL[(self.0 & 7) as usize - 1]))
    }
}

const fn color_bit(color: Color) -> u8 {
    match color {
        Color::White => 16,
        Color::Black => 8,
    }
}

/// Piglet's number of a piece: 1 to 6 for White's pawn to king, 7 to 12 for Black's, 0 for none.
#[must_use]
pub(crate) const fn piglet_number(piece: Option<Piece>) -> u32 {
    match piece {
        Some(piece) => piece.index() as u32 + 1,
        None => 0,
    }
}

fn from_piglet_number(number: u32) -> Option<Piece> {
    Piece::ALL.get((number as usize).checked_sub(1)?).copied()
}

/// A move in 32 bits, as Piglet packs it, from the lowest bit: from (7), to (7), castling (4), captured
/// piece (4), promoted piece (4), en passant (1).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move32(u32);

impl Move32 {
    const TO: u32 = 7;
    const CASTLING: u32 = 14;
    const CAPTURED: u32 = 18;
    const PROMOTED: u32 = 22;
    const EN_PASSANT: u32 = 26;

    const fn quiet(from: Index, to: Index) -> Self {
        Self(from.0 as u32 | (to.0 as u32) << Self::TO)
    }

    const fn capturing(self, captured: Option<Piece>) -> Self {
        Self(self.0 | piglet_number(captured) << Self::CAPTURED)
    }

    const fn promoting(self, promoted: Piece) -> Self {
        Self(self.0 | piglet_number(Some(promoted)) << Self::PROMOTED)
    }

    const fn castling(self, flag: u8) -> Self {
        Self(self.0 | (flag as u32) << Self::CASTLING)
    }

    const fn en_passant(self) -> Self {
        Self(self.0 | 1 << Self::EN_PASSANT)
    }

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Where the piece stands.
    #[must_use]
    pub const fn from(self) -> Index {
        Index((self.0 & 0x7f) as u8)
    }

    /// Where it goes; for castling, where the king goes.
    #[must_use]
    pub const fn to(self) -> Index {
        Index((self.0 >> Self::TO & 0x7f) as u8)
    }

    /// 8, 4, 2 or 1 if it castles: White's king side, queen side, Black's king side, queen side.
    #[must_use]
    pub(crate) const fn castling_flag(self) -> u8 {
        (self.0 >> Self::CASTLING & 0xf) as u8
    }

    /// The piece it takes, en passant included.
    #[must_use]
    pub fn captured(self) -> Option<Piece> {
        from_piglet_number(self.0 >> Self::CAPTURED & 0xf)
    }

    /// What a pawn becomes.
    #[must_use]
    pub fn promoted(self) -> Option<Piece> {
        from_piglet_number(self.0 >> Self::PROMOTED & 0xf)
    }

    /// Whether a pawn takes en passant.
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> Self::EN_PASSANT & 1 != 0
    }
}

/// A castling right: its bit, and the squares it is about.
struct Castling {
    flag: u8,
    color: Color,
    king: Index,
    king_to: Index,
    rook: Index,
    rook_to: Index,
    /// Squares that must be empty.
    empty: &'static [u8],
}

/// The four rights as Piglet numbers them: 8, 4, 2, 1.
const CASTLINGS: [Castling; 4] = [
    castling(8, Color::White, CastlingSide::King, &[0x05, 0x06]),
    castling(4, Color::White, CastlingSide::Queen, &[0x03, 0x02, 0x01]),
    castling(2, Color::Black, CastlingSide::King, &[0x75, 0x76]),
    castling(1, Color::Black, CastlingSide::Queen, &[0x73, 0x72, 0x71]),
];

const fn castling(flag: u8, color: Color, side: CastlingSide, empty: &'static [u8]) -> Castling {
    let first_rank = Rank::First.relative_to(color);
    let rook_file = match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    };
    Castling {
        flag,
        color,
        king: Index::new(Square::new(File::E, first_rank)),
        king_to: Index::new(side.king_target(color)),
        rook: Index::new(Square::new(rook_file, first_rank)),
        rook_to: Index::new(side.rook_target(color)),
        empty,
    }
}

const KNIGHT_STEPS: [i8; 8] = [33, 31, 18, 14, -14, -18, -31, -33];
const KING_STEPS: [i8; 8] = [17, 16, 15, 1, -1, -15, -16, -17];
const BISHOP_STEPS: [i8; 4] = [17, 15, -15, -17];
const ROOK_STEPS: [i8; 4] = [16, 1, -1, -16];

const fn forward(color: Color) -> i8 {
    match color {
        Color::White => 16,
        Color::Black => -16,
    }
}

static ZOBRIST: Zobrist = Zobrist::new(0x0088);

/// What a move does not contain and taking it back needs.
#[derive(Copy, Clone)]
struct Undo {
    mv: Move32,
    rights: u8,
    en_passant: Option<Index>,
    key: u64,
}

/// A position on 128 squares.
#[derive(Clone)]
pub struct Ox88 {
    men: [Man; 128],
    turn: Color,
    kings: [Index; 2],
    rights: u8,
    en_passant: Option<Index>,
    key: u64,
    undo: Vec<Undo>,
}

impl Ox88 {
    /// What stands on a square.
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.men[Index::new(square).place()].piece()
    }

    /// The pieces and their squares, a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        Index::all().filter_map(|index| Some((self.men[index.place()].piece()?, index.square())))
    }

    /// The Zobrist key of the position.
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The castling rights: 8, 4, 2 and 1 added up.
    #[must_use]
    pub const fn rights(&self) -> u8 {
        self.rights
    }

    /// The piece that a move moves.
    #[must_use]
    pub fn mover(&self, mv: Move32) -> Option<Piece> {
        self.men[mv.from().place()].piece()
    }

    fn state_key(&self) -> u64 {
        let turn = if self.turn == Color::Black { ZOBRIST.black_to_move } else { 0 };
        let en_passant = self.en_passant.map_or(0, |index| ZOBRIST.en_passant_file[index.file()]);
        turn ^ en_passant ^ ZOBRIST.castling[self.rights as usize & 15]
    }

    fn put(&mut self, index: Index, piece: Piece) {
        self.men[index.place()] = Man::new(piece.color(), piece.role());
        self.key ^= ZOBRIST.pieces[piece.index()][index.square().index()];
        if piece.role() == Role::King {
            self.kings[piece.color().index()] = index;
        }
    }

    fn take(&mut self, index: Index) -> Option<Piece> {
        let piece = self.men[index.place()].piece()?;
        self.men[index.place()] = Man::NONE;
        self.key ^= ZOBRIST.pieces[piece.index()][index.square().index()];
        Some(piece)
    }

    /// The position with the other side to move, as after a null move.
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut next = self.clone();
        next.key ^= next.state_key();
        next.turn = !next.turn;
        next.en_passant = None;
        next.key ^= next.state_key();
        next
    }

    /// Whether a side attacks a square: looks from the square outwards for a piece that moves so.
    #[must_use]
    pub fn is_attacked(&self, target: Square, by: Color) -> bool {
        self.is_index_attacked(Index::new(target), by)
    }

    fn is_index_attacked(&self, target: Index, by: Color) -> bool {
        let stands = |index: Index, role| self.men[index.place()] == Man::new(by, role);
        let leaps =
            |steps: &[i8], role| steps.iter().any(|&by| target.step(by).is_some_and(|i| stands(i, role)));
        let slides = |steps: &[i8], role| {
            steps.iter().any(|&step| {
                let mut at = target;
                while let Some(next) = at.step(step) {
                    at = next;
                    if !self.men[at.place()].is_none() {
                        return stands(at, role) || stands(at, Role::Queen);
                    }
                }
                false
            })
        };
        let back = -forward(by);
        leaps(&[back + 1, back - 1], Role::Pawn)
            || leaps(&KNIGHT_STEPS, Role::Knight)
            || leaps(&KING_STEPS, Role::King)
            || slides(&BISHOP_STEPS, Role::Bishop)
            || slides(&ROOK_STEPS, Role::Rook)
    }

    fn generate_pawn<const NOISY: bool>(&self, from: Index, moves: &mut Moves<Move32>) {
        let ahead = forward(self.turn);
        let home = Rank::Second.relative_to(self.turn).index();
        let last = Rank::Eighth.relative_to(self.turn).index();
        let is_empty = |to: &Index| self.men[to.place()].is_none();
        let one = from.step(ahead).filter(is_empty).filter(|to| !NOISY || to.rank() == last);
        if let Some(one) = one {
            self.push_pawn_move(Move32::quiet(from, one), moves);
            let two = one.step(ahead).filter(|to| from.rank() == home && is_empty(to));
            if let Some(two) = two {
                moves.push(Move32::quiet(from, two));
            }
        }
        for to in [from.step(ahead - 1), from.step(ahead + 1)].into_iter().flatten() {
            let man = self.men[to.place()];
            if man.is(!self.turn) {
                self.push_pawn_move(Move32::quiet(from, to).capturing(man.piece()), moves);
            } else if self.en_passant == Some(to) {
                let pawn = Piece::new(!self.turn, Role::Pawn);
                moves.push(Move32::quiet(from, to).capturing(Some(pawn)).en_passant());
            }
        }
    }

    fn generate_pieces<const NOISY: bool>(&self, moves: &mut Moves<Move32>) {
        for from in Index::all() {
            let man = self.men[from.place()];
            if !man.is(self.turn) {
                continue;
            }
            match man.piece().map(Piece::role) {
                Some(Role::Pawn) => self.generate_pawn::<NOISY>(from, moves),
                Some(Role::Knight) => self.generate_steps::<NOISY>(from, &KNIGHT_STEPS, false, moves),
                Some(Role::Bishop) => self.generate_steps::<NOISY>(from, &BISHOP_STEPS, true, moves),
                Some(Role::Rook) => self.generate_steps::<NOISY>(from, &ROOK_STEPS, true, moves),
                Some(Role::Queen) => self.generate_steps::<NOISY>(from, &KING_STEPS, true, moves),
                Some(Role::King) => self.generate_steps::<NOISY>(from, &KING_STEPS, false, moves),
                None => {}
            }
        }
    }

    /// Captures and promotions only.
    pub fn generate_noisy(&self, moves: &mut Moves<Move32>) {
        self.generate_pieces::<true>(moves);
    }

    fn push_pawn_move(&self, mv: Move32, moves: &mut Moves<Move32>) {
        if mv.to().rank() == Rank::Eighth.relative_to(self.turn).index() {
            moves.extend(Role::PROMOTIONS.map(|role| mv.promoting(Piece::new(self.turn, role))));
        } else {
            moves.push(mv);
        }
    }

    /// Adds a piece's moves by its list of steps, as Ground Up describes: each step once, or again and
    /// again for a piece that slides.
    fn generate_steps<const NOISY: bool>(
        &self,
        from: Index,
        steps: &[i8],
        slides: bool,
        moves: &mut Moves<Move32>,
    ) {
        for &step in steps {
            let mut at = from;
            while let Some(to) = at.step(step) {
                let man = self.men[to.place()];
                if man.is(self.turn) {
                    break;
                }
                if !NOISY || !man.is_none() {
                    moves.push(Move32::quiet(from, to).capturing(man.piece()));
                }
                if !slides || !man.is_none() {
                    break;
                }
                at = to;
            }
        }
    }

    fn generate_castling(&self, moves: &mut Moves<Move32>) {
        for castling in CASTLINGS.iter().filter(|c| c.color == self.turn && self.rights & c.flag != 0) {
            let path = [castling.king, castling.rook_to];
            if castling.empty.iter().all(|&index| self.men[Index(index).place()].is_none())
                && path.into_iter().all(|index| !self.is_index_attacked(index, !self.turn))
            {
                moves.push(Move32::quiet(castling.king, castling.king_to).castling(castling.flag));
            }
        }
    }

    /// Moves the men without looking whether the king is safe.
    fn apply(&mut self, mv: Move32) {
        let (from, to) = (mv.from(), mv.to());
        self.key ^= self.state_key();
        if mv.is_en_passant() {
            self.take(Index(to.0.wrapping_add_signed(-forward(self.turn))));
        } else {
            self.take(to);
        }
        if let Some(piece) = self.take(from) {
            self.put(to, mv.promoted().unwrap_or(piece));
            let is_double_step = piece.role() == Role::Pawn && from.rank().abs_diff(to.rank()) == 2;
            self.en_passant = if is_double_step { from.step(forward(self.turn)) } else { None };
        }
        for castling in &CASTLINGS {
            if castling.flag == mv.castling_flag()
                && let Some(rook) = self.take(castling.rook)
            {
                self.put(castling.rook_to, rook);
            }
            // Whatever leaves or reaches these squares ends the right.
            if [from, to].iter().any(|&index| index == castling.king || index == castling.rook) {
                self.rights &= !castling.flag;
            }
        }
        self.turn = !self.turn;
        self.key ^= self.state_key();
    }
}

impl ClassicBoard for Ox88 {
    type Move = Move32;

    fn set_up(position: &Position) -> Result<Self, NotStandard> {
        check_standard(position)?;
        let mut board = Self {
            men: [Man::NONE; 128],
            turn: position.turn(),
            kings: [Index(0); 2],
            rights: 0,
            en_passant: position.en_passant().map(Index::new),
            key: 0,
            undo: Vec::new(),
        };
        for square in Square::all() {
            if let Some(piece) = position.piece_on(square) {
                board.put(Index::new(square), piece);
            }
        }
        for castling in &CASTLINGS {
            if position.castling_rooks().has(castling.rook.square()) {
                board.rights |= castling.flag;
            }
        }
        board.key ^= board.state_key();
        Ok(board)
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn generate(&self, moves: &mut Moves<Move32>) {
        self.generate_pieces::<false>(moves);
        self.generate_castling(moves);
    }

    fn make(&mut self, mv: Move32) -> bool {
        self.undo.push(Undo { mv, rights: self.rights, en_passant: self.en_passant, key: self.key });
        let us = self.turn;
        self.apply(mv);
        let is_legal = !self.is_index_attacked(self.kings[us.index()], !us);
        if !is_legal {
            self.unmake();
        }
        is_legal
    }

    fn unmake(&mut self) {
        let Some(undo) = self.undo.pop() else { return };
        let mv = undo.mv;
        self.turn = !self.turn;
        if let Some(piece) = self.take(mv.to()) {
            let piece = if mv.promoted().is_some() { Piece::new(self.turn, Role::Pawn) } else { piece };
            self.put(mv.from(), piece);
        }
        if let Some(captured) = mv.captured() {
            let behind = Index(mv.to().0.wrapping_add_signed(-forward(self.turn)));
            self.put(if mv.is_en_passant() { behind } else { mv.to() }, captured);
        }
        if let Some(castling) = CASTLINGS.iter().find(|castling| castling.flag == mv.castling_flag())
            && let Some(rook) = self.take(castling.rook_to)
        {
            self.put(castling.rook, rook);
        }
        self.rights = undo.rights;
        self.en_passant = undo.en_passant;
        self.key = undo.key;
    }

    fn is_check(&self) -> bool {
        self.is_index_attacked(self.kings[self.turn.index()], !self.turn)
    }

    fn translate(&self, mv: Move32) -> Move {
        let (from, to) = (mv.from().square(), mv.to().square());
        if let Some(castling) = CASTLINGS.iter().find(|castling| castling.flag == mv.castling_flag()) {
            Move::castling(from, castling.rook.square())
        } else if let Some(promoted) = mv.promoted() {
            Move::promotion(from, to, promoted.role())
        } else if mv.is_en_passant() {
            Move::en_passant(from, to)
        } else {
            Move::normal(from, to)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_those_of_the_document() {
        for (square, index) in [(Square::A2, 16), (Square::A8, 112), (Square::H8, 119), (Square::C5, 0x42)] {
            assert_eq!(Index::new(square).get(), index);
            assert_eq!(Index(index).square(), square);
        }
        assert_eq!((0..=255).filter(|&index| Index(index).is_on_board()).count(), 64);
        assert!(!Index(0x08).is_on_board() && !Index(0x7e).is_on_board() && !Index(0x80).is_on_board());
    }

    #[test]
    fn men_are_the_bytes_of_ground_up() {
        assert_eq!(Man::new(Color::Black, Role::Knight).get(), 10);
        assert_eq!(Man::new(Color::White, Role::King).get(), 22);
        for piece in Piece::ALL {
            assert_eq!(Man::new(piece.color(), piece.role()).piece(), Some(piece));
        }
    }

    #[test]
    fn moves_are_packed_as_piglet_does() {
        let black_rook = Piece::new(Color::Black, Role::Rook);
        let white_queen = Piece::new(Color::White, Role::Queen);
        let mv = Move32::quiet(Index::new(Square::B7), Index::new(Square::A8))
            .capturing(Some(black_rook))
            .promoting(white_queen);
        assert_eq!(mv.bits(), 0x61 | 0x70 << 7 | 10 << 18 | 5 << 22);
        assert_eq!(mv.captured(), Some(black_rook));
        assert_eq!(mv.promoted(), Some(white_queen));
        let castling = Move32::quiet(Index::new(Square::E1), Index::new(Square::G1)).castling(8);
        assert_eq!(castling.bits(), 0x04 | 0x06 << 7 | 8 << 14);
        assert!(Move32::quiet(Index(0x44), Index(0x53)).en_passant().bits() & 1 << 26 != 0);
    }

    #[test]
    fn noisy_moves_are_captures_and_promotions() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        ] {
            let board = Ox88::set_up(&Position::from_fen(fen).unwrap()).unwrap();
            let (mut all, mut noisy) = (Moves::new(), Moves::new());
            board.generate(&mut all);
            board.generate_noisy(&mut noisy);
            all.retain(|mv| mv.captured().is_some() || mv.promoted().is_some());
            assert_eq!(all, noisy, "{fen}");
        }
    }

    #[test]
    fn the_key_follows_the_moves() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let mut board = Ox88::set_up(&position).unwrap();
        let before = board.key();
        for mv in board.legal() {
            let after = position.after(board.translate(mv));
            assert!(board.make(mv));
            // The rules library drops en passant squares that serve no capture, this board does not.
            if board.en_passant.is_none() {
                assert_eq!(board.key(), Ox88::set_up(&after).unwrap().key());
            }
            board.unmake();
            assert_eq!(board.key(), before);
        }
    }
}
