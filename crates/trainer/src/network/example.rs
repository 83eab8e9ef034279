//! Positions in 32 bytes, as the side to move sees them.

use chess::{Color, Position};
use data::Sample;
use nnue::features;

/// No position has more pieces.
const MAX_PIECES: usize = 32;

/// In place of points: the position is of no game.
const NO_RESULT: u8 = 3;

/// A position to learn from. Everything is from the view of the side to move: its own first rank is at the
/// bottom, and score and points are its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Squares with a piece.
    occupied: u64,
    /// The pieces in the order of their squares, two in a byte: 0 to 5 of the side to move, 6 to 11 the other's.
    kinds: [u8; MAX_PIECES / 2],
    /// What the search thought, in units of the engine.
    score: i16,
    /// What the network has to correct, in the same units.
    base: i16,
    /// Points of the game, times two; or [`NO_RESULT`].
    half_points: u8,
    /// Whether the side to move, and the other, see the board mirrored.
    is_mirrored: [bool; 2],
}

/// The inputs that are on: those of the side to move, and those of the other.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Inputs {
    count: usize,
    inputs: [[u16; MAX_PIECES]; 2],
}

/// The kind of piece among those that have a weight everywhere, from the kinds 0 to 11; kings have none.
#[inline]
pub(super) const fn shared_kind(kind: usize) -> Option<usize> {
    match kind {
        0..=4 => Some(kind),
        6..=10 => Some(kind - 1),
        _ => None,
    }
}

impl Inputs {
    /// No inputs yet.
    pub(crate) const EMPTY: Self = Self { count: 0, inputs: [[0; MAX_PIECES]; 2] };

    /// The inputs of the side to move (0) or of the other (1).
    #[must_use]
    #[inline]
    pub(crate) fn of(&self, half: usize) -> &[u16] {
        &self.inputs[half][..self.count]
    }

    /// How many pieces there are.
    #[must_use]
    #[inline]
    pub(crate) const fn pieces(&self) -> u32 {
        self.count as u32
    }
}

impl Example {
    /// Takes over a position with its score, and its result if there is one.
    #[must_use]
    pub fn new(sample: &Sample) -> Self {
        let example = Self::judged(&sample.position, sample.white_score);
        Self {
            half_points: sample.mover_points().map_or(NO_RESULT, |points| (2.0 * points) as u8),
            ..example
        }
    }

    /// Takes over a position that is of no game, with its score from White's view.
    #[must_use]
    pub fn judged(position: &Position, white_score: i16) -> Self {
        let mover = position.turn();
        let flip = if mover == Color::White { 0 } else { 56 };
        let mut occupied = 0;
        let mut kinds = [0; MAX_PIECES / 2];
        let mut pieces: Vec<(usize, u8)> = position
            .occupied()
            .into_iter()
            .filter_map(|square| {
                let piece = position.piece_on(square)?;
                let side = if piece.color() == mover { 0 } else { 6 };
                Some((square.index() ^ flip, side + piece.role().index() as u8))
            })
            .take(MAX_PIECES)
            .collect();
        pieces.sort_unstable();
        for (place, (square, kind)) in pieces.into_iter().enumerate() {
            occupied |= 1 << square;
            kinds[place / 2] |= kind << (4 * (place % 2));
        }
        Self {
            occupied,
            kinds,
            score: if mover == Color::White { white_score } else { white_score.saturating_neg() },
            base: 0,
            half_points: NO_RESULT,
            is_mirrored: [mover, !mover].map(|view| features::is_mirrored(position.king(view))),
        }
    }

    /// The same position for a network that corrects this value for the side to move.
    #[must_use]
    pub fn on_top_of(self, value: i32) -> Self {
        let limit = i32::from(i16::MAX);
        Self { base: value.clamp(-limit, limit) as i16, ..self }
    }

    /// What the network has to correct: 0 if it stands alone.
    #[must_use]
    pub fn base(&self) -> f32 {
        self.base.into()
    }

    /// What the search thought, for the side to move.
    #[must_use]
    pub fn score(&self) -> f32 {
        self.score.into()
    }

    /// The points of the side to move, 0, a half or 1, if the position is of a game.
    #[must_use]
    pub fn points(&self) -> Option<f32> {
        (self.half_points != NO_RESULT).then(|| f32::from(self.half_points) / 2.0)
    }

    /// Finds the inputs that are on.
    #[inline]
    pub(crate) fn expand(&self, inputs: &mut Inputs) {
        let [own_mirror, other_mirror] = self.is_mirrored.map(|mirrored| if mirrored { 7 } else { 0 });
        let mut squares = self.occupied;
        let mut count = 0;
        while squares != 0 && count < MAX_PIECES {
            let square = squares.trailing_zeros() as u16;
            squares &= squares - 1;
            let kind = u16::from(self.kinds[count / 2] >> (4 * (count % 2)) & 15);
            let other_kind = if kind < 6 { kind + 6 } else { kind - 6 };
            inputs.inputs[0][count] = 64 * kind + (square ^ own_mirror);
            inputs.inputs[1][count] = 64 * other_kind + (square ^ 56 ^ other_mirror);
            count += 1;
        }
        inputs.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::Verdict;

    fn example(fen: &str, white_score: i16, verdict: Verdict) -> Example {
        Example::new(&Sample {
            position: Position::from_fen(fen).unwrap(),
            white_score,
            verdict: Some(verdict),
        })
    }

    #[test]
    fn inputs_are_those_of_play() {
        for fen in [
            chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
            "8/2k5/8/8/3P4/8/5K2/8 w - - 0 1",
            "8/2k5/8/8/3P4/8/5K2/8 b - - 0 1",
            "8/5k2/8/8/3Pn3/8/2K5/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut inputs = Inputs::EMPTY;
            example(fen, 0, Verdict::Draw).expand(&mut inputs);
            for (half, view) in [position.turn(), !position.turn()].into_iter().enumerate() {
                let mut expected: Vec<usize> = features::active(&position, view).collect();
                let mut found: Vec<usize> = inputs.of(half).iter().map(|&input| input.into()).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{fen} {view:?}");
            }
            assert_eq!(inputs.pieces(), position.occupied().count());
        }
    }

    #[test]
    fn labels_are_those_of_the_side_to_move() {
        let (white, black) = ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1");
        let won = example(white, 900, Verdict::WhiteWins);
        assert_eq!((won.score(), won.points()), (900.0, Some(1.0)));
        let lost = example(black, 900, Verdict::WhiteWins);
        assert_eq!((lost.score(), lost.points()), (-900.0, Some(0.0)));
        assert_eq!(example(black, 0, Verdict::Draw).points(), Some(0.5));
    }

    #[test]
    fn it_takes_32_bytes() {
        assert_eq!(size_of::<Example>(), 32);
    }
}
