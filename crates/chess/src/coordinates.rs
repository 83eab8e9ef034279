//! Moves by their squares, as UCI and boards with a mouse have them: `e2e4`, `e7e8q`, `e1g1`.

use crate::{CastlingSide, File, IllegalReason, Move, MoveKind, Piece, Position, Rank, Role, Square};
use std::fmt;

/// How castling is written by its squares.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingStyle {
    /// From the king's square to where the king ends: `e1g1`.
    #[default]
    Standard,
    /// From the king's square to its rook's, as Chess960 needs it: `e1h1`.
    Chess960,
}

/// Why a text is no legal coordinate move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum UciMoveError {
    #[error("{text:?} is not a move: write from and to, like e2e4, and the new piece of a pawn, like e7e8q")]
    Syntax { text: String },
    #[error("0000 passes the move, which no player may do")]
    NullMove,
    #[error("{from}{to} is not legal: {reason}")]
    Illegal { from: Square, to: Square, reason: IllegalReason },
}

/// A move that prints as its squares; made by [`Position::to_uci`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.to_char().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// The longest piece of foreign text that an error repeats.
const QUOTED_CHARS: usize = 20;

/// The beginning of a foreign text, for errors.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted: String = text.chars().take(QUOTED_CHARS).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    quoted
}

impl Position {
    /// A move by its squares, for UCI.
    #[must_use]
    pub fn to_uci(&self, mv: Move, style: CastlingStyle) -> UciMove {
        let to = match (mv.kind(), style) {
            (MoveKind::Castling, CastlingStyle::Standard) => {
                CastlingSide::of(mv.from(), mv.to()).king_target(self.turn())
            }
            _ => mv.to(),
        };
        UciMove { from: mv.from(), to, promotion: mv.promotes_to() }
    }

    /// Reads a coordinate move, castling in either style.
    ///
    /// # Errors
    /// When the text is no move, or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        if text == "0000" {
            return Err(UciMoveError::NullMove);
        }
        let Some((from, to, promotion)) = parse_coordinates(text.as_bytes()) else {
            return Err(UciMoveError::Syntax { text: quote(text) });
        };
        self.find_move(from, to, promotion).map_err(|reason| UciMoveError::Illegal { from, to, reason })
    }

    /// The legal move between two squares. Castling may be given by the square where the king ends or
    /// by its rook; where the king could also simply step there, it steps.
    ///
    /// # Errors
    /// Says why there is no such move.
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalReason> {
        match self.explain_illegal(from, to, promotion) {
            None => Ok(self.coordinate_move(from, to, promotion)),
            Some(reason) => Err(reason),
        }
    }

    /// The move that two squares mean here, legal or not.
    pub(crate) fn coordinate_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Move {
        let us = self.turn();
        match self.piece_on(from).filter(|piece| piece.color() == us).map(Piece::role) {
            Some(Role::King) => match self.castling_by_squares(from, to) {
                Some(rook) => Move::castling(from, rook),
                None => Move::normal(from, to),
            },
            Some(Role::Pawn) if to.rank() == Rank::Eighth.relative_to(us) => match promotion {
                Some(role) => Move::promotion(from, to, role),
                None => Move::normal(from, to),
            },
            Some(Role::Pawn) if self.en_passant() == Some(to) && from.file() != to.file() => {
                Move::en_passant(from, to)
            }
            _ => Move::normal(from, to),
        }
    }

    /// The rook a king castles with, if a move between these squares means castling.
    pub(crate) fn castling_by_squares(&self, king: Square, to: Square) -> Option<Square> {
        let us = self.turn();
        if self.castling_rooks().has(to) && self.side(us).has(to) {
            return Some(to);
        }
        if king.distance(to) < 2 {
            return None;
        }
        let side = CastlingSide::ALL.into_iter().find(|side| side.king_target(us) == to)?;
        self.castling_rook(us, side)
    }
}

/// Two squares and perhaps a piece letter, in capitals or not.
fn parse_coordinates(text: &[u8]) -> Option<(Square, Square, Option<Role>)> {
    let (squares, promotion) = match text {
        [_, _, _, _] => (text, None),
        [squares @ .., letter] => (squares, Some(Role::from_char(char::from(*letter))?)),
        [] => return None,
    };
    let [from_file, from_rank, to_file, to_rank] = squares else { return None };
    let square = |file: u8, rank: u8| {
        let file = File::from_char(char::from(file.to_ascii_lowercase()))?;
        Some(Square::new(file, Rank::from_char(char::from(rank))?))
    };
    Some((square(*from_file, *from_rank)?, square(*to_file, *to_rank)?, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn reads_what_it_writes() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = position(fen);
            for mv in position.legal_moves() {
                for style in [CastlingStyle::Standard, CastlingStyle::Chess960] {
                    let text = position.to_uci(mv, style).to_string();
                    assert_eq!(position.parse_uci(&text), Ok(mv), "{text}");
                }
            }
        }
    }

    #[test]
    fn reads_castling_in_both_styles() {
        let standard = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        let short = Move::castling(Square::E1, Square::H1);
        assert_eq!(standard.parse_uci("e1g1"), Ok(short));
        assert_eq!(standard.parse_uci("e1h1"), Ok(short));
        assert_eq!(standard.parse_uci("e1c1"), Ok(Move::castling(Square::E1, Square::A1)));
        assert_eq!(standard.to_uci(short, CastlingStyle::Standard).to_string(), "e1g1");
        assert_eq!(standard.to_uci(short, CastlingStyle::Chess960).to_string(), "e1h1");
    }

    #[test]
    fn a_step_of_the_king_is_not_castling() {
        let chess960 = position("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
        assert_eq!(chess960.parse_uci("f1g1"), Ok(Move::normal(Square::F1, Square::G1)));
        assert_eq!(chess960.parse_uci("f1h1"), Ok(Move::castling(Square::F1, Square::H1)));
        assert_eq!(chess960.parse_uci("f1c1"), Ok(Move::castling(Square::F1, Square::A1)));
    }

    #[test]
    fn bad_moves_say_why() {
        let start = Position::startpos();
        assert_eq!(start.parse_uci("0000"), Err(UciMoveError::NullMove));
        for text in ["", "e", "e2", "e2e", "e2e9", "i2e4", "e2e4x", "e2e4qq", "é2e4", "e2–e4"] {
            assert_eq!(start.parse_uci(text), Err(UciMoveError::Syntax { text: text.into() }), "{text}");
        }
        assert_eq!(
            start.parse_uci("e2e5").unwrap_err().to_string(),
            "e2e5 is not legal: a pawn does not move like that"
        );
        assert_eq!(
            start.parse_uci("g1f3q").unwrap_err().to_string(),
            "g1f3 is not legal: only a pawn that reaches the last rank promotes"
        );
        let long = "x".repeat(1000);
        assert!(start.parse_uci(&long).unwrap_err().to_string().len() < 200);
    }
}
