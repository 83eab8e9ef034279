//! End games: those that are known, and how much of an advantage the others keep.

use crate::kpk;
use crate::material::{Balance, Counts};
use crate::pawns::{PawnFacts, ahead};
use crate::placement::Placement;
use crate::score::FULL_SCALE;
use chess::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// What the material says about the end game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing special: all terms of the evaluation count.
    General,
    /// Neither side can force mate.
    Draw,
    /// A lone king against enough to mate it.
    BareKing(Color),
    /// Bishop and knight against a lone king, which has to be driven into a corner of the bishop's colour.
    BishopAndKnight(Color),
    /// One pawn against a lone king.
    PawnAgainstKing(Color),
}

/// The least value of a known win, more than any advantage that still has to be won.
const KNOWN_WIN: i32 = 5000;

/// The value of a pawn that is known to promote, without a bonus for each rank.
const PAWN_WIN: i32 = 3000;

/// Up to this phase an ending is judged by its pieces: a rook and a minor piece each, or less.
const FEW_PIECES: i32 = 5;

impl Ending {
    /// The kind of ending that counts make.
    pub(crate) fn of(counts: Counts) -> Self {
        for strong in Color::ALL {
            if counts.side(!strong) == [0; 5] {
                return Self::against_bare_king(strong, counts.side(strong));
            }
        }
        let is_lone_minor = |color| {
            let [pawns, knights, bishops, rooks, queens] = counts.side(color);
            pawns + rooks + queens == 0 && knights + bishops == 1
        };
        if is_lone_minor(Color::White) && is_lone_minor(Color::Black) { Self::Draw } else { Self::General }
    }

    fn against_bare_king(strong: Color, [pawns, knights, bishops, rooks, queens]: [u8; 5]) -> Self {
        if rooks + queens > 0 {
            return Self::BareKing(strong);
        }
        match (pawns, knights, bishops) {
            (0, 0..=2, 0) | (0, 0, 1) => Self::Draw,
            (1, 0, 0) => Self::PawnAgainstKing(strong),
            (0, 1, 1) => Self::BishopAndKnight(strong),
            (_, 1.., 1..) | (_, 3.., _) | (_, _, 2..) => Self::BareKing(strong),
            _ => Self::General,
        }
    }

    /// The value of a known ending from White's view, or nothing where the terms have to judge.
    #[inline]
    pub(crate) fn value(self, placement: &Placement, balance: &Balance) -> Option<i32> {
        match self {
            Self::General => None,
            known => known.known_value(placement, balance),
        }
    }

    fn known_value(self, placement: &Placement, balance: &Balance) -> Option<i32> {
        let (strong, value) = match self {
            Self::General => return None,
            Self::Draw => return Some(0),
            Self::BareKing(strong) => (strong, bare_king(placement, balance, strong)?),
            Self::BishopAndKnight(strong) => (strong, bishop_and_knight(placement, strong)),
            Self::PawnAgainstKing(strong) => (strong, pawn_against_king(placement, strong)),
        };
        Some(if strong == Color::White { value } else { -value })
    }
}

/// 0 in the middle, 6 in the corners.
fn centre_distance(square: Square) -> i32 {
    let from_middle = |line: usize| if line < 4 { 3 - line as i32 } else { line as i32 - 4 };
    from_middle(square.file().index()) + from_middle(square.rank().index())
}

/// 0 for kings far apart, growing as they come nearer by rank and file.
fn closeness(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    14 - (files + ranks) as i32
}

/// Drive the lone king to the rim, bring the own king near, and let pawns go forward.
fn bare_king(placement: &Placement, balance: &Balance, strong: Color) -> Option<i32> {
    let bishops = placement.pieces(strong, Role::Bishop);
    if bishops == placement.officers(strong) && !has_both_colours(bishops) {
        // Bishops of one colour cannot mate; with pawns, the terms judge.
        return if placement.role(Role::Pawn).any() { None } else { Some(0) };
    }
    let (king, weak_king) = (placement.king(strong), placement.king(!strong));
    let pawns = placement.pieces(strong, Role::Pawn);
    let foremost = pawns.into_iter().map(|pawn| pawn.rank().relative_to(strong).index()).max().unwrap_or(0);
    let material = (100 * balance.counts.officers_value(strong) + 80 * pawns.count() as i32).min(3500);
    let drive = 40 * centre_distance(weak_king) + 10 * closeness(king, weak_king);
    Some(KNOWN_WIN + material + drive + 10 * foremost as i32)
}

