//! King and pawn against king: every position, won or drawn, in a table of bits.
//!
//! The strong side is White here and its pawn stands on one of the files a to d; other positions are
//! turned to look like that. The table is worked out at first use, or before by [`prepare`].

use chess::{Color, File, Rank, Square, attacks};
use std::sync::OnceLock;

/// Pawns on four files and six ranks, two kings, two sides to move.
const PAWNS: usize = 24;
const STATES: usize = PAWNS * 64 * 64 * 2;

static TABLE: OnceLock<Box<[u64]>> = OnceLock::new();

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
    let state = State {
        king: turned(king),
        pawn: turned(pawn),
        weak_king: turned(weak_king),
        strong_to_move: turn == strong,
    };
    let index = state.index();
    TABLE.get_or_init(solve)[index / 64] >> (index % 64) & 1 != 0
}

#[derive(Copy, Clone)]
struct State {
    king: Square,
    pawn: Square,
    weak_king: Square,
    strong_to_move: bool,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Verdict {
    Illegal,
    Unknown,
    Drawn,
    Won,
}

impl State {
    fn index(self) -> usize {
        let pawn = (self.pawn.rank().index() - 1) * 4 + self.pawn.file().index();
        ((pawn * 2 + usize::from(self.strong_to_move)) * 64 + self.king.index()) * 64 + self.weak_king.index()
    }

    fn from_index(index: usize) -> Self {
        let pawn = index / (2 * 64 * 64);
        Self {
            king: Square::from_index(index / 64),
            pawn: Square::new(File::from_index(pawn % 4), Rank::from_index(pawn / 4 + 1)),
            weak_king: Square::from_index(index),
            strong_to_move: index / (64 * 64) % 2 == 1,
        }
    }

    fn is_legal(self) -> bool {
        self.king.distance(self.weak_king) > 1
            && self.king != self.pawn
            && self.weak_king != self.pawn
            && !(self.strong_to_move && attacks::pawn(Color::White, self.pawn).has(self.weak_king))
    }

    /// What the next move decides, given the verdicts on the positions after it.
    fn judge(self, verdicts: &[Verdict]) -> Verdict {
        if self.strong_to_move { self.judge_strong(verdicts) } else { self.judge_weak(verdicts) }
    }

    fn judge_strong(self, verdicts: &[Verdict]) -> Verdict {
        let mut best = Verdict::Drawn;
        let mut consider = |next: Self| match verdicts[next.index()] {
            Verdict::Won => best = Verdict::Won,
            Verdict::Unknown if best == Verdict::Drawn => best = Verdict::Unknown,
            _ => {}
        };
        let guarded = attacks::king(self.weak_king);
        for king in attacks::king(self.king) & !guarded & !self.pawn.bitboard() {
            consider(Self { king, strong_to_move: false, ..self });
        }
        let kings = self.king.bitboard() | self.weak_king.bitboard();
        let step = self.pawn.forward(Color::White);
        if !kings.has(step) {
            if step.rank() == Rank::Eighth {
                // The new queen must not be lost; then she wins.
                if !guarded.has(step) || attacks::king(self.king).has(step) {
                    return Verdict::Won;
                }
            } else {
                consider(Self { pawn: step, strong_to_move: false, ..self });
                let double = step.forward(Color::White);
                if self.pawn.rank() == Rank::Second && !kings.has(double) {
                    consider(Self { pawn: double, strong_to_move: false, ..self });
                }
            }
        }
        best
    }

    fn judge_weak(self, verdicts: &[Verdict]) -> Verdict {
        let pawn_attacks = attacks::pawn(Color::White, self.pawn);
        let moves = attacks::king(self.weak_king) & !attacks::king(self.king) & !pawn_attacks;
        if moves.has(self.pawn) {
            return Verdict::Drawn;
        }
        if moves.is_empty() {
            return if pawn_attacks.has(self.weak_king) { Verdict::Won } else { Verdict::Drawn };
        }
        let mut worst = Verdict::Won;
        for weak_king in moves {
            match verdicts[Self { weak_king, strong_to_move: true, ..self }.index()] {
                Verdict::Drawn => return Verdict::Drawn,
                Verdict::Unknown => worst = Verdict::Unknown,
                _ => {}
            }
        }
        worst
    }
}

/// Judges all positions again and again until nothing new is learned; what is then unknown is drawn, since
/// the strong side cannot make progress.
///
/// A pawn only moves forward, so each square of the pawn is settled before the squares behind it.
fn solve() -> Box<[u64]> {
    let mut verdicts: Vec<_> = (0..STATES)
        .map(|index| if State::from_index(index).is_legal() { Verdict::Unknown } else { Verdict::Illegal })
        .collect();
    for pawn in (0..PAWNS).rev() {
        let range = pawn * (STATES / PAWNS)..(pawn + 1) * (STATES / PAWNS);
        let mut open: Vec<_> = range.filter(|&index| verdicts[index] == Verdict::Unknown).collect();
        loop {
            let before = open.len();
            open.retain(|&index| {
                verdicts[index] = State::from_index(index).judge(&verdicts);
                verdicts[index] == Verdict::Unknown
            });
            if open.len() == before {
                break;
            }
        }
        for index in open {
            verdicts[index] = Verdict::Drawn;
        }
    }
    verdicts
        .chunks(64)
        .map(|chunk| {
            let won = |(bit, _): (usize, &Verdict)| 1_u64 << bit;
            chunk.iter().enumerate().filter(|(_, verdict)| **verdict == Verdict::Won).map(won).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Piece, Position, Role, Setup};

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
