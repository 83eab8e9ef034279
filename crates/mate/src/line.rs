//! The line of a proved mate, against the longest defence.
//!
//! The proof is done by then, and most of what the line needs is in the table, so a limit of nodes does not
//! cut it short. Only being asked to stop does.

use crate::search::{Interrupted, Search};
use chess::{Move, Position};

impl Search<'_> {
    /// The line of a mate in exactly `moves` that begins with a move known to mate so fast.
    pub(crate) fn line_from_attack(&mut self, position: &Position, first: Move, moves: u8) -> Vec<Move> {
        self.limits.nodes = None;
        let mut line = vec![first];
        // An interruption leaves the line as far as it has come.
        let _ = self.extend(position.after(first), moves - 1, &mut line);
        line
    }

    /// The line from a position in which the side to move is mated in exactly `moves`.
    pub(crate) fn line_from_defence(&mut self, position: &Position, moves: u8) -> Vec<Move> {
        self.limits.nodes = None;
        let mut line = Vec::new();
        if moves > 0 {
            let replies = self.root_moves(position);
            let _ = self.extend_by_reply(*position, &replies, moves, &mut line);
        }
        line
    }

    /// Adds moves until mate: the defender, to move, is mated in exactly `moves`.
    fn extend(&mut self, position: Position, moves: u8, line: &mut Vec<Move>) -> Result<(), Interrupted> {
        if moves == 0 {
            return Ok(());
        }
        self.extend_by_reply(position, &position.legal_moves(), moves, line)
    }

    fn extend_by_reply(
        &mut self,
        position: Position,
        replies: &[Move],
        moves: u8,
        line: &mut Vec<Move>,
    ) -> Result<(), Interrupted> {
        for &reply in replies {
            let after = position.after(reply);
            let falls_sooner = moves > 1 && self.attack(&after, moves - 1)?.is_some();
            if falls_sooner {
                continue;
            }
            if let Some(answer) = self.attack(&after, moves)? {
                line.extend([reply, answer]);
                return self.extend(after.after(answer), moves - 1, line);
            }
        }
        Ok(())
    }
}
