//! An explanation as one paragraph in plain words, made of the terms that matter most and nothing else.

use super::phrases::{self, Subject};
use super::{Explanation, Item, Status};
use crate::endgame::Ending;
use crate::score::{FULL_PHASE, FULL_SCALE};
use crate::terms::{Group, Kind, Term};
use chess::{Bitboard, Color, File, Role, Square};

/// The most things that are said to matter.
const REASONS: usize = 4;

/// Less than this, in centipawns, is not mentioned.
const MENTIONED: i32 = 8;

/// More squares than these are not named one by one.
const NAMED_SQUARES: u32 = 3;

/// A scale of the end game below this is mentioned.
const LOW_SCALE: i32 = FULL_SCALE * 3 / 4;

/// Something that speaks for a side.
struct Reason {
    /// How much, from White's view.
    white_view: i32,
    text: String,
}

/// All items of one kind about which the same can be said.
struct Cause {
    phrase: &'static str,
    is_credit: bool,
    role: Option<Role>,
    value: [i32; 2],
    squares: [Bitboard; 2],
    items: [usize; 2],
}

impl Explanation {
    /// One paragraph about who stands better and the three or four things that matter most. The values should
    /// be in centipawns.
    #[must_use]
    pub fn in_words(&self) -> String {
        let turn = self.turn;
        match self.status {
            Status::Checkmate => format!("{turn} is checkmated: the game is over and {} has won.", !turn),
            Status::Stalemate => {
                format!("{turn} is stalemated, without a move and not in check: the game is a draw.")
            }
            Status::Check => {
                let judgement = self.judgement();
                format!(
                    "{judgement} {turn} is in check, and what the answer to it costs is not in these numbers."
                )
            }
            Status::Quiet => self.judgement(),
        }
    }

    fn judgement(&self) -> String {
        if self.is_known {
            return self.known_ending();
        }
        let mut reasons = self.reasons();
        reasons.sort_by_key(|reason| -reason.white_view.abs());
        reasons.truncate(REASONS);
        let for_side = |color: Color| {
            let texts = reasons.iter().filter(|reason| favoured(reason.white_view) == color);
            let texts: Vec<_> = texts.map(|reason| &reason.text[..]).collect();
            // Commas throughout, since the reasons themselves may contain an "and".
            match texts.split_last() {
                Some((last, rest @ [_, ..])) => format!("{}, and {last}", rest.join(", ")),
                _ => texts.concat(),
            }
        };
        let verdict = format!("{}, {}", self.verdict(), pawns(self.white_view));
        let better = favoured(self.white_view);
        let (own, other) = (for_side(better), for_side(!better));
        let is_even = self.white_view.abs() < EVEN;
        let reasons = match (own.is_empty(), other.is_empty()) {
            (true, true) => String::new(),
            (false, true) => format!(": {own}"),
            (true, false) => format!(", although {other}"),
            (false, false) if is_even => format!(": {own}, while {other}"),
            (false, false) => format!(": {own}; but {other}"),
        };
        format!("{verdict}{reasons}.{}", self.scale_in_words())
    }

    fn verdict(&self) -> String {
        let side = favoured(self.white_view);
        match self.white_view.abs() {
            ..EVEN => "The chances are about even".to_owned(),
            EVEN..60 => format!("{side} is slightly better"),
            60..120 => format!("{side} is better"),
            120..300 => format!("{side} is clearly better"),
            _ => format!("{side} is winning"),
        }
    }

    /// Says when an advantage counts less than it looks.
    fn scale_in_words(&self) -> String {
        if self.scale >= LOW_SCALE || self.phase > FULL_PHASE / 2 || self.white_view == 0 && self.scale > 0 {
            return String::new();
        }
        let percent = 100 * self.scale / FULL_SCALE;
        format!(" Such endings are hard to win: only {percent} % of an advantage in the end game counts.")
    }

    /// One reason for each group of terms that favours a side noticeably.
    fn reasons(&self) -> Vec<Reason> {
        let noticed = self.groups.iter().filter_map(|score| {
            let [white, black] = score.sides.map(|value| value.here);
            let white_view = white - black;
            (white_view.abs() >= MENTIONED).then_some((score.group, white_view))
        });
        noticed
            .map(|(group, white_view)| Reason { white_view, text: self.reason(group, favoured(white_view)) })
            .collect()
    }

    /// Why a group favours a side: by the cause that does most for it.
    fn reason(&self, group: Group, winner: Color) -> String {
        if group == Group::Material
            && let Some(text) = self.material(winner)
        {
            return text;
        }
        let causes = self.causes(group);
        let gain = |cause: &Cause| cause.value[winner.index()] - cause.value[(!winner).index()];
        let strongest =
            causes.iter().filter(|cause| gain(cause) >= MENTIONED).max_by_key(|cause| gain(cause));
        let Some(cause) = strongest else {
            let subject = Subject { side: winner, role: None, on: "", is_plural: false };
            return subject.fill(phrases::group(group));
        };
        let side = if cause.is_credit { winner } else { !winner };
        let subject = Subject {
            side,
            role: cause.role,
            on: &places(cause.squares[side.index()]),
            is_plural: cause.items[side.index()] > 1,
        };
        subject.fill(cause.phrase)
    }

