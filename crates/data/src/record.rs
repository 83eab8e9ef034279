//! One game: where it began, what was played and thought, who won.

use crate::packed::{Bytes, PackError, pack, unpack};
use chess::{Color, Move, Position};

/// Scores from here on, and beyond the negative, are proofs of a win and no evaluations.
pub(crate) const DECISIVE: i16 = 20_000;

/// In place of a verdict: the game was broken off.
const BROKEN_OFF: u8 = 3;

/// In place of a verdict: this is no game but a position from inside a search.
pub(crate) const SAMPLE: u8 = 4;

/// Who won.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Verdict {
    BlackWins,
    Draw,
    WhiteWins,
}

impl Verdict {
    /// All verdicts, in the order of White's points.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// The verdict of a game that this side won, or neither.
    #[must_use]
    pub const fn of_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// White's points: 0, a half or 1.
    #[must_use]
    pub const fn white_points(self) -> f32 {
        match self {
            Self::BlackWins => 0.0,
            Self::Draw => 0.5,
            Self::WhiteWins => 1.0,
        }
    }
}

/// A move and what the engine thought when it played it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score of the position before the move, in the engine's units, positive when White is better.
    pub white_score: i16,
}

/// Why there is no such game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RecordError {
    #[error("its start: {0}")]
    Start(#[from] PackError),
    #[error("its result is {0}, none of 0 to 4")]
    Verdict(u8),
    #[error("its last move breaks off")]
    Short,
    #[error("its move {ply} is no move: {bits:#06x}")]
    NoMove { ply: usize, bits: u16 },
    #[error("its move {ply}, {mv:?}, is illegal")]
    Illegal { ply: usize, mv: Move },
}

/// A game. All its moves are legal.
#[derive(Clone, PartialEq, Eq)]
pub struct GameRecord {
    start: Position,
    moves: Vec<ScoredMove>,
    verdict: Option<Verdict>,
    is_sample: bool,
}

impl std::fmt::Debug for GameRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {:?}", self.start.to_fen(), self.moves, self.verdict)
    }
}

impl GameRecord {
    /// A record of these moves. A game that was broken off has no verdict.
    ///
    /// # Errors
    /// When one of them is illegal.
    pub fn new(
        start: Position,
        moves: Vec<ScoredMove>,
        verdict: Option<Verdict>,
    ) -> Result<Self, RecordError> {
        let mut position = start;
        for (ply, &ScoredMove { mv, .. }) in moves.iter().enumerate() {
            if !position.is_legal(mv) {
                return Err(RecordError::Illegal { ply, mv });
            }
            position.play(mv);
        }
        Ok(Self { start, moves, verdict, is_sample: false })
    }

    /// A record of a position that was evaluated inside a search, with the move and the score of a search of its own.
    ///
    /// # Errors
    /// When the move is illegal.
    pub fn sample(position: Position, scored: ScoredMove) -> Result<Self, RecordError> {
        Ok(Self { is_sample: true, ..Self::new(position, vec![scored], None)? })
    }

    /// Whether this is no game, but a position from inside a search.
    #[must_use]
    pub const fn is_sample(&self) -> bool {
        self.is_sample
    }

    /// The position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves and their scores.
    #[must_use]
    pub fn moves(&self) -> &[ScoredMove] {
        &self.moves
    }

    /// The same game with other scores, one for each move; if there are fewer, the last ones stay.
    #[must_use]
    pub fn with_scores(&self, white_scores: &[i16]) -> Self {
        let mut game = self.clone();
        for (scored, &white_score) in game.moves.iter_mut().zip(white_scores) {
            scored.white_score = white_score;
        }
        game
    }

    /// Who won; none if the game was broken off.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Every position with the move played there and its score, in order. The last position of the game,
    /// where no move was played, is not among them.
    pub fn positions(&self) -> impl Iterator<Item = (Position, ScoredMove)> {
        let mut position = self.start;
        self.moves.iter().map(move |&scored| {
            let before = position;
            position.play(scored.mv);
            (before, scored)
        })
    }

    /// Appends the record as bytes.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let without_verdict = if self.is_sample { SAMPLE } else { BROKEN_OFF };
        bytes.push(self.verdict.map_or(without_verdict, |verdict| verdict as u8));
        pack(&self.start, bytes);
        for scored in &self.moves {
            bytes.extend(scored.mv.to_bits().to_le_bytes());
            bytes.extend(scored.white_score.to_le_bytes());
        }
    }

    /// The record in these bytes.
    ///
    /// # Errors
    /// When there is none, or one with illegal moves.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        let mut bytes = Bytes(bytes);
        let number = bytes.byte().ok_or(RecordError::Short)?;
        let verdict = match number {
            BROKEN_OFF | SAMPLE => None,
            _ => Some(*Verdict::ALL.get(usize::from(number)).ok_or(RecordError::Verdict(number))?),
        };
        let start = unpack(&mut bytes)?;
        let mut moves = Vec::with_capacity(bytes.0.len() / 4);
        while !bytes.0.is_empty() {
            let bits = bytes.u16().ok_or(RecordError::Short)?;
            let mv = Move::from_bits(bits).ok_or(RecordError::NoMove { ply: moves.len(), bits })?;
            let white_score = bytes.u16().ok_or(RecordError::Short)?.cast_signed();
            moves.push(ScoredMove { mv, white_score });
        }
        Ok(Self { is_sample: number == SAMPLE, ..Self::new(start, moves, verdict)? })
    }
}
