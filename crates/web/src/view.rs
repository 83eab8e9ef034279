//! Games and positions as clients see them.

use crate::error::{Error, Result};
use crate::openings;
use crate::wire::{
    Line, MoveName, MoveState, OutcomeState, PositionAnswer, PositionRequest, PositionState, Score,
};
use chess::{CastlingSide, Color, Game, Move, MoveKind, Outcome, Position, Reason, UciMoveError, Variant};
use engine::{Bound, ReportedScore, wdl};
use std::collections::BTreeMap;

/// The longest game that is taken from outside, in plies.
pub const MAX_PLIES: usize = 2000;

/// Reads a move, by its squares or in algebraic notation.
///
/// # Errors
/// Says why it is none.
pub fn read_move(position: &Position, text: &str) -> Result<Move> {
    match position.parse_uci(text) {
        Err(UciMoveError::Syntax { .. }) => position.parse_san(text).map_err(Error::illegal),
        read => read.map_err(Error::illegal),
    }
}

/// The game that a request describes.
///
/// # Errors
/// When the position is not legal or a move is not.
pub fn read_game(request: &PositionRequest) -> Result<Game> {
    let start = match &request.fen {
        Some(fen) => Position::from_fen(fen).map_err(Error::bad_request)?,
        None => Position::startpos(),
    };
    let variant = match request.variant {
        Some(name) if Variant::of(&start) == Variant::Standard => name.into(),
        _ => Variant::of(&start),
    };
    let mut game = Game::with_variant(start, variant);
    play_all(&mut game, &request.moves)?;
    Ok(game)
}

/// Plays moves of a record.
///
/// # Errors
/// When one is illegal, or there are too many.
pub fn play_all(game: &mut Game, moves: &[String]) -> Result<()> {
    if moves.len() > MAX_PLIES {
        return Err(Error::bad_request(format!("more than {MAX_PLIES} moves")));
    }
    for (index, text) in moves.iter().enumerate() {
        let mv = read_move(game.position(), text)
            .map_err(|error| Error::bad_request(format!("move {}: {error}", index + 1)))?;
        game.replay(mv).map_err(|error| Error::bad_request(format!("move {}: {error}", index + 1)))?;
    }
    Ok(())
}

/// The answer to a question about a position.
#[must_use]
pub fn position_answer(game: &Game) -> PositionAnswer {
    PositionAnswer {
        start: game.start().to_fen(),
        variant: game.variant().into(),
        moves: moves(game),
        position: position(game),
    }
}

/// The position at which a game stands.
#[must_use]
pub fn position(game: &Game) -> PositionState {
    let position = game.position();
    let outcome = game.outcome();
    PositionState {
        fen: position.to_fen(),
        turn: position.turn().into(),
        dests: if outcome.is_some() { BTreeMap::new() } else { dests(position) },
        check: position.is_check().then(|| position.king(position.turn()).to_string()),
        last_move: game.last_move().map(|mv| marked_squares(mv, !position.turn())),
        outcome: outcome.map(self::outcome),
        claimable: game.claimable().map(|outcome| match outcome.reason {
            Reason::ThreefoldRepetition => "threefold",
            _ => "fifty",
        }),
        opening: openings::name(game),
    }
}

/// Where each piece may go. Castling is there twice: as the king's target and as the rook.
fn dests(position: &Position) -> BTreeMap<String, Vec<String>> {
    let mut dests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mv in position.legal_moves() {
        let targets = dests.entry(mv.from().to_string()).or_default();
        let mut add = |square: String| {
            if !targets.contains(&square) {
                targets.push(square);
            }
        };
        add(mv.to().to_string());
        if mv.kind() == MoveKind::Castling {
            let target = CastlingSide::of(mv.from(), mv.to()).king_target(position.turn());
            // A step of the king would be understood as just that.
            if mv.from().distance(target) >= 2 {
                add(target.to_string());
            }
        }
    }
    dests
}

/// From where to where the piece went.
fn marked_squares(mv: Move, mover: Color) -> [String; 2] {
    let to = match mv.kind() {
        MoveKind::Castling => CastlingSide::of(mv.from(), mv.to()).king_target(mover),
        _ => mv.to(),
    };
    [mv.from().to_string(), to.to_string()]
}

/// The end of a game.
#[must_use]
pub fn outcome(outcome: Outcome) -> OutcomeState {
    OutcomeState {
        winner: outcome.winner.map(Into::into),
        result: outcome.result().as_str(),
        reason: outcome.reason.to_string(),
        text: outcome.to_string(),
    }
}

