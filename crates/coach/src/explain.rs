//! What is to be said of a position or a move, as claims, the most important first.

use crate::claim::{Claim, Ended, Fact, Man, Occasion, Standing, Variation};
use crate::endings;
use crate::judge::{Judgement, win_percent};
use crate::lasting::{feature_changes, lasting_features, new_features, trend};
use crate::reason::{Course, Look};
use crate::structure;
use chess::{Color, Move, Position, Role};
use engine::Score;

/// The most things said of a move or position besides the verdict.
const MOST_REASONS: usize = 3;

/// A second-best move this many points of the win percentage worse leaves only one good move.
const ONLY_MOVE_LOSS: f64 = 15.0;

/// With fewer points of the win percentage no move is called good.
const LEAST_GOOD: f64 = 35.0;

/// A score nearer to zero than this, in centipawns, agrees with a draw.
const DRAWISH: i32 = 30;

/// A free move that brings less than this, in centipawns, is not a threat.
const LEAST_THREAT: i32 = 80;

/// A feature explains a loss if it counts for at least this part of it.
const FEATURE_SHARE: i32 = 6;
/// A greater loss, in centipawns, counts as this one for that.
const GREAT_LOSS: i32 = 300;

/// What comes after more half-moves than this is not a threat but a plan.
const SOON: usize = 5;
/// The same for mates, in moves.
const SOON_MATE: u32 = 4;

/// A move that gives up at least this much, in centipawns, offers material.
const OFFER: i32 = 150;

/// Why a position is as it is. The opponent's best line, if the side to move passed, tells what it has to meet.
#[must_use]
pub fn position(position: &Position, looks: &[Look], danger: Option<&Look>) -> Vec<Claim> {
    if let Some(ended) = ended(position) {
        return vec![Claim::new(Occasion::Position, Fact::Ended(ended))];
    }
    let Some(best) = looks.first() else { return Vec::new() };
    let turn = position.turn();
    let score = best.score.for_white(turn);
    let standing = standing(best.score, turn);
    let course = Course::new(position, &best.moves, best.score, None);
    let endings = agreeing_endings(position, best.score);
    let ending = |&ending: &endings::Ending| Claim::new(Occasion::Position, Fact::Ending(ending));
    if endings.first().is_some_and(|ending| ending.is_draw()) {
        return endings.iter().map(ending).collect();
    }
    let mut claims = vec![Claim::new(Occasion::Position, Fact::Verdict { standing, score })];
    let mut reasons = tactics(&course, standing);
    if let [first, second, ..] = looks
        && is_only_good(position, first, second)
    {
        let variation = Variation { start: *position, moves: first.moves.iter().copied().take(1).collect() };
        let defends = is_defence(position, first.score, danger);
        reasons.push(Claim::new(Occasion::Position, Fact::OnlyMove { variation, defends }));
    }
    let at = if endings.first().is_some_and(|ending| ending.is_win()) { 0 } else { reasons.len() };
    reasons.splice(at..at, endings.iter().map(ending));
    if endings.is_empty() && (reasons.is_empty() || !best.score.is_decisive()) {
        reasons.extend(lasting_features(position, &course));
    }
    reasons.truncate(MOST_REASONS);
    claims.extend(reasons);
    claims
}

/// What theory knows of a position and the search does not contradict.
fn agreeing_endings(position: &Position, score: Score) -> Vec<endings::Ending> {
    let mut known = endings::names(position);
    let is_drawish = score.centipawns().abs() <= DRAWISH;
    known.retain(|ending| !ending.is_draw() || ending.is_exact() || is_drawish);
    known
}

/// Mate, material or a draw at the end of the best line, with the motif that does it.
fn tactics(course: &Course, standing: Standing) -> Vec<Claim> {
    let occasion = Occasion::Position;
    let mut claims = Vec::new();
    if let Some(mate) = course.mate_claim(occasion) {
        claims.push(mate);
        if course.mate().is_some_and(|(side, _)| side == course.hero()) {
            claims.extend(course.motif_reason(occasion));
        }
    } else if let Some(draw) = course.saving_draw(occasion) {
        claims.push(draw);
    } else if course.gain() != 0 && agrees(course.gain(), course.hero(), standing) {
        claims.extend(course.material_claim(occasion));
        if course.gain() > 0 {
            claims.extend(course.motif_reason(occasion));
        }
    }
    claims
}

/// Whether the best move is good and all others are much worse.
fn is_only_good(position: &Position, first: &Look, second: &Look) -> bool {
    let [best, next] = [first, second].map(|look| win_percent(look.score));
    best >= LEAST_GOOD && best - next >= ONLY_MOVE_LOSS && position.count_legal_moves() > 1
}

/// Whether a side that is not better has a threat to meet.
fn is_defence(position: &Position, score: Score, danger: Option<&Look>) -> bool {
    let is_better = win_percent(score) > 60.0;
    let real = danger.filter(|danger| is_real(danger.score, -score));
    let threat = real.zip(crate::facts::passed(position)).and_then(|(danger, passed)| {
        let course = Course::new(&passed, &danger.moves, danger.score, None);
        threat_claim(&course, Occasion::Threat)
    });
    !is_better && threat.is_some()
}

