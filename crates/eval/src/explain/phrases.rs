//! What each term says in plain words.
//!
//! In a phrase, `{own}` and `{enemy}` are the sides as possessors, `{side}` and `{other}` the sides
//! themselves, `{piece}` the pieces the term is about, `{on}` their squares or files. Of `[is|are]` the
//! second is taken when there are several.

use crate::terms::{Group, Term};
use chess::{Color, Role};

/// The kind of piece a weight is about.
pub(crate) fn role(term: Term, index: usize) -> Option<Role> {
    Some(match term {
        Term::Placement => Role::ALL[index / 64 % 6],
        Term::KnightMobility | Term::KnightOutpost | Term::OutpostInReach | Term::TrappedKnight => {
            Role::Knight
        }
        Term::BishopMobility
        | Term::BishopOutpost
        | Term::BadBishop
        | Term::LongDiagonal
        | Term::TrappedBishop => Role::Bishop,
        Term::RookMobility | Term::RookFile | Term::RookBehindPasser | Term::TrappedRook => Role::Rook,
        Term::QueenMobility | Term::QueenXrayed => Role::Queen,
        Term::MinorFarFromKing | Term::RingAttacker | Term::ThreatByPawn => Role::ALL[1 + index % 4],
        Term::ThreatByMinor | Term::ThreatByRook => Role::ALL[index % 5],
        Term::Seventh => [Role::Rook, Role::Queen][index % 2],
        Term::Hanging if index > 0 => return None,
        Term::Hanging => Role::Pawn,
        _ if matches!(term.group(), Group::Pawns | Group::Passed | Group::Shelter) => Role::Pawn,
        _ => return None,
    })
}

/// How many weights `Shelter` has for each file; the first of them is for a file without an own pawn.
const RANKS: usize = 7;

/// From this place on, in a row of weights by rank, a passed pawn is far advanced: the sixth rank.
const FAR: usize = 4;

/// What a weight says of a side when it counts to its credit.
pub(crate) fn credit(term: Term, index: usize) -> Option<&'static str> {
    Some(match term {
        Term::BishopPair => "{side} has the bishop pair",
        Term::Placement => "{own} {piece} [stands|stand] well{on}",
        Term::KnightMobility | Term::BishopMobility | Term::RookMobility | Term::QueenMobility => {
            "{own} {piece}{on} [has|have] much room"
        }
        Term::Supported => "{own} {piece}{on} [is|are] protected by pawns",
        Term::Phalanx => "{own} {piece}{on} [stands beside another|stand side by side]",
        Term::Candidate => "{own} {piece}{on} may become passed",
        Term::Passed if index >= FAR => "{own} passed {piece}{on} [is|are] far advanced",
        Term::Passed => "{own} passed {piece}{on} [counts|count] for something",
        Term::PassedOwnKing => "{own} king escorts the passed {piece}{on}",
        Term::PassedEnemyKing => "{enemy} king is far from the passed {piece}{on}",
        Term::PassedFree => "the way of {own} passed {piece}{on} is free",
        Term::PassedSafeStep => "{own} passed {piece}{on} can advance",
        Term::PassedSupportedStep => "{own} passed {piece}{on} [has|have] support ahead",
        Term::Unstoppable => "{own} passed {piece}{on} cannot be stopped",
        Term::KnightOutpost | Term::BishopOutpost => "{own} {piece}{on} cannot be driven away by pawns",
        Term::OutpostInReach => "{own} {piece}{on} can reach an outpost",
        Term::LongDiagonal => "{own} {piece}{on} [rules|rule] the long diagonal",
        Term::MinorBehindPawn => "{own} minor [piece|pieces]{on} [is|are] shielded by a pawn",
        Term::RookFile if index == 0 => "{own} {piece}{on} [has|have] a half-open file",
        Term::RookFile => "{own} {piece}{on} [has|have] an open file",
        Term::Seventh => "{own} {piece}{on} [has|have] reached the seventh rank",
        Term::RookBehindPasser if index == 0 => {
            "{own} {piece}{on} [supports|support] a passed pawn from behind"
        }
        Term::RookBehindPasser => "{own} {piece}{on} [stands|stand] behind an enemy passed pawn",
        Term::Shelter if !index.is_multiple_of(RANKS) => "{own} king has good cover from the {piece}{on}",
        Term::StormBlocked => "{enemy} {piece}{on} [is|are] held up before {own} king",
        Term::ThreatByPawn => "a pawn attacks {enemy} {piece}{on}",
        Term::ThreatByMinor => "a minor piece attacks {enemy} {piece}{on}",
        Term::ThreatByRook => "a rook attacks {enemy} {piece}{on}",
        Term::ThreatByKing => "{own} king attacks what is weak{on}",
        Term::Hanging if index == 0 => "{enemy} {piece}{on} [is|are] not defended enough",
        Term::Hanging => "{enemy} [piece|pieces]{on} [is|are] not defended enough",
        Term::ThreatByPush => "a pawn can advance to attack {enemy} [piece|pieces]{on}",
        Term::ThreatOnQueen => "{side} can attack {enemy} queen from a safe square",
        Term::Restricted => "{side} restricts {enemy} pieces",
        Term::Space => "{side} has more space",
        Term::Tempo => "{side} has the move",
        Term::Initiative => match index {
            1 => "passed pawns help {side} to make progress",
            2 => "the number of pawns helps {side} to make progress",
            3 => "pawns on both wings help {side} to make progress",
            4 => "an advanced king helps {side} to make progress",
            5 => "the distance of the kings helps {side} to make progress",
            6 => "the ending of pawns helps {side} to make progress",
            _ => return None,
        },
        _ => return None,
    })
}

