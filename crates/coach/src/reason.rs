//! The reasons behind a line: mate, material and the motif that wins it.

use crate::claim::{Claim, DrawKind, Fact, Man, Occasion, Variation};
use crate::exchange::{Deal, quiet_end};
use crate::judge::win_percent;
use crate::line::Line;
use crate::motif::{self, Finding, Motif};
use chess::{Color, Move, Position, Square};
use engine::Score;

/// What a search found: the best line from a position, and its score for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Look {
    /// For the side to move.
    pub score: Score,
    /// The line; empty when the game is over.
    pub moves: Vec<Move>,
}

impl From<&engine::Line> for Look {
    fn from(line: &engine::Line) -> Self {
        Self { score: line.score, moves: line.moves.clone() }
    }
}

/// A line as the coach sees it: up to its quiet end, with what it brings the hero.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// The line up to its quiet end.
    pub(crate) line: Line,
    /// What the hero gets and gives.
    pub(crate) deal: Deal,
    /// The score for the hero.
    pub(crate) score: Score,
}

impl Course {
    pub(crate) fn new(
        start: &Position,
        moves: &[Move],
        score: Score,
        lead_in: Option<(Position, Move)>,
    ) -> Self {
        let whole = Line::new(*start, moves.iter().copied());
        let end = match score.mate_plies() {
            Some(_) => whole.moves().len(),
            None => quiet_end(&whole),
        };
        let mut line = Line::new(*start, moves.iter().copied().take(end));
        if let Some((before, mv)) = lead_in {
            line = line.with_lead_in(before, mv);
        }
        let deal = Deal::along(&line, line.hero(), end);
        Self { line, deal, score }
    }

    pub(crate) fn hero(&self) -> Color {
        self.line.hero()
    }

    /// The side that mates along this line, and in how many moves, if the line shows it to the end.
    pub(crate) fn mate(&self) -> Option<(Color, u32)> {
        let end = self.line.end();
        if !end.is_checkmate() {
            return None;
        }
        let moves = self.score.mate_moves()?;
        Some((!end.turn(), moves.unsigned_abs()))
    }

    fn variation(&self) -> Variation {
        Variation::of(&self.line, self.line.moves().len())
    }

    /// That a side mates along this line.
    pub(crate) fn mate_claim(&self, occasion: Occasion) -> Option<Claim> {
        let (side, moves) = self.mate()?;
        Some(Claim::new(occasion, Fact::Mate { side, moves, variation: self.variation() }))
    }

    /// What the hero wins, in pawns; negative for a loss. A pawn that goes late in a line was not the point of it.
    pub(crate) fn gain(&self) -> i32 {
        match self.deal.balance() {
            -1..=1 if self.line.moves().len() > LATE => 0,
            gain => gain,
        }
    }

    /// Whether the hero has little to hope for.
    pub(crate) fn is_bad_for_hero(&self) -> bool {
        win_percent(self.score) <= 35.0
    }

    /// That the hero, or its opponent, wins material along this line.
    pub(crate) fn material_claim(&self, occasion: Occasion) -> Option<Claim> {
        let gain = self.gain();
        if gain == 0 || self.line.moves().is_empty() {
            return None;
        }
        let (side, deal) =
            if gain > 0 { (self.hero(), self.deal.clone()) } else { (!self.hero(), self.deal.reversed()) };
        Some(Claim::new(occasion, Fact::Material { side, deal, variation: self.variation() }))
    }

    /// The motif that does the hero's work.
    pub(crate) fn motif_claim(&self, occasion: Occasion) -> Option<Claim> {
        let found = motif::find(&self.line);
        let is_mate = self.mate().is_some_and(|(side, _)| side == self.hero());
        let order = if is_mate { MATING } else { WINNING };
        order
            .iter()
            .filter_map(|&wanted| found.iter().find(|finding| finding.motif == wanted))
            .find(|finding| is_mate || self.is_cause(finding))
            .and_then(|finding| self.describe(finding, occasion))
    }

