//! Piglet's structure of a move: the 32 bits, a score for ordering, and whether it is quiet.

use crate::boards::ox88::{Index, Move32};
use crate::boards::{ClassicBoard, Ox88};
use crate::searches::{MVV_LVA_LEAST, SearchBoard, mvv_lva};
use chess::Square;

/// A move with what its ordering needs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move32,
    /// One million and the MVV/LVA score for a capture, else 0.
    pub score: i32,
    /// Whether it captures nothing.
    pub quiet: bool,
}

/// The score of a capture, one million up to leave room below for other rules of ordering; 0 for a quiet
/// move. En passant, pawn takes pawn, is 105.
#[must_use]
pub fn capture_score(board: &Ox88, mv: Move32) -> i32 {
    board.capture(mv).map_or(0, |(victim, attacker)| MVV_LVA_LEAST + mvv_lva(victim, attacker))
}

/// The legal moves, the most promising captures first.
#[must_use]
pub fn scored_moves(board: &Ox88) -> Vec<ScoredMove> {
    let mut moves: Vec<ScoredMove> = board
        .clone()
        .legal()
        .into_iter()
        .map(|mv| ScoredMove { mv, score: capture_score(board, mv), quiet: mv.captured().is_none() })
        .collect();
    moves.sort_by_key(|scored| std::cmp::Reverse(scored.score));
    moves
}

/// The index of a square in algebraic notation: rank × 16 + file.
#[must_use]
pub fn notation_to_index(text: &str) -> Option<u8> {
    text.parse::<Square>().ok().map(|square| Index::new(square).get())
}

/// The algebraic notation of an index, `-` off the board.
#[must_use]
pub fn index_to_notation(index: u8) -> String {
    if index & 0x88 != 0 {
        return "-".to_owned();
    }
    let (file, rank) = (b'a' + (index & 7), b'1' + (index >> 4));
    format!("{}{}", char::from(file), char::from(rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Position, Role};

    #[test]
    fn scores_are_those_of_the_document() {
        assert_eq!(mvv_lva(Role::Queen, Role::Pawn), 505);
        assert_eq!(mvv_lva(Role::Rook, Role::Pawn), 405);
        assert_eq!(mvv_lva(Role::Queen, Role::Bishop), 503);
        assert_eq!(mvv_lva(Role::Rook, Role::Bishop), 403, "the document's 503 is a slip");
        assert_eq!(mvv_lva(Role::Pawn, Role::Pawn), 105);
    }

    #[test]
    fn captures_come_first_en_passant_with_105() {
        let fen = "4k3/8/8/2q1r3/1P1P4/5pP1/8/3K4 b - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let moves = scored_moves(&Ox88::set_up(&position).unwrap());
        assert!(moves.iter().skip_while(|scored| !scored.quiet).all(|scored| scored.quiet));
        let position = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").unwrap();
        let best = scored_moves(&Ox88::set_up(&position).unwrap())[0];
        assert!(best.mv.is_en_passant());
        assert_eq!(best.score, 1_000_105);
        assert!(!best.quiet);
    }

    #[test]
    fn notation_goes_both_ways() {
        for square in Square::all() {
            let index = notation_to_index(&square.to_string()).unwrap();
            assert_eq!(index_to_notation(index), square.to_string());
        }
        assert_eq!(notation_to_index("a8"), Some(112));
        assert_eq!(index_to_notation(0x08), "-");
        assert_eq!(index_to_notation(128), "-", "the document's test lets 128 pass");
        assert_eq!(notation_to_index("i9"), None);
    }
}
