//! What gets worse between the ends of two lines, counted again.

use super::{Fault, ahead_of, end, ensure, pawns_on, replay, side, text};
use serde_json::Value;
use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};

pub(super) fn check(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let other = replay(&claim["other"])?;
    let mover = side(claim)?;
    let (here, there) = (end(line).board(), end(&other).board());
    let holds = match text(claim, "trend")? {
        "activity" => squares(here, mover) < squares(there, mover),
        "kingSafety" => {
            pressure(here, mover) > pressure(there, mover) || shelter(here, mover) < shelter(there, mover)
        }
        "pawnStructure" => weak(here, mover) > weak(there, mover),
        "passedPawns" => passed(here, !mover) > passed(there, !mover),
        name => return Err(format!("nothing checks {name}")),
    };
    ensure(holds, "it is no worse")
}

fn squares(board: &Board, side: Color) -> usize {
    let own = board.by_color(side);
    (own & !(board.pawns() | board.kings()))
        .into_iter()
        .map(|from| (board.attacks_from(from) & !own).count())
        .sum()
}

fn pressure(board: &Board, side: Color) -> usize {
    let Some(king) = board.king_of(side) else { return 0 };
    let near = shakmaty::attacks::king_attacks(king);
    near.into_iter().map(|square| board.attacks_to(square, !side, board.occupied()).count()).sum()
}

fn shelter(board: &Board, side: Color) -> usize {
    let Some(king) = board.king_of(side) else { return 0 };
    let file = king.file() as i32;
    (file - 1..=file + 1)
        .flat_map(|file| pawns_on(board, side, file))
        .filter(ahead_of(king, side))
        .filter(|pawn| (pawn.rank() as i32 - king.rank() as i32).abs() <= 2)
        .count()
}

fn weak(board: &Board, side: Color) -> usize {
    let pawns = board.by_piece(side.pawn());
    let count = |pawn: Square| {
        let file = pawn.file() as i32;
        let near: Vec<Square> =
            [file - 1, file + 1].into_iter().flat_map(|file| pawns_on(board, side, file)).collect();
        let doubled = usize::from(pawns_on(board, side, file).len() >= 2);
        let isolated = usize::from(near.is_empty());
        let next = pawn.offset(if side.is_white() { 8 } else { -8 });
        let stopped = next.is_some_and(|next| {
            (shakmaty::attacks::pawn_attacks(side, next) & board.by_piece((!side).pawn())).any()
                && !board.pawns().contains(next)
        });
        let backward = !near.is_empty() && near.iter().all(ahead_of(pawn, side)) && stopped;
        doubled + isolated + usize::from(backward)
    };
    pawns.into_iter().map(count).sum()
}

fn passed(board: &Board, side: Color) -> usize {
    let pawns: Bitboard = board.by_piece(side.pawn());
    let is_passed = |pawn: &Square| {
        let file = pawn.file() as i32;
        let mut stoppers = (file - 1..=file + 1).flat_map(|file| pawns_on(board, !side, file));
        let mut own = pawns_on(board, side, file).into_iter();
        !stoppers.any(|other| ahead_of(*pawn, side)(&other))
            && !own.any(|other| ahead_of(*pawn, side)(&other))
    };
    let gone = |pawn: Square| if side.is_white() { pawn.rank() as usize } else { 7 - pawn.rank() as usize };
    pawns.into_iter().filter(is_passed).map(gone).sum()
}
