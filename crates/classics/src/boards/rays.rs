//! JavaChess's board: twelve sets of squares and two by colour, and for every piece on every square a
//! list of the rays along which it moves, made in advance.
//!
//! A move is illegal if the opponent could answer it by taking the king. Castling leaves phantom kings
//! behind for one move, on the king's square and on the one it passed, so that castling out of or through
//! check is found the same way.

use super::lists::{
    BISHOP_RAYS, KING_LEAPS, KNIGHT_LEAPS, ROOK_RAYS, Targets, bit, number, numbers, pawn_captures,
    pawn_step, square,
};
use super::{ClassicBoard, Moves, check_standard};
use crate::NotStandard;
use crate::zobrist::Zobrist;
use chess::{CastlingSide, Color, Move, Piece, Position, Role, Square};

/// What a move is, as far as making it needs to know.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RayMoveKind {
    /// From one square to an empty one.
    Normal,
    /// A capture on the target square.
    Capture,
    /// A pawn takes the pawn that passed it.
    EnPassant,
    /// The king castles.
    Castling(CastlingSide),
}

/// A move with all that making it needs: JavaChess stores pieces moved and taken with the squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RayMove {
    /// Source, in JavaChess's numbers.
    pub from: u8,
    /// Destination.
    pub to: u8,
    /// The moving piece.
    pub moving: Piece,
    /// The piece it takes.
    pub captured: Option<Piece>,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// The kind of move.
    pub kind: RayMoveKind,
}

impl RayMove {
    /// Whether quiescence search looks at it: captures and promotions.
    #[must_use]
    pub const fn is_noisy(&self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

/// Piece values, the king's included: with it the material of the start position is 12,000.
#[must_use]
pub(crate) const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 350,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 2000,
    }
}

/// The upper half of each number is the key that chooses a place in the table, the lower half the lock
/// that distinguishes positions in one place.
static ZOBRIST: Zobrist = Zobrist::new(2001);

/// The corner of the rook and the squares that must be empty, by colour and side.
const fn castling_squares(color: Color, side: CastlingSide) -> (u8, u64) {
    let king = home_of_king(color);
    match side {
        CastlingSide::King => (king + 3, bit(king + 1) | bit(king + 2)),
        CastlingSide::Queen => (king - 4, bit(king - 1) | bit(king - 2) | bit(king - 3)),
    }
}

const fn home_of_king(color: Color) -> u8 {
    match color {
        Color::White => 60,
        Color::Black => 4,
    }
}

/// The order of the four castling flags, in JavaChess's files too.
const fn right_index(color: Color, side: CastlingSide) -> usize {
    color.index() + if matches!(side, CastlingSide::Queen) { 2 } else { 0 }
}

/// All of a position but the moves that led to it.
#[derive(Copy, Clone, PartialEq, Eq)]
struct State {
    by_piece: [u64; 12],
    by_color: [u64; 2],
    castling: [bool; 4],
    has_castled: [bool; 2],
    /// The square behind a pawn that has just made two steps.
    en_passant: u64,
    /// Squares where the king of the side that has just castled must not be taken.
    phantom_kings: u64,
    turn: Color,
    material: [i32; 2],
    pawns: [i32; 2],
    key: u64,
}

/// A position as sets of squares.
#[derive(Clone)]
pub struct Rays {
    state: State,
    /// The states before each move: JavaChess copies its board for every move.
    before: Vec<State>,
}

impl Rays {
    /// The squares of one kind of piece, bit 0 for a8.
    #[must_use]
    pub const fn pieces(&self, color: Color, role: Role) -> u64 {
        self.state.by_piece[Piece::new(color, role).index()]
    }

    /// The squares of one colour.
    #[must_use]
    pub const fn side(&self, color: Color) -> u64 {
        self.state.by_color[color.index()]
    }

    /// The number of the square where a king stands.
    #[must_use]
    pub const fn king(&self, color: Color) -> u8 {
        self.pieces(color, Role::King).trailing_zeros() as u8 & 63
    }

