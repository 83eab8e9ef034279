//! Material and piece-square tables. The document has only the idea; all numbers are ours, and the tables
//! follow from a rule for each kind of piece.

use crate::boards::{ClassicBoard, Ox88};
use chess::{Color, Role, Square};

/// Values in hundredths of a pawn, which the document sets to exactly one point.
const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 310,
        Role::Bishop => 320,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// The value of a square to a white piece of this kind.
const fn square_value(role: Role, square: Square) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    // 0 on the edge to 3 in the middle, by files and by ranks.
    let inward = if file < 4 { file } else { 7 - file };
    let height = if rank < 4 { rank } else { 7 - rank };
    let centre = inward + height;
    match role {
        Role::Pawn => {
            let advance = (rank - 1) * (rank - 1) * 2;
            let middle = match (inward, rank) {
                (3, 1) => -20,
                (3, 3 | 4) => 20,
                (2, 3 | 4) => 8,
                _ => 0,
            };
            advance + middle
        }
        Role::Knight => 10 * centre - 35,
        Role::Bishop => 5 * centre - 12,
        Role::Rook => {
            let seventh = if rank == 6 { 12 } else { 0 };
            seventh + if inward == 3 { 5 } else { 0 }
        }
        Role::Queen => 2 * centre - 6,
        Role::King => match (rank, inward) {
            (0, 0 | 1) => 25,
            (0, 2) => 5,
            (0, _) => 0,
            _ => -12 * height,
        },
    }
}

/// Values of pieces on squares, the square seen from the piece's side of the board.
const TABLES: [[i32; 64]; 6] = {
    let mut tables = [[0; 64]; 6];
    let mut i = 0;
    while i < 6 * 64 {
        let role = Role::ALL[i / 64];
        tables[i / 64][i % 64] = value(role) + square_value(role, Square::from_index(i % 64));
        i += 1;
    }
    tables
};

/// The evaluation for the side to move, in hundredths of a pawn.
#[must_use]
pub fn evaluate(board: &Ox88) -> i32 {
    let mut white = 0;
    for (piece, square) in board.pieces() {
        let color = piece.color();
        let value = TABLES[piece.role().index()][square.relative_to(color).index()];
        white += if color == Color::White { value } else { -value };
    }
    if board.turn() == Color::White { white } else { -white }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn score(fen: &str) -> i32 {
        evaluate(&Ox88::set_up(&Position::from_fen(fen).unwrap()).unwrap())
    }

    #[test]
    fn even_positions_have_no_value() {
        assert_eq!(score(chess::START_FEN), 0);
    }

    #[test]
    fn colours_are_alike() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let mirrored = Position::from_fen(fen).unwrap().mirrored();
        assert_eq!(score(fen), evaluate(&Ox88::set_up(&mirrored).unwrap()));
    }

    #[test]
    fn pieces_like_the_centre() {
        let centre = score("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1");
        let corner = score("4k3/8/8/8/8/8/8/N3K3 w - - 0 1");
        assert_eq!(centre - corner, 60);
    }
}
