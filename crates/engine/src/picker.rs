//! Moves in the order in which to try them, found stage by stage: often the first is enough.

use crate::history::{Histories, Step};
use arrayvec::ArrayVec;
use chess::{Bitboard, MAX_MOVES, Move, Noisy, Piece, Position, Quiet, Role, see};

/// What the picker knows of the moves before.
#[derive(Copy, Clone, Default)]
pub struct Context {
    /// The steps one, two and four plies back, where there were any.
    pub earlier: [Option<Step>; 3],
    /// The squares the opponent attacks.
    pub threats: Bitboard,
    /// By kind of piece, the squares that a lesser one of the opponent attacks.
    pub lesser_threats: [Bitboard; 6],
    /// What fleeing from there gains in the order, and going there loses, for each point of the piece's worth.
    pub flight_bonus: i32,
    /// Whether continuation and pawn histories are asked at all.
    pub use_continuations: bool,
    /// See above.
    pub use_pawn_history: bool,
    /// Sixteenths that the history by squares, and that after the earliest step, count.
    pub butterfly_weight: i32,
    /// See above.
    pub far_weight: i32,
    /// What a quiet move that gives check, and loses little, gains in the order.
    pub check_bonus: i32,
}

impl Context {
    /// What a move gains in the order because the piece flees from a lesser one, or loses because it goes
    /// where one can take it.
    #[inline]
    fn flight(&self, role: Role, mv: Move) -> i32 {
        let lesser = self.lesser_threats[role.index()];
        let (from, to) = (i32::from(lesser.has(mv.from())), i32::from(lesser.has(mv.to())));
        (from - to) * self.flight_bonus * POINTS[role.index()]
    }
}

/// What pieces are worth in points.
const POINTS: [i32; 6] = [1, 3, 3, 5, 9, 0];

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// A check that loses more than this is no better than any other move.
const CHECK_MAY_LOSE: i32 = 75;

/// What kind of move the picker gave.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// The move of the transposition table.
    Table,
    /// A capture or promotion that does not lose material.
    GoodNoisy,
    /// A move that changes no material.
    Quiet,
    /// A capture that loses material.
    BadNoisy,
}

/// A move, its place in the list and its score in one number, such that the best move, of equals the first, is the largest:
/// the compiler finds that with vector instructions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(i64);

const _: () = assert!(MAX_MOVES <= 1 << 16);

impl Scored {
    #[inline]
    fn new(mv: Move, place: usize, score: i32) -> Self {
        Self(i64::from(score) << 32 | Self::backwards(place) | i64::from(mv.to_bits()))
    }

    #[inline]
    fn backwards(place: usize) -> i64 {
        i64::from(u16::MAX - place as u16) << 16
    }

    #[inline]
    fn moved_to(self, place: usize) -> Self {
        Self(self.0 & !(i64::from(u16::MAX) << 16) | Self::backwards(place))
    }

    #[inline]
    fn place(self) -> usize {
        usize::from(u16::MAX - (self.0 >> 16) as u16)
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }
}

/// Gives moves one by one, likely the best first.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
    /// Exchanges that lose more than this are bad; none are told apart if absent.
    see_threshold: Option<i32>,
}

impl Picker {
    /// All moves of a position. The table's move must be legal here.
    #[must_use]
    pub fn new(table_move: Option<Move>) -> Self {
        Self {
            stage: Stage::TableMove,
            table_move,
            moves: ArrayVec::new(),
            next: 0,
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            see_threshold: None,
        }
    }

    /// Captures and promotions only, and of them only those whose exchange wins at least the threshold.
    #[must_use]
    pub fn winning_captures(table_move: Option<Move>, see_threshold: i32) -> Self {
        Self { skip_quiets: true, see_threshold: Some(see_threshold), ..Self::new(table_move) }
    }

    /// Captures and promotions only.
    #[must_use]
    pub fn noisy(table_move: Option<Move>) -> Self {
        Self { skip_quiets: true, ..Self::new(table_move) }
    }

    /// Gives no more quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) -> Option<(Move, Class)> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.table_move {
                        return Some((mv, Class::Table));
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some((mv, score)) = self.take_best() {
                        // A capture with a good record may lose a little.
                        let threshold = self.see_threshold.unwrap_or(-score / 32);
                        if position.see_ge(mv, threshold) {
                            return Some((mv, Class::GoodNoisy));
                        }
                        self.bad_noisy.push(mv);
                    }
                    self.stage =
                        if self.see_threshold.is_some() { Stage::Done } else { Stage::GenerateQuiet };
                }
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate_quiet(position, histories, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some((mv, _)) = self.take_best()
                    {
                        return Some((mv, Class::Quiet));
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if let Some(&mv) = self.bad_noisy.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some((mv, Class::BadNoisy));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn take_best(&mut self) -> Option<(Move, i32)> {
        let rest = self.moves.get(self.next..)?;
        let first = *rest.first()?;
        let best = rest.iter().fold(first, |best, &scored| best.max(scored));
        self.moves[best.place()] = first.moved_to(best.place());
        self.next += 1;
        Some((best.mv()?, best.score()))
    }

    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let table_move = self.table_move;
        position.for_each_move::<Noisy>(|mv| {
            if Some(mv) != table_move {
                let score = score_noisy(position, histories, mv);
                self.moves.push(Scored::new(mv, self.moves.len(), score));
            }
        });
    }

    fn generate_quiet(&mut self, position: &Position, histories: &Histories, context: &Context) {
        self.moves.clear();
        self.next = 0;
        let table_move = self.table_move;
        let checks = position.checking_squares();
        position.for_each_move::<Quiet>(|mv| {
            if Some(mv) != table_move {
                let mut score = score_quiet(position, histories, context, mv);
                let role = position.piece_on(mv.from()).map_or(Role::King, Piece::role);
                score += context.flight(role, mv);
                if checks[role.index()].has(mv.to()) && position.see_ge(mv, -CHECK_MAY_LOSE) {
                    score += context.check_bonus;
                }
                self.moves.push(Scored::new(mv, self.moves.len(), score));
            }
        });
    }
}