    /// How the hero saves itself, far behind, in a line that is a draw.
    pub(crate) fn draw_claim(&self, occasion: Occasion) -> Option<Claim> {
        let end = self.line.end();
        let how = if end.is_stalemate() {
            DrawKind::Stalemate
        } else if end.is_insufficient_material() {
            DrawKind::DeadPosition
        } else if repeats_by_checks(&self.line) {
            DrawKind::PerpetualCheck
        } else {
            return None;
        };
        Some(Claim::new(occasion, Fact::Draw { side: self.hero(), how, variation: self.variation() }))
    }

    /// Whether what the motif is aimed at falls before the end of the line.
    fn is_cause(&self, finding: &Finding) -> bool {
        match finding.motif {
            Motif::HangingPiece | Motif::Promotion | Motif::UnderPromotion => true,
            Motif::Fork
            | Motif::Pin
            | Motif::Skewer
            | Motif::TrappedPiece
            | Motif::RemovalOfDefender
            | Motif::Interference
            | Motif::DiscoveredAttack => {
                finding.targets.into_iter().any(|square| self.falls(square, finding.index))
            }
            _ => self.gain() > 0,
        }
    }

    /// Whether the hero takes the piece that stands on a square after a move, wherever it goes.
    fn falls(&self, square: Square, after: usize) -> bool {
        let mut at = square;
        for step in self.line.steps().skip(after + 1) {
            if step.mover() != self.hero() {
                if step.from() == at {
                    at = step.to();
                }
            } else if step.to() == at && step.captured().is_some() {
                return true;
            }
        }
        false
    }

    fn describe(&self, finding: &Finding, occasion: Occasion) -> Option<Claim> {
        let step = self.line.step(finding.index)?;
        let (stands, fell_on) = match finding.motif {
            Motif::HangingPiece => (step.after, step.before),
            Motif::Attraction => (step.after, self.line.step(finding.index + 1)?.after),
            _ => (step.after, step.after),
        };
        let by = Man::on(stands, finding.by).or_else(|| Man::on(stands, step.to()))?;
        let targets = Man::all_on(fell_on, finding.targets);
        let fact = Fact::Motif {
            motif: finding.motif,
            side: self.hero(),
            by,
            targets,
            variation: Variation::of(&self.line, finding.index + 1),
        };
        Some(Claim::new(occasion, fact))
    }
}

/// After this number of moves a single pawn is not what a line was about.
const LATE: usize = 7;

/// What may explain a mate, the most telling first.
pub(crate) const MATING: &[Motif] = &[
    Motif::SmotheredMate,
    Motif::BackRankMate,
    Motif::BodenMate,
    Motif::ArabianMate,
    Motif::AnastasiaMate,
    Motif::HookMate,
    Motif::DoubleBishopMate,
    Motif::DoubleCheck,
    Motif::Attraction,
    Motif::Deflection,
    Motif::Clearance,
    Motif::Sacrifice,
    Motif::DiscoveredCheck,
    Motif::UnderPromotion,
];

/// What may explain won material, the most telling first.
pub(crate) const WINNING: &[Motif] = &[
    Motif::HangingPiece,
    Motif::Fork,
    Motif::Skewer,
    Motif::DoubleCheck,
    Motif::DiscoveredAttack,
    Motif::TrappedPiece,
    Motif::RemovalOfDefender,
    Motif::Deflection,
    Motif::Attraction,
    Motif::Interference,
    Motif::Pin,
    Motif::Intermezzo,
    Motif::UnderPromotion,
    Motif::Promotion,
    Motif::Clearance,
];

/// Whether the hero checks with every move and the position comes back.
fn repeats_by_checks(line: &Line) -> bool {
    let checks = line.hero_steps().filter(super::line::Step::gives_check).count();
    let keys: Vec<_> = line.hero_steps().map(|step| step.before.key()).collect();
    let repeats = keys.iter().enumerate().any(|(i, key)| keys[..i].contains(key));
    checks >= 2 && checks == line.hero_moves() && repeats
}
