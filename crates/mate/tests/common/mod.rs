//! What the tests of the mate search share: a solver too simple to be wrong, and positions to try.

#![allow(dead_code)]

use chess::random::Random;
use chess::{Color, Move, Piece, Position, Role, Setup, Square};
use mate::{Limits, MateResult, solve, solve_mated};

pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Limits with a table small enough to be overwritten all the time.
pub(crate) fn small_table() -> Limits<'static> {
    Limits { table_bytes: 1 << 12, ..Limits::default() }
}

/// Whether the side to move mates in at most `moves`, by trying everything.
pub(crate) fn mates_by_force(position: &Position, moves: u32) -> bool {
    moves > 0 && position.legal_moves().iter().any(|&mv| is_mated_by_force(&position.after(mv), moves - 1))
}

/// Whether the side to move is mated in at most `moves` of the other side, by trying everything.
pub(crate) fn is_mated_by_force(position: &Position, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.is_check();
    }
    moves > 0
        && position.halfmove_clock() < 100
        && replies.iter().all(|&reply| {
            let after = position.after(reply);
            after.halfmove_clock() < 100 && mates_by_force(&after, moves)
        })
}

/// The length of the shortest mate by the side to move, if it is at most `up_to`.
pub(crate) fn shortest_by_force(position: &Position, up_to: u32) -> Option<u32> {
    (1..=up_to).find(|&moves| mates_by_force(position, moves))
}

/// The proved mate and its line.
pub(crate) fn mate_of(result: MateResult) -> Option<(u32, Vec<Move>)> {
    match result {
        MateResult::Mate { moves, line, .. } => Some((moves, line)),
        MateResult::NoMate { .. } => None,
        MateResult::Stopped { .. } => panic!("stopped without a limit"),
    }
}

pub(crate) fn in_san(position: &Position, line: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &mv in line {
        words.push(position.san(mv).to_string());
        position.play(mv);
    }
    words.join(" ")
}

/// Solves, and checks that the line is legal, mates, and takes as many moves as claimed; that after each
/// move of it the mate is just as far away as it should be.
pub(crate) fn solve_checked(
    start: &Position,
    max_moves: u32,
    limits: Limits<'_>,
) -> Option<(u32, Vec<Move>)> {
    let (moves, line) = mate_of(solve(start, max_moves, limits))?;
    assert_eq!(line.len() as u32, 2 * moves - 1, "{}", start.to_fen());
    let mut position = *start;
    for (ply, &mv) in line.iter().enumerate() {
        assert!(position.is_legal(mv), "{mv:?} in {}", position.to_fen());
        position.play(mv);
        let left = moves - 1 - ply as u32 / 2;
        let found = if ply % 2 == 0 {
            mate_of(solve_mated(&position, left, Limits::default()))
        } else {
            mate_of(solve(&position, left, Limits::default()))
        };
        assert_eq!(found.map(|(moves, _)| moves), Some(left), "after {mv:?} of {}", start.to_fen());
    }
    assert!(position.is_checkmate(), "{} ends in {}", start.to_fen(), position.to_fen());
    Some((moves, line))
}

/// A random legal position of few pieces, most of them White's, the black king at the edge.
pub(crate) fn random_position(random: &mut Random) -> Position {
    const MEN: [Piece; 8] = [
        Piece::WhiteQueen,
        Piece::WhiteRook,
        Piece::WhiteBishop,
        Piece::WhiteKnight,
        Piece::WhitePawn,
        Piece::BlackPawn,
        Piece::BlackKnight,
        Piece::BlackRook,
    ];
    loop {
        let mut setup = Setup::empty();
        setup.board[random.below(8)] = Some(Piece::BlackKing);
        let mut men = vec![Piece::WhiteKing];
        men.extend((0..2 + random.below(4)).map(|_| MEN[random.below(MEN.len())]));
        for piece in men {
            let square = random.below(64);
            let fits = piece.role() != Role::Pawn || (8..56).contains(&square);
            if setup.board[square].is_none() && fits {
                setup.board[square] = Some(piece);
            }
        }
        match random.below(4) {
            0 => setup.turn = Color::Black,
            1 => stage_en_passant(&mut setup, random),
            _ => {}
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return if random.below(2) == 0 { position } else { position.mirrored() };
        }
    }
}

/// Puts two pawns side by side, as after a double step of Black's, where there is room.
fn stage_en_passant(setup: &mut Setup, random: &mut Random) {
    let file = random.below(7);
    let [taker, taken, target, origin] = [32 + file, 33 + file, 41 + file, 49 + file];
    if [taker, taken, target, origin].iter().all(|&square| setup.board[square].is_none()) {
        setup.board[taker] = Some(Piece::WhitePawn);
        setup.board[taken] = Some(Piece::BlackPawn);
        setup.en_passant = Some(Square::from_index(target));
    }
}
