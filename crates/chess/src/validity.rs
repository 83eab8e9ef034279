//! What makes a position playable, and what no game can lead to.

use crate::{Bitboard, CastlingSide, Color, File, Piece, Position, Rank, Role, Square, attacks};

/// Why a setup is no position that can be played, or none that a game can lead to.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error("{color} has {count} kings")]
    Kings { color: Color, count: u32 },
    #[error("{color} has {count} pieces, more than 16")]
    Pieces { color: Color, count: u32 },
    #[error("{color} has {count} pawns, more than 8")]
    Pawns { color: Color, count: u32 },
    #[error("{color} has {count} promoted pieces but only {missing} missing pawns")]
    Promoted { color: Color, count: u32, missing: u32 },
    #[error("a pawn stands on {square}, where none can")]
    PawnOnBackRank { square: Square },
    #[error("side not to move is in check: {color}'s king can be taken")]
    OpponentInCheck { color: Color },
    #[error("{color} is in check from {count} pieces at once")]
    TooManyCheckers { color: Color, count: u32 },
    #[error("{color} is in check from {first} and {second} at once, which no move can bring about")]
    ImpossibleDoubleCheck { color: Color, first: Square, second: Square },
    #[error("castling right for a rook on {square}, but {color} has no rook there on its first rank")]
    NoCastlingRook { color: Color, square: Square },
    #[error("castling right for {color}, but its king on {king} is not on its first rank")]
    CastlingKingAway { color: Color, king: Square },
    #[error("castling right for {color}, but its king on {king} stands in the corner beyond every rook")]
    CastlingKingInCorner { color: Color, king: Square },
    #[error("two castling rights for {color} on the same side of its king: {first} and {second}")]
    TwoCastlingRooks { color: Color, first: Square, second: Square },
    #[error("en passant square {square} is not on the {rank} rank, where {color}'s pawns pass")]
    EnPassantRank { square: Square, rank: &'static str, color: Color },
    #[error("en passant square {square} without a pawn that has just passed it")]
    EnPassantPawn { square: Square },
    #[error("en passant square {square}, but {blocker} is not empty")]
    EnPassantBlocked { square: Square, blocker: Square },
    #[error("en passant square {square}, but the check from {checker} was there before that pawn moved")]
    EnPassantCheck { square: Square, checker: Square },
}

impl Position {
    /// Everything that can be wrong with a board, one after the other. En passant is checked apart, since
    /// the square is not on the board yet.
    pub(crate) fn check_board(&self) -> Result<(), PositionError> {
        self.check_material()?;
        self.check_castling()?;
        self.check_waiting_king()
    }

    /// Whether a game can have led here, as far as the board shows: not with nine pawns, nor with a check that no
    /// move gives. Such positions can be played all the same.
    ///
    /// # Errors
    /// With the first thing that no game can lead to.
    pub fn check_reachable(&self) -> Result<(), PositionError> {
        self.check_promotions()?;
        self.check_checkers()
    }