fn has_both_colours(squares: Bitboard) -> bool {
    squares.intersects(Bitboard::LIGHT_SQUARES) && squares.intersects(Bitboard::DARK_SQUARES)
}

/// Drive the lone king along the rim to a corner of the bishop's colour, where alone it can be mated.
fn bishop_and_knight(placement: &Placement, strong: Color) -> i32 {
    let (king, weak_king) = (placement.king(strong), placement.king(!strong));
    let is_light = placement.pieces(strong, Role::Bishop).intersects(Bitboard::LIGHT_SQUARES);
    // Turned so that the right corners are the dark ones, a1 and h8.
    let seen = if is_light { weak_king.mirrored() } else { weak_king };
    let diagonal = (seen.file().index() + seen.rank().index()) as i32;
    // 0 anywhere on the long diagonal between the wrong corners, 7 in a right corner.
    let towards_right_corner = (diagonal - 7).abs();
    KNOWN_WIN
        + 600
        + 80 * towards_right_corner
        + 20 * centre_distance(weak_king)
        + 10 * closeness(king, weak_king)
}

fn pawn_against_king(placement: &Placement, strong: Color) -> i32 {
    let Some(pawn) = placement.pieces(strong, Role::Pawn).first() else { return 0 };
    let king = placement.king(strong);
    if kpk::is_won(strong, king, pawn, placement.king(!strong), placement.turn()) {
        let promotion = promotion_square(pawn, strong);
        PAWN_WIN + 60 * pawn.rank().relative_to(strong).index() as i32
            - 4 * i32::from(king.distance(promotion))
    } else {
        0
    }
}

fn promotion_square(pawn: Square, color: Color) -> Square {
    Square::new(pawn.file(), Rank::Eighth.relative_to(color))
}

/// How much of its advantage in the end game a side keeps, from 0 to [`FULL_SCALE`].
///
/// These are rules of the game rather than weights: they say how hard a win is, not how large a lead.
#[inline]
pub(crate) fn scale(placement: &Placement, balance: &Balance, facts: &PawnFacts, strong: Color) -> i32 {
    let counts = balance.counts;
    let pawns = counts.get(strong, Role::Pawn);
    if pawns == 0 {
        return scale_without_pawns(placement, counts, strong);
    }
    // With pieces around, only the pawns' number matters: exchanges leave fewer to win with.
    let general = (44 + 4 * pawns).min(FULL_SCALE);
    let has_one_bishop_each = Color::ALL.into_iter().all(|color| counts.get(color, Role::Bishop) == 1);
    if has_one_bishop_each && has_both_colours(placement.role(Role::Bishop)) {
        return scale_opposite_bishops(placement, facts, strong).min(general);
    }
    if balance.phase > FEW_PIECES {
        return general;
    }
    if is_rook_pawn_fortress(placement, strong) {
        return 0;
    }
    general.min(scale_few_pieces(placement, counts, strong))
}

/// How much of its advantage a side keeps by rules that hold whatever evaluation found the advantage: without pawns a lead
/// may be too small to win with, and a rook's pawn may not get past its corner.
pub(crate) fn certain_scale(placement: &Placement, balance: &Balance, strong: Color) -> i32 {
    if balance.counts.get(strong, Role::Pawn) == 0 {
        scale_without_pawns(placement, balance.counts, strong)
    } else if balance.phase <= FEW_PIECES && is_rook_pawn_fortress(placement, strong) {
        0
    } else {
        FULL_SCALE
    }
}

/// Without pawns a lead of a minor piece seldom wins.
fn scale_without_pawns(placement: &Placement, counts: Counts, strong: Color) -> i32 {
    let (own, enemy) = (counts.officers_value(strong), counts.officers_value(!strong));
    let lead = own - enemy;
    match counts.side(strong) {
        // A minor piece alone cannot mate, two knights cannot force it.
        _ if own <= 3 => 0,
        [0, 2, 0, 0, 0] => 2,
        [0, 0, 0, 0, 1] if is_queen_held_by_pawn(placement, strong) => 6,
        [0, 0, 0, 0, 1] if is_queen_held_by_rook(placement, strong) => 6,
        _ if lead > 3 => FULL_SCALE,
        _ if lead == 3 && own >= 6 && enemy > 0 => 20,
        _ if lead == 3 => FULL_SCALE,
        _ => 8,
    }
}

