//! Positions as text: FEN, read strictly here and with patience in `lenient`.
//!
//! Castling rights are read as X-FEN (`KQkq` for the outermost rooks, file letters for others) and as
//! Shredder-FEN (file letters throughout), mixed as one likes; [`FenStyle`] chooses between them for
//! writing.

mod lenient;

pub use lenient::{FenReading, FenWarning, Strictness};
pub(crate) use lenient::{is_blank, make_position, read_fields};

use crate::{CastlingSide, Color, File, Move, Piece, Position, PositionError, Rank, Role, Setup, Square};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The FEN of the start position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How castling rights are written.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum FenStyle {
    /// `KQkq`, and the letter of the file for a rook that is not the outermost on its side of the king.
    /// In standard chess this is plain FEN.
    #[default]
    XFen,
    /// The letters of the rooks' files always: `HAha`.
    Shredder,
}

/// One of the six fields of a FEN.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FenField {
    Board,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    MoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::SideToMove => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::MoveNumber => "move number",
        })
    }
}

/// What is wrong with a FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FenError {
    #[error("missing {field}: a FEN has six fields, or four without the clocks")]
    MissingField { field: FenField },
    #[error("{text:?} follows after the move number, the last field")]
    TrailingField { text: String },
    #[error("the board needs 8 ranks, and has {count}")]
    Ranks { count: usize },
    #[error("rank {rank} has {count} squares, not 8")]
    Squares { rank: Rank, count: usize },
    #[error("rank {rank} has {letter:?}, which is no piece")]
    Letter { rank: Rank, letter: char },
    #[error("rank {rank} has the digit {digit}, but empty squares are counted 1 to 8")]
    Digit { rank: Rank, digit: char },
    #[error("rank {rank} has the digits {first} and {second} in a row: write one number")]
    TwoDigits { rank: Rank, first: char, second: char },
    #[error("the side to move is {text:?}, not w or b")]
    SideToMove { text: String },
    #[error(
        "{letter:?} is no castling right: they are K, Q, k, q, a file from A to H or a to h, or - for none"
    )]
    CastlingLetter { letter: char },
    #[error("castling right {letter} is given twice")]
    CastlingTwice { letter: char },
    #[error("castling right {letter} without a rook on the {file}-file")]
    CastlingRook { letter: char, file: File },
    #[error("castling right {letter} without a rook on that side of the king on {king}")]
    CastlingSide { letter: char, king: Square },
    #[error("the en passant square is {text:?}, not a square or -")]
    EnPassant { text: String },
    #[error("en passant square {square}, but the halfmove clock of {clock} says that no pawn has just moved")]
    EnPassantClock { square: Square, clock: u16 },
    #[error("the {field} is {text:?}, not a number from {least} to 65535")]
    Number { field: FenField, text: String, least: u16 },
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl Setup {
    /// The start position of standard chess.
    #[must_use]
    pub fn startpos() -> Self {
        Self::from_fen(START_FEN).expect("the FEN of the start position is sound")
    }

    /// Reads a FEN of six fields, or of four, which leave the clocks at 0 and 1. More than one space
    /// between them and white space around the whole are let pass, nothing else.
    ///
    /// # Errors
    /// When the text is malformed or grants a castling right to a rook that is not there. Whether the
    /// pieces make sense is for [`Position::from_setup`] to say.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.trim().split(' ').filter(|field| !field.is_empty());
        let mut next = |field| fields.next().ok_or(FenError::MissingField { field });

        let mut setup = Self { board: read_board(next(FenField::Board)?)?, ..Self::empty() };
        setup.turn = read_turn(next(FenField::SideToMove)?)?;
        setup.read_castling(next(FenField::Castling)?)?;
        setup.en_passant = read_en_passant(next(FenField::EnPassant)?)?;
        if let Ok(clock) = next(FenField::HalfmoveClock) {
            setup.halfmove_clock = read_number(FenField::HalfmoveClock, clock)?;
            setup.fullmove_number = read_number(FenField::MoveNumber, next(FenField::MoveNumber)?)?;
        }
        match fields.next() {
            Some(text) => Err(FenError::TrailingField { text: shortened(text) }),
            None => Ok(setup),
        }
    }

    /// The FEN in the style chosen.
    #[must_use]
    pub fn to_fen_with(&self, style: FenStyle) -> String {
        let mut fen = String::new();
        self.write_fen(&mut fen, style).expect("a string takes all text");
        fen
    }

    /// The FEN, X-FEN where the rooks ask for it.
    #[must_use]
    pub fn to_fen(&self) -> String {
        self.to_fen_with(FenStyle::XFen)
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        text.chars().try_for_each(|letter| self.grant_castling(letter))
    }

    /// Adds the castling right of a letter.
    pub(crate) fn grant_castling(&mut self, letter: char) -> Result<(), FenError> {
        let rook = self.castling_rook_named(letter)?.bitboard();
        if self.castling_rooks.intersects(rook) {
            return Err(FenError::CastlingTwice { letter });
        }
        self.castling_rooks |= rook;
        Ok(())
    }

    /// The rook a castling letter speaks of.
    pub(crate) fn castling_rook_named(&self, letter: char) -> Result<Square, FenError> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let side = match letter.to_ascii_lowercase() {
            'k' => CastlingSide::King,
            'q' => CastlingSide::Queen,
            lower => {
                let file = File::from_char(lower).ok_or(FenError::CastlingLetter { letter })?;
                let square = Square::new(file, Rank::First.relative_to(color));
                let is_rook = self.board[square.index()] == Some(Piece::new(color, Role::Rook));
                return if is_rook { Ok(square) } else { Err(FenError::CastlingRook { letter, file }) };
            }
        };
        self.outermost_rook(color, side).ok_or_else(|| match self.king_on_first_rank(color, side) {
            Some(king) if king.file() != File::E => FenError::CastlingSide { letter, king },
            _ => FenError::CastlingRook { letter, file: home_file(side) },
        })
    }

    /// The rook nearest to the corner on one side of the king. Without a king on the first rank any rook
    /// there counts, so that the king is what a check of the position will complain of.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rook = Some(Piece::new(color, Role::Rook));
        let king = self.king_on_first_rank(color, side);
        from_corner(color, side)
            .take_while(|&square| Some(square) != king)
            .find(|square| self.board[square.index()] == rook)
    }

    fn king_on_first_rank(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = Some(Piece::new(color, Role::King));
        from_corner(color, side).find(|square| self.board[square.index()] == king)
    }

    fn write_fen(&self, out: &mut impl Write, style: FenStyle) -> fmt::Result {
        self.write_fen_fields(out, style)?;
        write!(out, " {} {}", self.halfmove_clock, self.fullmove_number)
    }

    /// The first four fields, which are all that says what may be played.
    pub(crate) fn write_fen_fields(&self, out: &mut impl Write, style: FenStyle) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            self.write_rank(out, rank)?;
            if rank != Rank::First {
                out.write_char('/')?;
            }
        }
        write!(out, " {} ", self.turn.to_char())?;
        self.write_castling(out, style)?;
        match self.en_passant {
            Some(square) => write!(out, " {square}"),
            None => out.write_str(" -"),
        }
    }

    fn write_rank(&self, out: &mut impl Write, rank: Rank) -> fmt::Result {
        let mut empty = 0;
        for file in File::ALL {
            match self.board[Square::new(file, rank).index()] {
                Some(piece) => {
                    if empty > 0 {
                        write!(out, "{empty}")?;
                    }
                    empty = 0;
                    out.write_char(piece.to_char())?;
                }
                None => empty += 1,
            }
        }
        if empty > 0 { write!(out, "{empty}") } else { Ok(()) }
    }

    fn write_castling(&self, out: &mut impl Write, style: FenStyle) -> fmt::Result {
        let mut none = true;
        for color in Color::ALL {
            for rook in from_corner(color, CastlingSide::King).filter(|&rook| self.castling_rooks.has(rook)) {
                let side = CastlingSide::ALL
                    .into_iter()
                    .find(|&side| style == FenStyle::XFen && self.outermost_rook(color, side) == Some(rook));
                let letter = match side {
                    Some(CastlingSide::King) => 'k',
                    Some(CastlingSide::Queen) => 'q',
                    None => rook.file().to_char(),
                };
                out.write_char(if color == Color::White { letter.to_ascii_uppercase() } else { letter })?;
                none = false;
            }
        }
        if none { out.write_char('-') } else { Ok(()) }
    }
}

