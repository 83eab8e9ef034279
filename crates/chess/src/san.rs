//! Standard algebraic notation: written minimal and exact, read with patience.

use crate::coordinates::quote;
use crate::{
    Bitboard, CastlingSide, File, IllegalReason, Move, Piece, Position, Rank, Role, Square, attacks,
};
use arrayvec::ArrayString;
use std::fmt;

/// A move in standard algebraic notation, such as `Nbd7` or `exd8=Q+`; made by [`Position::san`].
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct San(ArrayString<{ San::MAX_LEN }>);

impl San {
    /// The longest is like `Qa1xb2+` or `axb8=Q#`.
    const MAX_LEN: usize = 7;

    /// The text of the move.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn push(&mut self, c: char) {
        // A legal move always fits; an illegal one is cut off rather than a reason to panic.
        let _ = self.0.try_push(c);
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SanError {
    #[error("{text:?} is not a move: write it like e4, Nf3, exd5, O-O or e8=Q")]
    Syntax { text: String },
    #[error("{text} passes the move, which no player may do")]
    NullMove { text: String },
    #[error("no {} can go to {to}", .role.name())]
    NoPiece { role: Role, to: Square },
    #[error("no pawn can go to {to}: to take there write {capture}")]
    WriteCapture { to: Square, capture: San },
    #[error("{} {}s can go to {to}: write {}", number_word(.candidates.len()), .role.name(), alternatives(.candidates))]
    Ambiguous { role: Role, to: Square, candidates: Vec<San> },
    #[error("{to} needs a promotion piece: write {example}")]
    NeedsPromotion { to: Square, example: San },
    #[error("{0}")]
    Illegal(#[from] IllegalReason),
}

fn number_word(count: usize) -> &'static str {
    const WORDS: [&str; 8] = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count.wrapping_sub(2)).unwrap_or(&"several")
}

fn alternatives(candidates: &[San]) -> String {
    let texts: Vec<&str> = candidates.iter().map(San::as_str).collect();
    match texts.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

/// What a text says about a move, before a position gives it a meaning.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Pattern {
    Castling(CastlingSide),
    Move(MovePattern),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct MovePattern {
    /// Without a letter it is a pawn, or any piece if the whole origin is given.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    takes: bool,
    promotion: Option<Role>,
}

impl MovePattern {
    /// The squares the move may come from, by what the text says.
    #[inline]
    fn origins(&self) -> Bitboard {
        let file = self.file.map_or(Bitboard::FULL, File::bitboard);
        let rank = self.rank.map_or(Bitboard::FULL, Rank::bitboard);
        file & rank
    }
}

/// Cuts off what says nothing about which move it is: marks of check, mate and praise, "e.p.".
fn without_suffixes(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'+' | b'#' | b'!' | b'?' | b'=' | b'.' | b' ' | b'\t']
    | [rest @ .., b'e', b'.', b'p' | b'P']
    | [rest @ .., b'e', b'p']
    | [rest @ .., b'm', b'a', b't', b'e'] = text
    {
        text = rest;
    }
    text
}

#[inline]
fn promotion_role(letter: u8) -> Option<Role> {
    match letter {
        b'Q' | b'q' => Some(Role::Queen),
        b'R' | b'r' => Some(Role::Rook),
        b'B' | b'b' => Some(Role::Bishop),
        b'N' | b'n' => Some(Role::Knight),
        // Read, so that the error can say what is wrong with it.
        b'K' | b'k' => Some(Role::King),
        b'P' | b'p' => Some(Role::Pawn),
        _ => None,
    }
}

/// A small `b` is the file, so the bishop alone needs its capital.
#[inline]
fn moving_role(letter: u8) -> Option<Role> {
    match letter {
        b'N' | b'n' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' | b'r' => Some(Role::Rook),
        b'Q' | b'q' => Some(Role::Queen),
        b'K' | b'k' => Some(Role::King),
        b'P' | b'p' => Some(Role::Pawn),
        _ => None,
    }
}

fn castling_side(text: &[u8]) -> Option<CastlingSide> {
    let mut count = 0;
    for part in text.split(|&byte| byte == b'-') {
        if !matches!(part, b"O" | b"0" | b"o") {
            return None;
        }
        count += 1;
    }
    match count {
        2 => Some(CastlingSide::King),
        3 => Some(CastlingSide::Queen),
        _ => None,
    }
}

#[inline]
fn file_of(byte: u8) -> Option<File> {
    File::from_char(char::from(byte))
}

#[inline]
fn rank_of(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}

