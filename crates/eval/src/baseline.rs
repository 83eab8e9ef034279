//! The baseline: material and piece-square tables, nothing else.
//!
//! It never changes, so that everything else can be measured against it. Its tables follow from a few rules of
//! thumb instead of being tuned.

use chess::{Color, Position, Role, Square};

/// The weight of a role in the phase of the game; all pieces together make [`FULL_PHASE`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// The value of a piece in the middle game and in the end game.
const MATERIAL: [(i32, i32); 6] = [(85, 110), (330, 300), (345, 315), (480, 540), (1010, 980), (0, 0)];

const TEMPO: i32 = 12;

/// 0 on the rim, 3 on the two middle lines.
const fn towards_centre(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// The value of a square to one of White's pieces, without material.
const fn square_bonus(role: Role, square: Square) -> (i32, i32) {
    let rank = square.rank().index();
    let file_centre = towards_centre(square.file().index() as i32);
    let centre = file_centre + towards_centre(rank as i32);
    let advance = rank as i32;
    match role {
        Role::Pawn => {
            const ADVANCED: [(i32, i32); 8] =
                [(0, 0), (0, 4), (2, 0), (8, 8), (18, 24), (34, 52), (60, 96), (0, 0)];
            let (mg, eg) = ADVANCED[rank];
            // Centre pawns belong on the fourth rank; those that stayed at home are in the way.
            let stake = if file_centre == 3 { [0, -14, 6, 18, 14, 8, 0, 0][rank] } else { 0 };
            (mg + stake + 2 * file_centre - 3, eg)
        }
        Role::Knight => (
            9 * centre - 34 + if rank >= 3 && rank <= 5 { 10 } else { 0 } - if rank == 0 { 6 } else { 0 },
            7 * centre - 24,
        ),
        Role::Bishop => (5 * centre - 16 - if rank == 0 { 8 } else { 0 }, 3 * centre - 9),
        Role::Rook => {
            (4 * file_centre - 6 + if rank == 6 { 18 } else { 0 }, advance + if rank == 6 { 8 } else { 0 })
        }
        Role::Queen => (2 * centre - 6 - if rank > 3 { 4 } else { 0 }, 6 * centre - 18),
        // Behind its pawns on either wing, until the pieces that could mate it are gone.
        Role::King => {
            ([26, 30, 8, -6][file_centre as usize] - [0, 18, 40, 60, 75, 80, 80, 80][rank], 10 * centre - 30)
        }
    }
}

const fn build_tables() -> [[(i32, i32); 64]; 6] {
    let mut tables = [[(0, 0); 64]; 6];
    let mut i = 0;
    while i < 6 * 64 {
        let (role, square) = (Role::ALL[i / 64], Square::from_index(i % 64));
        let (mg, eg) = square_bonus(role, square);
        tables[role.index()][square.index()] = (MATERIAL[role.index()].0 + mg, MATERIAL[role.index()].1 + eg);
        i += 1;
    }
    tables
}

static TABLES: [[(i32, i32); 64]; 6] = build_tables();

/// Material and piece-square tables, in units from the view of the side to move.
#[must_use]
pub fn baseline(position: &Position) -> i32 {
    let (mut mg, mut eg, mut phase) = (0, 0, 0);
    for color in Color::ALL {
        let sign = if color == position.turn() { 1 } else { -1 };
        for role in Role::ALL {
            for square in position.pieces(color, role) {
                let bonus = TABLES[role.index()][square.relative_to(color).index()];
                mg += sign * bonus.0;
                eg += sign * bonus.1;
                phase += PHASE[role.index()];
            }
        }
    }
    let phase = phase.min(FULL_PHASE);
    ((mg * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE + TEMPO)
        .clamp(-crate::MAX_EVALUATION, crate::MAX_EVALUATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_has_the_value_of_the_tempo() {
        assert_eq!(baseline(&Position::startpos()), TEMPO);
    }

    #[test]
    fn an_extra_piece_counts_for_its_owner() {
        let white = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        assert!(baseline(&white) > 800);
        assert_eq!(baseline(&white), baseline(&white.mirrored()));
    }
}
