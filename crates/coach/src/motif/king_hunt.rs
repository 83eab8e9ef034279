//! Attacks on the king.

use super::double_attack::fork;
use super::material::hanging_piece;
use super::mates::back_rank;
use super::{Finding, Motif};
use crate::line::{Line, Step};
use chess::{Bitboard, File, Rank, Role, Square};

/// An attack on a king that has castled short.
pub(super) fn kingside_attack(line: &Line) -> Option<Finding> {
    side_attack(line, Motif::KingsideAttack, File::H, &[File::G, File::H], 20)
}

/// An attack on a king that has castled long.
pub(super) fn queenside_attack(line: &Line) -> Option<Finding> {
    side_attack(line, Motif::QueensideAttack, File::A, &[File::A, File::B, File::C], 17)
}

fn side_attack(line: &Line, motif: Motif, corner: File, files: &[File], least_men: u32) -> Option<Finding> {
    let start = line.start();
    let enemy = !line.hero();
    let king = start.king(enemy);
    let home = Rank::First;
    if king.relative_to(enemy).rank() != home
        || !files.contains(&king.file())
        || start.occupied().count() < least_men
    {
        return None;
    }
    let corner = Square::new(corner, home).relative_to(enemy);
    if !line.hero_steps().any(|step| step.gives_check()) {
        return None;
    }
    // Checks and captures near the corner speak for an attack, moves far from it against.
    let points = |step: Step<'_>| {
        let distance = corner.distance(step.to());
        let capture_near = step.captured().is_some() && distance <= 3;
        i32::from(step.gives_check()) + i32::from(capture_near) - i32::from(!capture_near && distance >= 5)
    };
    let points: i32 = line.hero_steps().map(points).sum();
    let other_reason = fork(line).or_else(|| back_rank(line)).or_else(|| hanging_piece(line));
    (points >= 2 && other_reason.is_none()).then(|| Finding::new(motif, 0, king, Bitboard::from(king)))
}

/// The first move goes against f2 or f7 with the king still in the middle.
pub(super) fn attacking_f2_f7(line: &Line) -> Option<Finding> {
    line.hero_steps().find_map(|step| {
        step.captured()?;
        let weak = Square::new(File::F, Rank::Second).relative_to(!line.hero());
        let home = Square::new(File::E, Rank::First).relative_to(!line.hero());
        (step.to() == weak && step.before.king(!line.hero()) == home)
            .then(|| Finding::new(Motif::AttackingF2F7, step.index, step.to(), Bitboard::from(weak)))
    })
}

/// The king has left its first ranks, or has no pawn near it, and is checked.
pub(super) fn exposed_king(line: &Line) -> Option<Finding> {
    let start = line.start();
    let enemy = !line.hero();
    let king = start.king(enemy);
    let rank = king.relative_to(enemy).rank().index();
    // Pawns beside and before the king are cover, those behind it are not.
    let row = king.bitboard() | king.bitboard().east() | king.bitboard().west();
    let bare = !(row | row.forward(enemy)).intersects(start.pieces(enemy, Role::Pawn));
    let is_chased = line.hero_steps().skip(1).any(|step| step.gives_check() && !line.is_last(step));
    (rank <= 2 && bare && is_chased).then(|| Finding::new(Motif::ExposedKing, 0, king, Bitboard::from(king)))
}
