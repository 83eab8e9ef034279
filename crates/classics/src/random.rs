//! Random numbers that are the same on every machine.

/// `SplitMix64` (Vigna): for hash keys and for the random habits of the programs.
#[derive(Copy, Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Whether a chance of one in so many came true.
    pub const fn one_in(&mut self, many: u64) -> bool {
        self.next().is_multiple_of(many)
    }
}

/// Zobrist's numbers: one for each piece on each square, and for what is not on the board.
pub struct Zobrist {
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
    pub const fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut pieces = [[0; 64]; 12];
        let mut i = 0;
        while i < 12 * 64 {
            pieces[i / 64][i % 64] = random.next();
            i += 1;
        }
        let mut castling = [0; 16];
        let mut en_passant_file = [0; 8];
        i = 0;
        while i < 16 {
            castling[i] = random.next();
            en_passant_file[i % 8] = random.next();
            i += 1;
        }
        let black_to_move = random.next();
        let has_castled = [random.next(), random.next()];
        Self { pieces, black_to_move, castling, en_passant_file, has_castled }
    }
}
