//! Motifs: the ideas that trainers have names for, found in a line of play.
//!
//! Each motif is a small rule over the moves of a line; the hero of the line is the side that moves first. The names
//! are those that players use; the ideas behind many rules are those of Lichess's puzzle themes.

mod double_attack;
mod king_hunt;
mod lines;
mod luring;
mod material;
mod mates;
mod pawns;
mod tempo;

use crate::line::Line;
use chess::{Bitboard, Square};

macro_rules! motifs {
    ($($(#[$doc:meta])* $motif:ident: $name:literal,)*) => {
        /// An idea that trainers have a name for.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Motif { $($(#[$doc])* $motif),* }

        impl Motif {
            /// All motifs.
            pub const ALL: &[Self] = &[$(Self::$motif),*];

            /// A stable name, the one of Lichess's theme where there is one.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$motif => $name),* }
            }
        }
    };
}

motifs! {
    /// One piece attacks two at once.
    Fork: "fork",
    /// A piece cannot move because of what stands behind it.
    Pin: "pin",
    /// A piece had better not move because of the more valuable one behind it.
    RelativePin: "relativePin",
    /// A piece must move away and what stands behind it falls.
    Skewer: "skewer",
    /// A piece moves away and opens the line of another.
    DiscoveredAttack: "discoveredAttack",
    /// A piece moves away and the one behind it gives check.
    DiscoveredCheck: "discoveredCheck",
    /// Two pieces give check at once.
    DoubleCheck: "doubleCheck",
    /// A slider attacks or defends through an enemy piece.
    XRay: "xRayAttack",
    /// A piece is taken that was not defended.
    HangingPiece: "hangingPiece",
    /// A defended piece is attacked more often than it is defended.
    Outnumbered: "outnumbered",
    /// A piece has no safe square and is lost.
    TrappedPiece: "trappedPiece",
    /// Material is given for something better.
    Sacrifice: "sacrifice",
    /// A defender is taken, and what it defended falls.
    RemovalOfDefender: "capturingDefender",
    /// A defender is drawn away from its duty.
    Deflection: "deflection",
    /// A defender has two duties and cannot fulfil both.
    Overload: "overload",
    /// A piece is drawn to a square where it is worse off.
    Attraction: "attraction",
    /// A piece is put between two enemy pieces that work together.
    Interference: "interference",
    /// A square or line is vacated for another piece.
    Clearance: "clearance",
    /// A move is put in before the expected recapture.
    Intermezzo: "intermezzo",
    /// Neither check nor capture nor threat to take, and yet it decides.
    QuietMove: "quietMove",
    /// A precise move that holds or keeps what was won.
    DefensiveMove: "defensiveMove",
    /// Every move of the side to move makes its position worse.
    Zugzwang: "zugzwang",
    /// A pawn far advanced plays the main part.
    AdvancedPawn: "advancedPawn",
    /// A pawn becomes a queen.
    Promotion: "promotion",
    /// A pawn becomes a lesser piece than a queen.
    UnderPromotion: "underPromotion",
    /// A pawn is taken en passant.
    EnPassant: "enPassant",
    /// The king castles.
    Castling: "castling",
    /// An attack on the king that has castled short.
    KingsideAttack: "kingsideAttack",
    /// An attack on the king that has castled long.
    QueensideAttack: "queensideAttack",
    /// An attack on f2 or f7.
    AttackingF2F7: "attackingF2F7",
    /// The king lacks pawns around it and is checked.
    ExposedKing: "exposedKing",
    /// The line ends in mate.
    Mate: "mate",
    /// Mate on the back rank behind the king's own pawns.
    BackRankMate: "backRankMate",
    /// A knight mates a king that its own pieces shut in.
    SmotheredMate: "smotheredMate",
    /// Knight and rook or queen mate at the edge.
    AnastasiaMate: "anastasiaMate",
    /// Rook and knight mate in the corner.
    ArabianMate: "arabianMate",
    /// Two bishops mate on crossing diagonals.
    BodenMate: "bodenMate",
    /// Two bishops mate on diagonals side by side.
    DoubleBishopMate: "doubleBishopMate",
    /// A queen mates a king whose way off is blocked diagonally behind it.
    DovetailMate: "dovetailMate",
    /// Rook, knight and pawn mate.
    HookMate: "hookMate",
    /// A king at the edge is mated between two of its own pieces.
    EpauletteMate: "epauletteMate",
    /// A queen mates from in front of a king whose ways back are blocked.
    SwallowsTailMate: "swallowstailMate",
}

/// A motif found in a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was found.
    pub motif: Motif,
    /// The move that does it, by its place in the line.
    pub index: usize,
    /// The piece that does it stands here afterwards.
    pub by: Square,
    /// What it is done to.
    pub targets: Bitboard,
    /// What else belongs to it: what a defender guarded, or the piece for which the way is cleared.
    pub related: Option<Square>,
}

impl Finding {
    pub(crate) const fn new(motif: Motif, index: usize, by: Square, targets: Bitboard) -> Self {
        Self { motif, index, by, targets, related: None }
    }

    pub(crate) const fn with(self, related: Square) -> Self {
        Self { related: Some(related), ..self }
    }
}

/// All motifs of a line, each once, the first move that shows it.
#[must_use]
pub fn find(line: &Line) -> Vec<Finding> {
    let finders: [fn(&Line) -> Option<Finding>; 36] = [
        double_attack::fork,
        lines::pin,
        lines::relative_pin,
        lines::skewer,
        lines::discovered_attack,
        lines::discovered_check,
        lines::double_check,
        lines::x_ray,
        material::hanging_piece,
        material::outnumbered,
        material::trapped_piece,
        material::sacrifice,
        material::removal_of_defender,
        luring::overload,
        luring::deflection,
        luring::attraction,
        luring::interference,
        luring::clearance,
        tempo::intermezzo,
        tempo::quiet_move,
        tempo::defensive_move,
        pawns::advanced_pawn,
        pawns::promotion,
        pawns::under_promotion,
        pawns::en_passant,
        pawns::castling,
        king_hunt::kingside_attack,
        king_hunt::queenside_attack,
        king_hunt::attacking_f2_f7,
        king_hunt::exposed_king,
        mates::mate,
        mates::back_rank,
        mates::smothered,
        mates::two_bishops,
        mates::knight_and_rook,
        mates::queen_next_to_king,
    ];
    finders.into_iter().filter_map(|find| find(line)).collect()
}
