//! What a game taught: where it turned, what was missed most often, what to train.

use crate::claim::{Claim, Fact, Occasion, Topic, Variation};
use crate::explain::{ErrorKind, MoveExplanation};
use chess::Color;
use std::collections::BTreeMap;

/// The lesson of a game for one side: up to three claims.
#[must_use]
pub fn of_game<'a>(
    side: Color,
    errors: impl IntoIterator<Item = &'a MoveExplanation>,
    turning_point: Option<Variation>,
) -> Vec<Claim> {
    let mut kinds: BTreeMap<ErrorKind, u32> = BTreeMap::new();
    let mut topics: BTreeMap<Topic, u32> = BTreeMap::new();
    for error in errors {
        if let Some(kind) = error.kind {
            *kinds.entry(kind).or_default() += 1;
            *topics.entry(topic(kind, &error.claims)).or_default() += 1;
        }
    }
    let turn = turning_point.map(|variation| Fact::TurningPoint { variation });
    let kind = most_often(&kinds).map(|(kind, count)| Fact::MostOften { side, kind, count });
    let train = most_often(&topics).map(|(topic, _)| Fact::Train { side, topic });
    [turn, kind, train].into_iter().flatten().map(|fact| Claim::new(Occasion::Position, fact)).collect()
}

/// The most frequent; of several the one that weighs most, which comes first.
fn most_often<T: Copy + Ord>(counts: &BTreeMap<T, u32>) -> Option<(T, u32)> {
    counts.iter().rev().max_by_key(|&(_, count)| count).map(|(&thing, &count)| (thing, count))
}

fn topic(kind: ErrorKind, claims: &[Claim]) -> Topic {
    let motif = claims.iter().find_map(|claim| match &claim.fact {
        Fact::Motif { motif, .. } => Some(*motif),
        _ => None,
    });
    match (kind, motif) {
        (_, Some(motif)) => Topic::Motif(motif),
        (ErrorKind::AllowedMate | ErrorKind::MissedMate, None) => Topic::Mates,
        (ErrorKind::LostMaterial | ErrorKind::MissedMaterial, None) => Topic::Counting,
        (ErrorKind::MissedDraw, None) => Topic::Defence,
        (ErrorKind::Positional, None) => Topic::Structure,
    }
}