impl Pattern {
    /// Reads from the end, where every notation has the target square.
    #[inline]
    fn parse(text: &[u8]) -> Option<Self> {
        let text = without_suffixes(text.trim_ascii());
        if let Some(b'O' | b'0' | b'o') = text.first() {
            return castling_side(text).map(Self::Castling);
        }
        let (text, promotion) = match text {
            [rest @ .., b'(', letter, b')'] => (rest, Some(promotion_role(*letter)?)),
            [rest @ .., b'=' | b'/', letter] if !letter.is_ascii_digit() => {
                (rest, Some(promotion_role(*letter)?))
            }
            [.., b'1'..=b'8'] => (text, None),
            [rest @ .., letter] => (rest, Some(promotion_role(*letter)?)),
            [] => return None,
        };
        let [rest @ .., file, rank] = text else { return None };
        let to = Square::new(file_of(*file)?, rank_of(*rank)?);
        let (rest, takes) = match rest {
            [rest @ .., b'x' | b'X' | b':'] => (rest, true),
            [rest @ .., b'-'] => (rest, false),
            _ => (rest, false),
        };
        let (rest, rank) = match rest {
            [rest @ .., byte @ b'1'..=b'8'] => (rest, rank_of(*byte)),
            _ => (rest, None),
        };
        let (rest, file) = match rest {
            [rest @ .., byte @ b'a'..=b'h'] => (rest, file_of(*byte)),
            _ => (rest, None),
        };
        let role = match rest {
            [] => None,
            [letter] => Some(moving_role(*letter)?),
            _ => return None,
        };
        Some(Self::Move(MovePattern { role, file, rank, to, takes, promotion }))
    }
}

impl Position {
    /// A legal move in standard algebraic notation, with no more disambiguation than it needs and with
    /// `+` or `#`.
    #[must_use]
    pub fn san(&self, mv: Move) -> San {
        let mut san = self.san_without_check(mv);
        if self.gives_check(mv) {
            san.push(if self.after(mv).has_legal_move() { '+' } else { '#' });
        }
        san
    }

