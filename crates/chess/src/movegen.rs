//! Legal moves, found without trying them out.
//!
//! A check leaves only the moves to the squares of a *check mask*; a pinned piece keeps to the line
//! through its king; the king avoids attacked squares. En passant, which removes two pieces from one
//! rank, is the only move that is tested by looking at the board after it.

use crate::{
    Bitboard, CastlingSide, Color, Move, MoveKind, MoveList, Piece, Position, Rank, Role, Square, attacks,
};

/// Which moves to generate.
pub trait Selection {
    /// Captures, en passant and promotions.
    const NOISY: bool;
    /// All others.
    const QUIET: bool;
}

/// Every legal move.
pub struct All;
/// Captures, en passant and promotions: the moves that change the material.
pub struct Noisy;
/// The moves that do not change the material.
pub struct Quiet;

impl Selection for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Selection for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Selection for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// What becomes of the moves found. They come in sets, so that who only counts need not unpack them.
trait Sink {
    /// Moves of one piece.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Moves of pawns, each from the square `step` before its target.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same to the last rank.
    fn promotions(&mut self, targets: Bitboard, step: i8);
    /// En passant or castling.
    fn special(&mut self, mv: Move);
}

struct Each<F>(F);

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.0(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.0(Move::normal(origin(to, step), to));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.0(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline]
    fn special(&mut self, mv: Move) {
        self.0(mv);
    }
}

#[inline]
fn origin(to: Square, step: i8) -> Square {
    Square::from_index((to.index() as i8 - step) as usize)
}

struct Count(u32);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