/// What a weight says of a side when it counts against it.
pub(crate) fn debit(term: Term, index: usize) -> Option<&'static str> {
    Some(match term {
        Term::Placement => "{own} {piece} [stands|stand] badly{on}",
        Term::KnightMobility | Term::BishopMobility | Term::RookMobility | Term::QueenMobility => {
            "{own} {piece}{on} [has|have] little room"
        }
        Term::Isolated => "{own} {piece}{on} [is|are] isolated",
        Term::Doubled => "{own} {piece}{on} [is|are] doubled",
        Term::Backward => "{own} {piece}{on} [is|are] backward",
        Term::PassedOwnKing => "{own} king is far from its passed {piece}{on}",
        Term::PassedEnemyKing => "{enemy} king is near {own} passed {piece}{on}",
        Term::PassedBlocked => "{own} passed {piece}{on} [is|are] blockaded",
        Term::BadBishop => "{own} {piece}{on} [has|have] own pawns in the way",
        Term::MinorFarFromKing => "{own} {piece}{on} [is|are] far from the king",
        Term::QueenXrayed => "{own} {piece}{on} [stands|stand] in the line of an enemy piece",
        Term::TrappedRook => "{own} {piece}{on} [is|are] shut in by the king",
        Term::TrappedBishop | Term::TrappedKnight => "{own} {piece}{on} [is|are] trapped",
        Term::Shelter if index.is_multiple_of(RANKS) => "{own} king lacks pawn cover{on}",
        Term::Shelter => "{own} king has poor cover from the {piece}{on}",
        Term::Storm if !index.is_multiple_of(RANKS) => {
            "{enemy} {piece}{on} [advances|advance] against {own} king"
        }
        Term::StormBlocked | Term::RingAttacker => "{enemy} {piece}{on} [bears|bear] on {own} king",
        Term::KingFile if index == 1 => "{own} king stands on a file without enemy pawns",
        Term::KingFile if index == 0 => "{own} king stands on a file without own pawns",
        Term::KingFile => "{own} king stands on an open file",
        Term::PawnlessWing => "no pawn stands on the wing of {own} king",
        Term::KingFromPawns => "{own} king is far from the pawns",
        Term::WeakRing => "the squares around {own} king are weak",
        Term::SafeCheck => "{own} king can be given a safe check{on}",
        Term::UnsafeCheck => "{own} king can be given check{on}",
        Term::PinnedPiece => "{own} pinned [piece|pieces]{on} must shield the king",
        Term::OpenFileNearKing => "no own pawn stands before {own} king{on}",
        Term::WingAttack => "{other} attacks much of the wing of {own} king",
        Term::Initiative => "{side} will find it hard to make progress",
        _ => return None,
    })
}

/// What can be said when a group as a whole favours a side and no single cause stands out.
pub(crate) const fn group(group: Group) -> &'static str {
    match group {
        Group::Material => "{own} material is worth more",
        Group::Imbalance => "{own} pieces go together better",
        Group::Placement => "{own} pieces stand better",
        Group::Mobility => "{own} pieces have more room",
        Group::Pawns => "{side} has the better pawn structure",
        Group::Passed => "{side} has the better passed pawns",
        Group::Minors => "{own} knights and bishops have the better posts",
        Group::Rooks => "{own} rooks and queen have the better posts",
        Group::Trapped => "{own} pieces are freer",
        Group::Shelter => "{own} king has the better pawn cover",
        Group::KingDanger => "{enemy} king is in more danger",
        Group::Threats => "{side} threatens more",
        Group::Space => "{side} has more space",
        Group::Initiative => "{side} makes progress more easily",
        Group::Tempo => "{side} has the move",
    }
}

/// What a phrase is about.
pub(crate) struct Subject<'a> {
    pub(crate) side: Color,
    pub(crate) role: Option<Role>,
    /// The squares or files in words, with a space and "on" before them, or nothing.
    pub(crate) on: &'a str,
    pub(crate) is_plural: bool,
}

impl Subject<'_> {
    /// Puts the subject into a phrase.
    pub(crate) fn fill(&self, phrase: &str) -> String {
        let piece = self.role.map_or("piece", Role::name);
        let plural = if self.is_plural { "s" } else { "" };
        let text = phrase
            .replace("{own}", &format!("{}'s", self.side))
            .replace("{enemy}", &format!("{}'s", !self.side))
            .replace("{side}", &self.side.to_string())
            .replace("{other}", &(!self.side).to_string())
            .replace("{piece}", &format!("{piece}{plural}"))
            .replace("{on}", self.on);
        self.choose_number(&text)
    }

    fn choose_number(&self, text: &str) -> String {
        let mut chosen = String::new();
        let mut rest = text;
        while let Some((before, (choice, after))) =
            rest.split_once('[').and_then(|(before, tail)| Some((before, tail.split_once(']')?)))
        {
            let (one, several) = choice.split_once('|').unwrap_or((choice, choice));
            chosen.push_str(before);
            chosen.push_str(if self.is_plural { several } else { one });
            rest = after;
        }
        chosen + rest
    }
}
