//! Moves and scores as people read them.

use chess::pgn::EvalScore;
use chess::{CastlingStyle, Color, Move, Position, Variant};
use engine::{Score, wdl};
use std::fmt::Write;

/// The number that stands before a move of this position: `12.` or `12...`.
#[must_use]
pub fn move_number(position: &Position) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}

/// A line in algebraic notation with move numbers: `12... Nf6 13. O-O`. An illegal move ends it.
#[must_use]
pub fn san_line(start: &Position, moves: &[Move]) -> String {
    let mut text = String::new();
    let mut position = *start;
    for (index, &mv) in moves.iter().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        let separator = if index > 0 { " " } else { "" };
        let number = match position.turn() {
            Color::Black if index > 0 => String::new(),
            _ => format!("{} ", move_number(&position)),
        };
        let _ = write!(text, "{separator}{number}{}", position.san(mv));
        position.play(mv);
    }
    text
}

/// A line by its squares: `e2e4 e7e5`. An illegal move ends it.
#[must_use]
pub fn coordinate_line(start: &Position, moves: &[Move], variant: Variant) -> Vec<String> {
    let style = match variant {
        Variant::Chess960 => CastlingStyle::Chess960,
        Variant::Standard => CastlingStyle::Standard,
    };
    let mut position = *start;
    let mut line = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        line.push(position.to_uci(mv, style).to_string());
        position.play(mv);
    }
    line
}

/// The score of the side to move that White sees as this one: the way back from [`Score::for_white`], except for rounding.
#[must_use]
pub fn from_white(score: EvalScore, turn: Color) -> Score {
    let sign = if turn == Color::White { 1 } else { -1 };
    match score {
        EvalScore::Centipawns(value) => Score::evaluation(wdl::units(sign * value)),
        EvalScore::Mate(moves) => match sign * moves {
            moves @ 1.. => Score::mate_in(2 * moves.unsigned_abs() as usize - 1),
            moves => Score::mated_in(2 * moves.unsigned_abs() as usize),
        },
    }
}

/// A score as people read it: `+0.35`, `-12.00`, `#3`, `#-3`.
#[must_use]
pub fn show_score(score: EvalScore) -> String {
    match score {
        EvalScore::Mate(moves) => format!("#{moves}"),
        EvalScore::Centipawns(value) => {
            let sign = match value {
                0 => "",
                1.. => "+",
                _ => "-",
            };
            format!("{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered() {
        let mut position = Position::startpos();
        let e4 = position.parse_san("e4").expect("legal");
        position.play(e4);
        let e5 = position.parse_san("e5").expect("legal");
        let nf3 = position.after(e5).parse_san("Nf3").expect("legal");
        assert_eq!(san_line(&Position::startpos(), &[e4, e5, nf3]), "1. e4 e5 2. Nf3");
        assert_eq!(san_line(&position, &[e5, nf3]), "1... e5 2. Nf3");
        assert_eq!(san_line(&position, &[e5, e5]), "1... e5");
        assert_eq!(coordinate_line(&position, &[e5, nf3], Variant::Standard), ["e7e5", "g1f3"]);
    }

    #[test]
    fn scores_come_back_from_whites_view() {
        for turn in Color::ALL {
            for score in [Score::DRAW, Score::mate_in(5), Score::mated_in(4), Score::mated_in(0)] {
                assert_eq!(from_white(score.for_white(turn), turn), score);
            }
            assert!(from_white(EvalScore::Centipawns(150), turn).units().abs() > 50);
        }
    }

    #[test]
    fn scores_have_their_sign() {
        assert_eq!(show_score(EvalScore::Centipawns(5)), "+0.05");
        assert_eq!(show_score(EvalScore::Centipawns(-1234)), "-12.34");
        assert_eq!(show_score(EvalScore::Centipawns(0)), "0.00");
        assert_eq!(show_score(Score::mate_in(3).for_white(Color::Black)), "#-2");
    }
}