/// Bishops of opposite colours: the defender holds one colour for good, unless there are too many passed
/// pawns to stop or other pieces to help.
fn scale_opposite_bishops(placement: &Placement, facts: &PawnFacts, strong: Color) -> i32 {
    let officers = placement.officers(Color::White) | placement.officers(Color::Black);
    if officers == placement.role(Role::Bishop) {
        18 + 6 * facts.passed[strong.index()].count() as i32
    } else {
        42 + 2 * placement.officers(strong).count() as i32
    }
}

/// A pawn on a rook's file does not win against a king in its corner: alone, or with a bishop of the
/// other colour.
fn is_rook_pawn_fortress(placement: &Placement, strong: Color) -> bool {
    let pawns = placement.pieces(strong, Role::Pawn);
    let Some(file @ (File::A | File::H)) = pawns.first().map(Square::file) else { return false };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let bishops = placement.pieces(strong, Role::Bishop);
    let corner_colour = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    pawns & !file.bitboard() == Bitboard::EMPTY
        && placement.officers(strong) == bishops
        && !bishops.intersects(corner_colour)
        && placement.king(!strong).distance(corner) <= 1
}

/// The draws one meets with rooks and minor pieces and few pawns.
fn scale_few_pieces(placement: &Placement, counts: Counts, strong: Color) -> i32 {
    let weak = !strong;
    let (own, enemy) = (counts.officers_value(strong), counts.officers_value(weak));
    let [pawns, weak_pawns] = [strong, weak].map(|color| counts.get(color, Role::Pawn));
    let is_rook_ending = [strong, weak].into_iter().all(|color| counts.side(color)[1..] == [0, 0, 1, 0]);
    if is_rook_ending {
        if let (1, 0, Some(pawn)) = (pawns, weak_pawns, placement.pieces(strong, Role::Pawn).single()) {
            let king = placement.king(weak);
            let is_in_front =
                (ahead(strong, pawn) | ahead(strong, pawn).east() | ahead(strong, pawn).west()).has(king);
            let is_last_defence = pawn.rank().relative_to(strong) < Rank::Seventh;
            return if is_in_front && is_last_defence { 20 } else { FULL_SCALE };
        }
        // A pawn more on one wing is often not enough.
        const WING: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
        let all = placement.role(Role::Pawn);
        let is_one_wing = all & WING == all || (all & WING).is_empty();
        return if pawns - weak_pawns <= 1 && is_one_wing { 36 } else { FULL_SCALE };
    }
    // The weaker side gives its piece for the last pawn.
    if pawns == 1 && enemy > 0 && own - enemy <= 0 && own <= 3 {
        return 28;
    }
    FULL_SCALE
}

/// A pawn one step from queening on the file of a rook or bishop, its king next to it, draws against a queen
/// whose king is far away: taking it would be stalemate.
fn is_queen_held_by_pawn(placement: &Placement, strong: Color) -> bool {
    let weak = !strong;
    if placement.officers(weak).any() {
        return false;
    }
    let Some(pawn) = placement.pieces(weak, Role::Pawn).single() else { return false };
    let is_stalemate_file = matches!(pawn.file(), File::A | File::C | File::F | File::H);
    let promotion = promotion_square(pawn, weak);
    is_stalemate_file
        && pawn.rank().relative_to(weak) == Rank::Seventh
        && placement.king(weak).distance(promotion) <= 1
        && placement.king(strong).distance(promotion) > 4
}

/// A rook on the third rank that its pawn protects keeps queen and king out.
fn is_queen_held_by_rook(placement: &Placement, strong: Color) -> bool {
    let weak = !strong;
    let Some(rook) = placement.pieces(weak, Role::Rook).single() else { return false };
    let king = placement.king(weak);
    let guards = attacks::pawn(strong, rook) & placement.pieces(weak, Role::Pawn) & attacks::king(king);
    rook.rank().relative_to(weak) == Rank::Third
        && king.rank().relative_to(weak) <= Rank::Second
        && guards.any()
        && placement.king(strong).rank().relative_to(weak) > Rank::Third
}
