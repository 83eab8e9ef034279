//! The part of a position that the rules of movement look at.

use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, Rank, Role, Square, attacks};

/// Where the pieces stand, as sets of squares, and what else decides which moves are legal: whose turn
/// it is, castling rights, en passant, checks and pins.
///
/// Every [`Position`](crate::Position) holds one and lends its methods. Apart, it is what counting moves
/// needs and nothing else, small enough to copy in a few instructions.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Board {
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
    pub(crate) castling_rooks: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    pub(crate) en_passant: Option<Square>,
    pub(crate) turn: Color,
}

impl Board {
    /// A board without pieces, for [`Position::from_setup`](crate::Position::from_setup) to fill.
    pub(crate) const fn empty(turn: Color, castling_rooks: Bitboard) -> Self {
        Self {
            by_role: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            castling_rooks,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            en_passant: None,
            turn,
        }
    }

    /// Adds a piece on an empty square.
    pub(crate) fn put(&mut self, color: Color, role: Role, square: Square) {
        self.by_role[role.index()] |= square.bitboard();
        self.by_color[color.index()] |= square.bitboard();
    }

    /// Plays a legal move of a piece of this kind.
    #[inline(always)]
    pub(crate) fn play<const WHITE: bool>(&mut self, role: Role, mv: Move) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (from, to) = (mv.from().bitboard(), mv.to().bitboard());
        // Both squares are emptied of whatever may be there, which costs less than asking.
        for pieces in &mut self.by_role {
            *pieces &= !(from | to);
        }
        self.by_color[us.index()] &= !(from | to);
        self.by_color[(!us).index()] &= !to;
        self.castling_rooks &= !(from | to);
        self.en_passant = None;
        self.turn = !us;

