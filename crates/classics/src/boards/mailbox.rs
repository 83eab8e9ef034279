//! ChessBin's board: 64 squares in a row, and a survey of all moves of both sides.
//!
//! The survey walks every piece along its move lists and notes on the way which squares each side
//! attacks and how heavily each piece is attacked and defended. The kings come last, since they may not
//! step on an attacked square.

use super::lists::{
    BISHOP_RAYS, KING_LEAPS, KNIGHT_LEAPS, ROOK_RAYS, Targets, bit, number, pawn_captures, pawn_step, square,
};
use super::{ClassicBoard, Moves, check_standard};
use crate::NotStandard;
use crate::zobrist::Zobrist;
use chess::{CastlingSide, Color, Move, Piece, Position, Role, Square};

/// A piece and whether it has moved in the game, which is how ChessBin knows who may castle.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Man {
    /// The piece.
    pub piece: Piece,
    /// Whether it has moved.
    pub moved: bool,
}

/// A move between two squares, counted from a8.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MailMove {
    /// Source.
    pub from: u8,
    /// Destination.
    pub to: u8,
    /// What a pawn becomes if it reaches the last rank.
    pub promotion: Option<Role>,
}

impl MailMove {
    /// Whether it is one of ChessBin's own: its engine promotes to a queen only.
    #[must_use]
    pub(crate) const fn is_considered(&self) -> bool {
        matches!(self.promotion, None | Some(Role::Queen))
    }
}

/// How much an attack or a defence by a piece counts: the cheaper the piece, the more.
#[must_use]
pub(crate) const fn action_value(role: Role) -> u8 {
    match role {
        Role::Pawn => 6,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 2,
        Role::Queen | Role::King => 1,
    }
}

/// What the walk along all move lists finds out.
#[derive(Clone)]
pub struct Survey {
    /// The squares each colour attacks, bit 0 for a8.
    pub attack_boards: [u64; 2],
    /// The action values of the pieces that attack what stands on a square.
    pub attacked: [u8; 64],
    /// The action values of the pieces that defend what stands on a square.
    pub defended: [u8; 64],
    /// How many moves the piece on a square has, legal or not.
    pub mobility: [u8; 64],
    /// Whether each colour's king is in check.
    pub check: [bool; 2],
    /// The moves of the side to move.
    pub moves: Moves<MailMove>,
}

/// How the squares lie in memory. ChessBin began with eight rows of eight and went over to 64 in a row,
/// which it found 30 % faster.
pub trait Squares: Copy {
    /// No men.
    const EMPTY: Self;

    /// What stands on a square, counted from a8; only the low six bits count.
    fn get(&self, number: u8) -> Option<Man>;

    /// Puts something there, or nothing, and returns what was there.
    fn replace(&mut self, number: u8, man: Option<Man>) -> Option<Man>;
}

/// 64 squares in a row.
#[derive(Copy, Clone)]
pub struct Row([Option<Man>; 64]);

/// Eight rows of eight squares.
#[derive(Copy, Clone)]
pub struct Grid([[Option<Man>; 8]; 8]);

impl Squares for Row {
    const EMPTY: Self = Self([None; 64]);

    #[inline]
    fn get(&self, number: u8) -> Option<Man> {
        self.0[number as usize & 63]
    }

    #[inline]
    fn replace(&mut self, number: u8, man: Option<Man>) -> Option<Man> {
        std::mem::replace(&mut self.0[number as usize & 63], man)
    }
}

impl Squares for Grid {
    const EMPTY: Self = Self([[None; 8]; 8]);

    #[inline]
    fn get(&self, number: u8) -> Option<Man> {
        self.0[(number as usize / 8) & 7][number as usize % 8]
    }

    #[inline]
    fn replace(&mut self, number: u8, man: Option<Man>) -> Option<Man> {
        std::mem::replace(&mut self.0[(number as usize / 8) & 7][number as usize % 8], man)
    }
}

/// A position on 64 squares in a row.
pub type Mailbox = MailboxOf<Row>;

/// A position on 64 squares, however they lie.
#[derive(Clone)]
pub struct MailboxOf<S> {
    men: S,
    turn: Color,
    /// The square behind a pawn that has just made two steps.
    en_passant: Option<u8>,
    castled: [bool; 2],
    /// Half-moves since the last capture or pawn move.
    halfmove_clock: u16,
    /// Zobrist's hash, kept up with every man that comes and goes.
    key: u64,
    before: Vec<Core<S>>,
}

