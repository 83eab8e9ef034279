//! Legal moves, found without trying them out.
//!
//! A check leaves only the moves to the squares of a *check mask*; a pinned piece keeps to the line
//! through its king; the king avoids attacked squares. En passant, which removes two pieces from one
//! rank, is the only move that is tested by looking at the board after it.

use crate::{Bitboard, Board, CastlingSide, Color, Move, MoveList, Rank, Role, Square, attacks};

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
    /// Moves of one piece other than a pawn.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Moves of pawns, each from the square `step` before its target.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same to the last rank.
    fn promotions(&mut self, targets: Bitboard, step: i8);
    /// En passant or castling.
    fn special(&mut self, role: Role, mv: Move);
}

struct Each<F>(F);

impl<F: FnMut(Role, Move)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.0(role, Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.0(Role::Pawn, Move::normal(origin(to, step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.0(Role::Pawn, Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, role: Role, mv: Move) {
        self.0(role, mv);
    }
}

#[inline]
fn origin(to: Square, step: i8) -> Square {
    Square::from_index((to.index() as i8 - step) as usize)
}

struct Count(u32);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
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
    fn special(&mut self, _: Role, _: Move) {
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

impl Board {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.for_each_move::<All>(|mv| moves.push(mv));
        moves
    }

    /// Hands the selected legal moves to a function, one by one.
    #[inline]
    pub fn for_each_move<K: Selection>(&self, mut each: impl FnMut(Move)) {
        let mut each = Each(|_, mv| each(mv));
        match self.turn {
            Color::White => self.generate::<true, K, _>(&mut each),
            Color::Black => self.generate::<false, K, _>(&mut each),
        }
    }

    /// Hands every legal move of the side to move, which must be the one named, to a function, together
    /// with the kind of piece that moves.
    #[inline]
    pub(crate) fn for_each_piece_move<const WHITE: bool>(&self, each: impl FnMut(Role, Move)) {
        self.generate::<WHITE, All, _>(&mut Each(each));
    }

    /// How many legal moves there are.
    #[must_use]
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        match self.turn {
            Color::White => self.count_moves::<true>(),
            Color::Black => self.count_moves::<false>(),
        }
    }

    #[inline]
    pub(crate) fn count_moves<const WHITE: bool>(&self) -> u32 {
        let mut count = Count(0);
        self.generate::<WHITE, All, _>(&mut count);
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

        self.king_moves::<WHITE, K, S>(wanted, sink);
        if self.checkers().more_than_one() {
            return;
        }
        let check_mask = match self.checkers().first() {
            Some(checker) => attacks::between(king, checker) | self.checkers(),
            None => Bitboard::FULL,
        };
        let targets = wanted & check_mask;
        let (free, pinned) = (ours & !self.pinned(), self.pinned());

        self.pawn_moves::<WHITE, K, S>(check_mask, sink);
        for from in self.role(Role::Knight) & free {
            sink.piece(Role::Knight, from, attacks::knight(from) & targets);
        }
        for from in self.role(Role::Bishop) & free {
            sink.piece(Role::Bishop, from, attacks::bishop(from, occupied) & targets);
        }
        for from in self.role(Role::Rook) & free {
            sink.piece(Role::Rook, from, attacks::rook(from, occupied) & targets);
        }
        for from in self.role(Role::Queen) & free {
            sink.piece(Role::Queen, from, attacks::queen(from, occupied) & targets);
        }
        if pinned.any() && self.checkers().is_empty() {
            // A pinned slider moves along the pin, which it can only if it slides that way.
            let diagonal_pins = pinned & attacks::bishop_lines(king);
            let orthogonal_pins = pinned & attacks::rook_lines(king);
            for role in [Role::Bishop, Role::Queen] {
                for from in self.role(role) & diagonal_pins {
                    sink.piece(
                        role,
                        from,
                        attacks::bishop(from, occupied) & attacks::line(king, from) & targets,
                    );
                }
            }
            for role in [Role::Rook, Role::Queen] {
                for from in self.role(role) & orthogonal_pins {
                    sink.piece(
                        role,
                        from,
                        attacks::rook(from, occupied) & attacks::line(king, from) & targets,
                    );
                }
            }
        }
    }

    #[inline]
    fn king_moves<const WHITE: bool, K: Selection, S: Sink>(&self, wanted: Bitboard, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let king = self.king(us);
        let leapers = self.leaper_attacks(!us);
        let mut safe = attacks::king(king) & wanted & !leapers;
        // The king does not hide from a slider behind itself.
        let occupied = self.occupied().without(king);
        for to in safe {
            if self.is_attacked_by_slider(to, !us, occupied) {
                safe = safe.without(to);
            }
        }
        sink.piece(Role::King, king, safe);

        let castling_rooks = self.castling_rooks & self.side(us);
        if K::QUIET && castling_rooks.any() && self.checkers().is_empty() {
            for rook in castling_rooks {
                if self.can_castle::<WHITE>(king, rook, leapers, safe) {
                    sink.special(Role::King, Move::castling(king, rook));
                }
            }
        }
    }

    /// Squares that pawns, knights and the king of one side attack.
    #[inline]
    fn leaper_attacks(&self, by: Color) -> Bitboard {
        attacks::pawns(by, self.pieces(by, Role::Pawn))
            | attacks::knights(self.pieces(by, Role::Knight))
            | attacks::king(self.king(by))
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
        let pushers = pawns & (!self.pinned() | king.file().bitboard());
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
            let east = (pawns & (!self.pinned() | east_line[king.index()])).forward(us).east() & victims;
            let west = (pawns & (!self.pinned() | west_line[king.index()])).forward(us).west() & victims;
            sink.pawns(east & !last_rank, push + 1);
            sink.pawns(west & !last_rank, push - 1);
            sink.promotions(east & last_rank, push + 1);
            sink.promotions(west & last_rank, push - 1);
            if let Some(to) = self.en_passant {
                for from in attacks::pawn(!us, to) & pawns {
                    if self.is_safe_en_passant(from, to) {
                        sink.special(Role::Pawn, Move::en_passant(from, to));
                    }
                }
            }
        }
    }

    /// Whether the king, not in check, may castle with a rook that has the right to. What is known already
    /// is not found out again: the squares that enemy leapers attack, and some that are safe.
    #[inline]
    fn can_castle<const WHITE: bool>(
        &self,
        king: Square,
        rook: Square,
        leaper_attacks: Bitboard,
        safe: Bitboard,
    ) -> bool {
        let us = if WHITE { Color::White } else { Color::Black };
        let side = CastlingSide::of(king, rook);
        let king_target = side.king_target(us);
        let rook_target = side.rook_target(us);
        let king_path = attacks::between(king, king_target).with(king_target).without(king);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        let others = self.occupied().without(king).without(rook);
        // A pinned rook would uncover an attack along the first rank, possible only in Chess960.
        !others.intersects(king_path | rook_path)
            && !king_path.intersects(leaper_attacks)
            && !self.pinned().has(rook)
            && (king_path & !safe)
                .into_iter()
                .all(|square| !self.is_attacked_by_slider(square, !us, self.occupied().without(king)))
    }

    /// Whether castling with the rook on this square is legal.
    pub(crate) fn is_legal_castling(&self, rook: Square) -> bool {
        let us = self.turn;
        let king = self.king(us);
        let leapers = self.leaper_attacks(!us);
        let can_castle = || match us {
            Color::White => self.can_castle::<true>(king, rook, leapers, Bitboard::EMPTY),
            Color::Black => self.can_castle::<false>(king, rook, leapers, Bitboard::EMPTY),
        };
        (self.castling_rooks & self.side(us)).has(rook) && self.checkers().is_empty() && can_castle()
    }
}
