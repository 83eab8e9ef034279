//! King and pawn against king: every position, won or drawn, in a table of bits.
//!
//! The strong side is White here and its pawn stands on one of the files a to d; other positions are
//! turned to look like that. The table is worked out at first use, or before by [`prepare`].

use chess::{Bitboard, Color, File, Rank, Square, attacks};
use std::sync::OnceLock;

/// Pawns on four files and six ranks.
const PAWNS: usize = 24;

/// The squares of the weak king with which the strong side wins, for one square of the pawn: by the side to
/// move and the square of the strong king. All weak kings are judged at once, as sets.
#[derive(Copy, Clone)]
struct Wins {
    weak_to_move: [Bitboard; 64],
    strong_to_move: [Bitboard; 64],
}

static TABLE: OnceLock<Vec<Wins>> = OnceLock::new();

/// Works the table out now, so that no search has to wait for it.
pub(crate) fn prepare() {
    TABLE.get_or_init(solve);
}

/// Whether the side with the pawn wins.
pub(crate) fn is_won(strong: Color, king: Square, pawn: Square, weak_king: Square, turn: Color) -> bool {
    let turned = |square: Square| {
        let square = square.relative_to(strong);
        if pawn.file() > File::D { square.mirrored() } else { square }
    };
    let wins = &TABLE.get_or_init(solve)[pawn_index(turned(pawn))];
    let by_king = if turn == strong { &wins.strong_to_move } else { &wins.weak_to_move };
    by_king[turned(king).index()].has(turned(weak_king))
}

fn pawn_index(pawn: Square) -> usize {
    (pawn.rank().index() - 1) * 4 + pawn.file().index()
}

fn pawn_square(index: usize) -> Square {
    Square::new(File::from_index(index % 4), Rank::from_index(index / 4 + 1))
}

/// A pawn only moves forward, so each square of the pawn is settled before the squares behind it.
fn solve() -> Vec<Wins> {
    let nothing = Wins { weak_to_move: [Bitboard::EMPTY; 64], strong_to_move: [Bitboard::EMPTY; 64] };
    let mut table = vec![nothing; PAWNS];
    for pawn in (0..PAWNS).rev() {
        table[pawn] = solve_pawn(pawn_square(pawn), &table, nothing);
    }
    table
}

/// Finds wins until there are no more; what is then not won is drawn, since the strong side cannot make
/// progress.
fn solve_pawn(pawn: Square, table: &[Wins], nothing: Wins) -> Wins {
    let mut wins = nothing;
    for king in Bitboard::FULL {
        wins.strong_to_move[king.index()] = wins_by_pawn_move(king, pawn, table) & legal(king, pawn);
    }
    loop {
        let mut changed = false;
        for king in Bitboard::FULL {
            let won = weak_is_lost(king, pawn, wins.strong_to_move[king.index()]);
            changed |= won != wins.weak_to_move[king.index()];
            wins.weak_to_move[king.index()] = won;
        }
        if !changed {
            return wins;
        }
        for king in Bitboard::FULL {
            let after = attacks::king(king).into_iter().map(|next| wins.weak_to_move[next.index()]);
            let by_king_move = after.fold(Bitboard::EMPTY, |won, more| won | more);
            wins.strong_to_move[king.index()] |= by_king_move & legal(king, pawn);
        }
    }
}

/// The squares where the weak king may stand with the strong side to move.
fn legal(king: Square, pawn: Square) -> Bitboard {
    legal_in_check(king, pawn) & !attacks::pawn(Color::White, pawn)
}

/// The squares where the weak king may stand when it is to move.
fn legal_in_check(king: Square, pawn: Square) -> Bitboard {
    if king == pawn {
        return Bitboard::EMPTY;
    }
    !(attacks::king(king) | king.bitboard() | pawn.bitboard())
}

/// The weak kings against which a move of the pawn wins.
fn wins_by_pawn_move(king: Square, pawn: Square, table: &[Wins]) -> Bitboard {
    let step = pawn.forward(Color::White);
    if king == step {
        return Bitboard::EMPTY;
    }
    if step.rank() == Rank::Eighth {
        // The new queen must not be lost; then she wins.
        let is_guarded = attacks::king(king).has(step);
        let takers = if is_guarded { Bitboard::EMPTY } else { attacks::king(step) };
        return !(takers | step.bitboard());
    }
    let after = |pawn| table[pawn_index(pawn)].weak_to_move[king.index()];
    let mut won = after(step);
    if pawn.rank() == Rank::Second {
        won |= after(step.forward(Color::White)) & !step.bitboard();
    }
    won
}