const fn diagonal_table(direction: i8) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = -7;
        while step < 8 {
            if let Some(square) = Square::from_index(index).offset(step * direction, step) {
                table[index] = table[index].with(square);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// The diagonal through each square that rises towards the h-file, and the one that falls.
static RISING: [Bitboard; 64] = diagonal_table(1);
static FALLING: [Bitboard; 64] = diagonal_table(-1);

impl Position {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.for_each_move::<All>(|mv| moves.push(mv));
        moves
    }

    /// Hands the selected legal moves to a function, one by one.
    #[inline]
    pub fn for_each_move<K: Selection>(&self, each: impl FnMut(Move)) {
        match self.turn {
            Color::White => self.generate::<true, K, _>(&mut Each(each)),
            Color::Black => self.generate::<false, K, _>(&mut Each(each)),
        }
    }

    /// How many legal moves there are.
    #[must_use]
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = Count(0);
        match self.turn {
            Color::White => self.generate::<true, All, _>(&mut count),
            Color::Black => self.generate::<false, All, _>(&mut count),
        }
        count.0
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn generate<const WHITE: bool, K: Selection, S: Sink>(&self, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let ours = self.side(us);
        let theirs = self.side(!us);
        let occupied = ours | theirs;
        let king = self.king(us);
        let wanted = match (K::NOISY, K::QUIET) {
            (true, true) => !ours,
            (true, false) => theirs,
            _ => !occupied,
        };

        self.king_moves::<WHITE, S>(wanted, sink);
        if self.checkers.more_than_one() {
            return;
        }
        let check_mask = match self.checkers.first() {
            Some(checker) => attacks::between(king, checker) | self.checkers,
            None => Bitboard::FULL,
        };
        let targets = wanted & check_mask;
        let (free, pinned) = (ours & !self.pinned, self.pinned);

        self.pawn_moves::<WHITE, K, S>(check_mask, sink);
        for from in self.role(Role::Knight) & free {
            sink.piece(from, attacks::knight(from) & targets);
        }
        let diagonal = self.diagonal_sliders();
        for from in diagonal & free {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        let orthogonal = self.orthogonal_sliders();
        for from in orthogonal & free {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        if pinned.any() && self.checkers.is_empty() {
            // A pinned slider moves along the pin, which it can only if it slides that way.
            for from in diagonal & pinned & attacks::bishop_lines(king) {
                sink.piece(from, attacks::bishop(from, occupied) & attacks::line(king, from) & targets);
            }
            for from in orthogonal & pinned & attacks::rook_lines(king) {
                sink.piece(from, attacks::rook(from, occupied) & attacks::line(king, from) & targets);
            }
        }
        if K::QUIET && self.checkers.is_empty() && self.castling_rooks.intersects(ours) {
            for rook in self.castling_rooks & ours {
                if self.can_castle(king, rook) {
                    sink.special(Move::castling(king, rook));
                }
            }
        }
    }

    #[inline]
    fn king_moves<const WHITE: bool, S: Sink>(&self, wanted: Bitboard, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let theirs = self.side(!us);
        let king = self.king(us);
        let mut targets = attacks::king(king)
            & wanted
            & !attacks::pawns(!us, self.pieces(!us, Role::Pawn))
            & !attacks::knights(self.pieces(!us, Role::Knight))
            & !attacks::king(self.king(!us));
        if targets.is_empty() {
            return;
        }
        // The king does not hide from a slider behind itself.
        let occupied = self.occupied() ^ king.bitboard();
        for from in self.diagonal_sliders() & theirs {
            targets &= !attacks::bishop(from, occupied);
        }
        for from in self.orthogonal_sliders() & theirs {
            targets &= !attacks::rook(from, occupied);
        }
        sink.piece(king, targets);
    }

    #[inline]
    fn pawn_moves<const WHITE: bool, K: Selection, S: Sink>(&self, check_mask: Bitboard, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let king = self.king(us);
        let pawns = self.pieces(us, Role::Pawn);
        let empty = !self.occupied();
        let last_rank = Rank::Eighth.relative_to(us).bitboard();
        let push = if WHITE { 8 } else { -8 };

        // A pawn pinned along its file may still go forward; one pinned along a diagonal may take the
        // piece that pins it. Which line pins it follows from where it stands.
        let pushers = pawns & (!self.pinned | king.file().bitboard());
        let one_step = pushers.forward(us) & empty;
        if K::NOISY {
            sink.promotions(one_step & check_mask & last_rank, push);
        }
        if K::QUIET {
            let third_rank = Rank::Third.relative_to(us).bitboard();
            let two_steps = (one_step & third_rank).forward(us) & empty & check_mask;
            sink.pawns(one_step & check_mask & !last_rank, push);
            sink.pawns(two_steps, 2 * push);
        }
        if K::NOISY {
            let victims = self.side(!us) & check_mask;
            let (east_line, west_line) = if WHITE { (&RISING, &FALLING) } else { (&FALLING, &RISING) };
            let east = (pawns & (!self.pinned | east_line[king.index()])).forward(us).east() & victims;
            let west = (pawns & (!self.pinned | west_line[king.index()])).forward(us).west() & victims;
            sink.pawns(east & !last_rank, push + 1);
            sink.pawns(west & !last_rank, push - 1);
            sink.promotions(east & last_rank, push + 1);
            sink.promotions(west & last_rank, push - 1);
            if let Some(to) = self.en_passant {
                for from in attacks::pawn(!us, to) & pawns {
                    if self.is_safe_en_passant(from, to) {
                        sink.special(Move::en_passant(from, to));
                    }
                }
            }
        }
    }

    /// Whether the king, not in check, may castle with a rook that has the right to.
    fn can_castle(&self, king: Square, rook: Square) -> bool {
        let side = CastlingSide::of(king, rook);
        let king_target = side.king_target(self.turn);
        let rook_target = side.rook_target(self.turn);
        let king_path = attacks::between(king, king_target).with(king_target);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        let others = self.occupied().without(king).without(rook);
        // The rook may uncover an attack along the first rank, possible only in Chess960.
        !others.intersects(king_path | rook_path)
            && !self.pinned.has(rook)
            && king_path
                .without(king)
                .into_iter()
                .all(|square| !self.is_attacked(square, !self.turn, self.occupied().without(king)))
    }

    /// Whether a move from anywhere, such as a table or another position, is legal here.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        let role = piece.role();
        match mv.kind() {
            MoveKind::Castling => {
                return role == Role::King
                    && self.castling_rooks.has(to)
                    && self.side(us).has(to)
                    && !self.is_check()
                    && self.can_castle(from, to);
            }
            MoveKind::EnPassant => {
                return role == Role::Pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn(us, from).has(to)
                    && self.is_safe_en_passant(from, to);
            }
            MoveKind::Promotion(_) | MoveKind::Normal => {}
        }
        if self.side(us).has(to) {
            return false;
        }
        let occupied = self.occupied();
        let last_rank = Rank::Eighth.relative_to(us);
        if mv.is_promotion() != (role == Role::Pawn && to.rank() == last_rank) {
            return false;
        }
        let reaches = match role {
            Role::Pawn => self.pawn_reaches(from, to),
            _ => attacks_of(role, from, occupied).has(to),
        };
        if !reaches {
            return false;
        }
        if role == Role::King {
            return !self.is_attacked(to, !us, occupied.without(from));
        }
        let king = self.king(us);
        let answers_check = match self.checkers.first() {
            None => true,
            Some(checker) => {
                !self.checkers.more_than_one() && (checker == to || attacks::between(king, checker).has(to))
            }
        };
        answers_check && (!self.pinned.has(from) || attacks::line(king, from).has(to))
    }

    /// Whether a pawn of the side to move can push or capture, not en passant, as far as the board goes.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        let empty = !self.occupied();
        if attacks::pawn(us, from).has(to) {
            return self.side(!us).has(to);
        }
        let one = from.forward(us);
        if !empty.has(one) {
            return false;
        }
        to == one || (from.rank() == Rank::Second.relative_to(us) && to == one.forward(us) && empty.has(to))
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.turn;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let occupied = self.occupied();
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) => {
                let Some(piece) = self.piece_on(from) else { return false };
                let role = mv.promotes_to().unwrap_or(piece.role());
                let after = occupied.without(from).with(to);
                let direct = match role {
                    Role::Pawn => attacks::pawn(us, to),
                    _ => attacks_of(role, to, after),
                };
                direct.has(king) || (on_line_with(from, king) && self.uncovers(king, from.bitboard(), after))
            }
            MoveKind::EnPassant => {
                let captured = to.forward(!us);
                let after = occupied.without(from).without(captured).with(to);
                attacks::pawn(us, to).has(king) || self.uncovers(king, from.bitboard(), after)
            }
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let rook = side.rook_target(us);
                let after = occupied.without(from).without(to).with(side.king_target(us)).with(rook);
                attacks::rook(rook, after).has(king) || self.uncovers(king, to.bitboard(), after)
            }
        }
    }

    /// Whether a slider of ours, not one that moved, reaches the king over the board after the move.
    fn uncovers(&self, king: Square, moved: Bitboard, after: Bitboard) -> bool {
        let sliders = (attacks::rook(king, after) & self.orthogonal_sliders())
            | (attacks::bishop(king, after) & self.diagonal_sliders());
        sliders.intersects(self.side(self.turn) & !moved)
    }

    /// Whether a legal move takes something, en passant included.
    #[must_use]
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || (!mv.is_castling() && self.side(!self.turn).has(mv.to()))
    }

    /// Whether a legal move is one of [`Noisy`].
    #[must_use]
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.is_promotion()
    }

    /// The piece a legal move takes.
    #[must_use]
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Piece::new(!self.turn, Role::Pawn)),
            MoveKind::Castling => None,
            MoveKind::Normal | MoveKind::Promotion(_) => self.piece_on(mv.to()),
        }
    }
}

/// Squares a piece other than a pawn attacks.
#[inline]
pub(crate) fn attacks_of(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knight(square),
        Role::Bishop => attacks::bishop(square, occupied),
        Role::Rook => attacks::rook(square, occupied),
        Role::Queen => attacks::queen(square, occupied),
        Role::King => attacks::king(square),
    }
}

#[inline]
fn on_line_with(square: Square, king: Square) -> bool {
    attacks::line(square, king).any()
}
