//! Claims: what the coach may say. Each is a fact that rules or search have verified, with all that is needed to
//! check it again.

use crate::endings::Ending;
use crate::exchange::Deal;
use crate::explain::ErrorKind;
use crate::line::Line;
use crate::motif::Motif;
use crate::notation::{coordinate_line, san_line};
use crate::structure::Feature;
use chess::pgn::EvalScore;
use chess::{Bitboard, Color, Move, Position, Role, Square, Variant};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

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

    /// The line that shows it, if there is one.
    #[must_use]
    pub const fn variation(&self) -> Option<&Variation> {
        match &self.fact {
            Fact::Mate { variation, .. }
            | Fact::Material { variation, .. }
            | Fact::Motif { variation, .. }
            | Fact::Feature { variation, .. }
            | Fact::OnlyMove { variation }
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
        }
    }
}

impl Serialize for Variation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Variation", 3)?;
        fields.serialize_field("fen", &self.start.to_fen())?;
        let variant = Variant::of(&self.start);
        fields.serialize_field("moves", &coordinate_line(&self.start, &self.moves, variant))?;
        fields.serialize_field("san", &self.san())?;
        fields.end()
    }
}

impl Serialize for Man {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Man", 3)?;
        fields.serialize_field("side", side_code(self.color))?;
        fields.serialize_field("piece", self.role.name())?;
        fields.serialize_field("square", &self.square.to_string())?;
        fields.end()
    }
}

fn names(roles: &[Role]) -> Vec<&'static str> {
    roles.iter().map(|role| role.name()).collect()
}

fn squares_of(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("occasion", self.occasion.code())?;
        map.serialize_entry("kind", self.fact.code())?;
        match &self.fact {
            Fact::Ended(ended) => {
                let (how, side) = match *ended {
                    Ended::Checkmate(side) => ("checkmate", Some(side)),
                    Ended::Stalemate(side) => ("stalemate", Some(side)),
                    Ended::DeadPosition => ("deadPosition", None),
                };
                map.serialize_entry("how", how)?;
                map.serialize_entry("side", &side.map(side_code))?;
            }
            Fact::Verdict { standing, score } => {
                map.serialize_entry("standing", standing.code())?;
                map.serialize_entry("side", &standing.side().map(side_code))?;
                match score {
                    EvalScore::Centipawns(value) => map.serialize_entry("centipawns", value)?,
                    EvalScore::Mate(moves) => map.serialize_entry("mate", moves)?,
                }
            }
            Fact::Mate { side, moves, .. } => {
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("mateIn", moves)?;
            }
            Fact::Material { side, deal, .. } => {
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("gained", &names(&deal.gained))?;
                map.serialize_entry("lost", &names(&deal.lost))?;
            }
            Fact::Motif { motif, side, by, targets, .. } => {
                map.serialize_entry("motif", motif.code())?;
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("by", by)?;
                map.serialize_entry("targets", targets)?;
            }
            Fact::Feature { feature, side, squares, .. } => {
                map.serialize_entry("feature", feature.code())?;
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("squares", &squares_of(*squares))?;
            }
            Fact::Recapture { man } | Fact::Develops { man } | Fact::LookAt { man } => {
                map.serialize_entry("man", man)?;
            }
            Fact::Castles { side } => map.serialize_entry("side", side_code(*side))?,
            Fact::Opening { eco, name } => {
                map.serialize_entry("eco", eco)?;
                map.serialize_entry("name", name)?;
            }
            Fact::Draw { side, how, .. } => {
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("how", how.code())?;
            }
            Fact::Better { standing, .. } => {
                map.serialize_entry("standing", standing.code())?;
                map.serialize_entry("side", &standing.side().map(side_code))?;
            }
            Fact::Ending(ending) => {
                map.serialize_entry("ending", ending.code())?;
                map.serialize_entry("side", &ending.side().map(side_code))?;
            }
            Fact::Idea(idea) => {
                map.serialize_entry("idea", idea.code())?;
                if let Idea::Mate(moves) = idea {
                    map.serialize_entry("mateIn", moves)?;
                }
            }
            Fact::MostOften { side, kind, count } => {
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("error", kind.code())?;
                map.serialize_entry("count", count)?;
            }
            Fact::Train { side, topic } => {
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("topic", topic.code())?;
            }
            Fact::OnlyMove { .. } | Fact::Answer { .. } | Fact::TurningPoint { .. } => {}
        }
        if let Some(variation) = self.variation() {
            map.serialize_entry("line", variation)?;
        }
        map.end()
    }
}