        match mv.kind() {
            MoveKind::Normal => {
                self.put(us, role, mv.to());
                if role == Role::King {
                    self.castling_rooks &= !Rank::First.relative_to(us).bitboard();
                }
            }
            MoveKind::Promotion(role) => self.put(us, role, mv.to()),
            MoveKind::EnPassant => {
                let captured = mv.to().forward(!us).bitboard();
                self.by_role[Role::Pawn.index()] &= !captured;
                self.by_color[(!us).index()] &= !captured;
                self.put(us, Role::Pawn, mv.to());
            }
            MoveKind::Castling => {
                let side = CastlingSide::of(mv.from(), mv.to());
                self.put(us, Role::King, side.king_target(us));
                self.put(us, Role::Rook, side.rook_target(us));
                self.castling_rooks &= !Rank::First.relative_to(us).bitboard();
            }
        }
        if WHITE {
            self.update_checks_of::<false>();
        } else {
            self.update_checks_of::<true>();
        }
        if role == Role::Pawn && mv.from().index().abs_diff(mv.to().index()) == 16 {
            self.en_passant = Some(mv.from().forward(us)).filter(|&passed| self.has_legal_en_passant(passed));
        }
    }

    /// Gives the move to the other side.
    pub(crate) fn play_null(&mut self) {
        self.turn = !self.turn;
        self.en_passant = None;
        self.update_checks();
    }

    /// Whose move it is.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of one colour.
    #[must_use]
    #[inline]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// All pieces of one kind, of both colours.
    #[must_use]
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// The pieces of one colour and kind.
    #[must_use]
    #[inline]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.side(color).0 & self.role(role).0)
    }

    /// All occupied squares.
    #[must_use]
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.by_color[0].0 | self.by_color[1].0)
    }

    /// Rooks and queens of both colours.
    #[must_use]
    #[inline]
    pub const fn orthogonal_sliders(&self) -> Bitboard {
        Bitboard(self.role(Role::Rook).0 | self.role(Role::Queen).0)
    }

    /// Bishops and queens of both colours.
    #[must_use]
    #[inline]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.role(Role::Bishop).0 | self.role(Role::Queen).0)
    }

    /// Where a king stands.
    #[must_use]
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        // There always is one; the index wraps rather than panics for the half-made boards inside
        // `from_setup`.
        Square::from_index(self.pieces(color, Role::King).0.trailing_zeros() as usize)
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[must_use]
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The square on which a pawn can be taken en passant, by a move that is legal.
    #[must_use]
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The rooks that may still castle.
    #[must_use]
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The rook that this side may still castle with.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        (self.castling_rooks & self.side(color))
            .into_iter()
            .find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Whether the side has anything but its king and pawns.
    #[must_use]
    #[inline]
    pub const fn has_pieces(&self, color: Color) -> bool {
        self.side(color).0 & !(self.role(Role::Pawn).0 | self.role(Role::King).0) != 0
    }

    /// All pieces of both colours that attack a square over these occupied squares.
    #[must_use]
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.orthogonal_sliders())
            | (attacks::king(square) & self.role(Role::King))
    }

    /// Whether a side attacks a square over these occupied squares.
    #[must_use]
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let them = self.side(by);
        let leapers = (attacks::pawn(!by, square) & self.role(Role::Pawn))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (attacks::king(square) & self.role(Role::King));
        leapers.intersects(them) || self.is_attacked_by_slider(square, by, occupied)
    }

    #[inline]
    pub(crate) fn is_attacked_by_slider(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let sliders = (attacks::rook(square, occupied) & self.orthogonal_sliders())
            | (attacks::bishop(square, occupied) & self.diagonal_sliders());
        sliders.intersects(self.side(by))
    }

    /// The pieces, of either colour, that alone stand between a king and an enemy slider: its own ones
    /// are pinned, the enemy's can discover a check.
    #[must_use]
    pub(crate) fn king_blockers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let mut blockers = Bitboard::EMPTY;
        for sniper in self.snipers(king, !color) {
            let between = attacks::between(king, sniper) & self.occupied();
            if !between.more_than_one() {
                blockers |= between;
            }
        }
        blockers
    }

    /// The sliders of one side that would attack a square on an empty board.
    #[inline]
    fn snipers(&self, square: Square, by: Color) -> Bitboard {
        ((attacks::rook_lines(square) & self.orthogonal_sliders())
            | (attacks::bishop_lines(square) & self.diagonal_sliders()))
            & self.side(by)
    }

    /// Finds checkers and pins anew; called once after each change of the board.
    #[inline]
    pub(crate) fn update_checks(&mut self) {
        match self.turn {
            Color::White => self.update_checks_of::<true>(),
            Color::Black => self.update_checks_of::<false>(),
        }
    }

    #[inline]
    fn update_checks_of<const WHITE: bool>(&mut self) {
        let us = if WHITE { Color::White } else { Color::Black };
        let king = self.king(us);
        let occupied = self.occupied();
        self.checkers = ((attacks::pawn(us, king) & self.role(Role::Pawn))
            | (attacks::knight(king) & self.role(Role::Knight)))
            & self.side(!us);
        self.pinned = Bitboard::EMPTY;
        for sniper in self.snipers(king, !us) {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !between.more_than_one() {
                self.pinned |= between & self.side(us);
            }
        }
    }

    /// Whether some capture on this en passant square is legal for the side to move.
    pub(crate) fn has_legal_en_passant(&self, square: Square) -> bool {
        let pawns = attacks::pawn(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        pawns.into_iter().any(|pawn| self.is_safe_en_passant(pawn, square))
    }

    /// Whether taking en passant leaves the own king safe. Two pawns leave their rank at once, so the
    /// ordinary test for pins does not do.
    #[inline]
    pub(crate) fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let captured = to.forward(!self.turn);
        let king = self.king(self.turn);
        let occupied = self.occupied() ^ from.bitboard() ^ captured.bitboard() ^ to.bitboard();
        let leapers = self.role(Role::Pawn) | self.role(Role::Knight);
        !self.checkers.without(captured).intersects(leapers)
            && !self.is_attacked_by_slider(king, !self.turn, occupied)
    }
}