static ZOBRIST: Zobrist = Zobrist::new(2008);

/// What taking a move back restores.
#[derive(Clone)]
struct Core<S> {
    men: S,
    en_passant: Option<u8>,
    castled: [bool; 2],
    halfmove_clock: u16,
    key: u64,
}

impl<S: Squares> MailboxOf<S> {
    /// What stands on a square, counted from a8.
    #[must_use]
    pub(crate) fn man(&self, number: u8) -> Option<Man> {
        self.men.get(number)
    }

    /// The men and their squares, from a8 to h1.
    pub fn men(&self) -> impl Iterator<Item = (Man, u8)> {
        (0..64).filter_map(|number| Some((self.men.get(number)?, number)))
    }

    /// Whether a side has castled in this game.
    #[must_use]
    pub(crate) const fn has_castled(&self, color: Color) -> bool {
        self.castled[color.index()]
    }

    /// Notes that a side castled before the position was set up.
    pub(crate) fn set_castled(&mut self, color: Color) {
        if !std::mem::replace(&mut self.castled[color.index()], true) {
            self.key ^= ZOBRIST.has_castled[color.index()];
        }
    }

    /// Zobrist's hash: the 12 × 64 numbers of the document, and others for what is not on the board.
    #[must_use]
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    /// Puts a man on a square, or nothing, takes it over into the key, and returns what was there.
    fn replace(&mut self, number: u8, man: Option<Man>) -> Option<Man> {
        let before = self.men.replace(number, man);
        for man in before.iter().chain(&man) {
            self.key ^= ZOBRIST.pieces[man.piece.index()][number as usize & 63];
        }
        before
    }

