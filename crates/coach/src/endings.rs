//! Endings that theory knows, by plain rules and exact knowledge.

use crate::structure::{self, Feature, steps_to_promotion};
use chess::{Bitboard, Color, File, Position, Rank, Role, Square};

macro_rules! endings {
    ($($(#[$doc:meta])* $ending:ident $(($side:ident))?: $code:literal;)*) => {
        /// An ending that theory knows.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Ending { $($(#[$doc])* $ending $(($side))?),* }

        impl Ending {
            /// A stable name.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(endings!(@pattern $ending $($side)?) => $code),* }
            }
        }
    };
    (@pattern $ending:ident) => { Self::$ending };
    (@pattern $ending:ident $side:ident) => { Self::$ending(_) };
}

endings! {
    /// King and pawn against king, won for this side.
    PawnWins(Color): "pawnWins";
    /// King and pawn against king, drawn; this side has the pawn.
    PawnDraws(Color): "pawnDraws";
    /// King and pawn against king, won, with the king of this side on a square from which it always is.
    KeySquare(Color): "keySquare";
    /// The kings face each other with one square between them, and the other side has to move.
    Opposition(Color): "opposition";
    /// Both sides have a pawn that runs, and this side's promotes first.
    Race(Color): "race";
    /// This side has a queen or rook, or more, against a bare king.
    MateKnown(Color): "mateKnown";
    /// This side has bishop and knight against a bare king.
    BishopAndKnight(Color): "bishopAndKnight";
    /// This side has a bishop of the wrong colour for its rook pawns, and the enemy king is in the corner.
    WrongBishop(Color): "wrongBishop";
    /// Neither side can force mate with what it has.
    NoForcedMate: "noForcedMate";
    /// Only bishops of opposite colours and pawns.
    OppositeBishops: "oppositeBishops";
    /// Bishops of opposite colours with queens on the board.
    OppositeBishopsAttack: "oppositeBishopsAttack";
    /// The tables of endings say that this side wins.
    TableWin(Color): "tableWin";
    /// The tables of endings say that it is a draw.
    TableDraw: "tableDraw";
}

impl Ending {
    /// The side it is about.
    #[must_use]
    pub const fn side(self) -> Option<Color> {
        match self {
            Self::PawnWins(side)
            | Self::PawnDraws(side)
            | Self::KeySquare(side)
            | Self::Opposition(side)
            | Self::Race(side)
            | Self::MateKnown(side)
            | Self::BishopAndKnight(side)
            | Self::WrongBishop(side)
            | Self::TableWin(side) => Some(side),
            Self::NoForcedMate | Self::OppositeBishops | Self::OppositeBishopsAttack | Self::TableDraw => {
                None
            }
        }
    }

    /// Whether it holds by exact knowledge, whatever a short search makes of the position.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::PawnWins(_) | Self::PawnDraws(_) | Self::WrongBishop(_) | Self::TableDraw)
    }

    /// Whether a side wins with best play.
    #[must_use]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::PawnWins(_) | Self::MateKnown(_) | Self::BishopAndKnight(_) | Self::TableWin(_))
    }

    /// Whether the game is drawn with best play.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(self, Self::PawnDraws(_) | Self::WrongBishop(_) | Self::NoForcedMate | Self::TableDraw)
    }
}

/// What theory knows of a position, the most important first.
#[must_use]
pub fn names(position: &Position) -> Vec<Ending> {
    let known = Color::ALL.into_iter().find_map(|strong| against_bare_king(position, strong));
    let [key_square, opposition] = match known {
        Some(Ending::PawnWins(strong)) => [on_key_square(position, strong), opposition(position)],
        Some(Ending::PawnDraws(_)) => [None, opposition(position)],
        Some(_) => [None, None],
        None => [race(position), pawns_only(position).then(|| opposition(position)).flatten()],
    };
    let others = [key_square, opposition, no_forced_mate(position), opposite_bishops(position)];
    known.into_iter().chain(others.into_iter().flatten()).collect()
}

/// The most important thing that theory knows of a position.
#[must_use]
pub fn name(position: &Position) -> Option<Ending> {
    names(position).first().copied()
}

fn against_bare_king(position: &Position, strong: Color) -> Option<Ending> {
    if position.side(!strong).more_than_one() || !position.side(strong).more_than_one() {
        return None;
    }
    let explanation = eval::explain(position);
    let ahead = if strong == Color::White { explanation.white_view } else { -explanation.white_view };
    match explanation.ending {
        eval::Ending::PawnAgainstKing(_) if ahead > 0 => Some(Ending::PawnWins(strong)),
        eval::Ending::PawnAgainstKing(_) => Some(Ending::PawnDraws(strong)),
        eval::Ending::BareKing(_) if explanation.is_known && ahead > 0 => Some(Ending::MateKnown(strong)),
        eval::Ending::BishopAndKnight(_) => Some(Ending::BishopAndKnight(strong)),
        _ => is_wrong_bishop(position, strong).then_some(Ending::WrongBishop(strong)),
    }
}

fn no_forced_mate(position: &Position) -> Option<Ending> {
    (eval::explain(position).ending == eval::Ending::Draw).then_some(Ending::NoForcedMate)
}

