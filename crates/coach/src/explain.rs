//! What is to be said of a position or a move, as claims, the most important first.

use crate::claim::{Claim, Ended, Fact, Man, Occasion, Standing, Variation};
use crate::endings;
use crate::judge::{Judgement, win_percent};
use crate::line::Line;
use crate::reason::{Course, Look};
use crate::structure::{self, Feature};
use chess::{Bitboard, Color, File, Move, Position, Role};
use engine::Score;
use eval::{Group, Term};

/// The most things said of a move or position besides the verdict.
const MOST_REASONS: usize = 3;

/// A second-best move this many points of the win percentage worse leaves only one good move.
const ONLY_MOVE_LOSS: f64 = 15.0;

/// A feature that counts less than this, in centipawns, is not mentioned.
const LEAST_FEATURE: i32 = 12;

/// Why a position is as it is.
#[must_use]
pub fn position(position: &Position, looks: &[Look]) -> Vec<Claim> {
    if let Some(ended) = ended(position) {
        return vec![Claim::new(Occasion::Position, Fact::Ended(ended))];
    }
    let Some(best) = looks.first() else { return Vec::new() };
    let turn = position.turn();
    let score = best.score.for_white(turn);
    let standing = standing(best.score, turn);
    let mut claims = vec![Claim::new(Occasion::Position, Fact::Verdict { standing, score })];
    let course = Course::new(position, &best.moves, best.score, None);
    let mut reasons = Vec::new();
    if let Some(mate) = course.mate_claim(Occasion::Position) {
        reasons.push(mate);
        if course.mate().is_some_and(|(side, _)| side == turn) {
            reasons.extend(course.motif_claim(Occasion::Position));
        }
    } else if course.gain() != 0 && agrees(course.gain(), turn, standing) {
        reasons.extend(course.material_claim(Occasion::Position));
        if course.gain() > 0 {
            reasons.extend(course.motif_claim(Occasion::Position));
        }
    }
    if let [first, second, ..] = looks
        && win_percent(first.score) - win_percent(second.score) >= ONLY_MOVE_LOSS
        && position.count_legal_moves() > 1
    {
        reasons.push(only_move(position, first));
    }
    if let Some(ending) = endings::name(position) {
        reasons.push(Claim::new(Occasion::Position, Fact::Ending(ending)));
    } else if reasons.is_empty() || !best.score.is_decisive() {
        reasons.extend(lasting_features(position, &course));
    }
    reasons.truncate(MOST_REASONS);
    claims.extend(reasons);
    claims
}

/// Whether a gain of material does not contradict the verdict: a side that is winning is not said to lose material
/// without need, and the other way round.
fn agrees(gain: i32, hero: Color, standing: Standing) -> bool {
    let winner = if gain > 0 { hero } else { !hero };
    standing.side() != Some(!winner)
}

fn only_move(position: &Position, look: &Look) -> Claim {
    let moves = look.moves.iter().copied().take(1).collect();
    Claim::new(Occasion::Position, Fact::OnlyMove { variation: Variation { start: *position, moves } })
}

/// How the game has ended, if it has.
#[must_use]
pub fn ended(position: &Position) -> Option<Ended> {
    if position.is_checkmate() {
        Some(Ended::Checkmate(position.turn()))
    } else if position.is_stalemate() {
        Some(Ended::Stalemate(position.turn()))
    } else if position.is_insufficient_material() {
        Some(Ended::DeadPosition)
    } else {
        None
    }
}

/// The score of the side to move in words. The bounds are those of the win percentage.
#[must_use]
pub fn standing(score: Score, turn: Color) -> Standing {
    let percent = win_percent(score);
    let (side, lead) = if percent >= 50.0 { (turn, percent - 50.0) } else { (!turn, 50.0 - percent) };
    match lead {
        lead if lead < 4.0 => Standing::Equal,
        lead if lead < 12.0 => Standing::Slight(side),
        lead if lead < 25.0 => Standing::Clear(side),
        _ => Standing::Winning(side),
    }
}

/// What is known of a move.
#[derive(Clone, Debug)]
pub struct MoveQuestion<'a> {
    /// The position before the move.
    pub before: &'a Position,
    /// The move.
    pub mv: Move,
    /// The opponent's move before, with the position it was played in.
    pub lead_in: Option<(Position, Move)>,
    /// The best lines in the position before, the best first.
    pub best: &'a [Look],
    /// The opponent's best line after the move.
    pub reply: &'a Look,
    /// The opponent's best line if the mover passed instead, if that was searched.
    pub danger: Option<&'a Look>,
    /// The mover's best line if the opponent passed after the move, if that was searched.
    pub threat: Option<&'a Look>,
}

