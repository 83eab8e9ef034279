//! The move picker: moves in the order in which to try them, found stage by stage, because often the first is
//! enough.

use crate::history::{Histories, PieceTo};
use crate::search::params::Params;
use arrayvec::ArrayVec;
use chess::{Bitboard, MAX_MOVES, Move, Noisy, Position, Quiet, Role, see};

/// What the order of quiet moves depends on, apart from position and histories.
#[derive(Copy, Clone, Default)]
pub(crate) struct OrderingContext {
    /// The moves one, two and four plies back, where there were any.
    pub previous: [Option<PieceTo>; 3],
    /// The squares the opponent attacks.
    pub threats: Bitboard,
    /// By kind of piece, the squares that a lesser one of the opponent attacks.
    pub lesser_threats: [Bitboard; 6],
}

impl OrderingContext {
    /// Points that a move saves because the piece escapes from a lesser one, or loses because it goes where one can
    /// take it.
    #[inline]
    fn points_saved(&self, role: Role, mv: Move) -> i32 {
        let lesser = self.lesser_threats[role.index()];
        let (from, to) = (i32::from(lesser.has(mv.from())), i32::from(lesser.has(mv.to())));
        (from - to) * POINTS[role.index()]
    }
}

/// The value of pieces in points.
const POINTS: [i32; 6] = [1, 3, 3, 5, 9, 0];

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// What kind of move the picker gave.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum MoveKind {
    /// The move of the transposition table.
    TtMove,
    /// A capture or promotion that does not lose material.
    GoodNoisy,
    /// A move that changes no material.
    Quiet,
    /// A capture that loses material.
    BadNoisy,
}

/// A move, its place in the list and its score in one number, such that the best move, of equals
/// the first, is the largest: the compiler finds that with vector instructions.
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
pub(crate) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
    /// Exchanges that lose more than this are bad; absent if none are.
    see_threshold: Option<i32>,
}

impl MovePicker {
    /// All moves of a position. The transposition table's move must be legal here.
    #[must_use]
    pub(crate) fn new(tt_move: Option<Move>) -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move,
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
    pub(crate) fn winning_captures(tt_move: Option<Move>, see_threshold: i32) -> Self {
        Self { skip_quiets: true, see_threshold: Some(see_threshold), ..Self::new(tt_move) }
    }

    /// Captures and promotions only.
    #[must_use]
    pub(crate) fn noisy(tt_move: Option<Move>) -> Self {
        Self { skip_quiets: true, ..Self::new(tt_move) }
    }

    /// Gives no more quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        params: &Params,
        context: &OrderingContext,
    ) -> Option<(Move, MoveKind)> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.tt_move {
                        return Some((mv, MoveKind::TtMove));
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories, params);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some((mv, score)) = self.take_best() {
                        // A capture with a good record may lose a little.
                        let threshold = self.see_threshold.unwrap_or(-score / params.good_capture_divisor);
                        if position.see_ge(mv, threshold) {
                            return Some((mv, MoveKind::GoodNoisy));
                        }
                        self.bad_noisy.push(mv);
                    }
                    self.stage =
                        if self.see_threshold.is_some() { Stage::Done } else { Stage::GenerateQuiet };
                }
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate_quiet(position, histories, params, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some((mv, _)) = self.take_best()
                    {
                        return Some((mv, MoveKind::Quiet));
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if let Some(&mv) = self.bad_noisy.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some((mv, MoveKind::BadNoisy));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    #[inline(never)]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let rest = self.moves.get(self.next..)?;
        let first = *rest.first()?;
        let best = rest.iter().fold(first, |best, &scored| best.max(scored));
        self.moves[best.place()] = first.moved_to(best.place());
        self.next += 1;
        Some((best.mv()?, best.score()))
    }

    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, histories: &Histories, params: &Params) {
        let tt_move = self.tt_move;
        position.for_each_move::<Noisy>(|mv| {
            if Some(mv) != tt_move {
                let score = score_noisy(position, histories, params, mv);
                self.moves.push(Scored::new(mv, self.moves.len(), score));
            }
        });
    }

    #[inline(never)]
    fn generate_quiet(
        &mut self,
        position: &Position,
        histories: &Histories,
        params: &Params,
        context: &OrderingContext,
    ) {
        self.moves.clear();
        self.next = 0;
        let tt_move = self.tt_move;
        let checks = position.checking_squares();
        let histories = histories.of_quiets(position, context.previous, context.threats);
        position.for_each_move::<Quiet>(|mv| {
            if Some(mv) != tt_move {
                let Some(piece) = position.piece_on(mv.from()) else { return };
                let role = piece.role();
                let mut score = histories.get(params, piece, mv);
                if params.use_threat_ordering {
                    score += context.points_saved(role, mv) * params.threat_bonus;
                }
                if params.use_check_ordering
                    && checks[role.index()].has(mv.to())
                    && position.see_ge(mv, -params.check_loss_limit)
                {
                    score += params.check_bonus;
                }
                self.moves.push(Scored::new(mv, self.moves.len(), score));
            }
        });
    }
}

