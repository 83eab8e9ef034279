//! Why a move is not legal, in words that a player understands.

use crate::{Bitboard, CastlingSide, Piece, Position, Rank, Role, Square, attacks};

/// Why a move is not legal. Says "you" to the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum IllegalReason {
    #[error("there is no piece on {square}")]
    NoPiece { square: Square },
    #[error("the {} on {square} is {}'s piece, and it is {}'s move", .piece.role().name(), .piece.color(), !.piece.color())]
    OpponentsPiece { piece: Piece, square: Square },
    #[error("the piece on {square} must move to another square")]
    StaysPut { square: Square },
    #[error("your own {} stands on {square}", .role.name())]
    OwnPiece { role: Role, square: Square },
    #[error("a {} does not move like that", .role.name())]
    NotItsMove { role: Role },
    #[error("the way from {from} to {to} is blocked on {blocker}")]
    Blocked { from: Square, to: Square, blocker: Square },
    #[error("a pawn takes only diagonally, and there is a piece on {square}")]
    PawnBlocked { square: Square },
    #[error("a pawn moves diagonally only to take, and there is nothing to take on {square}")]
    NothingToTake { square: Square },
    #[error("only a pawn on its first move goes two squares")]
    NoDoubleStep,
    #[error("the {} on {square} is pinned to the king", .role.name())]
    Pinned { role: Role, square: Square },
    #[error(
        "you cannot take en passant on {square}: only at once after a double step, and only if it leaves your king safe"
    )]
    NoEnPassant { square: Square },
    #[error("you are in check from {checker}, and this move does not end it")]
    InCheck { checker: Square },
    #[error("you are in check from {first} and {second} at once: only the king can move")]
    InDoubleCheck { first: Square, second: Square },
    #[error("the king would be in check on {square}")]
    KingIntoCheck { square: Square },
    #[error("the pawn must promote on {square}: say to which piece")]
    MustPromote { square: Square },
    #[error("only a pawn that reaches the last rank promotes")]
    CannotPromote,
    #[error("a pawn cannot become a {}", .role.name())]
    NotAPromotionPiece { role: Role },
    #[error("you cannot castle {}: that right is lost", .side.name())]
    CastlingRightLost { side: CastlingSide },
    #[error("you cannot castle out of check: the piece on {checker} attacks the king")]
    CastlingInCheck { checker: Square },
    #[error("you cannot castle: there is a piece on {square}")]
    CastlingBlocked { square: Square },
    #[error("you cannot castle: the king passes {square}, which is attacked")]
    CastlingThroughCheck { square: Square },
    #[error("you cannot castle: the king would be in check on {square}")]
    CastlingIntoCheck { square: Square },
    #[error("you cannot castle: the rook on {rook} shields the king")]
    CastlingRookPinned { rook: Square },
}

impl CastlingSide {
    /// `kingside` or `queenside`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "kingside",
            Self::Queen => "queenside",
        }
    }
}