    fn san_without_check(&self, mv: Move) -> San {
        let mut san = San(ArrayString::new());
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            let text = match CastlingSide::of(from, to) {
                CastlingSide::King => "O-O",
                CastlingSide::Queen => "O-O-O",
            };
            text.chars().for_each(|c| san.push(c));
            return san;
        }
        let role = self.piece_on(from).map_or(Role::Pawn, Piece::role);
        let takes = self.is_capture(mv);
        if role == Role::Pawn {
            if takes {
                san.push(from.file().to_char());
            }
        } else {
            san.push(role.to_char());
            let rivals: Bitboard = self.origins_of(role, to, !from.bitboard());
            if rivals.any() {
                let on_file = rivals.intersects(from.file().bitboard());
                let on_rank = rivals.intersects(from.rank().bitboard());
                if !on_file || on_rank {
                    san.push(from.file().to_char());
                }
                if on_file {
                    san.push(from.rank().to_char());
                }
            }
        }
        if takes {
            san.push('x');
        }
        san.push(to.file().to_char());
        san.push(to.rank().to_char());
        if let Some(role) = mv.promotes_to() {
            san.push('=');
            san.push(role.to_char());
        }
        san
    }

    /// The pieces of one kind, pawns excepted, that have a legal move to a square, among some origins.
    #[inline]
    fn origins_of(&self, role: Role, to: Square, among: Bitboard) -> Bitboard {
        let reaching = attacks::of_piece(role, to, self.occupied()) & self.pieces(self.turn(), role) & among;
        let simple = reaching.is_empty()
            || (!self.is_check() && role != Role::King && !reaching.intersects(self.pinned()));
        if simple && !self.side(self.turn()).has(to) {
            return reaching;
        }
        reaching.into_iter().filter(|&from| self.is_legal(Move::normal(from, to))).collect()
    }

    /// Reads a move in standard algebraic notation or something near it: with too much disambiguation
    /// or too little, `0-0`, `e8Q`, `exd6e.p.`, `Ng1-f3`, `e2e4`, `♘×f3`, the king's way for castling. Marks of
    /// check and of praise are skipped, right or wrong.
    ///
    /// # Errors
    /// When the text means no legal move, or more than one.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_bytes(text.as_bytes())
    }

    #[inline]
    pub(crate) fn parse_san_bytes(&self, text: &[u8]) -> Result<Move, SanError> {
        let us = self.turn();
        let pattern = match Pattern::parse(text) {
            Some(Pattern::Move(pattern)) => pattern,
            Some(Pattern::Castling(side)) => return self.castle(side),
            None => return self.parse_printed(text),
        };
        let role = match (pattern.role, pattern.file, pattern.rank) {
            (Some(role), _, _) => role,
            (None, Some(file), Some(rank)) => {
                self.piece_on(Square::new(file, rank)).map_or(Role::Pawn, Piece::role)
            }
            (None, _, _) => Role::Pawn,
        };
        if role == Role::Pawn {
            return self.find_pawn_move(&pattern);
        }
        let to = pattern.to;
        if role == Role::King && !attacks::king(self.king(us)).has(to) || self.side(us).has(to) {
            return self.find_castling(role, &pattern);
        }
        match self.origins_of(role, to, pattern.origins()).single() {
            Some(from) if pattern.promotion.is_none() => Ok(Move::normal(from, to)),
            _ => Err(self.explain_pattern(role, &pattern)),
        }
    }

    /// Reads a move with figurines and other signs of printing, or says that it is none.
    #[cold]
    fn parse_printed(&self, text: &[u8]) -> Result<Move, SanError> {
        match typewritten(text) {
            Some(typewritten) => self.parse_san_bytes(typewritten.as_bytes()).map_err(|error| match error {
                SanError::Syntax { .. } => syntax_error(text),
                other => other,
            }),
            None => Err(syntax_error(text)),
        }
    }

    fn castle(&self, side: CastlingSide) -> Result<Move, SanError> {
        let us = self.turn();
        let castling = self.castling_rook(us, side).map(|rook| Move::castling(self.king(us), rook));
        match castling.filter(|&mv| self.is_legal(mv)) {
            Some(mv) => Ok(mv),
            None => {
                Err(self.explain_castling(side).unwrap_or(IllegalReason::CastlingRightLost { side }).into())
            }
        }
    }

    /// A move of the king beyond its reach, or onto a piece of its own, can only mean castling.
    #[cold]
    fn find_castling(&self, role: Role, pattern: &MovePattern) -> Result<Move, SanError> {
        let king = self.king(self.turn());
        let rook = match role {
            Role::King if pattern.origins().has(king) && pattern.promotion.is_none() => {
                self.castling_by_squares(king, pattern.to)
            }
            _ => None,
        };
        match rook {
            Some(rook) => self.castle(CastlingSide::of(king, rook)),
            None => Err(self.explain_pattern(role, pattern)),
        }
    }

    #[inline]
    fn find_pawn_move(&self, pattern: &MovePattern) -> Result<Move, SanError> {
        let origins = self.pawn_origins(pattern);
        let last_rank = Rank::Eighth.relative_to(self.turn());
        let to = pattern.to;
        let build = |from| match pattern.promotion {
            Some(role) => Move::promotion(from, to, role),
            None if self.en_passant() == Some(to) && from.file() != to.file() => Move::en_passant(from, to),
            None => Move::normal(from, to),
        };
        let mut found = None;
        for from in origins {
            let mv = build(from);
            if self.is_legal(mv) && found.replace(mv).is_some() {
                return Err(self.explain_pattern(Role::Pawn, pattern));
            }
        }
        match (found, pattern.promotion) {
            (Some(mv), None) => Ok(mv),
            (Some(mv), Some(Role::Queen | Role::Rook | Role::Bishop | Role::Knight))
                if to.rank() == last_rank =>
            {
                Ok(mv)
            }
            _ => Err(self.explain_pattern(Role::Pawn, pattern)),
        }
    }

    /// The pawns that the text can mean and that stand right for it, whether the move is legal or not.
    #[inline]
    fn pawn_origins(&self, pattern: &MovePattern) -> Bitboard {
        let us = self.turn();
        let to = pattern.to;
        let pawns = self.pieces(us, Role::Pawn) & pattern.origins();
        let takes = match pattern.file {
            Some(file) => file != to.file(),
            None => pattern.takes,
        };
        if takes {
            return attacks::pawn(!us, to) & pawns;
        }
        let one = to.forward(!us);
        if self.occupied().has(one) || to.rank() != Rank::Fourth.relative_to(us) {
            return one.bitboard() & pawns;
        }
        one.forward(!us).bitboard() & pawns
    }

    /// Why a text that reads like a move is none here.
    #[cold]
    fn explain_pattern(&self, role: Role, pattern: &MovePattern) -> SanError {
        let us = self.turn();
        let to = pattern.to;
        let reaching = match role {
            Role::Pawn => self.pawn_origins(pattern),
            _ => attacks::of_piece(role, to, self.occupied()) & self.pieces(us, role) & pattern.origins(),
        };
        let promotes = role == Role::Pawn && to.rank() == Rank::Eighth.relative_to(us);
        let tried = pattern.promotion.or(promotes.then_some(Role::Queen));
        let legal: Vec<Move> = reaching
            .into_iter()
            .map(|from| self.coordinate_move(from, to, tried))
            .filter(|&mv| self.is_legal(mv))
            .collect();
        if let [first, ..] = legal[..]
            && promotes
            && pattern.promotion.is_none()
        {
            return SanError::NeedsPromotion { to, example: self.san(first) };
        }
        if legal.len() > 1 {
            let candidates = legal.iter().map(|&mv| self.san(mv)).collect();
            return SanError::Ambiguous { role, to, candidates };
        }
        let wholly_given = match (pattern.file, pattern.rank) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => None,
        };
        if let Some(reason) = wholly_given
            .or(reaching.single())
            .or((role == Role::King).then(|| self.king(us)))
            .and_then(|from| self.explain_illegal(from, to, pattern.promotion))
        {
            return reason.into();
        }
        if role == Role::Pawn
            && pattern.file.is_none()
            && let Some(capture) = self.pawn_capture(to)
        {
            return SanError::WriteCapture { to, capture };
        }
        SanError::NoPiece { role, to }
    }

    fn pawn_capture(&self, to: Square) -> Option<San> {
        let pawns = attacks::pawn(!self.turn(), to) & self.pieces(self.turn(), Role::Pawn);
        let promotes = to.rank() == Rank::Eighth.relative_to(self.turn());
        pawns
            .into_iter()
            .map(|from| self.coordinate_move(from, to, promotes.then_some(Role::Queen)))
            .find(|&mv| self.is_legal(mv))
            .map(|mv| self.san(mv))
    }
}