/// What kind of error a move was: what statistics over many games are made of.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ErrorKind {
    /// The opponent mates.
    AllowedMate,
    /// A mate was there.
    MissedMate,
    /// The opponent wins material.
    LostMaterial,
    /// Material could have been won.
    MissedMaterial,
    /// A draw was there.
    MissedDraw,
    /// The position got worse without a loss of material.
    Positional,
}

impl ErrorKind {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::AllowedMate => "allowedMate",
            Self::MissedMate => "missedMate",
            Self::LostMaterial => "lostMaterial",
            Self::MissedMaterial => "missedMaterial",
            Self::MissedDraw => "missedDraw",
            Self::Positional => "positional",
        }
    }
}

/// Why a move is good or bad.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveExplanation {
    /// Points of the win percentage that it gives away.
    pub loss: f64,
    /// Whether it is an error.
    pub judgement: Option<Judgement>,
    /// What kind of error.
    pub kind: Option<ErrorKind>,
    /// Why, the most important first.
    pub claims: Vec<Claim>,
}

/// Why a move is good or bad.
#[must_use]
pub fn mv(question: &MoveQuestion<'_>) -> MoveExplanation {
    let Some(best) = question.best.first() else {
        return MoveExplanation { loss: 0.0, judgement: None, kind: None, claims: Vec::new() };
    };
    let is_best = best.moves.first() == Some(&question.mv);
    let kept = -question.reply.score;
    let loss = if is_best { 0.0 } else { (win_percent(best.score) - win_percent(kept)).max(0.0) };
    let judgement = Judgement::of_loss(loss);
    let after = question.before.after(question.mv);
    let reply = Course::new(
        &after,
        &question.reply.moves,
        question.reply.score,
        Some((*question.before, question.mv)),
    );
    let mut played_moves = vec![question.mv];
    played_moves.extend_from_slice(&question.reply.moves);
    let played = Course::new(question.before, &played_moves, kept, question.lead_in);
    let (kind, mut claims) = match judgement {
        Some(_) => {
            let missed = Course::new(question.before, &best.moves, best.score, question.lead_in);
            bad(question, &reply, &played, &missed)
        }
        None => (None, good(question, &after, &played, is_best)),
    };
    claims.truncate(MOST_REASONS + 1);
    MoveExplanation { loss, judgement, kind, claims }
}

fn bad(
    question: &MoveQuestion<'_>,
    reply: &Course,
    played: &Course,
    missed: &Course,
) -> (Option<ErrorKind>, Vec<Claim>) {
    let mover = question.before.turn();
    let (allowed, allowed_claims) = allowed(reply, played, missed, mover);
    let (missing, missed_claims) = missing(played, missed, mover);
    // A mate that was there weighs more than material that goes; a mate that is allowed weighs most.
    let missed_first = missing == Some(ErrorKind::MissedMate) && allowed != Some(ErrorKind::AllowedMate);
    let mut kind = if missed_first { missing } else { allowed.or(missing) };
    let mut claims = if missed_first {
        [missed_claims, allowed_claims].concat()
    } else {
        [allowed_claims, missed_claims].concat()
    };
    if claims.is_empty() {
        kind = Some(ErrorKind::Positional);
        claims.extend(feature_changes(played, missed, mover));
    }
    if !claims.iter().any(|claim| claim.occasion == Occasion::Missed) {
        claims.push(better_line(missed));
    }
    (kind, claims)
}

/// What the move lets the opponent do.
fn allowed(
    reply: &Course,
    played: &Course,
    missed: &Course,
    mover: Color,
) -> (Option<ErrorKind>, Vec<Claim>) {
    let (kind, claim) = if reply.mate().is_some_and(|(side, _)| side != mover) {
        (ErrorKind::AllowedMate, reply.mate_claim(Occasion::Allowed))
    } else if reply.gain() > 0 && played.gain() < 0 && played.gain() < missed.gain() {
        (ErrorKind::LostMaterial, reply.material_claim(Occasion::Allowed))
    } else {
        return (None, Vec::new());
    };
    (Some(kind), claim.into_iter().chain(reply.motif_claim(Occasion::Allowed)).collect())
}

/// What another move would have done.
fn missing(played: &Course, missed: &Course, mover: Color) -> (Option<ErrorKind>, Vec<Claim>) {
    let (kind, claim) = if missed.mate().is_some_and(|(side, _)| side == mover) {
        (ErrorKind::MissedMate, missed.mate_claim(Occasion::Missed))
    } else if missed.gain() > 0 && missed.gain() > played.gain() {
        (ErrorKind::MissedMaterial, missed.material_claim(Occasion::Missed))
    } else if missed.score == Score::DRAW && played.is_bad_for_hero() {
        let draw = missed.draw_claim(Occasion::Missed);
        return (draw.as_ref().map(|_| ErrorKind::MissedDraw), draw.into_iter().collect());
    } else {
        return (None, Vec::new());
    };
    (Some(kind), claim.into_iter().chain(missed.motif_claim(Occasion::Missed)).collect())
}

