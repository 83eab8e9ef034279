//! Claims: what the coach may say. Each is a fact that rules or search have verified, with all that is needed to
//! check it again.

use crate::endings::Ending;
use crate::exchange::Deal;
use crate::explain::ErrorKind;
use crate::line::Line;
use crate::motif::Motif;
use crate::notation::san_line;
use crate::structure::Feature;
use chess::pgn::EvalScore;
use chess::{Bitboard, Color, Move, Position, Role, Square};

/// A line to play through.
#[derive(Clone, PartialEq, Debug)]
pub struct Variation {
    /// Where it begins.
    pub start: Position,
    /// Its moves, legal from there.
    pub moves: Vec<Move>,
}

impl Variation {
    /// The first moves of a line.
    #[must_use]
    pub fn of(line: &Line, moves: usize) -> Self {
        let moves = line.moves().iter().copied().take(moves).collect();
        Self { start: *line.start(), moves }
    }

    /// As people read it: `12... Nf6 13. O-O`.
    #[must_use]
    pub fn san(&self) -> String {
        san_line(&self.start, &self.moves)
    }

    /// The first move with its number.
    #[must_use]
    pub fn first_san(&self) -> String {
        san_line(&self.start, &self.moves[..self.moves.len().min(1)])
    }

    /// What follows the first move.
    #[must_use]
    pub fn rest_san(&self) -> String {
        match self.moves.split_first() {
            Some((&first, rest)) if self.start.is_legal(first) => san_line(&self.start.after(first), rest),
            _ => String::new(),
        }
    }

    /// The variation as a line.
    #[must_use]
    pub fn line(&self) -> Line {
        Line::new(self.start, self.moves.iter().copied())
    }
}

/// A piece on its square.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Man {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
}

impl Man {
    /// The piece on a square of a position.
    #[must_use]
    pub fn on(position: &Position, square: Square) -> Option<Self> {
        let piece = position.piece_on(square)?;
        Some(Self { color: piece.color(), role: piece.role(), square })
    }

    /// The pieces on some squares of a position, the most valuable first.
    #[must_use]
    pub fn all_on(position: &Position, squares: Bitboard) -> Vec<Self> {
        let mut men: Vec<Self> =
            squares.into_iter().filter_map(|square| Self::on(position, square)).collect();
        men.sort_by_key(|man| std::cmp::Reverse(man.role.index()));
        men
    }
}

/// What a claim is about: the position as it stands, or a move and what could have been.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Occasion {
    /// The position, with best play.
    Position,
    /// The move that was played does it.
    Played,
    /// The move that was played allows the opponent to do it.
    Allowed,
    /// Another move would have done it.
    Missed,
    /// It comes next if the opponent does nothing about it.
    Threat,
    /// The move that was played stops the opponent from doing it.
    Prevented,
}

impl Occasion {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Played => "played",
            Self::Allowed => "allowed",
            Self::Missed => "missed",
            Self::Threat => "threat",
            Self::Prevented => "prevented",
        }
    }
}

/// How much better a side stands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// Neither side is better.
    Equal,
    /// A little better.
    Slight(Color),
    /// Clearly better, without a certain win.
    Clear(Color),
    /// Winning.
    Winning(Color),
}

/// How a game has ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ended {
    /// This side is mated.
    Checkmate(Color),
    /// This side has no move.
    Stalemate(Color),
    /// Neither side can mate.
    DeadPosition,
}

