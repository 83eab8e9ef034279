//! Playing a move.

use crate::{Board, CastlingSide, Color, Key, Move, MoveKind, Piece, Position, Role, Square, key};

/// Told of every piece that leaves or enters a square while a move is played, in that order; a network
/// listens here to keep its sums. The unit type listens to nothing and costs nothing.
pub trait Observer {
    /// A piece is taken off a square.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A piece is put on a square.
    fn placed(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn placed(&mut self, _: Piece, _: Square) {}
}

impl Position {
    /// Plays a legal move.
    ///
    /// The move must be legal here, as generated moves and those that pass
    /// [`is_legal`](Self::is_legal) are.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// The position after a legal move.
    #[must_use]
    #[inline]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// The key of the position after a legal move, without playing it: right for most moves, but not for
    /// castling, promotions and en passant, nor where castling or en passant become possible or impossible. Good
    /// enough to ask memory early for what will be looked up.
    #[must_use]
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key();
        if let Some(mover) = self.mailbox[from.index()] {
            key.toggle(key::step(mover, from, to));
        }
        if let Some(captured) = self.mailbox[to.index()] {
            key.toggle(key::piece(captured, to));
        }
        key
    }

    /// Plays a legal move and reports to an observer what changes on the board.
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "illegal move {mv:?} in {self:?}");
        match self.turn() {
            Color::White => self.make::<true, O>(mv, observer),
            Color::Black => self.make::<false, O>(mv, observer),
        }
        #[cfg(debug_assertions)]
        self.assert_consistent();
    }

    /// Gives the move to the other side, which a player may not do but a search likes to try. Only when
    /// not in check.
    pub fn play_null(&mut self) {
        debug_assert!(!self.is_check(), "a null move would leave the king in check");
        let before = self.board;
        self.board.play_null();
        self.count_move(&before);
    }

    #[inline]
    fn make<const WHITE: bool, O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.mailbox[from.index()] else { return };
        let before = self.board;
        self.board.play::<WHITE>(piece.role(), mv);
        self.count_move(&before);

        match mv.kind() {
            MoveKind::Normal => {
                self.capture(to, observer);
                self.take(piece, from, observer);
                self.put(piece, to, observer);
            }
            MoveKind::Promotion(role) => {
                self.capture(to, observer);
                self.take(piece, from, observer);
                self.put(Piece::new(us, role), to, observer);
            }
            MoveKind::EnPassant => {
                self.capture(to.forward(!us), observer);
                self.take(piece, from, observer);
                self.put(piece, to, observer);
            }
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let rook = Piece::new(us, Role::Rook);
                self.take(piece, from, observer);
                self.take(rook, to, observer);
                self.put(piece, side.king_target(us), observer);
                self.put(rook, side.rook_target(us), observer);
            }
        }
        if piece.role() == Role::Pawn {
            self.halfmove_clock = 0;
        }
    }

    /// Counts a move and renews the key of what is not on the board.
    #[inline]
    fn count_move(&mut self, before: &Board) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(before.turn as u16);
        self.state_key.toggle(key::turn_and_en_passant(before.turn, before.en_passant));
        self.state_key.toggle(key::turn_and_en_passant(self.board.turn, self.board.en_passant));
        self.state_key.toggle(key::castling(before.castling_rooks ^ self.board.castling_rooks));
    }

    #[inline]
    fn capture<O: Observer>(&mut self, square: Square, observer: &mut O) {
        if let Some(captured) = self.mailbox[square.index()] {
            self.take(captured, square, observer);
            self.halfmove_clock = 0;
        }
    }

    #[inline]
    fn put<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.piece_keys.toggle(piece, square);
        self.mailbox[square.index()] = Some(piece);
        observer.placed(piece, square);
    }

    #[inline]
    fn take<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.piece_keys.toggle(piece, square);
        self.mailbox[square.index()] = None;
        observer.removed(piece, square);
    }

    /// Panics unless everything kept move by move equals what the board says.
    pub fn assert_consistent(&self) {
        let rebuilt = Self::from_setup(&self.to_setup()).expect("a position stays legal");
        assert!(rebuilt == *self, "kept {self:?}, rebuilt {rebuilt:?}");
        let attackers = self.attackers_to(self.king(self.turn()), self.occupied());
        assert_eq!(self.checkers(), attackers & self.side(!self.turn()));
        assert_eq!(self.pinned(), self.king_blockers(self.turn()) & self.side(self.turn()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likely_key_is_that_of_every_plain_move() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        let mut plain = 0;
        for &mv in &position.legal_moves() {
            let after = position.after(mv);
            let keeps_rights = after.castling_rooks() == position.castling_rooks();
            if mv.kind() == MoveKind::Normal && keeps_rights && after.en_passant().is_none() {
                assert_eq!(position.likely_key_after(mv), after.key(), "{mv:?}");
                plain += 1;
            }
        }
        assert!(plain > 30, "{plain}");
    }
}
