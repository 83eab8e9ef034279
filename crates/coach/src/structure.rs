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
    /// A knight, protected by a pawn, in the enemy's reach and not at the edge, where no enemy pawn can attack it.
    KnightOutpost: "knightOutpost", true;
    /// The same for a bishop.
    BishopOutpost: "bishopOutpost", true;
    /// A rook on a file without pawns and without an enemy rook.
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
    /// A passed pawn that the enemy's king, alone with pawns, cannot catch any more.
    UnstoppablePawn: "unstoppablePawn", true;
    /// Three pawns or more of which each protects the next, up to one in the enemy's half.
    PawnChain: "pawnChain", true;
    /// A bishop whose own fixed centre pawns stand on the other colour.
    GoodBishop: "goodBishop", true;
    /// Three pieces or more, a queen among them, that attack squares next to the enemy king.
    KingAttack: "kingAttack", true;
    /// At least two more centre pawns in the enemy's reach: on the fourth rank or beyond.
    Space: "space", true;
    /// At least two more knights and bishops in play while the enemy's still stand at home.
    Development: "development", true;
}

impl Feature {
    /// Whether its squares mean something only together: part of a pair is no pair.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::BishopPair
                | Self::KingAttack
                | Self::Space
                | Self::Development
                | Self::PawnChain
                | Self::DoubledPawns
        )
    }
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
            let file = rook.file().bitboard();
            !position.role(Role::Pawn).intersects(file)
                && !position.pieces(!color, Role::Rook).intersects(file)
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
        Feature::UnstoppablePawn => pick(pawns, &|pawn| is_unstoppable(position, color, pawn)),
        Feature::PawnChain => pawn_chain(pawns, color),
        Feature::GoodBishop => {
            pick(position.pieces(color, Role::Bishop), &|bishop| is_good_bishop(position, color, bishop))
        }
        Feature::KingAttack => king_attack(position, color),
        Feature::Space => {
            let (own, enemy) = (centre_space(position, color), centre_space(position, !color));
            if own.count() >= enemy.count() + 2 { own } else { Bitboard::EMPTY }
        }
        Feature::Development => development_lead(position, color),
    }
}

/// Own pawns on the files c to f that stand on the fourth rank or beyond.
fn centre_space(position: &Position, color: Color) -> Bitboard {
    let beyond = in_front_of(Square::new(File::A, Rank::Third.relative_to(color)), color);
    position.pieces(color, Role::Pawn) & centre_files() & beyond
}

fn centre_files() -> Bitboard {
    let files = [File::C, File::D, File::E, File::F].map(File::bitboard);
    files.into_iter().fold(Bitboard::EMPTY, |all, file| all | file)
}

/// The moves a pawn needs to promote; a pawn on its first square may jump.
#[must_use]
pub fn steps_to_promotion(pawn: Square, color: Color) -> u8 {
    let rank = pawn.relative_to(color).rank().index() as u8;
    7 - rank.max(2)
}

/// Whether a free passed pawn promotes before the enemy's king, which has no pieces to help it, can take it.
fn is_unstoppable(position: &Position, color: Color, pawn: Square) -> bool {
    let enemy_officers = position.side(!color) & !(position.role(Role::Pawn) | position.role(Role::King));
    let path = in_front_of(pawn, color) & pawn.file().bitboard();
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(color));
    let head_start = u8::from(position.turn() != color);
    enemy_officers.is_empty()
        && is_passed(position, color, pawn)
        && (path & position.occupied()).is_empty()
        && !position.is_check()
        && position.king(!color).distance(goal) > steps_to_promotion(pawn, color) + head_start
}