    /// Whether a side may still castle.
    #[must_use]
    pub(crate) const fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        self.state.castling[right_index(color, side)]
    }

    /// Whether a side has castled in this game.
    #[must_use]
    pub(crate) const fn has_castled(&self, color: Color) -> bool {
        self.state.has_castled[color.index()]
    }

    /// Notes that a side castled before the position was set up.
    pub(crate) const fn set_castled(&mut self, color: Color) {
        self.state.has_castled[color.index()] = true;
    }

    /// The value of a side's pieces, its king's 2,000 included.
    #[must_use]
    pub const fn material(&self, color: Color) -> i32 {
        self.state.material[color.index()]
    }

    /// How many pawns a side has.
    #[must_use]
    pub(crate) const fn pawn_count(&self, color: Color) -> i32 {
        self.state.pawns[color.index()]
    }

    /// The Zobrist key and lock, as the two halves of one number.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.state.key ^ self.state_key()
    }

    /// The position with the other side to move, as after a null move.
    #[must_use]
    pub fn passed(&self) -> Self {
        let state = State { turn: !self.state.turn, en_passant: 0, phantom_kings: 0, ..self.state };
        Self { state, before: self.before.clone() }
    }

    fn state_key(&self) -> u64 {
        let rights = self
            .state
            .castling
            .iter()
            .enumerate()
            .fold(0, |bits, (i, &right)| bits | usize::from(right) << i);
        let mut key = ZOBRIST.castling[rights];
        if self.state.turn == Color::Black {
            key ^= ZOBRIST.black_to_move;
        }
        for color in Color::ALL {
            if self.has_castled(color) {
                key ^= ZOBRIST.has_castled[color.index()];
            }
        }
        if self.state.en_passant != 0 {
            key ^= ZOBRIST.en_passant_file[self.state.en_passant.trailing_zeros() as usize % 8];
        }
        key
    }

    fn occupied(&self) -> u64 {
        self.state.by_color[0] | self.state.by_color[1]
    }

    fn piece_on(&self, color: Color, number: u8) -> Option<Piece> {
        Role::ALL
            .into_iter()
            .find(|&role| self.pieces(color, role) & bit(number) != 0)
            .map(|role| Piece::new(color, role))
    }

    fn add(&mut self, piece: Piece, number: u8) {
        self.toggle(piece, number);
        self.count(piece, 1);
    }

    fn remove(&mut self, piece: Piece, number: u8) {
        self.toggle(piece, number);
        self.count(piece, -1);
    }

    fn toggle(&mut self, piece: Piece, number: u8) {
        self.state.by_piece[piece.index()] ^= bit(number);
        self.state.by_color[piece.color().index()] ^= bit(number);
        self.state.key ^= ZOBRIST.pieces[piece.index()][number as usize & 63];
    }

    fn count(&mut self, piece: Piece, by: i32) {
        let side = piece.color().index();
        self.state.material[side] += by * piece_value(piece.role());
        if piece.role() == Role::Pawn {
            self.state.pawns[side] += by;
        }
    }

    /// Whether a side could move to one of these squares and take what is there.
    fn attacks_any(&self, by: Color, mut targets: u64) -> bool {
        while targets != 0 {
            if self.attacks(by, targets.trailing_zeros() as u8) {
                return true;
            }
            targets &= targets - 1;
        }
        false
    }

    fn attacks(&self, by: Color, target: u8) -> bool {
        let leaps = |lists: &[Targets; 64], pieces: u64| {
            pieces != 0 && lists[target as usize & 63].iter().any(|from| pieces & bit(from) != 0)
        };
        let slides = |lists: &[[Targets; 64]; 4], pieces: u64| {
            pieces != 0
                && lists.iter().any(|rays| {
                    let mut ray = rays[target as usize & 63].iter();
                    ray.find(|&from| self.occupied() & bit(from) != 0)
                        .is_some_and(|from| pieces & bit(from) != 0)
                })
        };
        let queens = self.pieces(by, Role::Queen);
        pawn_captures(!by, target).any(|from| self.pieces(by, Role::Pawn) & bit(from) != 0)
            || leaps(&KNIGHT_LEAPS, self.pieces(by, Role::Knight))
            || leaps(&KING_LEAPS, self.pieces(by, Role::King))
            || slides(&ROOK_RAYS, self.pieces(by, Role::Rook) | queens)
            || slides(&BISHOP_RAYS, self.pieces(by, Role::Bishop) | queens)
    }

    /// Whether the side to move could take the king, or a phantom king of a castling just made.
    fn king_can_be_taken(&self) -> bool {
        let kings = self.pieces(!self.state.turn, Role::King) | self.state.phantom_kings;
        self.attacks_any(self.state.turn, kings)
    }

    /// Adds a move or a capture on a square. Returns whether a ray continues beyond it.
    fn push(&self, moving: Piece, from: u8, to: u8, moves: &mut Moves<RayMove>) -> bool {
        let us = moving.color();
        if self.side(us) & bit(to) != 0 {
            return false;
        }
        let captured = if self.side(!us) & bit(to) != 0 { self.piece_on(!us, to) } else { None };
        let kind = if captured.is_some() { RayMoveKind::Capture } else { RayMoveKind::Normal };
        moves.push(RayMove { from, to, moving, captured, promotion: None, kind });
        captured.is_none()
    }

    fn generate_rays(&self, role: Role, lists: &[[Targets; 64]; 4], moves: &mut Moves<RayMove>) {
        let moving = Piece::new(self.state.turn, role);
        for from in numbers(self.state.by_piece[moving.index()]) {
            for rays in lists {
                for to in rays[from as usize].iter() {
                    if !self.push(moving, from, to, moves) {
                        break;
                    }
                }
            }
        }
    }

    fn generate_leaps(&self, role: Role, lists: &[Targets; 64], moves: &mut Moves<RayMove>) {
        let moving = Piece::new(self.state.turn, role);
        for from in numbers(self.state.by_piece[moving.index()]) {
            for to in lists[from as usize].iter() {
                self.push(moving, from, to, moves);
            }
        }
    }

    /// Castling, as far as the squares between king and rook are concerned.
    fn generate_castling(&self, moves: &mut Moves<RayMove>) {
        let us = self.state.turn;
        let from = home_of_king(us);
        for side in CastlingSide::ALL {
            let (_, between) = castling_squares(us, side);
            if self.may_castle(us, side) && self.occupied() & between == 0 {
                let to = number(side.king_target(us));
                let moving = Piece::new(us, Role::King);
                let kind = RayMoveKind::Castling(side);
                moves.push(RayMove { from, to, moving, captured: None, promotion: None, kind });
            }
        }
    }

    fn generate_pawns(&self, moves: &mut Moves<RayMove>) {
        let us = self.state.turn;
        let moving = Piece::new(us, Role::Pawn);
        let is_home = |from: u8| from / 8 == if us == Color::White { 6 } else { 1 };
        for from in numbers(self.pieces(us, Role::Pawn)) {
            let quiet =
                |to| RayMove { from, to, moving, captured: None, promotion: None, kind: RayMoveKind::Normal };
            let one = pawn_step(us, from);
            if self.occupied() & bit(one) == 0 {
                push_pawn_move(quiet(one), moves);
                let two = pawn_step(us, one);
                if is_home(from) && self.occupied() & bit(two) == 0 {
                    moves.push(quiet(two));
                }
            }
            for to in pawn_captures(us, from) {
                if self.side(!us) & bit(to) != 0 {
                    let captured = self.piece_on(!us, to);
                    push_pawn_move(RayMove { captured, kind: RayMoveKind::Capture, ..quiet(to) }, moves);
                } else if self.state.en_passant & bit(to) != 0 {
                    let captured = Some(Piece::new(!us, Role::Pawn));
                    moves.push(RayMove { captured, kind: RayMoveKind::EnPassant, ..quiet(to) });
                }
            }
        }
    }

    fn apply(&mut self, mv: RayMove) {
        let us = self.state.turn;
        self.state.phantom_kings = 0;
        match (mv.kind, mv.captured) {
            (RayMoveKind::EnPassant, Some(captured)) => self.remove(captured, pawn_step(!us, mv.to)),
            (_, Some(captured)) => self.remove(captured, mv.to),
            (_, None) => {}
        }
        self.remove(mv.moving, mv.from);
        self.add(mv.promotion.map_or(mv.moving, |role| Piece::new(us, role)), mv.to);
        if let RayMoveKind::Castling(side) = mv.kind {
            let (corner, _) = castling_squares(us, side);
            let passed = number(side.rook_target(us));
            self.remove(Piece::new(us, Role::Rook), corner);
            self.add(Piece::new(us, Role::Rook), passed);
            self.state.phantom_kings = bit(mv.from) | bit(passed);
            self.state.has_castled[us.index()] = true;
        }
        let is_double_step = mv.moving.role() == Role::Pawn && mv.from.abs_diff(mv.to) == 16;
        self.state.en_passant = if is_double_step { bit(pawn_step(us, mv.from)) } else { 0 };
        self.end_rights(mv);
        self.state.turn = !us;
    }

    /// A king that moves, or anything that leaves or reaches a corner, ends castling there.
    fn end_rights(&mut self, mv: RayMove) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let (corner, _) = castling_squares(color, side);
                let squares = [corner, home_of_king(color)];
                if squares.contains(&mv.from) || squares.contains(&mv.to) {
                    self.state.castling[right_index(color, side)] = false;
                }
            }
        }
    }
}