#[cold]
/// A text with figurines, dashes and crosses as a typewriter has it; nothing if it has no such signs, or others.
fn typewritten(text: &[u8]) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut written = String::with_capacity(text.len());
    for c in std::str::from_utf8(text).ok()?.chars() {
        match c {
            '♔' | '♚' => written.push('K'),
            '♕' | '♛' => written.push('Q'),
            '♖' | '♜' => written.push('R'),
            '♗' | '♝' => written.push('B'),
            '♘' | '♞' => written.push('N'),
            // Pawns have no letter; the other two say in which form a figurine is drawn.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => {}
            '‐' | '‑' | '–' | '—' | '−' => written.push('-'),
            '×' => written.push('x'),
            '†' => written.push('+'),
            '‡' => written.push('#'),
            _ if c.is_ascii() => written.push(c),
            _ => return None,
        }
    }
    Some(written)
}

fn syntax_error(text: &[u8]) -> SanError {
    let text = quote(&String::from_utf8_lossy(&text[..text.len().min(200)]));
    match text.as_str() {
        "--" | "Z0" | "0000" | "null" | "(null)" | "@@@@" => SanError::NullMove { text },
        _ => SanError::Syntax { text },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn read(fen: &str, text: &str) -> String {
        let position = position(fen);
        match position.parse_san(text) {
            Ok(mv) => position.san(mv).to_string(),
            Err(error) => format!("error: {error}"),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const PROMOTION: &str = "3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";

    #[test]
    fn writes_only_the_disambiguation_needed() {
        let san = |fen, from, to| position(fen).san(Move::normal(from, to)).to_string();
        let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert_eq!(san(knights, Square::B1, Square::D2), "Nbd2");
        let doubled = "4k3/8/8/8/R7/8/8/R3K3 w - - 0 1";
        assert_eq!(san(doubled, Square::A1, Square::A2), "R1a2");
        let queens = "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
        assert_eq!(san(queens, Square::H4, Square::E1), "Qh4e1");
        assert_eq!(san(queens, Square::E4, Square::E1), "Qee1");
        // The knight on f3 is pinned, so it is no rival.
        let pinned = "4k3/8/8/7b/8/5N2/8/1N1K4 w - - 0 1";
        assert_eq!(san(pinned, Square::B1, Square::D2), "Nd2");
    }

    #[test]
    fn writes_every_kind_of_move() {
        assert_eq!(read(PROMOTION, "exd8=N"), "exd8=N");
        assert_eq!(read(CASTLING, "O-O-O"), "O-O-O");
        assert_eq!(read(EN_PASSANT, "exd6"), "exd6");
        assert_eq!(read("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8"), "Ra8#");
        assert_eq!(read("6k1/5pp1/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8"), "Ra8+");
        assert_eq!(read("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"), "O-O+");
    }

    #[test]
    fn reads_many_hands() {
        for text in [
            "Nf3", "Ngf3", "Ng1f3", "N1f3", "Ng1-f3", "g1f3", "g1-f3", "Nf3!?", "Nf3+", "Nf3++", "Nf3#",
            "Nf3 mate", "Nf3!!", " Nf3 ", "nf3", "Nxf3", "Ng1xf3", "N-f3", "Nf3.",
        ] {
            assert_eq!(read(START, text), "Nf3", "{text}");
        }
        for text in ["e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "pe4", "e4!", "ee4"] {
            assert_eq!(read(START, text), "e4", "{text}");
        }
        for text in ["e8=Q", "e8Q", "e8=Q+", "e8(Q)", "e8/Q", "e8q", "e7-e8=Q", "e7e8q", "Pe8=Q", "e8=Q#!?"] {
            assert_eq!(read(PROMOTION, text), "e8=Q", "{text}");
        }
        for text in ["exd8=B", "exd8B", "ed8b", "e7xd8(B)", "xd8=B", "e:d8=B"] {
            assert_eq!(read(PROMOTION, text), "exd8=B", "{text}");
        }
        for text in [
            "exd6",
            "exd6e.p.",
            "exd6 e.p.",
            "exd6ep",
            "exd6 ep",
            "e5xd6",
            "e5d6",
            "ed6",
            "xd6",
            "e5xd6e.p.+",
        ] {
            assert_eq!(read(EN_PASSANT, text), "exd6", "{text}");
        }
        for text in ["O-O", "0-0", "o-o", "O-O+", "Kg1", "Ke1g1", "e1g1", "Ke1-g1", "e1h1", "0-0!"] {
            assert_eq!(read(CASTLING, text), "O-O", "{text}");
        }
        for text in ["O-O-O", "0-0-0", "o-o-o", "O-O-O#", "Kc1", "e1c1", "e1a1"] {
            assert_eq!(read(CASTLING, text), "O-O-O", "{text}");
        }
    }

    #[test]
    fn says_why_not() {
        for (fen, text, error) in [
            (START, "Nd4", "no knight can go to d4"),
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "two knights can go to d2: write Nbd2 or Nfd2"),
            ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8", "e8 needs a promotion piece: write e8=Q"),
            (PROMOTION, "exd8", "d8 needs a promotion piece: write exd8=Q"),
            (PROMOTION, "e8=K", "a pawn cannot become a king"),
            (START, "e4=Q", "only a pawn that reaches the last rank promotes"),
            (START, "Nf3=Q", "only a pawn that reaches the last rank promotes"),
            (START, "Nd2", "your own pawn stands on d2"),
            (START, "O-O", "you cannot castle: there is a piece on f1"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "you cannot castle kingside: that right is lost"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Kg1", "you cannot castle kingside: that right is lost"),
            ("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "Nd5", "the knight on c3 is pinned to the king"),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "no pawn can go to d5: to take there write exd5"),
            ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "xd5", "two pawns can go to d5: write cxd5 or exd5"),
            (START, "e2e5", "a pawn does not move like that"),
            (START, "Ke3", "a king does not move like that"),
            (START, "e1e3", "a king does not move like that"),
            (START, "--", "-- passes the move, which no player may do"),
            (START, "Zf3", "\"Zf3\" is not a move: write it like e4, Nf3, exd5, O-O or e8=Q"),
        ] {
            assert_eq!(read(fen, text), format!("error: {error}"), "{text}");
        }
    }

    #[test]
    fn garbage_is_a_syntax_error() {
        let start = Position::startpos();
        let long = "N".repeat(10_000);
        for text in [
            "", " ", "+", "N", "f3N3", "Nf9", "Ni3", "O-O-O-O", "O", "0", "e", "4", "x", "xx", "NNf3", "é4",
            "é♘f3", "e8=", "=Q", "(Q)", "mate", "e.p.", "....", "N\0f3", &long,
        ] {
            assert!(
                matches!(start.parse_san(text), Err(SanError::Syntax { .. } | SanError::NoPiece { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn in_chess960_a_step_of_the_king_is_no_castling() {
        let fen = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1";
        assert_eq!(read(fen, "Kg1"), "Kg1");
        assert_eq!(read(fen, "O-O"), "O-O");
        assert_eq!(read(fen, "Kc1"), "O-O-O");
        assert_eq!(read(fen, "f1h1"), "O-O");
    }
}
