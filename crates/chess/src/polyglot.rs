//! The key under which Polyglot books file a position.
//!
//! Polyglot counts the en passant file when a pawn has just moved two steps and a pawn of the side to
//! move stands next to it, whether or not taking would leave the king in check. A [`Setup`] can say that;
//! a [`Position`] keeps the square only when a capture is legal. [`Setup::polyglot_key`] is therefore the
//! exact key: of a FEN that names the square, or of [`Position::setup_after`] a move.
//! [`Position::polyglot_key`] is the same except where every such capture is forbidden by a pin or by a
//! check.

use crate::polyglot_random::RANDOM;
use crate::{CastlingSide, Color, Piece, Position, Role, Setup, Square, attacks};

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

impl Setup {
    /// The Polyglot key, exactly as that format defines it.
    ///
    /// Chess960 rights count by the side of the king on which the rook stands.
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        let mut key = if self.turn == Color::White { RANDOM[WHITE_TO_MOVE] } else { 0 };
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                key ^= RANDOM[64 * kind(piece) + square.index()];
            }
        }
        for right in self.castling_rights().into_iter().enumerate().filter(|(_, right)| *right) {
            key ^= RANDOM[CASTLING + right.0];
        }
        if let Some(square) = self.en_passant {
            let pawn = Some(Piece::new(self.turn, Role::Pawn));
            let takers = attacks::pawn(!self.turn, square);
            if takers.into_iter().any(|taker| self.board[taker.index()] == pawn) {
                key ^= RANDOM[EN_PASSANT + square.file().index()];
            }
        }
        key
    }

    /// The rights in the order of FEN: `KQkq`.
    fn castling_rights(&self) -> [bool; 4] {
        let mut rights = [false; 4];
        for color in Color::ALL {
            let king = Some(Piece::new(color, Role::King));
            let Some(king) = Square::all().find(|square| self.board[square.index()] == king) else {
                continue;
            };
            for rook in self.castling_rooks & king.rank().bitboard() {
                let side = CastlingSide::of(king, rook);
                rights[2 * color.index() + usize::from(side == CastlingSide::Queen)] = true;
            }
        }
        rights
    }
}

impl Position {
    /// The Polyglot key of what the position knows: exact unless a pawn stands ready to take en passant
    /// but may not. Where the last move is at hand, [`Position::setup_after`] gives the exact one.
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        self.to_setup().polyglot_key()
    }
}

/// Polyglot's number of a piece: from the pawns to the kings, Black's before White's.
const fn kind(piece: Piece) -> usize {
    2 * piece.role().index() + 1 - piece.color().index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use std::collections::HashSet;

    fn assert_keys(expected: &[(&str, u64)]) {
        let mut position = Position::startpos();
        for &(moves, key) in expected {
            let mut setup = position.to_setup();
            for mv in moves.split_whitespace() {
                let from = mv[..2].parse().expect("origin");
                let to = mv[2..].parse().expect("target");
                let mv = [Move::normal(from, to), Move::en_passant(from, to)]
                    .into_iter()
                    .find(|&mv| position.is_legal(mv))
                    .expect("a legal move");
                setup = position.setup_after(mv);
                position.play(mv);
            }
            assert_eq!(setup.polyglot_key(), key, "{setup}");
            assert_eq!(position.polyglot_key(), key, "{position}");
        }
    }

    #[test]
    fn published_examples() {
        assert_keys(&[
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("d7d5", 0x0756_b944_61c5_0fb0),
            ("e4e5", 0x662f_afb9_65db_29d4),
            ("f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e1e2", 0x652a_607c_a3f2_42c1),
            ("e8f7", 0x00fd_d303_c946_bdd9),
        ]);
        assert_keys(&[
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ]);
    }

    #[test]
    fn a_capture_en_passant_that_is_illegal_still_counts_in_a_setup() {
        // The pawn on e4 is pinned on its file; Polyglot does not look at that.
        let before = Position::from_fen("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1").expect("legal");
        let mv = Move::normal(Square::D2, Square::D4);
        let after = before.after(mv);
        let file_d = RANDOM[EN_PASSANT + 3];
        assert_eq!(after.en_passant(), None);
        assert_eq!(before.setup_after(mv).polyglot_key(), after.polyglot_key() ^ file_d);
        let fen = Setup::from_fen("4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1").expect("well-formed");
        assert_eq!(fen.polyglot_key(), 0x4176_920b_68c3_81a2);
        assert_eq!(fen.polyglot_key(), after.polyglot_key() ^ file_d);
    }

    #[test]
    fn no_pawn_next_to_it_no_en_passant() {
        let with = Setup::from_fen("4k3/8/8/p7/7P/8/8/4K3 b - h3 0 1").expect("well-formed");
        let without = Setup { en_passant: None, ..with.clone() };
        assert_eq!(with.polyglot_key(), without.polyglot_key());
    }

    #[test]
    fn castling_rights_count_one_by_one() {
        let all = Setup::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("well-formed");
        let none = Setup::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1").expect("well-formed");
        for (index, letter) in ["K", "Q", "k", "q"].into_iter().enumerate() {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {letter} - 0 1");
            let one = Setup::from_fen(&fen).expect("well-formed");
            assert_eq!(one.polyglot_key(), none.polyglot_key() ^ RANDOM[CASTLING + index]);
        }
        let rights = RANDOM[CASTLING..EN_PASSANT].iter().fold(0, |sum, random| sum ^ random);
        assert_eq!(all.polyglot_key(), none.polyglot_key() ^ rights);
    }

    #[test]
    fn the_table_is_complete() {
        assert_eq!(RANDOM.iter().collect::<HashSet<_>>().len(), 781);
        assert_eq!(RANDOM[0], 0x9d39_247e_3377_6d41);
        assert_eq!(RANDOM[780], 0xf8d6_26aa_af27_8509);
        // The sum of the whole published table, so that a slip in any number shows.
        assert_eq!(
            RANDOM.iter().fold(0, |sum: u64, random| sum.rotate_left(1) ^ random),
            0xbd90_abdc_0fe7_1bcc
        );
    }
}
