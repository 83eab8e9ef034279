//! Random numbers for hash keys.

use chess::random::Random;

/// Zobrist's numbers: one for each piece on each square, and for what is not on the board.
pub(crate) struct Zobrist {
    /// By piece (White's pawn to king, then Black's) and square, in the numbering of the board that asks.
    pub pieces: [[u64; 64]; 12],
    pub black_to_move: u64,
    /// By the four rights as bits of a number.
    pub castling: [u64; 16],
    pub en_passant_file: [u64; 8],
    /// For programs whose evaluation remembers who has castled.
    pub has_castled: [u64; 2],
}

impl Zobrist {
    pub(crate) const fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut pieces = [[0; 64]; 12];
        let mut i = 0;
        while i < 12 * 64 {
            pieces[i / 64][i % 64] = random.bits();
            i += 1;
        }
        let mut castling = [0; 16];
        let mut en_passant_file = [0; 8];
        i = 0;
        while i < 16 {
            castling[i] = random.bits();
            en_passant_file[i % 8] = random.bits();
            i += 1;
        }
        let black_to_move = random.bits();
        let has_castled = [random.bits(), random.bits()];
        Self { pieces, black_to_move, castling, en_passant_file, has_castled }
    }
}