impl Position {
    /// Why the side to move may not go from one square to another, or `None` if it may.
    ///
    /// The squares are read as in [`find_move`](Self::find_move): castling is a move of the king, to
    /// the square where it ends or to its rook.
    #[must_use]
    pub fn explain_illegal(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<IllegalReason> {
        let mv = self.coordinate_move(from, to, promotion);
        if self.is_legal(mv) {
            return self.explain_promotion(from, to, promotion);
        }
        if mv.is_castling() {
            return self.explain_castling(CastlingSide::of(from, mv.to()));
        }
        let us = self.turn();
        let Some(piece) = self.piece_on(from) else { return Some(IllegalReason::NoPiece { square: from }) };
        if piece.color() != us {
            return Some(IllegalReason::OpponentsPiece { piece, square: from });
        }
        if from == to {
            return Some(IllegalReason::StaysPut { square: from });
        }
        let role = piece.role();
        if role == Role::King
            && let Some(side) = self.lost_castling_attempt(from, to)
        {
            return self.explain_castling(side);
        }
        if let Some(own) = self.piece_on(to).filter(|piece| piece.color() == us) {
            return Some(IllegalReason::OwnPiece { role: own.role(), square: to });
        }
        let obstacle = match role {
            Role::Pawn => self.explain_pawn(from, to),
            _ => self.explain_piece(role, from, to),
        };
        obstacle
            .or_else(|| self.explain_promotion(from, to, promotion))
            .or_else(|| self.explain_king_safety(role, from, to))
    }

    /// Why the side to move may not castle to a side, or `None` if it may.
    #[must_use]
    pub fn explain_castling(&self, side: CastlingSide) -> Option<IllegalReason> {
        let us = self.turn();
        let king = self.king(us);
        let Some(rook) = self.castling_rook(us, side) else {
            return Some(IllegalReason::CastlingRightLost { side });
        };
        if let Some(checker) = self.checkers().first() {
            return Some(IllegalReason::CastlingInCheck { checker });
        }
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let king_path = attacks::between(king, king_target).with(king_target);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        let others = self.occupied().without(king).without(rook);
        if let Some(square) = ((king_path | rook_path) & others).first() {
            return Some(IllegalReason::CastlingBlocked { square });
        }
        let attacked = |&square: &Square| self.is_attacked(square, !us, self.occupied().without(king));
        if let Some(square) = king_path.without(king).without(king_target).into_iter().find(attacked) {
            return Some(IllegalReason::CastlingThroughCheck { square });
        }
        if king != king_target && attacked(&king_target) {
            return Some(IllegalReason::CastlingIntoCheck { square: king_target });
        }
        self.pinned().has(rook).then_some(IllegalReason::CastlingRookPinned { rook })
    }

    /// The side a king wants to castle to when it leaves e1 or e8 for the squares where castling ends,
    /// without having the right.
    fn lost_castling_attempt(&self, from: Square, to: Square) -> Option<CastlingSide> {
        let us = self.turn();
        let home = Square::E1.relative_to(us);
        CastlingSide::ALL.into_iter().find(|side| from == home && to == side.king_target(us))
    }

    fn explain_promotion(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<IllegalReason> {
        let is_pawn = self.role(Role::Pawn).has(from);
        let promotes = is_pawn && to.rank() == Rank::Eighth.relative_to(self.turn());
        match promotion {
            None => promotes.then_some(IllegalReason::MustPromote { square: to }),
            Some(_) if !promotes => Some(IllegalReason::CannotPromote),
            Some(role @ (Role::Pawn | Role::King)) => Some(IllegalReason::NotAPromotionPiece { role }),
            Some(_) => None,
        }
    }

    fn explain_piece(&self, role: Role, from: Square, to: Square) -> Option<IllegalReason> {
        if !attacks::of_piece(role, from, Bitboard::EMPTY).has(to) {
            return Some(IllegalReason::NotItsMove { role });
        }
        let blockers = attacks::between(from, to) & self.occupied();
        let blocker = if to > from { blockers.first() } else { blockers.last() };
        blocker.map(|blocker| IllegalReason::Blocked { from, to, blocker })
    }

    fn explain_pawn(&self, from: Square, to: Square) -> Option<IllegalReason> {
        let us = self.turn();
        if attacks::pawn(us, from).has(to) {
            let takes = self.side(!us).has(to) || self.is_en_passant_capture(from, to);
            // Whether the pawn next to it has just made a double step is known only where taking it is legal.
            let passed = self.pieces(!us, Role::Pawn).has(to.forward(!us));
            return match (takes, passed && to.rank() == Rank::Sixth.relative_to(us)) {
                (true, _) => None,
                (false, true) => Some(IllegalReason::NoEnPassant { square: to }),
                (false, false) => Some(IllegalReason::NothingToTake { square: to }),
            };
        }
        let one = from.forward(us);
        let two = one.forward(us);
        let second_rank = Rank::Second.relative_to(us);
        if (to != one && to != two) || from.distance(to) > 2 {
            return Some(IllegalReason::NotItsMove { role: Role::Pawn });
        }
        if to == two && from.rank() != second_rank {
            return Some(IllegalReason::NoDoubleStep);
        }
        if to == two && self.occupied().has(one) {
            return Some(IllegalReason::Blocked { from, to, blocker: one });
        }
        self.occupied().has(to).then_some(IllegalReason::PawnBlocked { square: to })
    }

    /// Whether some pawn may be taken en passant there; whether by this one is a matter of king safety.
    fn is_en_passant_capture(&self, from: Square, to: Square) -> bool {
        self.en_passant() == Some(to) && attacks::pawn(self.turn(), from).has(to)
    }

    /// For a move that the piece could make if there were no king to guard.
    fn explain_king_safety(&self, role: Role, from: Square, to: Square) -> Option<IllegalReason> {
        if role == Role::King {
            return Some(IllegalReason::KingIntoCheck { square: to });
        }
        let king = self.king(self.turn());
        let en_passant = role == Role::Pawn && self.is_en_passant_capture(from, to);
        let takes = |square| square == to || (en_passant && square == to.forward(!self.turn()));
        let mut checkers = self.checkers().into_iter();
        match (checkers.next(), checkers.next()) {
            (Some(first), Some(second)) => return Some(IllegalReason::InDoubleCheck { first, second }),
            (Some(checker), None) if !takes(checker) && !attacks::between(king, checker).has(to) => {
                return Some(IllegalReason::InCheck { checker });
            }
            _ => {}
        }
        Some(IllegalReason::Pinned { role, square: from })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;
    use IllegalReason as Why;

    fn why(fen: &str, from: Square, to: Square) -> Option<IllegalReason> {
        Position::from_fen(fen).unwrap().explain_illegal(from, to, None)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn says_what_is_wrong_with_the_squares() {
        assert_eq!(why(START, Square::E3, Square::E4).unwrap().to_string(), "there is no piece on e3");
        assert_eq!(
            why(START, Square::E7, Square::E5).unwrap().to_string(),
            "the pawn on e7 is Black's piece, and it is White's move"
        );
        assert_eq!(why(START, Square::G1, Square::G1), Some(Why::StaysPut { square: Square::G1 }));
        assert_eq!(why(START, Square::A1, Square::A1), Some(Why::StaysPut { square: Square::A1 }));
        assert_eq!(why(START, Square::A1, Square::A2).unwrap().to_string(), "your own pawn stands on a2");
        assert_eq!(why(START, Square::E2, Square::E4), None);
    }

    #[test]
    fn says_how_pieces_move() {
        assert_eq!(
            why(START, Square::G1, Square::G3).unwrap().to_string(),
            "a knight does not move like that"
        );
        assert_eq!(
            why("4k3/8/8/8/8/P7/8/R3K3 w - - 0 1", Square::A1, Square::A5).unwrap().to_string(),
            "the way from a1 to a5 is blocked on a3"
        );
        let two_blockers = "4k3/8/p7/8/p7/8/8/R3K3 b - - 0 1";
        assert_eq!(
            why("r3k3/8/p7/8/p7/8/8/4K3 b - - 0 1", Square::A8, Square::A2),
            Some(Why::Blocked { from: Square::A8, to: Square::A2, blocker: Square::A6 })
        );
        assert_eq!(why(two_blockers, Square::A4, Square::A2), Some(Why::NoDoubleStep));
        assert_eq!(
            why(START, Square::E2, Square::D3).unwrap().to_string(),
            "a pawn moves diagonally only to take, and there is nothing to take on d3"
        );
        assert_eq!(why(START, Square::E2, Square::E5), Some(Why::NotItsMove { role: Role::Pawn }));
        let faced = "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1";
        assert_eq!(why(faced, Square::E2, Square::E3), Some(Why::PawnBlocked { square: Square::E3 }));
        assert_eq!(
            why(faced, Square::E2, Square::E4),
            Some(Why::Blocked { from: Square::E2, to: Square::E4, blocker: Square::E3 })
        );
    }

    #[test]
    fn says_what_endangers_the_king() {
        let pinned = "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1";
        assert_eq!(
            why(pinned, Square::D2, Square::F3).unwrap().to_string(),
            "the knight on d2 is pinned to the king"
        );
        let check = "4k3/8/8/8/4r3/8/8/R3K3 w - - 0 1";
        assert_eq!(
            why(check, Square::A1, Square::A5).unwrap().to_string(),
            "you are in check from e4, and this move does not end it"
        );
        assert_eq!(
            why(check, Square::E1, Square::E2).unwrap().to_string(),
            "the king would be in check on e2"
        );
        let double = "4k3/8/8/8/4r3/3n4/8/R3K3 w - - 0 1";
        assert_eq!(
            why(double, Square::A1, Square::A5),
            Some(Why::InDoubleCheck { first: Square::D3, second: Square::E4 })
        );
        let opens_rank = "8/8/8/KPp4r/1P6/8/8/4k3 w - c6 0 2";
        assert_eq!(why(opens_rank, Square::B5, Square::C6), Some(Why::NoEnPassant { square: Square::C6 }));
        let checked_by_passer = "8/8/8/3k4/4Pp2/8/8/4K3 b - e3 0 1";
        assert_eq!(why(checked_by_passer, Square::F4, Square::E3), None);
    }

    #[test]
    fn says_what_a_promotion_lacks() {
        let position = Position::from_fen("8/4P3/8/8/8/8/k7/4K3 w - - 0 1").unwrap();
        let why = |to, promotion| position.explain_illegal(Square::E7, to, promotion);
        assert_eq!(
            why(Square::E8, None).unwrap().to_string(),
            "the pawn must promote on e8: say to which piece"
        );
        assert_eq!(why(Square::E8, Some(Role::King)).unwrap().to_string(), "a pawn cannot become a king");
        assert_eq!(why(Square::E8, Some(Role::Knight)), None);
        assert_eq!(
            position.explain_illegal(Square::E1, Square::E2, Some(Role::Queen)),
            Some(Why::CannotPromote)
        );
    }

    #[test]
    fn says_why_castling_fails() {
        let castle = |fen, to| why(fen, Square::E1, to).map(|reason| reason.to_string());
        let free = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(castle(free, Square::G1), None);
        assert_eq!(castle(free, Square::H1), None);
        assert_eq!(
            castle("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", Square::G1).unwrap(),
            "you cannot castle kingside: that right is lost"
        );
        assert_eq!(
            castle("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", Square::G1).unwrap(),
            "you cannot castle: the king passes f1, which is attacked"
        );
        assert_eq!(
            castle("4k3/8/8/8/8/8/6r1/4K2R w K - 0 1", Square::G1).unwrap(),
            "you cannot castle: the king would be in check on g1"
        );
        assert_eq!(
            castle("4k3/8/8/8/8/4r3/8/4K2R w K - 0 1", Square::G1).unwrap(),
            "you cannot castle out of check: the piece on e3 attacks the king"
        );
        assert_eq!(castle(START, Square::C1).unwrap(), "you cannot castle: there is a piece on b1");
        let shielded = Position::from_fen("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1").unwrap();
        assert_eq!(
            shielded.explain_castling(CastlingSide::Queen),
            Some(Why::CastlingRookPinned { rook: Square::B1 })
        );
    }

    #[test]
    fn explains_exactly_the_illegal_moves() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let legal = position.legal_moves();
            for from in Square::all() {
                for to in Square::all() {
                    for promotion in std::iter::once(None).chain(Role::ALL.map(Some)) {
                        let mv = position.coordinate_move(from, to, promotion);
                        let fits = mv.promotes_to() == promotion;
                        assert_eq!(
                            position.explain_illegal(from, to, promotion).is_none(),
                            fits && legal.contains(&mv),
                            "{fen} {from}{to} {promotion:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn colours_are_named_once() {
        assert_eq!(
            Why::OpponentsPiece { piece: Piece::new(Color::White, Role::Rook), square: Square::A1 }
                .to_string(),
            "the rook on a1 is White's piece, and it is Black's move"
        );
    }
}