fn better_line(missed: &Course) -> Claim {
    let standing = standing(missed.score, missed.hero());
    let moves = missed.line.moves().len().clamp(1, 6);
    Claim::new(Occasion::Missed, Fact::Better { standing, variation: Variation::of(&missed.line, moves) })
}

fn good(question: &MoveQuestion<'_>, after: &Position, played: &Course, is_best: bool) -> Vec<Claim> {
    let mover = question.before.turn();
    let mut claims = Vec::new();
    if let Some((side, _)) = played.mate() {
        if side == mover {
            claims.extend(played_mate(question, played));
            claims.extend(played.motif_claim(Occasion::Played));
        }
        return claims;
    }
    let recapture = recapture(question);
    if recapture.is_none() && played.gain() > 0 {
        claims.extend(played.material_claim(Occasion::Played));
        claims.extend(played.motif_claim(Occasion::Played));
    }
    claims.extend(recapture);
    if let Some(only) = only_good_move(question, is_best) {
        claims.push(only);
    }
    if played.gain() <= 0
        && let Some(threat) = question.threat
        && let Some(passed) = crate::facts::passed(after)
    {
        let course = Course::new(&passed, &threat.moves, threat.score, None);
        claims.extend(threat_claim(&course, Occasion::Threat));
    }
    claims.extend(prevented(question, after));
    if claims.is_empty() {
        claims.extend(simple_merits(question, after));
        claims.extend(new_features(question, played));
    }
    claims
}

fn played_mate(question: &MoveQuestion<'_>, played: &Course) -> Option<Claim> {
    let claim = played.mate_claim(Occasion::Played)?;
    let Fact::Mate { side, moves, variation } = claim.fact else { return None };
    // The move itself is the first of the mating moves.
    let left = moves.saturating_sub(1);
    let variation = if question.before.after(question.mv).is_checkmate() {
        variation
    } else {
        let after = question.before.after(question.mv);
        Variation { start: after, moves: variation.moves.into_iter().skip(1).collect() }
    };
    Some(Claim::new(Occasion::Played, Fact::Mate { side, moves: left, variation }))
}

/// What a side would do if it had the move: mate, or win material.
pub(crate) fn threat_claim(course: &Course, occasion: Occasion) -> Option<Claim> {
    match course.mate() {
        Some((side, _)) if side == course.hero() => course.mate_claim(occasion),
        None if course.gain() > 0 => course.material_claim(occasion),
        _ => None,
    }
}

fn recapture(question: &MoveQuestion<'_>) -> Option<Claim> {
    let (before, reply) = question.lead_in?;
    let taken_before = before.captured(reply).is_some();
    let taken = question.before.captured(question.mv).is_some();
    let man = Man::on(question.before, question.mv.to())?;
    (taken_before && taken && reply.to() == question.mv.to())
        .then(|| Claim::new(Occasion::Played, Fact::Recapture { man }))
}

fn only_good_move(question: &MoveQuestion<'_>, is_best: bool) -> Option<Claim> {
    let [first, second, ..] = question.best else { return None };
    let is_only = win_percent(first.score) - win_percent(second.score) >= ONLY_MOVE_LOSS;
    (is_best && is_only && question.before.count_legal_moves() > 1).then(|| {
        let variation = Variation { start: *question.before, moves: vec![question.mv] };
        Claim::new(Occasion::Played, Fact::OnlyMove { variation })
    })
}

/// What the opponent would have done to a side that passes, and cannot do after the move.
fn prevented(question: &MoveQuestion<'_>, after: &Position) -> Option<Claim> {
    let danger = question.danger?;
    let passed = crate::facts::passed(question.before)?;
    let course = Course::new(&passed, &danger.moves, danger.score, None);
    let first = *course.line.moves().first()?;
    let reply = Course::new(after, &question.reply.moves, question.reply.score, None);
    // The same move must be gone, or not be what the opponent plays any more, and nothing may be lost now.
    let still_there = question.reply.moves.first() == Some(&first);
    if still_there
        || reply.gain() > 0
        || reply.mate().is_some()
        || question.before.captured(question.mv).is_some()
    {
        return None;
    }
    threat_claim(&course, Occasion::Prevented)
}

