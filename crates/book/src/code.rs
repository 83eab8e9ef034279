//! Moves as Polyglot files have them.

use chess::{Move, Position, Role, Square};

/// A move in fifteen bits: three each for file and rank of the destination, then of the origin, and what a
/// pawn becomes. Castling goes from the king's square to its rook's.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveCode(pub u16);

/// What a pawn becomes, by code; 0 is no promotion.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const PROMOTION_SHIFT: u16 = 12;

impl MoveCode {
    /// The code of a move.
    #[must_use]
    pub fn of(mv: Move) -> Self {
        let promotion = mv.promotes_to().and_then(|role| PROMOTIONS.iter().position(|&known| known == role));
        let promotion = promotion.map_or(0, |index| index as u16 + 1);
        Self(mv.to().index() as u16 | (mv.from().index() as u16) << 6 | promotion << PROMOTION_SHIFT)
    }

    /// Whether it can be a move at all: the promotion is one there is.
    #[must_use]
    pub(crate) const fn is_possible(self) -> bool {
        (self.0 >> PROMOTION_SHIFT) as usize <= PROMOTIONS.len()
    }

    /// The legal move it means in a position. Castling may also be written by where the king ends, as some
    /// programs do.
    #[must_use]
    pub fn decode(self, position: &Position) -> Option<Move> {
        let square = |shift: u16| Square::from_index(usize::from(self.0 >> shift & 63));
        let promotion = match self.0 >> PROMOTION_SHIFT {
            0 => None,
            code => Some(*PROMOTIONS.get(usize::from(code) - 1)?),
        };
        position.find_move(square(6), square(0), promotion).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::MoveKind;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a legal position")
    }

    #[test]
    fn published_codes() {
        // e2e4 from the start is 0x031c in every Polyglot book.
        let start = Position::startpos();
        let e4 = start.parse_san("e4").expect("legal");
        assert_eq!(MoveCode::of(e4), MoveCode(0x031c));
        assert_eq!(MoveCode(0x031c).decode(&start), Some(e4));
    }

    #[test]
    fn castling_is_read_both_ways_and_written_to_the_rook() {
        let white = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let black = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        for (position, san, to_rook, to_target) in [
            (white, "O-O", 4 << 6 | 7, 4 << 6 | 6),
            (white, "O-O-O", 4 << 6, 4 << 6 | 2),
            (black, "O-O", 60 << 6 | 63, 60 << 6 | 62),
            (black, "O-O-O", 60 << 6 | 56, 60 << 6 | 58),
        ] {
            let mv = position.parse_san(san).expect("legal");
            assert_eq!(mv.kind(), MoveKind::Castling);
            assert_eq!(MoveCode::of(mv), MoveCode(to_rook));
            assert_eq!(MoveCode(to_rook).decode(&position), Some(mv));
            assert_eq!(MoveCode(to_target).decode(&position), Some(mv));
        }
        let without_rights = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        assert_eq!(MoveCode(4 << 6 | 7).decode(&without_rights), None);
        assert_eq!(MoveCode(4 << 6 | 6).decode(&without_rights), None);
    }

    #[test]
    fn promotions_and_captures_en_passant() {
        let promoting = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        let squares = 48 << 6 | 56;
        for (code, san) in [(1, "a8=N"), (2, "a8=B"), (3, "a8=R"), (4, "a8=Q+")] {
            let mv = promoting.parse_san(san).expect("legal");
            assert_eq!(MoveCode::of(mv), MoveCode(code << 12 | squares));
            assert_eq!(MoveCode(code << 12 | squares).decode(&promoting), Some(mv));
        }
        for code in [0, 5, 6, 7, 8, 12] {
            assert_eq!(MoveCode(code << 12 | squares).decode(&promoting), None);
        }
        let passing = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let mv = passing.parse_san("exd6").expect("legal");
        assert!(mv.is_en_passant());
        assert_eq!(MoveCode::of(mv).decode(&passing), Some(mv));
    }

    #[test]
    fn no_code_gives_an_illegal_move() {
        let position = position("r3k2r/P1p5/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
        let decoded = (0..=u16::MAX).filter_map(|code| MoveCode(code).decode(&position));
        let mut moves: Vec<Move> = decoded.inspect(|&mv| assert!(position.is_legal(mv))).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), position.legal_moves().len());
    }
}