    /// The items of a group by what can be said about them.
    fn causes(&self, group: Group) -> Vec<Cause> {
        let mut causes: Vec<Cause> = Vec::new();
        for item in self.items.iter().filter(|item| item.term.group() == group) {
            let Some((phrase, is_credit)) = phrase(item) else { continue };
            let role = phrases::role(item.term, item.index);
            let known = causes.iter().position(|cause| cause.phrase == phrase && cause.role == role);
            let place = known.unwrap_or_else(|| {
                let nothing = Cause {
                    phrase,
                    is_credit,
                    role,
                    value: [0; 2],
                    squares: [Bitboard::EMPTY; 2],
                    items: [0; 2],
                };
                causes.push(nothing);
                causes.len() - 1
            });
            let (cause, side) = (&mut causes[place], item.color.index());
            cause.value[side] += item.value.here;
            cause.squares[side] |= item.squares;
            // An item may stand for several pieces; a safe check is one, whatever the number of squares.
            cause.items[side] +=
                if item.term.kind() == Kind::Linear { item.squares.count().max(1) as usize } else { 1 };
        }
        causes
    }

    /// What the winner of the balance of material has more, and what for.
    fn material(&self, winner: Color) -> Option<String> {
        let count = |color: Color, role: Role| {
            let items = self.items.iter().filter(|item| item.term == Term::Material && item.color == color);
            items.filter(|item| item.index == role.index()).map(|item| item.count).sum::<i32>()
        };
        let surplus = |color: Color| {
            let roles = Role::ALL[..5].iter().rev();
            let more = roles.map(|&role| (role, count(color, role) - count(!color, role)));
            list(more.filter(|(_, more)| *more > 0).map(|(role, more)| numbered(role, more)))
        };
        let (own, other) = (surplus(winner), surplus(!winner));
        match (own.is_empty(), other.is_empty()) {
            (true, _) => None,
            (false, true) => Some(format!("{winner} is {own} up")),
            (false, false) => Some(format!("{winner} has {own} for {other}")),
        }
    }

    fn known_ending(&self) -> String {
        let value = pawns(self.white_view);
        match (self.ending, self.white_view) {
            (Ending::PawnAgainstKing(strong), 0) => {
                format!("A draw: {} holds {strong}'s pawn.", !strong)
            }
            (Ending::PawnAgainstKing(strong), _) => format!("{strong} wins, {value}: the pawn will queen."),
            (Ending::BishopAndKnight(strong), _) => format!(
                "{strong} wins, {value}: bishop and knight mate the lone king in a corner of the bishop's colour."
            ),
            (Ending::BareKing(strong), value_units) if value_units != 0 => {
                format!(
                    "{strong} wins, {value}: there is enough to mate the lone king, which is driven to the rim."
                )
            }
            _ => "A draw: neither side can force mate with what is left.".to_owned(),
        }
    }
}

/// Below this, in centipawns, neither side is said to be better.
const EVEN: i32 = 20;

const fn favoured(white_view: i32) -> Color {
    if white_view >= 0 { Color::White } else { Color::Black }
}

/// Centipawns as pawns, with a sign.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

/// What an item says, and whether to the credit of its side.
fn phrase(item: &Item) -> Option<(&'static str, bool)> {
    match item.value.here.signum() {
        1 => Some((phrases::credit(item.term, item.index)?, true)),
        -1 => Some((phrases::debit(item.term, item.index)?, false)),
        _ => None,
    }
}

/// Things in a row: "a, b and c".
fn list(things: impl Iterator<Item = String>) -> String {
    let mut things: Vec<_> = things.collect();
    match things.pop() {
        Some(last) if things.is_empty() => last,
        Some(last) => format!("{} and {last}", things.join(", ")),
        None => String::new(),
    }
}

fn numbered(role: Role, count: i32) -> String {
    const NUMBERS: [&str; 8] = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
    match count {
        ..=1 => format!("a {}", role.name()),
        _ => {
            let number = usize::try_from(count - 2).ok().and_then(|index| NUMBERS.get(index));
            number.map_or_else(
                || format!("{count} {}s", role.name()),
                |word| format!("{word} {}s", role.name()),
            )
        }
    }
}

/// Where something is: whole files, or squares if they are few.
pub(crate) fn places(squares: Bitboard) -> String {
    let files: Vec<_> = File::ALL.into_iter().filter(|file| squares.intersects(file.bitboard())).collect();
    let are_whole_files = files.iter().all(|file| file.bitboard() & !squares == Bitboard::EMPTY);
    if squares.is_empty() {
        String::new()
    } else if are_whole_files {
        format!(" on {}", list(files.iter().map(|file| format!("the {file}-file"))))
    } else if squares.count() <= NAMED_SQUARES {
        format!(" on {}", list(squares.into_iter().map(|square: Square| square.to_string())))
    } else {
        String::new()
    }
}