/// The reason of a text in the database.
#[must_use]
pub fn read_reason(text: &str) -> Option<Reason> {
    [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::InsufficientMaterial,
        Reason::FiftyMoves,
        Reason::SeventyFiveMoves,
        Reason::ThreefoldRepetition,
        Reason::FivefoldRepetition,
        Reason::Agreement,
        Reason::Resignation,
        Reason::TimeForfeit,
        Reason::IllegalMove,
        Reason::Abandoned,
        Reason::Adjudication,
    ]
    .into_iter()
    .find(|reason| reason.to_string() == text)
}

/// The moves of a game, each with the position after it.
#[must_use]
pub fn moves(game: &Game) -> Vec<MoveState> {
    let mut position = *game.start();
    game.moves()
        .map(|mv| {
            let state = move_state(&position, mv, game.variant());
            position.play(mv);
            state
        })
        .collect()
}

/// A move with the position after it.
#[must_use]
pub fn move_state(before: &Position, mv: Move, variant: Variant) -> MoveState {
    let after = before.after(mv);
    MoveState {
        uci: before.to_uci(mv, variant.castling_style()).to_string(),
        san: before.san(mv).to_string(),
        fen: after.to_fen(),
        check: after.is_check(),
    }
}

/// A line of moves from a position, as far as it is legal.
#[must_use]
pub fn line_moves(start: &Position, moves: &[Move], variant: Variant) -> Vec<MoveName> {
    let mut position = *start;
    moves
        .iter()
        .map_while(|&mv| {
            if !position.is_legal(mv) {
                return None;
            }
            let uci = position.to_uci(mv, variant.castling_style()).to_string();
            let san = position.san(mv).to_string();
            position.play(mv);
            Some(MoveName { uci, san })
        })
        .collect()
}

/// A score of the engine, from White's view.
#[must_use]
pub fn score(score: engine::Score, turn: Color) -> Score {
    let sign = if turn == Color::White { 1 } else { -1 };
    match score.to_reported() {
        ReportedScore::Mate(moves) => Score::Mate(sign * moves),
        ReportedScore::Units(units) => Score::Cp(sign * wdl::centipawns(units)),
    }
}

/// A line of the engine, from White's view.
#[must_use]
pub fn engine_line(line: &engine::Line, position: &Position, variant: Variant) -> Line {
    let turn = position.turn();
    let chances = wdl::chances(line.score.units());
    let (win, loss) = match turn {
        Color::White => (chances.win, chances.loss),
        Color::Black => (chances.loss, chances.win),
    };
    let bound = match (line.bound, turn) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "lower",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "upper",
    };
    Line {
        rank: line.rank,
        depth: line.depth,
        score: score(line.score, turn),
        wdl: [win, chances.draw, loss],
        bound,
        moves: line_moves(position, &line.moves, variant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        let fen = Some(fen.to_owned()).filter(|fen| !fen.is_empty());
        read_game(&PositionRequest { fen, moves, variant: None }).expect("a game")
    }

    #[test]
    fn castling_can_be_done_by_king_or_rook() {
        let state = position(&game("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[]));
        let targets = &state.dests["e1"];
        for square in ["g1", "h1", "c1", "a1", "d1", "f1"] {
            assert!(targets.contains(&square.to_owned()), "{square}");
        }
        let castled = position(&game("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["O-O"]));
        assert_eq!(castled.last_move, Some(["e1".to_owned(), "g1".to_owned()]));
    }

    #[test]
    fn a_game_that_is_over_has_no_targets() {
        let state = position(&game("", &["f3", "e5", "g4", "d8h4"]));
        assert!(state.dests.is_empty());
        assert_eq!(state.check.as_deref(), Some("e1"));
        let outcome = state.outcome.expect("mate");
        assert_eq!((outcome.result, outcome.reason.as_str()), ("0-1", "checkmate"));
    }

    #[test]
    fn faults_name_the_move() {
        let request =
            PositionRequest { moves: vec!["e4".to_owned(), "e4".to_owned()], ..PositionRequest::default() };
        let error = read_game(&request).expect_err("no such move");
        assert!(error.message.starts_with("move 2: "), "{error}");
    }

    #[test]
    fn reasons_go_both_ways() {
        assert_eq!(read_reason("time forfeit"), Some(Reason::TimeForfeit));
        assert_eq!(read_reason("boredom"), None);
    }
}