/// Pawns that protect a pawn that protects one in the enemy's half, and those that they protect.
fn pawn_chain(pawns: Bitboard, color: Color) -> Bitboard {
    let protectors = |pawn: Square| attacks::pawn(!color, pawn) & pawns;
    let beyond = in_front_of(Square::new(File::A, Rank::Fourth.relative_to(color)), color);
    let mut chain = Bitboard::EMPTY;
    for head in pawns & beyond {
        for middle in protectors(head) {
            for tail in protectors(middle) {
                chain |= head.bitboard() | middle.bitboard() | tail.bitboard();
            }
        }
    }
    chain
}

/// Own pawns on the files c to f that an enemy pawn stops.
fn fixed_centre_pawns(position: &Position, color: Color) -> Bitboard {
    (position.pieces(color, Role::Pawn) & centre_files())
        .into_iter()
        .filter(|pawn| position.pieces(!color, Role::Pawn).has(pawn.forward(color)))
        .collect()
}

fn is_good_bishop(position: &Position, color: Color, bishop: Square) -> bool {
    let same = if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let fixed = fixed_centre_pawns(position, color);
    fixed.count() >= 2 && !fixed.intersects(same)
}

/// The pieces of a side that attack squares next to the enemy king, if they are three or more with a queen.
fn king_attack(position: &Position, color: Color) -> Bitboard {
    let zone = attacks::king(position.king(!color));
    let attackers: Bitboard = crate::facts::officers(position, color)
        .into_iter()
        .filter(|&square| crate::facts::attacks_from(position, square).intersects(zone))
        .collect();
    let has_queen = attackers.intersects(position.role(Role::Queen));
    if attackers.count() >= 3 && has_queen { attackers } else { Bitboard::EMPTY }
}

/// The knights and bishops in play of a side that leads in development.
fn development_lead(position: &Position, color: Color) -> Bitboard {
    let minors = |side: Color| position.pieces(side, Role::Knight) | position.pieces(side, Role::Bishop);
    let home = |side: Color| minors(side) & Rank::First.relative_to(side).bitboard();
    let leads = developed(position, color) >= developed(position, !color) + 2;
    let is_opening = position.occupied().count() >= 24 && home(!color).count() >= 2;
    if leads && is_opening { minors(color) & !home(color) } else { Bitboard::EMPTY }
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
        && !position.role(Role::Pawn).has(stop)
}

fn is_outpost(position: &Position, color: Color, square: Square) -> bool {
    let rank = square.relative_to(color).rank().index();
    let attackable = in_front_of(square, color) & square.file().adjacent();
    (3..=5).contains(&rank)
        && !matches!(square.file(), File::A | File::H)
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
    (fixed_centre_pawns(position, color) & same).count() >= 2 && (own & same).count() >= 4
}

fn is_on_a_wing(king: Square) -> bool {
    !matches!(king.file(), File::D | File::E | File::F)
}

fn home_rank(king: Square, color: Color) -> bool {
    king.relative_to(color).rank() == Rank::First
}