impl Position {
    /// Reads a FEN, as [`Setup::from_fen`] does, and checks the position. What comes from outside is read by
    /// [`read_fen`](Self::read_fen).
    ///
    /// # Errors
    /// When the text is malformed, or no game can lead to the position.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let setup = Setup::from_fen(fen)?;
        let position = Self::from_setup(&setup)?;
        position.check_reachable()?;
        match setup.en_passant {
            Some(square) if setup.halfmove_clock > 0 => {
                Err(FenError::EnPassantClock { square, clock: setup.halfmove_clock })
            }
            _ => Ok(position),
        }
    }

    /// The FEN in the style chosen. It names an en passant square only where a capture is legal;
    /// [`setup_after`](Self::setup_after) serves the other convention.
    #[must_use]
    pub fn to_fen_with(&self, style: FenStyle) -> String {
        self.to_setup().to_fen_with(style)
    }

    /// The FEN, X-FEN where the rooks ask for it.
    #[must_use]
    pub fn to_fen(&self) -> String {
        self.to_fen_with(FenStyle::XFen)
    }

    /// The setup after a legal move, with the passed square set after *every* double step of a pawn,
    /// whether or not it can be taken: what older documents write. The position itself does not know.
    #[must_use]
    pub fn setup_after(&self, mv: Move) -> Setup {
        let mut setup = self.after(mv).to_setup();
        let is_pawn = self.piece_on(mv.from()).is_some_and(|piece| piece.role() == Role::Pawn);
        if is_pawn && mv.from().index().abs_diff(mv.to().index()) == 16 {
            setup.en_passant = Some(mv.from().forward(self.turn()));
        }
        setup
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, FenStyle::XFen)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_setup(), f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

