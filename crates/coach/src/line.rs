//! A line of play: a position and legal moves from it.

use chess::{Bitboard, CastlingSide, Color, File, Move, Piece, Position, Rank, Square};

/// A line of play. Its *hero* is the side that moves first.
#[derive(Clone, Debug)]
pub struct Line {
    positions: Vec<Position>,
    moves: Vec<Move>,
    lead_in: Option<(Position, Move)>,
}

/// One move of a line.
#[derive(Copy, Clone)]
pub struct Step<'a> {
    /// The place of the move in the line, from 0.
    pub index: usize,
    /// The position before the move.
    pub before: &'a Position,
    /// The move.
    pub mv: Move,
    /// The position after the move.
    pub after: &'a Position,
}

impl Line {
    /// The line from a position as far as its moves are legal.
    #[must_use]
    pub fn new(start: Position, moves: impl IntoIterator<Item = Move>) -> Self {
        let mut line = Self { positions: vec![start], moves: Vec::new(), lead_in: None };
        for mv in moves {
            let before = line.end();
            if !before.is_legal(mv) {
                break;
            }
            let after = before.after(mv);
            line.moves.push(mv);
            line.positions.push(after);
        }
        line
    }

    /// The same line with the opponent's move that led to its start.
    #[must_use]
    pub fn with_lead_in(mut self, before: Position, mv: Move) -> Self {
        self.lead_in = Some((before, mv));
        self
    }

    /// The opponent's move before the line, if it is known.
    #[must_use]
    pub fn lead_in(&self) -> Option<Step<'_>> {
        let (before, mv) = self.lead_in.as_ref()?;
        Some(Step { index: 0, before, mv: *mv, after: self.start() })
    }

    /// Where the line begins.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Where the line ends.
    #[must_use]
    pub fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The side that moves first.
    #[must_use]
    pub fn hero(&self) -> Color {
        self.start().turn()
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// One move of the line with the positions around it.
    #[must_use]
    pub fn step(&self, index: usize) -> Option<Step<'_>> {
        let mv = *self.moves.get(index)?;
        Some(Step { index, before: &self.positions[index], mv, after: &self.positions[index + 1] })
    }

    /// All moves of the line.
    #[must_use]
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step<'_>> + ExactSizeIterator {
        (0..self.moves.len()).map(|index| Step {
            index,
            before: &self.positions[index],
            mv: self.moves[index],
            after: &self.positions[index + 1],
        })
    }

    /// The hero's moves.
    #[must_use]
    pub fn hero_steps(&self) -> impl DoubleEndedIterator<Item = Step<'_>> + ExactSizeIterator {
        (0..self.moves.len()).step_by(2).map(|index| Step {
            index,
            before: &self.positions[index],
            mv: self.moves[index],
            after: &self.positions[index + 1],
        })
    }

    /// The move before this one; the lead-in before the first.
    #[must_use]
    pub fn previous(&self, step: Step<'_>) -> Option<Step<'_>> {
        match step.index {
            0 => self.lead_in(),
            index => self.step(index - 1),
        }
    }

    /// The number of the hero's moves.
    #[must_use]
    pub fn hero_moves(&self) -> usize {
        self.moves.len().div_ceil(2)
    }

    /// Whether this is the hero's last move.
    #[must_use]
    pub fn is_last(&self, step: Step<'_>) -> bool {
        step.index + 2 >= self.moves.len() + usize::from(self.moves.len().is_multiple_of(2))
    }
}

impl Step<'_> {
    /// Who moves.
    #[must_use]
    pub fn mover(&self) -> Color {
        self.before.turn()
    }

    /// Where the piece comes from.
    #[must_use]
    pub const fn from(&self) -> Square {
        self.mv.from()
    }

    /// Where the piece stands after the move; the king, when it castles.
    #[must_use]
    pub fn to(&self) -> Square {
        if !self.mv.is_castling() {
            return self.mv.to();
        }
        let rank: Rank = self.mv.from().rank();
        let is_short = self.before.castling_rook(self.mover(), CastlingSide::King) == Some(self.mv.to());
        Square::new(if is_short { File::G } else { File::C }, rank)
    }

    /// The piece that moves, as it is after the move.
    #[must_use]
    pub fn piece(&self) -> Piece {
        let moved = self.before.piece_on(self.mv.from());
        let moved = moved.unwrap_or(Piece::new(self.mover(), chess::Role::King));
        self.mv.promotes_to().map_or(moved, |role| Piece::new(moved.color(), role))
    }

    /// What the move takes.
    #[must_use]
    pub fn captured(&self) -> Option<Piece> {
        self.before.captured(self.mv)
    }

    /// Whether the move gives check.
    #[must_use]
    pub fn gives_check(&self) -> bool {
        self.after.is_check()
    }

    /// What the moved piece attacks from its new square.
    #[must_use]
    pub fn attacks(&self) -> Bitboard {
        crate::facts::attacks_from(self.after, self.to())
    }
}
