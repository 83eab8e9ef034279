//! Hints in three steps: what to look at, the idea, the move.

use crate::claim::{Claim, Fact, Idea, Man, Merit, Occasion, Variation};
use crate::explain::threat_claim;
use crate::facts;
use crate::reason::{Course, Look};
use crate::theory;
use chess::{Move, Position, Role};

/// The steps of a hint, each saying more than the one before; none if there is no move.
#[must_use]
pub fn steps(position: &Position, best: &Look, danger: Option<&Look>) -> Vec<Claim> {
    let Some(&mv) = best.moves.first() else { return Vec::new() };
    let course = Course::new(position, &best.moves, best.score, None);
    let motif = course.motif_claim(Occasion::Position);
    let is_winning = course.gain() > 0 || course.mate().is_some_and(|(side, _)| side == course.hero());
    let target = motif.as_ref().filter(|_| is_winning).and_then(|claim| match &claim.fact {
        Fact::Motif { targets, .. } => {
            targets.iter().find(|man| Man::on(position, man.square) == Some(**man)).copied()
        }
        _ => None,
    });
    let idea = match (&motif, course.mate()) {
        (_, Some((side, moves))) if side == course.hero() => Idea::Mate(moves),
        (Some(Claim { fact: Fact::Motif { motif, .. }, .. }), _) if is_winning => Idea::Motif(*motif),
        _ if course.gain() > 0 => Idea::Material,
        _ if is_in_danger(position, danger) => Idea::Defence,
        _ => quiet_idea(position, mv),
    };
    let look = target.or_else(|| Man::on(position, mv.from()));
    let answer = Fact::Answer { variation: Variation { start: *position, moves: vec![mv] } };
    look.map(|man| Fact::LookAt { man })
        .into_iter()
        .chain([Fact::Idea(idea), answer])
        .map(|fact| Claim::new(Occasion::Position, fact))
        .collect()
}

/// What a move is about that neither wins anything nor meets a threat.
fn quiet_idea(position: &Position, mv: Move) -> Idea {
    match theory::merit(position, mv) {
        Some(Merit::Castles) => Idea::Castles,
        Some(Merit::Develops(_)) => Idea::Develops,
        _ if position.role(Role::Pawn).has(mv.from()) => Idea::PawnMove,
        _ => Idea::Improve,
    }
}

fn is_in_danger(position: &Position, danger: Option<&Look>) -> bool {
    let (Some(danger), Some(passed)) = (danger, facts::passed(position)) else { return false };
    let course = Course::new(&passed, &danger.moves, danger.score, None);
    threat_claim(&course, Occasion::Threat).is_some()
}
