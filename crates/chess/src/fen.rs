use crate::*;
impl Setup {
    pub fn startpos() -> Self {
        let mut s = Self::empty();
        let b = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        for i in 0..8 {
            s.board[i] = Some(Piece::new(Color::White, b[i]));
            s.board[i + 8] = Some(Piece::WhitePawn);
            s.board[i + 48] = Some(Piece::BlackPawn);
            s.board[i + 56] = Some(Piece::new(Color::Black, b[i]));
        }
        s.castling_rooks =
            Square::A1.bitboard() | Square::H1.bitboard() | Square::A8.bitboard() | Square::H8.bitboard();
        s
    }
    pub fn quick(fen: &str) -> Self {
        let mut s = Self::empty();
        let mut it = fen.split(' ');
        let mut sq = 56usize;
        for c in it.next().unwrap().chars() {
            if c == '/' {
                sq -= 16;
            } else if let Some(d) = c.to_digit(10) {
                sq += d as usize;
            } else {
                s.board[sq] = Piece::from_char(c);
                sq += 1;
            }
        }
        if it.next() == Some("b") {
            s.turn = Color::Black;
        }
        for c in it.next().unwrap().chars() {
            match c {
                'K' => s.castling_rooks |= Square::H1.into(),
                'Q' => s.castling_rooks |= Square::A1.into(),
                'k' => s.castling_rooks |= Square::H8.into(),
                'q' => s.castling_rooks |= Square::A8.into(),
                _ => {}
            }
        }
        s
    }
}
impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("pos")
    }
}
