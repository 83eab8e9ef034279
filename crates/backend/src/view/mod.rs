//! What the server knows, as clients see it.

mod explain;
mod game;
mod review;
mod tree;

pub(crate) use explain::{explained_move, explanation, remark, remarks};
pub(crate) use game::{game_state, game_summary, offer};
pub(crate) use review::{exercise, exercise_verdict, review};
pub(crate) use tree::{import_error, tree};

use crate::analysis::Findings;
use crate::classic_books::ClassicBooks;
use crate::error::{Error, Result};
use crate::levels::{self, Level};
use crate::notation::{WrittenMove, uci};
use crate::openings;
use crate::record::classic_name;
use crate::wire;
use chess::pgn::EvalScore;
use chess::{CastlingSide, Color, FenWarning, Game, Move, MoveKind, Outcome, Position, Reason, Variant};
use classics::ClassicSpec;
use engine::Bound;
use engine::options::{Kind, Spec, Value};
use std::collections::BTreeMap;

/// A level as an opponent.
pub(crate) fn level(level: Level) -> wire::Level {
    wire::Level { id: level.to_string(), name: level.name().to_owned(), elo: levels::elo(level) }
}

/// A classic as an opponent.
pub(crate) fn classic(spec: ClassicSpec, books: &ClassicBooks) -> wire::Classic {
    let mut description = spec.description().to_owned();
    let books = books.names(spec);
    if !books.is_empty() {
        description.push_str(&format!("; here from {}", books.join(", ")));
    }
    wire::Classic { id: spec.name(), name: classic_name(spec).to_owned(), description }
}

/// An option of the engine.
pub(crate) fn engine_option(spec: &Spec) -> wire::EngineOption {
    let kind = match (spec.kind, spec.default()) {
        (Kind::Button, _) => wire::OptionKind::Button,
        (Kind::Spin { min, max }, Value::Spin(default)) => wire::OptionKind::Spin { default, min, max },
        (Kind::Combo { choices }, Value::Text(default)) => wire::OptionKind::Combo { default, choices },
        (_, Value::Check(default)) => wire::OptionKind::Check { default },
        (_, default) => wire::OptionKind::Text { default: default.to_string() },
    };
    wire::EngineOption { name: spec.name, help: spec.help, kind }
}

/// The answer to a question about a position.
pub(crate) fn position_answer(game: &Game, warnings: &[FenWarning]) -> wire::PositionAnswer {
    wire::PositionAnswer {
        warnings: warnings.iter().map(ToString::to_string).collect(),
        start: game.start().to_fen(),
        variant: game.variant().into(),
        moves: moves(game),
        position: position(game),
    }
}

/// The position at which a game stands.
pub(crate) fn position(game: &Game) -> wire::Position {
    let position = game.position();
    let end = game.outcome();
    wire::Position {
        fen: position.to_fen(),
        turn: position.turn().into(),
        dests: if end.is_some() { BTreeMap::new() } else { dests(position) },
        check: position.is_check().then(|| position.king(position.turn()).to_string()),
        last_move: game.last_move().map(|mv| marked_squares(mv, !position.turn())),
        outcome: end.map(outcome),
        claimable: game.claimable().map(|outcome| match outcome.reason {
            Reason::ThreefoldRepetition => wire::Claim::Threefold,
            _ => wire::Claim::Fifty,
        }),
        opening: openings::name(game)
            .map(|opening| wire::Opening { eco: opening.eco.to_owned(), name: opening.name.to_owned() }),
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
fn outcome(outcome: Outcome) -> wire::Outcome {
    wire::Outcome {
        winner: outcome.winner.map(Into::into),
        result: outcome.result().into(),
        reason: outcome.reason.into(),
        text: outcome.to_string(),
    }
}

impl From<WrittenMove> for wire::Move {
    fn from(mv: WrittenMove) -> Self {
        Self { uci: mv.uci, san: mv.san, fen: mv.fen, check: mv.is_check }
    }
}

/// The moves of a game, each with the position after it.
fn moves(game: &Game) -> Vec<wire::Move> {
    let mut position = *game.start();
    game.moves()
        .map(|mv| {
            let written = WrittenMove::new(&position, mv, game.variant());
            position.play(mv);
            written.into()
        })
        .collect()
}

/// A move without the position it leads to.
fn move_name(before: &Position, mv: Move, variant: Variant) -> wire::MoveName {
    wire::MoveName { uci: uci(before, mv, variant), san: before.san(mv).to_string() }
}

/// A line of moves from a position, as far as it is legal.
fn line_moves(start: &Position, moves: &[Move], variant: Variant) -> Vec<wire::MoveName> {
    let mut position = *start;
    moves
        .iter()
        .map_while(|&mv| {
            let name = position.is_legal(mv).then(|| move_name(&position, mv, variant))?;
            position.play(mv);
            Some(name)
        })
        .collect()
}

impl From<EvalScore> for wire::Score {
    fn from(score: EvalScore) -> Self {
        match score {
            EvalScore::Centipawns(cp) => Self::Cp(cp),
            EvalScore::Mate(moves) => Self::Mate(moves),
        }
    }
}

/// A line of the engine, from White's view.
fn engine_line(line: &engine::Line, position: &Position, variant: Variant) -> wire::Line {
    let turn = position.turn();
    let chances = line.score.chances();
    let (win, loss) = match turn {
        Color::White => (chances.win, chances.loss),
        Color::Black => (chances.loss, chances.win),
    };
    let bound = match (line.bound, turn) {
        (Bound::Exact, _) => wire::Bound::Exact,
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => wire::Bound::Lower,
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => wire::Bound::Upper,
    };
    wire::Line {
        rank: line.rank,
        depth: line.depth,
        score: line.score.for_white(turn).into(),
        wdl: [win, chances.draw, loss],
        bound,
        moves: line_moves(position, &line.moves, variant),
    }
}

/// What a search has found.
pub(crate) fn analysis(findings: &Findings) -> wire::Analysis {
    let (position, variant) = (findings.game.position(), findings.game.variant());
    wire::Analysis {
        fen: position.to_fen(),
        lines: findings.lines.iter().map(|line| engine_line(line, position, variant)).collect(),
        depth: findings.depth,
        nodes: findings.usage.nodes,
        nps: findings.usage.nodes_per_second(),
        time: findings.time.as_millis() as u64,
        threat: findings.threat.as_ref().map(|threat| engine_line(&threat.line, &threat.position, variant)),
        done: findings.is_done,
    }
}

/// A hint.
///
/// # Errors
/// When the coach has found no move.
pub(crate) fn hint(steps: Vec<wire::Remark>) -> Result<wire::Message> {
    let answer = steps.last().and_then(|step| step.line.as_ref()).and_then(|line| line.moves.first());
    let wire::MoveName { uci, san } =
        answer.cloned().ok_or_else(|| Error::internal(&"a hint without a move"))?;
    Ok(wire::Message::Hint { uci, san, steps })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::read_game;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        let fen = Some(fen.to_owned()).filter(|fen| !fen.is_empty());
        read_game(&wire::PositionRequest { fen, moves, variant: None }).expect("a game")
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
        assert_eq!((outcome.result, outcome.reason), (wire::GameResult::BlackWins, wire::Reason::Checkmate));
    }
}
