//! Words for people.

use chess::pgn::EvalScore;
use chess::{Color, Move, MoveKind, Piece, Position, Role};
use std::time::Duration;

/// The width that lists of moves are broken at.
const LINE_WIDTH: usize = 76;

/// A clause with capital letter and full stop. Squares keep their small letter.
pub(crate) fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let is_square = chars.clone().nth(1).is_some_and(|second| second.is_ascii_digit());
    let stop = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    match chars.next() {
        Some(first) if !is_square => format!("{}{}{stop}", first.to_uppercase(), chars.as_str()),
        _ => format!("{clause}{stop}"),
    }
}

/// Words in lines, broken between them.
pub(crate) fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > LINE_WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

/// A move as one would say it aloud: "knight from g1 to f3, check".
pub(crate) fn spoken(position: &Position, mv: Move) -> String {
    let role = position.piece_on(mv.from()).map_or(Role::Pawn, Piece::role).name();
    let (from, to) = (mv.from(), mv.to());
    let mut text = match (mv.kind(), position.captured(mv)) {
        (MoveKind::Castling, _) => {
            format!("castles {}", chess::CastlingSide::of(from, to).name())
        }
        (MoveKind::EnPassant, _) => format!("{role} from {from} takes pawn en passant on {to}"),
        (_, Some(taken)) => format!("{role} from {from} takes {} on {to}", taken.role().name()),
        (_, None) => format!("{role} from {from} to {to}"),
    };
    if let Some(role) = mv.promotes_to() {
        text.push_str(&format!(" and becomes a {}", role.name()));
    }
    let after = position.after(mv);
    if after.is_checkmate() {
        text.push_str(", checkmate");
    } else if after.is_check() {
        text.push_str(", check");
    }
    text
}

/// Moves with their numbers, as a score sheet has them.
pub(crate) fn numbered(start: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut words = Vec::new();
    let mut position = *start;
    for mv in moves {
        let number = position.fullmove_number();
        let san = position.san(mv);
        words.push(match position.turn() {
            Color::White => format!("{number}. {san}"),
            Color::Black if words.is_empty() => format!("{number}... {san}"),
            Color::Black => san.to_string(),
        });
        position.play(mv);
    }
    words
}

/// A score seen from White: `+0.35`, `-1.20`, `#3`, `#-2`.
pub(crate) fn score(score: EvalScore) -> String {
    match score {
        EvalScore::Mate(moves) => format!("#{moves}"),
        EvalScore::Centipawns(0) => "0.00".to_owned(),
        EvalScore::Centipawns(points) => {
            let sign = if points < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}", points.unsigned_abs() / 100, points.unsigned_abs() % 100)
        }
    }
}

/// A clock: `1:05:30`, `4:59`, and tenths in the last twenty seconds.
pub(crate) fn time(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match seconds {
        3600.. => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        20.. => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("0:{seconds:02}.{}", left.subsec_millis() / 100),
    }
}

/// A number of things: `1 game`, `2 games`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_do_not_capitalise_squares() {
        assert_eq!(sentence("no knight can go to d4"), "No knight can go to d4.");
        assert_eq!(sentence("e2e5 is not legal"), "e2e5 is not legal.");
        assert_eq!(sentence("check!"), "Check!");
        assert_eq!(sentence(""), ".");
    }

    #[test]
    fn long_lists_are_broken_between_words() {
        let words = vec!["Nf3".to_owned(); 40];
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.len() <= LINE_WIDTH && !line.starts_with(' ')));
        assert_eq!(text.split_whitespace().count(), 40);
    }

    #[test]
    fn moves_are_spoken() {
        for (fen, text, expected) in [
            (chess::START_FEN, "Nf3", "knight from g1 to f3"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", "pawn from e5 takes pawn en passant on d6"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8", "rook from a1 to a8, checkmate"),
            (
                "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1",
                "exd8=Q",
                "pawn from e7 takes rook on d8 and becomes a queen, check",
            ),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castles kingside"),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let mv = position.parse_san(text).expect("a move");
            assert_eq!(spoken(&position, mv), expected);
        }
    }

    #[test]
    fn scores_and_times() {
        assert_eq!(score(EvalScore::Centipawns(35)), "+0.35");
        assert_eq!(score(EvalScore::Centipawns(-120)), "-1.20");
        assert_eq!(score(EvalScore::Mate(-2)), "#-2");
        assert_eq!(time(Duration::from_millis(3_930_500)), "1:05:30");
        assert_eq!(time(Duration::from_millis(299_999)), "4:59");
        assert_eq!(time(Duration::from_millis(9_870)), "0:09.8");
    }
}
