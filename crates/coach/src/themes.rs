//! What a puzzle is about, in the words of Lichess's themes: motifs, and what is said of a puzzle as a whole.

use crate::line::Line;
use crate::motif;
use chess::{Color, Position, Rank, Role};
use engine::Score;
use std::collections::BTreeSet;

/// From this lead, in centipawns, a win is crushing: where the Stockfish that labelled Lichess's puzzles said 600.
const CRUSHING: i32 = 240;
/// From this lead it is an advantage, where that Stockfish said 200.
const ADVANTAGE: i32 = 75;

/// However slow the development, after this move the opening is over.
const LAST_OPENING_MOVE: u16 = 16;

/// The themes of a solution. The score, for the hero at the end of it, tells how much it wins, if it is known.
#[must_use]
pub fn of(line: &Line, score: Option<Score>) -> BTreeSet<&'static str> {
    let mut themes: BTreeSet<_> = motif::find(line).into_iter().map(|finding| finding.motif.code()).collect();
    for own in ["discoveredCheck", "relativePin", "outnumbered", "overload"] {
        themes.remove(own);
    }
    themes.insert(length(line));
    themes.insert(phase(line.start()));
    themes.extend(mate_in(line));
    // The kind of ending is one that the first move does not change.
    let next = line.step(0).map(|step| step.after);
    let lasts = |kind: &&str| next.is_none_or(|next| ending(next) == Some(*kind));
    themes.extend(ending(line.start()).filter(lasts));
    if !line.end().is_checkmate() {
        themes.extend(score.map(outcome));
    }
    themes
}

fn length(line: &Line) -> &'static str {
    match line.hero_moves() {
        0 | 1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    }
}

fn mate_in(line: &Line) -> Option<&'static str> {
    if !line.end().is_checkmate() {
        return None;
    }
    Some(match line.hero_moves() {
        1 => "mateIn1",
        2 => "mateIn2",
        3 => "mateIn3",
        4 => "mateIn4",
        _ => "mateIn5",
    })
}

fn outcome(score: Score) -> &'static str {
    let centipawns = if score.is_win() { i32::MAX } else { score.centipawns() };
    match centipawns {
        CRUSHING.. => "crushing",
        ADVANTAGE.. => "advantage",
        _ => "equality",
    }
}

/// Opening, middle game or end game, by the pieces that are left and how they are spread.
#[must_use]
pub fn phase(position: &Position) -> &'static str {
    let officers = position.occupied() & !(position.role(Role::Pawn) | position.role(Role::King));
    let left_home =
        |color: Color| (position.side(color) & Rank::First.relative_to(color).bitboard()).count() < 4;
    match officers.count() {
        0..=6 => "endgame",
        7..=10 => "middlegame",
        _ if position.fullmove_number() > LAST_OPENING_MOVE => "middlegame",
        _ if Color::ALL.into_iter().any(left_home) || are_mixed(position) => "middlegame",
        _ => "opening",
    }
}

/// Whether the armies have met: several men stand beyond the middle.
fn are_mixed(position: &Position) -> bool {
    let beyond = |color: Color| {
        let far = [Rank::Fifth, Rank::Sixth, Rank::Seventh, Rank::Eighth];
        let far = far.map(|rank| rank.relative_to(color).bitboard());
        let far = far.into_iter().fold(chess::Bitboard::EMPTY, |all, rank| all | rank);
        (position.side(color) & far).count()
    };
    beyond(Color::White) + beyond(Color::Black) >= 5
}

/// Whether it is worth a search to see if the side to move would rather pass: it has few moves.
#[must_use]
pub fn may_be_zugzwang(position: &Position) -> bool {
    !position.is_check() && position.count_legal_moves() <= 15
}

/// The kind of ending, where only one kind of piece is left next to kings and pawns, or rooks with one queen.
fn ending(position: &Position) -> Option<&'static str> {
    let has = |role: Role| position.role(role).any();
    match [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(has) {
        [false, false, false, false] => Some("pawnEndgame"),
        [true, false, false, false] => Some("knightEndgame"),
        [false, true, false, false] => Some("bishopEndgame"),
        [false, false, true, false] => Some("rookEndgame"),
        [false, false, false, true] => Some("queenEndgame"),
        [false, false, true, true] if position.role(Role::Queen).single().is_some() => {
            Some("queenRookEndgame")
        }
        _ => None,
    }
}
