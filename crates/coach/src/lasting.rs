//! What lasts: features and trends at the quiet ends of lines, weighed by the evaluation.

use crate::claim::{Claim, Fact, Occasion, Trend, Variation};
use crate::facts::{attacks_from, officers};
use crate::line::Line;
use crate::reason::Course;
use crate::structure::{self, Feature};
use chess::{Bitboard, Color, File, Position, Rank, Square};
use eval::{Explanation, Group, Term};

/// A feature that counts less than this, in units of the evaluation, is not mentioned.
const LEAST_FEATURE: i32 = 12;

/// A difference of a group of terms that counts less than this is not mentioned.
const LEAST_TREND: i32 = 25;

/// A feature with how much it counts at the end of a line.
struct Weighed {
    feature: Feature,
    side: Color,
    squares: Bitboard,
    centipawns: i32,
}

fn weigh(position: &Position, features: impl Iterator<Item = (Feature, Color, Bitboard)>) -> Vec<Weighed> {
    let explanation = eval::explain(position);
    let mut weighed: Vec<Weighed> = features
        .map(|(feature, side, squares)| Weighed {
            centipawns: importance(&explanation, feature, side, squares)
                .max(salience(position, feature, squares)),
            feature,
            side,
            squares,
        })
        .filter(|weighed| weighed.centipawns >= LEAST_FEATURE && is_remarkable(position, weighed))
        .collect();
    weighed.sort_by_key(|weighed| std::cmp::Reverse(weighed.centipawns));
    weighed
}

/// A passed pawn that has hardly moved is a matter of the ending.
fn is_remarkable(position: &Position, weighed: &Weighed) -> bool {
    let officers: u32 = Color::ALL.into_iter().map(|side| officers(position, side).count()).sum();
    let is_far = |pawn: Square| pawn.relative_to(weighed.side).rank() >= Rank::Fourth;
    let is_passed = matches!(weighed.feature, Feature::PassedPawn | Feature::ProtectedPassedPawn);
    !is_passed || officers <= 4 || weighed.squares.into_iter().any(is_far)
}

/// How much a feature is noticed by players, whatever the evaluation makes of it: it names the character of a position.
fn salience(position: &Position, feature: Feature, squares: Bitboard) -> i32 {
    let is_middle_game = position.occupied().count() >= 20;
    let in_the_centre = squares.intersects(File::D.bitboard() | File::E.bitboard());
    match feature {
        Feature::IsolatedPawn if !(is_middle_game && in_the_centre) => 0,
        Feature::IsolatedPawn | Feature::ProtectedPassedPawn => 30,
        Feature::UnstoppablePawn => 1000,
        Feature::PassedPawn | Feature::KnightOutpost | Feature::KingInTheMiddle | Feature::Development => 20,
        Feature::BishopPair | Feature::RookOnSeventh => 15,
        _ => 0,
    }
}

/// How much the evaluation makes of a feature, in its units.
fn importance(explanation: &Explanation, feature: Feature, side: Color, squares: Bitboard) -> i32 {
    let terms: &[Term] = match feature {
        Feature::IsolatedPawn => &[Term::Isolated],
        Feature::DoubledPawns => &[Term::Doubled],
        Feature::BackwardPawn => &[Term::Backward],
        Feature::PassedPawn | Feature::ProtectedPassedPawn => &[
            Term::Passed,
            Term::PassedFree,
            Term::PassedSafeStep,
            Term::PassedSupportedStep,
            Term::Unstoppable,
        ],
        Feature::KnightOutpost => &[Term::KnightOutpost],
        Feature::BishopOutpost => &[Term::BishopOutpost],
        Feature::RookOnOpenFile | Feature::RookOnHalfOpenFile => &[Term::RookFile],
        Feature::RookOnSeventh => &[Term::Seventh],
        Feature::BishopPair => &[Term::BishopPair],
        Feature::BadBishop => &[Term::BadBishop],
        Feature::RookBehindPassedPawn => &[Term::RookBehindPasser],
        Feature::PawnChain => &[Term::Supported],
        Feature::Space => &[Term::Space],
        Feature::GoodBishop => &[Term::BishopMobility],
        Feature::KingAttack => return king_danger(explanation, !side),
        Feature::SafeKing | Feature::Development | Feature::UnstoppablePawn => return 0,
        Feature::BareKing | Feature::KingInTheMiddle => return king_danger(explanation, side),
    };
    let items = explanation.items.iter().filter(|item| {
        item.color == side
            && terms.contains(&item.term)
            && (item.squares.is_empty() || item.squares.intersects(squares))
    });
    items.map(|item| item.value.here).sum::<i32>().abs()
}

fn king_danger(explanation: &Explanation, side: Color) -> i32 {
    let groups = explanation.groups.iter();
    groups
        .filter(|group| matches!(group.group, Group::KingDanger | Group::Shelter))
        .map(|group| -group.sides[side.index()].here)
        .sum()
}

fn feature_claim(occasion: Occasion, weighed: &Weighed, line: &Line) -> Claim {
    Claim::new(
        occasion,
        Fact::Feature {
            feature: weighed.feature,
            side: weighed.side,
            squares: weighed.squares,
            variation: Variation::of(line, line.moves().len()),
        },
    )
}

/// Features of the position that are still there at the quiet end of the best line.
pub(crate) fn lasting_features(position: &Position, course: &Course) -> Vec<Claim> {
    let end = course.line.end();
    let both = Color::ALL.into_iter().flat_map(|side| {
        structure::features(position, side).into_iter().filter_map(move |(feature, squares)| {
            let later = structure::squares(end, side, feature);
            let lasting = if feature.is_whole() && later.any() { squares } else { squares & later };
            lasting.any().then_some((feature, side, lasting))
        })
    });
    let here = Line::new(*position, []);
    distinct(weigh(end, both))
        .iter()
        .map(|weighed| feature_claim(Occasion::Position, weighed, &here))
        .collect()
}

