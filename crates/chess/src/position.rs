//! Legal positions.

use crate::key::{self, PieceKeys};
use crate::{Bitboard, Color, File, Key, Piece, Rank, Role, Setup, Square, attacks};

/// The side a king castles to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the h-file, written O-O: the king ends on the g-file, the rook on the f-file.
    King,
    /// Towards the a-file, written O-O-O: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side on which a rook stands from its king.
    #[must_use]
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// Where the king ends.
    #[must_use]
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the rook ends.
    #[must_use]
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// A legal position: exactly one king each, the side that has just moved not in check, every castling
/// right and en passant square a real one.
///
/// Built only by [`Position::from_setup`] and by playing moves. Small enough to be copied for each move,
/// which is how a search goes back.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) by_role: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) mailbox: [Option<Piece>; 64],
    pub(crate) piece_keys: PieceKeys,
    pub(crate) key: Key,
    pub(crate) checkers: Bitboard,
    pub(crate) pinned: Bitboard,
    pub(crate) castling_rooks: Bitboard,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
    pub(crate) en_passant: Option<Square>,
    pub(crate) turn: Color,
}

/// Why a setup is no legal position.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error("{color} has {count} kings")]
    Kings { color: Color, count: u32 },
    #[error("{color} has {count} pieces, more than 16")]
    Pieces { color: Color, count: u32 },
    #[error("{color} has {count} pawns, more than 8")]
    Pawns { color: Color, count: u32 },
    #[error("{color} has {count} promoted pieces but only {missing} missing pawns")]
    Promoted { color: Color, count: u32, missing: u32 },
    #[error("a pawn stands on {square}, where none can")]
    PawnOnBackRank { square: Square },
    #[error("side not to move is in check: {color}'s king can be taken")]
    OpponentInCheck { color: Color },
    #[error("{color} is in check from {count} pieces at once")]
    TooManyCheckers { color: Color, count: u32 },
    #[error("{color} is in check from {first} and {second} at once, which no move can bring about")]
    ImpossibleDoubleCheck { color: Color, first: Square, second: Square },
    #[error("castling right for a rook on {square}, but {color} has no rook there on its first rank")]
    NoCastlingRook { color: Color, square: Square },
    #[error("castling right for {color}, but its king on {king} is not on its first rank")]
    CastlingKingAway { color: Color, king: Square },
    #[error("castling right for {color}, but its king on {king} stands in the corner beyond every rook")]
    CastlingKingInCorner { color: Color, king: Square },
    #[error("two castling rights for {color} on the same side of its king: {first} and {second}")]
    TwoCastlingRooks { color: Color, first: Square, second: Square },
    #[error("en passant square {square} is not on the {rank} rank, where {color}'s pawns pass")]
    EnPassantRank { square: Square, rank: &'static str, color: Color },
    #[error("en passant square {square} without a pawn that has just passed it")]
    EnPassantPawn { square: Square },
    #[error("en passant square {square}, but {blocker} is not empty")]
    EnPassantBlocked { square: Square, blocker: Square },
    #[error("en passant square {square}, but the check from {checker} was there before that pawn moved")]
    EnPassantCheck { square: Square, checker: Square },
}

impl Position {
    /// The start position of standard chess.
    #[must_use]
    pub fn startpos() -> Self {
        Self::from_setup(&Setup::startpos()).expect("the start position is legal")
    }