/// What is claimed.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// The game is over.
    Ended(Ended),
    /// Who stands better, and by how much, as White sees it.
    Verdict {
        /// In words.
        standing: Standing,
        /// In numbers.
        score: EvalScore,
    },
    /// A side mates by force.
    Mate {
        /// Who mates.
        side: Color,
        /// In this number of moves.
        moves: u32,
        /// How.
        variation: Variation,
    },
    /// A side wins material.
    Material {
        /// Who wins it.
        side: Color,
        /// What for what.
        deal: Deal,
        /// How.
        variation: Variation,
    },
    /// A motif does the work.
    Motif {
        /// Which.
        motif: Motif,
        /// Who uses it.
        side: Color,
        /// The piece that does it, where it stands afterwards.
        by: Man,
        /// What it is done to.
        targets: Vec<Man>,
        /// The moves up to the one that does it.
        variation: Variation,
    },
    /// A side gets, or has, a lasting feature.
    Feature {
        /// Which.
        feature: Feature,
        /// Whose.
        side: Color,
        /// Where.
        squares: Bitboard,
        /// The line at whose end it stands.
        variation: Variation,
    },
    /// The side to move has one move that holds or wins; all others are much worse.
    OnlyMove {
        /// The move.
        variation: Variation,
        /// Whether it is the only one because of a threat that it meets.
        defends: bool,
    },
    /// The line that was played ends worse for its mover, in one respect, than the other.
    Trend {
        /// In which respect.
        trend: Trend,
        /// The mover.
        side: Color,
        /// The line with the move that was played.
        variation: Variation,
        /// The line with the better one.
        other: Variation,
    },
    /// How the mover stood with the best move, and how it stands after the one that was played.
    Slips {
        /// Before.
        from: Standing,
        /// After.
        to: Standing,
    },
    /// The move gives up a piece.
    Sacrifice {
        /// What may be taken.
        man: Man,
        /// Whether the position is no worse for it.
        is_sound: bool,
        /// The move and what follows.
        variation: Variation,
    },
    /// The move attacks something more valuable, which has to move.
    GainsTempo {
        /// What is attacked.
        man: Man,
        /// The move.
        variation: Variation,
    },
    /// No move is better than this one.
    Best {
        /// The move.
        variation: Variation,
    },
    /// A side has to move and would rather not.
    Zugzwang {
        /// Who.
        side: Color,
        /// The move that puts it there; empty if it is there already.
        variation: Variation,
    },
    /// What the opening table says of a move.
    Theory {
        /// Whether the move is in it.
        is_known: bool,
        /// The usual move instead, if the one that was played is not it.
        usual: Option<Variation>,
        /// What the usual move does.
        merit: Option<Merit>,
    },
    /// One move is better than another.
    Preferred {
        /// The better move and what follows.
        variation: Variation,
        /// The other one and what follows.
        other: Variation,
    },
    /// Two moves are about as good as each other.
    Alike {
        /// The one and what follows.
        variation: Variation,
        /// The other one and what follows.
        other: Variation,
    },
    /// The move takes back what was just taken.
    Recapture {
        /// What it takes.
        man: Man,
    },
    /// The move brings a knight or bishop out.
    Develops {
        /// Which.
        man: Man,
    },
    /// The move castles.
    Castles {
        /// Who.
        side: Color,
    },
    /// The game follows a named opening.
    Opening {
        /// Its code in the Encyclopaedia of Chess Openings.
        eco: &'static str,
        /// Its name.
        name: &'static str,
    },
    /// The side to move, far behind, can force a draw.
    Draw {
        /// Who saves the game.
        side: Color,
        /// How.
        how: DrawKind,
        /// The line.
        variation: Variation,
    },
    /// The ending is one that the theory of endings knows.
    Ending(Ending),
    /// A piece that deserves a look: the first step of a hint.
    LookAt {
        /// Which.
        man: Man,
    },
    /// What the best move is about, without the move: the second step of a hint.
    Idea(Idea),
    /// The move itself: the last step of a hint.
    Answer {
        /// The move.
        variation: Variation,
    },
    /// The move after which the game was decided, or drawn, for good.
    TurningPoint {
        /// The move.
        variation: Variation,
    },
    /// The kind of error that a side made most often in a game.
    MostOften {
        /// Who.
        side: Color,
        /// Which.
        kind: ErrorKind,
        /// How often.
        count: u32,
    },
    /// What a side should train.
    Train {
        /// Who.
        side: Color,
        /// What the errors were about most often.
        topic: Topic,
    },
    /// The best line leads to this standing.
    Better {
        /// Who stands how afterwards.
        standing: Standing,
        /// The line.
        variation: Variation,
    },
}

/// In what respect the end of one line is worse than that of another.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Trend {
    /// The pieces have fewer squares.
    Activity,
    /// The enemy attacks more squares next to the king, or fewer pawns cover it.
    KingSafety,
    /// More pawns are isolated, doubled or backward.
    PawnStructure,
    /// The enemy's passed pawns are more, or farther on.
    PassedPawns,
}

/// What a move of the opening does.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Merit {
    /// It brings a knight or bishop into play.
    Develops(Role),
    /// It castles.
    Castles,
    /// A pawn takes a square in the centre.
    Centre,
    /// A pawn attacks the enemy's centre.
    AttacksCentre,
}

/// What a move is about, without saying which move it is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Idea {
    /// Mate in this number of moves.
    Mate(u32),
    /// A motif.
    Motif(Motif),
    /// Material can be won.
    Material,
    /// There is a threat to meet.
    Defence,
    /// A lasting feature can be gained.
    Feature(Feature),
    /// The king castles.
    Castles,
    /// A knight or bishop comes into play.
    Develops,
    /// A pawn moves.
    PawnMove,
    /// A piece can be improved.
    Improve,
}

/// Something to train.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// A motif that was missed or allowed.
    Motif(Motif),
    /// Mates.
    Mates,
    /// Counting what is attacked and defended.
    Counting,
    /// Pawn structure and posts.
    Structure,
    /// Saving lost positions.
    Defence,
}

