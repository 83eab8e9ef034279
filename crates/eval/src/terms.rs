//! The terms of the evaluation: their names, their groups, and where their weights lie.
//!
//! This is the one list from which the struct of weights, the flat vector a tuner works on and the source
//! of the weights file all follow.

use crate::score::{S, Score};
use crate::weights::WEIGHTS;
use chess::Role;
use std::fmt::Write;

/// Terms that belong together, as an explanation shows them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Group {
    Material,
    Imbalance,
    Placement,
    Mobility,
    Pawns,
    Passed,
    Minors,
    Rooks,
    Trapped,
    Shelter,
    KingDanger,
    Threats,
    Space,
    Initiative,
    Tempo,
}

impl Group {
    /// All groups, in the order in which they are shown.
    pub const ALL: [Self; 15] = [
        Self::Material,
        Self::Imbalance,
        Self::Placement,
        Self::Mobility,
        Self::Pawns,
        Self::Passed,
        Self::Minors,
        Self::Rooks,
        Self::Trapped,
        Self::Shelter,
        Self::KingDanger,
        Self::Threats,
        Self::Space,
        Self::Initiative,
        Self::Tempo,
    ];

    /// The name of the group.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Imbalance => "imbalance",
            Self::Placement => "placement",
            Self::Mobility => "mobility",
            Self::Pawns => "pawn structure",
            Self::Passed => "passed pawns",
            Self::Minors => "minor pieces",
            Self::Rooks => "rooks and queen",
            Self::Trapped => "trapped pieces",
            Self::Shelter => "king shelter",
            Self::KingDanger => "king danger",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::Initiative => "initiative",
            Self::Tempo => "tempo",
        }
    }
}

/// How a term's weights enter the evaluation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// White's count minus Black's, times the weight.
    Linear,
    /// Summed for each king, then squared in the middle game.
    Danger,
    /// Summed for both sides, then given to the one that is better in the end game.
    Initiative,
}

macro_rules! terms {
    ($($doc:literal $variant:ident $field:ident [$length:expr] $group:ident $name:literal;)*) => {
        /// One term: a row of weights that are chosen by an index.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Term { $(#[doc = $doc] $variant),* }

        /// Every weight of the evaluation.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Weights { $(#[doc = $doc] pub $field: [S; $length]),* }

        impl Term {
            /// All terms in the order of their weights.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            const LENGTHS: &'static [usize] = &[$($length),*];
            const FIELDS: &'static [(&'static str, &'static str)] = &[$((stringify!($field), $doc)),*];

            /// What the term is called in an explanation.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The group the term belongs to.
            #[must_use]
            pub const fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group),* }
            }
        }

        impl Weights {
            /// All weights in one row, term after term.
            #[must_use]
            pub const fn flatten(&self) -> [S; WEIGHT_COUNT] {
                let mut flat = [S(0, 0); WEIGHT_COUNT];
                let mut at = 0;
                $(
                    let mut i = 0;
                    while i < $length {
                        flat[at] = self.$field[i];
                        at += 1;
                        i += 1;
                    }
                )*
                flat
            }
        }
    };
}

