//! What worked before: the tables that order moves and correct evaluations.
//!
//! Every number moves towards the bonus it is given, the slower the nearer it is to its limit ("gravity"),
//! so old lessons fade and no number overflows.

use chess::{Bitboard, Color, Key, Move, Piece, Position, Role, Square};

/// A number between plus and minus its limit that learns from bonuses.
#[derive(Copy, Clone, Default)]
struct Learned<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Learned<LIMIT> {
    #[inline]
    fn learn(&mut self, bonus: i32) {
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
pub const HISTORY_LIMIT: i32 = 16_384;
type Lesson = Learned<HISTORY_LIMIT>;

/// Two by two tables over whether the squares a move leaves and enters are attacked: a move that flees or
/// walks into danger is another move.
type ByDanger<T> = [[T; 2]; 2];

/// A table of a size that the compiler knows, made where it stays: it is too large for the stack.
fn zeroed<T: Default + Clone, const COUNT: usize>() -> Box<[T; COUNT]> {
    let table = vec![T::default(); COUNT].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("it was made of that size"))
}

/// How well quiet moves did, by side, origin and destination.
pub struct ButterflyHistory(Box<[ByDanger<Lesson>; 2 * 64 * 64]>);

impl Default for ButterflyHistory {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl ButterflyHistory {
    fn index(side: Color, mv: Move) -> usize {
        (side.index() * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    /// What the table says of a move. `threats` are the squares the opponent attacks.
    #[must_use]
    #[inline]
    pub fn get(&self, side: Color, threats: Bitboard, mv: Move) -> i32 {
        let (from, to) = (threats.has(mv.from()), threats.has(mv.to()));
        self.0[Self::index(side, mv)][usize::from(from)][usize::from(to)].get()
    }

    /// Teaches the table.
    #[inline]
    pub fn learn(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let (from, to) = (threats.has(mv.from()), threats.has(mv.to()));
        self.0[Self::index(side, mv)][usize::from(from)][usize::from(to)].learn(bonus);
    }
}

/// How well captures did, by capturing piece, destination and captured kind.
pub struct CaptureHistory(Box<[[[Lesson; 6]; 64]; Piece::COUNT]>);

impl Default for CaptureHistory {
    fn default() -> Self {
        Self(Box::new([[[Lesson::default(); 6]; 64]; Piece::COUNT]))
    }
}

impl CaptureHistory {
    /// What the table says of a capture or promotion.
    #[must_use]
    #[inline]
    pub fn get(&self, piece: Piece, to: Square, captured: Role) -> i32 {
        self.0[piece.index()][to.index()][captured.index()].get()
    }

    /// Teaches the table.
    #[inline]
    pub fn learn(&mut self, piece: Piece, to: Square, captured: Role, bonus: i32) {
        self.0[piece.index()][to.index()][captured.index()].learn(bonus);
    }
}

/// A piece and where it went: what continuation history remembers of an earlier move.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Step(u16);

impl Step {
    /// The number of different steps.
    const COUNT: usize = Piece::COUNT * 64;

    /// A piece that went to a square.
    #[must_use]
    #[inline]
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to.index()) as u16)
    }

