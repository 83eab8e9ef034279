//! Histories: what worked before orders moves, and what the search found corrects evaluations.
//!
//! Every value moves towards the bonus it is given, the slower the nearer it is to its limit ("gravity"),
//! so old results fade and no value overflows.

use chess::{Bitboard, Color, Key, Move, Piece, Position, Role, Square};

/// A value between plus and minus its limit that moves with bonuses.
#[derive(Copy, Clone, Default)]
struct HistoryValue<const LIMIT: i32>(i16);

impl<const LIMIT: i32> HistoryValue<LIMIT> {
    #[inline]
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }

    #[inline]
    fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// The largest history of a move.
const HISTORY_LIMIT: i32 = 16_384;
type MoveHistory = HistoryValue<HISTORY_LIMIT>;

/// Two by two values over whether the squares a move leaves and enters are attacked: a move that flees or
/// walks into danger is another move.
type ByThreats<T> = [[T; 2]; 2];

/// An array of a size that the compiler knows, made where it stays: it is too large for the stack.
fn zeroed<T: Default + Clone, const COUNT: usize>() -> Box<[T; COUNT]> {
    let array = vec![T::default(); COUNT].into_boxed_slice();
    array.try_into().unwrap_or_else(|_| unreachable!("it was made of that size"))
}

/// How well quiet moves did, by side, origin and destination.
pub(crate) struct ButterflyHistory(Box<[ByThreats<MoveHistory>; 2 * 64 * 64]>);