terms! {
    "Pawn, knight, bishop, rook, queen." Material material [5] Material "material";
    "Two bishops or more." BishopPair bishop_pair [1] Imbalance "bishop pair";
    "Each further knight, rook, queen beside the first." SameKind same_kind [3] Imbalance "pieces of one kind";
    "Products of own counts: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R." OwnPairs own_pairs [10] Imbalance "pieces together";
    "Products of an own count and a smaller enemy's: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R." EnemyPairs enemy_pairs [10] Imbalance "pieces against pieces";
    "By square with the own king on the right wing: P, N, B, R, Q, K with the enemy king on the same wing, then on the other. First row is rank 1." Placement placement [768] Placement "placement";
    "By the number of safe squares." KnightMobility knight_mobility [9] Mobility "knight mobility";
    "By the number of safe squares." BishopMobility bishop_mobility [14] Mobility "bishop mobility";
    "By the number of safe squares." RookMobility rook_mobility [15] Mobility "rook mobility";
    "By the number of safe squares." QueenMobility queen_mobility [28] Mobility "queen mobility";
    "Behind an enemy pawn on the file; on a file that is half open for the enemy." Isolated isolated [2] Pawns "isolated pawn";
    "Directly behind an own pawn; farther behind one." Doubled doubled [2] Pawns "doubled pawn";
    "Behind an enemy pawn on the file; on a file that is half open for the enemy." Backward backward [2] Pawns "backward pawn";
    "Protected by a pawn, by rank from the second." Supported supported [6] Pawns "protected pawn";
    "Beside another pawn, by rank from the second." Phalanx phalanx [6] Pawns "pawns side by side";
    "Could become passed with the help of its neighbours, by rank from the second." Candidate candidate [6] Pawns "candidate passed pawn";
    "Passed, by rank from the second." Passed passed [6] Passed "passed pawn";
    "By the distance of the own king to the square ahead, times the ranks beyond the third." PassedOwnKing passed_own_king [8] Passed "own king and passed pawn";
    "By the distance of the enemy king to the square ahead, times the ranks beyond the third." PassedEnemyKing passed_enemy_king [8] Passed "enemy king and passed pawn";
    "An enemy piece stands in front, by rank." PassedBlocked passed_blocked [6] Passed "blockaded passed pawn";
    "No piece on the way and no enemy attack on it, by rank." PassedFree passed_free [6] Passed "passed pawn with a free path";
    "The next square is empty and not attacked, by rank." PassedSafeStep passed_safe_step [6] Passed "passed pawn that can advance";
    "The next square is empty and protected, by rank." PassedSupportedStep passed_supported_step [6] Passed "passed pawn with support ahead";
    "The enemy has only its king, and that comes too late." Unstoppable unstoppable [1] Passed "unstoppable passed pawn";
    "On squares no enemy pawn can attack: alone; protected by a pawn." KnightOutpost knight_outpost [2] Minors "knight outpost";
    "On squares no enemy pawn can attack: alone; protected by a pawn." BishopOutpost bishop_outpost [2] Minors "bishop outpost";
    "A knight that can go to a protected outpost." OutpostInReach outpost_in_reach [1] Minors "outpost in reach of the knight";
    "A pawn right in front of a knight or bishop." MinorBehindPawn minor_behind_pawn [1] Minors "minor piece behind a pawn";
    "By knight and bishop, times the distance from the own king." MinorFarFromKing minor_far_from_king [2] Minors "distance from the own king";
    "Own pawns on the bishop's colour: all; those that cannot move." BadBishop bad_bishop [2] Minors "pawns on the bishop's colour";
    "Sees both centre squares of its long diagonal past everything but pawns." LongDiagonal long_diagonal [1] Minors "bishop on the long diagonal";
    "On a file without own pawns; without any." RookFile rook_file [2] Rooks "rook on an open file";
    "With the enemy king on the last rank or enemy pawns on the seventh: rook; queen." Seventh seventh [2] Rooks "on the seventh rank";
    "Behind an own passed pawn; behind an enemy one." RookBehindPasser rook_behind_passer [2] Rooks "rook behind a passed pawn";
    "An enemy bishop or rook looks at the queen through one piece." QueenXrayed queen_xrayed [1] Rooks "queen in the line of an enemy piece";
    "A rook shut in by its own king." TrappedRook trapped_rook [1] Trapped "rook shut in by its king";
    "Caught on the seventh rank, on the sixth; shut in at home." TrappedBishop trapped_bishop [3] Trapped "trapped bishop";
    "On the rim of the enemy's half without a safe square." TrappedKnight trapped_knight [1] Trapped "trapped knight";
    "By how far the file is from the rim (4), then the rank of the own rearmost pawn, 0 for none (7)." Shelter shelter [28] Shelter "pawn cover";
    "By how far the file is from the rim (4), then the rank of the enemy's foremost pawn, seen from the king, 0 for none (7)." Storm storm [28] Shelter "pawn storm";
    "An enemy pawn that the own cover holds up, by rank." StormBlocked storm_blocked [7] Shelter "halted pawn storm";
    "The king's file without own pawns; without enemy pawns; without any." KingFile king_file [3] Shelter "king on an open file";
    "No pawn at all on the king's wing." PawnlessWing pawnless_wing [1] Shelter "wing without pawns";
    "Times the distance to the nearest pawn." KingFromPawns king_from_pawns [1] Shelter "king far from the pawns";
    "A safe pawn attacks knight, bishop, rook, queen." ThreatByPawn threat_by_pawn [4] Threats "attacked by a pawn";
    "A knight or bishop attacks pawn, knight, bishop, rook, queen that is weak or worth more." ThreatByMinor threat_by_minor [5] Threats "attacked by a minor piece";
    "A rook attacks pawn, knight, bishop, rook, queen that is weak or worth more." ThreatByRook threat_by_rook [5] Threats "attacked by a rook";
    "The king attacks something weak." ThreatByKing threat_by_king [1] Threats "attacked by the king";
    "Attacked and not defended enough: pawn; piece." Hanging hanging [2] Threats "hanging";
    "A pawn can safely step up to attack a piece." ThreatByPush threat_by_push [1] Threats "pawn push that attacks";
    "A safe square from which a knight, a bishop or rook would attack the queen." ThreatOnQueen threat_on_queen [2] Threats "move that attacks the queen";
    "Squares the enemy attacks but cannot safely use." Restricted restricted [1] Threats "restricted enemy squares";
    "Safe squares behind and among the own centre pawns, times pieces, over four." Space space [1] Space "space";
    "To the side that has the move." Tempo tempo [1] Tempo "right to move";
    "Enemy knight, bishop, rook, queen that bears on the ring around the king." RingAttacker ring_attacker [4] KingDanger "attacks the king's surroundings";
    "Each attack on a square next to the king." RingAttack ring_attack [1] KingDanger "attacks next to the king";
    "Squares around the king that only king or queen defends." WeakRing weak_ring [1] KingDanger "weak squares around the king";
    "Safe checks by knight, bishop, rook, queen: one each, then several." SafeCheck safe_check [8] KingDanger "safe check";
    "Squares of checks that cost the checking piece." UnsafeCheck unsafe_check [1] KingDanger "possible check";
    "Own pieces that shield the king and cannot leave." PinnedPiece pinned_piece [1] KingDanger "pinned piece";
    "Files next to the king without an own pawn." OpenFileNearKing open_file_near_king [1] KingDanger "open file near the king";
    "Squares on the king's wing that the enemy attacks; twice." WingAttack wing_attack [2] KingDanger "attacks on the king's wing";
    "Squares on the king's wing that the own side defends." WingDefence wing_defence [1] KingDanger "defence of the king's wing";
    "A knight next to the king." KnightDefender knight_defender [1] KingDanger "knight beside the king";
    "The enemy has no queen." NoQueen no_queen [1] KingDanger "no enemy queen";
    "Always there, to set the level at which danger begins." DangerBase danger_base [1] KingDanger "base of the danger";
    "Always; passed pawns; pawns; pawns on both wings; a king beyond the middle; kings apart by file; only pawns left; hardly winnable." Initiative initiative [8] Initiative "initiative";
}

