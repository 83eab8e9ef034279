//! Endings that theory knows, by plain rules and exact knowledge.

use chess::{Bitboard, Color, File, Position, Rank, Role, Square};

/// An ending that theory knows.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// King and pawn against king, won for this side.
    PawnWins(Color),
    /// King and pawn against king, drawn; this side has the pawn.
    PawnDraws(Color),
    /// This side has a queen or rook, or more, against a bare king.
    MateKnown(Color),
    /// This side has bishop and knight against a bare king.
    BishopAndKnight(Color),
    /// This side has a bishop and rook pawns of the wrong colour, and the enemy king is in the corner.
    WrongBishop(Color),
    /// Only bishops of opposite colours and pawns.
    OppositeBishops,
}

impl Ending {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::PawnWins(_) => "pawnWins",
            Self::PawnDraws(_) => "pawnDraws",
            Self::MateKnown(_) => "mateKnown",
            Self::BishopAndKnight(_) => "bishopAndKnight",
            Self::WrongBishop(_) => "wrongBishop",
            Self::OppositeBishops => "oppositeBishops",
        }
    }

    /// The side it is about.
    #[must_use]
    pub const fn side(self) -> Option<Color> {
        match self {
            Self::PawnWins(side)
            | Self::PawnDraws(side)
            | Self::MateKnown(side)
            | Self::BishopAndKnight(side)
            | Self::WrongBishop(side) => Some(side),
            Self::OppositeBishops => None,
        }
    }
}

/// The known ending that a position is, if it is one.
#[must_use]
pub fn name(position: &Position) -> Option<Ending> {
    Color::ALL
        .into_iter()
        .find_map(|strong| against_bare_king(position, strong))
        .or_else(|| opposite_bishops(position))
}

fn against_bare_king(position: &Position, strong: Color) -> Option<Ending> {
    if position.side(!strong).more_than_one() || !position.side(strong).more_than_one() {
        return None;
    }
    let explanation = eval::explain(position);
    let white_ahead = if strong == Color::White { explanation.white_view } else { -explanation.white_view };
    match explanation.ending {
        eval::Ending::PawnAgainstKing(_) if white_ahead > 0 => Some(Ending::PawnWins(strong)),
        eval::Ending::PawnAgainstKing(_) => Some(Ending::PawnDraws(strong)),
        eval::Ending::BareKing(_) if explanation.is_known && white_ahead > 0 => {
            Some(Ending::MateKnown(strong))
        }
        eval::Ending::BishopAndKnight(_) => Some(Ending::BishopAndKnight(strong)),
        _ => is_wrong_bishop(position, strong).then_some(Ending::WrongBishop(strong)),
    }
}

/// Bishops and pawns on one rook file, whose corner the bishops do not control and the bare king holds.
fn is_wrong_bishop(position: &Position, strong: Color) -> bool {
    let pawns = position.pieces(strong, Role::Pawn);
    let bishops = position.pieces(strong, Role::Bishop);
    let officers = position.side(strong) & !pawns & !position.role(Role::King);
    let on_file = |file: File| !pawns.is_empty() && (pawns & !file.bitboard()).is_empty();
    let Some(file) = [File::A, File::H].into_iter().find(|&file| on_file(file)) else { return false };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let own_colour = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let weak_king = position.king(!strong);
    officers == bishops && bishops.any() && !bishops.intersects(own_colour) && weak_king.distance(corner) <= 1
}

fn opposite_bishops(position: &Position) -> Option<Ending> {
    let bishops = Color::ALL.map(|color| position.pieces(color, Role::Bishop));
    let only = position.occupied()
        & !(position.role(Role::Pawn) | position.role(Role::King) | position.role(Role::Bishop));
    let [white, black] = bishops.map(Bitboard::single);
    (only.is_empty() && white?.is_light() != black?.is_light()).then_some(Ending::OppositeBishops)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(fen: &str) -> Option<Ending> {
        name(&fen.parse().unwrap())
    }

    #[test]
    fn known_endings_have_names() {
        assert_eq!(named("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"), named("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"));
        assert_eq!(named("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), Some(Ending::PawnWins(Color::White)));
        assert_eq!(named("k7/8/1K6/P7/8/8/8/8 w - - 0 1"), Some(Ending::PawnDraws(Color::White)));
        assert_eq!(named("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), Some(Ending::MateKnown(Color::White)));
        assert_eq!(named("k7/8/1K6/8/8/P7/8/4B3 w - - 0 1"), Some(Ending::WrongBishop(Color::White)));
        assert_eq!(named("8/5kpp/4b3/8/8/4B3/5KPP/8 w - - 0 1"), Some(Ending::OppositeBishops));
        assert_eq!(named("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
    }
}
