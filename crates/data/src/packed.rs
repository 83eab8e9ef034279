//! Positions in at most thirty bytes.

use chess::{Bitboard, Color, Piece, Position, PositionError, Role, Setup, Square};

const CASTLING_ROOKS: [u8; 2] = [12, 13];
const EN_PASSANT_PAWN: u8 = 14;

/// Why bytes are no position.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PackError {
    #[error("the position breaks off")]
    Short,
    #[error("the side to move is {0}, neither 0 nor 1")]
    Turn(u8),
    #[error("there is no piece number {number} (on {square})")]
    Piece { number: u8, square: Square },
    #[error("{count} pieces are more than fit into a game")]
    Pieces { count: u32 },
    #[error("no pawn on {square} can have just made two steps")]
    EnPassant { square: Square },
    #[error(transparent)]
    Illegal(#[from] PositionError),
}

/// Takes numbers off the front of a row of bytes.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

fn number_of(position: &Position, square: Square, piece: Piece) -> u8 {
    let passed_pawn = position.en_passant().map(|passed| passed.forward(!position.turn()));
    if position.castling_rooks().has(square) {
        CASTLING_ROOKS[piece.color().index()]
    } else if passed_pawn == Some(square) {
        EN_PASSANT_PAWN
    } else {
        piece.index() as u8
    }
}

/// Appends a position. Whose move it is comes first.
pub(crate) fn pack(position: &Position, bytes: &mut Vec<u8>) {
    bytes.push(position.turn().index() as u8);
    bytes.extend(position.halfmove_clock().to_le_bytes());
    bytes.extend(position.fullmove_number().to_le_bytes());
    bytes.extend(position.occupied().0.to_le_bytes());
    let numbers: Vec<u8> = position
        .occupied()
        .into_iter()
        .filter_map(|square| Some(number_of(position, square, position.piece_on(square)?)))
        .collect();
    for pair in numbers.chunks(2) {
        bytes.push(pair[0] | pair.get(1).copied().unwrap_or(0) << 4);
    }
}

/// Takes a position off the front.
pub(crate) fn unpack(bytes: &mut Bytes<'_>) -> Result<Position, PackError> {
    let mut setup = Setup::empty();
    setup.turn = match bytes.byte().ok_or(PackError::Short)? {
        0 => Color::White,
        1 => Color::Black,
        other => return Err(PackError::Turn(other)),
    };
    setup.halfmove_clock = bytes.u16().ok_or(PackError::Short)?;
    setup.fullmove_number = bytes.u16().ok_or(PackError::Short)?;
    let occupied = Bitboard(bytes.u64().ok_or(PackError::Short)?);
    if occupied.count() > 32 {
        return Err(PackError::Pieces { count: occupied.count() });
    }
    let mut pair = 0;
    for (i, square) in occupied.into_iter().enumerate() {
        pair = if i % 2 == 0 { bytes.byte().ok_or(PackError::Short)? } else { pair >> 4 };
        put(&mut setup, square, pair & 15)?;
    }
    Ok(Position::from_setup(&setup)?)
}

fn put(setup: &mut Setup, square: Square, number: u8) -> Result<(), PackError> {
    let piece = if let Some(&piece) = Piece::ALL.get(usize::from(number)) {
        piece
    } else if let Some(color) = Color::ALL.into_iter().find(|color| CASTLING_ROOKS[color.index()] == number) {
        setup.castling_rooks |= square.bitboard();
        Piece::new(color, Role::Rook)
    } else if number == EN_PASSANT_PAWN {
        let back = if setup.turn == Color::White { 1 } else { -1 };
        setup.en_passant = Some(square.offset(0, back).ok_or(PackError::EnPassant { square })?);
        Piece::new(!setup.turn, Role::Pawn)
    } else {
        return Err(PackError::Piece { number, square });
    };
    setup.board[square.index()] = Some(piece);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(position: &Position) -> Vec<u8> {
        let mut bytes = Vec::new();
        pack(position, &mut bytes);
        bytes
    }

    #[test]
    fn positions_come_back() {
        for fen in [
            chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 17",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/4P1P1/PPP2P1P/RNBQKBNR b KQkq d3 0 3",
            "4k3/8/8/8/8/8/8/R4K1R w HA - 99 200",
            "1r2k1r1/8/8/8/8/8/8/1R2KR2 b Bg - 0 1",
            "8/8/8/4k3/8/8/3K4/8 b - - 12 77",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let bytes = packed(&position);
            let mut rest = Bytes(&bytes);
            assert!(unpack(&mut rest) == Ok(position), "{fen}");
            assert!(rest.0.is_empty(), "{fen}");
            assert!(bytes.len() <= 29, "{fen}");
        }
    }

    #[test]
    fn all_starts_of_chess960_come_back() {
        for number in 0..chess::CHESS960_POSITIONS {
            let setup = Setup::double_chess960(number, (number * 7 + 11) % 960).unwrap();
            let position = Position::from_setup(&setup).unwrap();
            assert!(unpack(&mut Bytes(&packed(&position))) == Ok(position), "{number}");
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_refused() {
        let start = packed(&Position::startpos());
        for length in 0..start.len() {
            assert_eq!(unpack(&mut Bytes(&start[..length])).err(), Some(PackError::Short));
        }
        let changed = |at: usize, byte: u8| {
            let mut bytes = start.clone();
            bytes[at] = byte;
            unpack(&mut Bytes(&bytes)).err()
        };
        assert_eq!(changed(0, 2), Some(PackError::Turn(2)));
        assert_eq!(changed(13, 0x1f), Some(PackError::Piece { number: 15, square: Square::A1 }));
        assert!(matches!(changed(13, 0x15), Some(PackError::Illegal(_))));
        assert!(matches!(changed(8, 0xff), Some(PackError::Pieces { .. })));
        assert!(changed(28, 0xee).is_some());
    }
}