/// The number of all weights.
pub const WEIGHT_COUNT: usize = {
    let (mut count, mut i) = (0, 0);
    while i < Term::LENGTHS.len() {
        count += Term::LENGTHS[i];
        i += 1;
    }
    count
};

const OFFSETS: [usize; Term::ALL.len()] = {
    let mut offsets = [0; Term::ALL.len()];
    let mut i = 1;
    while i < offsets.len() {
        offsets[i] = offsets[i - 1] + Term::LENGTHS[i - 1];
        i += 1;
    }
    offsets
};

impl Term {
    /// How many weights the term has.
    #[must_use]
    #[inline]
    pub const fn weights(self) -> usize {
        Self::LENGTHS[self as usize]
    }

    /// Where the term's weights begin in the row of all weights.
    #[must_use]
    #[inline]
    pub const fn offset(self) -> usize {
        OFFSETS[self as usize]
    }

    /// The term that a weight belongs to, by its place in the row of all weights, and its index there.
    #[must_use]
    pub fn of_weight(weight: usize) -> (Self, usize) {
        let term = OFFSETS.partition_point(|&offset| offset <= weight) - 1;
        (Self::ALL[term], weight - OFFSETS[term])
    }

    /// How the term's weights enter the evaluation.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self.group() {
            Group::KingDanger => Kind::Danger,
            Group::Initiative => Kind::Initiative,
            _ => Kind::Linear,
        }
    }
}

/// The first weight of the danger to kings: all before it are linear.
pub(crate) const DANGER_START: usize = Term::RingAttacker.offset();

/// The first weight of the initiative: the last of all.
pub(crate) const INITIATIVE_START: usize = Term::Initiative.offset();

/// A power of two, so that a mask spares the bounds check.
const PADDED: usize = WEIGHT_COUNT.next_power_of_two();

/// The weights the evaluation plays with, in one row.
static FLAT: [Score; PADDED] = {
    let weights = WEIGHTS.flatten();
    let mut flat = [Score::ZERO; PADDED];
    let mut i = 0;
    while i < WEIGHT_COUNT {
        flat[i] = Score::new(weights[i]);
        i += 1;
    }
    flat
};

/// One weight of a term.
#[inline(always)]
pub(crate) fn weight(term: Term, index: usize) -> Score {
    FLAT[(term.offset() + index) & (PADDED - 1)]
}