pub(crate) fn read_board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let count = text.split('/').count();
    if count != 8 {
        return Err(FenError::Ranks { count });
    }
    let mut board = [None; 64];
    for (row, rank) in text.split('/').zip(Rank::ALL.into_iter().rev()) {
        read_rank(row, rank, &mut board)?;
    }
    Ok(board)
}

fn read_rank(row: &str, rank: Rank, board: &mut [Option<Piece>; 64]) -> Result<(), FenError> {
    let mut count: usize = 0;
    let mut last_digit = None;
    for letter in row.chars() {
        match letter {
            '0' | '9' => return Err(FenError::Digit { rank, digit: letter }),
            '1'..='8' => {
                if let Some(first) = last_digit {
                    return Err(FenError::TwoDigits { rank, first, second: letter });
                }
                last_digit = Some(letter);
                count += letter as usize - '0' as usize;
            }
            _ => {
                let piece = Piece::from_char(letter).ok_or(FenError::Letter { rank, letter })?;
                if let Some(&file) = File::ALL.get(count) {
                    board[Square::new(file, rank).index()] = Some(piece);
                }
                last_digit = None;
                count += 1;
            }
        }
    }
    if count == 8 { Ok(()) } else { Err(FenError::Squares { rank, count }) }
}

pub(crate) fn read_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove { text: shortened(text) }),
    }
}

pub(crate) fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| FenError::EnPassant { text: shortened(text) })
}

pub(crate) fn read_number(field: FenField, text: &str) -> Result<u16, FenError> {
    let least = u16::from(field == FenField::MoveNumber);
    // Rust would read a plus sign too.
    let number = if text.starts_with('+') { None } else { text.parse().ok() };
    number.filter(|&number| number >= least).ok_or_else(|| FenError::Number {
        field,
        text: shortened(text),
        least,
    })
}

/// The squares of a side's first rank from one corner to the other.
fn from_corner(color: Color, side: CastlingSide) -> impl Iterator<Item = Square> {
    let corner = home_file(side);
    let rank = Rank::First.relative_to(color);
    (0..8).map(move |step| Square::new(File::from_index(corner.index().abs_diff(step)), rank))
}

pub(crate) const fn home_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    }
}

/// Enough of a text to recognise it by in a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_reads_and_writes() {
        assert_eq!(Setup::startpos().to_fen(), START_FEN);
        assert_eq!(Position::startpos().to_string(), START_FEN);
        assert_eq!(format!("{:?}", Position::startpos()), format!("Position({START_FEN})"));
        let shredder = START_FEN.replace("KQkq", "HAha");
        assert_eq!(Position::startpos().to_fen_with(FenStyle::Shredder), shredder);
        assert_eq!(Position::from_fen(&shredder), Ok(Position::startpos()));
    }

    #[test]
    fn inner_rooks_are_named_by_their_file() {
        let fen = "1r2k1r1/8/8/8/8/8/8/RR2K1RR w GBgb - 3 20";
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.to_fen(), fen.replace("GBgb", "GBkq"));
        assert_eq!(position.to_fen_with(FenStyle::Shredder), fen);
        assert_eq!(Position::from_fen(&position.to_fen()), Ok(position));
    }

    #[test]
    fn four_fields_leave_the_clocks_at_the_start() {
        let fen = "  8/8/8/4k3/8/8/4P3/4K3   b -  - \r\n";
        assert_eq!(Position::from_fen(fen).unwrap().to_fen(), "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1");
    }
}
