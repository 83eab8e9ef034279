//! What the network sees of a position.

use crate::BUCKETS;
use chess::{Color, File, Piece, Position, Square};

/// Whether a side with its king there sees the board mirrored: on files e to h.
#[must_use]
#[inline]
pub fn is_mirrored(king: Square) -> bool {
    king.file().index() >= File::E.index()
}

/// The input that stands for a piece on a square, as `view` sees it: own pieces first, the own first rank at
/// the bottom.
#[must_use]
#[inline]
pub fn index(view: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let flip = if view == Color::White { 0 } else { 56 };
    let mirror = if mirrored { 7 } else { 0 };
    let side = if piece.color() == view { 0 } else { 6 };
    64 * (side + piece.role().index()) + (square.index() ^ flip ^ mirror)
}

/// All inputs that are on in a position, as `view` sees it.
pub fn active(position: &Position, view: Color) -> impl Iterator<Item = usize> {
    let mirrored = is_mirrored(position.king(view));
    position
        .occupied()
        .into_iter()
        .filter_map(move |square| position.piece_on(square).map(|piece| index(view, mirrored, piece, square)))
}

/// The set of weights of the last layer for a number of pieces, kings included.
#[must_use]
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    let bucket = (pieces.saturating_sub(2) / 4) as usize;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(fen: &str, view: Color) -> Vec<usize> {
        let mut inputs: Vec<usize> = active(&Position::from_fen(fen).unwrap(), view).collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn both_sides_see_the_same_in_a_symmetrical_position() {
        assert_eq!(inputs(chess::START_FEN, Color::White), inputs(chess::START_FEN, Color::Black));
    }

    #[test]
    fn a_mirrored_position_looks_the_same() {
        let (right, left) = ("4k3/8/8/8/1n6/8/6P1/R5K1 w - - 0 1", "3k4/8/8/8/6n1/8/1P6/1K5R w - - 0 1");
        for view in Color::ALL {
            assert_eq!(inputs(right, view), inputs(left, view));
        }
        let only_one_king = "4k3/8/8/8/6n1/8/1P6/1K5R w - - 0 1";
        assert_eq!(inputs(right, Color::White)[..3], inputs(only_one_king, Color::White)[..3]);
        assert_ne!(inputs(left, Color::White), inputs(only_one_king, Color::White));
    }

    #[test]
    fn inputs_are_numbered_as_documented() {
        assert_eq!(index(Color::White, false, Piece::WhitePawn, Square::A2), 8);
        assert_eq!(index(Color::White, true, Piece::WhitePawn, Square::A2), 15);
        assert_eq!(index(Color::Black, false, Piece::BlackPawn, Square::A7), 8);
        assert_eq!(index(Color::Black, false, Piece::WhiteKing, Square::A8), 64 * 11);
    }

    #[test]
    fn every_number_of_pieces_has_a_bucket() {
        let buckets: Vec<usize> = (2..=32).map(bucket).collect();
        assert!(buckets.is_sorted());
        assert_eq!((buckets[0], buckets[30]), (0, BUCKETS - 1));
        assert_eq!(bucket(0), 0);
        assert_eq!(bucket(64), BUCKETS - 1);
    }
}