/// The source text of `weights.rs` for a row of weights, as [`Weights::flatten`] makes it.
///
/// # Panics
/// When there are more or fewer than [`WEIGHT_COUNT`] weights.
#[must_use]
pub fn weights_source(weights: &[S]) -> String {
    assert_eq!(weights.len(), WEIGHT_COUNT, "one weight for each place");
    let mut source = String::from(
        "//! The weights of the evaluation, in units for middle game and end game. Data only: this file is\n\
         //! written by the tuner, from the list in `terms.rs`.\n\n\
         use crate::score::S;\n\
         use crate::terms::Weights;\n\n\
         /// The weights Gardez plays with.\n\
         #[rustfmt::skip]\n\
         pub const WEIGHTS: Weights = Weights {\n",
    );
    let mut rest = weights;
    for (&term, (field, doc)) in Term::ALL.iter().zip(Term::FIELDS) {
        let (own, after) = rest.split_at(term.weights());
        rest = after;
        let _ = write!(source, "    // {doc}\n    {field}: [");
        if own.len() <= ROW {
            let row: Vec<_> = own.iter().map(|weight| format!("S({}, {})", weight.0, weight.1)).collect();
            let _ = writeln!(source, "{}],", row.join(", "));
            continue;
        }
        source.push('\n');
        let row_length = if own.len() % 7 == 0 { 7 } else { ROW };
        for row in own.chunks(row_length) {
            source.push_str("       ");
            for weight in row {
                let _ = write!(source, " S({:>4}, {:>4}),", weight.0, weight.1);
            }
            source.push('\n');
        }
        source.push_str("    ],\n");
    }
    source.push_str("};\n");
    source
}

/// All terms with their weights as tables in Markdown, one for each group, middle game and end game apart.
///
/// # Panics
/// When there are more or fewer than [`WEIGHT_COUNT`] weights.
#[must_use]
pub fn weights_table(weights: &[S]) -> String {
    assert_eq!(weights.len(), WEIGHT_COUNT, "one weight for each place");
    let mut table = String::new();
    for group in Group::ALL {
        let heading = group.name();
        let _ = write!(table, "#### {}{}\n\n", heading[..1].to_uppercase(), &heading[1..]);
        table.push_str("| term | weights for | middle game | end game |\n|---|---|---|---|\n");
        let terms = Term::ALL.iter().zip(Term::FIELDS).filter(|(term, _)| term.group() == group);
        for (&term, (field, doc)) in terms {
            let own = &weights[term.offset()..term.offset() + term.weights()];
            if term == Term::Placement {
                for (kind, squares) in own.chunks(64).enumerate() {
                    let wing = if kind < Role::ALL.len() { "same wing" } else { "other wing" };
                    let what =
                        format!("{}, enemy king on the {wing}", Role::ALL[kind % Role::ALL.len()].name());
                    push_row(&mut table, field, &what, squares, 8);
                }
            } else {
                push_row(&mut table, field, doc.trim_end_matches('.'), own, own.len());
            }
        }
        table.push('\n');
    }
    table
}

fn push_row(table: &mut String, field: &str, what: &str, weights: &[S], row_length: usize) {
    let half = |half: fn(&S) -> i16| {
        let row =
            |row: &[S]| row.iter().map(|weight| half(weight).to_string()).collect::<Vec<_>>().join(", ");
        weights.chunks(row_length).map(row).collect::<Vec<_>>().join("<br>")
    };
    let _ =
        writeln!(table, "| `{field}` | {what} | {} | {} |", half(|weight| weight.0), half(|weight| weight.1));
}

/// Weights in one row of the weights file: as many as a rank of the board has squares.
const ROW: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_file_is_as_the_tuner_writes_it() {
        assert_eq!(weights_source(&WEIGHTS.flatten()), include_str!("weights.rs"));
    }

    #[test]
    fn the_table_has_every_term() {
        let table = weights_table(&WEIGHTS.flatten());
        for (field, _) in Term::FIELDS {
            assert!(table.contains(&format!("| `{field}` |")), "{field}");
        }
        let S(mg, eg) = WEIGHTS.tempo[0];
        assert!(
            table.contains(&format!("| `tempo` | To the side that has the move | {mg} | {eg} |")),
            "{table}"
        );
    }

    #[test]
    fn weights_know_their_terms() {
        for &term in Term::ALL {
            assert_eq!(Term::of_weight(term.offset()), (term, 0));
            let kind = match term.offset() {
                INITIATIVE_START.. => Kind::Initiative,
                DANGER_START.. => Kind::Danger,
                _ => Kind::Linear,
            };
            assert_eq!(term.kind(), kind);
            assert_eq!(Term::of_weight(term.offset() + term.weights() - 1), (term, term.weights() - 1));
        }
    }
}
