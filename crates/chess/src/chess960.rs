//! The 960 start positions of Chess960, by the numbers Reinhard Scharnagl gave them.

use crate::{Bitboard, Color, File, Piece, Rank, Role, Setup, Square};

/// How many start positions Chess960 has; they are numbered from 0.
pub const CHESS960_POSITIONS: u16 = 960;

impl Setup {
    /// The start position of Chess960 with this number, if it is below 960.
    #[must_use]
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The start position of double Fischer random chess: a number below 960 for each side.
    #[must_use]
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        let mut setup = Self::empty();
        for (color, number) in Color::ALL.into_iter().zip([white, black]) {
            let first_rank = Rank::First.relative_to(color);
            let second_rank = Rank::Second.relative_to(color);
            for (file, role) in File::ALL.into_iter().zip(back_rank(number)?) {
                let square = Square::new(file, first_rank);
                setup.board[square.index()] = Some(Piece::new(color, role));
                setup.board[Square::new(file, second_rank).index()] = Some(Piece::new(color, Role::Pawn));
                if role == Role::Rook {
                    setup.castling_rooks |= square.bitboard();
                }
            }
        }
        Some(setup)
    }

    /// The number of this start position, if it is one of Chess960.
    #[must_use]
    pub fn chess960_number(&self) -> Option<u16> {
        self.double_chess960_numbers().filter(|(white, black)| white == black).map(|(white, _)| white)
    }

    /// The numbers for White and Black of this start position, if it is one of double Fischer random
    /// chess. A position reached later has none, even with all pieces at home.
    #[must_use]
    pub fn double_chess960_numbers(&self) -> Option<(u16, u16)> {
        let white = self.back_rank_number(Color::White)?;
        let black = self.back_rank_number(Color::Black)?;
        (Self::double_chess960(white, black)? == *self).then_some((white, black))
    }

    /// Whether every castling right is one of standard chess: king on the e-file, rook in the corner.
    #[must_use]
    pub(crate) fn has_standard_castling(&self) -> bool {
        self.castling_rooks.into_iter().all(|rook| {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            let king = Square::new(File::E, rook.rank());
            CORNERS.has(rook) && self.board[king.index()] == Some(Piece::new(color, Role::King))
        })
    }

    fn back_rank_number(&self, color: Color) -> Option<u16> {
        let rank = Rank::First.relative_to(color);
        let pieces = File::ALL.map(|file| self.board[Square::new(file, rank).index()]);
        (0..CHESS960_POSITIONS).find(|&number| {
            back_rank(number).map(|roles| roles.map(|role| Some(Piece::new(color, role)))) == Some(pieces)
        })
    }
}

/// The corners of the board, where the rooks of standard chess begin.
pub(crate) const CORNERS: Bitboard = Bitboard(
    1 << Square::A1.index() | 1 << Square::H1.index() | 1 << Square::A8.index() | 1 << Square::H8.index(),
);

/// The pieces from the a-file to the h-file.
fn back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= CHESS960_POSITIONS {
        return None;
    }
    let mut rest = usize::from(number);
    let mut digit = |base| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    // The bishops' digits choose among the four squares of a colour (White's b, d, f, h are light), the
    // queen's among the six left, the knights' among the ten pairs of the five left then.
    let mut files: [Option<Role>; 8] = [None; 8];
    files[digit(4) * 2 + 1] = Some(Role::Bishop);
    files[digit(4) * 2] = Some(Role::Bishop);
    put_on_free(&mut files, digit(6), Role::Queen);
    let (first, second) =
        (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second))).nth(digit(10))?;
    // From the right, so that the first knight does not shift the count for the second.
    put_on_free(&mut files, second, Role::Knight);
    put_on_free(&mut files, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put_on_free(&mut files, 0, role);
    }
    let mut roles = [Role::King; 8];
    for (role, file) in roles.iter_mut().zip(files) {
        *role = file?;
    }
    Some(roles)
}

fn put_on_free(files: &mut [Option<Role>; 8], index: usize, role: Role) {
    if let Some(free) = files.iter_mut().filter(|file| file.is_none()).nth(index) {
        *free = Some(role);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CastlingSide, Position, START_FEN};
    use std::collections::HashSet;

    /// The number of the standard start position.
    const STANDARD_CHESS960_NUMBER: u16 = 518;

    fn rank_text(number: u16) -> String {
        let fen = Setup::chess960(number).unwrap().to_fen();
        fen.split(['/', ' ']).nth(7).unwrap().to_owned()
    }

    #[test]
    fn numbers_are_scharnagls() {
        assert_eq!(Setup::chess960(STANDARD_CHESS960_NUMBER).unwrap().to_fen(), START_FEN);
        assert_eq!(rank_text(0), "BBQNNRKR");
        assert_eq!(rank_text(1), "BQNBNRKR");
        assert_eq!(rank_text(959), "RKRNNQBB");
        assert_eq!(Setup::chess960(960), None);
        assert_eq!(Setup::double_chess960(0, 960), None);
    }

    #[test]
    fn all_960_are_different_legal_and_arranged_by_the_rules() {
        let mut seen = HashSet::new();
        for number in 0..CHESS960_POSITIONS {
            let text = rank_text(number);
            let king = text.find('K').unwrap();
            assert!(text.find('R').unwrap() < king && king < text.rfind('R').unwrap(), "{text}");
            assert_ne!(text.find('B').unwrap() % 2, text.rfind('B').unwrap() % 2, "{text}");

            let setup = Setup::chess960(number).unwrap();
            let position = Position::from_setup(&setup).unwrap();
            assert_eq!(position.castling_rooks().count(), 4);
            for side in CastlingSide::ALL {
                assert!(Color::ALL.into_iter().all(|color| position.castling_rook(color, side).is_some()));
            }
            assert_eq!(setup.chess960_number(), Some(number));
            assert_eq!(
                setup.has_standard_castling(),
                text.starts_with('R') && text.ends_with('R') && king == 4
            );
            seen.insert(text);
        }
        assert_eq!(seen.len(), 960);
    }

    #[test]
    fn double_chess960_numbers_come_back() {
        for white in (0..960).step_by(37) {
            let black = (white * 7 + 11) % 960;
            let setup = Setup::double_chess960(white, black).unwrap();
            assert!(Position::from_setup(&setup).is_ok());
            assert_eq!(setup.double_chess960_numbers(), Some((white, black)));
            assert_eq!(setup.chess960_number(), None);
        }
    }

    #[test]
    fn later_positions_have_no_number() {
        let mut setup = Setup::startpos();
        setup.fullmove_number = 5;
        assert_eq!(setup.chess960_number(), None);
        assert_eq!(Setup::empty().double_chess960_numbers(), None);
    }
}