/// What a captured piece counts, for each unit of its worth in exchanges, beside the record of the capture.
const CAPTURE_WEIGHT: i32 = 12;

/// Captures of valuable pieces first, then those that did well before; a new queen counts as a capture of
/// one, and the other promotions come last.
fn score_noisy(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let captured = position.captured(mv).map(Piece::role);
    let promotion = match mv.promotes_to() {
        None => 0,
        Some(Role::Queen) => CAPTURE_WEIGHT * see::VALUES[Role::Queen.index()],
        Some(_) => -40_000,
    };
    let Some(piece) = position.piece_on(mv.from()) else { return 0 };
    CAPTURE_WEIGHT * captured.map_or(0, |role| see::VALUES[role.index()])
        + promotion
        + histories.captures.get(piece, mv.to(), captured.unwrap_or(Role::King))
}

/// Everything that is known of a quiet move.
#[must_use]
pub fn score_quiet(position: &Position, histories: &Histories, context: &Context, mv: Move) -> i32 {
    let Some(piece) = position.piece_on(mv.from()) else { return 0 };
    let step = Step::new(piece, mv.to());
    let mut score = context.butterfly_weight * histories.butterfly.get(position.turn(), context.threats, mv);
    if context.use_continuations {
        for (earlier, weight) in context.earlier.into_iter().zip([16, 16, context.far_weight]) {
            score += earlier.map_or(0, |earlier| weight * histories.continuations.get(earlier, step));
        }
    }
    if context.use_pawn_history {
        score += 16 * histories.pawns.get(position.pawn_key(), step);
    }
    score / 16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(
        fen: &str,
        table_move: Option<&str>,
        mut picker_of: impl FnMut(Option<Move>) -> Picker,
    ) -> Vec<String> {
        let position: Position = fen.parse().unwrap();
        let table_move = table_move.map(|text| position.parse_uci(text).unwrap());
        let histories = Histories::default();
        let context = Context::default();
        let mut picker = picker_of(table_move);
        std::iter::from_fn(|| picker.next(&position, &histories, &context))
            .map(|(mv, _)| position.san(mv).to_string())
            .collect()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_once_and_the_table_move_first() {
        let position: Position = KIWIPETE.parse().unwrap();
        let moves = picked(KIWIPETE, Some("e1g1"), Picker::new);
        assert_eq!(moves[0], "O-O");
        let mut all: Vec<_> = position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
        let mut sorted = moves.clone();
        sorted.sort();
        all.sort();
        assert_eq!(sorted, all);
    }

    #[test]
    fn losing_captures_come_last() {
        let moves = picked(KIWIPETE, None, Picker::new);
        assert_eq!(moves[0], "Bxa6");
        let place = |san: &str| moves.iter().position(|mv| mv == san);
        assert!(place("Qxf6") > place("Qh5") && place("Qxf6") > place("O-O"), "{moves:?}");
    }

    #[test]
    fn quiet_checks_come_before_other_quiet_moves_unless_they_lose_a_piece() {
        let fen = "4k3/1p6/8/8/8/8/2Q5/6K1 w - - 0 1";
        let position: Position = fen.parse().unwrap();
        let (histories, context) = (Histories::default(), Context { check_bonus: 1, ..Context::default() });
        let mut picker = Picker::new(None);
        let moves: Vec<_> = std::iter::from_fn(|| picker.next(&position, &histories, &context))
            .map(|(mv, _)| position.san(mv).to_string())
            .collect();
        let mut first = moves[..5].to_vec();
        first.sort();
        assert_eq!(first, ["Qa4+", "Qc8+", "Qe2+", "Qe4+", "Qg6+"], "{moves:?}");
        assert!(moves[5..].contains(&"Qc6+".to_owned()), "{moves:?}");
    }

    #[test]
    fn winning_captures_leave_out_the_rest() {
        let moves = picked(KIWIPETE, None, |mv| Picker::winning_captures(mv, 1));
        assert!(moves.contains(&"Bxa6".to_owned()) && !moves.contains(&"Qxf6".to_owned()), "{moves:?}");
    }
}