/// The king stands two ranks in front of its pawn, on its file or next to it; from the fifth rank on, one rank is enough.
/// A rook pawn has no such squares.
fn on_key_square(position: &Position, strong: Color) -> Option<Ending> {
    let pawn = position.pieces(strong, Role::Pawn).single()?;
    let king = position.king(strong);
    let (pawn_rank, king_rank) =
        (pawn.relative_to(strong).rank().index(), king.relative_to(strong).rank().index());
    let near = (pawn.file().bitboard() | pawn.file().adjacent()).has(king);
    let ahead = king_rank == pawn_rank + 2 || (pawn_rank >= 4 && king_rank == pawn_rank + 1);
    let rook_pawn = matches!(pawn.file(), File::A | File::H);
    (near && ahead && !rook_pawn).then_some(Ending::KeySquare(strong))
}

fn pawns_only(position: &Position) -> bool {
    position.role(Role::Pawn).any()
        && (position.role(Role::Pawn) | position.role(Role::King)) == position.occupied()
}

fn opposition(position: &Position) -> Option<Ending> {
    let [one, other] = [position.king(Color::White), position.king(Color::Black)];
    let facing = one.file() == other.file() || one.rank() == other.rank();
    (facing && one.distance(other) == 2).then_some(Ending::Opposition(!position.turn()))
}

/// Both sides have only pawns, and each has one that cannot be caught.
fn race(position: &Position) -> Option<Ending> {
    if !pawns_only(position) {
        return None;
    }
    let [white, black] = Color::ALL.map(|side| {
        let runners = structure::squares(position, side, Feature::UnstoppablePawn);
        let steps = runners.into_iter().map(|pawn| steps_to_promotion(pawn, side)).min();
        steps.map(|steps| 2 * steps - u8::from(side == position.turn()))
    });
    Some(Ending::Race(if white? < black? { Color::White } else { Color::Black }))
}

/// Bishops and pawns on one rook file, whose corner the bishops do not control and where the bare king stands: it can
/// never be driven out.
fn is_wrong_bishop(position: &Position, strong: Color) -> bool {
    let pawns = position.pieces(strong, Role::Pawn);
    let bishops = position.pieces(strong, Role::Bishop);
    let officers = position.side(strong) & !pawns & !position.role(Role::King);
    let on_file = |file: File| !pawns.is_empty() && (pawns & !file.bitboard()).is_empty();
    let Some(file) = [File::A, File::H].into_iter().find(|&file| on_file(file)) else { return false };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let own_colour = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let weak_king = position.king(!strong);
    officers == bishops && bishops.any() && !bishops.intersects(own_colour) && weak_king == corner
}

fn opposite_bishops(position: &Position) -> Option<Ending> {
    let [white, black] = Color::ALL.map(|color| position.pieces(color, Role::Bishop)).map(Bitboard::single);
    if white?.is_light() == black?.is_light() || position.role(Role::Knight).any() {
        return None;
    }
    let queens = position.role(Role::Queen).count();
    match (queens, position.role(Role::Rook).count()) {
        (0, 0) => Some(Ending::OppositeBishops),
        (2, _) => Some(Ending::OppositeBishopsAttack),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(fen: &str) -> Vec<Ending> {
        names(&fen.parse().unwrap())
    }

    #[test]
    fn known_endings_have_names() {
        let key = named("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
        assert_eq!(key[..2], [Ending::PawnWins(Color::White), Ending::KeySquare(Color::White)]);
        assert_eq!(named("k7/8/1K6/P7/8/8/8/8 w - - 0 1")[0], Ending::PawnDraws(Color::White));
        assert_eq!(named("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), [Ending::MateKnown(Color::White)]);
        assert_eq!(named("8/8/8/4k3/8/8/8/KBN5 w - - 0 1"), [Ending::BishopAndKnight(Color::White)]);
        assert_eq!(named("k7/8/1K6/8/8/P7/8/4B3 w - - 0 1"), [Ending::WrongBishop(Color::White)]);
        assert_eq!(named("8/8/8/4k3/8/8/8/KNN5 w - - 0 1"), [Ending::NoForcedMate]);
        assert_eq!(named("8/5kpp/4b3/8/8/4B3/5KPP/8 w - - 0 1"), [Ending::OppositeBishops]);
        assert_eq!(named("3q2k1/5ppp/4b3/8/8/4B3/5PPP/3Q2K1 w - - 0 1"), [Ending::OppositeBishopsAttack]);
        assert_eq!(named("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), []);
    }

    #[test]
    fn kings_and_running_pawns() {
        let opposed = named("8/8/4k3/8/4K3/8/4P3/8 b - - 0 1");
        assert!(opposed.contains(&Ending::Opposition(Color::White)), "{opposed:?}");
        assert_eq!(named("8/p7/8/4k3/8/4K3/7P/8 b - - 0 1"), [Ending::Opposition(Color::White)]);
        // White needs three moves, Black four.
        assert_eq!(named("7K/8/P7/8/p7/8/8/7k w - - 0 1"), [Ending::Race(Color::White)]);
        assert_eq!(named("7K/8/8/P7/7p/8/8/k7 b - - 0 1"), [Ending::Race(Color::Black)]);
    }
}