/// Captures of valuable pieces first, then those that did well before; a new queen counts as a capture of
/// one, and the other promotions come last.
fn score_noisy(position: &Position, histories: &Histories, params: &Params, mv: Move) -> i32 {
    let captured = position.captured(mv).map_or(0, |piece| see::VALUES[piece.role().index()]);
    let promotion = match mv.promotes_to() {
        None => 0,
        Some(Role::Queen) => params.capture_value_weight * see::VALUES[Role::Queen.index()],
        Some(_) => -params.underpromotion_malus,
    };
    params.capture_value_weight * captured + promotion + histories.capture.get(position, mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(
        fen: &str,
        tt_move: Option<&str>,
        mut picker_of: impl FnMut(Option<Move>) -> MovePicker,
    ) -> Vec<String> {
        let position: Position = fen.parse().unwrap();
        let tt_move = tt_move.map(|text| position.parse_uci(text).unwrap());
        let histories = Histories::default();
        let (params, context) = (Params::default(), OrderingContext::default());
        let mut picker = picker_of(tt_move);
        std::iter::from_fn(|| picker.next(&position, &histories, &params, &context))
            .map(|(mv, _)| position.san(mv).to_string())
            .collect()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_once_and_the_tt_move_first() {
        let position: Position = KIWIPETE.parse().unwrap();
        let moves = picked(KIWIPETE, Some("e1g1"), MovePicker::new);
        assert_eq!(moves[0], "O-O");
        let mut all: Vec<_> = position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
        let mut sorted = moves.clone();
        sorted.sort();
        all.sort();
        assert_eq!(sorted, all);
    }

    #[test]
    fn losing_captures_come_last() {
        let moves = picked(KIWIPETE, None, MovePicker::new);
        assert_eq!(moves[0], "Bxa6");
        let place = |san: &str| moves.iter().position(|mv| mv == san);
        assert!(place("Qxf6") > place("Qh5") && place("Qxf6") > place("O-O"), "{moves:?}");
    }

    #[test]
    fn quiet_checks_come_before_other_quiet_moves_unless_they_lose_a_piece() {
        let fen = "4k3/1p6/8/8/8/8/2Q5/6K1 w - - 0 1";
        let position: Position = fen.parse().unwrap();
        let (histories, params) = (Histories::default(), Params::default());
        let context = OrderingContext::default();
        let mut picker = MovePicker::new(None);
        let moves: Vec<_> = std::iter::from_fn(|| picker.next(&position, &histories, &params, &context))
            .map(|(mv, _)| position.san(mv).to_string())
            .collect();
        let mut first = moves[..5].to_vec();
        first.sort();
        assert_eq!(first, ["Qa4+", "Qc8+", "Qe2+", "Qe4+", "Qg6+"], "{moves:?}");
        assert!(moves[5..].contains(&"Qc6+".to_owned()), "{moves:?}");
    }

    #[test]
    fn winning_captures_leave_out_the_rest() {
        let moves = picked(KIWIPETE, None, |mv| MovePicker::winning_captures(mv, 1));
        assert!(moves.contains(&"Bxa6".to_owned()) && !moves.contains(&"Qxf6".to_owned()), "{moves:?}");
    }
}
