//! Histories: what worked before orders moves, and what the search found corrects evaluations.
//!
//! Every value moves towards the bonus it is given, the slower the nearer it is to its limit ("gravity"),
//! so old results fade and no value overflows.

use crate::search::params::Params;
use crate::transposition::prefetch;
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
fn filled<T: Clone, const COUNT: usize>(value: T) -> Box<[T; COUNT]> {
    let array = vec![value; COUNT].into_boxed_slice();
    array.try_into().unwrap_or_else(|_| unreachable!("it was made of that size"))
}

/// The histories of all moves of a side, by origin and destination.
type BySquares = [ByThreats<MoveHistory>; 64 * 64];

/// How well quiet moves did, by side, origin and destination.
pub(crate) struct ButterflyHistory(Box<[BySquares; 2]>);

impl Default for ButterflyHistory {
    fn default() -> Self {
        Self(filled([ByThreats::default(); 64 * 64]))
    }
}

impl ButterflyHistory {
    #[inline]
    fn index(mv: Move) -> usize {
        mv.from().index() * 64 + mv.to().index()
    }

    /// Gives a move a bonus. `threats` are the squares the opponent attacks.
    #[inline]
    pub(crate) fn update(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let (from, to) = (threats.has(mv.from()), threats.has(mv.to()));
        self.0[side.index()][Self::index(mv)][usize::from(from)][usize::from(to)].update(bonus);
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

/// The histories of all moves, by piece and destination.
type ByPieceTo = [MoveHistory; PieceTo::COUNT];

/// How well a move did as the continuation of an earlier one.
pub(crate) struct ContinuationHistory(Box<[ByPieceTo; PieceTo::COUNT]>);

impl Default for ContinuationHistory {
    fn default() -> Self {
        Self(filled([MoveHistory::default(); PieceTo::COUNT]))
    }
}

impl ContinuationHistory {
    /// The histories of all moves after an earlier one; of nothing, if there was none.
    #[inline]
    fn after(&self, earlier: Option<PieceTo>) -> &ByPieceTo {
        static NOTHING: ByPieceTo = [HistoryValue(0); PieceTo::COUNT];
        earlier.map_or(&NOTHING, |earlier| &self.0[earlier.index()])
    }

    /// Gives a move after an earlier one a bonus.
    #[inline]
    pub(crate) fn update(&mut self, earlier: PieceTo, mv: PieceTo, bonus: i32) {
        self.0[earlier.index()][mv.index()].update(bonus);
    }
}

/// How well quiet moves did with these pawns on the board.
pub(crate) struct PawnHistory(Box<[ByPieceTo; PAWN_HISTORY_SIZE]>);

const PAWN_HISTORY_SIZE: usize = 512;

impl Default for PawnHistory {
    fn default() -> Self {
        Self(filled([MoveHistory::default(); PieceTo::COUNT]))
    }
}

impl PawnHistory {
    /// The histories of all moves with these pawns.
    #[inline]
    fn with(&self, pawns: Key) -> &ByPieceTo {
        &self.0[pawns.0 as usize % PAWN_HISTORY_SIZE]
    }

    /// Gives a move with these pawns a bonus.
    #[inline]
    pub(crate) fn update(&mut self, pawns: Key, mv: PieceTo, bonus: i32) {
        self.0[pawns.0 as usize % PAWN_HISTORY_SIZE][mv.index()].update(bonus);
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
        Self(filled([HistoryValue::default(); 2]))
    }
}

impl CorrectionTable {
    #[inline]
    fn get(&self, side: Color, key: Key) -> i32 {
        self.0[key.0 as usize % CORRECTION_SIZE][side.index()].get()
    }

    #[inline]
    fn prefetch(&self, key: Key) {
        prefetch(&self.0[key.0 as usize % CORRECTION_SIZE]);
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

    /// Asks the processor to fetch what will be looked up when the position is evaluated.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        self.pawn.prefetch(position.pawn_key());
        self.minor.prefetch(position.minor_key());
        self.major.prefetch(position.major_key());
        self.non_pawn[0].prefetch(position.non_pawn_key(Color::White));
        self.non_pawn[1].prefetch(position.non_pawn_key(Color::Black));
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

/// The histories of the quiet moves of one node, found once for all of them.
pub(crate) struct QuietHistories<'a> {
    butterfly: &'a BySquares,
    /// The squares the opponent attacks.
    threats: Bitboard,
    /// After the moves one, two and four plies back.
    continuation: [&'a ByPieceTo; 3],
    pawn: &'a ByPieceTo,
}

impl Histories {
    /// The histories of quiet moves in a position, after the moves one, two and four plies back. `threats` are the
    /// squares the opponent attacks.
    #[inline]
    pub(crate) fn of_quiets(
        &self,
        position: &Position,
        previous: [Option<PieceTo>; 3],
        threats: Bitboard,
    ) -> QuietHistories<'_> {
        QuietHistories {
            butterfly: &self.butterfly.0[position.turn().index()],
            threats,
            continuation: previous.map(|earlier| self.continuation.after(earlier)),
            pawn: self.pawn.with(position.pawn_key()),
        }
    }
}

impl QuietHistories<'_> {
    /// The weighted sum of the histories of a move by this piece.
    #[inline]
    pub(crate) fn get(&self, params: &Params, piece: Piece, mv: Move) -> i32 {
        let (from, to) = (self.threats.has(mv.from()), self.threats.has(mv.to()));
        let butterfly = &self.butterfly[ButterflyHistory::index(mv)];
        let mut sum = params.butterfly_weight * butterfly[usize::from(from)][usize::from(to)].get();
        let index = PieceTo::new(piece, mv.to()).index();
        if params.use_continuation_history {
            let [one, two, four] = self.continuation.map(|history| history[index].get());
            sum += params.continuation_weight_1 * one
                + params.continuation_weight_2 * two
                + params.continuation_weight_4 * four;
        }
        if params.use_pawn_history {
            sum += params.pawn_history_weight * self.pawn[index].get();
        }
        sum / 16
    }
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
