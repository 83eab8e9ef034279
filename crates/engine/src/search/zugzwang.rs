//! Zugzwang: positions in which having to move is what loses.

use chess::{Position, Role, attacks};

/// Whether the side to move has a single piece that can move: its own men shut the king in, and its pawns are blocked.
/// The piece has to give up what it holds, so that evaluations, which take a free move for granted, say little.
///
/// Kings that are only held by attacked squares do not count: there are many of them in endings, and most can wait.
#[inline]
pub(super) fn is_tied_down(position: &Position) -> bool {
    let us = position.turn();
    let (own, king, pawns) = (position.side(us), position.king(us), position.pieces(us, Role::Pawn));
    (attacks::king(king) & !own).is_empty()
        && (pawns.forward(us) & !position.occupied()).is_empty()
        && (own & !pawns & !king.bitboard()).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_tied_down_if_one_piece_alone_can_move() {
        for (fen, expected) in [
            // After 1. Ra6 in Morphy's problem only the bishop moves.
            ("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", true),
            // A knight more, a pawn that can step, a king that could step if no rook held it.
            ("kbK5/pp6/RP6/8/8/8/8/n7 b - - 0 1", false),
            ("kbK5/pp6/RP6/8/8/7p/8/8 b - - 0 1", false),
            ("k1K5/pp6/RPb5/8/8/8/8/8 b - - 0 1", false),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ] {
            assert_eq!(is_tied_down(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }
}
