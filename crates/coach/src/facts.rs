//! Facts about positions: who attacks, defends and can take what.

use chess::{Bitboard, Color, Move, Piece, Position, Role, Square, attacks};

/// The value of a piece in pawns, as players count. The king is above all.
#[must_use]
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 99,
    }
}

/// The material of a side in pawns.
#[must_use]
pub fn material(position: &Position, color: Color) -> i32 {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    roles.into_iter().map(|role| value(role) * position.pieces(color, role).count() as i32).sum()
}

/// How much more material a side has than the other, in pawns.
#[must_use]
pub fn balance(position: &Position, color: Color) -> i32 {
    material(position, color) - material(position, !color)
}

/// Whether a kind of piece moves along lines.
#[must_use]
pub const fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// The squares that the piece on a square attacks.
#[must_use]
pub fn attacks_from(position: &Position, square: Square) -> Bitboard {
    attacks_over(position, square, position.occupied())
}

/// The squares that the piece on a square attacks over these occupied squares.
#[must_use]
pub fn attacks_over(position: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    match position.piece_on(square) {
        Some(piece) if piece.role() == Role::Pawn => attacks::pawn(piece.color(), square),
        Some(piece) => attacks::of_piece(piece.role(), square, occupied),
        None => Bitboard::EMPTY,
    }
}

/// The pieces of a side that attack a square.
#[must_use]
pub fn attackers(position: &Position, square: Square, by: Color) -> Bitboard {
    position.attackers_to(square, position.occupied()) & position.side(by)
}

/// Whether the piece on a square is protected by another of its side, also through an enemy slider that attacks it.
#[must_use]
pub fn is_defended(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let own = position.side(piece.color());
    if (attackers(position, square, piece.color()) & !square.bitboard()).any() {
        return true;
    }
    let enemy_sliders = attackers(position, square, !piece.color())
        & (position.orthogonal_sliders() | position.diagonal_sliders());
    enemy_sliders.into_iter().any(|slider| {
        let occupied = position.occupied().without(slider);
        (position.attackers_to(square, occupied) & own & !square.bitboard()).any()
    })
}

/// Whether the piece on a square is not protected.
#[must_use]
pub fn is_undefended(position: &Position, square: Square) -> bool {
    position.piece_on(square).is_some() && !is_defended(position, square)
}

/// Legal moves of the side to move that take on a square.
pub fn captures_on(position: &Position, square: Square) -> impl Iterator<Item = Move> {
    let moves = position.legal_moves();
    let taken = move |mv: &Move| mv.to() == square && !mv.is_castling();
    let position = *position;
    moves.into_iter().filter(move |mv| taken(mv) && position.is_capture(*mv))
}

/// Whether the side to move wins material by taking on a square, in exchanges there.
#[must_use]
pub fn can_be_won(position: &Position, square: Square) -> bool {
    captures_on(position, square).any(|mv| position.see_ge(mv, 60))
}

/// The same position with the other side to move; none if that would leave a king to be taken.
#[must_use]
pub fn passed(position: &Position) -> Option<Position> {
    if position.is_check() {
        return None;
    }
    let mut next = *position;
    next.play_null();
    Some(next)
}

/// Whether the piece on a square stands where it loses material: it can be taken for nothing, or by a lesser piece.
#[must_use]
pub fn is_in_bad_spot(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let enemies = attackers(position, square, !piece.color());
    enemies.any()
        && (is_undefended(position, square)
            || enemies
                .into_iter()
                .filter_map(|from| position.piece_on(from))
                .any(|enemy| enemy.role() != Role::King && value(enemy.role()) < value(piece.role())))
}

/// The pieces of a side without its king and pawns.
#[must_use]
pub fn officers(position: &Position, color: Color) -> Bitboard {
    position.side(color) & !(position.role(Role::Pawn) | position.role(Role::King))
}

/// A piece that is pinned, what it shields, and what pins it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    /// The pinned piece.
    pub pinned: Square,
    /// The slider that pins it.
    pub by: Square,
    /// The king, or the more valuable piece, behind it.
    pub target: Square,
    /// Whether the king is behind it, so that it must not move off the line.
    pub is_absolute: bool,
}

/// The pieces of a side that are pinned to their king, or to a piece of more value than the pinning one.
#[must_use]
pub fn pins(position: &Position, color: Color) -> Vec<Pin> {
    let mut found = Vec::new();
    let sliders = (position.orthogonal_sliders() | position.diagonal_sliders()) & position.side(!color);
    for by in sliders {
        for pinned in attacks_from(position, by) & position.side(color) {
            let through = attacks_over(position, by, position.occupied().without(pinned));
            let line = attacks::line(by, pinned);
            let behind = (through & line & position.side(color)).without(pinned);
            let Some(target) = behind.into_iter().find(|&square| attacks::between(by, square).has(pinned))
            else {
                continue;
            };
            let role = |square: Square| position.piece_on(square).map_or(Role::Pawn, Piece::role);
            let is_absolute = role(target) == Role::King;
            let outweighs =
                value(role(target)) > value(role(pinned)) && value(role(target)) > value(role(by));
            if role(pinned) != Role::King && (is_absolute || outweighs) {
                found.push(Pin { pinned, by, target, is_absolute });
            }
        }
    }
    found
}