/// How a draw is forced.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DrawKind {
    /// Checks without end.
    PerpetualCheck,
    /// By stalemate.
    Stalemate,
    /// Nothing is left to win with.
    DeadPosition,
    /// The other side has more material and finds no way through.
    Fortress,
}

/// A fact and what it says of the question.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// What it is about.
    pub occasion: Occasion,
    /// What is claimed.
    pub fact: Fact,
}

impl Claim {
    /// A claim.
    #[must_use]
    pub const fn new(occasion: Occasion, fact: Fact) -> Self {
        Self { occasion, fact }
    }

    /// Whether it says why, not only what else there is.
    #[must_use]
    pub const fn is_reason(&self) -> bool {
        !matches!(self.fact, Fact::Better { .. } | Fact::Theory { .. })
    }

    /// The line that shows it, if there is one.
    #[must_use]
    pub const fn variation(&self) -> Option<&Variation> {
        match &self.fact {
            Fact::Mate { variation, .. }
            | Fact::Material { variation, .. }
            | Fact::Motif { variation, .. }
            | Fact::Feature { variation, .. }
            | Fact::OnlyMove { variation, .. }
            | Fact::Trend { variation, .. }
            | Fact::Sacrifice { variation, .. }
            | Fact::GainsTempo { variation, .. }
            | Fact::Best { variation }
            | Fact::Zugzwang { variation, .. }
            | Fact::Preferred { variation, .. }
            | Fact::Alike { variation, .. }
            | Fact::Theory { usual: Some(variation), .. }
            | Fact::Answer { variation }
            | Fact::TurningPoint { variation }
            | Fact::Draw { variation, .. }
            | Fact::Better { variation, .. } => Some(variation),
            _ => None,
        }
    }
}

impl Fact {
    /// A stable name of the kind of fact.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ended(_) => "ended",
            Self::Verdict { .. } => "verdict",
            Self::Mate { .. } => "mate",
            Self::Material { .. } => "material",
            Self::Motif { .. } => "motif",
            Self::Feature { .. } => "feature",
            Self::OnlyMove { .. } => "onlyMove",
            Self::Recapture { .. } => "recapture",
            Self::Develops { .. } => "develops",
            Self::Castles { .. } => "castles",
            Self::Opening { .. } => "opening",
            Self::Draw { .. } => "draw",
            Self::Ending(_) => "ending",
            Self::LookAt { .. } => "lookAt",
            Self::Idea(_) => "idea",
            Self::Answer { .. } => "answer",
            Self::TurningPoint { .. } => "turningPoint",
            Self::MostOften { .. } => "mostOften",
            Self::Train { .. } => "train",
            Self::Better { .. } => "better",
            Self::Trend { .. } => "trend",
            Self::Slips { .. } => "slips",
            Self::Sacrifice { .. } => "sacrifice",
            Self::GainsTempo { .. } => "gainsTempo",
            Self::Best { .. } => "best",
            Self::Zugzwang { .. } => "zugzwang",
            Self::Theory { .. } => "theory",
            Self::Preferred { .. } => "preferred",
            Self::Alike { .. } => "alike",
        }
    }
}

impl Trend {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::KingSafety, Self::PassedPawns, Self::Activity, Self::PawnStructure];

    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::KingSafety => "kingSafety",
            Self::PawnStructure => "pawnStructure",
            Self::PassedPawns => "passedPawns",
        }
    }
}

impl Merit {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Develops(_) => "develops",
            Self::Castles => "castles",
            Self::Centre => "centre",
            Self::AttacksCentre => "attacksCentre",
        }
    }
}

/// A side as it is stored and sent.
#[must_use]
pub const fn side_code(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl Standing {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Slight(_) => "slight",
            Self::Clear(_) => "clear",
            Self::Winning(_) => "winning",
        }
    }

    /// Who stands better.
    #[must_use]
    pub const fn side(self) -> Option<Color> {
        match self {
            Self::Equal => None,
            Self::Slight(color) | Self::Clear(color) | Self::Winning(color) => Some(color),
        }
    }
}

impl Idea {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Mate(_) => "mate",
            Self::Motif(motif) => motif.code(),
            Self::Material => "material",
            Self::Defence => "defence",
            Self::Feature(feature) => feature.code(),
            Self::Castles => "castles",
            Self::Develops => "develops",
            Self::PawnMove => "pawnMove",
            Self::Improve => "improve",
        }
    }
}

impl Topic {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Motif(motif) => motif.code(),
            Self::Mates => "mates",
            Self::Counting => "counting",
            Self::Structure => "structure",
            Self::Defence => "defence",
        }
    }
}

impl DrawKind {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::PerpetualCheck => "perpetualCheck",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "deadPosition",
            Self::Fortress => "fortress",
        }
    }
}
