//! Features of a position that last: pawn structure, posts of pieces, kings. Each is a plain rule.

use crate::facts::attackers;
use chess::{Bitboard, CastlingSide, Color, File, Position, Rank, Role, Square, attacks};

macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident: $code:literal, $good:literal;)*) => {
        /// A lasting feature of a side's position.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Feature { $($(#[$doc])* $feature),* }

        impl Feature {
            /// All features.
            pub const ALL: &[Self] = &[$(Self::$feature),*];

            /// A stable name.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$feature => $code),* }
            }

            /// Whether it is good for the side that has it.
            #[must_use]
            pub const fn is_good(self) -> bool {
                match self { $(Self::$feature => $good),* }
            }
        }
    };
}

features! {
    /// A pawn without an own pawn on the files next to it.
    IsolatedPawn: "isolatedPawn", false;
    /// Two or more own pawns on a file.
    DoubledPawns: "doubledPawns", false;
    /// A pawn that no own pawn can protect any more and that cannot safely advance.
    BackwardPawn: "backwardPawn", false;
    /// A pawn that no enemy pawn can stop.
    PassedPawn: "passedPawn", true;
    /// A passed pawn protected by a pawn.
    ProtectedPassedPawn: "protectedPassedPawn", true;
    /// A knight, protected by a pawn, in the enemy's half where no enemy pawn can attack it.
    KnightOutpost: "knightOutpost", true;
    /// The same for a bishop.
    BishopOutpost: "bishopOutpost", true;
    /// A rook on a file without pawns.
    RookOnOpenFile: "rookOnOpenFile", true;
    /// A rook on a file without own pawns.
    RookOnHalfOpenFile: "rookOnHalfOpenFile", true;
    /// A rook on the seventh rank, with the enemy king on the eighth or enemy pawns on the seventh.
    RookOnSeventh: "rookOnSeventh", true;
    /// Two bishops against fewer.
    BishopPair: "bishopPair", true;
    /// A bishop whose own centre pawns stand fixed on its colour.
    BadBishop: "badBishop", false;
    /// A castled king with three pawns before it.
    SafeKing: "safeKing", true;
    /// A king whose own pawn cover is gone, with enemy queens on the board.
    BareKing: "bareKing", false;
    /// A king in the middle that can castle no more.
    KingInTheMiddle: "kingInTheMiddle", false;
    /// A rook behind an own passed pawn.
    RookBehindPassedPawn: "rookBehindPassedPawn", true;
}

/// The features of a side, with the squares they are about.
#[must_use]
pub fn features(position: &Position, color: Color) -> Vec<(Feature, Bitboard)> {
    Feature::ALL
        .iter()
        .map(|&feature| (feature, squares(position, color, feature)))
        .filter(|(_, squares)| squares.any())
        .collect()
}

