//! The reasons behind a line: mate, material and the motif that wins it.

use crate::claim::{Claim, DrawKind, Fact, Man, Occasion, Variation};
use crate::exchange::{Deal, is_settled, quiet_end};
use crate::facts::{attacks_from, balance};
use crate::judge::{WINNING_PERCENT, win_percent};
use crate::line::Line;
use crate::motif::{self, Finding, Motif};
use chess::{Color, Move, Position, Role, Square};
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

impl Look {
    /// A move and the opponent's best line after it, for the mover: mates are a half-move farther away.
    #[must_use]
    pub fn of_move(mv: Move, reply: &Self) -> Self {
        let score = match reply.score.mate_plies().map(|plies| plies.unsigned_abs() as usize + 1) {
            Some(plies) if reply.score.is_loss() => Score::mate_in(plies),
            Some(plies) => Score::mated_in(plies),
            None => -reply.score,
        };
        Self { score, moves: [mv].into_iter().chain(reply.moves.iter().copied()).collect() }
    }
}

/// A line as the coach sees it: up to its quiet end, with what it brings the hero.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// The line up to its quiet end.
    pub(crate) line: Line,
    /// What the hero gets and gives.
    pub(crate) deal: Deal,
    /// Whether the line ends where nothing more can be taken at once.
    is_settled: bool,
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
        let is_shown = score.mate_plies().is_some() || draw_shown(&whole).is_some();
        let end = if is_shown { whole.moves().len() } else { quiet_end(&whole) };
        let mut line = Line::new(*start, moves.iter().copied().take(end));
        if let Some((before, mv)) = lead_in {
            line = line.with_lead_in(before, mv);
        }
        let deal = Deal::along(&line, line.hero(), end);
        let is_settled = is_shown || is_settled(line.end());
        Self { line, deal, is_settled, score }
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

    /// The whole line.
    pub(crate) fn variation(&self) -> Variation {
        Variation::of(&self.line, self.line.moves().len())
    }

    /// That a side mates along this line.
    pub(crate) fn mate_claim(&self, occasion: Occasion) -> Option<Claim> {
        let (side, moves) = self.mate()?;
        Some(Claim::new(occasion, Fact::Mate { side, moves, variation: self.variation() }))
    }

    /// What the hero wins, in pawns; negative for a loss. A pawn that goes late in a line was not the point of it, and in
    /// the middle of an exchange nothing is won yet.
    pub(crate) fn gain(&self) -> i32 {
        match self.deal.balance() {
            _ if !self.is_settled => 0,
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
        let side = if gain > 0 { self.hero() } else { !self.hero() };
        let deal = Deal::along(&self.line, side, self.line.moves().len());
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

    /// The same as a reason: that a pawn promotes is said with what it brings, and a rook or bishop instead of a queen is
    /// seldom the point.
    pub(crate) fn motif_reason(&self, occasion: Occasion) -> Option<Claim> {
        self.motif_claim(occasion).filter(|claim| match &claim.fact {
            Fact::Motif { motif: Motif::Promotion, .. } => self.deal.promoted.is_empty(),
            Fact::Motif { motif: Motif::UnderPromotion, by, .. } => by.role == Role::Knight,
            _ => true,
        })
    }

    /// How the hero saves itself, far behind, in a line that is a draw.
    pub(crate) fn draw_claim(&self, occasion: Occasion) -> Option<Claim> {
        let how = draw_shown(&self.line)?;
        Some(Claim::new(occasion, Fact::Draw { side: self.hero(), how, variation: self.variation() }))
    }

    /// The same, if the hero is behind in material and the score says draw.
    pub(crate) fn saving_draw(&self, occasion: Occasion) -> Option<Claim> {
        let is_behind = balance(self.line.start(), self.hero()) <= -2;
        let is_level = self.score.centipawns().abs() <= 5;
        if is_behind && is_level { self.draw_claim(occasion) } else { None }
    }

    /// Whether what the motif is aimed at falls before the end of the line.
    fn is_cause(&self, finding: &Finding) -> bool {
        match finding.motif {
            Motif::HangingPiece | Motif::Promotion | Motif::UnderPromotion => true,
            Motif::Fork
            | Motif::Pin
            | Motif::RelativePin
            | Motif::Skewer
            | Motif::TrappedPiece
            | Motif::RemovalOfDefender
            | Motif::Interference => {
                self.gain() > 0 && finding.targets.into_iter().any(|square| self.falls(square, finding.index))
            }
            Motif::DiscoveredAttack => self.line.step(finding.index).is_some_and(|step| {
                let attacked = attacks_from(step.after, finding.by) & finding.targets;
                attacked.into_iter().any(|square| self.falls(square, finding.index))
            }),
            // Many moves are quiet: only one that begins a line which wins a piece, and the game, is remarkable.
            Motif::QuietMove => {
                finding.index == 0 && self.gain() >= 3 && win_percent(self.score) >= WINNING_PERCENT
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
            Motif::HangingPiece | Motif::Outnumbered => (step.after, step.before),
            Motif::Attraction => (step.after, self.line.step(finding.index + 1)?.after),
            _ => (step.after, step.after),
        };
        let by = Man::on(stands, finding.by).or_else(|| Man::on(stands, step.to()))?;
        let mut targets = Man::all_on(fell_on, finding.targets);
        targets.extend(finding.related.and_then(|square| Man::on(fell_on, square)));
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
    Motif::DovetailMate,
    Motif::SwallowsTailMate,
    Motif::EpauletteMate,
    Motif::DoubleCheck,
    Motif::Attraction,
    Motif::Deflection,
    Motif::Clearance,
    Motif::Sacrifice,
    Motif::DiscoveredCheck,
    Motif::UnderPromotion,
    Motif::QuietMove,
];

/// What may explain won material, the most telling first.
pub(crate) const WINNING: &[Motif] = &[
    Motif::HangingPiece,
    Motif::Outnumbered,
    Motif::Fork,
    Motif::Skewer,
    Motif::DoubleCheck,
    Motif::DiscoveredAttack,
    Motif::DiscoveredCheck,
    Motif::TrappedPiece,
    Motif::RemovalOfDefender,
    Motif::Overload,
    Motif::Deflection,
    Motif::Attraction,
    Motif::Interference,
    Motif::Pin,
    Motif::RelativePin,
    Motif::XRay,
    Motif::Intermezzo,
    Motif::UnderPromotion,
    Motif::Promotion,
    Motif::Clearance,
    Motif::QuietMove,
];

/// The draw that a line ends with.
fn draw_shown(line: &Line) -> Option<DrawKind> {
    let end = line.end();
    if end.is_stalemate() {
        Some(DrawKind::Stalemate)
    } else if end.is_insufficient_material() {
        Some(DrawKind::DeadPosition)
    } else if repeats_by_checks(line) {
        Some(DrawKind::PerpetualCheck)
    } else {
        None
    }
}

/// Whether the hero checks with every move and a position comes back.
fn repeats_by_checks(line: &Line) -> bool {
    let checks = line.hero_steps().filter(super::line::Step::gives_check).count();
    let keys: Vec<_> = line.steps().map(|step| step.before.key()).chain([line.end().key()]).collect();
    let repeats = keys.iter().enumerate().any(|(i, key)| keys[..i].contains(key));
    checks >= 2 && checks == line.hero_moves() && repeats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_won_in_the_middle_of_an_exchange() {
        let start: Position = "4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let takes = start.parse_san("exd5").unwrap();
        let back = start.after(takes).parse_san("cxd5").unwrap();
        let gain = |moves: &[Move]| Course::new(&start, moves, Score::evaluation(100), None).gain();
        assert_eq!(gain(&[takes]), 0);
        assert_eq!(gain(&[takes, back]), 2);
    }
}
