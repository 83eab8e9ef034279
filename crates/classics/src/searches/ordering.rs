//! The order in which alpha-beta tries moves: the better the first, the fewer the rest.

use super::{Method, Ordering, SearchBoard, Searcher};
use crate::boards::Moves;
use chess::Role;

/// Piglet's score of a capture: the victim's value (pawn 100 to king 600) plus six, less a hundredth of
/// the attacker's. Pawn takes queen is 505, bishop takes rook 403.
#[must_use]
pub const fn mvv_lva(victim: Role, attacker: Role) -> i32 {
    ordering_value(victim) + 6 - ordering_value(attacker) / 100
}

const fn ordering_value(role: Role) -> i32 {
    (role as i32 + 1) * 100
}

/// Piglet adds a million to every capture, so that all come before the quiet moves.
const MVV_LVA_LEAST: i32 = 1_000_000;

/// The later killer; the earlier one comes next.
const KILLER: i32 = MVV_LVA_LEAST - 1;

const FIRST: i32 = i32::MAX;

/// How often each move of each side has caused a cutoff, by its squares.
pub(super) struct History(Box<[[[u32; 64]; 64]; 2]>);

impl History {
    pub(super) fn new() -> Self {
        Self(Box::new([[[0; 64]; 64]; 2]))
    }

    pub(super) fn reward<B: SearchBoard>(&mut self, board: &B, mv: B::Move) {
        let (from, to) = board.squares(mv);
        self.0[board.turn().index()][from][to] += 1;
    }

    pub(super) fn count<B: SearchBoard>(&self, board: &B, mv: B::Move) -> i32 {
        let (from, to) = board.squares(mv);
        // Below every capture and killer, however often.
        self.0[board.turn().index()][from][to].min(KILLER as u32 - 2) as i32
    }
}

impl<B: SearchBoard> Searcher<'_, B> {
    /// Notes a quiet move that was too good, in front of the one noted before.
    pub(super) fn note_killer(&mut self, ply: u32, mv: B::Move) {
        if !self.method.killers || self.board.capture(mv).is_some() {
            return;
        }
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [later, earlier] = &mut self.killers[ply];
        if *later != Some(mv) {
            *earlier = later.replace(mv);
        }
    }

    /// How a killer of this ply is scored, 0 for other moves.
    fn killer_score(&self, ply: u32, mv: B::Move) -> i32 {
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        killers.iter().position(|&killer| killer == Some(mv)).map_or(0, |place| KILLER - place as i32)
    }

    /// Sorts moves by the method's rule; `first` comes before all others. Equals stay as generated.
    pub(super) fn order(&mut self, moves: &mut Moves<B::Move>, first: Option<B::Move>, ply: u32) {
        let Method { ordering, history, killers, .. } = self.method;
        if ordering == Ordering::Generated && !history && !killers && first.is_none() {
            return;
        }
        let mut scored: Vec<(i32, B::Move)> = moves
            .iter()
            .map(|&mv| {
                (if Some(mv) == first { FIRST } else { self.promise(mv).max(self.killer_score(ply, mv)) }, mv)
            })
            .collect();
        scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        for (place, (_, mv)) in moves.iter_mut().zip(scored) {
            *place = mv;
        }
    }

    /// Sorts captures and promotions for quiescence search, by MVV/LVA whatever the method: as generated,
    /// exchanges of all with all would bury the search.
    pub(super) fn order_captures(&self, moves: &mut Moves<B::Move>) {
        moves.sort_by_key(|&mv| {
            let score = self.board.capture(mv).map_or(0, |(victim, attacker)| mvv_lva(victim, attacker));
            std::cmp::Reverse(score)
        });
    }

    fn promise(&mut self, mv: B::Move) -> i32 {
        if self.method.ordering == Ordering::FullEvaluation {
            return self.promise_by_evaluation(mv);
        }
        match self.board.capture(mv) {
            Some((victim, attacker)) if self.method.ordering == Ordering::MvvLva => {
                MVV_LVA_LEAST + mvv_lva(victim, attacker)
            }
            _ if self.method.history => self.history.count(&self.board, mv),
            _ => 0,
        }
    }

    fn promise_by_evaluation(&mut self, mv: B::Move) -> i32 {
        if !self.board.make(mv) {
            return 0;
        }
        let score = -(self.evaluate)(&self.board);
        self.board.unmake();
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_document() {
        assert_eq!(mvv_lva(Role::Queen, Role::Pawn), 505);
        assert_eq!(mvv_lva(Role::Rook, Role::Pawn), 405);
        assert_eq!(mvv_lva(Role::Queen, Role::Bishop), 503);
        assert_eq!(mvv_lva(Role::Rook, Role::Bishop), 403, "the document's 503 is a slip");
        assert_eq!(mvv_lva(Role::Pawn, Role::Pawn), 105, "en passant too");
    }
}