/// The squares where a side has a feature.
#[must_use]
pub fn squares(position: &Position, color: Color, feature: Feature) -> Bitboard {
    let pawns = position.pieces(color, Role::Pawn);
    let pick = |from: Bitboard, holds: &dyn Fn(Square) -> bool| -> Bitboard {
        from.into_iter().filter(|&square| holds(square)).collect()
    };
    match feature {
        Feature::IsolatedPawn => pick(pawns, &|pawn| !pawns.intersects(pawn.file().adjacent())),
        Feature::DoubledPawns => pick(pawns, &|pawn| (pawns & pawn.file().bitboard()).more_than_one()),
        Feature::BackwardPawn => pick(pawns, &|pawn| is_backward(position, color, pawn)),
        Feature::PassedPawn => pick(pawns, &|pawn| is_passed(position, color, pawn)),
        Feature::ProtectedPassedPawn => pick(pawns, &|pawn| {
            is_passed(position, color, pawn) && attacks::pawn(!color, pawn).intersects(pawns)
        }),
        Feature::KnightOutpost => {
            pick(position.pieces(color, Role::Knight), &|square| is_outpost(position, color, square))
        }
        Feature::BishopOutpost => {
            pick(position.pieces(color, Role::Bishop), &|square| is_outpost(position, color, square))
        }
        Feature::RookOnOpenFile => pick(position.pieces(color, Role::Rook), &|rook| {
            !position.role(Role::Pawn).intersects(rook.file().bitboard())
        }),
        Feature::RookOnHalfOpenFile => pick(position.pieces(color, Role::Rook), &|rook| {
            let file = rook.file().bitboard();
            !pawns.intersects(file) && position.pieces(!color, Role::Pawn).intersects(file)
        }),
        Feature::RookOnSeventh => rooks_on_seventh(position, color),
        Feature::BishopPair => bishop_pair(position, color),
        Feature::BadBishop => {
            pick(position.pieces(color, Role::Bishop), &|bishop| is_bad_bishop(position, color, bishop))
        }
        Feature::SafeKing => pick(position.king(color).bitboard(), &|king| {
            is_on_a_wing(king) && home_rank(king, color) && cover(position, color) >= 3
        }),
        Feature::BareKing => pick(position.king(color).bitboard(), &|_| {
            position.pieces(!color, Role::Queen).any() && cover(position, color) == 0
        }),
        Feature::KingInTheMiddle => {
            pick(position.king(color).bitboard(), &|king| is_stuck_in_the_middle(position, color, king))
        }
        Feature::RookBehindPassedPawn => pick(position.pieces(color, Role::Rook), &|rook| {
            let own_passed = squares(position, color, Feature::PassedPawn);
            let ahead = in_front_of(rook, color) & rook.file().bitboard() & own_passed;
            ahead.into_iter().any(|pawn| (attacks::between(rook, pawn) & position.occupied()).is_empty())
        }),
    }
}

/// The ranks in front of a square, as a side sees it.
#[must_use]
pub fn in_front_of(square: Square, color: Color) -> Bitboard {
    let mut ranks = Bitboard::EMPTY;
    let mut rank = square.rank().bitboard();
    for _ in 0..7 {
        rank = rank.forward(color);
        ranks |= rank;
    }
    ranks
}

/// Whether no enemy pawn can stop a pawn, and no own pawn stands in front of it.
#[must_use]
pub fn is_passed(position: &Position, color: Color, pawn: Square) -> bool {
    let ahead = in_front_of(pawn, color);
    let span = ahead & (pawn.file().bitboard() | pawn.file().adjacent());
    !span.intersects(position.pieces(!color, Role::Pawn))
        && !(ahead & pawn.file().bitboard()).intersects(position.pieces(color, Role::Pawn))
}

fn is_backward(position: &Position, color: Color, pawn: Square) -> bool {
    let own = position.pieces(color, Role::Pawn);
    let enemy = position.pieces(!color, Role::Pawn);
    let neighbours = own & pawn.file().adjacent();
    let stop = pawn.forward(color);
    let helpers_behind = neighbours & !in_front_of(pawn, color);
    neighbours.any()
        && helpers_behind.is_empty()
        && attacks::pawn(color, stop).intersects(enemy)
        && !own.has(stop)
}

fn is_outpost(position: &Position, color: Color, square: Square) -> bool {
    let rank = square.relative_to(color).rank().index();
    let attackable = in_front_of(square, color) & square.file().adjacent();
    (3..=5).contains(&rank)
        && attacks::pawn(!color, square).intersects(position.pieces(color, Role::Pawn))
        && !attackable.intersects(position.pieces(!color, Role::Pawn))
}

fn rooks_on_seventh(position: &Position, color: Color) -> Bitboard {
    let seventh = Rank::Seventh.relative_to(color).bitboard();
    let king_on_eighth = position.king(!color).relative_to(color).rank() == Rank::Eighth;
    let pawns = position.pieces(!color, Role::Pawn).intersects(seventh);
    if king_on_eighth || pawns { position.pieces(color, Role::Rook) & seventh } else { Bitboard::EMPTY }
}

fn bishop_pair(position: &Position, color: Color) -> Bitboard {
    let bishops = position.pieces(color, Role::Bishop);
    let both = bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES);
    let more = bishops.count() > position.pieces(!color, Role::Bishop).count();
    if both && more { bishops } else { Bitboard::EMPTY }
}