    /// Where the piece went.
    #[must_use]
    #[inline]
    pub fn to(self) -> Square {
        Square::from_index(self.index() % 64)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How well a move did as the continuation of an earlier one, one, two or four plies back.
pub struct ContinuationHistory(Box<[Lesson; Step::COUNT * Step::COUNT]>);

impl Default for ContinuationHistory {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl ContinuationHistory {
    /// What the table says of a step after an earlier one.
    #[must_use]
    #[inline]
    pub fn get(&self, earlier: Step, step: Step) -> i32 {
        self.0[earlier.index() * Step::COUNT + step.index()].get()
    }

    /// Teaches the table.
    #[inline]
    pub fn learn(&mut self, earlier: Step, step: Step, bonus: i32) {
        self.0[earlier.index() * Step::COUNT + step.index()].learn(bonus);
    }
}

/// How well quiet moves did with these pawns on the board.
pub struct PawnHistory(Box<[Lesson; PAWN_HISTORY_SIZE * Step::COUNT]>);

const PAWN_HISTORY_SIZE: usize = 512;

impl Default for PawnHistory {
    fn default() -> Self {
        Self(zeroed())
    }
}

impl PawnHistory {
    fn index(pawns: Key, step: Step) -> usize {
        (pawns.0 as usize % PAWN_HISTORY_SIZE) * Step::COUNT + step.index()
    }

    /// What the table says of a step over these pawns.
    #[must_use]
    #[inline]
    pub fn get(&self, pawns: Key, step: Step) -> i32 {
        self.0[Self::index(pawns, step)].get()
    }

    /// Teaches the table.
    #[inline]
    pub fn learn(&mut self, pawns: Key, step: Step, bonus: i32) {
        self.0[Self::index(pawns, step)].learn(bonus);
    }
}

const CORRECTION_LIMIT: i32 = 1024;
const CORRECTION_SIZE: usize = 16_384;

/// By how much the static evaluation was wrong in positions that share a feature: the pawns, the minor or
/// major pieces, all pieces of one side, or the last two moves.
#[derive(Clone)]
struct CorrectionTable(Box<[[Learned<CORRECTION_LIMIT>; 2]; CORRECTION_SIZE]>);

impl CorrectionTable {
    fn new() -> Self {
        Self(zeroed())
    }

    #[inline]
    fn entry(&self, side: Color, key: Key) -> i32 {
        self.0[key.0 as usize % CORRECTION_SIZE][side.index()].get()
    }

    #[inline]
    fn learn(&mut self, side: Color, key: Key, bonus: i32) {
        self.0[key.0 as usize % CORRECTION_SIZE][side.index()].learn(bonus);
    }
}

/// All corrections of the static evaluation.
pub struct CorrectionHistory {
    pawns: CorrectionTable,
    minors: CorrectionTable,
    majors: CorrectionTable,
    sides: [CorrectionTable; 2],
    moves: CorrectionTable,
}

/// A key for the last two steps, where there were such.
#[inline]
fn key_of_steps(steps: [Option<Step>; 2]) -> Option<Key> {
    let [last, before] = steps;
    let index = last?.index() * Step::COUNT + before?.index();
    Some(Key((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32))
}

impl Default for CorrectionHistory {
    fn default() -> Self {
        Self {
            pawns: CorrectionTable::new(),
            minors: CorrectionTable::new(),
            majors: CorrectionTable::new(),
            sides: [CorrectionTable::new(), CorrectionTable::new()],
            moves: CorrectionTable::new(),
        }
    }
}

impl CorrectionHistory {
    /// What to add to the static evaluation of a position that these steps, the last first, led to, before it is
    /// divided. The steps count so many sixteenths of what each of the other features counts.
    #[must_use]
    #[inline]
    pub fn correction(&self, position: &Position, steps: [Option<Step>; 2], weight_of_steps: i32) -> i32 {
        let side = position.turn();
        self.pawns.entry(side, position.pawn_key())
            + self.minors.entry(side, position.minor_key())
            + self.majors.entry(side, position.major_key())
            + self.sides[0].entry(side, position.non_pawn_key(Color::White))
            + self.sides[1].entry(side, position.non_pawn_key(Color::Black))
            + key_of_steps(steps).map_or(0, |key| self.moves.entry(side, key) * weight_of_steps / 16)
    }

    /// Learns from a search that found the position worth `error` units more than its evaluation.
    pub fn learn(&mut self, position: &Position, steps: [Option<Step>; 2], depth: i32, error: i32) {
        let side = position.turn();
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        self.pawns.learn(side, position.pawn_key(), bonus);
        self.minors.learn(side, position.minor_key(), bonus);
        self.majors.learn(side, position.major_key(), bonus);
        self.sides[0].learn(side, position.non_pawn_key(Color::White), bonus);
        self.sides[1].learn(side, position.non_pawn_key(Color::Black), bonus);
        if let Some(key) = key_of_steps(steps) {
            self.moves.learn(side, key, bonus);
        }
    }
}

/// All tables of one searching thread.
#[derive(Default)]
pub struct Histories {
    /// Quiet moves by origin and destination.
    pub butterfly: ButterflyHistory,
    /// Captures.
    pub captures: CaptureHistory,
    /// Moves after earlier moves.
    pub continuations: ContinuationHistory,
    /// Quiet moves by pawn structure.
    pub pawns: PawnHistory,
    /// Errors of the static evaluation.
    pub corrections: CorrectionHistory,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_stay_within_their_limit_and_fade() {
        let mut lesson = Lesson::default();
        for _ in 0..1000 {
            lesson.learn(2000);
        }
        assert!(lesson.get() > HISTORY_LIMIT * 9 / 10 && lesson.get() <= HISTORY_LIMIT);
        for _ in 0..1000 {
            lesson.learn(-40_000);
            assert!(lesson.get() >= -HISTORY_LIMIT);
        }
        lesson.learn(2000);
        assert!(lesson.get() > -HISTORY_LIMIT);
    }

    #[test]
    fn corrections_lean_towards_what_the_search_found() {
        let position = Position::startpos();
        let mut corrections = CorrectionHistory::default();
        assert_eq!(corrections.correction(&position, [None; 2], 16), 0);
        for _ in 0..50 {
            corrections.learn(&position, [None; 2], 8, 60);
        }
        let positive = corrections.correction(&position, [None; 2], 16);
        assert!(positive > 160, "{positive}");
        for _ in 0..200 {
            corrections.learn(&position, [None; 2], 8, -60);
        }
        assert!(corrections.correction(&position, [None; 2], 16) < -160);
    }
}
