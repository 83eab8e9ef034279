//! Known endings, checked by solving them where that is possible.

use super::{Fault, ensure, replay, text};
use serde_json::Value;
use shakmaty::{Board, Chess, Color, Position, Role, Square};
use std::collections::HashMap;

pub(super) fn check(claim: &Value) -> Result<(), Fault> {
    // The position is not part of the claim: it comes with it as the line of the question.
    let Some(line) = claim.get("at") else { return Ok(()) };
    let position = replay(line)?.remove(0);
    let board = position.board();
    let side = claim["side"].as_str().map(|side| if side == "white" { Color::White } else { Color::Black });
    let bare = |color: Color| board.by_color(color).count() == 1;
    match text(claim, "ending")? {
        "pawnWins" => ensure(wins(&position, side.ok_or("no side")?), "the pawn does not get through"),
        "pawnDraws" => ensure(!wins(&position, side.ok_or("no side")?), "the pawn gets through"),
        "keySquare" => ensure(wins(&position, side.ok_or("no side")?), "not won from there"),
        "opposition" => {
            let kings = [Color::White, Color::Black].map(|color| board.king_of(color));
            let [Some(one), Some(other)] = kings else { return Err("no kings".to_owned()) };
            let facing = one.file() == other.file() || one.rank() == other.rank();
            ensure(facing && one.distance(other) == 2 && Some(position.turn()) != side, "no opposition")
        }
        "race" => race(&position, side.ok_or("no side")?),
        "mateKnown" => {
            let strong = side.ok_or("no side")?;
            ensure(
                bare(!strong) && (board.rooks_and_queens() & board.by_color(strong)).any(),
                "no such ending",
            )
        }
        "bishopAndKnight" | "wrongBishop" => ensure(bare(!side.ok_or("no side")?), "no bare king"),
        "noForcedMate" => ensure((board.pawns() | board.rooks_and_queens()).is_empty(), "enough to mate"),
        "oppositeBishops" | "oppositeBishopsAttack" => {
            let bishops = [Color::White, Color::Black]
                .map(|color| (board.bishops() & board.by_color(color)).single_square());
            let [Some(one), Some(other)] = bishops else { return Err("not one bishop each".to_owned()) };
            ensure(one.is_light() != other.is_light(), "bishops of one colour")
        }
        "tableWin" | "tableDraw" => Ok(()),
        name => Err(format!("nothing checks {name}")),
    }
}

fn race(position: &Chess, first: Color) -> Result<(), Fault> {
    let board = position.board();
    let plies = |color: Color| {
        let pawns = (board.pawns() & board.by_color(color)).into_iter();
        pawns
            .filter(|&pawn| super::runs(position, pawn, color))
            .map(|pawn| {
                let rank = if color.is_white() { pawn.rank() as i32 } else { 7 - pawn.rank() as i32 };
                2 * (7 - rank.max(2)) - i32::from(position.turn() == color)
            })
            .min()
    };
    let (Some(own), Some(other)) = (plies(first), plies(!first)) else { return Err("no race".to_owned()) };
    ensure(own < other, format!("{own} half-moves against {other}"))
}

/// Whether the side with the only pawn wins: by what the rules allow, solved backwards over all positions of the kings.
fn wins(position: &Chess, strong: Color) -> bool {
    let board = position.board();
    let Some(pawn) = (board.pawns() & board.by_color(strong)).single_square() else { return false };
    let (Some(king), Some(weak)) = (board.king_of(strong), board.king_of(!strong)) else { return false };
    let mut solver = Solver { strong, won: HashMap::new() };
    solver.wins((king, pawn, weak, position.turn() == strong), 24)
}

type State = (Square, Square, Square, bool);

/// A plain search with a table of what was proved: deep enough for one pawn.
struct Solver {
    strong: Color,
    won: HashMap<(State, u8), bool>,
}

impl Solver {
    fn wins(&mut self, state: State, depth: u8) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some(&known) = self.won.get(&(state, depth)) {
            return known;
        }
        let (king, pawn, weak, is_strong) = state;
        let position = self.position(state);
        let mut any = false;
        let result = match position {
            None => false,
            Some(position) => {
                let moves = position.legal_moves();
                let mut outcomes = moves.iter().map(|mv| {
                    any = true;
                    if mv.is_promotion() {
                        return mv.promotion() == Some(Role::Queen) && self.queen_is_safe(&position, mv.to());
                    }
                    if mv.is_capture() {
                        return false;
                    }
                    let next = match (is_strong, mv.role()) {
                        (true, Role::King) => (mv.to(), pawn, weak, false),
                        (true, _) => (king, mv.to(), weak, false),
                        (false, _) => (king, pawn, mv.to(), true),
                    };
                    self.wins(next, depth - 1)
                });
                let result = if is_strong { outcomes.any(|won| won) } else { outcomes.all(|won| won) };
                // No move and no check is stalemate, which is no win.
                result && any
            }
        };
        self.won.insert((state, depth), result);
        result
    }

    fn queen_is_safe(&self, position: &Chess, square: Square) -> bool {
        let board = position.board();
        let Some(weak) = board.king_of(!self.strong) else { return false };
        let guarded = board.king_of(self.strong).is_some_and(|king| king.distance(square) <= 1);
        weak.distance(square) > 1 || guarded
    }

    fn position(&self, (king, pawn, weak, is_strong): State) -> Option<Chess> {
        let mut board = Board::empty();
        board.set_piece_at(king, self.strong.king());
        board.set_piece_at(pawn, self.strong.pawn());
        board.set_piece_at(weak, (!self.strong).king());
        let turn = if is_strong { self.strong } else { !self.strong };
        let fen = format!("{board} {} - - 0 1", turn.char());
        fen.parse::<shakmaty::fen::Fen>().ok()?.into_position(shakmaty::CastlingMode::Standard).ok()
    }
}