fn is_bad_bishop(position: &Position, color: Color, bishop: Square) -> bool {
    let same = if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let own = position.pieces(color, Role::Pawn);
    let middle = [File::C, File::D, File::E, File::F].map(File::bitboard);
    let middle = middle.into_iter().fold(Bitboard::EMPTY, |all, file| all | file);
    let fixed = (own & same & middle)
        .into_iter()
        .filter(|pawn| position.pieces(!color, Role::Pawn).has(pawn.forward(color)))
        .count();
    fixed >= 2 && (own & same).count() >= 4
}

fn is_on_a_wing(king: Square) -> bool {
    !matches!(king.file(), File::D | File::E | File::F)
}

fn home_rank(king: Square, color: Color) -> bool {
    king.relative_to(color).rank() == Rank::First
}

/// The number of own pawns on the two ranks in front of the king, on its file and those next to it.
fn cover(position: &Position, color: Color) -> u32 {
    let king = position.king(color);
    let files = king.file().bitboard() | king.file().adjacent();
    let near = king.rank().bitboard().forward(color);
    let near = near | near.forward(color);
    (position.pieces(color, Role::Pawn) & files & near).count()
}

fn is_stuck_in_the_middle(position: &Position, color: Color, king: Square) -> bool {
    let can_castle = [CastlingSide::King, CastlingSide::Queen]
        .into_iter()
        .any(|side| position.castling_rook(color, side).is_some());
    let officers = position.role(Role::Queen).count() == 2 && position.occupied().count() >= 20;
    !is_on_a_wing(king) && !can_castle && officers && king.relative_to(color).rank() <= Rank::Second
}

/// Knights and bishops that have left their first rank.
#[must_use]
pub fn developed(position: &Position, color: Color) -> u32 {
    let minors = position.pieces(color, Role::Knight) | position.pieces(color, Role::Bishop);
    (minors & !Rank::First.relative_to(color).bitboard()).count()
}

/// How often a side attacks the squares next to the enemy king.
#[must_use]
pub fn attacks_on_king(position: &Position, color: Color) -> u32 {
    let zone = attacks::king(position.king(!color));
    zone.into_iter().map(|square| attackers(position, square, color).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(fen: &str, color: Color, feature: Feature) -> String {
        let position: Position = fen.parse().unwrap();
        squares(&position, color, feature)
            .into_iter()
            .map(|square| square.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn pawns() {
        let queens_pawn = "r1bq1rk1/pp3ppp/2n1pn2/8/1bBP4/2N2N2/PP3PPP/R1BQR1K1 w - - 0 1";
        assert_eq!(has(queens_pawn, Color::White, Feature::IsolatedPawn), "d4");
        assert_eq!(has(queens_pawn, Color::Black, Feature::IsolatedPawn), "");
        assert_eq!(has("4k3/8/8/1P6/8/8/3p4/4K3 w - - 0 1", Color::White, Feature::PassedPawn), "b5");
        assert_eq!(has("4k3/p7/8/1P6/8/8/8/4K3 w - - 0 1", Color::White, Feature::PassedPawn), "");
        let free = "4k3/8/3p4/2p1p3/8/8/8/4K3 b - - 0 1";
        assert_eq!(has(free, Color::Black, Feature::BackwardPawn), "");
        let backward = "4k3/8/3p4/2p1p3/2P1P3/8/8/4K3 w - - 0 1";
        assert_eq!(has(backward, Color::Black, Feature::BackwardPawn), "d6");
        assert_eq!(has("4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1", Color::White, Feature::DoubledPawns), "e3 e4");
    }

    #[test]
    fn posts() {
        let outpost = "4k3/pp4pp/8/3N4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(has(outpost, Color::White, Feature::KnightOutpost), "d5");
        let rook = "6k1/R4ppp/8/8/8/6P1/5PKP/1r6 w - - 0 1";
        assert_eq!(has(rook, Color::White, Feature::RookOnSeventh), "a7");
        assert_eq!(has(rook, Color::White, Feature::RookOnOpenFile), "a7");
    }
}