    fn check_material(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let count = |role| self.pieces(color, role).count();
            if count(Role::King) != 1 {
                return Err(PositionError::Kings { color, count: count(Role::King) });
            }
            let pieces = self.side(color).count();
            if pieces > 16 {
                return Err(PositionError::Pieces { color, count: pieces });
            }
        }
        match (self.role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
            Some(square) => Err(PositionError::PawnOnBackRank { square }),
            None => Ok(()),
        }
    }

    fn check_promotions(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let count = |role| self.pieces(color, role).count();
            let pawns = count(Role::Pawn);
            if pawns > 8 {
                return Err(PositionError::Pawns { color, count: pawns });
            }
            // A third knight was a pawn; so was a second bishop on squares of one colour.
            let bishops = self.pieces(color, Role::Bishop);
            let light_bishops = (bishops & Bitboard::LIGHT_SQUARES).count();
            let dark_bishops = (bishops & Bitboard::DARK_SQUARES).count();
            let promoted = count(Role::Knight).saturating_sub(2)
                + light_bishops.saturating_sub(1)
                + dark_bishops.saturating_sub(1)
                + count(Role::Rook).saturating_sub(2)
                + count(Role::Queen).saturating_sub(1);
            if promoted > 8 - pawns {
                return Err(PositionError::Promoted { color, count: promoted, missing: 8 - pawns });
            }
        }
        Ok(())
    }

    fn check_castling(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let first_rank = Rank::First.relative_to(color).bitboard();
            let king = self.king(color);
            let rooks = self.castling_rooks() & first_rank;
            for rook in rooks {
                if self.piece_on(rook) != Some(Piece::new(color, Role::Rook)) {
                    return Err(PositionError::NoCastlingRook { color, square: rook });
                }
                if !first_rank.has(king) {
                    return Err(PositionError::CastlingKingAway { color, king });
                }
                // In every starting arrangement the king stands between its rooks.
                if matches!(king.file(), File::A | File::H) {
                    return Err(PositionError::CastlingKingInCorner { color, king });
                }
            }
            for side in CastlingSide::ALL {
                let mut same_side = rooks.into_iter().filter(|&rook| CastlingSide::of(king, rook) == side);
                if let (Some(first), Some(second)) = (same_side.next(), same_side.next()) {
                    return Err(PositionError::TwoCastlingRooks { color, first, second });
                }
            }
        }
        match (self.castling_rooks() & !Bitboard::BACK_RANKS).first() {
            Some(square) => {
                let color = if square.rank() <= Rank::Fourth { Color::White } else { Color::Black };
                Err(PositionError::NoCastlingRook { color, square })
            }
            None => Ok(()),
        }
    }

    fn check_waiting_king(&self) -> Result<(), PositionError> {
        let waiting = !self.turn();
        if self.is_attacked(self.king(waiting), self.turn(), self.occupied()) {
            return Err(PositionError::OpponentInCheck { color: waiting });
        }
        Ok(())
    }

    fn check_checkers(&self) -> Result<(), PositionError> {
        let count = self.checkers().count();
        if count > 2 {
            return Err(PositionError::TooManyCheckers { color: self.turn(), count });
        }
        let mut checkers = self.checkers().into_iter();
        if let (Some(first), Some(second)) = (checkers.next(), checkers.next()) {
            // Of two checks one is discovered, so it comes from a sliding piece; and the piece that
            // uncovered it cannot have gone round the king to check from the other end of the line.
            let leapers = self.role(Role::Pawn) | self.role(Role::Knight);
            let both_leap = (self.checkers() & !leapers).is_empty();
            let one_line = attacks::line(first, second).has(self.king(self.turn()));
            if both_leap || one_line {
                return Err(PositionError::ImpossibleDoubleCheck { color: self.turn(), first, second });
            }
        }
        Ok(())
    }

    pub(crate) fn check_en_passant(&self, square: Square) -> Result<(), PositionError> {
        let passer = !self.turn();
        if square.rank() != Rank::Third.relative_to(passer) {
            let rank = if passer == Color::White { "third" } else { "sixth" };
            return Err(PositionError::EnPassantRank { square, rank, color: passer });
        }
        let pawn = square.forward(passer);
        if self.piece_on(pawn) != Some(Piece::new(passer, Role::Pawn)) {
            return Err(PositionError::EnPassantPawn { square });
        }
        let origin = square.forward(self.turn());
        for blocker in [square, origin] {
            if self.piece_on(blocker).is_some() {
                return Err(PositionError::EnPassantBlocked { square, blocker });
            }
        }
        // Before the double step the king was not in check, so each check comes from that pawn or
        // through the square it left. That the pawn parries an older check is let pass: well-known test
        // positions have it.
        for checker in self.checkers().without(pawn) {
            if !attacks::between(self.king(self.turn()), checker).has(origin) {
                return Err(PositionError::EnPassantCheck { square, checker });
            }
        }
        Ok(())
    }
}