/// Whether a gain of material does not contradict the verdict: a side that is winning is not said to lose material
/// without need, and the other way round.
fn agrees(gain: i32, hero: Color, standing: Standing) -> bool {
    let winner = if gain > 0 { hero } else { !hero };
    standing.side() != Some(!winner)
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
    let courses = Courses::of(question, best);
    let (kind, mut claims) = match judgement {
        Some(_) => bad(question, &courses.reply, &courses.played, &courses.missed),
        None => {
            let after = question.before.after(question.mv);
            (None, good(question, &after, &courses.played, is_best))
        }
    };
    claims.truncate(MOST_REASONS + 1);
    MoveExplanation { loss, judgement, kind, claims }
}

/// What makes one line better than another from the same position, as errors are explained.
#[must_use]
pub fn difference(before: &Position, better: &Look, worse: &Look) -> Vec<Claim> {
    let (Some(&mv), [_, rest @ ..]) = (worse.moves.first(), &worse.moves[..]) else { return Vec::new() };
    let reply = Look { score: -worse.score, moves: rest.to_vec() };
    let question = MoveQuestion {
        before,
        mv,
        lead_in: None,
        best: std::slice::from_ref(better),
        reply: &reply,
        danger: None,
        threat: None,
    };
    let courses = Courses::of(&question, better);
    let (_, mut claims) = bad(&question, &courses.reply, &courses.played, &courses.missed);
    claims.retain(|claim| !matches!(claim.fact, Fact::Better { .. }));
    claims.truncate(MOST_REASONS);
    claims
}

/// The lines that an explanation of a move compares.
struct Courses {
    /// The opponent's best line after the move.
    reply: Course,
    /// The move and that line.
    played: Course,
    /// The best line instead.
    missed: Course,
}

impl Courses {
    fn of(question: &MoveQuestion<'_>, best: &Look) -> Self {
        let after = question.before.after(question.mv);
        let lead_in = Some((*question.before, question.mv));
        let reply = Course::new(&after, &question.reply.moves, question.reply.score, lead_in);
        let played = Look::of_move(question.mv, question.reply);
        let played = Course::new(question.before, &played.moves, played.score, question.lead_in);
        let missed = Course::new(question.before, &best.moves, best.score, question.lead_in);
        Self { reply, played, missed }
    }
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
        let unsound = unsound_sacrifice(question, played, missed);
        unsound.into_iter().chain(allowed_claims).chain(missed_claims).collect()
    };
    if claims.is_empty() {
        kind = Some(ErrorKind::Positional);
        claims.extend(slip(played, missed));
        // A small feature does not explain a great loss.
        let lost = (missed.score.centipawns() - played.score.centipawns()).clamp(0, GREAT_LOSS);
        claims.extend(feature_changes(played, missed, mover, lost / FEATURE_SHARE));
        if claims.len() < 2 {
            claims.extend(trend(played, missed, mover));
        }
        if claims.is_empty() {
            claims.extend(feature_changes(played, missed, mover, 0));
        }
        claims.truncate(MOST_REASONS - 1);
    }
    if !claims.iter().any(|claim| claim.occasion == Occasion::Missed) {
        claims.truncate(MOST_REASONS);
        claims.push(better_line(missed));
    }
    (kind, claims)
}

/// That the mover stood better with the best move than it does now, where words can tell the difference.
fn slip(played: &Course, missed: &Course) -> Option<Claim> {
    let [from, to] = [missed, played].map(|course| standing(course.score, course.hero()));
    (from != to).then(|| Claim::new(Occasion::Allowed, Fact::Slips { from, to }))
}

/// Whether the move puts a piece where it can be taken at a loss, and the opponent takes it.
fn offer(question: &MoveQuestion<'_>, played: &Course) -> Option<Man> {
    let takes = question.reply.moves.first()?;
    let man = Man::on(&question.before.after(question.mv), question.mv.to())?;
    let is_offer = !question.before.see_ge(question.mv, -OFFER) && takes.to() == question.mv.to();
    (is_offer && played.deal.balance() <= -2).then_some(man)
}