    /// Checks a setup and makes a position of it.
    ///
    /// An en passant square behind a pawn that cannot be taken is dropped: two positions that allow the
    /// same moves are the same position.
    ///
    /// # Errors
    /// When no game of chess can contain it, as far as a look at the board can tell.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let mut position = Self {
            by_role: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            piece_keys: PieceKeys::default(),
            key: Key::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling_rooks: setup.castling_rooks,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
            en_passant: None,
            turn: setup.turn,
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square, &mut ());
            }
        }
        position.check_material()?;
        position.check_castling()?;
        position.update_checks();
        position.check_checks()?;
        if let Some(square) = setup.en_passant {
            position.check_en_passant(square)?;
            position.en_passant = Some(square).filter(|&square| position.has_legal_en_passant(square));
        }
        position.update_key();
        Ok(position)
    }

    /// What a FEN would say about the position.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.mailbox,
            turn: self.turn,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    fn check_material(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let count = |role| self.pieces(color, role).count();
            if count(Role::King) != 1 {
                return Err(PositionError::Kings { color, count: count(Role::King) });
            }
            let pieces = self.side(color).count();
            if pieces > 16 {
                return Err(PositionError::Pieces { color, count: pieces });
            }
            let pawns = count(Role::Pawn);
            if pawns > 8 {
                return Err(PositionError::Pawns { color, count: pawns });
            }
            // A third knight was a pawn; so was a second bishop on squares of one colour.
            let bishops = self.pieces(color, Role::Bishop);
            let light_bishops = (bishops & Bitboard::LIGHT_SQUARES).count();
            let dark_bishops = (bishops & Bitboard::DARK_SQUARES).count();
            let promoted = count(Role::Knight).saturating_sub(2)
                + light_bishops.saturating_sub(1)
                + dark_bishops.saturating_sub(1)
                + count(Role::Rook).saturating_sub(2)
                + count(Role::Queen).saturating_sub(1);
            if promoted > 8 - pawns {
                return Err(PositionError::Promoted { color, count: promoted, missing: 8 - pawns });
            }
        }
        match (self.role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
            Some(square) => Err(PositionError::PawnOnBackRank { square }),
            None => Ok(()),
        }
    }

    fn check_castling(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let first_rank = Rank::First.relative_to(color).bitboard();
            let king = self.king(color);
            let rooks = self.castling_rooks & first_rank;
            for rook in rooks {
                if self.piece_on(rook) != Some(Piece::new(color, Role::Rook)) {
                    return Err(PositionError::NoCastlingRook { color, square: rook });
                }
                if !first_rank.has(king) {
                    return Err(PositionError::CastlingKingAway { color, king });
                }
                // In every starting arrangement the king stands between its rooks.
                if matches!(king.file(), File::A | File::H) {
                    return Err(PositionError::CastlingKingInCorner { color, king });
                }
            }
            for side in CastlingSide::ALL {
                let mut same_side = rooks.into_iter().filter(|&rook| CastlingSide::of(king, rook) == side);
                if let (Some(first), Some(second)) = (same_side.next(), same_side.next()) {
                    return Err(PositionError::TwoCastlingRooks { color, first, second });
                }
            }
        }
        match (self.castling_rooks & !Bitboard::BACK_RANKS).first() {
            Some(square) => {
                let color = if square.rank() <= Rank::Fourth { Color::White } else { Color::Black };
                Err(PositionError::NoCastlingRook { color, square })
            }
            None => Ok(()),
        }
    }

    fn check_checks(&self) -> Result<(), PositionError> {
        let waiting = !self.turn;
        if self.is_attacked(self.king(waiting), self.turn, self.occupied()) {
            return Err(PositionError::OpponentInCheck { color: waiting });
        }
        let count = self.checkers.count();
        if count > 2 {
            return Err(PositionError::TooManyCheckers { color: self.turn, count });
        }
        let mut checkers = self.checkers.into_iter();
        if let (Some(first), Some(second)) = (checkers.next(), checkers.next()) {
            // Of two checks one is discovered, so it comes from a sliding piece; and one piece cannot
            // uncover two on the same line through the king.
            let leapers = self.role(Role::Pawn) | self.role(Role::Knight);
            let both_leap = (self.checkers & !leapers).is_empty();
            let one_line = attacks::line(first, second).has(self.king(self.turn))
                && (self.checkers & leapers).is_empty();
            let both_pawns = (self.checkers & !self.role(Role::Pawn)).is_empty();
            // Along one line only a promotion beside the line's end can do it: a queen or rook appears
            // on the last rank and uncovers another behind the pawn. That gives two lines, not one.
            if both_leap || one_line || both_pawns {
                return Err(PositionError::ImpossibleDoubleCheck { color: self.turn, first, second });
            }
        }
        Ok(())
    }

    fn check_en_passant(&self, square: Square) -> Result<(), PositionError> {
        let passer = !self.turn;
        if square.rank() != Rank::Third.relative_to(passer) {
            let rank = if passer == Color::White { "third" } else { "sixth" };
            return Err(PositionError::EnPassantRank { square, rank, color: passer });
        }
        let pawn = square.forward(passer);
        if self.piece_on(pawn) != Some(Piece::new(passer, Role::Pawn)) {
            return Err(PositionError::EnPassantPawn { square });
        }
        let origin = square.forward(self.turn);
        for blocker in [square, origin] {
            if self.piece_on(blocker).is_some() {
                return Err(PositionError::EnPassantBlocked { square, blocker });
            }
        }
        // Before the double step the king was not in check, so each check comes from that pawn or
        // through the square it left.
        for checker in self.checkers.without(pawn) {
            if !attacks::between(self.king(self.turn), checker).has(origin) {
                return Err(PositionError::EnPassantCheck { square, checker });
            }
        }
        Ok(())
    }

    /// Whose move it is.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
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

    /// Half-moves since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, counted from 1.
    #[must_use]
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The key of the whole position. Equal for positions that repeat each other; move counters do not
    /// count.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The key of the pawns of both sides.
    #[must_use]
    #[inline]
    pub const fn pawn_key(&self) -> Key {
        self.piece_keys.pawns_and_sides[0]
    }

    /// The key of one side's pieces, pawns excepted.
    #[must_use]
    #[inline]
    pub const fn non_pawn_key(&self, color: Color) -> Key {
        self.piece_keys.pawns_and_sides[1 + color.index()]
    }

    /// The key of the knights and bishops of both sides.
    #[must_use]
    #[inline]
    pub const fn minor_key(&self) -> Key {
        self.piece_keys.weights[0]
    }

    /// The key of the rooks and queens of both sides.
    #[must_use]
    #[inline]
    pub const fn major_key(&self) -> Key {
        self.piece_keys.weights[1]
    }

    /// Whether the side has anything but its king and pawns.
    #[must_use]
    #[inline]
    pub const fn has_pieces(&self, color: Color) -> bool {
        self.side(color).0 & !(self.role(Role::Pawn).0 | self.role(Role::King).0) != 0
    }

    /// The same position with colours and sides of the board exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self::from_setup(&self.to_setup().mirrored()).expect("the mirror image of a legal position is legal")
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
    pub fn king_blockers(&self, color: Color) -> Bitboard {
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
        let us = self.turn;
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

    #[inline]
    pub(crate) fn update_key(&mut self) {
        self.key = self.piece_keys.all();
        self.key.toggle(key::state(self.turn, self.castling_rooks, self.en_passant));
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
