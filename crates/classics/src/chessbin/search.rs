//! ChessBin's search: negamax alpha-beta over copied boards, one check extension a line, quiescence over
//! captures.

use super::evaluation::{KING, evaluate, piece_value};
use super::transposition::{NodeType, TranspositionTable};
use crate::boards::mailbox::{MailMove, Mailbox, Survey, action_value};
use crate::boards::{ClassicBoard, Moves};
use crate::{Statistics, Watch};
use chess::{Color, Role};

/// Beyond every score.
pub(super) const INFINITY: i32 = 400_000_000;
/// Fifty moves are a hundred half-moves.
const FIFTY_MOVES: u16 = 100;

/// A search under way. Its functions return `None` when the budget is spent.
pub(super) struct Search<'a> {
    pub table: &'a mut TranspositionTable,
    pub watch: Watch<'a>,
    pub statistics: Statistics,
}

/// A position of the tree with its survey.
pub(super) struct Node {
    pub board: Mailbox,
    pub survey: Survey,
}

impl Node {
    pub(super) fn new(board: Mailbox) -> Self {
        let survey = board.survey();
        Self { board, survey }
    }

    /// The position after a move, unless the move leaves the own king in check.
    pub(super) fn after(&self, mv: MailMove) -> Option<Self> {
        let next = Self::new(self.board.after(mv));
        (!next.survey.check[self.board.turn().index()]).then_some(next)
    }

    pub(super) fn is_check(&self) -> bool {
        self.survey.check[self.board.turn().index()]
    }

    pub(super) fn has_legal_move(&self) -> bool {
        self.survey.moves.iter().any(|&mv| self.after(mv).is_some())
    }

    pub(super) fn is_mate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    pub(super) fn evaluate(&self) -> i32 {
        evaluate(&self.board, &self.survey)
    }
}

impl Search<'_> {
    /// The score for the side to move within `alpha` and `beta`. Mates are the better the more depth is
    /// left.
    pub(super) fn alpha_beta(
        &mut self,
        node: &Node,
        mut depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        mut extended: bool,
    ) -> Option<i32> {
        if depth == 0 {
            if extended || !node.is_check() {
                return self.quiesce(node, 0, alpha, beta);
            }
            depth = 1;
            extended = true;
        }
        self.statistics.regular.visit(ply);
        if self.watch.visit() {
            return None;
        }
        if node.board.halfmove_clock() >= FIFTY_MOVES {
            return Some(if node.is_mate() { -KING - depth as i32 } else { 0 });
        }
        let hash = node.board.key();
        let (is_known, settled) = self.table.look_up(hash, depth, alpha, beta);
        self.statistics.regular.recurring += u64::from(is_known);
        if let Some(score) = settled {
            self.statistics.regular.table_hits += 1;
            return Some(score.clamp(alpha, beta));
        }

        let lower = alpha;
        let mut has_legal_move = false;
        for mv in ordered_moves(node) {
            let Some(next) = node.after(mv) else { continue };
            has_legal_move = true;
            let score = -self.alpha_beta(&next, depth - 1, ply + 1, -beta, -alpha, extended)?;
            if score >= beta {
                self.statistics.regular.cutoffs += 1;
                self.table.store(hash, depth, beta, NodeType::Beta);
                return Some(beta);
            }
            alpha = alpha.max(score);
        }
        if !has_legal_move {
            return Some(if node.is_check() { -KING - depth as i32 } else { 0 });
        }
        let node_type = if alpha > lower { NodeType::Exact } else { NodeType::Alpha };
        self.table.store(hash, depth, alpha, node_type);
        Some(alpha)
    }

    /// Captures only, until the position is calm. Standing pat keeps it from making things worse.
    fn quiesce(&mut self, node: &Node, beyond: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.statistics.quiescence.visit(beyond);
        if self.watch.visit() {
            return None;
        }
        let standing = node.evaluate();
        if standing >= beta {
            self.statistics.quiescence.cutoffs += 1;
            return Some(beta);
        }
        alpha = alpha.max(standing);
        let mut captures = node.survey.moves.clone();
        captures.retain(|mv| mv.is_considered() && node.board.man(mv.to).is_some());
        captures.sort_by_key(|mv| std::cmp::Reverse(capture_promise(&node.board, *mv)));
        for mv in captures {
            let Some(next) = node.after(mv) else { continue };
            let score = -self.quiesce(&next, beyond + 1, -beta, -alpha)?;
            if score >= beta {
                self.statistics.quiescence.cutoffs += 1;
                return Some(beta);
            }
            alpha = alpha.max(score);
        }
        Some(alpha)
    }
}

fn role_on(board: &Mailbox, number: u8) -> Option<Role> {
    board.man(number).map(|man| man.piece.role())
}

/// The most valuable victim and the least valuable attacker by the difference of their values, and the
/// action value of the piece that moves.
fn capture_promise(board: &Mailbox, mv: MailMove) -> i32 {
    let Some(attacker) = role_on(board, mv.from) else { return 0 };
    let exchange = role_on(board, mv.to)
        .map_or(0, |victim| piece_value(victim) + (piece_value(victim) - piece_value(attacker)).max(0));
    exchange + i32::from(action_value(attacker))
}

/// A pseudo score for ordering: captures, and small points for pieces that have not moved and for
/// castling or the moves that spoil it.
fn promise(board: &Mailbox, mv: MailMove) -> i32 {
    let mut score = capture_promise(board, mv);
    let Some(man) = board.man(mv.from) else { return score };
    if !man.moved {
        score += 10;
    }
    if !board.has_castled(board.turn()) {
        let castles_to = match board.turn() {
            Color::White => [62, 58],
            Color::Black => [6, 2],
        };
        score += match man.piece.role() {
            Role::King if castles_to.contains(&mv.to) => 40,
            Role::King | Role::Rook => -40,
            _ => 0,
        };
    }
    score
}

/// The moves of the engine, the most promising first. It promotes to queens only.
fn ordered_moves(node: &Node) -> Moves<MailMove> {
    let mut moves = node.survey.moves.clone();
    moves.retain(|mv| mv.is_considered());
    moves.sort_by_key(|mv| std::cmp::Reverse(promise(&node.board, *mv)));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Position, Square};

    fn node(fen: &str) -> Node {
        Node::new(Mailbox::set_up(&Position::from_fen(fen).unwrap()).unwrap())
    }

    fn mail(from: Square, to: Square) -> MailMove {
        let number = |square: Square| square.index() as u8 ^ 56;
        MailMove { from: number(from), to: number(to), promotion: None }
    }

    #[test]
    fn captures_are_ordered_by_victim_and_attacker() {
        let node = node("4k3/8/8/3q4/4P3/5B2/3R4/4K3 w - - 0 1");
        let promise = |from| promise(&node.board, mail(from, Square::D5));
        assert_eq!(promise(Square::E4), 975 + 875 + 6);
        assert_eq!(promise(Square::D2), 975 + 475 + 2 - 40, "rooks should wait for castling");
        assert_eq!(ordered_moves(&node)[0], mail(Square::E4, Square::D5));
    }

    #[test]
    fn castling_is_tried_before_other_king_moves() {
        let node = node("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(promise(&node.board, mail(Square::E1, Square::G1)), 1 + 10 + 40);
        assert_eq!(promise(&node.board, mail(Square::E1, Square::F1)), 1 + 10 - 40);
    }

    #[test]
    fn stalemate_is_a_draw_and_mate_is_not() {
        assert!(node("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").is_mate());
        let stalemate = node("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(!stalemate.is_mate() && !stalemate.has_legal_move());
    }
}