fn push_pawn_move(mv: RayMove, moves: &mut Moves<RayMove>) {
    if matches!(mv.to / 8, 0 | 7) {
        // JavaChess's order: queen, knight, rook, bishop.
        for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
            moves.push(RayMove { promotion: Some(role), ..mv });
        }
    } else {
        moves.push(mv);
    }
}

impl ClassicBoard for Rays {
    type Move = RayMove;

    fn set_up(position: &Position) -> Result<Self, NotStandard> {
        check_standard(position)?;
        let mut board = Self {
            state: State {
                by_piece: [0; 12],
                by_color: [0; 2],
                castling: [false; 4],
                has_castled: [false; 2],
                en_passant: position.en_passant().map_or(0, |square| bit(number(square))),
                phantom_kings: 0,
                turn: position.turn(),
                material: [0; 2],
                pawns: [0; 2],
                key: 0,
            },
            before: Vec::new(),
        };
        for square in Square::all() {
            if let Some(piece) = position.piece_on(square) {
                board.add(piece, number(square));
            }
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                board.state.castling[right_index(color, side)] =
                    position.castling_rook(color, side).is_some();
            }
        }
        Ok(board)
    }

    fn turn(&self) -> Color {
        self.state.turn
    }

    /// Piece by piece in JavaChess's order: queens, king, rooks, bishops, knights, pawns.
    fn generate(&self, moves: &mut Moves<RayMove>) {
        self.generate_rays(Role::Queen, &BISHOP_RAYS, moves);
        self.generate_rays(Role::Queen, &ROOK_RAYS, moves);
        self.generate_leaps(Role::King, &KING_LEAPS, moves);
        self.generate_castling(moves);
        self.generate_rays(Role::Rook, &ROOK_RAYS, moves);
        self.generate_rays(Role::Bishop, &BISHOP_RAYS, moves);
        self.generate_leaps(Role::Knight, &KNIGHT_LEAPS, moves);
        self.generate_pawns(moves);
    }

    fn make(&mut self, mv: RayMove) -> bool {
        self.before.push(self.state);
        self.apply(mv);
        let is_legal = !self.king_can_be_taken();
        if !is_legal {
            self.unmake();
        }
        is_legal
    }

    fn unmake(&mut self) {
        if let Some(state) = self.before.pop() {
            self.state = state;
        }
    }

    fn is_check(&self) -> bool {
        self.attacks(!self.state.turn, self.king(self.state.turn))
    }

    fn translate(&self, mv: RayMove) -> Move {
        let (from, to) = (square(mv.from), square(mv.to));
        match (mv.kind, mv.promotion) {
            (RayMoveKind::Castling(side), _) => {
                Move::castling(from, square(castling_squares(mv.moving.color(), side).0))
            }
            (RayMoveKind::EnPassant, _) => Move::en_passant(from, to),
            (_, Some(role)) => Move::promotion(from, to, role),
            (_, None) => Move::normal(from, to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phantom_kings_forbid_castling_out_of_and_through_check() {
        let castles = |fen: &str| {
            let mut board = Rays::set_up(&Position::from_fen(fen).unwrap()).unwrap();
            board.legal().iter().any(|mv| matches!(mv.kind, RayMoveKind::Castling(_)))
        };
        assert!(castles("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!castles("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1"));
        assert!(!castles("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1"));
        assert!(!castles("4k3/8/8/8/6r1/8/8/4K2R w K - 0 1"));
        assert!(castles("4k3/8/8/8/7r/8/8/4K2R w K - 0 1"));
        assert!(castles("4k3/8/8/8/1r6/8/8/R3K3 w Q - 0 1"), "the rook may pass an attacked square");
    }

    #[test]
    fn material_and_key_follow_the_moves() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let mut board = Rays::set_up(&position).unwrap();
        for mv in board.legal() {
            let after = Rays::set_up(&position.after(board.translate(mv))).unwrap();
            assert!(board.make(mv));
            for color in Color::ALL {
                assert_eq!(board.material(color), after.material(color));
                assert_eq!(board.pawn_count(color), after.pawn_count(color));
            }
            // The rebuilt board cannot know that a side has castled, nor of en passant squares of no use.
            if board.state.en_passant == 0 && !board.has_castled(Color::White) {
                assert_eq!(board.key(), after.key());
            }
            board.unmake();
        }
        assert_eq!(Rays::set_up(&Position::startpos()).unwrap().material(Color::White), 6000);
    }
}