    /// The part of the key that is not on the board.
    fn state_key(&self) -> u64 {
        let mut key = match self.turn {
            Color::White => 0,
            Color::Black => ZOBRIST.black_to_move,
        };
        let mut rights = 0;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                rights = rights << 1 | usize::from(self.may_castle(color, side));
            }
            if self.has_castled(color) {
                key ^= ZOBRIST.has_castled[color.index()];
            }
        }
        let en_passant = self.en_passant.map_or(0, |number| ZOBRIST.en_passant_file[number as usize % 8]);
        key ^ ZOBRIST.castling[rights] ^ en_passant
    }

    /// The square behind a pawn that has just made two steps.
    #[must_use]
    pub const fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Whether king and rook stand where they began and have not moved.
    #[must_use]
    pub(crate) fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        let (king, rook) = castling_men(color, side);
        let unmoved =
            |number, role| self.man(number) == Some(Man { piece: Piece::new(color, role), moved: false });
        unmoved(king, Role::King) && unmoved(rook, Role::Rook)
    }

    /// The board after a move, without a way back: ChessBin copies its board for every move.
    #[must_use]
    pub fn after(&self, mv: MailMove) -> Self {
        let mut next = Self { before: Vec::new(), ..*self };
        next.apply(mv);
        next
    }

    /// The position with the other side to move, as after a null move.
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = Self { turn: !self.turn, en_passant: None, before: self.before.clone(), ..*self };
        passed.key ^= self.state_key() ^ passed.state_key();
        passed
    }

    /// Walks all pieces of both sides along their move lists.
    #[must_use]
    pub fn survey(&self) -> Survey {
        let mut survey = Survey {
            attack_boards: [0; 2],
            attacked: [0; 64],
            defended: [0; 64],
            mobility: [0; 64],
            check: [false; 2],
            moves: Moves::new(),
        };
        let mut kings = [0; 2];
        for (man, from) in self.men() {
            match man.piece.role() {
                Role::Pawn => self.survey_pawn(&mut survey, man.piece, from),
                Role::Knight => self.survey_leaps(&mut survey, man.piece, from, &KNIGHT_LEAPS),
                Role::Bishop => self.survey_rays(&mut survey, man.piece, from, &BISHOP_RAYS),
                Role::Rook => self.survey_rays(&mut survey, man.piece, from, &ROOK_RAYS),
                Role::Queen => {
                    self.survey_rays(&mut survey, man.piece, from, &BISHOP_RAYS);
                    self.survey_rays(&mut survey, man.piece, from, &ROOK_RAYS);
                }
                Role::King => kings[man.piece.color().index()] = from,
            }
        }
        // The side to move comes second, so that its king sees the other one's squares.
        for color in [!self.turn, self.turn] {
            self.survey_king(&mut survey, color, kings[color.index()]);
        }
        for color in Color::ALL {
            self.survey_castling(&mut survey, color);
        }
        survey
    }

    /// Notes that a piece looks at a square. Returns whether it looks beyond.
    fn look(&self, survey: &mut Survey, piece: Piece, from: u8, to: u8) -> bool {
        survey.attack_boards[piece.color().index()] |= bit(to);
        let Some(target) = self.man(to) else {
            self.add_move(survey, piece, from, to);
            return true;
        };
        self.meet(survey, piece, from, to, target.piece);
        false
    }

    /// Notes an attack on a piece, or its defence.
    fn meet(&self, survey: &mut Survey, piece: Piece, from: u8, to: u8, target: Piece) {
        let action = action_value(piece.role());
        if target.color() == piece.color() {
            survey.defended[to as usize] += action;
            return;
        }
        survey.attacked[to as usize] += action;
        if target.role() == Role::King {
            survey.check[target.color().index()] = true;
        } else {
            self.add_move(survey, piece, from, to);
        }
    }

    fn add_move(&self, survey: &mut Survey, piece: Piece, from: u8, to: u8) {
        survey.mobility[from as usize] += 1;
        if piece.color() != self.turn {
            return;
        }
        if piece.role() == Role::Pawn && matches!(to / 8, 0 | 7) {
            let promotions = Role::PROMOTIONS.map(|role| MailMove { from, to, promotion: Some(role) });
            survey.moves.extend(promotions);
        } else {
            survey.moves.push(MailMove { from, to, promotion: None });
        }
    }

    fn survey_rays(&self, survey: &mut Survey, piece: Piece, from: u8, lists: &[[Targets; 64]; 4]) {
        for rays in lists {
            for to in rays[from as usize].iter() {
                if !self.look(survey, piece, from, to) {
                    break;
                }
            }
        }
    }

    fn survey_leaps(&self, survey: &mut Survey, piece: Piece, from: u8, lists: &[Targets; 64]) {
        for to in lists[from as usize].iter() {
            self.look(survey, piece, from, to);
        }
    }

    /// Pawns take sideways and go straight on, so looking and moving are different things for them.
    fn survey_pawn(&self, survey: &mut Survey, pawn: Piece, from: u8) {
        let color = pawn.color();
        for to in pawn_captures(color, from) {
            survey.attack_boards[color.index()] |= bit(to);
            if let Some(target) = self.man(to) {
                self.meet(survey, pawn, from, to, target.piece);
            } else if color == self.turn && self.en_passant == Some(to) {
                self.add_move(survey, pawn, from, to);
            }
        }
        let one = pawn_step(color, from);
        if self.man(one).is_some() {
            return;
        }
        self.add_move(survey, pawn, from, one);
        let two = pawn_step(color, one);
        if from / 8 == home_row_of_pawns(color) && self.man(two).is_none() {
            self.add_move(survey, pawn, from, two);
        }
    }

    fn survey_king(&self, survey: &mut Survey, color: Color, from: u8) {
        for to in KING_LEAPS[from as usize].iter() {
            if survey.attack_boards[(!color).index()] & bit(to) != 0 {
                survey.attack_boards[color.index()] |= bit(to);
            } else {
                self.look(survey, Piece::new(color, Role::King), from, to);
            }
        }
    }

    fn survey_castling(&self, survey: &mut Survey, color: Color) {
        if survey.check[color.index()] {
            return;
        }
        let theirs = survey.attack_boards[(!color).index()];
        for side in CastlingSide::ALL {
            let (king, rook) = castling_men(color, side);
            let (king_to, rook_to) = (number(side.king_target(color)), number(side.rook_target(color)));
            let mut between = king.min(rook) + 1..king.max(rook);
            if self.may_castle(color, side)
                && between.all(|number| self.man(number).is_none())
                && theirs & (bit(king_to) | bit(rook_to)) == 0
            {
                self.add_move(survey, Piece::new(color, Role::King), king, king_to);
            }
        }
    }

    fn apply(&mut self, mv: MailMove) {
        let state = self.state_key();
        let Some(man) = self.replace(mv.from, None) else { return };
        let (color, role) = (man.piece.color(), man.piece.role());
        let is_capture = self.men.get(mv.to).is_some();
        self.halfmove_clock =
            if is_capture || role == Role::Pawn { 0 } else { self.halfmove_clock.saturating_add(1) };
        // Only a pawn takes en passant.
        if role == Role::Pawn && self.en_passant == Some(mv.to) {
            self.replace(pawn_step(!color, mv.to), None);
        }
        let piece = Piece::new(color, mv.promotion.unwrap_or(role));
        self.replace(mv.to, Some(Man { piece, moved: true }));
        let is_double_step = role == Role::Pawn && mv.from.abs_diff(mv.to) == 16;
        self.en_passant = is_double_step.then(|| pawn_step(color, mv.from));
        if let Some(side) = castling_side(role, mv) {
            let (_, rook) = castling_men(color, side);
            let rook = self.replace(rook, None).map(|rook| Man { moved: true, ..rook });
            self.replace(number(side.rook_target(color)), rook);
            self.castled[color.index()] = true;
        }
        self.turn = !self.turn;
        self.key ^= state ^ self.state_key();
    }

    fn perft_surveyed(&self, survey: &Survey, depth: u32) -> u64 {
        let mut nodes = 0;
        for &mv in &survey.moves {
            let next = self.after(mv);
            let survey = next.survey();
            if !survey.check[self.turn.index()] {
                nodes += if depth == 1 { 1 } else { next.perft_surveyed(&survey, depth - 1) };
            }
        }
        nodes
    }
}

