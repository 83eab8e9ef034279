//! Claims as JSON: the same names for the same things everywhere.

use crate::claim::{Claim, Ended, Fact, Idea, Man, Merit, Variation, side_code};
use crate::notation::coordinate_line;
use chess::pgn::EvalScore;
use chess::{Bitboard, Role, Variant};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

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
                map.serialize_entry("promoted", &names(&deal.promoted))?;
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
            Fact::OnlyMove { defends, .. } => map.serialize_entry("defends", defends)?,
            Fact::Trend { trend, side, other, .. } => {
                map.serialize_entry("trend", trend.code())?;
                map.serialize_entry("side", side_code(*side))?;
                map.serialize_entry("other", other)?;
            }
            Fact::Slips { from, to } => {
                for (key, standing) in [("from", from), ("to", to)] {
                    let side = standing.side().map(side_code);
                    map.serialize_entry(key, &[Some(standing.code()), side])?;
                }
            }
            Fact::Sacrifice { man, is_sound, .. } => {
                map.serialize_entry("man", man)?;
                map.serialize_entry("isSound", is_sound)?;
            }
            Fact::GainsTempo { man, .. } => map.serialize_entry("man", man)?,
            Fact::Castles { side } | Fact::Zugzwang { side, .. } => {
                map.serialize_entry("side", side_code(*side))?;
            }
            Fact::Theory { is_known, merit, .. } => {
                map.serialize_entry("isKnown", is_known)?;
                map.serialize_entry("merit", &merit.map(Merit::code))?;
            }
            Fact::Preferred { other, .. } | Fact::Alike { other, .. } => {
                map.serialize_entry("other", other)?;
            }
            Fact::Best { .. } | Fact::Answer { .. } | Fact::TurningPoint { .. } => {}
        }
        if let Some(variation) = self.variation() {
            map.serialize_entry("line", variation)?;
        }
        map.end()
    }
}
