//! Questions about single moves: whether one is legal, gives check, takes something.

use crate::{Bitboard, CastlingSide, Move, MoveKind, Piece, Position, Rank, Role, Square, attacks};

impl Position {
    /// Whether a move from anywhere, such as a table or another position, is legal here.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        let role = piece.role();
        match mv.kind() {
            MoveKind::Castling => return role == Role::King && self.is_legal_castling(to),
            MoveKind::EnPassant => {
                return role == Role::Pawn
                    && self.en_passant() == Some(to)
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
            _ => attacks::of_piece(role, from, occupied).has(to),
        };
        if !reaches {
            return false;
        }
        if role == Role::King {
            return !self.is_attacked(to, !us, occupied.without(from));
        }
        let king = self.king(us);
        let answers_check = match self.checkers().first() {
            None => true,
            Some(checker) => {
                !self.checkers().more_than_one() && (checker == to || attacks::between(king, checker).has(to))
            }
        };
        answers_check && (!self.pinned().has(from) || attacks::line(king, from).has(to))
    }

    /// Whether a pawn of the side to move can push or capture, not en passant, as far as the board goes.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
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
        let us = self.turn();
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
                    _ => attacks::of_piece(role, to, after),
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

    /// By role, the squares from which a piece of the side to move would attack the other king; none for the king.
    #[must_use]
    pub fn checking_squares(&self) -> [Bitboard; Role::ALL.len()] {
        let us = self.turn();
        let king = self.king(!us);
        let mut squares = [Bitboard::EMPTY; Role::ALL.len()];
        squares[Role::Pawn.index()] = attacks::pawn(!us, king);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            squares[role.index()] = attacks::of_piece(role, king, self.occupied());
        }
        squares
    }

    /// Whether a slider of ours, not one that moved, reaches the king over the board after the move.
    fn uncovers(&self, king: Square, moved: Bitboard, after: Bitboard) -> bool {
        let sliders = (attacks::rook(king, after) & self.orthogonal_sliders())
            | (attacks::bishop(king, after) & self.diagonal_sliders());
        sliders.intersects(self.side(self.turn()) & !moved)
    }

    /// Whether a legal move takes something, en passant included.
    #[must_use]
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || (!mv.is_castling() && self.side(!self.turn()).has(mv.to()))
    }

    /// Whether a legal move is one of [`Noisy`](crate::Noisy).
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
            MoveKind::EnPassant => Some(Piece::new(!self.turn(), Role::Pawn)),
            MoveKind::Castling => None,
            MoveKind::Normal | MoveKind::Promotion(_) => self.piece_on(mv.to()),
        }
    }
}

#[inline]
fn on_line_with(square: Square, king: Square) -> bool {
    attacks::line(square, king).any()
}
