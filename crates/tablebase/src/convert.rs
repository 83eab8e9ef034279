//! Positions in the types of the library that reads the tables.

use chess::{Color, Position, Role, Square};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};

/// The position for the library, unless castling is still possible or it takes the position for none.
pub(crate) fn to_shakmaty(position: &Position) -> Option<Chess> {
    if position.castling_rooks().any() {
        return None;
    }
    let role = |role| Bitboard(position.role(role).0);
    let by_role = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let by_color = ByColor {
        black: Bitboard(position.side(Color::Black).0),
        white: Bitboard(position.side(Color::White).0),
    };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?;
    setup.turn = match position.turn() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    setup.ep_square = position.en_passant().map(square);
    setup.halfmoves = u32::from(position.halfmove_clock());
    // Tables know any arrangement of men, also those that no game could reach.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.index() as u32)
}

/// The men on the board as a number: four bits for how many there are of each kind but the kings.
pub(crate) fn material_key(position: &Position) -> u64 {
    let kinds =
        Color::ALL.into_iter().flat_map(|color| Role::ALL[..5].iter().map(move |&role| (color, role)));
    kinds.fold(0, |key, (color, role)| key << 4 | u64::from(position.pieces(color, role).count() & 15))
}

/// The men on the board as tables are named, such as `KQvKR`.
pub(crate) fn material_name(position: &Position) -> String {
    let men = |color| {
        Role::ALL.iter().rev().flat_map(move |&role| {
            std::iter::repeat_n(role.to_char(), position.pieces(color, role).count() as usize)
        })
    };
    men(Color::White).chain(['v']).chain(men(Color::Black)).collect()
}