/// Leaves out what another feature says better: a protected or unstoppable passed pawn is also a passed one.
fn distinct(mut weighed: Vec<Weighed>) -> Vec<Weighed> {
    let better: Vec<(Color, Bitboard)> = weighed
        .iter()
        .filter(|weighed| matches!(weighed.feature, Feature::ProtectedPassedPawn | Feature::UnstoppablePawn))
        .map(|weighed| (weighed.side, weighed.squares))
        .collect();
    weighed.retain(|weighed| {
        weighed.feature != Feature::PassedPawn
            || !better
                .iter()
                .any(|&(side, squares)| side == weighed.side && squares.intersects(weighed.squares))
    });
    weighed
}

/// The squares of a feature that were not there before; what counts only as a whole is new or it is not.
fn gained(feature: Feature, squares: Bitboard, earlier: Bitboard) -> Bitboard {
    if feature.is_whole() && earlier.any() { Bitboard::EMPTY } else { squares & !earlier }
}

/// Features that are worse for the mover at the end of the played line than at the end of the best one, and count at
/// least this much.
pub(crate) fn feature_changes(played: &Course, missed: &Course, mover: Color, least: i32) -> Vec<Claim> {
    let (end, other) = (played.line.end(), missed.line.end());
    let new = Color::ALL.into_iter().flat_map(|side| {
        let harms = move |feature: &Feature| feature.is_good() != (side == mover);
        structure::features(end, side).into_iter().filter(move |(feature, _)| harms(feature)).filter_map(
            move |(feature, squares)| {
                let new = gained(feature, squares, structure::squares(other, side, feature));
                new.any().then_some((feature, side, new))
            },
        )
    });
    let mut weighed = distinct(weigh(end, new));
    weighed.retain(|weighed| weighed.centipawns >= least);
    weighed.iter().take(2).map(|weighed| feature_claim(Occasion::Allowed, weighed, &played.line)).collect()
}

/// Features that the move brings its side, still there at the end of the line.
pub(crate) fn new_features(before: &Position, played: &Course) -> Vec<Claim> {
    let mover = before.turn();
    let end = played.line.end();
    let new = structure::features(end, mover)
        .into_iter()
        .filter(|(feature, _)| feature.is_good())
        .filter_map(|(feature, squares)| {
            let new = gained(feature, squares, structure::squares(before, mover, feature));
            new.any().then_some((feature, mover, new))
        });
    let weighed = distinct(weigh(end, new));
    weighed.iter().take(1).map(|weighed| feature_claim(Occasion::Played, weighed, &played.line)).collect()
}

/// In what respect the end of the played line is worse for the mover than that of the best one: the one in which the
/// evaluation differs most, if plain counting agrees with it.
pub(crate) fn trend(played: &Course, missed: &Course, mover: Color) -> Option<Claim> {
    let (end, other) = (played.line.end(), missed.line.end());
    let (here, there) = (eval::explain(end), eval::explain(other));
    let loss = |trend: Trend| lead(&there, trend, mover) - lead(&here, trend, mover);
    let trend = Trend::ALL
        .into_iter()
        .filter(|&trend| loss(trend) >= LEAST_TREND && is_worse(trend, end, other, mover))
        .max_by_key(|&trend| loss(trend))?;
    let whole = |course: &Course| Variation::of(&course.line, course.line.moves().len());
    let fact = Fact::Trend { trend, side: mover, variation: whole(played), other: whole(missed) };
    Some(Claim::new(Occasion::Allowed, fact))
}

/// How far a side is ahead in what a trend is about, by the evaluation.
fn lead(explanation: &Explanation, trend: Trend, side: Color) -> i32 {
    let groups: &[Group] = match trend {
        Trend::Activity => &[Group::Mobility],
        Trend::KingSafety => &[Group::KingDanger, Group::Shelter],
        Trend::PawnStructure => &[Group::Pawns],
        Trend::PassedPawns => &[Group::Passed],
    };
    let scores = explanation.groups.iter().filter(|score| groups.contains(&score.group));
    scores.map(|score| score.sides[side.index()].here - score.sides[(!side).index()].here).sum()
}

/// Whether plain counting says that a side is worse off in one position than in another.
fn is_worse(trend: Trend, here: &Position, there: &Position, side: Color) -> bool {
    match trend {
        Trend::Activity => mobility(here, side) + 4 <= mobility(there, side),
        Trend::KingSafety => {
            let attacked = |position| structure::attacks_on_king(position, !side);
            attacked(here) > attacked(there) || structure::cover(here, side) < structure::cover(there, side)
        }
        Trend::PawnStructure => weak_pawns(here, side) > weak_pawns(there, side),
        Trend::PassedPawns => progress(here, !side) > progress(there, !side),
    }
}

/// The squares that the pieces of a side attack, without those where its own men stand.
fn mobility(position: &Position, side: Color) -> u32 {
    let own = position.side(side);
    officers(position, side).into_iter().map(|square| (attacks_from(position, square) & !own).count()).sum()
}

fn weak_pawns(position: &Position, side: Color) -> u32 {
    let weaknesses = [Feature::IsolatedPawn, Feature::DoubledPawns, Feature::BackwardPawn];
    weaknesses.into_iter().map(|feature| structure::squares(position, side, feature).count()).sum()
}

/// The ranks that the passed pawns of a side have gone.
fn progress(position: &Position, side: Color) -> usize {
    let passed = structure::squares(position, side, Feature::PassedPawn);
    passed.into_iter().map(|pawn| pawn.relative_to(side).rank().index()).sum()
}