/// The weak kings that lose although they are to move: mated, or with no move to where they are safe.
fn weak_is_lost(king: Square, pawn: Square, lost_after_moving: Bitboard) -> Bitboard {
    let checked = attacks::pawn(Color::White, pawn);
    // Where a king may go: the pawn itself too, when it is not protected.
    let free = !(attacks::king(king) | checked);
    let can_move = next_to(free);
    let can_escape = next_to(free & !lost_after_moving);
    legal_in_check(king, pawn) & !can_escape & (can_move | checked)
}

/// The squares next to any of these.
fn next_to(squares: Bitboard) -> Bitboard {
    let row = squares.east() | squares.west();
    let rows = row | squares;
    row | rows.north() | rows.south()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Piece, Position, Role, Setup};

    const STATES: usize = PAWNS * 64 * 64 * 2;

    #[derive(Copy, Clone)]
    struct State {
        king: Square,
        pawn: Square,
        weak_king: Square,
        strong_to_move: bool,
    }

    impl State {
        fn index(self) -> usize {
            let turn = usize::from(self.strong_to_move);
            ((pawn_index(self.pawn) * 2 + turn) * 64 + self.king.index()) * 64 + self.weak_king.index()
        }

        fn from_index(index: usize) -> Self {
            Self {
                king: Square::from_index(index / 64),
                pawn: pawn_square(index / (2 * 64 * 64)),
                weak_king: Square::from_index(index),
                strong_to_move: index / (64 * 64) % 2 == 1,
            }
        }
    }

    fn setup(state: State) -> Setup {
        let mut setup = Setup::empty();
        setup.board[state.king.index()] = Some(Piece::WhiteKing);
        setup.board[state.weak_king.index()] = Some(Piece::BlackKing);
        setup.board[state.pawn.index()] = Some(Piece::WhitePawn);
        setup.turn = if state.strong_to_move { Color::White } else { Color::Black };
        setup
    }

    /// The same position as a state, if the pawn is still there.
    fn state_of(position: &Position) -> Option<State> {
        Some(State {
            king: position.king(Color::White),
            pawn: position.role(Role::Pawn).first()?,
            weak_king: position.king(Color::Black),
            strong_to_move: position.turn() == Color::White,
        })
    }

    /// What is won at once: mate, or a queen or rook that is not lost and does not stalemate.
    fn is_won_at_once(position: &Position) -> bool {
        let heavy = position.orthogonal_sliders();
        position.is_checkmate()
            || heavy.any()
                && position.has_legal_move()
                && position.legal_moves().iter().all(|&mv| position.after(mv).orthogonal_sliders().any())
    }

    /// Solves the ending over the legal moves of whole positions, knowing nothing of the table.
    #[test]
    fn agrees_with_legal_moves() {
        let mut won = vec![false; STATES];
        let mut successors = vec![None; STATES];
        let legal: Vec<_> = (0..STATES)
            .filter_map(|index| {
                let state = State::from_index(index);
                if state.king == state.weak_king || state.king == state.pawn || state.weak_king == state.pawn
                {
                    return None;
                }
                Some((index, Position::from_setup(&setup(state)).ok()?))
            })
            .collect();
        for (index, position) in &legal {
            let mut after = Vec::new();
            for mv in position.legal_moves() {
                let next = position.after(mv);
                match state_of(&next) {
                    Some(next) => after.push(Some(next.index())),
                    None if position.turn() == Color::White && is_won_at_once(&next) => won[*index] = true,
                    None => after.push(None),
                }
            }
            won[*index] |= position.is_checkmate();
            successors[*index] = Some(after);
        }
        loop {
            let mut changed = false;
            for (index, position) in &legal {
                let after = successors[*index].as_ref().unwrap();
                let wins = |next: &Option<usize>| next.is_some_and(|next| won[next]);
                let is_won = match position.turn() {
                    Color::White => after.iter().any(wins),
                    Color::Black => !after.is_empty() && after.iter().all(wins),
                };
                if is_won && !won[*index] {
                    won[*index] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (index, position) in &legal {
            let state = State::from_index(*index);
            let table = is_won(Color::White, state.king, state.pawn, state.weak_king, position.turn());
            assert_eq!(table, won[*index], "{}", position.to_fen());
        }
    }

    #[test]
    fn turned_positions_are_judged_alike() {
        for (king, pawn, weak_king) in [
            (Square::E6, Square::E5, Square::E8),
            (Square::C6, Square::B6, Square::B8),
            (Square::A6, Square::A5, Square::A8),
        ] {
            for turn in Color::ALL {
                let white = is_won(Color::White, king, pawn, weak_king, turn);
                let mirrored =
                    is_won(Color::White, king.mirrored(), pawn.mirrored(), weak_king.mirrored(), turn);
                let black = is_won(Color::Black, king.flipped(), pawn.flipped(), weak_king.flipped(), !turn);
                assert_eq!((white, white), (mirrored, black), "{king} {pawn} {weak_king}");
            }
        }
    }
}