/// A capture or check that gives up a piece, and should not have.
fn unsound_sacrifice(question: &MoveQuestion<'_>, played: &Course, missed: &Course) -> Option<Claim> {
    let man = offer(question, played)?;
    let is_active = question.before.is_capture(question.mv) || question.before.gives_check(question.mv);
    (is_active && played.gain() < missed.gain() && played.mate().is_none()).then(|| {
        let fact = Fact::Sacrifice { man, is_sound: false, variation: played.variation() };
        Claim::new(Occasion::Played, fact)
    })
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
    (Some(kind), claim.into_iter().chain(reply.motif_reason(Occasion::Allowed)).collect())
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
    (Some(kind), claim.into_iter().chain(missed.motif_reason(Occasion::Missed)).collect())
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
            claims.extend(played.motif_reason(Occasion::Played));
        }
        return claims;
    }
    claims.extend(played.saving_draw(Occasion::Played));
    let recapture = recapture(question);
    if recapture.is_none() && played.gain() > 0 && agrees(1, mover, standing(played.score, mover)) {
        claims.extend(played.material_claim(Occasion::Played));
        claims.extend(played.motif_reason(Occasion::Played));
    }
    claims.extend(recapture);
    claims.extend(sound_sacrifice(question, played));
    claims.extend(only_good_move(question, is_best));
    claims.extend(new_zugzwang(question, after, played));
    if played.gain() <= 0
        && let Some(threat) = question.threat
        && let Some(passed) = crate::facts::passed(after)
    {
        let course = Course::new(&passed, &threat.moves, threat.score, None);
        claims
            .extend(threat_claim(&course, Occasion::Threat).filter(|_| is_real(threat.score, played.score)));
    }
    claims.extend(prevented(question, after));
    if claims.is_empty() {
        claims.extend(simple_merits(question, after));
        claims.extend(gained_tempo(question, after));
        claims.extend(new_features(question.before, played));
    }
    if claims.is_empty() && is_best {
        let variation = Variation { start: *question.before, moves: vec![question.mv] };
        claims.push(Claim::new(Occasion::Played, Fact::Best { variation }));
    }
    claims
}

/// The move gives up a piece, the opponent takes it, and the mover is none the worse for it.
fn sound_sacrifice(question: &MoveQuestion<'_>, played: &Course) -> Option<Claim> {
    let man = offer(question, played)?;
    (win_percent(played.score) >= 50.0).then(|| {
        let fact = Fact::Sacrifice { man, is_sound: true, variation: played.variation() };
        Claim::new(Occasion::Played, fact)
    })
}

/// In an ending the opponent has to move, and would be much better off if it need not.
fn new_zugzwang(question: &MoveQuestion<'_>, after: &Position, played: &Course) -> Option<Claim> {
    let threat = question.threat?;
    is_zugzwang(after, -played.score, -threat.score).then(|| {
        let variation = Variation { start: *question.before, moves: vec![question.mv] };
        Claim::new(Occasion::Played, Fact::Zugzwang { side: after.turn(), variation })
    })
}

/// Whether a side with hardly a piece left loses much by having to move: its score when it moves, and when it passes.
#[must_use]
pub fn is_zugzwang(position: &Position, moving: Score, passing: Score) -> bool {
    let officers = crate::facts::officers(position, position.turn());
    !position.is_check()
        && officers.count() <= 1
        && win_percent(passing) - win_percent(moving) >= ONLY_MOVE_LOSS
}

/// The move attacks a more valuable piece, and that is what the opponent has to move away.
fn gained_tempo(question: &MoveQuestion<'_>, after: &Position) -> Option<Claim> {
    use crate::facts::{attacks_from, is_in_bad_spot, value};
    let flees = question.reply.moves.first()?;
    let mover = Man::on(after, question.mv.to())?;
    let man = Man::on(after, flees.from())?;
    let is_new = attacks_from(after, mover.square).has(man.square)
        && !attacks_from(question.before, question.mv.from()).has(man.square);
    let is_threat = value(man.role) > value(mover.role) && man.role != Role::King;
    (is_new && is_threat && after.captured(*flees).is_none() && !is_in_bad_spot(after, mover.square)).then(
        || {
            let moves = vec![question.mv, *flees];
            let variation = Variation { start: *question.before, moves };
            Claim::new(Occasion::Played, Fact::GainsTempo { man, variation })
        },
    )
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

/// Whether a side that may move twice gets so much more than it has now that it threatens something.
#[must_use]
pub fn is_real(threat: Score, now: Score) -> bool {
    threat.is_win() || threat.centipawns() - now.centipawns() >= LEAST_THREAT
}

/// What a side would do if it had the move: mate, or win material soon.
pub(crate) fn threat_claim(course: &Course, occasion: Occasion) -> Option<Claim> {
    match course.mate() {
        Some((side, moves)) if side == course.hero() && moves <= SOON_MATE => course.mate_claim(occasion),
        None if course.gain() > 0 && course.line.moves().len() <= SOON => course.material_claim(occasion),
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
    (is_best && is_only_good(question.before, first, second)).then(|| {
        let variation = Variation { start: *question.before, moves: vec![question.mv] };
        let defends = is_defence(question.before, first.score, question.danger);
        Claim::new(Occasion::Played, Fact::OnlyMove { variation, defends })
    })
}

/// What the opponent would have done to a side that passes, and cannot do after the move.
fn prevented(question: &MoveQuestion<'_>, after: &Position) -> Option<Claim> {
    let danger = question.danger?;
    let passed = crate::facts::passed(question.before)?;
    let course = Course::new(&passed, &danger.moves, danger.score, None);
    let first = *course.line.moves().first()?;
    if !is_real(danger.score, -question.best.first()?.score) {
        return None;
    }
    let reply = Course::new(after, &question.reply.moves, question.reply.score, None);
    // The same move must be gone, or not be what the opponent plays any more, and nothing may be lost now.
    let still_wins = after.is_legal(first) && after.is_noisy(first) && after.see_ge(first, 60);
    let still_there = question.reply.moves.first() == Some(&first) || still_wins;
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