/// The number of own pawns on the two ranks in front of the king, on its file and those next to it.
pub(crate) fn cover(position: &Position, color: Color) -> u32 {
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
        // Pawns that stop each other are the bases of chains.
        let rammed = "4k3/8/1p1p4/1PpPp3/2P1P3/8/8/4K3 w - - 0 1";
        assert_eq!(has(rammed, Color::White, Feature::BackwardPawn), "");
        assert_eq!(has(rammed, Color::Black, Feature::BackwardPawn), "");
        assert_eq!(has("4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1", Color::White, Feature::DoubledPawns), "e3 e4");
    }

    #[test]
    fn posts() {
        let outpost = "4k3/pp4pp/8/3N4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(has(outpost, Color::White, Feature::KnightOutpost), "d5");
        let rook = "6k1/R4ppp/8/8/8/6P1/5PKP/1r6 w - - 0 1";
        assert_eq!(has(rook, Color::White, Feature::RookOnSeventh), "a7");
        assert_eq!(has(rook, Color::White, Feature::RookOnOpenFile), "a7");
        let shared = "2r3k1/5ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1";
        assert_eq!(has(shared, Color::White, Feature::RookOnOpenFile), "");
        let behind = "6k1/8/P7/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(has(behind, Color::White, Feature::RookBehindPassedPawn), "a1");
        let half = "6k1/p7/8/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(has(half, Color::White, Feature::RookOnHalfOpenFile), "a1");
    }

    #[test]
    fn pawns_that_run_and_pawns_that_stand_together() {
        let runs = "8/8/8/P6k/8/8/8/K7 w - - 0 1";
        assert_eq!(has(runs, Color::White, Feature::UnstoppablePawn), "a5");
        let caught = "8/8/8/P3k3/8/8/8/K7 b - - 0 1";
        assert_eq!(has(caught, Color::White, Feature::UnstoppablePawn), "");
        let french = "rnbqkbnr/pp3ppp/4p3/2ppP3/3P4/2P5/PP3PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(has(french, Color::White, Feature::PawnChain), "c3 d4 e5");
        assert_eq!(has(french, Color::White, Feature::Space), "");
        let space = "rnbqkbnr/ppp2ppp/3pp3/8/2PPP3/8/PP3PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(has(space, Color::White, Feature::Space), "c4 d4 e4");
        let isolated = "4k3/8/8/8/8/2P5/8/4K3 w - - 0 1";
        assert_eq!(has(isolated, Color::White, Feature::PassedPawn), "c3");
        let protected = "4k3/8/8/3P4/2P5/8/8/4K3 w - - 0 1";
        assert_eq!(has(protected, Color::White, Feature::ProtectedPassedPawn), "d5");
    }

    #[test]
    fn bishops_and_kings() {
        let bishops = "4kb2/8/3p1p2/3PpP2/4P3/3B4/8/4K3 w - - 0 1";
        assert_eq!(has(bishops, Color::White, Feature::BadBishop), "");
        let good = "4k3/8/2p1p3/2PpP3/3P4/8/5B2/4K3 w - - 0 1";
        assert_eq!(has(good, Color::White, Feature::GoodBishop), "");
        let good = "4k3/8/2p1p3/2PpP3/3P4/5B2/8/4K3 w - - 0 1";
        assert_eq!(has(good, Color::White, Feature::GoodBishop), "f3");
        let bad = "4k3/8/2p1p3/2PpP3/1P1P4/8/5B2/4K3 w - - 0 1";
        assert_eq!(has(bad, Color::White, Feature::BadBishop), "f2");
        let pair = "4k1n1/8/8/8/8/8/8/2B1KB2 w - - 0 1";
        assert_eq!(has(pair, Color::White, Feature::BishopPair), "c1 f1");
        let attack = "5rk1/5ppp/8/6NQ/8/3B4/5PPP/6K1 w - - 0 1";
        assert_eq!(has(attack, Color::White, Feature::KingAttack), "d3 g5 h5");
        assert_eq!(has(attack, Color::White, Feature::SafeKing), "g1");
        let bare = "5rk1/8/8/6NQ/8/3B4/5PPP/6K1 w - - 0 1";
        assert_eq!(has(bare, Color::Black, Feature::BareKing), "g8");
        let middle = "r1bq1b1r/pppk1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPB1PPP/R2QKB1R w KQ - 0 1";
        assert_eq!(has(middle, Color::Black, Feature::KingInTheMiddle), "d7");
    }

    #[test]
    fn development_counts_pieces_in_play() {
        let ahead = "rnbqkbnr/pppppppp/8/8/2B5/2N2N2/PPPPPPPP/R1BQK2R w KQkq - 0 4";
        assert_eq!(has(ahead, Color::White, Feature::Development), "c3 f3 c4");
        assert_eq!(has(ahead, Color::Black, Feature::Development), "");
        let bishop = "4k3/pp6/8/3B4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(has(bishop, Color::White, Feature::BishopOutpost), "d5");
    }
}