impl Default for ButterflyHistory {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl ButterflyHistory {
    fn index(side: Color, mv: Move) -> usize {
        (side.index() * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    /// The history of a move. `threats` are the squares the opponent attacks.
    #[must_use]
    #[inline]
    pub(crate) fn get(&self, side: Color, threats: Bitboard, mv: Move) -> i32 {
        let (from, to) = (threats.has(mv.from()), threats.has(mv.to()));
        self.0[Self::index(side, mv)][usize::from(from)][usize::from(to)].get()
    }

    /// Gives a move a bonus.
    #[inline]
    pub(crate) fn update(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let (from, to) = (threats.has(mv.from()), threats.has(mv.to()));
        self.0[Self::index(side, mv)][usize::from(from)][usize::from(to)].update(bonus);
    }
}

/// How well captures did, by capturing piece, destination and captured kind.
pub(crate) struct CaptureHistory(Box<[[[MoveHistory; 6]; 64]; Piece::COUNT]>);

impl Default for CaptureHistory {
    fn default() -> Self {
        Self(Box::new([[[MoveHistory::default(); 6]; 64]; Piece::COUNT]))
    }
}

impl CaptureHistory {
    /// What distinguishes a capture or promotion from others. Nothing captured counts as a king.
    #[inline]
    fn index(position: &Position, mv: Move) -> Option<(Piece, Square, Role)> {
        let captured = position.captured(mv).map_or(Role::King, Piece::role);
        position.piece_on(mv.from()).map(|piece| (piece, mv.to(), captured))
    }

    /// The history of a capture or promotion.
    #[must_use]
    #[inline]
    pub(crate) fn get(&self, position: &Position, mv: Move) -> i32 {
        Self::index(position, mv)
            .map_or(0, |(piece, to, captured)| self.0[piece.index()][to.index()][captured.index()].get())
    }

    /// Gives a capture or promotion a bonus.
    #[inline]
    pub(crate) fn update(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some((piece, to, captured)) = Self::index(position, mv) {
            self.0[piece.index()][to.index()][captured.index()].update(bonus);
        }
    }
}

/// A piece and where it went: by this, continuation history and others know a move.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The number of different values.
    const COUNT: usize = Piece::COUNT * 64;

    /// A piece that went to a square.
    #[must_use]
    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to.index()) as u16)
    }

    /// The moving piece and destination of a move that has not been played yet.
    #[must_use]
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Option<Self> {
        position.piece_on(mv.from()).map(|piece| Self::new(piece, mv.to()))
    }

    /// Where the piece went.
    #[must_use]
    #[inline]
    pub(crate) fn to(self) -> Square {
        Square::from_index(self.index() % 64)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How well a move did as the continuation of an earlier one.
pub(crate) struct ContinuationHistory(Box<[MoveHistory; PieceTo::COUNT * PieceTo::COUNT]>);

impl Default for ContinuationHistory {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl ContinuationHistory {
    /// The history of a move after an earlier one.
    #[must_use]
    #[inline]
    pub(crate) fn get(&self, earlier: PieceTo, mv: PieceTo) -> i32 {
        self.0[earlier.index() * PieceTo::COUNT + mv.index()].get()
    }

    /// Gives a move after an earlier one a bonus.
    #[inline]
    pub(crate) fn update(&mut self, earlier: PieceTo, mv: PieceTo, bonus: i32) {
        self.0[earlier.index() * PieceTo::COUNT + mv.index()].update(bonus);
    }
}

/// How well quiet moves did with these pawns on the board.
pub(crate) struct PawnHistory(Box<[MoveHistory; PAWN_HISTORY_SIZE * PieceTo::COUNT]>);

const PAWN_HISTORY_SIZE: usize = 512;

impl Default for PawnHistory {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl PawnHistory {
    fn index(pawns: Key, mv: PieceTo) -> usize {
        (pawns.0 as usize % PAWN_HISTORY_SIZE) * PieceTo::COUNT + mv.index()
    }

    /// The history of a move with these pawns.
    #[must_use]
    #[inline]
    pub(crate) fn get(&self, pawns: Key, mv: PieceTo) -> i32 {
        self.0[Self::index(pawns, mv)].get()
    }

    /// Gives a move with these pawns a bonus.
    #[inline]
    pub(crate) fn update(&mut self, pawns: Key, mv: PieceTo, bonus: i32) {
        self.0[Self::index(pawns, mv)].update(bonus);
    }
}

/// The largest value of a correction history.
const CORRECTION_LIMIT: i32 = 1024;
const CORRECTION_SIZE: usize = 16_384;

/// By how much the static evaluation was wrong in positions that share a feature, for either side to move.
#[derive(Clone)]
struct CorrectionTable(Box<[[HistoryValue<CORRECTION_LIMIT>; 2]; CORRECTION_SIZE]>);

impl Default for CorrectionTable {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl CorrectionTable {
    #[inline]
    fn get(&self, side: Color, key: Key) -> i32 {
        self.0[key.0 as usize % CORRECTION_SIZE][side.index()].get()
    }

    #[inline]
    fn update(&mut self, side: Color, key: Key, bonus: i32) {
        self.0[key.0 as usize % CORRECTION_SIZE][side.index()].update(bonus);
    }
}

/// All corrections of the static evaluation: by the pawns, the minor or major pieces, all pieces of one side, and
/// the last two moves.
#[derive(Default)]
pub(crate) struct CorrectionHistory {
    pawn: CorrectionTable,
    minor: CorrectionTable,
    major: CorrectionTable,
    non_pawn: [CorrectionTable; 2],
    continuation: CorrectionTable,
}

/// The last two moves, the last first, where there were such.
pub(crate) type LastMoves = [Option<PieceTo>; 2];

/// A key for the last two moves.
#[inline]
fn continuation_key(moves: LastMoves) -> Option<Key> {
    let [last, before] = moves;
    let index = last?.index() * PieceTo::COUNT + before?.index();
    Some(Key((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32))
}

impl CorrectionHistory {
    /// What to add to the static evaluation of a position that these moves led to, before it is divided. The
    /// moves count this many 16ths of what each of the other features counts.
    #[must_use]
    #[inline]
    pub(crate) fn get(&self, position: &Position, moves: LastMoves, continuation_weight: i32) -> i32 {
        let side = position.turn();
        let continuation = continuation_key(moves).map_or(0, |key| self.continuation.get(side, key));
        self.pawn.get(side, position.pawn_key())
            + self.minor.get(side, position.minor_key())
            + self.major.get(side, position.major_key())
            + self.non_pawn[0].get(side, position.non_pawn_key(Color::White))
            + self.non_pawn[1].get(side, position.non_pawn_key(Color::Black))
            + continuation * continuation_weight / 16
    }

    /// Moves all corrections of a position towards a bonus: what a search found its score to be above the evaluation.
    pub(crate) fn update(&mut self, position: &Position, moves: LastMoves, bonus: i32) {
        let side = position.turn();
        self.pawn.update(side, position.pawn_key(), bonus);
        self.minor.update(side, position.minor_key(), bonus);
        self.major.update(side, position.major_key(), bonus);
        self.non_pawn[0].update(side, position.non_pawn_key(Color::White), bonus);
        self.non_pawn[1].update(side, position.non_pawn_key(Color::Black), bonus);
        if let Some(key) = continuation_key(moves) {
            self.continuation.update(side, key, bonus);
        }
    }
}

/// All histories of one searching thread.
#[derive(Default)]
pub(crate) struct Histories {
    /// Quiet moves by origin and destination.
    pub(crate) butterfly: ButterflyHistory,
    /// Captures.
    pub(crate) capture: CaptureHistory,
    /// Moves after earlier moves.
    pub(crate) continuation: ContinuationHistory,
    /// Quiet moves by pawn structure.
    pub(crate) pawn: PawnHistory,
    /// Errors of the static evaluation.
    pub(crate) correction: CorrectionHistory,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_within_their_limit_and_fade() {
        let mut history = MoveHistory::default();
        for _ in 0..1000 {
            history.update(2000);
        }
        assert!(history.get() > HISTORY_LIMIT * 9 / 10 && history.get() <= HISTORY_LIMIT);
        for _ in 0..1000 {
            history.update(-40_000);
            assert!(history.get() >= -HISTORY_LIMIT);
        }
        history.update(2000);
        assert!(history.get() > -HISTORY_LIMIT);
    }

    #[test]
    fn corrections_lean_towards_what_the_search_found() {
        let position = Position::startpos();
        let mut corrections = CorrectionHistory::default();
        assert_eq!(corrections.get(&position, [None; 2], 16), 0);
        for _ in 0..50 {
            corrections.update(&position, [None; 2], 60);
        }
        let positive = corrections.get(&position, [None; 2], 16);
        assert!(positive > 160, "{positive}");
        for _ in 0..200 {
            corrections.update(&position, [None; 2], -60);
        }
        assert!(corrections.get(&position, [None; 2], 16) < -160);
    }
}