fn simple_merits(question: &MoveQuestion<'_>, after: &Position) -> Option<Claim> {
    let mover = question.before.turn();
    if question.mv.is_castling() {
        return Some(Claim::new(Occasion::Played, Fact::Castles { side: mover }));
    }
    let is_developed = structure::developed(after, mover) > structure::developed(question.before, mover);
    let is_early = question.before.fullmove_number() <= 15;
    let man = Man::on(after, question.mv.to())?;
    (is_developed && is_early && matches!(man.role, Role::Knight | Role::Bishop))
        .then(|| Claim::new(Occasion::Played, Fact::Develops { man }))
}

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
        .filter(|weighed| weighed.centipawns >= LEAST_FEATURE)
        .collect();
    weighed.sort_by_key(|weighed| std::cmp::Reverse(weighed.centipawns));
    weighed
}

/// How much a feature is noticed by players, whatever the evaluation makes of it: it names the character of a position.
fn salience(position: &Position, feature: Feature, squares: Bitboard) -> i32 {
    let is_middle_game = position.occupied().count() >= 20;
    let in_the_centre = squares.intersects(File::D.bitboard() | File::E.bitboard());
    match feature {
        Feature::IsolatedPawn if !(is_middle_game && in_the_centre) => 0,
        Feature::IsolatedPawn | Feature::ProtectedPassedPawn => 30,
        Feature::PassedPawn | Feature::KnightOutpost | Feature::KingInTheMiddle => 20,
        Feature::BishopPair | Feature::RookOnSeventh => 15,
        _ => 0,
    }
}

/// How much the evaluation makes of a feature, in its units.
fn importance(explanation: &eval::Explanation, feature: Feature, side: Color, squares: Bitboard) -> i32 {
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
        Feature::SafeKing => return 0,
        Feature::BareKing | Feature::KingInTheMiddle => return king_danger(explanation, side),
    };
    let items = explanation.items.iter().filter(|item| {
        item.color == side
            && terms.contains(&item.term)
            && (item.squares.is_empty() || item.squares.intersects(squares))
    });
    items.map(|item| item.value.here).sum::<i32>().abs()
}

fn king_danger(explanation: &eval::Explanation, side: Color) -> i32 {
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
fn lasting_features(position: &Position, course: &Course) -> Vec<Claim> {
    let end = course.line.end();
    let both = Color::ALL.into_iter().flat_map(|side| {
        structure::features(position, side).into_iter().filter_map(move |(feature, squares)| {
            let lasting = squares & structure::squares(end, side, feature);
            lasting.any().then_some((feature, side, lasting))
        })
    });
    let here = Line::new(*position, []);
    distinct(weigh(end, both))
        .iter()
        .map(|weighed| feature_claim(Occasion::Position, weighed, &here))
        .collect()
}

/// Leaves out what another feature says better: a protected passed pawn is also a passed one.
fn distinct(mut weighed: Vec<Weighed>) -> Vec<Weighed> {
    let protected: Vec<(Color, Bitboard)> = weighed
        .iter()
        .filter(|weighed| weighed.feature == Feature::ProtectedPassedPawn)
        .map(|weighed| (weighed.side, weighed.squares))
        .collect();
    weighed.retain(|weighed| {
        weighed.feature != Feature::PassedPawn
            || !protected
                .iter()
                .any(|&(side, squares)| side == weighed.side && squares.intersects(weighed.squares))
    });
    weighed
}

/// Features that are worse for the mover at the end of the played line than at the end of the best one.
fn feature_changes(played: &Course, missed: &Course, mover: Color) -> Vec<Claim> {
    let (end, other) = (played.line.end(), missed.line.end());
    let new = Color::ALL.into_iter().flat_map(|side| {
        let harms = move |feature: &Feature| feature.is_good() != (side == mover);
        structure::features(end, side).into_iter().filter(move |(feature, _)| harms(feature)).filter_map(
            move |(feature, squares)| {
                let new = squares & !structure::squares(other, side, feature);
                new.any().then_some((feature, side, new))
            },
        )
    });
    let weighed = distinct(weigh(end, new));
    weighed.iter().take(2).map(|weighed| feature_claim(Occasion::Allowed, weighed, &played.line)).collect()
}

/// Features that the move brings its side, still there at the end of the line.
fn new_features(question: &MoveQuestion<'_>, played: &Course) -> Vec<Claim> {
    let mover = question.before.turn();
    let end = played.line.end();
    let new = structure::features(end, mover)
        .into_iter()
        .filter(|(feature, _)| feature.is_good())
        .filter_map(|(feature, squares)| {
            let new = squares & !structure::squares(question.before, mover, feature);
            new.any().then_some((feature, mover, new))
        });
    let weighed = distinct(weigh(end, new));
    weighed.iter().take(1).map(|weighed| feature_claim(Occasion::Played, weighed, &played.line)).collect()
}
