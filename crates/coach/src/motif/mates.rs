//! Mates that have names.

use super::{Finding, Motif};
use crate::facts::{attackers, attacks_from};
use crate::line::Line;
use chess::{Bitboard, Color, File, Position, Rank, Role, Square, attacks};

struct Mated<'a> {
    index: usize,
    position: &'a Position,
    king: Square,
    loser: Color,
}

impl Mated<'_> {
    fn finding(&self, motif: Motif, by: Square) -> Finding {
        Finding::new(motif, self.index, by, Bitboard::from(self.king))
    }

    fn single_checker(&self) -> Option<(Square, Role)> {
        let square = self.position.checkers().single()?;
        Some((square, self.position.piece_on(square)?.role()))
    }

    /// The squares next to the king.
    fn around(&self) -> Bitboard {
        attacks::king(self.king)
    }

    fn is_cornered(&self) -> bool {
        self.around().count() == 3
    }
}

fn mated(line: &Line) -> Option<Mated<'_>> {
    let position = line.end();
    let loser = position.turn();
    (position.is_checkmate() && loser != line.hero()).then(|| Mated {
        index: line.moves().len() - 1,
        position,
        king: position.king(loser),
        loser,
    })
}

/// The line ends in mate.
pub(super) fn mate(line: &Line) -> Option<Finding> {
    let mated = mated(line)?;
    let by = mated.position.checkers().first()?;
    Some(mated.finding(Motif::Mate, by))
}

/// A rook or queen mates along the first rank; the king's own men, and they alone, bar the way off it.
pub(super) fn back_rank(line: &Line) -> Option<Finding> {
    let mated = mated(line)?;
    let (by, role) = mated.single_checker()?;
    let home = mated.king.relative_to(mated.loser).rank() == Rank::First;
    if !home || !matches!(role, Role::Rook | Role::Queen) || by.rank() != mated.king.rank() {
        return None;
    }
    let before_the_king = mated.around() & mated.king.forward(mated.loser).rank().bitboard();
    let own = mated.position.side(mated.loser);
    let blocked = before_the_king
        .into_iter()
        .all(|square| own.has(square) && attackers(mated.position, square, !mated.loser).is_empty());
    blocked.then(|| mated.finding(Motif::BackRankMate, by))
}

/// A knight mates a king that stands among its own men.
pub(super) fn smothered(line: &Line) -> Option<Finding> {
    let mated = mated(line)?;
    let (by, role) = mated.single_checker()?;
    let shut_in = (mated.around() & !mated.position.side(mated.loser)).is_empty();
    (role == Role::Knight && shut_in).then(|| mated.finding(Motif::SmotheredMate, by))
}

/// Two bishops mate: on crossing diagonals Boden's, on neighbouring ones the double bishop mate.
pub(super) fn two_bishops(line: &Line) -> Option<Finding> {
    let mated = mated(line)?;
    let (by, role) = mated.single_checker()?;
    let bishops = mated.position.pieces(!mated.loser, Role::Bishop);
    let second = (bishops & !by.bitboard()).single()?;
    let own = mated.position.side(mated.loser);
    let flights = mated.around() & !own;
    let guards = attacks_from(mated.position, by)
        | attacks_from(mated.position, second)
        | attacks::line(by, mated.king);
    if role != Role::Bishop
        || !(flights & !guards).is_empty()
        || !flights.intersects(attacks_from(mated.position, second))
    {
        return None;
    }
    let crossing = (by.file() < mated.king.file()) != (second.file() < mated.king.file());
    Some(mated.finding(if crossing { Motif::BodenMate } else { Motif::DoubleBishopMate }, by))
}

/// Mates by a rook next to the king that a knight protects, or with a knight that takes the flight squares.
pub(super) fn knight_and_rook(line: &Line) -> Option<Finding> {
    let mated = mated(line)?;
    let (by, role) = mated.single_checker()?;
    let knights = mated.position.pieces(!mated.loser, Role::Knight);
    let next_to = mated.around().has(by);
    let guarded_by_knight = attacks::knight(by).intersects(knights);
    if role == Role::Rook && next_to && guarded_by_knight && mated.is_cornered() {
        return Some(mated.finding(Motif::ArabianMate, by));
    }
    let pawns = mated.position.pieces(!mated.loser, Role::Pawn);
    let knight_held = knights.into_iter().any(|knight| {
        attacks::knight(by).has(knight) && attacks::pawn(mated.loser, knight).intersects(pawns)
    });
    if role == Role::Rook && next_to && knight_held {
        return Some(mated.finding(Motif::HookMate, by));
    }
    let at_edge = matches!(mated.king.file(), File::A | File::H);
    let near_knight = knights.into_iter().any(|knight| mated.king.distance(knight) <= 3);
    let blocked = (mated.around() & mated.position.side(mated.loser)).any();
    let along_edge = by.file() == mated.king.file();
    (at_edge
        && along_edge
        && near_knight
        && blocked
        && matches!(role, Role::Rook | Role::Queen)
        && !mated.is_cornered())
    .then(|| mated.finding(Motif::AnastasiaMate, by))
}

/// Mates in which the queen alone takes the squares that the king's own pieces leave it.
pub(super) fn queen_next_to_king(line: &Line) -> Option<Finding> {
    let mated = mated(line)?;
    let (by, role) = mated.single_checker()?;
    if role != Role::Queen {
        return None;
    }
    let own = mated.position.side(mated.loser);
    let occupied = mated.position.occupied().without(mated.king);
    let queens_alone = attacks::queen(by, occupied) | by.bitboard();
    let flights = mated.around() & !own;
    // No other piece may help, but for protecting the queen.
    let helpers = mated
        .around()
        .without(by)
        .into_iter()
        .any(|square| attackers(mated.position, square, !mated.loser).without(by).any());
    let edge = [Rank::First.bitboard(), Rank::Eighth.bitboard(), File::A.bitboard(), File::H.bitboard()];
    let edges = edge.into_iter().filter(|edge| edge.has(mated.king)).count();
    if helpers || !(flights & !queens_alone).is_empty() {
        return None;
    }
    let blocked = mated.around() & own;
    let same_file = by.file() == mated.king.file();
    let straight = same_file || by.rank() == mated.king.rank();
    let shoulders = if same_file { mated.king.rank().bitboard() } else { mated.king.file().bitboard() };
    match (mated.king.distance(by), straight, edges) {
        (1, false, 0) if blocked.count() == 2 => Some(mated.finding(Motif::DovetailMate, by)),
        (1, true, 0) if blocked.count() == 2 => Some(mated.finding(Motif::SwallowsTailMate, by)),
        (2, true, 1) if blocked.count() == 2 && (blocked & !shoulders).is_empty() => {
            Some(mated.finding(Motif::EpauletteMate, by))
        }
        _ => None,
    }
}