/// The squares of king and rook before castling.
const fn castling_men(color: Color, side: CastlingSide) -> (u8, u8) {
    let king = match color {
        Color::White => 60,
        Color::Black => 4,
    };
    match side {
        CastlingSide::King => (king, king + 3),
        CastlingSide::Queen => (king, king - 4),
    }
}

/// A king that goes two squares castles.
const fn castling_side(role: Role, mv: MailMove) -> Option<CastlingSide> {
    match (role, mv.to as i8 - mv.from as i8) {
        (Role::King, 2) => Some(CastlingSide::King),
        (Role::King, -2) => Some(CastlingSide::Queen),
        _ => None,
    }
}

const fn home_row_of_pawns(color: Color) -> u8 {
    match color {
        Color::White => 6,
        Color::Black => 1,
    }
}

/// Whether a piece stands where one of its kind begins the game.
fn is_at_home(piece: Piece, at: Square) -> bool {
    Position::startpos().piece_on(at) == Some(piece)
}

impl<S: Squares> ClassicBoard for MailboxOf<S> {
    type Move = MailMove;

    /// A piece on its first square counts as unmoved; kings and rooks only with the right to castle.
    fn set_up(position: &Position) -> Result<Self, NotStandard> {
        check_standard(position)?;
        let mut board = Self {
            men: S::EMPTY,
            turn: position.turn(),
            en_passant: position.en_passant().map(number),
            castled: [false; 2],
            halfmove_clock: position.halfmove_clock(),
            key: 0,
            before: Vec::new(),
        };
        for at in Square::all() {
            let Some(piece) = position.piece_on(at) else { continue };
            let moved = match piece.role() {
                Role::King => (position.castling_rooks() & position.side(piece.color())).is_empty(),
                Role::Rook => !position.castling_rooks().has(at),
                _ => !is_at_home(piece, at),
            };
            board.replace(number(at), Some(Man { piece, moved }));
        }
        board.key ^= board.state_key();
        Ok(board)
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn generate(&self, moves: &mut Moves<MailMove>) {
        moves.extend(self.survey().moves);
    }

    fn make(&mut self, mv: MailMove) -> bool {
        let us = self.turn;
        self.before.push(Core {
            men: self.men,
            en_passant: self.en_passant,
            castled: self.castled,
            halfmove_clock: self.halfmove_clock,
            key: self.key,
        });
        self.apply(mv);
        let is_legal = !self.survey().check[us.index()];
        if !is_legal {
            self.unmake();
        }
        is_legal
    }

    fn unmake(&mut self) {
        let Some(core) = self.before.pop() else { return };
        self.men = core.men;
        self.en_passant = core.en_passant;
        self.castled = core.castled;
        self.halfmove_clock = core.halfmove_clock;
        self.key = core.key;
        self.turn = !self.turn;
    }

    fn is_check(&self) -> bool {
        self.survey().check[self.turn.index()]
    }

    fn translate(&self, mv: MailMove) -> Move {
        let (from, to) = (square(mv.from), square(mv.to));
        let role = self.man(mv.from).map_or(Role::Pawn, |man| man.piece.role());
        if let Some(role) = mv.promotion {
            Move::promotion(from, to, role)
        } else if let Some(side) = castling_side(role, mv) {
            Move::castling(from, square(castling_men(self.turn, side).1))
        } else if role == Role::Pawn && self.en_passant == Some(mv.to) && from.file() != to.file() {
            Move::en_passant(from, to)
        } else {
            Move::normal(from, to)
        }
    }

    /// With one survey for each position, which tests the last move and finds the next ones.
    fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.perft_surveyed(&self.survey(), depth) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Mailbox {
        Mailbox::set_up(&Position::from_fen(fen).unwrap()).unwrap()
    }

    #[test]
    fn attacks_and_defences_add_up_for_both_colours() {
        // The pawn on e5 attacks d6, which the pawn on c7 and the rook on d8 defend.
        let survey = board("3r2k1/2p5/3p4/4P3/8/8/8/3R2K1 w - - 0 1").survey();
        let d6 = number(Square::D6) as usize;
        assert_eq!(survey.attacked[d6], 6 + 2);
        assert_eq!(survey.defended[d6], 6 + 2);
        let e5 = number(Square::E5) as usize;
        assert_eq!(survey.attacked[e5], 6, "Black's pawns count as White's do");
    }

    #[test]
    fn the_key_knows_whose_move_it_is_and_who_may_castle() {
        let keys = [
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2R b - - 0 1",
        ]
        .map(|fen| board(fen).key());
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
        assert_eq!(board("4k3/8/8/8/8/8/8/4K2R w K - 9 30").key(), keys[0], "clocks do not count");
    }

    #[test]
    fn the_key_kept_move_by_move_is_the_one_counted_anew() {
        let counted = |board: &Mailbox| {
            let men = board.men().map(|(man, number)| ZOBRIST.pieces[man.piece.index()][number as usize]);
            men.fold(board.state_key(), |key, number| key ^ number)
        };
        let mut random = chess::random::Random::new(4957);
        for fen in [
            chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let mut board = board(fen);
            let mut keys = vec![board.key()];
            for _ in 0..120 {
                let moves = board.legal();
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                assert_eq!(board.after(mv).key(), counted(&board.after(mv)), "{fen} {mv:?}");
                assert_eq!(board.passed().key(), counted(&board.passed()));
                assert!(board.make(mv));
                keys.push(board.key());
                assert_eq!(board.key(), counted(&board), "{fen} {mv:?}");
            }
            while let Some(key) = keys.pop() {
                assert_eq!(board.key(), key, "taking back restores it");
                board.unmake();
            }
            board.set_castled(Color::Black);
            board.set_castled(Color::Black);
            assert_eq!(board.key(), counted(&board));
        }
    }

    #[test]
    fn rows_and_grids_hold_the_same_game() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(MailboxOf::<Row>::set_up(&position).unwrap().perft(3), 97_862);
        assert_eq!(MailboxOf::<Grid>::set_up(&position).unwrap().perft(3), 97_862);
    }

    #[test]
    fn kings_keep_off_attacked_squares() {
        let mut kings = board("8/8/8/3k4/8/3K4/8/8 w - - 0 1");
        assert_eq!(kings.legal().len(), 5);
        assert_eq!(kings.survey().mobility[number(Square::D3) as usize], 5);
    }

    #[test]
    fn only_a_pawn_takes_en_passant() {
        let mut knight = board("4k3/8/8/5n2/3pP3/8/8/4K3 b - e3 0 1");
        let to_e3: Vec<_> = knight.legal().into_iter().filter(|mv| mv.to == number(Square::E3)).collect();
        assert_eq!(to_e3.len(), 2);
        for mv in to_e3 {
            let is_pawn = mv.from == number(Square::D4);
            assert_eq!(knight.after(mv).man(number(Square::E4)).is_none(), is_pawn);
        }
    }

    #[test]
    fn a_rook_that_has_been_away_does_not_castle() {
        let mut start = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(start.may_castle(Color::White, CastlingSide::King));
        for (from, to) in [(Square::H1, Square::H2), (Square::E8, Square::E7), (Square::H2, Square::H1)] {
            assert!(start.make(MailMove { from: number(from), to: number(to), promotion: None }));
        }
        assert!(!start.may_castle(Color::White, CastlingSide::King));
    }
}
